# What a set of audit rules holds, for people, from its rules, one a line, as audit-rules.awk gives them.
# Takes: loginuid, that of the load; empty if it has none.

function list(counts, text, name, i, most, names, n) {
  n = 0
  for (name in counts) names[++n] = name
  text = ""
  while (n--) {
    most = ""
    for (i in names)
      if (most == "" || counts[names[i]] > counts[names[most]] || (counts[names[i]] == counts[names[most]] && names[i] < names[most]))
        most = i
    text = text (text == "" ? "" : ", ") names[most] " " counts[names[most]]
    delete names[most]
  }
  return text
}

{
  on_path = for_32_bits = 0
  for (i = 1; i < NF; i++) {
    if ($i == "-S") {
      split($(i + 1), calls, ",")
      for (j in calls) of_call[calls[j]]++
    }
    if ($i == "-F" && $(i + 1) ~ /^arch=(b32|i386|arm)$/) for_32_bits = 1
    if ($i == "-F" && $(i + 1) ~ /^(path|dir)=/) on_path = 1
    if ($i == "-F" && $(i + 1) ~ /^auid!=(unset|-1|4294967295)$/) logins++
  }
  narrow32 += for_32_bits
  if ($1 == "-w") watches++
  else if ($2 ~ /never/) left_out++
  else if ($2 ~ /exit/ && on_path) paths++
  else if ($2 ~ /exit/) system_calls++
  else others++
}

END {
  printf "  %d watches (-w), %d rules on a path, %d on system calls, %d that leave something out (never), %d others\n", watches, paths, system_calls, left_out, others
  if (narrow32) printf "  %d for programs of 32 bits (arch), of which the load has none\n", narrow32
  text = list(of_call)
  if (text != "") print "  system calls, and how many rules name each: " text
  if (logins) {
    printf "  %d for processes with a login uid only (auid!=unset); ", logins
    print (loginuid == "" ? "the load has none, so that none of it is recorded by them (--login-uid)" : "that of the load is " loginuid)
  }
}

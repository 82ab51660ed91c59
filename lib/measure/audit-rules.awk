# What of files of audit rules can be loaded for a run, and nothing else: only what is known to be a rule comes through, since auditctl does at
# once what any other word of a line says, and of some (-e 2, --loginuid-immutable) nothing is undone before the next boot.
# Takes lines `FILE<tab>NUMBER<tab>LINE`. Gives `rule<tab>LINE`, words one space apart, or `left-out<tab>FILE:NUMBER<tab>WHY<tab>LINE`.

BEGIN {
  FS = OFS = "\t"
  why["-e"] = "switches audit on or off, or locks it until the next boot"
  why["-f"] = "says whether the kernel panics when audit fails"
  why["-D"] = "removes all rules"
  why["-b"] = why["-r"] = why["--backlog_wait_time"] = "the run sets that itself"
  why["--loginuid-immutable"] = "holds until the next boot"
  why["-c"] = why["-i"] = "the run loads each rule by itself, and tells of those that are refused"
  split("task exit user exclude filesystem io_uring", names, " ")
  for (i in names) is_list[names[i]] = 1
  split("always never possible", names, " ")
  for (i in names) is_action[names[i]] = 1
}

function leave_out(reason) {
  print "left-out", $1 ":" $2, reason, line
}

# LIST,ACTION or ACTION,LIST
function is_list_and_action(text, parts) {
  return split(text, parts, ",") == 2 && ((parts[1] in is_list && parts[2] in is_action) || (parts[2] in is_list && parts[1] in is_action))
}

# Options with a value each, from the word `first` on. "" if that is all there is.
function problem_of_options(first, allowed, i, option) {
  for (i = first; i <= count; i += 2) {
    option = words[i]
    if (option !~ allowed)
      return "'" option "' is not understood"
    if (i == count || words[i + 1] ~ /^-/)
      return "'" option "' has no value"
  }
  return ""
}

# Values without a space before them.
function split_values(i, parted) {
  parted = ""
  for (i = 1; i <= count; i++)
    parted = parted " " (i > 2 && words[i] ~ /^-[FSCkp]./ ? substr(words[i], 1, 2) " " substr(words[i], 3) : words[i])
  count = split(parted, words, / +/)
  for (i = 2; i <= count; i++)
    words[i - 1] = words[i]
  count--
}

function problem(problem_found) {
  if (words[1] in why)
    return why[words[1]]
  if (line ~ /[\\'"`$]/ || line ~ /[^ -~]/)
    return "has characters that are not understood"
  if (words[1] == "-w")
    return words[2] !~ /^\// ? "is not a path from the root" : problem_of_options(3, "^-[pk]$")
  if (words[1] != "-a" && words[1] != "-A")
    return "is not understood"
  if (!is_list_and_action(words[2]))
    return "is not a list and an action"
  problem_found = problem_of_options(3, "^-[FSCkp]$")
  if (problem_found == "" && words[2] ~ /task/ && words[2] ~ /never/ && line !~ / -F/)
    return "leaves every process out, so that nothing would be recorded"
  return problem_found
}

{
  line = $3
  for (i = 4; i <= NF; i++)
    line = line " " $i
  gsub(/[ \r]+/, " ", line)
  sub(/^ /, "", line)
  sub(/ $/, "", line)
  if (line == "" || line ~ /^#/)
    next
  count = split(line, words, " ")
  split_values()
  reason = problem()
  if (reason != "") {
    leave_out(reason)
    next
  }
  line = words[1]
  for (i = 2; i <= count; i++)
    line = line " " words[i]
  print "rule", line
}

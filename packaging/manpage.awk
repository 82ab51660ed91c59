# The texts of --help as a manual page: each is a file, the first one that of exectax itself, then one a command, in the page's order.
# Takes: version, date.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  # A line that begins with one of these would be a request.
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# In bold, one request a line; a trailing space would end up in the page.
function bold(text) {
  sub(/ +$/, "", text)
  gsub(/"/, "\\(dq", text)
  print ".B \"" escaped(text) "\""
}

function plain(text) {
  if (text != "") print escaped(text)
}

function end_example() {
  if (in_example) print ".EE"
  in_example = 0
}

# What is before and behind the first gap of two spaces.
function split_item(text) {
  if (match(text, /[^ ]  +[^ ]/)) {
    item = substr(text, 1, RSTART)
    rest = substr(text, RSTART + RLENGTH - 1)
  } else {
    item = text
    rest = ""
  }
}

BEGIN {
  print ".\\\" Made from the texts of --help by `make man`."
  printf ".TH EXECTAX 1 \"%s\" \"exectax %s\" \"User Commands\"\n", date, version
  print ".SH NAME"
  print "exectax \\- what Linux security monitors cost per program execution"
  print ".SH SYNOPSIS"
  print ".B exectax"
  print ".I COMMAND"
  print "[options]"
  print ".SH DESCRIPTION"
  print "exectax runs security monitors one at a time, launches /bin/true at fixed rates, measures the CPU time that the monitor, the kernel and"
  print "the launched programs pay, and looks for each single execution in the monitor's log."
}

# A new text: the first one has the commands, each other one is of one of them.
FNR == 1 {
  end_example()
  files++
  command = FILENAME
  sub(/^.*\//, "", command)
  if (files == 1) print ".SH COMMANDS"
  else {
    if (files == 2) print ".SH OPTIONS AND EXAMPLES"
    print ".SS exectax " command
  }
  in_usage = files > 1
  column = 0
}

files == 1 && /^Usage:/ { next }

in_usage && /^(Usage: |       exectax)/ {
  sub(/^Usage: |^ +/, "")
  bold($0)
  print ".br"
  next
}
in_usage { in_usage = 0; print ".PP" }

/^$/ {
  end_example()
  after_gap = 1
  next
}

/^Examples:$/ {
  print ".PP"
  print "Examples:"
  print ".PP"
  print ".EX"
  in_example = 1
  after_gap = 0
  next
}
in_example { print escaped($0); next }

# An option, or a command of the first text.
/^  [^ ]/ {
  split_item(substr($0, 3))
  print ".TP"
  bold(item)
  plain(rest)
  after_gap = 0
  next
}

# It goes on. What has a gap in it is an item within.
/^ / {
  sub(/^ +/, "")
  split_item($0)
  if (rest != "") {
    print ".br"
    plain(item ": " rest)
  } else plain($0)
  next
}

{
  if (after_gap) print ".PP"
  after_gap = 0
  plain($0)
}

END {
  end_example()
  print ".SH ENVIRONMENT"
  print ".TP"
  print ".B EXECTAX_STATE_DIR"
  print "The folder of what is to be put back, of logs while they are counted, and of monitors that were downloaded (default: /var/lib/exectax)."
  print ".TP"
  print ".B EXECTAX_MONITORS"
  print "A folder with further monitors' scripts."
  print ".TP"
  print ".BI EXECTAX_ NAME"
  print "The program of a monitor to measure instead of the installed one, such as EXECTAX_FALCO=/path/to/falco."
  print ".TP"
  print ".B NO_COLOR"
  print "No colours, if it is set and not empty."
  print ".SH FILES"
  print ".TP"
  print ".I results/"
  print "Where runs are written: beside exectax in its source tree, otherwise below the current folder."
  print ".TP"
  print ".I /run/exectax.lock"
  print "One run at a time."
}

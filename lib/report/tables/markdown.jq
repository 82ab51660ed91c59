# Others' texts (names, reasons) within Markdown, and on a terminal, where tables are shown, too.

# Without control characters, by which a terminal would be steered, or a line would end.
def plain: if type == "string" then gsub("[\u0000-\u001f\u007f-\u009f\u2028\u2029]"; "?") else . end;

# As a text that is itself in Markdown. Within a word, _ means nothing.
def md:
  if type != "string" or test("^[A-Za-z0-9 .,:;/%@&~=()+–-]*$") then .
  else plain | gsub("(?<c>[\\\\`*\\[\\]<>|])"; "\\\(.c)") | gsub("(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"; "\\_") end;

# All the texts in what tables are made of, and the names of objects.
def all_plain: walk(if type == "object" then with_entries(.key |= plain) else plain end);
def all_md: walk(if type == "object" then with_entries(.key |= md) else md end);

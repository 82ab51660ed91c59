# What says whose machine it was: its name, paths, and the lines that programs wrote, in which there are command lines.
def quoted_meta: gsub("(?<c>[^A-Za-z0-9])"; "\\\(.c)");
def redacted_text($hosts):
  reduce $hosts[] as $host (.; gsub("(?<![A-Za-z0-9.-])\($host | quoted_meta)(?![A-Za-z0-9-])"; "[host]"))
  | sub("; its last words: [\\s\\S]*"; "; its last words: [left out]")
  # What follows on a path and has a slash in it belongs to it.
  | gsub("[A-Za-z][A-Za-z0-9+.-]*://[^\\s,;\"'<>]+"; "[url]")
  | gsub("(?<![A-Za-z0-9_/.~])(?:~[a-z0-9_-]*|\\.{1,2})?/[A-Za-z0-9_.@+-][^\\s,;:\"'()|<>]*(?: [^\\s,;:\"'()|<>]*/[^\\s,;:\"'()|<>]*)*"; "[path]");

# redacted($hosts): of all strings in it, names of objects included.
def redacted($hosts):
  if type == "string" then redacted_text($hosts)
  elif type == "array" then map(redacted($hosts))
  elif type == "object" then with_entries(.key |= redacted_text($hosts) | .value |= redacted($hosts))
  else . end;

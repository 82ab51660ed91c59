# What stands below a picture's title, as gnuplot's assignment of its lines: $subtitle, and the picture's own caption.
include "layout";
[$subtitle, .caption | gsub("\""; "”") | wrapped(122)[]] | "head=\(words)"

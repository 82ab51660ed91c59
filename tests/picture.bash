# shellcheck shell=bash
# What an SVG picture shows.

# texts FILE: what is written in it, a line each.
texts() {
  sed -nE 's|.*<text>([^<]*)</text>|\1|p' "$1"
}

# places FILE: x, y and text of each line of text, separated by tabs.
places() {
  awk '
    match($0, /<g transform="translate\([0-9.-]+,[0-9.-]+\)/) { place = substr($0, RSTART + 24, RLENGTH - 25); sub(/,/, "\t", place) }
    match($0, /<text>[^<]*/) && RLENGTH > 6 { print place "\t" substr($0, RSTART + 6, RLENGTH - 6) }' "$1"
}

# The points that are drawn with a colour, as `x y symbol size colour`; white ones are the insides of hollow points.
points() {
  sed -nE "s|.*<use xlink:href='#(gpPt[0-9]+)' transform='translate\(([0-9.-]+),([0-9.-]+)\) scale\(([0-9.]+)\)' color='rgb\( *([0-9]+), *([0-9]+), *([0-9]+)\)'/>|\2 \3 \1 \4 rgb(\5,\6,\7)|p" "$1"
}

# Where the insides of hollow points are, that of the key (which has no place on the axes) excepted.
hollow() {
  points "$1" | awk -v top="$(graph_top "$1")" '/rgb\(255,255,255\)/ && $2 >= top { print $1, $2 }'
}

# The upper end of the graph: of its grid's vertical lines.
graph_top() {
  sed -nE "s|.*class=\"gridline\"  d='M([0-9.]+),[0-9.]+ L\1,([0-9.]+) .*|\2|p" "$1" | sort -n | head -n 1
}

# whiskers FILE: x, lower and upper end of each whisker.
whiskers() {
  awk '/stroke-width="1.30"/ { within = 1 } within { print } /<\/g>/ { within = 0 }' "$1" |
    grep -oE 'M[0-9.]+,[0-9.]+ L[0-9.]+,[0-9.]+' | tr 'ML,' '   ' | awk '$1 == $3 { print $1, $2, $4 }'
}

# line FILE LABEL: its symbol, its colour, its dash, and how many points it has.
line() {
  local x y symbol colour
  IFS=$'\t' read -r x y < <(places "$1" | awk -F'\t' -v label="$2" '$3 == label { print $1 "\t" $2 }')
  read -r symbol colour < <(points "$1" | awk -v x="$x" -v y="$y" '$1 < x && $1 > x - 20 && $2 > y - 9 && $2 < y - 4 { print $3, $5 }')
  echo "$symbol $colour $(awk -v wanted="$colour" '
    /stroke-width="2.20"/ { within = 1 }
    within && match($0, /<path stroke=.rgb\([^)]*\)/) {
      colour = substr($0, RSTART + 14, RLENGTH - 14); gsub(/ /, "", colour)
      dash = "solid"
      if (match($0, /stroke-dasharray=.[0-9.,]*/)) dash = substr($0, RSTART + 18, RLENGTH - 18)
      if (colour == wanted) print dash
    }
    /<\/g>/ { within = 0 }' "$1" | sort -u | paste -sd'|') $(points "$1" | awk -v symbol="$symbol" -v colour="$colour" '$3 == symbol && $5 == colour && $4 > 1 && $1 < 760' | wc -l)"
}

# labels_apart FILE PIXELS: labels at the lines' ends are in one column, and each is at least that far below the one before.
labels_apart() {
  places "$1" | awk -F'\t' -v apart="$2" '$1 > 760 { print $1, $2 }' | sort -k 2n |
    awk -v apart="$2" 'NR > 1 && ($1 != x || $2 - y < apart - 0.1) { print "labels at", x, y, "and", $1, $2; bad = 1 } { x = $1; y = $2 } END { exit bad || NR == 0 }'
}

# A flame graph from folded stacks (`comm;frame;frame count`, see lib/measure/fold.awk): one static SVG, with tooltips.
# Takes: title, subtitle, shortest (share of the samples below which a frame is left out). Idle samples (`;[idle] `) are counted and left out. Fails if there are no others.

BEGIN {
  WIDTH = 1200; MARGIN = 10; ROW = 16; TOP = 97; SHORTEST = shortest ? shortest : 0.001
  # mawk has room for a hundred calls or so of a function by itself.
  DEEPEST = 90
  HEX4 = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
  BPF_PROGRAM = "^bpf_prog_" HEX4 HEX4 HEX4 HEX4 "(_|$)"
  COLOUR["bpf"] = "#e8698f"; COLOUR["kernel"] = "#f2b877"; COLOUR["user"] = "#a5d3a0"
  COLOUR["process"] = "#a9c8ea"; COLOUR["kthread"] = "#c7b4e3"; COLOUR["harness"] = "#cfcfcf"
  KINDS = split("bpf kernel user process kthread harness", kind_order, " ")
  split("BPF program|kernel|user space|process|kernel thread|exectax itself, perf", kind_title, "|")
}

/;\[idle\] [0-9]+$/ { idle += $NF; next }

# The cells of a run have many stacks in common.
{
  samples = $NF + 0
  sub(/ [0-9]+$/, "")
  busy += samples
  stacks[$0] += samples
}

function add(stack, samples, frames, n, node, in_bpf, i) {
  n = split(stack, frames, ";")
  sub(/^kworker.*/, "kworker", frames[1]); sub(/\/[0-9]+$/, "", frames[1])
  node = 0
  in_bpf = 0
  for (i = 1; i <= n; i++) {
    if (i > DEEPEST) {
      if (frames[i] ~ BPF_PROGRAM) in_bpf = 1
      continue
    }
    node = child_named(node, frames[i], i == 1 ? kind_of_process(frames[1]) : kind_of_frame(frames[i], kind[node]))
    total[node] += samples
    if (kind[node] == "bpf") in_bpf = 1
  }
  if (in_bpf) bpf += samples
}

function child_named(parent, frame_name, its_kind, key) {
  key = parent SUBSEP frame_name
  if (!(key in id)) {
    id[key] = ++nodes
    name[nodes] = frame_name
    kind[nodes] = its_kind
    child[parent, ++children[parent]] = nodes
  }
  return id[key]
}

function kind_of_process(comm) {
  if (comm ~ /^(exectax|execrate|cpumeter|logfollow|pidstat|perf|perf-exec)$/) return "harness"
  if (comm ~ /^(kauditd|kworker|ksoftirqd|kswapd.*|kthreadd|khugepaged|kcompactd.*|migration|jbd2.*|rcu.*|swapper)$/) return "kthread"
  return "process"
}

function kind_of_frame(frame, parent_kind) {
  if (frame ~ BPF_PROGRAM) return "bpf"
  if (parent_kind == "harness") return "harness"
  return frame ~ /_\[k\]$/ ? "kernel" : "user"
}

# Those that are wide enough to be seen, largest first; a row for each depth that holds one.
function sort_children(parent, i, j, moved) {
  j = 0
  for (i = 1; i <= children[parent]; i++)
    if (total[child[parent, i]] >= SHORTEST * busy) child[parent, ++j] = child[parent, i]
  children[parent] = j
  for (i = 2; i <= children[parent]; i++) {
    moved = child[parent, i]
    for (j = i - 1; j > 0 && (total[child[parent, j]] < total[moved] || (total[child[parent, j]] == total[moved] && name[child[parent, j]] > name[moved])); j--)
      child[parent, j + 1] = child[parent, j]
    child[parent, j + 1] = moved
  }
}

function measure(parent, depth, i) {
  if (depth > deepest) deepest = depth
  sort_children(parent)
  for (i = 1; i <= children[parent]; i++)
    measure(child[parent, i], depth + 1)
}

function escaped(text) {
  gsub(/[^ -~]/, "?", text)
  gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
  return text
}

function draw_text(x, y, size, text) {
  printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\">%s</text>\n", x, y, size, escaped(text)
}

function draw(parent, depth, x, i, node, width, y, label, room) {
  for (i = 1; i <= children[parent]; i++) {
    node = child[parent, i]
    width = (WIDTH - 2 * MARGIN) * total[node] / busy
    y = TOP + (deepest - depth) * ROW
    label = name[node]
    sub(/_\[k\]$/, "", label)
    printf "<g><title>%s (%s): %d samples, %.2f %%</title>", escaped(label), kind[node], total[node], 100 * total[node] / busy
    printf "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>", x, y, width, ROW - 1, COLOUR[kind[node]]
    room = int((width - 6) / 6.7)
    if (length(label) > room) label = room > 4 ? substr(label, 1, room - 2) ".." : ""
    if (label != "") draw_text(x + 3, y + 11.5, 11, label)
    print "</g>"
    draw(node, depth + 1, x, 0)
    x += width
  }
}

END {
  if (!busy) exit 1
  for (stack in stacks) add(stack, stacks[stack])
  measure(0, 0)
  height = TOP + deepest * ROW + MARGIN
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono,monospace\">\n", WIDTH, height, WIDTH, height
  printf "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, height
  draw_text(MARGIN, 22, 16, title)
  draw_text(MARGIN, 40, 11, subtitle)
  draw_text(MARGIN, 55, 11, sprintf("Width: share of the %d samples of busy CPUs. Within a BPF program, what it calls included: %d (%.1f %%).", busy, bpf, 100 * bpf / busy))
  draw_text(MARGIN, 70, 11, sprintf("Left out: %d samples of idle CPUs (%.1f %% of all); frames under %.1f %%, and those deeper than %d.", idle, 100 * idle / (busy + idle), 100 * SHORTEST, DEEPEST))
  x = MARGIN
  for (i = 1; i <= KINDS; i++) {
    printf "<rect x=\"%d\" y=\"77\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, COLOUR[kind_order[i]]
    draw_text(x + 16, 87, 11, kind_title[i])
    x += 16 + 7 * length(kind_title[i]) + 18
  }
  draw(0, 1, MARGIN)
  print "</svg>"
}

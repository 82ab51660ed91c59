# shellcheck shell=bash
# A look at what a run has measured so far: the tables of build/figures, which are made elsewhere: nothing of the run changes.

# view_table RUN TABLE: that one. 1, and a warning, if there is none.
view_table() (
  local view status=0
  [[ -x $BUILD/figures ]] || die "$BUILD/figures is not built ('make' does)"
  view=$(mktemp -d)
  trap 'rm -rf "$view"' EXIT
  find "$1" -mindepth 1 -maxdepth 1 \( -name manifest.json -o -name plan.csv -o -name cells \) -exec ln -s -t "$view" {} +
  "$BUILD/figures" "$view" 2>"$view/stderr" || status=$?
  # 1: it has told which cells can't be read, or why there are no figures at all.
  [[ $status -lt 2 && -s $view/$2 ]] || die "the cells of $1 can't be read: $(tail -n 1 "$view/stderr")"
  cat "$view/$2"
)

# shellcheck shell=bash
# Where exectax lies: in its source tree, or installed (make install), which has no Makefile.

tree_is_source() {
  [[ -e $EXECTAX_ROOT/Makefile ]]
}

# Where runs are written unless another folder is asked for.
tree_results() {
  if tree_is_source; then
    echo "$EXECTAX_ROOT/results"
  else
    echo "$PWD/results"
  fi
}

tree_version() {
  if [[ -s $EXECTAX_ROOT/VERSION ]]; then
    cat "$EXECTAX_ROOT/VERSION"
  else
    git -C "$EXECTAX_ROOT" describe --always --dirty 2>/dev/null || echo unknown
  fi
}

# The command that installs what running needs.
tree_install_deps() {
  if tree_is_source; then
    echo "make install-deps"
  else
    echo "$EXECTAX_ROOT/lib/host/install-deps.sh run"
  fi
}

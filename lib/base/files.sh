# shellcheck shell=bash
# Folders that came from elsewhere: what may be in them, and how something is written into them. deploy/ansible uses this file by itself.

# files_put FILE: it becomes what is on stdin; whatever ends this or the machine meanwhile, it is the old or the new one. A link that is there is replaced, never followed,
# and so is what has been left at the name that is written to first.
files_put() {
  if rm -f -- "$1.new" && (set -o noclobber && cat >"$1.new") && sync "$1.new" && mv -T -- "$1.new" "$1"; then
    return 0
  fi
  rm -f -- "$1.new"
  return 1
}

# files_make_plain FOLDER: what was unpacked there is regular files and folders, and nothing else stays: no link, device or pipe, and no file that has
# another name, which could be anywhere. No mode lets others write, or whoever executes it become another user.
files_make_plain() {
  find "$1" -type d -exec chmod u=rwx,g-ws,o-wt {} \; || return 1
  find "$1" ! -type d \( ! -type f -o -links +1 \) -delete || return 1
  find "$1" -type f -exec chmod u+rw,u-s,g-ws,o-wt {} +
}

# files_other_than_plain FOLDER: the first thing in it that is neither a regular file nor a folder; nothing if there is none. What monitors left of their own
# (below monitors/NAME/START) may have links, which nothing follows.
files_other_than_plain() (
  cd -- "$1" && find . \( -path './monitors/*/*/*' -o -path './jobs/*/run/monitors/*/*/*' \) -prune -o ! -type d ! -type f -printf '%P\n' -quit
)

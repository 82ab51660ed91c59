# shellcheck shell=bash
# Room on disk, and a little of it kept back, so that a run whose disk fills up can still say so.

DISK_RESERVE=4M

# disk_free_mib PATH: what is free on its file system for everybody, in whole MiB.
disk_free_mib() {
  stat -f -c '%a %S' -- "$1" | awk '{ printf "%d\n", $1 * $2 / 1048576 }'
}

# disk_reserve FOLDER: to be given back by disk_release, with which what must be written still can be. Not every file system can do that.
disk_reserve() {
  fallocate -l "$DISK_RESERVE" "$1/.reserve" 2>/dev/null || rm -f "$1/.reserve"
}

disk_release() {
  rm -f "$1/.reserve"
}

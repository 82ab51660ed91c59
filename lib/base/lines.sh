# shellcheck shell=bash
# The lines of a command's output.
#
# There is no process substitution in these sources. bash 5.2 loses the end of one that ends at once (its SIGCHLD can come
# before it is in bash's list of them); the next child that is given its pid, and pids come round within seconds under a load of
# thousands of processes, is taken for it, and waited for without end.

# split_lines ARRAY TEXT: ARRAY gets the lines of TEXT, none if it is empty.
split_lines() {
  local -n split_lines_array=$1
  split_lines_array=()
  # shellcheck disable=SC2034 # The array is the caller's.
  [[ -z $2 ]] || mapfile -t split_lines_array <<<"$2"
}

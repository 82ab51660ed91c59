# shellcheck shell=bash
# Audit leaves alone what exectax itself starts, and nothing else: a process keeps what was decided when it was forked for life,
# so a service or a cron job that happens to start during a run must not be concerned.
#
# The kernel's rule `never,task -F gid=G` takes what is forked by members of G, also where G is but a supplementary group. So
# the harness, and with it all that it starts, has one such group more. Real and effective ids stay as they are: a monitor
# runs as it would without us, and no execution is one of the kind for which the loader has extra work (AT_SECURE).

# exempt_join COMMAND...: unless this process is a member, execute COMMAND, which is this process's own, as one. Sets EXECTAX_EXEMPT_GID, and
# EXECTAX_GROUPS to those that it was started with.
exempt_join() {
  # Beyond what distributions, systemd and user namespaces give out.
  local -i gid=1900000000
  ! exempt_is_joined || return 0
  while getent group "$gid" >/dev/null; do
    gid+=1
  done
  EXECTAX_GROUPS=$(id -G | tr ' ' ,)
  export EXECTAX_GROUPS EXECTAX_EXEMPT_GID=$gid
  exec setpriv --groups "$EXECTAX_GROUPS,$gid" "$@"
}

exempt_is_joined() {
  [[ " $(id -G) " == *" ${EXECTAX_EXEMPT_GID:-none} "* ]]
}

# Two further groups that nobody is a member of, with a comma between them: for launches of which some are to be left alone.
exempt_groups() {
  local -i gid=$EXECTAX_EXEMPT_GID
  local -a found=()
  while ((${#found[@]} < 2)); do
    gid+=1
    getent group "$gid" >/dev/null || found+=("$gid")
  done
  echo "${found[0]},${found[1]}"
}

# shellcheck shell=bash
# Hosts for a playbook: an sshd each on 127.0.0.1, with a host key of its own and a folder of its own. All are this machine.

# hosts_begin: a key to log in with, and an empty inventory.
hosts_begin() {
  PLAYBOOK=$ROOT/deploy/ansible
  HOSTS=$BATS_TEST_TMPDIR/hosts
  mkdir -p "$HOSTS"
  ssh-keygen -q -t ed25519 -N '' -f "$HOSTS/login"
  touch "$HOSTS/known_hosts" "$HOSTS/inventory"
  # sshd's own needs it.
  [[ -d /run/sshd ]] || { mkdir /run/sshd && touch "$HOSTS/made-run-sshd"; }
}

# hosts_add NAME [unknown]: with a running sshd; the key of an unknown one is not known here. With SHLVL, bash does not take a session for one
# whose ~/.bashrc it is to read: this machine's is no part of the test, and can be long about what a killed session has left.
hosts_add() {
  local name=$1 folder=$HOSTS/$1 port
  mkdir -p "$folder"
  port=$(hosts_free_port)
  ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
  cat >"$folder/sshd_config" <<CONFIG
Port $port
ListenAddress 127.0.0.1
HostKey $folder/key
AuthorizedKeysFile $HOSTS/login.pub
PidFile none
PermitRootLogin prohibit-password
PasswordAuthentication no
StrictModes no
UsePAM no
SetEnv SHLVL=2
Subsystem sftp internal-sftp
CONFIG
  [[ ${2:-} == unknown ]] || echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$folder/key.pub")" >>"$HOSTS/known_hosts"
  echo "$name ansible_host=127.0.0.1 ansible_port=$port ansible_user=root exectax_dir=$folder/exectax" >>"$HOSTS/inventory"
  hosts_start "$name"
}

hosts_free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

hosts_start() {
  setsid /usr/sbin/sshd -D -e -f "$HOSTS/$1/sshd_config" >>"$HOSTS/$1/log" 2>&1 3>&- &
  echo "$!" >"$HOSTS/$1/pid"
}

# hosts_die NAME: it answers no more, nor does who is logged in.
hosts_die() {
  local pid
  pid=$(<"$HOSTS/$1/pid")
  hosts_tree "$pid" | xargs -r kill -s KILL 2>/dev/null || true
}

# A process and all that descend from it, but for what left its session.
hosts_tree() {
  local child
  echo "$1"
  # shellcheck disable=SC2013
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    hosts_tree "$child"
  done
}

hosts_end() {
  local file
  for file in "$HOSTS"/*/pid; do
    [[ ! -e $file ]] || hosts_die "$(basename "$(dirname "$file")")"
  done
  [[ ! -e $HOSTS/made-run-sshd ]] || rmdir /run/sshd 2>/dev/null || true
}

# playbook ARGUMENT...: as from its folder; results go to HOSTS/results.
playbook() {
  (
    cd "$PLAYBOOK" || exit
    export ANSIBLE_LOCAL_TEMP=$HOSTS/tmp ANSIBLE_REMOTE_TMP=$HOSTS/remote ANSIBLE_SSH_CONTROL_PATH_DIR=$HOSTS/cp ANSIBLE_NOCOLOR=1 ANSIBLE_PYTHON_INTERPRETER=/usr/bin/python3
    export ANSIBLE_SSH_ARGS="-o ControlMaster=auto -o ControlPersist=20s -o ServerAliveInterval=2 -o ServerAliveCountMax=2 -o StrictHostKeyChecking=yes -o UserKnownHostsFile=$HOSTS/known_hosts -o IdentitiesOnly=yes -o IdentityFile=$HOSTS/login"
    ansible-playbook -i "$HOSTS/inventory" fleet.yml -e exectax_results="$HOSTS/results" -e exectax_connect_seconds=5 -e exectax_poll_seconds=5 "$@"
  )
}

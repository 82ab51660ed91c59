#!/usr/bin/env bash
# What exectax does on a real cluster, that which kubectl is configured for (KUBECONFIG). `test.sh --help` has the options.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

usage() {
  cat <<'TEXT'
Usage: deploy/kubernetes/test.sh [options]
Run Jobs and exectax cluster on a cluster, with monitors that the test deploys under limits, into the namespaces exectax and exectax-test: limits
read, losses counted, the exit status, a pod deleted in mid-run, the node as before. Both namespaces are removed at the end.
What it measures is worth nothing. Not for a cluster that others use: the load is a node's.

  --image NAME    the image, which the node must have or be able to pull (default localhost/exectax:latest). For LAUREL
                  it needs more: image.sh --packages "laurel systemd-standalone-sysusers"
  --node NAME     the node to measure (default: the first)
  --api URL       where pods reach the API server, in a cluster without a service network, such as one of single processes
  --falco FOLDER  folder of the node with the program falco, to be measured, too; it runs in the image, that is on Debian 13
  --only PATTERN  only the tests whose names match
  --help          show this text

Exit status: 0 all passed; 1 a test failed; 2 bad option.
TEXT
}

bad_usage() {
  echo "test.sh: $1; --help lists the options" >&2
  exit 2
}

export TEST_IMAGE=localhost/exectax:latest TEST_NODE='' TEST_API='' TEST_FALCO=''
only=.
while (($#)); do
  case $1 in
    --image | --node | --api | --falco | --only)
      (($# > 1)) || bad_usage "$1: expected a value"
      case $1 in
        --image) TEST_IMAGE=$2 ;;
        --node) TEST_NODE=$2 ;;
        --api) TEST_API=$2 ;;
        --falco) TEST_FALCO=$2 ;;
        --only) only=$2 ;;
      esac
      shift 2
      ;;
    --help)
      usage
      exit 0
      ;;
    *) bad_usage "got '$1'" ;;
  esac
done
command -v kubectl >/dev/null || {
  echo "test.sh: kubectl is not installed" >&2
  exit 1
}
nodes=$(kubectl get nodes --output name --request-timeout 30s) || {
  echo "test.sh: no cluster answers: expected KUBECONFIG with one (see above)" >&2
  exit 1
}
[[ -n $TEST_NODE ]] || TEST_NODE=$(head -n 1 <<<"${nodes//node\//}")
bats --filter "$only" tests/kubernetes/cluster.bats

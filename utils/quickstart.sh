#!/usr/bin/env bash
# Installs what is missing, builds, and compiles and runs the example model:
# it prints what was recovered from the graph, the plan, where the files are,
# the difference to the framework's results and the speed.
#
# usage: utils/quickstart.sh [folder]
#   folder  another graph: graph.mlir, data.npz, expected.json (examples/llama)
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "${1:-}" in
-h | --help)
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
  ;;
esac

install_dependencies
build_all
cd "$root" && exec python3 utils/run-example.py "${1:-examples/llama}"

#!/usr/bin/env bash
# Installs what is missing, builds, and compiles and runs the example model:
# it prints what was recovered from the graph, the plan, where the files are,
# the difference to the framework's results and the speed.
#
# usage: utils/quickstart.sh [folder]
#   folder  another graph: graph.mlir, data.npz, expected.json (examples/llama)
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

print_help_if_asked "$@"
install_dependencies
build_all
exec python3 "$root/utils/run-example.py" "$@"

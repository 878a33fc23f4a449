#!/usr/bin/env bash
# Builds what is missing and runs all tests. The last line counts them.
#
# usage: utils/check.sh [filter]
#   filter  a regular expression; only tests whose name matches it are run
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "${1:-}" in
-h | --help)
  sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
  ;;
esac

install_dependencies
build_all

results="$build/test/results.json"
rm -f "$results"
say "running tests"
lit=$(llvm-config-22 --bindir)/lit
python3 "$lit" -s -v --output "$results" ${1:+--filter "$1"} "$build/test"
status=$?
[ -f "$results" ] || fail "the tests did not run"
python3 "$root/utils/count-tests.py" "$results" || status=1
exit $status

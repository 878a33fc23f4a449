#!/usr/bin/env bash
# Builds what is missing and runs all tests. The last line counts them. If
# nothing has changed since all passed, it says so and does not run them again.
#
# usage: utils/check.sh [--again | filter]
#   --again  runs the tests even if nothing has changed
#   filter   a regular expression; only tests whose name matches it are run
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

print_help_if_asked "$@"
again=
if [ "${1:-}" = --again ]; then
  again=yes
  shift
fi
case "${1:-}" in -*) fail "unknown option '$1'; --help tells the options" ;; esac

install_dependencies
build_all

# Names what the tests run and read.
digest_tested() {
  (cd "$root" && find README.md CMakeLists.txt .clang-format benchmarks build/bin \
    build/lib/AttnPlugin.so cmake docs examples include lib runtime test tools utils \
    -type f ! -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum | sha256sum)
}

results="$build/test/results.json"
passed="$build/test/passed.sha256"
if [ -z "$again${1:-}" ] && [ "$(digest_tested)" = "$(cat "$passed" 2>/dev/null)" ]; then
  say "nothing has changed since all tests passed; --again runs them"
  exec python3 "$root/utils/count-tests.py" "$results"
fi

rm -f "$results" "$passed"
say "running tests"
lit=$(llvm-config-22 --bindir)/lit
python3 "$lit" -s -v --output "$results" ${1:+--filter "$1"} "$build/test"
status=$?
[ -f "$results" ] || fail "the tests did not run"
[ "$status" -eq 0 ] && [ -z "${1:-}" ] && digest_tested >"$passed"
python3 "$root/utils/count-tests.py" "$results" || status=1
exit $status

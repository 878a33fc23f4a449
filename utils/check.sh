#!/usr/bin/env bash
# Runs the checks of the sources, builds what is missing and runs all tests. The
# last line counts the tests. If nothing has changed since all passed, it says so
# and does not run them again.
#
# usage: utils/check.sh [--again | --fix | --lint | filter]
#   --again  runs everything even if nothing has changed
#   --fix    mends what the checks of the sources can mend, and does no more
#   --lint   runs the checks of the sources, and does no more
#   filter   a regular expression; only tests whose name matches it are run
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

print_help_if_asked "$@"
again=
case "${1:-}" in
--again) again=yes; shift ;;
--fix | --lint | [!-]* | '') ;;
*) fail "unknown option '$1'; --help tells the options" ;;
esac

# Every check of the sources, in the order in which one may need what another
# mends.
lints=(
  check-format check-names check-messages check-descriptions check-constraints
  check-status check-reference check-cases check-links check-sizes
)

# Runs all of them with the given flags. Prints what is wrong and how much each
# looked at; fails if anything is left.
run_lints() {
  local lint result=0
  for lint in "${lints[@]}"; do
    say "$lint"
    python3 "$root/utils/$lint.py" "$root" "$@" | sed 's/^/  /' || result=1
  done
  return $result
}

install_dependencies
case "${1:-}" in
--fix | --lint)
  if [ "$1" = --fix ]; then run_lints --fix; else run_lints; fi
  exit
  ;;
esac
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
linted=0
if [ -z "${1:-}" ]; then
  say "checking the sources"
  run_lints || linted=1
fi
say "running tests"
lit=$(llvm-config-22 --bindir)/lit
python3 "$lit" -s -v --output "$results" ${1:+--filter "$1"} "$build/test"
status=$?
[ -f "$results" ] || fail "the tests did not run"
[ "$linted" -eq 0 ] || status=1
[ "$status" -eq 0 ] && [ -z "${1:-}" ] && digest_tested >"$passed"
python3 "$root/utils/count-tests.py" "$results" || status=1
exit $status

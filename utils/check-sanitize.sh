#!/usr/bin/env bash
# Builds everything with AddressSanitizer and UndefinedBehaviorSanitizer in
# build-sanitize/ and runs all tests with it. Takes several times as long as
# utils/check.sh.
#
# usage: utils/check-sanitize.sh [filter]
#   filter   a regular expression; only tests whose name matches it are run
#
# MLIR and LLVM come from their packages and are not instrumented, nor is the code
# that is generated: what that reads and writes is guarded by size checks, which
# tests cover. Checks that need run-time type information (vptr, function) are
# off, because LLVM has none. To fuzz with it:
#
#   python3 utils/fuzz-parsers.py build-sanitize/bin out/parsers --count=1000
#   python3 utils/fuzz-programs.py build-sanitize/bin out/programs --count=100 --quick
set -u -o pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

print_help_if_asked "$@"
case "${1:-}" in -*) fail "unknown option '$1'; --help tells the options" ;; esac

packages+=(libclang-rt-22-dev)
install_dependencies
build="$root/build-sanitize"
if [ ! -f "$build/build.ninja" ]; then
  say "configuring in $build"
  launcher=()
  command -v ccache >/dev/null &&
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  (cd "$root" && cmake --preset sanitize "${launcher[@]}") >"$root/.cmake.log" 2>&1 ||
    { tail -20 "$root/.cmake.log" >&2; fail "configuring failed, see $root/.cmake.log"; }
  rm -f "$root/.cmake.log"
fi
build_all

results="$build/test/results.json"
rm -f "$results"
say "running tests"
python3 "$(llvm-config-22 --bindir)/lit" -s -v --output "$results" \
  ${1:+--filter "$1"} "$build/test"
status=$?
[ -f "$results" ] || fail "the tests did not run"
python3 "$root/utils/count-tests.py" "$results" || status=1
exit $status

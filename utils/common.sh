# Shared by the scripts in this folder: dependencies and the build.
# Source it; it defines functions and does nothing by itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build"

say() { printf '%s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Prints the comment at the head of the script that runs, if its first argument
# asks for help, and exits.
print_help_if_asked() {
  case "${1:-}" in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  esac
}

# What a build and its tests need from apt.
packages=(
  cmake ninja-build g++ clang-22 clang-format-22 lld-22
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools libomp-22-dev
  libcurl4-openssl-dev libedit-dev libffi-dev libxml2-dev libz3-dev
  libzstd-dev zlib1g-dev python3
)

# Installs the packages that are missing. Says nothing if none is.
install_dependencies() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${#missing[@]} packages: ${missing[*]}"
  local sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  $sudo apt-get update -qq || fail "apt-get update failed"
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 ||
      fail "apt knows no package '$package'; add LLVM's package archive for version 22 to apt's sources"
  done
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >"$root/.apt.log" 2>&1 ||
    { tail -5 "$root/.apt.log" >&2; fail "apt-get install failed, see $root/.apt.log"; }
  rm -f "$root/.apt.log"
}

# Configures once, then builds everything in build/.
build_all() {
  if [ ! -f "$build/build.ninja" ]; then
    say "configuring in $build"
    local launcher=()
    command -v ccache >/dev/null &&
      launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
      -DLLVM_USE_LINKER=lld "${launcher[@]}" \
      -DMLIR_DIR="$(llvm-config-22 --prefix)/lib/cmake/mlir" \
      >"$root/.cmake.log" 2>&1 ||
      { tail -20 "$root/.cmake.log" >&2; fail "configuring failed, see $root/.cmake.log"; }
    rm -f "$root/.cmake.log"
  fi
  if ninja -C "$build" -n | grep -q 'no work to do'; then
    return
  fi
  say "building in $build"
  if [ -t 1 ]; then
    ninja -C "$build" || fail "the build failed"
  else
    ninja -C "$build" --quiet || fail "the build failed"
  fi
}

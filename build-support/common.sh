# shellcheck shell=sh disable=SC2154
# What ./sennit and ./verify share: finding a JDK, getting what is missing, one build at a time.
# The caller sets `program`, the name that messages begin with, and `root`, the folder of the sources.

# shellcheck source=build-support/jdk.sh
. "$root/build-support/jdk.sh"

# Finds a JDK, or installs one where we may, or says how to get one and ends.
require_jdk() {
  find_jdk && return
  for package in "openjdk-$required_java-jdk-headless" "temurin-$required_java-jdk"; do
    if has apt-cache && apt-cache show "$package" >/dev/null 2>&1; then
      install_packages "$package" && find_jdk && return
      exit 2
    fi
  done
  die_without_jdk
}

# Prints the Debian packages of what is missing; each argument is "program=package package…".
missing_packages() {
  for need; do
    has "${need%%=*}" || printf '%s ' "${need#*=}"
  done
}

# Whether the C library's headers are there, which Debian keeps apart from the compiler.
has_libc_headers() { # compiler
  printf '#include <pthread.h>\n' | "$1" -E -x c - >/dev/null 2>&1
}

# Prints the Debian packages without which nothing can be built.
missing_build_packages() {
  missing_packages "mvn=maven" "gcc=gcc" "clang=clang"
  has_libc_headers gcc || printf 'libc6-dev '
  # It brings the library itself, which is loaded at run time.
  [ -e /usr/include/bpf/bpf_helpers.h ] || printf 'libbpf-dev '
}

# Installs Debian packages as root, saying so; otherwise prints the line to run and answers 1.
install_packages() {
  if ! has apt-get; then
    say "missing; install with your package manager (Debian's names): $*"
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then
    say "missing: $*; run: sudo apt-get install -y --no-install-recommends $*"
    return 1
  fi
  say "installing $* with apt-get"
  mkdir -p "$root/target"
  log=$root/target/install.log
  forbid_starts
  # A machine that is new knows no packages yet.
  if apt_get install "$@" >"$log" 2>&1 ||
    { apt_get update >>"$log" 2>&1 && apt_get install "$@" >>"$log" 2>&1; }; then
    allow_starts
    return 0
  fi
  allow_starts
  cat "$log" >&2
  say "apt-get could not install $*; its output is above and in $log"
  return 1
}

# Until allow_starts no package starts the service that it brings: nobody asked for one, and the tests run their own.
# Where the machine has a policy about that already, it is left alone.
forbid_starts() {
  policy=/usr/sbin/policy-rc.d
  if [ -e "$policy" ]; then
    policy=
    return
  fi
  trap allow_starts EXIT
  trap 'exit 130' INT TERM
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
}

allow_starts() {
  [ -z "$policy" ] || rm -f "$policy"
  policy=
}

apt_get() {
  action=$1
  shift
  DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends "$action" "$@"
}

# From here to unlock_build no other ./sennit or ./verify builds in this folder.
lock_build() {
  # The lock is on a file that no clean removes.
  exec 9<"$root/pom.xml"
  if has flock && ! flock -n 9; then
    say "waiting for another build in $root"
    flock 9
  fi
}

unlock_build() {
  exec 9<&-
}

# Maven, on the JDK that was found and without the lock, which a process left behind would keep.
run_maven() {
  # Maven's own libraries use what JDK 24 and later warn of.
  quiet="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
  JAVA_HOME=$java_home MAVEN_OPTS="${MAVEN_OPTS:-} $quiet" mvn -B -ntp -f "$root/pom.xml" "$@" 9<&-
}

# shellcheck shell=sh disable=SC2154
# What every script of Sennit, also the launcher of a distribution, does to find a JDK.
# The caller sets `program`, the name that messages begin with.

required_java=25

say() {
  printf '%s: %s\n' "$program" "$*" >&2
}

# Wrong usage, or something missing that we may not install.
die() {
  say "$@"
  exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Whether folder $1 holds a JDK that is new enough; a JRE has no javac.
is_jdk() {
  [ -x "$1/bin/javac" ] || return 1
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$1/release")
  else
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  fi
  major=${version%%[!0-9]*}
  [ -n "$major" ] && [ "$major" -ge "$required_java" ]
}

# Sets java_home to the first JDK that is new enough.
find_jdk() {
  if [ -n "${SENNIT_JAVA_HOME:-}" ]; then
    is_jdk "$SENNIT_JAVA_HOME" || die "SENNIT_JAVA_HOME=$SENNIT_JAVA_HOME is not a JDK $required_java or newer"
    java_home=$SENNIT_JAVA_HOME
    return 0
  fi
  on_path=
  if has java; then
    on_path=$(readlink -f "$(command -v java)")
    on_path=${on_path%/bin/java}
  fi
  for java_home in "${JAVA_HOME:-}" /usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* /opt/* /opt/java/* "$on_path"; do
    if [ -n "$java_home" ] && is_jdk "$java_home"; then
      return 0
    fi
  done
  return 1
}

# Says how to get a JDK, and ends.
die_without_jdk() {
  case $(uname -m) in
    aarch64) architecture=aarch64 ;;
    *) architecture=x64 ;;
  esac
  say "no JDK $required_java or newer in SENNIT_JAVA_HOME, JAVA_HOME, /usr/lib/jvm, ~/.sdkman, /opt or on the PATH"
  url="https://api.adoptium.net/v3/binary/latest/$required_java/ga/linux/$architecture/jdk/hotspot/normal/eclipse"
  die "to get one, run: curl -fsSL $url | sudo tar -xz -C /opt"
}

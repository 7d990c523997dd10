# shellcheck shell=sh disable=SC2154
# What the programs of this folder share: building it, and becoming a JVM on its class path.
# The caller sets `program`, the name that messages begin with, and `root`, the folder of the sources.

# shellcheck source=build-support/common.sh
. "$root/build-support/common.sh"

target=$root/bench/target
stamp=$target/built

is_built() {
  [ -f "$stamp" ] || return 1
  newer=$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main "$root/profiles/src/test" "$root/tracing/src/test" -newer "$stamp" | head -n 1)
  [ -z "$newer" ]
}

build() {
  packages=$(missing_build_packages)
  if [ -n "$packages" ]; then
    # shellcheck disable=SC2086 # a list
    install_packages $packages || exit 2
  fi
  say "building, which takes a minute or two the first time"
  rm -rf "${target:?}/lib" "$target"/*.jar "$stamp"
  mkdir -p "$target" || die "cannot build in $root"
  : >"$stamp.new"
  log=$target/build.log
  if ! run_maven -q -pl bench -am package -DskipTests -Dspotless.check.skip=true >"$log" 2>&1; then
    cat "$log" >&2
    die "the build failed; its output is above and in $log"
  fi
  mv "$stamp.new" "$stamp"
}

# Builds what is not built or has changed and becomes the JVM, with the class to run and its arguments.
launch() {
  require_jdk
  if ! is_built; then
    lock_build
    is_built || build
    unlock_build
  fi
  class_path=
  for jar in "$target"/*.jar "$target"/lib/*.jar; do
    class_path=$class_path${class_path:+:}$jar
  done
  # JMH uses what JDK 24 and later warn of.
  exec "$java_home/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    "-Dsennit.bench.target=$target" "-Dsennit.bench.peers=$target/peers" -cp "$class_path" "$@"
}

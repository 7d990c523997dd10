#!/bin/sh
# Compiles thread_context.c for this machine's architecture and, where a cross compiler is installed, for the other.
# usage: build.sh OUTPUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1

compile() { # architecture as in the resource folder, compiler, further flags
  mkdir -p "$out/linux-$1"
  library="$out/linux-$1/libsennit_context.so"
  # shellcheck disable=SC3013 # dash and busybox have -nt
  if [ -e "$library" ] && [ "$library" -nt "$here/thread_context.c" ] && [ "$library" -nt "$0" ]; then
    return
  fi
  # shellcheck disable=SC2086 # the flags are a list
  $2 -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -fno-stack-protector \
    -shared -nostdlib -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -Wl,-soname,libsennit_context.so \
    $3 "$here/thread_context.c" -o "$library"
}

native=$(uname -m)
# TLSDESC is what OTEP 4947 recommends: the default on aarch64, a dialect on x86-64 that gcc has and clang 14 has not.
for architecture in x86_64 aarch64; do
  case $architecture in
    x86_64) flags=-mtls-dialect=gnu2 ;;
    *) flags= ;;
  esac
  if [ "$architecture" = "$native" ]; then
    if ! command -v gcc >/dev/null 2>&1; then
      echo "gcc is needed to compile $here/thread_context.c; on Debian: apt-get install gcc libc6-dev" >&2
      exit 1
    fi
    compile "$architecture" gcc "$flags"
  elif command -v "$architecture-linux-gnu-gcc" >/dev/null 2>&1; then
    compile "$architecture" "$architecture-linux-gnu-gcc" "$flags"
  fi
done

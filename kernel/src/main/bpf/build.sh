#!/bin/sh
# Compiles the programs for both architectures: they are the same but for how the arguments of a function are passed.
# usage: build.sh OUTPUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1

if ! command -v clang >/dev/null 2>&1 || [ ! -e /usr/include/bpf/bpf_helpers.h ]; then
  echo "clang and libbpf's headers are needed to compile $here; on Debian: apt-get install clang libbpf-dev" >&2
  exit 1
fi

# The kernel's own headers are the machine's, and the programs use nothing of them that differs.
headers=/usr/include/$(uname -m)-linux-gnu
mkdir -p "$out"
for architecture in x86_64 aarch64; do
  case $architecture in
    x86_64) target=x86 ;;
    *) target=arm64 ;;
  esac
  object=$out/sennit-$architecture.bpf.o
  # shellcheck disable=SC3013 # dash and busybox have -nt
  if [ -e "$object" ] && [ -z "$(find "$here" -newer "$object" -type f)" ]; then
    continue
  fi
  clang -target bpf -mcpu=v3 -O2 -g -Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-field-initializers \
    "-D__TARGET_ARCH_$target" -isystem "$headers" -c "$here/sennit.bpf.c" -o "$object.new"
  mv "$object.new" "$object"
done

# shellcheck shell=sh disable=SC2154
# What interop/run and ./verify share: building OpenTelemetry's tools from their Go modules.
# The caller has sourced build-support/common.sh and set `program` and `root`.

tools=$root/interop/target

# What the tools are made of; built from anything else, they are built again.
pins() {
  go env GOVERSION GOOS GOARCH
  cat "$root/interop/tools.sh" "$root"/interop/*/go.mod "$root"/interop/*/go.sum "$root"/interop/*/*.go
}

are_tools_built() {
  [ -x "$tools/profcheck" ] && [ -x "$tools/collector" ] && pins | cmp -s - "$tools/pins"
}

# Builds the program of package $3 in module $1 as $2. Versions are those of go.sum and nothing else.
build_tool() {
  (cd "$root/interop/$1" && GOWORK=off GOFLAGS='' CGO_ENABLED=0 \
    go build -mod=readonly -trimpath -buildvcs=false -ldflags='-s -w' -o "$tools/$2" "$3" 9<&-)
}

# Builds what is not built; needs Go, and its module proxy the first time.
build_tools() {
  are_tools_built && return
  say "building OpenTelemetry's profcheck and a Collector, which takes some minutes the first time"
  mkdir -p "$tools" || return
  rm -f "$tools/pins"
  build_tool profcheck profcheck github.com/open-telemetry/sig-profiling/profcheck/cmd/profcheck &&
    build_tool collector collector . &&
    pins >"$tools/pins"
}

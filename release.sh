#!/usr/bin/env bash
# Builds the binary that travels: one static file that needs nothing of the machine it is copied to, and its checksum.
#
#   ./release.sh            into target/release-files
#   ./release.sh FOLDER     into another folder
#
# Where the toolchain has the musl target (`rustup target add "$(uname -m)-unknown-linux-musl"`, or Alpine's own) the binary
# is built with musl and a C compiler for it (Debian: musl-tools). Elsewhere it is built with a static glibc, where that lies
# beside the compiler (Debian: libc6-dev), and otherwise as usual; what it then needs is said at the end.
# Whoever gets the file needs no toolchain: `sha256sum -c FILE.sha256`, and it runs.
set -euo pipefail
folder=${1:-$(dirname "$0")/target/release-files}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")"

machine=$(uname -m)
musl=$machine-unknown-linux-musl
gnu=$machine-unknown-linux-gnu

main() {
    choose
    echo "building for $target, $linked"
    cargo build --locked --profile dist --target "$target"
    local version built file
    version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
    built=${CARGO_TARGET_DIR:-target}/$target/dist/hanok
    file=hanok-$version-linux-$machine
    cp "$built" "$folder/$file"
    chmod 0755 "$folder/$file"
    (cd "$folder" && sha256sum "$file" >"$file.sha256" && cat "$file.sha256")
    needs "$folder/$file"
}

# Which of the ways to build is open here: `target`, `linked`, and what the compilers must be told.
choose() {
    local compiler=CC_${musl//-/_}
    if is_host "$musl"; then
        target=$musl linked="static with musl"
        static
    elif has_target "$musl" && command -v "${!compiler:-musl-gcc}" >/dev/null; then
        # The C of a library needs a compiler that knows musl; the machine's own does not.
        export "$compiler=${!compiler:-musl-gcc}"
        target=$musl linked="static with musl"
        static
    elif has_target "$gnu" && [[ -e $("${CC:-cc}" -print-file-name=libc.a) ]]; then
        target=$gnu linked="static with glibc"
        static
    else
        target=$(host) linked="not static: neither musl with its compiler nor a static glibc is here"
    fi
}

has_target() {
    compgen -G "$(rustc --print target-libdir --target "$1" 2>/dev/null)/libstd-*.rlib" >/dev/null
}

host() {
    rustc -vV | sed -n 's/^host: //p'
}

is_host() {
    [[ $(host) == "$1" ]]
}

static() {
    export RUSTFLAGS="${RUSTFLAGS:+$RUSTFLAGS }-C target-feature=+crt-static"
}

# Says what a binary needs of the machine it runs on.
needs() {
    local libraries
    libraries=$(readelf -d "$1" | sed -n 's/.*Shared library: \[\(.*\)\]/\1/p' | paste -sd ' ')
    echo "it needs ${libraries:-no library}${libraries:+ of the machine it runs on}"
}

main

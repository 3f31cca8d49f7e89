# Sourced by the test commands.

# Installs Debian packages where that needs no question; says no where it cannot.
system_packages() {
    command -v apt-get >/dev/null || return 1
    local as_root=()
    if [[ $(id -u) != 0 ]]; then
        sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@")
    "${install[@]}" || { "${as_root[@]}" apt-get update -qq && "${install[@]}"; }
}

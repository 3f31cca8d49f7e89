#!/usr/bin/env bash
# Copies a house to another disk or machine, with rsync or with restic, and brings it back. hanok may run meanwhile.
#
#   backup.sh rsync  DATA TARGET            TARGET: a folder, or machine:folder
#   backup.sh restic DATA REPOSITORY        as restic names it; the password is in RESTIC_PASSWORD_FILE
#   backup.sh restore rsync  TARGET NEW     NEW: a folder that is not there yet, or empty
#   backup.sh restore restic REPOSITORY NEW
#
# A copy of a store that is being written is no backup. So hanok makes a verified snapshot first, which is a finished file
# in the data folder, and a restore goes on from the newest one. The copy counts when that snapshot has come over byte by
# byte. Older states are in the copy, too: 24 hourly, 14 daily and 8 weekly snapshots, unless the settings say otherwise.
#
# By a timer of systemd or cron, as the user who runs hanok: 15 3 * * * backup.sh rsync /var/lib/hanok /mnt/usb/hanok
set -euo pipefail
umask 077

hanok=${HANOK:-hanok}

main() {
    case "${1:-} $#" in
        "rsync 3") with_rsync "$2" "$3" ;;
        "restic 3") with_restic "$2" "$3" ;;
        "restore 4") restore "$2" "$3" "$4" ;;
        *) usage ;;
    esac
}

with_rsync() {
    local data=${1%/} target=${2%/}
    snapshot "$data"
    # run/ holds a lock and a socket. 24: a snapshot has grown old and was removed meanwhile, as is right.
    rsync --archive --delete-delay --exclude=/run --exclude=/index "$data/" "$target/" || [[ $? == 24 ]]
    # Reads both sides: what differs would be named.
    local differs
    differs=$(rsync --checksum --dry-run --itemize-changes "$data/backups/$name".{redb,json} "$target/backups/")
    [[ -z $differs ]] || fail "the snapshot $name did not come over whole: $differs"
    echo "copied to $target, with the snapshot $name"
}

with_restic() {
    local data repository=$2
    data=$(realpath "$1")
    snapshot "$data"
    restic --repo "$repository" cat config >/dev/null 2>&1 || restic --repo "$repository" init --quiet
    # From inside, so that the copy knows no path of this machine.
    (cd "$data" && restic --repo "$repository" backup --quiet --tag hanok --exclude ./run --exclude ./index .)
    local arrived
    arrived=$(restic --repo "$repository" dump --quiet --tag hanok latest "/backups/$name.redb" | sha256sum)
    [[ ${arrived%% *} == "$sha256" ]] || fail "the snapshot $name did not come over whole"
    restic --repo "$repository" forget --quiet --tag hanok --group-by tags --keep-daily 14 --keep-weekly 8 --prune
    echo "copied to $repository, with the snapshot $name"
}

# Makes a verified snapshot of the house: `name` and `sha256` say which.
snapshot() {
    [[ -f $1/hanok.redb ]] || fail "$1 is no data folder of hanok: it has no hanok.redb"
    local made
    made=$("$hanok" backup --json --data-dir "$1")
    name=$(sed -n 's/^ *"name": "\(.*\)",*$/\1/p' <<<"$made")
    sha256=$(sed -n 's/^ *"sha256": "\(.*\)",*$/\1/p' <<<"$made")
    [[ -n $name && -n $sha256 ]] || fail "hanok made no snapshot: $made"
}

restore() {
    local from=$2 new=$3
    [[ -z $(ls -A "$new" 2>/dev/null) ]] || fail "$new is not empty: nothing is put over what is there"
    mkdir -p "$new"
    case $1 in
        rsync) rsync --archive "${from%/}/" "$new/" ;;
        restic) restic --repo "$from" restore --quiet --tag hanok latest --target "$new" ;;
        *) usage ;;
    esac
    "$hanok" restore --latest --data-dir "$new"
    "$hanok" verify --data-dir "$new"
    echo "the house is back: $hanok serve --data-dir $new"
}

fail() {
    echo "backup.sh: $*" >&2
    exit 1
}

usage() {
    sed -n '/^#   backup/s/^# *//p' "$0" >&2
    exit 2
}

main "$@"

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
# The place is empty at first, and after that holds copies of this house alone: what is no copy of it is never touched, also
# where a new house lies by mistake where the old one lay.
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
    apart "$data" "$target"
    snapshot "$data"
    local there
    there=$(listed "$target/")
    [[ -z $there ]] || shares_a_snapshot "$data" "$target" || another "$target"
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
    local earlier
    earlier=$(restic --repo "$repository" ls --quiet --tag hanok latest /backups 2>/dev/null | grep '\.json$' || true)
    [[ -z $earlier ]] || is_among "$data" "$repository" <<<"$earlier" || another "$repository"
    # From inside, so that the copy knows no path of this machine.
    (cd "$data" && restic --repo "$repository" backup --quiet --tag hanok --exclude ./run --exclude ./index .)
    local arrived
    arrived=$(restic --repo "$repository" dump --quiet --tag hanok latest "/backups/$name.redb" | sha256sum)
    [[ ${arrived%% *} == "$sha256" ]] || fail "the snapshot $name did not come over whole"
    restic --repo "$repository" forget --quiet --tag hanok --group-by tags --keep-daily 14 --keep-weekly 8 --prune
    echo "copied to $repository, with the snapshot $name"
}

# Neither may lie in the other: the copy would copy itself, or take the house for something old. A folder of another machine
# has its name before a colon.
apart() {
    [[ $2 != *:* ]] || return 0
    local data target
    data=$(realpath -m "$1")/ target=$(realpath -m "$2")/
    [[ $target != "$data"* && $data != "$target"* ]] || fail "$2 and $1 lie in one another: nothing was copied"
}

# What lies in a folder of rsync; nothing where there is no such folder. 23: it is not there.
listed() {
    local all
    all=$(rsync --list-only "$1" 2>/dev/null) || [[ $? == 23 ]] || fail "$1 cannot be looked at: nothing was copied"
    awk '$NF != "." { print $NF }' <<<"$all"
}

# Whether a snapshot of the house is in the copy, described alike: then it is a copy of this house.
shares_a_snapshot() {
    local there differ
    there=$(listed "$2/backups/" | grep '\.json$') || return 1
    differ=$(rsync --checksum --existing --dry-run --out-format=%n "$1"/backups/*.json "$2/backups/")
    comm -12 <(cd "$1/backups" && printf '%s\n' *.json | LC_ALL=C sort) <(LC_ALL=C sort <<<"$there") |
        grep -qvxFf <(printf '%s\n' "$differ")
}

# The same for the last copy of restic, whose snapshots are named.
is_among() {
    local one
    while read -r one; do
        [[ -f $1$one ]] || continue
        restic --repo "$2" dump --quiet --tag hanok latest "$one" | cmp --quiet - "$1$one" && return
    done
    return 1
}

another() {
    fail "$1 holds no copy of this house: nothing was copied. If the house is another one on purpose, name another place"
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

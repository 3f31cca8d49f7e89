//! What a storage error means for us: a full disk, a handle that must be opened again, or damage.

use std::any::Any;
use std::cell::Cell;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Once;

use rustix::io::Errno;

use super::disk::Unread;
use hanok_base::{Error, Kind, Message, MessageTemplate};

/// No room.
const FULL: MessageTemplate =
    MessageTemplate::new("house.disk_full", "the disk is full; nothing was changed, and reading goes on");
/// Less room than is kept free, or than is needed.
const TOO_LITTLE_ROOM: MessageTemplate = MessageTemplate::new(
    "house.too_little_room",
    "the disk is full: where the data folder lies {needed} MiB must be free, {reserve} of them in reserve \
     (store.reserved_disk_mib), and {free} MiB are; nothing was changed",
);
/// No room, and no word of what became of the write.
const PERHAPS_WRITTEN: MessageTemplate = MessageTemplate::new(
    "house.perhaps_written",
    "the disk is full and did not say whether this was written; look again before you repeat it",
);
/// The file of the store is not where it was opened.
const AWAY: MessageTemplate = MessageTemplate::new(
    "house.store_away",
    "hanok.redb is not in the data folder any more, or another file stands in its place; put it back, and writing goes on \
     by itself, or, where it is lost, run `hanok restore --latest`; until then nothing is changed, and what is known can \
     still be read",
);
/// The same where there is no sound snapshot.
const AWAY_ALONE: MessageTemplate = MessageTemplate::new(
    "house.store_away_alone",
    "hanok.redb is not in the data folder any more, or another file stands in its place; put it back, and writing goes on \
     by itself; there is no sound snapshot to go back to: where it is lost, only a backup file leads on \
     (`hanok restore --from FILE`); until then nothing is changed, and what is known can still be read",
);
/// It has no name any more, and what it held lies aside.
const AWAY_KEPT: MessageTemplate = MessageTemplate::new(
    "house.store_away_kept",
    "hanok.redb was removed from the data folder while it was open; what it held is kept: `hanok restore --undo` goes on from \
     there; until then nothing is changed, and what is known can still be read",
);
/// It has no name any more, and what it held does not lie aside yet.
const AWAY_UNKEPT: MessageTemplate = MessageTemplate::new(
    "house.store_away_unkept",
    "hanok.redb was removed from the data folder while it was open; what it held is about to be kept, for which the disk must \
     have room: ask again in a moment, and leave hanok running; until then nothing is changed, and what is known can \
     still be read",
);
/// The folder itself is not where it was.
const FOLDER_AWAY: MessageTemplate = MessageTemplate::new(
    "house.folder_away",
    "the data folder is not in its place any more; put it back, and writing goes on by itself; until then nothing is \
     changed, and what is known can still be read",
);
/// Something else has written over the file of the store.
const OVERWRITTEN: MessageTemplate = MessageTemplate::new(
    "house.store_overwritten",
    "something else has written over hanok.redb while it was open, such as a copy of it; run `hanok restore --latest` to go \
     on from the newest verified snapshot; until then nothing is changed",
);
/// The same where there is no sound snapshot.
const OVERWRITTEN_ALONE: MessageTemplate = MessageTemplate::new(
    "house.store_overwritten_alone",
    "something else has written over hanok.redb while it was open, such as a copy of it, and there is no sound snapshot to \
     go back to; take over a backup file (`hanok restore --from FILE`), or stop hanok and take over what lies there now, \
     where it is sound (`hanok restore --adopt`); until then nothing is changed",
);
/// The store is away for a moment.
const OPENED_AGAIN: MessageTemplate = MessageTemplate::new(
    "house.store_opened_again",
    "the store cannot be used at the moment; it is being opened again",
);
/// The store is damaged.
const DAMAGED: MessageTemplate = MessageTemplate::new(
    "house.store_damaged",
    "the store file is damaged; run `hanok restore --latest` to go back to the newest verified snapshot, or take over a \
     backup file: `hanok restore --from FILE`",
);

/// The meaning of a redb error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Meaning {
    /// No room left; the handle is unusable until it is opened again.
    Full,
    /// An I/O error; the handle is unusable until it is opened again.
    Broken,
    /// The disk gave other bytes than were written to it.
    Damaged,
    /// Not the storage's fault: a programming error of ours.
    Ours,
}

pub(in crate::store) fn meaning(error: &redb::Error) -> Meaning {
    match error {
        redb::Error::Io(io) if is_full(io) => Meaning::Full,
        redb::Error::Io(io) if matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => {
            Meaning::Damaged
        }
        redb::Error::Io(_)
        | redb::Error::PreviousIo
        | redb::Error::Corrupted(_)
        | redb::Error::DatabaseClosed
        | redb::Error::LockPoisoned(_) => Meaning::Broken,
        _ => Meaning::Ours,
    }
}

/// Whether the operating system said that there is no room (or no quota) left.
pub(in crate::store) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// The answer to a caller whose write found no room.
pub(in crate::store) fn storage_full() -> Error {
    Error::new(Kind::StorageFull, FULL).retry_after(30)
}

/// The answer to a caller for whom `needed` bytes must be free, `reserve` of them in reserve, and only `free` are.
pub(in crate::store) fn too_little_room(needed: u64, reserve: u64, free: u64) -> Error {
    let figures = [
        ("needed", needed.div_ceil(1 << 20).into()),
        ("reserve", reserve.div_ceil(1 << 20).into()),
        ("free", (free >> 20).into()),
    ];
    Error::new(Kind::StorageFull, TOO_LITTLE_ROOM.with(figures)).retry_after(30)
}

/// The answer to a caller whose write found no room at the very last step, the sync.
pub(in crate::store) fn perhaps_written() -> Error {
    Error::new(Kind::StorageFull, PERHAPS_WRITTEN).retry_after(30)
}

/// What lack of room at `place` means where nobody serves: nothing goes on by itself. Another error stays as it is.
pub(in crate::store) fn unserved(place: &Path, error: Error) -> Error {
    let says_how_much = error.message.localized().is_some_and(|localized| localized.key == TOO_LITTLE_ROOM.key());
    if !is_for_lack_of_room(&error) || says_how_much {
        return error;
    }
    let sentence = format!(
        "the disk is full: there is no room in {}; make room and try again; nothing was changed",
        place.display()
    );
    Error { cause: error.cause, ..Error::new(Kind::StorageFull, Message::english(sentence)) }
}

/// Whether `error` says that there is no room.
pub(in crate::store) fn is_for_lack_of_room(error: &Error) -> bool {
    error.kind == Kind::StorageFull
}

/// The error for an I/O failure at `what`: a file, or what was done with one.
pub(crate) fn io(what: impl Display, error: io::Error) -> Error {
    if is_full(&error) {
        return storage_full().because(format!("{what}: {error}"));
    }
    if is_of_the_disk(&error) {
        return failing_disk(what, &error);
    }
    Error::internal(format!("{what}: {error}"))
}

/// The error for a failure of redb's on `file`, which is not the open store.
pub(in crate::store) fn redb(file: impl Display, error: impl Into<redb::Error>) -> Error {
    match error.into() {
        redb::Error::Io(error) => io(file, error),
        other => Error::internal(other),
    }
}

/// The answer to a caller whose handle on `file` met `error` and must be opened again.
pub(in crate::store) fn broken(file: impl Display, error: redb::Error) -> Error {
    match error {
        redb::Error::Io(error) if is_of_the_disk(&error) => failing_disk(file, &error),
        other => unavailable(other),
    }
}

/// The store cannot be used at this moment; `cause` is for the log.
pub(in crate::store) fn unavailable(cause: impl Display) -> Error {
    Error::new(Kind::Internal, OPENED_AGAIN).because(cause)
}

/// What leads on where the file of the store is not in its place, or not what was written: the best there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum WayBack {
    /// The folder itself is to be put back.
    Folder,
    /// What the file held is kept aside, sound: undoing leads to it, whether the house runs or not.
    Kept,
    /// What the file held is not kept yet, though it has no name any more.
    Unkept,
    /// The newest sound snapshot.
    Snapshot,
    /// None of these.
    Nothing,
}

/// The answer to a caller whose write would go to a file that has no name in the data folder.
pub(in crate::store) fn away(way: WayBack) -> Error {
    let sentence = match way {
        WayBack::Folder => FOLDER_AWAY,
        WayBack::Kept => AWAY_KEPT,
        WayBack::Unkept => AWAY_UNKEPT,
        WayBack::Snapshot => AWAY,
        WayBack::Nothing => AWAY_ALONE,
    };
    Error::new(Kind::StorageAway, sentence).retry_after(30)
}

/// The answer to a caller whose write would go among what something else has written, where there is a sound snapshot to go
/// back to or not.
pub(in crate::store) fn overwritten(has_snapshot: bool) -> Error {
    Error::new(Kind::StorageAway, if has_snapshot { OVERWRITTEN } else { OVERWRITTEN_ALONE })
}

/// The live file has a damaged page.
pub(in crate::store) fn damaged(cause: impl Display) -> Error {
    Error::new(Kind::Internal, DAMAGED).because(cause)
}

/// Whether the disk itself has failed: it could not give the bytes at a place, or says so of itself.
pub(in crate::store) fn is_of_the_disk(error: &io::Error) -> bool {
    let says_so = matches!(
        Errno::from_io_error(error),
        Some(Errno::IO | Errno::NXIO | Errno::NODEV | Errno::REMOTEIO | Errno::BADMSG | Errno::UCLEAN)
    );
    says_so || unread(error).is_some()
}

/// The disk gives nothing from a place.
const DISK_UNREAD: MessageTemplate = MessageTemplate::new(
    "house.disk_unread",
    "the disk could not be read at byte {offset} of {what} ({cause}); check the disk (`smartctl`, the log of the system) \
     and bring the house to another one: `hanok backup --to PATH` there, or where this cannot be read either the newest \
     snapshot of backups/ that can",
);
/// The disk does not do what it is asked.
const DISK_FAILED: MessageTemplate = MessageTemplate::new(
    "house.disk_failed",
    "the disk has failed: {what} ({cause}); check the disk (`smartctl`, the log of the system) and bring the house to \
     another one: `hanok backup --to PATH` there, or where this cannot be read either the newest snapshot of backups/ \
     that can",
);

fn failing_disk(what: impl Display, error: &io::Error) -> Error {
    let what = ("what", what.to_string().into());
    let said = match unread(error) {
        Some(Unread { offset, cause }) => {
            DISK_UNREAD.with([what, ("offset", (*offset).into()), ("cause", cause.to_string().into())])
        }
        None => DISK_FAILED.with([what, ("cause", error.to_string().into())]),
    };
    Error::new(Kind::Internal, said)
}

fn unread(error: &io::Error) -> Option<&Unread> {
    error.get_ref()?.downcast_ref()
}

/// Runs `work`, turning a panic into an error: redb panics on some files that were copied while written.
pub(in crate::store) fn without_panic<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    caught(work).unwrap_or_else(|panic| Err(Error::internal(format!("the storage engine gave up: {panic}"))))
}

/// Runs `work`; a panic in it is given as its text and not printed: it is a finding about a file, not a fault of ours.
pub(in crate::store) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !CATCHING.get() {
                usual(panic);
            }
        }));
    });
    let before = CATCHING.replace(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    CATCHING.set(before);
    outcome.map_err(|panic| panic_text(&panic))
}

thread_local! {
    /// Whether this thread is in [`caught`].
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn panic_text(panic: &Box<dyn Any + Send>) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}

//! What a storage error means for us: a full disk, a handle that must be opened again, or damage.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::Once;

use hanok_base::{Error, Kind};

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
    Error::new(Kind::StorageFull, "the disk is full; nothing was changed, and reading goes on").retry_after(30)
}

/// The answer to a caller whose write found no room at the very last step, the sync.
pub(in crate::store) fn perhaps_written() -> Error {
    let sentence = "the disk is full and did not say whether this was written; look again before you repeat it";
    Error::new(Kind::StorageFull, sentence).retry_after(30)
}

/// What lack of room at `place` means where nobody serves: nothing goes on by itself. Another error stays as it is.
pub(in crate::store) fn unserved(place: &Path, error: Error) -> Error {
    if !is_for_lack_of_room(&error) {
        return error;
    }
    let sentence = format!(
        "the disk is full: there is no room in {}; make room and try again; nothing was changed",
        place.display()
    );
    Error { cause: error.cause, ..Error::new(Kind::StorageFull, sentence) }
}

/// Whether `error` says that there is no room.
pub(in crate::store) fn is_for_lack_of_room(error: &Error) -> bool {
    error.kind == Kind::StorageFull
}

/// The error for an I/O failure at `what`.
pub(in crate::store) fn io(what: impl std::fmt::Display, error: io::Error) -> Error {
    if is_full(&error) {
        return storage_full().because(format!("{what}: {error}"));
    }
    Error::internal(format!("{what}: {error}"))
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

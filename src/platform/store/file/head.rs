//! The beginning of the store file, as this process has last written it. No commit leaves it as it was: by it one knows
//! that something else has written over the open file in place (an older copy, or a cut), which is the same file by its
//! identity all the while.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use redb::StorageBackend;

/// The bytes of redb's slot for a commit.
pub(super) const SLOT: usize = 128;
/// The bytes of redb's header: 64, and two slots.
pub(super) const HEADER: usize = 64 + 2 * SLOT;

/// What is known of the beginning of one file and of its length.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// None while nobody knows: before the file was opened, and after a write of it that has failed.
    last: Mutex<Option<Seen>>,
    is_overwritten: AtomicBool,
}

#[derive(Debug)]
struct Seen {
    bytes: [u8; HEADER],
    length: u64,
}

impl Head {
    /// Learns from `bytes`, which were read at `offset` of a file of this `length`, what is not known yet.
    pub fn learn(&self, offset: u64, bytes: &[u8], length: impl FnOnce() -> Option<u64>) {
        if offset > 0 {
            return;
        }
        let mut last = self.last.lock();
        if let (None, Some(bytes)) = (&*last, bytes.first_chunk()) {
            *last = length().map(|length| Seen { bytes: *bytes, length });
        }
    }

    /// Remembers `data`, which was written at `offset`.
    pub fn note_written(&self, offset: u64, data: &[u8]) {
        if let Some(seen) = self.last.lock().as_mut() {
            seen.length = seen.length.max(offset + data.len() as u64);
            let from = usize::try_from(offset).unwrap_or(HEADER).min(HEADER);
            seen.bytes[from..].iter_mut().zip(data).for_each(|(seen, written)| *seen = *written);
        }
    }

    /// Remembers that the file was made so long.
    pub fn note_length(&self, length: u64) {
        if let Some(seen) = self.last.lock().as_mut() {
            seen.length = length;
        }
    }

    /// Knows nothing any more: a write has failed, perhaps in the middle.
    pub fn forget(&self) {
        *self.last.lock() = None;
    }

    /// Refuses to write into what something else was found to have written over the file.
    pub fn must_be_ours(&self) -> Result<()> {
        match self.is_overwritten.load(Ordering::Acquire) {
            true => Err(Error::other("something else has written over the file")),
            false => Ok(()),
        }
    }

    /// Refuses to write into the beginning of what lies `under`, or to make it longer, where something else has written over
    /// it since: it would look like ours from then on.
    pub fn must_be_ours_in(&self, under: &dyn StorageBackend) -> Result<()> {
        self.compare(under.len(), |bytes| under.read(0, bytes));
        self.must_be_ours()
    }

    /// Looks whether something else has written over `file`, while nobody here writes it.
    pub fn look(&self, file: &File) -> bool {
        self.compare(file.metadata().map(|file| file.len()), |bytes| file.read_exact_at(bytes, 0));
        self.is_overwritten.load(Ordering::Acquire)
    }

    /// What was found once stays so: nobody knows what else is not in the file any more. What a failing disk does not tell
    /// is no other file.
    fn compare(&self, length: Result<u64>, read: impl FnOnce(&mut [u8]) -> Result<()>) {
        let is_other = |seen: &Seen| {
            let mut bytes = [0; HEADER];
            length.is_ok_and(|length| length != seen.length) || read(&mut bytes).is_ok_and(|()| bytes != seen.bytes)
        };
        if self.last.lock().as_ref().is_some_and(is_other) {
            self.is_overwritten.store(true, Ordering::Release);
        }
    }
}

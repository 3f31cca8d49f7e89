//! What stands between redb and the bytes.
//!
//! [`ChecksummedBackend`] remembers a checksum of every block that it has written or read, so that a byte which rots while
//! the appliance runs is refused the next time the disk is asked for it, and never served. [`Overlay`] lets a store
//! be opened, repaired and checked without a byte of it being changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use redb::{BackendError, StorageBackend};

use super::head::{HEADER, Head};

/// The unit in which bytes are remembered: redb's page.
pub(in crate::store) const BLOCK: usize = 4096;
/// Set in a checksum that is known; a block that was never seen is 0.
const KNOWN: u64 = 1 << 32;

/// What is known about the bytes of one file, for as long as it is the same file.
#[derive(Debug, Default)]
pub(in crate::store) struct PageChecksums {
    /// The checksum of each block.
    checksums: RwLock<Vec<AtomicU64>>,
    /// Held while a block and its checksum are written, and while a mismatch is compared again.
    writing: Mutex<()>,
    /// A sync failed: whether the last write reached the disk is not known.
    unsure: AtomicBool,
    /// The blocks that were written since somebody who copies the file last asked; none when nobody copies.
    changed: Mutex<Option<BTreeSet<usize>>>,
    /// The beginning, of which a part is no whole block.
    head: Head,
}

impl PageChecksums {
    /// Whether a sync has failed since this was last asked.
    pub(in crate::store) fn take_unsure(&self) -> bool {
        self.unsure.swap(false, Ordering::AcqRel)
    }

    /// Whether something else has written over `file`, whose bytes these are. From then on it is not written here any more.
    pub(in crate::store) fn is_overwritten(&self, file: &File) -> bool {
        let _quiet = self.writing.lock();
        self.head.look(file)
    }

    /// Remembers from now on which blocks are written.
    pub(in crate::store) fn watch(&self) {
        *self.changed.lock() = Some(BTreeSet::new());
    }

    pub(in crate::store) fn unwatch(&self) {
        *self.changed.lock() = None;
    }

    /// The blocks that were written since this was last asked.
    pub(in crate::store) fn take_changed(&self) -> BTreeSet<usize> {
        self.changed.lock().as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn note_changed(&self, from: u64, to: u64) {
        if let Some(changed) = self.changed.lock().as_mut() {
            changed.extend(block_of(from)..block_of(to.saturating_add(BLOCK as u64 - 1)));
        }
    }

    /// Whether every whole block of `bytes`, which stand at `offset`, is what it was; one not seen before is learned.
    fn agrees(&self, offset: u64, bytes: &[u8]) -> bool {
        let checksums = self.checksums.read();
        whole_blocks(offset, bytes).all(|(block, bytes)| {
            let Some(known) = checksums.get(block) else { return true };
            let found = checksum(bytes);
            match known.compare_exchange(0, found, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => true,
                Err(before) => before == found,
            }
        })
    }

    /// Remembers what was written; blocks that were written in part are seen anew when they are next read.
    fn note_written(&self, offset: u64, bytes: &[u8]) {
        self.forget(offset, bytes.len());
        let checksums = self.checksums.read();
        for (block, bytes) in whole_blocks(offset, bytes) {
            if let Some(known) = checksums.get(block) {
                known.store(checksum(bytes), Ordering::Release);
            }
        }
    }

    fn forget(&self, offset: u64, length: usize) {
        let (first, last) = (block_of(offset), block_of(offset + length as u64 + BLOCK as u64 - 1));
        self.grow(last);
        self.checksums.read()[first..last].iter().for_each(|known| known.store(0, Ordering::Release));
    }

    fn grow(&self, blocks: usize) {
        if self.checksums.read().len() < blocks {
            self.checksums.write().resize_with(blocks, AtomicU64::default);
        }
    }

    fn cut(&self, length: u64) {
        self.checksums.write().truncate(block_of(length));
    }
}

/// What the disk answered when it was asked for the bytes at a place and could not give them.
#[derive(Debug)]
pub(in crate::store) struct Unread {
    /// Where, in bytes from the beginning of the file.
    pub offset: u64,
    /// What the system said.
    pub cause: Error,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot be read at byte {}: {}", self.offset, self.cause)
    }
}

impl std::error::Error for Unread {}

/// A reading at `offset` that failed with `cause`. A file that ends too early is no failing disk.
pub(in crate::store) fn unread(offset: u64, cause: Error) -> Error {
    match cause.kind() {
        ErrorKind::UnexpectedEof => cause,
        kind => Error::new(kind, Unread { offset, cause }),
    }
}

fn block_of(offset: u64) -> usize {
    usize::try_from(offset / BLOCK as u64).unwrap_or(usize::MAX)
}

fn checksum(bytes: &[u8]) -> u64 {
    u64::from(crc32fast::hash(bytes)) | KNOWN
}

/// The blocks that lie wholly within `bytes`, which stand at `offset`.
fn whole_blocks(offset: u64, bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let first = offset.div_ceil(BLOCK as u64);
    let skipped = usize::try_from(first * BLOCK as u64 - offset).unwrap_or(usize::MAX);
    let whole = bytes.get(skipped..).unwrap_or_default();
    whole.chunks_exact(BLOCK).enumerate().map(move |(number, bytes)| (block_of(first * BLOCK as u64) + number, bytes))
}

/// A backend whose bytes are remembered. Successive databases may share what lies under it.
#[derive(Debug)]
pub(in crate::store) struct ChecksummedBackend {
    under: Arc<dyn StorageBackend>,
    known: Arc<PageChecksums>,
}

impl ChecksummedBackend {
    pub(in crate::store) fn new(under: Arc<dyn StorageBackend>, known: Arc<PageChecksums>) -> ChecksummedBackend {
        if let Ok(length) = under.len() {
            known.grow(block_of(length));
        }
        ChecksummedBackend { under, known }
    }
}

impl StorageBackend for ChecksummedBackend {
    fn len(&self) -> Result<u64> {
        self.under.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        self.under.read(offset, out).map_err(|cause| unread(offset, cause))?;
        self.known.head.learn(offset, out, || self.under.len().ok());
        if self.known.agrees(offset, out) {
            return Ok(());
        }
        // A write of the same block may have been under way: read again when there is none.
        let _quiet = self.known.writing.lock();
        self.under.read(offset, out).map_err(|cause| unread(offset, cause))?;
        if self.known.agrees(offset, out) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::InvalidData, format!("the bytes at {offset} are not those that were written")))
    }

    fn set_len(&self, length: u64) -> Result<()> {
        let _writing = self.known.writing.lock();
        self.known.head.must_be_ours_in(&*self.under)?;
        let before = self.under.len()?;
        self.under.set_len(length).inspect_err(|_| self.known.head.forget())?;
        self.known.head.note_length(length);
        // What is cut off and grows again later is empty then.
        self.known.note_changed(length, before);
        self.known.cut(length);
        self.known.grow(block_of(length));
        Ok(())
    }

    fn sync_data(&self) -> Result<()> {
        self.under.sync_data().inspect_err(|_| self.known.unsure.store(true, Ordering::Release))
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        let _writing = self.known.writing.lock();
        match offset < HEADER as u64 {
            true => self.known.head.must_be_ours_in(&*self.under)?,
            false => self.known.head.must_be_ours()?,
        }
        self.known.forget(offset, data.len());
        let written = self.under.write(offset, data).inspect_err(|_| self.known.head.forget());
        // After it, so that a copy made meanwhile is made again, and also when only a part was written.
        self.known.note_changed(offset, offset + data.len() as u64);
        written?;
        self.known.head.note_written(offset, data);
        self.known.note_written(offset, data);
        Ok(())
    }

    fn close(&self) -> Result<()> {
        self.under.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<bool, BackendError> {
        self.under.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<bool, BackendError> {
        self.under.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<(), BackendError> {
        self.under.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<(), BackendError> {
        self.under.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<(), BackendError> {
        self.under.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> std::result::Result<bool, BackendError> {
        self.under.query_lock_range(start, end)
    }
}

/// Bytes that are only read: what redb writes while it opens, repairs or checks a store stays in memory, over them.
#[derive(Debug)]
pub(in crate::store) struct Overlay {
    under: ChecksummedBackend,
    written: Mutex<Written>,
}

#[derive(Debug)]
struct Written {
    blocks: BTreeMap<u64, Box<[u8]>>,
    length: u64,
    /// Up to where what lies under still shows through.
    shows: u64,
}

impl Overlay {
    pub(in crate::store) fn at(under: ChecksummedBackend) -> Result<Overlay> {
        let length = under.len()?;
        Ok(Overlay { under, written: Mutex::new(Written { blocks: BTreeMap::new(), length, shows: length }) })
    }

    /// Fills `out` with what lies under, zeros where nothing does.
    fn read_under(&self, shows: u64, offset: u64, out: &mut [u8]) -> Result<()> {
        out.fill(0);
        let there = usize::try_from(shows.saturating_sub(offset)).unwrap_or(usize::MAX).min(out.len());
        if there == 0 { Ok(()) } else { self.under.read(offset, &mut out[..there]) }
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> Result<u64> {
        Ok(self.written.lock().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let written = self.written.lock();
        if offset + out.len() as u64 > written.length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.read_under(written.shows, offset, out)?;
        let end = offset + out.len() as u64;
        for (at, block) in written.blocks.range(offset.saturating_sub(BLOCK as u64 - 1)..end) {
            let (from, to) = (offset.max(*at), end.min(at + BLOCK as u64));
            out[(from - offset) as usize..(to - offset) as usize]
                .copy_from_slice(&block[(from - at) as usize..(to - at) as usize]);
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> Result<()> {
        let mut written = self.written.lock();
        written.shows = written.shows.min(length);
        written.length = length;
        written.blocks.retain(|at, _| *at < length);
        if let Some((at, block)) = written.blocks.iter_mut().next_back() {
            let kept = usize::try_from(length - at).unwrap_or(BLOCK).min(BLOCK);
            block[kept..].fill(0);
        }
        Ok(())
    }

    fn sync_data(&self) -> Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut written = self.written.lock();
        let end = offset + data.len() as u64;
        written.length = written.length.max(end);
        let mut at = offset - offset % BLOCK as u64;
        while at < end {
            if !written.blocks.contains_key(&at) {
                let mut block = vec![0; BLOCK].into_boxed_slice();
                self.read_under(written.shows, at, &mut block)?;
                written.blocks.insert(at, block);
            }
            let (from, to) = (offset.max(at), end.min(at + BLOCK as u64));
            if let Some(block) = written.blocks.get_mut(&at) {
                block[(from - at) as usize..(to - at) as usize]
                    .copy_from_slice(&data[(from - offset) as usize..(to - offset) as usize]);
            }
            at += BLOCK as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

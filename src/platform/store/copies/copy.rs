//! A copy of the store file that is made beside the writers: all of it while they write, then again and again what
//! they wrote meanwhile, and only the little that is left while they stand still. So their pause does not grow
//! with the store.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::super::file::disk::{BLOCK, PageChecksums};
use super::super::file::fault;
use super::super::file::partial::Partial;
use crate::blocking;
use hanok_base::{Error, Result};

/// So few blocks are left to the moment in which the writers stand still.
const FEW_BLOCKS: usize = 128;
/// How often to catch up with the writers before they are made to wait.
const MOST_ROUNDS: usize = 8;
/// Bytes that are copied before the disk is made to take them, so that a writer's sync never waits for many.
const PORTION: u64 = 1 << 20;

/// A copy that follows its original until the moment at which it is finished.
pub(in crate::store) struct Copying {
    known: Watched,
    from: File,
    to: File,
    partial: Partial,
}

impl Copying {
    /// Copies the file at `original`, of which this much is known, to `target`, and catches up until little is left.
    ///
    /// # Errors
    /// `CONFLICT` when it is `abandoned` meanwhile.
    pub(in crate::store) fn begin(
        known: Arc<PageChecksums>,
        original: &Path,
        target: PathBuf,
        abandoned: &CancellationToken,
    ) -> Result<Copying> {
        let from = File::open(original).map_err(failed)?;
        let partial = Partial::at(target);
        let to = OpenOptions::new().write(true).create(true).truncate(true).open(partial.path()).map_err(failed)?;
        let copying = Copying { known: Watched::begin(known), from, to, partial };
        copying.copy_beside_the_writers(abandoned)?;
        Ok(copying)
    }

    /// Copies what is left. Nobody may write meanwhile. Where a restore has put another file in place (`known` tells),
    /// all of that one is copied.
    pub(in crate::store) fn finish(self, known: &Arc<PageChecksums>, original: &Path) -> Result<Partial> {
        if !Arc::ptr_eq(&self.known.0, known) {
            fs::copy(original, self.partial.path()).map_err(failed)?;
            return Ok(self.partial);
        }
        self.copy_changed().and_then(|_| self.to.set_len(self.from.metadata()?.len())).map_err(failed)?;
        Ok(self.partial)
    }

    fn copy_beside_the_writers(&self, abandoned: &CancellationToken) -> Result<()> {
        let mut at = 0;
        while at < self.from.metadata().map_err(failed)?.len() {
            blocking::go_on(abandoned)?;
            let begun = Instant::now();
            self.copy(at..at + PORTION).and_then(|()| self.to.sync_data()).map_err(failed)?;
            // Half of the disk's time is for the writers.
            std::thread::sleep(begun.elapsed());
            at += PORTION;
        }
        for _ in 0..MOST_ROUNDS {
            blocking::go_on(abandoned)?;
            if self.copy_changed().map_err(failed)? <= FEW_BLOCKS {
                break;
            }
            self.to.sync_data().map_err(failed)?;
        }
        Ok(())
    }

    /// Copies what was written since it was last asked. Gives how many blocks that were.
    fn copy_changed(&self) -> io::Result<usize> {
        let changed = self.known.0.take_changed();
        for range in ranges(&changed) {
            self.copy(range)?;
        }
        Ok(changed.len())
    }

    fn copy(&self, range: Range<u64>) -> io::Result<()> {
        let (mut from, mut to) = (&self.from, &self.to);
        from.seek(SeekFrom::Start(range.start))?;
        to.seek(SeekFrom::Start(range.start))?;
        io::copy(&mut from.take(range.end - range.start), &mut to).map(drop)
    }
}

/// What is known about a file whose writes are remembered as long as this lives.
struct Watched(Arc<PageChecksums>);

impl Watched {
    fn begin(known: Arc<PageChecksums>) -> Watched {
        known.watch();
        Watched(known)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.unwatch();
    }
}

fn failed(error: io::Error) -> Error {
    fault::io("copying the store", error)
}

/// Blocks that lie side by side are copied at once.
fn ranges(blocks: &BTreeSet<usize>) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for block in blocks {
        let start = (block * BLOCK) as u64;
        let end = start + BLOCK as u64;
        match ranges.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use redb::StorageBackend;
    use redb::backends::FileBackend;

    use super::*;
    use crate::store::file::disk::ChecksummedBackend;

    fn blocks(number: u8, count: usize) -> Vec<u8> {
        vec![number; count * BLOCK]
    }

    #[test]
    fn a_copy_follows_what_is_written_beside_it_and_leaves_only_that_to_the_end() {
        let folder = tempfile::TempDir::new().unwrap();
        let original = folder.path().join("original");
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&original).unwrap();
        let known = Arc::new(PageChecksums::default());
        let guard = ChecksummedBackend::new(Arc::new(FileBackend::new(file).unwrap()), Arc::clone(&known));
        guard.set_len(3000 * BLOCK as u64).unwrap();
        guard.write(0, &blocks(1, 3000)).unwrap();

        let target = folder.path().join("copy");
        let copying = Copying::begin(Arc::clone(&known), &original, target, &CancellationToken::new()).unwrap();
        assert!(known.take_changed().is_empty());
        guard.write(7 * BLOCK as u64 + 1, &[2]).unwrap();
        // Cut off and grown again: what was there is empty now.
        guard.set_len(2990 * BLOCK as u64).unwrap();
        guard.set_len(2995 * BLOCK as u64).unwrap();
        assert_eq!(copying.copy_changed().unwrap(), 1 + 10);
        guard.write(9 * BLOCK as u64, &blocks(3, 2)).unwrap();
        let copy = copying.finish(&known, &original).unwrap();
        assert!(fs::read(copy.path()).unwrap() == fs::read(&original).unwrap(), "the copy is not the original");
        // Nobody copies any more, so nothing is remembered.
        guard.write(0, &blocks(4, 1)).unwrap();
        assert!(known.take_changed().is_empty());
    }

    #[test]
    fn when_another_file_takes_the_place_of_the_original_that_one_is_copied() {
        let folder = tempfile::TempDir::new().unwrap();
        let (original, target) = (folder.path().join("original"), folder.path().join("copy"));
        fs::write(&original, blocks(1, 3)).unwrap();
        let never = CancellationToken::new();
        let copying = Copying::begin(Arc::default(), &original, target.clone(), &never).unwrap();
        fs::remove_file(&original).unwrap();
        fs::write(&original, blocks(2, 2)).unwrap();
        let copy = copying.finish(&Arc::default(), &original).unwrap();
        assert!(fs::read(copy.path()).unwrap() == blocks(2, 2), "the copy is not the new one");
        // What does not come to be used is not left lying.
        drop(copy);
        assert!(!target.exists());
    }
}

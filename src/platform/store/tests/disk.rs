//! A disk in memory that does what the test asks of it.

use std::fmt::Debug;
use std::io;
use std::ops::Deref;
use std::sync::Arc;

use redb::StorageBackend;
use redb::backends::InMemoryBackend;

/// What a disk does before it does as it is told; an error is its answer.
pub trait Mood: Debug + Send + Sync + 'static {
    /// Bytes up to `end` are asked for.
    fn at_read(&self, _end: u64) -> io::Result<()> {
        Ok(())
    }

    /// Bytes are to be written, or the file to become longer or shorter.
    fn at_write(&self) -> io::Result<()> {
        Ok(())
    }

    /// What was written is to last.
    fn at_sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The disk. Its mood can be reached as if it were the disk itself.
#[derive(Debug)]
pub struct Disk<M> {
    mood: M,
    bytes: InMemoryBackend,
}

impl<M: Mood> Disk<M> {
    /// An empty one.
    pub fn of(mood: M) -> Arc<Disk<M>> {
        Arc::new(Disk { mood, bytes: InMemoryBackend::new() })
    }
}

impl<M> Deref for Disk<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.mood
    }
}

impl<M: Mood> StorageBackend for Disk<M> {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.mood.at_read(offset + out.len() as u64)?;
        self.bytes.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.mood.at_write()?;
        self.bytes.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.mood.at_sync()?;
        self.bytes.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.mood.at_write()?;
        self.bytes.write(offset, data)
    }
}

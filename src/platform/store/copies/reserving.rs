//! A file that grows and leaves the room that is kept for writes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;

use rustix::fs::fstatvfs;
use rustix::io::Errno;

use super::super::file::folder::DataFolder;

/// After so many bytes it is asked how much room is left; twice as many are left beside the reserve, so that none of it is taken
/// in between.
const LOOK_EVERY: u64 = 8 << 20;

/// Writes to a file as long as the disk of the house keeps its reserve; on another disk, to its end.
pub(super) struct Reserving<'f> {
    file: &'f File,
    left: u64,
    until_look: u64,
}

impl<'f> Reserving<'f> {
    /// Writes to `file`, which leaves `reserve` bytes where it lies on the disk of `folder`.
    pub fn new(file: &'f File, folder: &DataFolder, reserve: u64) -> io::Result<Self> {
        let is_ours = file.metadata()?.dev() == fs::metadata(folder.root())?.dev();
        let left = reserve.saturating_add(2 * LOOK_EVERY);
        Ok(Reserving { file, left: if is_ours { left } else { 0 }, until_look: 0 })
    }

    fn look(&self) -> io::Result<()> {
        let disk = fstatvfs(self.file)?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < self.left { Err(io::Error::from_raw_os_error(Errno::NOSPC.raw_os_error())) } else { Ok(()) }
    }
}

impl Write for Reserving<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.until_look == 0 {
            self.look()?;
            self.until_look = LOOK_EVERY;
        }
        let written = self.file.write(bytes)?;
        self.until_look = self.until_look.saturating_sub(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

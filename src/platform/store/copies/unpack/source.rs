//! The file that is taken over, as it is opened: by whoever names it, with their rights and in their view of the disks.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::super::said;
use hanok_base::{Error, Result};

/// A backup file that is open.
pub struct Source {
    /// Read from its beginning.
    pub file: File,
    /// As it was named.
    pub name: String,
}

impl Source {
    /// The file at `path`. It is not waited for: who named a pipe may be gone before anything comes out of it, and what
    /// comes later was not asked for any more.
    ///
    /// # Errors
    /// `INVALID_INPUT` for the field `file`.
    pub fn file(path: &Path) -> Result<Source> {
        let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
        Source::opened(file.map_err(not_opened)?, path)
    }

    /// A file that somebody has opened as `path`.
    ///
    /// # Errors
    /// `INVALID_INPUT` for the field `file`.
    pub fn opened(file: File, path: &Path) -> Result<Source> {
        if file.metadata().is_ok_and(|there| there.is_file()) {
            Ok(Source { file, name: path.display().to_string() })
        } else {
            Err(Error::field("file", said::NO_FILE_FOR_A_RUNNING_HOUSE))
        }
    }

    /// The file at `path`, or the pipe, which is waited for: another program fetches the file, and who named it ends the
    /// process that waits.
    ///
    /// # Errors
    /// `INVALID_INPUT` for the field `file`.
    pub(super) fn file_or_pipe(path: &Path) -> Result<Source> {
        check_source(path)?;
        Ok(Source { file: File::open(path).map_err(not_opened)?, name: path.display().to_string() })
    }
}

/// Refuses as a backup file what is none: a folder, a device.
///
/// # Errors
/// `INVALID_INPUT` for the field `file`.
pub fn check_source(source: &Path) -> Result<()> {
    match fs::metadata(source) {
        Ok(there) if !there.is_file() && !there.file_type().is_fifo() => {
            Err(Error::field("file", said::NO_FILE_OR_PIPE))
        }
        // What cannot be looked at cannot be opened either, which is told then.
        _ => Ok(()),
    }
}

fn not_opened(error: std::io::Error) -> Error {
    Error::field("file", said::FILE_NOT_OPENED).because(error)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use rustix::fs::{CWD, Mode, mkfifoat};
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_running_house_waits_for_no_pipe_and_takes_what_this_process_has_open() {
        let place = TempDir::new().unwrap();
        let at = |name: &str| place.path().join(name);
        mkfifoat(CWD, at("pipe"), Mode::RWXU).unwrap();
        for source in [at("pipe"), place.path().to_owned(), "/dev/zero".into()] {
            let refused = Source::file(&source).err().unwrap();
            assert!(refused.fields["file"].contains("while hanok runs"), "{source:?}: {refused:?}");
        }
        fs::write(at("file"), "packed").unwrap();
        let open = File::open(at("file")).unwrap();
        let known_here = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open)));
        assert_eq!(std::io::read_to_string(Source::file(&known_here).unwrap().file).unwrap(), "packed");
        let missing = Source::file(&at("nothing")).err().unwrap();
        assert!(missing.fields["file"].contains("cannot be opened"));
    }
}

//! A backup file on its way to its place: written beside it under a name that nobody can foresee, and put there whole. It is
//! whoever asked for it that opens it, with their rights and in their view of the disks: a service sees others.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::super::file::folder::{self, DataFolder};
use super::super::file::partial::Partial;
use super::super::file::{fault, marker};
use super::{said, target};
use hanok_base::secret::random_token;
use hanok_base::{Error, Result};

/// How the name of a file begins that is written beside its target, and how it ends.
const WRITING: [&str; 2] = [".hanok-", ".partial"];
/// Random bytes in such a name.
pub(super) const TOKEN_BYTES: usize = 12;

/// An open file beside the place that it is written for, and removed with this while it is not put there.
pub struct Placing {
    partial: Partial,
    file: File,
    target: PathBuf,
    /// The house that it is made of, with which it would be lost in there. None for a file of the house's own.
    house: Option<PathBuf>,
}

impl Placing {
    /// Begins a file for `target`, which lies outside of `house` and over no file but such a one.
    ///
    /// # Errors
    /// `INVALID_INPUT` for the field `path` when no file can be there.
    pub fn begin(house: &DataFolder, target: &Path) -> Result<Placing> {
        check(house.root(), target)?;
        Placing::beside(target, Some(house.root().to_owned())).map_err(|error| not_written(target, error))
    }

    /// Begins a file that the house keeps in its own folder.
    pub(super) fn at_home(target: &Path) -> Result<Placing> {
        Placing::beside(target, None).map_err(|error| fault::io(target.display(), error))
    }

    fn beside(target: &Path, house: Option<PathBuf>) -> io::Result<Placing> {
        if let Some(folder) = target.parent() {
            sweep_in(folder);
        }
        let (partial, file) = begin_beside(target)?;
        Ok(Placing { partial, file, target: target.to_owned(), house })
    }

    /// What is to be written.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in its place. Gives its size in bytes.
    ///
    /// # Errors
    /// Those of [`Placing::begin`]: what lies there may have changed.
    pub fn finish(self) -> Result<u64> {
        let Placing { partial, file, target, house } = self;
        house.map_or(Ok(()), |house| check(&house, &target))?;
        let bytes = file.metadata().map_err(|error| fault::io(target.display(), error))?.len();
        folder::rename_durably(partial.path(), &target)?;
        Ok(bytes)
    }
}

/// Refuses a place in the house that the file is made of, and one where something else lies.
fn check(house: &Path, target: &Path) -> Result<()> {
    let parent = target.parent().filter(|_| !target.is_dir()).and_then(|parent| parent.canonicalize().ok());
    let (Some(parent), Ok(root)) = (parent, house.canonicalize()) else {
        return Err(Error::field("path", said::IN_A_FOLDER));
    };
    check_outside("path", &root, &parent)?;
    target::check(target, target::DESCRIPTION)
}

/// Refuses a file in `folder` for the `field` that names it, where that lies in the house at `root`: both as the disk knows
/// them.
pub(super) fn check_outside(field: &str, root: &Path, folder: &Path) -> Result<()> {
    if !folder.starts_with(root) {
        return Ok(());
    }
    Err(Error::field(field, said::OUTSIDE_THE_HOUSE.with([("path", root.display().to_string().into())])))
}

/// A place that takes no file is a fault of the place; a disk that fails is one of the disk.
fn not_written(target: &Path, error: io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Error::field("path", said::NOT_WRITABLE).because(error)
        }
        _ if fault::is_full(&error) => fault::storage_full().saying(said::NO_ROOM_THERE).because(error),
        _ => fault::io(target.display(), error),
    }
}

/// A file beside `target` under a name that nobody can foresee: two who write to one place do not meet, and no link that
/// lies there is followed. Whoever writes it holds its lock, by which one that is written is told from one that was left.
pub(super) fn begin_beside(target: &Path) -> io::Result<(Partial, File)> {
    loop {
        let partial = Partial::at(name_beside(target));
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(partial.path())?;
        // Where a file system has no locks, nobody finds it free either.
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        // Whoever clears up may have found it in the moment before it was locked.
        if !is_taken && marker::identity(partial.path()).is_ok() {
            return Ok((partial, file));
        }
    }
}

/// Such a name.
pub(super) fn name_beside(target: &Path) -> PathBuf {
    let [begins, ends] = WRITING;
    target.with_file_name(format!("{begins}{}{ends}", random_token(TOKEN_BYTES)))
}

/// Removes what lies in `folder` of files and folders that were being made, and nobody is making.
pub(super) fn sweep_in(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if !is_named(&entry.file_name().to_string_lossy(), WRITING) {
            continue;
        }
        let path = entry.path();
        let is_free = |opened: io::Result<File>| opened.is_ok_and(|made| made.try_lock().is_ok());
        match entry.file_type() {
            Ok(kind) if kind.is_file() && is_free(OpenOptions::new().write(true).open(&path)) => {
                let _ = fs::remove_file(&path);
            }
            Ok(kind) if kind.is_dir() && is_free(File::open(&path)) => {
                let _ = fs::remove_dir_all(&path);
            }
            _ => {}
        }
    }
}

/// Whether a file has a name of these two ends with a token between them.
pub(super) fn is_named(name: &str, [begins, ends]: [&str; 2]) -> bool {
    let token = name.strip_prefix(begins).and_then(|rest| rest.strip_suffix(ends));
    let is_of_a_token = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    token.is_some_and(|token| token.len() == TOKEN_BYTES / 3 * 4 && token.bytes().all(is_of_a_token))
}

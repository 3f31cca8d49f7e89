//! The control socket, and how it is named. The system takes the name of a socket up to about a hundred bytes only
//! (`unix(7)`); a data folder that lies deeper is opened first, and the socket is named through the open folder.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tokio::net::{UnixListener, UnixStream};

use hanok_base::{Error, Result};
use hanok_platform::store::DataFolder;

/// The longest name that every system takes, in bytes.
const LONGEST_NAME: usize = 100;

/// Listens on the socket of `folder`, whose lock is ours. None while there is no room for it.
pub(super) fn bind(folder: &DataFolder) -> Result<Option<UnixListener>> {
    let path = folder.control_socket();
    // The folder's lock is ours, so whatever lies here was left by a process that has ended.
    let _ = fs::remove_file(&path);
    // A hand may have cleared the place of it, too.
    let _ = fs::create_dir(folder.run());
    let bound = Name::of(folder).and_then(|name| {
        let listener = UnixListener::bind(&name.path)?;
        // The folder is for its owner alone; a socket that is moved out of it is, too.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        Ok(listener)
    });
    match bound {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if error.kind() == ErrorKind::StorageFull => Ok(None),
        Err(error) => Err(Error::internal(format!("{}: {error}", path.display()))),
    }
}

/// Connects to the appliance that runs on `folder`.
pub(super) async fn connect(folder: &DataFolder) -> io::Result<UnixStream> {
    let name = Name::of(folder)?;
    UnixStream::connect(&name.path).await
}

/// A name that is short enough, for as long as this lives.
struct Name {
    path: PathBuf,
    _folder: Option<File>,
}

impl Name {
    fn of(folder: &DataFolder) -> io::Result<Name> {
        let path = folder.control_socket();
        if path.as_os_str().len() <= LONGEST_NAME {
            return Ok(Name { path, _folder: None });
        }
        let open = File::open(folder.run())?;
        let short = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
        Ok(Name { path: short.join(path.file_name().unwrap_or_default()), _folder: Some(open) })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;

    #[tokio::test]
    async fn no_other_user_of_the_machine_reaches_the_control_socket() {
        let place = tempfile::TempDir::new().unwrap();
        // Whatever lies above it lets everyone through.
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let root = place.path().join("data");
        let folder = DataFolder::take(&root).unwrap();
        let _listener = bind(&folder).unwrap().unwrap();
        let socket = folder.control_socket();
        let mode = |path: &PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&root), mode(&socket)), (0o700, 0o600));
        let sees = |user: Option<u32>| {
            let mut test = Command::new("test");
            test.arg("-w").arg(&socket);
            user.map(|user| test.uid(user).gid(user));
            test.status().unwrap().success()
        };
        assert!(sees(None));
        if rustix::process::geteuid().is_root() {
            assert!(!sees(Some(65_534)));
        }
    }

    #[tokio::test]
    async fn the_socket_is_put_back_after_a_hand_has_cleared_its_place() {
        let place = tempfile::TempDir::new().unwrap();
        let folder = DataFolder::take(&place.path().join("data")).unwrap();
        let _first = bind(&folder).unwrap().unwrap();
        fs::remove_dir_all(folder.run()).unwrap();
        let _second = bind(&folder).unwrap().unwrap();
        assert!(connect(&folder).await.is_ok());
    }
}

//! The files that go with a mail.
//!
//! Each is one of the house (`platform/blobs`): the mail's row names it, so it stays for as long as the mail does, in every
//! snapshot and every backup, and each attempt sends the same bytes.

use tracing::warn;

use super::row::{Attached, Mail};
use super::store::Ending;
use crate::app::App;
use crate::blobs::{self, MediaKind};
use crate::store::ReadTransaction;
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// As many bytes files of one mail have together: a third more on their way, which mail servers take.
const MOST_BYTES: u64 = 15 << 20;
/// So many files go with one mail.
const MOST_FILES: usize = 20;

const TOO_MUCH: MessageTemplate = MessageTemplate::new(
    "house.mail.attached_too_much",
    "at most {files} files of {mebibytes} MiB together go with a mail",
);
const FILE_GONE: MessageTemplate = MessageTemplate::new(
    "house.mail.attached_gone",
    "a file that goes with the mail is not there any more, or is not what it was",
);

/// Checks what is to go with a mail.
///
/// # Errors
/// `TOO_LARGE`; `NOT_FOUND` for a file that is not there.
pub(super) fn check(tx: &impl ReadTransaction, attached: &[Attached]) -> Result<()> {
    let mut bytes = 0u64;
    for Attached { file, .. } in attached {
        bytes += blobs::find(tx, file)?.ok_or_else(|| Error::not_found("file"))?.bytes;
    }
    if bytes <= MOST_BYTES && attached.len() <= MOST_FILES {
        return Ok(());
    }
    let bounds = [("files", MOST_FILES.into()), ("mebibytes", (MOST_BYTES >> 20).into())];
    Err(Error::new(Kind::TooLarge, TOO_MUCH.with(bounds)))
}

/// A file as it goes out with a mail.
pub(super) struct WithFile {
    pub name: String,
    pub kind: MediaKind,
    pub bytes: Vec<u8>,
}

/// The files of a mail, every byte looked at: what is not the same any more is not sent to anybody.
pub(super) async fn read(app: &App, mail: &Mail) -> Result<Vec<WithFile>, Ending> {
    let mut files = Vec::new();
    for Attached { name, file } in mail.attached.clone() {
        match app.data.blobs.read(file, MOST_BYTES).await {
            Ok(Some((kind, bytes))) => files.push(WithFile { name, kind, bytes }),
            Ok(None) => return Err(Ending::Failed(FILE_GONE.into())),
            Err(error) => {
                warn!(mail = mail.id, %error, "a file that goes with a mail cannot be read");
                return Err(Ending::Later(error.message));
            }
        }
    }
    Ok(files)
}

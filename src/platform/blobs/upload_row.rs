//! What the store knows of files that come in in parts.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};

use super::id::BlobId;
use crate::store::{Before, PreservedOnRestore, Table, WriteTx};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// Table: files that come in in parts. Key: the id of each. Value: [`Row`].
pub(super) const UPLOADS: Table<&'static str, Row> = Table::new("blob_uploads-1");

/// What comes in goes on after a restore, and another house knows nothing of it.
pub(super) const GO_ON: PreservedOnRestore = PreservedOnRestore { carry: go_on, forget: |tx| tx.clear(&UPLOADS) };

const KEPT_HOURS: i64 = 24;

/// What the store knows of a file that comes in in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Row {
    /// The bytes that it will have.
    pub length: u64,
    /// So many bytes are surely on the disk.
    pub offset: u64,
    /// The name that its sender has for it.
    pub name: Option<String>,
    /// When it was gone on with last.
    pub touched_at: DateTime<Utc>,
    /// What it became.
    pub file: Option<BlobId>,
}

/// A file that comes in in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Upload {
    /// Its id.
    pub id: String,
    /// The bytes that it will have.
    pub length: u64,
    /// How many of them are there: the next part begins there.
    pub offset: u64,
    /// The name that its sender has for it; null where it has none.
    pub name: Option<String>,
    /// When it goes if nobody goes on with it.
    pub expires_at: DateTime<Utc>,
    /// The file that it became; null as long as it is not whole.
    pub file: Option<BlobId>,
}

impl Row {
    /// It as whoever sends it sees it.
    pub fn seen(&self, id: &str, offset: u64) -> Upload {
        let expires_at = self.touched_at + kept();
        let (name, file) = (self.name.clone(), self.file.clone());
        Upload { id: id.to_owned(), length: self.length, offset, name, expires_at, file }
    }
}

fn go_on(before: Before<'_>, restored: &WriteTx) -> Result<()> {
    restored.clear(&UPLOADS)?;
    let Some(state) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    restored.put_all_of(&UPLOADS, state)
}

/// How long one waits for its next part, and a whole one for who asks what became of it.
pub(super) fn kept() -> Duration {
    Duration::hours(KEPT_HOURS)
}

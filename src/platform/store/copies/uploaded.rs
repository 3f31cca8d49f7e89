//! The one backup file that was brought over the network and waits until somebody says what becomes of it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::super::file::partial::Partial;
use super::snapshot::{Snapshot, SnapshotKind};
use hanok_base::schema::ToSchema;

/// A backup file that waits to be restored: what would be put in the place of the present state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Uploaded {
    /// Its id.
    pub id: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The snapshot in it: when it was made and by which version, and how much it holds.
    pub snapshot: ImportedSnapshot,
    /// How many large files are in it.
    pub blobs: u64,
    /// Whether settings are in it.
    pub has_settings: bool,
    /// What would become of them.
    pub settings: ImportedSettings,
}

/// What a backup file says of the snapshot in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedSnapshot {
    /// Its name.
    pub name: String,
    /// Why it was made.
    pub kind: SnapshotKind,
    /// The moment whose state it holds.
    pub created_at: DateTime<Utc>,
    /// Rows in all tables.
    pub rows: u64,
    /// Version of the tables.
    pub store_version: u32,
    /// Version of the program that made it.
    pub app_version: String,
}

impl From<Snapshot> for ImportedSnapshot {
    fn from(snapshot: Snapshot) -> Self {
        let Snapshot { name, kind, created_at, rows, store_version, app_version, .. } = snapshot;
        ImportedSnapshot { name, kind, created_at, rows, store_version, app_version }
    }
}

/// What a restore would make of the settings in a backup file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedSettings {
    /// Whether they can be used; else none is taken over.
    pub usable: bool,
    /// Those that would be taken over.
    pub taken: Vec<ImportedSetting>,
    /// Those that stay here as they are.
    pub left: Vec<ImportedSetting>,
}

/// One setting in a backup file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedSetting {
    /// Its key, `section.key`.
    pub key: String,
    /// Its value there; of a long one the beginning, with `…`.
    pub value: String,
}

/// So much of a value is shown, in letters.
const SHOWN: usize = 120;

impl ImportedSetting {
    /// The setting `key` with this value.
    pub fn of(key: &str, value: &str) -> ImportedSetting {
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        ImportedSetting { key: key.to_owned(), value: shown }
    }
}

/// The file that waits, if one does, and how one is ended that comes in.
#[derive(Default, Clone)]
pub(super) struct Uploads {
    /// Of whoever takes a file in, restores it or throws it away.
    pub turn: Arc<tokio::sync::Mutex<()>>,
    /// Looked at by everybody, for a moment.
    pub waiting: Arc<Mutex<Option<WaitingUpload>>>,
    /// Ends the one that comes in.
    pub coming: Arc<Mutex<Option<CancellationToken>>>,
}

pub(super) struct WaitingUpload {
    pub uploaded: Uploaded,
    pub file: Partial,
    pub since: DateTime<Utc>,
}

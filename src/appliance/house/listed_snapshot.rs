//! A snapshot as callers see it: without its tables, whose names are the store's own.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_platform::store::{Snapshot, SnapshotKind, SnapshotState};

/// A snapshot that was verified when it was made. What an earlier version has answered says less of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListedSnapshot {
    /// Its name, which is also the name of its files.
    pub name: String,
    /// Why it was made.
    pub kind: SnapshotKind,
    /// What the last check of it has found.
    #[serde(default)]
    pub state: SnapshotState,
    /// One more than any snapshot before it had: which is newer, also after the clock was wrong.
    #[serde(default)]
    pub number: u64,
    /// The moment whose state it holds.
    pub created_at: DateTime<Utc>,
    /// When it had been opened, checked and counted.
    pub verified_at: DateTime<Utc>,
    /// When the check began that found it sound last or damaged first; null when none has read it since it was made.
    #[serde(default)]
    pub read_at: Option<DateTime<Utc>>,
    /// Size of the file.
    pub bytes: u64,
    /// Rows in all tables.
    pub rows: u64,
    /// Version of the tables.
    pub store_version: u32,
    /// Version of the program that made it.
    pub app_version: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// How long writers stood still for it, in milliseconds.
    pub pause_ms: u64,
    /// Whether the last write of this state was not on the disk whole and was left out, so that it may be missing.
    #[serde(default)]
    pub last_write_left_out: bool,
}

impl From<Snapshot> for ListedSnapshot {
    fn from(snapshot: Snapshot) -> ListedSnapshot {
        // Every field is named, so that a new one is not left out unseen.
        let Snapshot {
            name,
            kind,
            state,
            number,
            created_at,
            verified_at,
            read_at,
            bytes,
            rows,
            tables: _,
            store_version,
            app_version,
            sha256,
            pause_ms,
            last_write_left_out,
        } = snapshot;
        ListedSnapshot {
            name,
            kind,
            state,
            number,
            created_at,
            verified_at,
            read_at,
            bytes,
            rows,
            store_version,
            app_version,
            sha256,
            pause_ms,
            last_write_left_out,
        }
    }
}

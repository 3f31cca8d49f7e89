//! The descriptions beside the snapshots, by which one is known and known to be sound: whoever names the newest as the way
//! back goes by what a restore goes by.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike, Utc};
use serde::{Deserialize, Serialize};

use super::folder::DataFolder;
use super::names::{self, SnapshotKind, names};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// What the last check of a snapshot has found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotState {
    /// Its bytes are those of its description.
    #[default]
    Verified,
    /// They are not, or cannot be read: it is refused until a check finds it whole again.
    Damaged,
}

/// A snapshot that was verified when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
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
    /// Rows of each table.
    pub tables: BTreeMap<String, u64>,
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

/// No name and no version of the program is longer, in bytes.
const LONGEST: usize = 64;

impl Snapshot {
    /// Whether it can be returned to, as far as is known.
    pub fn is_sound(&self) -> bool {
        self.state == SnapshotState::Verified
    }

    /// Whether an appliance can have written this, whoever has brought it.
    pub(in crate::store) fn can_be_ours(&self) -> bool {
        let years = [self.created_at.year(), self.verified_at.year(), self.known_at().year()];
        let are_short = self.name.len().max(self.app_version.len()) <= LONGEST;
        let is_plain = self.app_version.bytes().all(|byte| byte.is_ascii_graphic());
        let is_counted = self.number < u64::MAX / 2 && years.iter().all(|year| (1970..=9999).contains(year));
        are_short && is_plain && is_counted && names::is_name(&self.name)
    }

    /// As of when its state is known.
    pub fn known_at(&self) -> DateTime<Utc> {
        self.read_at.unwrap_or(self.verified_at)
    }
}

/// Every described snapshot, newest first.
pub fn list(folder: &DataFolder) -> Result<Vec<Snapshot>> {
    let mut snapshots: Vec<Snapshot> = names(&folder.backups(), "json")?
        .iter()
        .filter_map(|name| described(&description_file(folder, name)))
        .filter(|snapshot| is_own(&file(folder, &snapshot.name)))
        .collect();
    snapshots.sort_by(|a, b| (b.number, b.created_at, &b.name).cmp(&(a.number, a.created_at, &a.name)));
    Ok(snapshots)
}

/// The snapshot that the file at `path` describes. A description that no appliance wrote counts for nothing: its name
/// becomes a path, its number is counted on, its times are shown in our zone.
pub(in crate::store) fn described(path: &Path) -> Option<Snapshot> {
    let snapshot: Snapshot = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let is_its_own = path.file_stem().is_some_and(|stem| stem == snapshot.name.as_str());
    (is_its_own && snapshot.can_be_ours()).then_some(snapshot)
}

/// The sound snapshots in the order in which one returns to them: the newest first, and after all others those that
/// restores made, since what they hold was left on purpose.
pub(in crate::store) fn sound(folder: &DataFolder) -> Result<Vec<Snapshot>> {
    let mut sound: Vec<Snapshot> = list(folder)?.into_iter().filter(Snapshot::is_sound).collect();
    sound.sort_by_key(|snapshot| snapshot.kind == SnapshotKind::Restore);
    Ok(sound)
}

/// Whether there is one to return to, as far as is known.
pub(in crate::store) fn has_sound(folder: &DataFolder) -> bool {
    sound(folder).is_ok_and(|sound| !sound.is_empty())
}

/// Whether a file lies at `path`, and no link to one that may be somebody else's.
pub(in crate::store) fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// The file of a snapshot.
pub fn file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.redb"))
}

pub(in crate::store) fn description_file(folder: &DataFolder, name: &str) -> PathBuf {
    folder.backups().join(format!("{name}.json"))
}

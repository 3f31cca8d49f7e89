//! What a snapshot is called, by which it is told from whatever else lies in `backups/`.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::super::file::folder::DataFolder;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, Result};

/// Why a snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotKind {
    /// By the schedule.
    Hourly,
    /// Because somebody asked for it.
    Manual,
    /// Before a migration.
    Migration,
    /// Before a restore put another state in place.
    Restore,
}

impl SnapshotKind {
    const ALL: [SnapshotKind; 4] =
        [SnapshotKind::Hourly, SnapshotKind::Manual, SnapshotKind::Migration, SnapshotKind::Restore];

    /// How it stands in the name of a snapshot.
    const fn word(self) -> &'static str {
        match self {
            SnapshotKind::Hourly => "hourly",
            SnapshotKind::Manual => "manual",
            SnapshotKind::Migration => "migration",
            SnapshotKind::Restore => "restore",
        }
    }
}

/// The names of the snapshots of which there is a file with this extension in `backups/`. What others have put there
/// (folders, notes, what a Mac leaves beside each file) is none of ours, and is left alone.
pub(in crate::store) fn names(folder: &DataFolder, extension: &str) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder.backups()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| {
            let sentence = format!("the snapshots cannot be found: {} cannot be read", folder.backups().display());
            Error::new(Kind::Internal, sentence).because(error)
        })?,
    };
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| !path.is_dir());
    let stem = |path: PathBuf| Some(path.file_name()?.to_str()?.strip_suffix(extension)?.strip_suffix('.')?.to_owned());
    Ok(paths.filter_map(stem).filter(|stem| is_name(stem)).collect())
}

/// How the instant stands in the name of a snapshot.
const NAME_INSTANT: &str = "%Y%m%dT%H%M%SZ";

/// The name of a snapshot of the instant `at`; one of several that would be named alike has its `number` in it.
pub(in crate::store) fn name(at: DateTime<Utc>, kind: SnapshotKind, number: Option<u64>) -> String {
    let number = number.map_or_else(String::new, |number| format!("-{number}"));
    format!("{}-{}{number}", at.format(NAME_INSTANT), kind.word())
}

/// The instant in the [`name`] of a snapshot.
pub(in crate::store) fn instant(name: &str) -> Option<DateTime<Utc>> {
    let (at, _) = name.split_once('-')?;
    NaiveDateTime::parse_from_str(at, NAME_INSTANT).ok().map(|at| at.and_utc())
}

/// Whether a snapshot can have this [`name`].
fn is_name(name: &str) -> bool {
    let Some((_, rest)) = name.split_once('-') else { return false };
    let (kind, number) = rest.split_once('-').map_or((rest, None), |(kind, number)| (kind, Some(number)));
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    instant(name).is_some()
        && SnapshotKind::ALL.iter().any(|known| known.word() == kind)
        && number.is_none_or(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_given_is_known_again() {
        let at = "2026-11-20T05:00:00Z".parse().unwrap();
        for kind in SnapshotKind::ALL {
            for number in [None, Some(2), Some(u64::MAX)] {
                assert!(is_name(&name(at, kind, number)), "{kind:?} {number:?}");
            }
        }
        for other in ["", "-", "manual", "20261120T050000Z", "20261120T050000Z-", "20261120T050000Z-weekly"] {
            assert!(!is_name(other), "{other}");
        }
        assert!(!is_name("20261320T050000Z-manual") && !is_name("20261120T050000Z-manual-+2"));
    }
}

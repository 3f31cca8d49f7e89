//! What a snapshot is called, by which it is told from whatever else lies in `backups/`.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, MessageTemplate, Result};

const NOT_FOUND: MessageTemplate =
    MessageTemplate::new("house.snapshots_not_found", "the snapshots cannot be found: {path} cannot be read");

/// How the names of what was replaced begin, which lies beside the store file.
const BEFORE_RESTORE: &str = "hanok.redb.before-restore-";

/// How the names of those end that are not sound.
pub(in crate::store) const DAMAGED: &str = "-damaged";

/// What the [`pre_restore`] name of a state that was replaced says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct PreRestoreName {
    /// Its place among all that were replaced.
    pub number: u64,
    /// When it was replaced.
    pub at: DateTime<Utc>,
    /// Whether it was found not to be sound.
    pub is_damaged: bool,
}

/// How a state is called that lies aside.
pub(in crate::store) fn pre_restore(said: PreRestoreName) -> String {
    let damaged = if said.is_damaged { DAMAGED } else { "" };
    format!("{BEFORE_RESTORE}{}-{}{damaged}", said.number, said.at.format(NAME_INSTANT))
}

/// What `name` says of a state that lies aside; none when none can have it. Earlier versions gave no numbers, and the
/// instant with its milliseconds: theirs are the oldest.
pub(in crate::store) fn parse_pre_restore(name: &str) -> Option<PreRestoreName> {
    let name = name.strip_prefix(BEFORE_RESTORE)?;
    let (name, is_damaged) = name.strip_suffix(DAMAGED).map_or((name, false), |name| (name, true));
    let (number, at) = match name.split_once('-') {
        Some((number, at)) => (number.parse().ok().filter(|number| *number < u64::MAX / 2)?, at),
        None => (0, name),
    };
    let forms = [NAME_INSTANT, "%Y%m%dT%H%M%S%3fZ"];
    let at = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(at, form).ok())?;
    Some(PreRestoreName { number, at: at.and_utc(), is_damaged })
}

/// Whether a state lies aside in `root` from which the house can go on.
pub(in crate::store) fn has_pre_restore(root: &Path) -> bool {
    let is_sound = |name: &str| parse_pre_restore(name).is_some_and(|said| !said.is_damaged);
    fs::read_dir(root).into_iter().flatten().flatten().any(|entry| {
        entry.file_name().to_str().is_some_and(is_sound) && entry.file_type().is_ok_and(|kind| kind.is_file())
    })
}

/// Whether the name of what lies aside at `path` says that the house can go on from it.
pub(in crate::store) fn is_sound_aside(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.and_then(parse_pre_restore).is_some_and(|said| !said.is_damaged)
}

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

/// The names of the snapshots of which there is a file with this extension in the folder `backups`. What others have put there
/// (folders, links, notes, what a Mac leaves beside each file) is none of ours, and is left alone.
pub(in crate::store) fn names(backups: &Path, extension: &str) -> Result<Vec<String>> {
    names_of(backups, extension, |kind| kind.is_file())
}

/// The names of the snapshots whose place with this extension is taken by a link or a device.
pub(in crate::store) fn taken_by_no_file(backups: &Path, extension: &str) -> Result<Vec<String>> {
    names_of(backups, extension, |kind| !kind.is_file() && !kind.is_dir())
}

fn names_of(backups: &Path, extension: &str, is_wanted: impl Fn(FileType) -> bool) -> Result<Vec<String>> {
    let entries = match fs::read_dir(backups) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| {
            let path = backups.display().to_string();
            Error::new(Kind::Internal, NOT_FOUND.with([("path", path.into())])).because(error)
        })?,
    };
    // Asked of the entry itself: what a link leads to is not ours to write.
    let wanted = entries.flatten().filter(|entry| entry.file_type().is_ok_and(&is_wanted));
    let paths = wanted.map(|entry| entry.path());
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

/// What the [`name`] of a snapshot says of it.
pub(in crate::store) struct SaidByName {
    /// The instant whose state it holds, to the second.
    pub at: DateTime<Utc>,
    /// Why it was made.
    pub kind: SnapshotKind,
    /// Its number, where it stands there.
    pub number: Option<u64>,
}

/// What `name` says of its snapshot; none when no snapshot can have it.
pub(in crate::store) fn said(name: &str) -> Option<SaidByName> {
    let (_, rest) = name.split_once('-')?;
    let (kind, number) = rest.split_once('-').map_or((rest, None), |(kind, number)| (kind, Some(number)));
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if !number.is_none_or(is_number) {
        return None;
    }
    let kind = SnapshotKind::ALL.into_iter().find(|known| known.word() == kind)?;
    Some(SaidByName { at: instant(name)?, kind, number: number.and_then(|number| number.parse().ok()) })
}

/// Whether a snapshot can have this [`name`].
pub(in crate::store) fn is_name(name: &str) -> bool {
    said(name).is_some()
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

    #[test]
    fn what_lies_aside_is_known_by_its_whole_name_and_counts_where_it_is_sound() {
        let at: DateTime<Utc> = "2026-11-20T05:00:00Z".parse().unwrap();
        for said in [true, false].map(|is_damaged| PreRestoreName { number: 7, at, is_damaged }) {
            assert_eq!(parse_pre_restore(&pre_restore(said)), Some(said));
        }
        let earlier = parse_pre_restore("hanok.redb.before-restore-20261120T050000123Z").unwrap();
        assert_eq!((earlier.number, earlier.at.timestamp(), earlier.is_damaged), (0, 1_795_150_800, false));
        for (name, counts) in [
            ("hanok.redb.before-restore-7-20261120T050000Z", true),
            ("hanok.redb.before-restore-20261120T050000123Z", true),
            ("hanok.redb.before-restore-7-20261120T050000Z-damaged", false),
            ("hanok.redb.before-restore-of Z", false),
            ("hanok.redb.before-restore-7-20261320T050000Z", false),
            ("hanok.redb.before-restore-x-20261120T050000Z", false),
            ("hanok.redb.before-restore.partial", false),
        ] {
            let root = tempfile::tempdir().unwrap();
            fs::write(root.path().join(name), "a state").unwrap();
            assert_eq!(has_pre_restore(root.path()), counts, "{name}");
        }
    }
}

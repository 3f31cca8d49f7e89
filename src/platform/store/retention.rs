//! Which snapshots are kept: the newest of each of so many hours, days and weeks, and those that somebody asked for.

use std::collections::BTreeSet;

use chrono::Datelike;

use super::folder::DataFolder;
use super::snapshot::{self, Snapshot, SnapshotKind};
use crate::base::{Result, day};

/// How many to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Hours of which the newest is kept.
    pub hourly: usize,
    /// Days (Asia/Seoul) of which the newest is kept.
    pub daily: usize,
    /// Weeks (ISO, Asia/Seoul) of which the newest is kept.
    pub weekly: usize,
}

/// How many of each kind that was not made by the schedule are kept beyond that.
const ASKED_FOR: usize = 8;

/// The names to keep of `snapshots`, which come newest first.
fn kept(snapshots: &[Snapshot], keep: &Keep) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut newest_of_each = |most: usize, period: &dyn Fn(&Snapshot) -> String| {
        let mut seen = BTreeSet::new();
        for snapshot in snapshots {
            let period = period(snapshot);
            if seen.contains(&period) || seen.len() == most {
                continue;
            }
            seen.insert(period);
            names.insert(snapshot.name.clone());
        }
    };
    newest_of_each(keep.hourly, &|snapshot| snapshot.created_at.format("%Y%m%d%H").to_string());
    newest_of_each(keep.daily, &|snapshot| day::of(snapshot.created_at).to_string());
    newest_of_each(keep.weekly, &|snapshot| {
        let week = day::of(snapshot.created_at).iso_week();
        format!("{}-{:02}", week.year(), week.week())
    });
    for kind in [SnapshotKind::Manual, SnapshotKind::Migration, SnapshotKind::Restore] {
        let of_kind = snapshots.iter().filter(|snapshot| snapshot.kind == kind);
        names.extend(of_kind.take(ASKED_FOR).map(|snapshot| snapshot.name.clone()));
    }
    // Whatever the settings say, the newest verified state is never removed.
    names.extend(snapshots.first().map(|newest| newest.name.clone()));
    names
}

/// Removes the oldest of one kind: a start that fails and is tried again and again must not fill the disk.
pub(super) fn prune_kind(folder: &DataFolder, kind: SnapshotKind) -> Result<()> {
    let snapshots = snapshot::list(folder)?;
    for old in snapshots.iter().filter(|snapshot| snapshot.kind == kind).skip(ASKED_FOR) {
        snapshot::remove(folder, &old.name);
    }
    Ok(())
}

/// Removes what is not kept.
pub(super) fn prune(folder: &DataFolder, keep: &Keep) -> Result<()> {
    let snapshots = snapshot::list(folder)?;
    let kept = kept(&snapshots, keep);
    for snapshot in snapshots.iter().filter(|snapshot| !kept.contains(&snapshot.name)) {
        snapshot::remove(folder, &snapshot.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Duration, Utc};

    fn hourly(created_at: DateTime<Utc>) -> Snapshot {
        Snapshot {
            name: created_at.to_rfc3339(),
            kind: SnapshotKind::Hourly,
            number: 0,
            created_at,
            verified_at: created_at,
            bytes: 1,
            rows: 1,
            tables: Default::default(),
            store_version: 1,
            app_version: "1".into(),
            sha256: String::new(),
            pause_ms: 0,
        }
    }

    #[test]
    fn a_hundred_days_of_hourly_snapshots_leave_hours_days_and_weeks() {
        let newest: DateTime<Utc> = "2026-11-20T05:00:00Z".parse().unwrap();
        let all: Vec<Snapshot> = (0..2400).map(|hours| hourly(newest - Duration::hours(hours))).collect();
        let keep = Keep { hourly: 24, daily: 14, weekly: 8 };
        let names = kept(&all, &keep);
        assert!(names.contains(&all[23].name) && !names.contains(&all[24].name) || names.len() < 50);
        let days: BTreeSet<_> = all.iter().filter(|s| names.contains(&s.name)).map(|s| day::of(s.created_at)).collect();
        assert!(days.len() >= 14, "{days:?}");
        let oldest = days.first().unwrap();
        assert!((day::of(newest) - *oldest).num_days() >= 42, "eight weeks back: {oldest}");
        assert!(names.len() <= 24 + 14 + 8);
    }

    #[test]
    fn the_newest_is_kept_even_when_nothing_is_to_be_kept() {
        let one = hourly("2026-11-20T05:00:00Z".parse().unwrap());
        let names = kept(std::slice::from_ref(&one), &Keep { hourly: 0, daily: 0, weekly: 0 });
        assert_eq!(names.into_iter().collect::<Vec<_>>(), [one.name]);
    }
}

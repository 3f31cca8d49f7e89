//! Which snapshots are kept: the newest of each of so many hours, days and weeks, and those that somebody asked for. Each
//! kind has its own places: one never takes that of another. A damaged one takes no place, and no sound one goes for it.

use std::collections::BTreeSet;

use chrono::Datelike;
use tracing::warn;

use super::super::file::folder::DataFolder;
use super::super::file::marker;
use super::super::file::names;
use super::snapshot::{self, Snapshot, SnapshotKind};
use hanok_base::{Result, day};

/// How many to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Hours of which the newest is kept.
    pub hourly: usize,
    /// Days (Asia/Seoul) of which the newest is kept.
    pub daily: usize,
    /// Weeks (ISO, Asia/Seoul) of which the newest is kept.
    pub weekly: usize,
}

/// How many of each kind that was not made by the schedule are kept beyond that.
pub const ASKED_FOR: usize = 8;
/// What a restore replaced may be the only copy of what was written last: it is kept until so many snapshots were made
/// since, whatever the clock says. That is a week of hourly ones.
const SINCE_A_RESTORE: u64 = 168;
/// A damaged snapshot, and a part of one that is not whole, is shown until so many sound ones were made after it.
const SINCE_DAMAGE: usize = 24;

/// The names to keep of `snapshots`, which come newest first.
fn kept(snapshots: &[Snapshot], keep: &Retention) -> BTreeSet<String> {
    let sound: Vec<&Snapshot> = snapshots.iter().filter(|snapshot| snapshot.is_sound()).collect();
    let of_kind = |kind| sound.iter().copied().filter(move |snapshot| snapshot.kind == kind);
    let mut names = BTreeSet::new();
    // What is made after a restore never takes the place of what was there before it: that may be what was restored.
    let restores_before =
        |made: &Snapshot| of_kind(SnapshotKind::Restore).filter(|restore| restore.number < made.number).count();
    let mut newest_of_each = |kind, most: usize, period: &dyn Fn(&Snapshot) -> String| {
        let mut seen = BTreeSet::new();
        for snapshot in of_kind(kind) {
            let period = (restores_before(snapshot), period(snapshot));
            if seen.contains(&period) || seen.len() == most {
                continue;
            }
            seen.insert(period);
            names.insert(snapshot.name.clone());
        }
    };
    newest_of_each(SnapshotKind::Hourly, keep.hourly, &|snapshot| snapshot.created_at.format("%Y%m%d%H").to_string());
    for kind in [SnapshotKind::Hourly, SnapshotKind::Manual] {
        newest_of_each(kind, keep.daily, &|snapshot| day::of(snapshot.created_at).to_string());
        newest_of_each(kind, keep.weekly, &|snapshot| {
            let week = day::of(snapshot.created_at).iso_week();
            format!("{}-{:02}", week.year(), week.week())
        });
    }
    for kind in [SnapshotKind::Manual, SnapshotKind::Migration, SnapshotKind::Restore] {
        names.extend(of_kind(kind).take(ASKED_FOR).map(|snapshot| snapshot.name.clone()));
    }
    let newest = snapshots.first().map_or(0, |newest| newest.number);
    let is_recent = |snapshot: &&Snapshot| newest - snapshot.number < SINCE_A_RESTORE;
    names.extend(of_kind(SnapshotKind::Restore).filter(is_recent).map(|snapshot| snapshot.name.clone()));
    // Whatever the settings say, the newest sound state is never removed, nor the newest that no restore has left.
    let not_left = sound.iter().find(|snapshot| snapshot.kind != SnapshotKind::Restore);
    names.extend(sound.first().into_iter().chain(not_left).map(|newest| newest.name.clone()));
    let is_news = |damaged: &&Snapshot| {
        sound.iter().take_while(|snapshot| snapshot.number > damaged.number).count() < SINCE_DAMAGE
    };
    let damaged = snapshots.iter().filter(|snapshot| !snapshot.is_sound());
    names.extend(damaged.filter(is_news).map(|snapshot| snapshot.name.clone()));
    names
}

/// Removes the snapshots that were made on the way of a migration that was cut off, `whole` being from before it.
pub(in crate::store) fn clear_half_migrated(folder: &DataFolder, whole: &Snapshot) -> Result<()> {
    let is_half = |made: &Snapshot| made.kind == SnapshotKind::Migration && made.number > whole.number;
    snapshot::list(folder)?.into_iter().filter(is_half).for_each(|half| snapshot::remove(folder, &half.name));
    Ok(())
}

/// Removes the oldest of one kind: a start that fails and is tried again and again must not fill the disk.
pub(in crate::store) fn prune_kind(folder: &DataFolder, kind: SnapshotKind) -> Result<()> {
    let snapshots = snapshot::list(folder)?;
    let of_kind = snapshots.iter().filter(|snapshot| snapshot.kind == kind && snapshot.is_sound());
    for old in of_kind.skip(ASKED_FOR) {
        snapshot::remove(folder, &old.name);
    }
    Ok(())
}

/// Removes what is not kept, and, but in a copied folder, what of a snapshot lies alone and is as old as that.
pub(in crate::store) fn prune(folder: &DataFolder, keep: &Retention) -> Result<()> {
    let snapshots = snapshot::list(folder)?;
    let kept = kept(&snapshots, keep);
    for snapshot in snapshots.iter().filter(|snapshot| !kept.contains(&snapshot.name)) {
        snapshot::remove(folder, &snapshot.name);
    }
    // Until a copied folder is in order, what lies alone may be all that is left of a state.
    if marker::is_copied(folder) {
        return Ok(());
    }
    let sound: Vec<&Snapshot> = snapshots.iter().filter(|snapshot| snapshot.is_sound()).collect();
    for name in snapshot::lone(folder)? {
        let is_older = |sound: &&&Snapshot| names::instant(&name).is_some_and(|at| at < sound.created_at);
        if sound.iter().filter(is_older).count() >= SINCE_DAMAGE {
            clear(folder, &name);
        }
    }
    Ok(())
}

/// Removes what of a snapshot lies alone.
pub(super) fn clear(folder: &DataFolder, name: &str) {
    warn!(name, "of this snapshot only the file or only the description was there; it is removed");
    snapshot::remove(folder, name);
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::snapshot::SnapshotState;
    use super::*;

    fn hourly(created_at: DateTime<Utc>) -> Snapshot {
        Snapshot {
            name: created_at.to_rfc3339(),
            kind: SnapshotKind::Hourly,
            state: SnapshotState::Verified,
            number: 0,
            created_at,
            verified_at: created_at,
            read_at: None,
            bytes: 1,
            rows: 1,
            tables: Default::default(),
            store_version: 1,
            app_version: "1".into(),
            sha256: String::new(),
            pause_ms: 0,
            last_write_left_out: false,
        }
    }

    #[test]
    fn a_hundred_days_of_hourly_snapshots_leave_hours_days_and_weeks() {
        let newest: DateTime<Utc> = "2026-11-20T05:00:00Z".parse().unwrap();
        let all: Vec<Snapshot> = (0..2400).map(|hours| hourly(newest - Duration::hours(hours))).collect();
        let keep = Retention { hourly: 24, daily: 14, weekly: 8 };
        let names = kept(&all, &keep);
        assert!(all[..24].iter().all(|hourly| names.contains(&hourly.name)), "each of the last 24 hours");
        // Of the 48 hours before, the newest of each day alone.
        assert_eq!(all[24..72].iter().filter(|hourly| names.contains(&hourly.name)).count(), 2);
        let days: BTreeSet<_> = all.iter().filter(|s| names.contains(&s.name)).map(|s| day::of(s.created_at)).collect();
        assert!(days.len() >= 14, "{days:?}");
        let oldest = days.first().unwrap();
        assert!((day::of(newest) - *oldest).num_days() >= 42, "eight weeks back: {oldest}");
        assert!(names.len() <= 24 + 14 + 8);
    }

    fn of_kind(kind: SnapshotKind, at: &str, number: u64) -> Snapshot {
        let at: DateTime<Utc> = at.parse().unwrap();
        Snapshot { name: format!("{number}"), kind, number, ..hourly(at) }
    }

    #[test]
    fn a_manual_snapshot_never_takes_the_place_of_an_hourly_one_nor_a_damaged_one_that_of_a_sound_one() {
        // 23:42 and 23:59 in Seoul.
        let by_the_schedule = of_kind(SnapshotKind::Hourly, "2026-11-20T14:42:00Z", 1);
        let by_hand = of_kind(SnapshotKind::Manual, "2026-11-20T14:59:00Z", 2);
        let next_day = of_kind(SnapshotKind::Hourly, "2026-11-20T15:42:00Z", 3);
        let names = kept(&[next_day, by_hand, by_the_schedule.clone()], &Retention { hourly: 1, daily: 2, weekly: 1 });
        assert!(names.contains(&by_the_schedule.name), "{names:?}");
        let mut damaged = of_kind(SnapshotKind::Hourly, "2026-11-20T14:50:00Z", 2);
        damaged.state = SnapshotState::Damaged;
        let all = [damaged.clone(), by_the_schedule.clone()];
        let names = kept(&all, &Retention { hourly: 1, daily: 0, weekly: 0 });
        assert!(names.contains(&by_the_schedule.name) && names.contains(&damaged.name), "{names:?}");
        // It is news for so long.
        let later = (3..30).rev().map(|number| of_kind(SnapshotKind::Hourly, "2026-11-21T14:50:00Z", number));
        let all: Vec<Snapshot> = later.chain([damaged.clone()]).collect();
        assert!(!kept(&all, &Retention { hourly: 1, daily: 1, weekly: 1 }).contains(&damaged.name));
    }

    #[test]
    fn what_is_made_after_a_restore_does_not_take_the_place_of_what_was_restored() {
        let restored = of_kind(SnapshotKind::Hourly, "2026-11-20T05:05:00Z", 1);
        let replaced = of_kind(SnapshotKind::Restore, "2026-11-20T05:21:00Z", 2);
        let after = of_kind(SnapshotKind::Hourly, "2026-11-20T05:21:02Z", 3);
        let keep = Retention { hourly: 24, daily: 14, weekly: 8 };
        let names = kept(&[after.clone(), replaced, restored.clone()], &keep);
        assert!(names.contains(&restored.name) && names.contains(&after.name), "{names:?}");
        let names = kept(&[after, restored.clone()], &keep);
        assert!(!names.contains(&restored.name), "without a restore the hour is that of the newest");
    }

    #[test]
    fn what_a_restore_replaced_is_kept_until_many_were_made_since_whatever_their_times_say() {
        let restores = (1..=40).map(|number| of_kind(SnapshotKind::Restore, "1999-01-01T00:00:00Z", number));
        let newest = of_kind(SnapshotKind::Hourly, "2036-11-20T14:59:00Z", 41);
        let all: Vec<Snapshot> = [newest].into_iter().chain(restores.collect::<Vec<_>>().into_iter().rev()).collect();
        let keep = Retention { hourly: 0, daily: 0, weekly: 0 };
        assert_eq!(kept(&all, &keep).len(), 41);
        let long_ago = of_kind(SnapshotKind::Hourly, "2036-11-20T14:59:00Z", 41 + SINCE_A_RESTORE);
        let all: Vec<Snapshot> = [long_ago].into_iter().chain(all).collect();
        assert_eq!(kept(&all, &keep).len(), 1 + ASKED_FOR);
    }

    #[test]
    fn what_a_restore_replaced_goes_with_the_snapshot_that_makes_it_as_old_as_that_and_not_with_the_one_before() {
        let restores =
            (1..=1 + ASKED_FOR as u64).map(|number| of_kind(SnapshotKind::Restore, "2026-11-20T05:00:00Z", number));
        let restores: Vec<Snapshot> = restores.collect::<Vec<_>>().into_iter().rev().collect();
        for (since, stays) in [(SINCE_A_RESTORE - 1, true), (SINCE_A_RESTORE, false)] {
            let newest = of_kind(SnapshotKind::Hourly, "2026-11-28T05:00:00Z", 1 + since);
            let all: Vec<Snapshot> = [newest].into_iter().chain(restores.clone()).collect();
            let names = kept(&all, &Retention { hourly: 1, daily: 0, weekly: 0 });
            assert_eq!(names.contains("1"), stays, "{since} snapshots were made since");
            assert!(names.contains("2"));
        }
    }

    #[test]
    fn what_is_damaged_or_lies_alone_goes_with_the_sound_one_that_makes_it_as_old_as_that_and_not_with_the_one_before()
    {
        let all_kept = Retention { hourly: 100, daily: 0, weekly: 0 };
        let damaged =
            Snapshot { state: SnapshotState::Damaged, ..of_kind(SnapshotKind::Hourly, "2026-11-20T05:00:00Z", 1) };
        let later = |count: usize| {
            let at = |number: usize| damaged.created_at + Duration::hours(number as i64);
            let made =
                (1..=count).rev().map(move |number| Snapshot { number: 1 + number as u64, ..hourly(at(number)) });
            made.collect::<Vec<_>>()
        };
        for (since, stays) in [(SINCE_DAMAGE - 1, true), (SINCE_DAMAGE, false)] {
            let all: Vec<Snapshot> = later(since).into_iter().chain([damaged.clone()]).collect();
            assert_eq!(kept(&all, &all_kept).contains(&damaged.name), stays, "{since} sound ones were made since");
            let (_place, folder, _) = folder_with_one();
            std::fs::write(folder.store_file(), "the store").unwrap();
            let in_place = marker::identity(&folder.store_file()).unwrap();
            marker::put_beside(&folder, &marker::ShutdownMarker::closed(in_place)).unwrap();
            std::fs::remove_file(snapshot::description_file(&folder, OURS)).unwrap();
            for made in later(since) {
                let name = names::name(made.created_at, SnapshotKind::Hourly, None);
                describe(&folder, &name, &serde_json::to_vec(&Snapshot { name: name.clone(), ..made }).unwrap());
            }
            prune(&folder, &all_kept).unwrap();
            assert_eq!(snapshot::file(&folder, OURS).exists(), stays, "{since} sound ones were made since");
        }
    }

    #[test]
    fn the_newest_is_kept_even_when_nothing_is_to_be_kept() {
        let one = hourly("2026-11-20T05:00:00Z".parse().unwrap());
        let names = kept(std::slice::from_ref(&one), &Retention { hourly: 0, daily: 0, weekly: 0 });
        assert_eq!(names.into_iter().collect::<Vec<_>>(), [one.name]);
    }

    const OURS: &str = "20261120T050000Z-hourly";
    const OTHER: &str = "20261119T050000Z-manual-2";

    /// A data folder with one snapshot of ours, and its description.
    fn folder_with_one() -> (tempfile::TempDir, DataFolder, Snapshot) {
        let place = tempfile::TempDir::new().unwrap();
        let folder = DataFolder::at(place.path().join("data"));
        std::fs::create_dir_all(folder.backups()).unwrap();
        let ours = Snapshot { name: OURS.to_owned(), ..hourly("2026-11-20T05:00:00Z".parse().unwrap()) };
        describe(&folder, OURS, &serde_json::to_vec(&ours).unwrap());
        (place, folder, ours)
    }

    fn describe(folder: &DataFolder, file: &str, text: &[u8]) {
        std::fs::write(folder.backups().join(format!("{file}.json")), text).unwrap();
        std::fs::write(folder.backups().join(format!("{file}.redb")), "").unwrap();
    }

    #[test]
    fn a_description_that_names_another_file_is_none_and_that_file_is_left_alone() {
        let (_place, folder, ours) = folder_with_one();
        std::fs::write(folder.store_file(), "the store").unwrap();
        for name in ["../hanok", OURS, "", "/", "other/../../hanok"] {
            describe(&folder, OTHER, &serde_json::to_vec(&Snapshot { name: name.into(), ..ours.clone() }).unwrap());
            prune(&folder, &Retention { hourly: 0, daily: 0, weekly: 0 }).unwrap();
            assert_eq!(snapshot::list(&folder).unwrap(), std::slice::from_ref(&ours), "{name}");
            assert!(folder.store_file().exists(), "{name}");
        }
    }

    /// What may stand in a description, one value of it exchanged.
    fn any_description() -> impl Strategy<Value = Vec<u8>> {
        let keys =
            ["name", "kind", "number", "created_at", "verified_at", "bytes", "tables", "store_version", "sha256"];
        let value = prop_oneof![
            any::<u64>().prop_map(Value::from),
            Just(Value::from(u64::MAX)),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            Just(Value::Null),
            prop::sample::select(vec![
                "+262142-12-31T23:59:59Z",
                "-262143-01-01T00:00:00Z",
                "1969-12-31T23:59:59Z",
                "manual"
            ])
            .prop_map(Value::from),
        ];
        let exchanged = (prop::sample::select(keys.to_vec()), value).prop_map(|(key, value)| {
            let ours = Snapshot { name: OTHER.to_owned(), ..hourly("2026-11-20T05:00:00Z".parse().unwrap()) };
            let mut description = serde_json::to_value(ours).unwrap();
            description[key] = value;
            description.to_string().into_bytes()
        });
        prop_oneof![4 => exchanged, 1 => prop::collection::vec(any::<u8>(), 0..60)]
    }

    proptest! {
        #[test]
        fn any_description_is_a_snapshot_that_can_be_counted_on_or_none(text in any_description()) {
            let (_place, folder, ours) = folder_with_one();
            describe(&folder, OTHER, &text);
            let found = snapshot::list(&folder).unwrap();
            prop_assert!(found.contains(&ours));
            for snapshot in &found {
                prop_assert!(snapshot.number.checked_add(1).is_some());
                let written: Snapshot = serde_json::from_slice(&serde_json::to_vec(snapshot).unwrap()).unwrap();
                prop_assert_eq!(&written, snapshot);
            }
            prune(&folder, &Retention { hourly: 1, daily: 1, weekly: 1 }).unwrap();
            prop_assert!(!snapshot::list(&folder).unwrap().is_empty());
        }
    }
}

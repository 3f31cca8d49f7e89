//! The data folder: permissions, file system, room, and the last verified snapshot.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use chrono::{DateTime, Utc};
use rustix::fs::{Access, access, statfs, statvfs};

use super::Finding;
use crate::cli::print;
use hanok_platform::config::Config;
use hanok_platform::store::folder::network_file_system;
use hanok_platform::store::{DataFolder, snapshot};

/// Below this much free room the snapshots of a growing store soon have none.
const COMFORTABLE_ROOM: u64 = 1 << 30;

/// Magic numbers of file systems that are local but lose or slow down data (`statfs(2)`), what they are, and the cure.
const DOUBTFUL_FILE_SYSTEMS: [(u64, &str, &str); 3] = [
    (
        0x6573_5546,
        "a FUSE mount, which may lie on another machine",
        "put data.dir on a local disk (ext4, xfs, btrfs, zfs)",
    ),
    (0x0102_1994, "in memory, and gone after a restart", "put data.dir on a disk"),
    (0x794c_7630, "the container's own layer, and gone with the container", "mount a volume for data.dir"),
];

pub(super) fn examine(data: &DataFolder, config: &Config, now: DateTime<Utc>) -> Vec<Finding> {
    let Some(existing) = data.root().ancestors().find(|path| path.exists() || path.as_os_str().is_empty()) else {
        return vec![Finding::failure("data folder", "has no folder above it", "correct data.dir")];
    };
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    vec![
        permissions(data, existing),
        file_system(existing),
        room(existing, config.store.reserved_disk_mib << 20),
        last_snapshot(data, now),
    ]
}

fn permissions(data: &DataFolder, existing: &Path) -> Finding {
    const CHECK: &str = "data folder";
    let (root, shown) = (data.root(), data.root().display());
    if !existing.is_dir() {
        return Finding::failure(CHECK, format!("{} is not a folder", existing.display()), "correct data.dir");
    }
    if access(existing, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        let cure = format!("give it to the user who runs hanok: chown -R USER {}", existing.display());
        return Finding::failure(CHECK, format!("{} cannot be written", existing.display()), cure);
    }
    let there_is_none = || {
        let shown = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
        let cure = "`hanok serve` begins one; if yours lies elsewhere, name its folder with `--data-dir DIR`";
        Finding::warning(CHECK, format!("there is no house in {} yet", shown.display()), cure)
    };
    if !root.exists() {
        return there_is_none();
    }
    // To close it to others is a cure for a folder of the house alone.
    if let Err(error) = data.refuse_foreign() {
        return Finding::failure(CHECK, error.message.to_string(), "correct data.dir");
    }
    if !data.store_file().exists() && !data.has_snapshots() {
        return there_is_none();
    }
    if let Some(found) = foreign_file(data) {
        return found;
    }
    match root.metadata().map(|metadata| metadata.permissions().mode() & 0o077) {
        Ok(0) => Finding::ok(CHECK, format!("{shown}, for its owner only")),
        Ok(_) => Finding::warning(CHECK, format!("{shown} is open to other users"), format!("chmod 700 {shown}")),
        Err(error) => Finding::failure(CHECK, format!("{shown}: {error}"), "correct data.dir"),
    }
}

/// A file of the house that another user owns than its folder: the service could not write it.
fn foreign_file(data: &DataFolder) -> Option<Finding> {
    let owner_of = |path: &Path| path.metadata().map(|found| found.uid()).ok();
    let owner = owner_of(data.root())?;
    let files = [data.store_file(), data.blobs(), data.backups(), data.run()];
    let foreign = files.into_iter().find(|path| owner_of(path).is_some_and(|found| found != owner))?;
    let root = data.root().display();
    let finding = format!("{} belongs to another user than {root} itself", foreign.display());
    Some(Finding::failure("data folder", finding, format!("give all of it to one: chown -R --reference={root} {root}")))
}

fn file_system(existing: &Path) -> Finding {
    const CHECK: &str = "file system";
    if let Some(kind) = network_file_system(existing) {
        let finding = format!("{} is on {kind}, where a store can be damaged", existing.display());
        return Finding::failure(CHECK, finding, "put data.dir on a local disk and copy backups to the share");
    }
    match statfs(existing) {
        Err(error) => Finding::warning(CHECK, format!("cannot be told: {error}"), "make sure that it is a local disk"),
        Ok(found) => {
            let magic = u64::from(found.f_type as u32);
            match DOUBTFUL_FILE_SYSTEMS.iter().find(|(known, ..)| *known == magic) {
                Some((_, what, cure)) => Finding::warning(CHECK, *what, *cure),
                None => Finding::ok(CHECK, "on a local disk"),
            }
        }
    }
}

fn room(existing: &Path, reserve: u64) -> Finding {
    match statvfs(existing) {
        Err(error) => Finding::warning("room", format!("cannot be told: {error}"), "look with df -h"),
        Ok(disk) => judge_room(disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize, reserve),
    }
}

fn judge_room(free: u64, total: u64, reserve: u64) -> Finding {
    let text = format!("{} free of {}", print::bytes(free), print::bytes(total));
    if free < reserve {
        Finding::failure("room", format!("{text}: writes are refused"), "free some room; hanok heals by itself then")
    } else if free < COMFORTABLE_ROOM.max(reserve) {
        Finding::warning("room", text, "free some room, or keep fewer snapshots (backup.hourly, daily, weekly)")
    } else {
        Finding::ok("room", text)
    }
}

fn last_snapshot(data: &DataFolder, now: DateTime<Utc>) -> Finding {
    let newest = snapshot::newest(data).ok().flatten();
    judge_snapshot(newest.map(|newest| newest.verified_at), data.store_file().exists(), now)
}

fn judge_snapshot(verified_at: Option<DateTime<Utc>>, has_store: bool, now: DateTime<Utc>) -> Finding {
    const CHECK: &str = "snapshot";
    match verified_at {
        None if !has_store => Finding::ok(CHECK, "none yet: nothing is stored"),
        None => Finding::warning(CHECK, "there is no verified snapshot", "`hanok backup` makes one"),
        Some(at) => {
            let hours = (now - at).num_hours();
            let text = format!("verified {hours} hours ago");
            if hours < 24 * 7 {
                Finding::ok(CHECK, text)
            } else {
                Finding::warning(CHECK, text, "`hanok backup` makes one (they come by themselves while hanok runs)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn little_room_is_a_warning_and_less_than_the_reserve_a_failure() {
        let verdict = |free: u64| judge_room(free, 100 << 30, 16 << 20).verdict;
        assert_eq!(verdict(50 << 30), Verdict::Ok);
        assert_eq!(verdict(500 << 20), Verdict::Warning);
        assert_eq!(verdict(15 << 20), Verdict::Failure);
    }

    #[test]
    fn a_store_without_a_recent_snapshot_is_a_warning() {
        let now: DateTime<Utc> = "2026-11-20T03:00:00Z".parse().unwrap();
        let verdict = |days: i64| judge_snapshot(Some(now - chrono::Duration::days(days)), true, now).verdict;
        assert_eq!(verdict(0), Verdict::Ok);
        assert_eq!(verdict(8), Verdict::Warning);
        assert_eq!(judge_snapshot(None, true, now).verdict, Verdict::Warning);
        assert_eq!(judge_snapshot(None, false, now).verdict, Verdict::Ok);
    }

    #[test]
    fn a_folder_without_a_house_is_named_in_full() {
        let root = std::env::temp_dir().join(format!("hanok-doctor-{}", std::process::id()));
        let data = DataFolder::at(&root);
        let found = permissions(&data, &std::env::temp_dir());
        assert_eq!(
            (found.verdict, found.finding),
            (Verdict::Warning, format!("there is no house in {} yet", root.display()))
        );
        std::fs::write(&root, "a file").unwrap();
        assert_eq!(permissions(&data, &root).verdict, Verdict::Failure);
        std::fs::remove_file(&root).unwrap();
    }

    #[test]
    fn files_of_another_user_are_a_failure() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let place = tempfile::TempDir::new().unwrap();
        let data = DataFolder::at(place.path());
        std::fs::write(data.store_file(), "").unwrap();
        std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(permissions(&data, place.path()).verdict, Verdict::Ok);
        std::os::unix::fs::chown(place.path(), Some(65_534), None).unwrap();
        let found = permissions(&data, place.path());
        assert_eq!(found.verdict, Verdict::Failure);
        assert!(found.finding.contains("hanok.redb belongs to another user"), "{}", found.finding);
    }

    #[test]
    fn nobody_is_told_to_close_a_folder_in_which_others_keep_something() {
        let root = std::env::temp_dir().join(format!("hanok-doctor-others-{}", std::process::id()));
        std::fs::create_dir_all(root.join("photos")).unwrap();
        let found = permissions(&DataFolder::at(&root), &root);
        assert_eq!(found.verdict, Verdict::Failure);
        assert!(!found.line().contains("chmod") && found.line().contains("photos"), "{}", found.line());
        std::fs::remove_dir_all(&root).unwrap();
    }
}

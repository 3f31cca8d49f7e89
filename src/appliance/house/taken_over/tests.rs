//! What becomes of the settings in a backup file.

use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::domains;
use hanok_platform::config::{Environment, Flags};

/// The settings of a house whose data folder is at `root`, in which nothing is set.
fn house(root: &Path) -> Config {
    let flags = Flags { data_dir: Some(root.to_owned()), ..Flags::default() };
    domains::settings(&flags, &Environment::default()).unwrap()
}

/// Where settings are laid first that are not taken over.
const LAID_ASIDE: &str = "appliance.restored.toml";

/// What a house of which nobody hears makes of the settings `text`.
fn take(config: &Config, text: &str) -> Message {
    take_over(config, None, text).unwrap().unwrap()
}

fn lies(root: &Path, name: &str) -> Option<String> {
    fs::read_to_string(root.join(name)).ok()
}

#[test]
fn where_the_house_is_reached_and_whom_it_believes_is_never_taken_from_a_backup_file() {
    const THEIRS: &str = "[ops]\nlisten = \"0.0.0.0:8420\"\naccess = \"open\"\nhosts = [\"evil.example\"]\n\
                          session_idle_days = 7\n[backup]\ndaily = 30\n[http]\ntrusted_proxies = [\"10.0.0.0/8\"]\n\
                          [site]\naddress = \"https://evil.example\"\n[compute]\naddress = \"evil.example:8430\"\n";
    let root = TempDir::new().unwrap();
    let said = take(&house(root.path()), THEIRS);
    let own = lies(root.path(), "appliance.toml").unwrap();
    assert_eq!(own.trim(), "[backup]\ndaily = 30");
    for key in [
        "ops.listen",
        "ops.access",
        "ops.hosts",
        "http.trusted_proxies",
        "site.address",
        "compute.address",
        "ops.session_idle_days",
    ] {
        assert!(said.contains(key), "{key}: {said}");
    }
    let aside = lies(root.path(), LAID_ASIDE).unwrap();
    let is_left =
        ["session_idle_days = 7", "evil.example:8430", "access = \"open\""].iter().all(|line| aside.contains(line));
    assert!(is_left && !aside.contains("daily"), "what is left, and no more: {aside}");
    assert!(said.contains(LAID_ASIDE), "{said}");
}

const SHUTS_OUT: &str = "[http]\nmax_connections = 1\nconnections_per_address = 1\nrequests_per_second = 1\n\
                         burst = 1\nrequest_seconds = 1\nbody_limit_bytes = 1024\n[store]\n\
                         reserved_disk_mib = 1048576\n[backup]\nevery_minutes = 0\nweekly = 9\n[jobs]\n\
                         schedule = false\n";

#[test]
fn what_only_hands_change_and_what_would_end_backups_jobs_or_writes_is_not_taken_from_a_backup_file() {
    let root = TempDir::new().unwrap();
    let house = house(root.path());
    let foreseen = foreseen(&house, SHUTS_OUT);
    let said = take(&house, SHUTS_OUT);
    assert_eq!(lies(root.path(), "appliance.toml").unwrap().trim(), "[backup]\nweekly = 9");
    let left = [
        ("http.body_limit_bytes", "1024"),
        ("http.request_seconds", "1"),
        ("http.max_connections", "1"),
        ("http.connections_per_address", "1"),
        ("http.requests_per_second", "1"),
        ("http.burst", "1"),
        ("store.reserved_disk_mib", "1048576"),
        ("backup.every_minutes", "0"),
        ("jobs.schedule", "false"),
    ];
    for (key, _) in left {
        assert!(said.contains(key), "{key}: {said}");
    }
    let told = |all: &[ImportedSetting]| all.iter().map(|one| (one.key.clone(), one.value.clone())).collect::<Vec<_>>();
    let told_as = |all: &[(&str, &str)]| {
        all.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(told(&foreseen.left), told_as(&left));
    assert_eq!(told(&foreseen.taken), told_as(&[("backup.weekly", "9")]));
}

#[test]
fn what_would_become_of_settings_is_foreseen_as_it_then_happens() {
    let root = TempDir::new().unwrap();
    let house = house(root.path());
    let usual = foreseen(&house, "[store]\nreserved_disk_mib = 17\n[backup]\nevery_minutes = 30\n");
    assert!(usual.usable && usual.left.is_empty() && usual.taken.len() == 2, "{usual:?}");
    assert!(!foreseen(&house, "[ops\nlisten").usable);
    let long = format!("[ops]\nhosts = [\"{}\"]\n", "a.".repeat(100).trim_end_matches('.'));
    assert!(foreseen(&house, &long).left[0].value.ends_with('…'));
    fs::write(root.path().join("appliance.toml"), "[ops]\nsession_idle_days = 9\n").unwrap();
    let own = foreseen(&house, "[backup]\nweekly = 9\n");
    assert!(own.taken.is_empty() && own.left[0].key == "backup.weekly", "{own:?}");
    assert_eq!(lies(root.path(), LAID_ASIDE), None, "nothing is written yet");
}

#[test]
fn settings_that_cannot_be_used_are_laid_aside_and_said_and_those_of_the_house_stay() {
    let root = TempDir::new().unwrap();
    let long = format!("[ops]\nsession_idle_days = 7\n{}", "# and so on\n".repeat(6_000));
    for broken in ["[ops\nlisten", "[ops]\nsession_idle_days = 0\n", "[nowhere]\nkey = 1\n", &long] {
        let root = TempDir::new().unwrap();
        assert!(!foreseen(&house(root.path()), broken).usable);
        let said = take(&house(root.path()), broken);
        assert!(said.starts_with("none were taken over, they cannot be used"), "{said}");
        assert_eq!(lies(root.path(), LAID_ASIDE).as_deref(), Some(broken));
        assert_eq!(lies(root.path(), "appliance.toml"), None);
    }
    fs::write(root.path().join("appliance.toml"), "[backup]\ndaily = 20\n").unwrap();
    let said = take(&house(root.path()), "[backup]\ndaily = 30\n");
    assert!(said.starts_with("those of this house stay"), "{said}");
    assert_eq!(lies(root.path(), "appliance.toml").as_deref(), Some("[backup]\ndaily = 20\n"));
    let fresh = TempDir::new().unwrap();
    let said = take(&house(fresh.path()), "[backup]\ndaily = 30\n");
    assert!(said.starts_with("taken over into"), "{said}");
    assert_eq!(lies(fresh.path(), LAID_ASIDE), None);
}

#[test]
fn settings_of_which_none_can_be_taken_write_no_file_of_the_house_and_are_said_so() {
    const THEIRS: &str = "[ops]\nlisten = \"0.0.0.0:8420\"\n";
    let root = TempDir::new().unwrap();
    let said = take(&house(root.path()), THEIRS);
    assert!(said.starts_with("none were taken over: ops.listen stay"), "{said}");
    assert_eq!((lies(root.path(), "appliance.toml"), lies(root.path(), LAID_ASIDE).as_deref()), (None, Some(THEIRS)));
    let nothing = TempDir::new().unwrap();
    let said = take_over(&house(nothing.path()), None, "# nothing\n[backup]\nhourly = 24\n").unwrap();
    assert!(said.is_none(), "{said:?}");
    assert_eq!(fs::read_dir(nothing.path()).unwrap().count(), 0);
}

#[test]
fn what_was_laid_aside_stays_whatever_is_restored_next_and_is_not_laid_there_twice() {
    let root = TempDir::new().unwrap();
    let (first, second) = ("[ops]\nlisten = \"0.0.0.0:8420\"\n", "[ops]\nlisten = \"0.0.0.0:8421\"\n");
    for theirs in [first, second, first, second] {
        take(&house(root.path()), theirs);
    }
    take(&house(root.path()), "[backup]\ndaily = 30\n");
    let aside =
        [LAID_ASIDE, "appliance.restored-2.toml", "appliance.restored-3.toml"].map(|name| lies(root.path(), name));
    assert_eq!(aside, [Some(first.to_owned()), Some(second.to_owned()), None]);
}

#[test]
fn a_lower_retention_is_held_against_the_one_in_force_and_not_against_the_usual_one() {
    let root = TempDir::new().unwrap();
    let flags = Flags { data_dir: Some(root.path().to_owned()), ..Flags::default() };
    let here = domains::settings(&flags, &Environment::of([("HANOK_BACKUP__DAILY", "20")])).unwrap();
    let keeps = foreseen(&here, "[backup]\ndaily = 19\nhourly = 25\n");
    assert_eq!((keeps.taken[0].key.as_str(), keeps.left[0].key.as_str()), ("backup.hourly", "backup.daily"));
}

#[test]
fn nothing_is_brought_that_removes_backups_ends_sign_ins_silences_or_starves_the_house() {
    let root = TempDir::new().unwrap();
    let house = house(root.path());
    for (section, left, taken) in [
        ("backup", "hourly = 0", Some("hourly = 25")),
        ("backup", "daily = 13", Some("daily = 15")),
        ("backup", "weekly = 0", Some("weekly = 9")),
        ("backup", "every_minutes = 61", Some("every_minutes = 59")),
        ("backup", "upload_mib = 1", Some("upload_mib = 5000")),
        ("ops", "session_idle_days = 1", None),
        ("ops", "session_absolute_days = 3650", None),
        ("log", "level = \"error\"", Some("level = \"debug\"")),
        ("compute", "seconds = 1", Some("seconds = 30")),
        ("compute", "queue = 1", Some("queue = 17")),
        ("compute", "workers = 1024", None),
        ("jobs", "heavy_workers = 64", None),
        ("store", "cache_mib = 65536", None),
        ("store", "reserved_disk_mib = 1", Some("reserved_disk_mib = 17")),
        ("upstream", "open_seconds = 86400", Some("open_seconds = 60")),
        ("upstream", "failures_to_open = 1", Some("failures_to_open = 6")),
    ] {
        let theirs = foreseen(&house, &format!("[{section}]\n{left}\n"));
        assert!(theirs.usable && theirs.taken.is_empty() && theirs.left.len() == 1, "{left}: {theirs:?}");
        if let Some(taken) = taken {
            let theirs = foreseen(&house, &format!("[{section}]\n{taken}\n"));
            assert!(theirs.usable && theirs.left.is_empty() && theirs.taken.len() == 1, "{taken}: {theirs:?}");
        }
    }
}

#[test]
fn what_a_restore_did_is_told_also_where_the_settings_of_the_file_cannot_be_written() {
    let root = TempDir::new().unwrap();
    let config = house(&root.path().join("gone"));
    let restored = Restored {
        ok: true,
        restored: "made".to_owned(),
        pre_restore: None,
        undo: None,
        rows: 3,
        described: 0,
        cleared: 0,
        last_write_left_out: false,
        signed_out: false,
        texts: Vec::new(),
    };
    let given = Some("[ops]\nsession_idle_days = 7\n".to_owned());
    let told = RestoredFile::offline(&config, restored.clone(), given).told().unwrap();
    assert_eq!((told["restored"].as_str(), told["rows"].as_u64()), (Some("made"), Some(3)));
    assert_eq!(told["settings"], "those of the backup file could not be laid down (INTERNAL)");
    let without = RestoredFile::offline(&config, restored, Some(" ".to_owned()));
    assert_eq!((&without.settings, &without.settings_localized), (&None, &None));
    assert_eq!(without.told().unwrap()["settings"], Value::Null);
}

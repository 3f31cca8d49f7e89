//! The settings in a backup file. They come from elsewhere: they are read and checked before they count, a house that has
//! its own keeps them, and where the house is reached and whom it believes is never taken from there.

use std::fs;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::settings_file::{self, text_of};
use hanok_base::said::Spoken;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result, Said, Sentence};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::config::{Config, ToTakeOver};
use hanok_platform::store::folder::{replace_whole, write_whole};
use hanok_platform::store::restore::Restored;
use hanok_platform::store::{SettingBrought, SettingsBrought, room_left};

/// Where the settings of a backup file are laid when they are not taken over whole.
const LAID_ASIDE: &str = "appliance.restored.toml";

const TAKEN: Sentence = Sentence::new("house.settings_taken", "taken over into {own}");
const TAKEN_BUT: Sentence = Sentence::new(
    "house.settings_taken_but",
    "taken over into {own} but for {keys}, which stay as they are here; those of the backup file are in {aside}",
);
const OWN_STAY: Sentence =
    Sentence::new("house.settings_stay", "those of this house stay ({own}); those of the backup file are in {aside}");
const UNUSABLE: Sentence = Sentence::new(
    "house.settings_unusable",
    "none were taken over, they cannot be used ({why}); those of the backup file are in {aside}",
);
const NOT_LAID_DOWN: Sentence =
    Sentence::new("house.settings_not_laid_down", "those of the backup file could not be laid down ({code})");

/// What a restore of a file did.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RestoredFile {
    /// What it did.
    pub restored: Restored,
    /// A sentence on what became of the settings that were in it. Null where there were none.
    pub settings: Option<String>,
    /// How a browser says `settings` in its language.
    #[serde(default)]
    pub settings_spoken: Option<Spoken>,
}

impl RestoredFile {
    /// What a restore in the running house did, whose file held `settings`.
    pub async fn of(app: &App, restored: Restored, settings: Option<String>) -> RestoredFile {
        let config = app.config.clone();
        let taken = blocking::run(move |_| Ok(taken_over(&config, settings)));
        RestoredFile::telling(restored, taken.await.unwrap_or_else(|error| Some(not_laid_down(&error))))
    }

    /// The same where no house runs.
    pub fn offline(config: &Config, restored: Restored, settings: Option<String>) -> RestoredFile {
        RestoredFile::telling(restored, taken_over(config, settings))
    }

    fn telling(restored: Restored, settings: Option<Said>) -> RestoredFile {
        let (settings, spoken) = settings.map(Said::into_parts).unzip();
        RestoredFile { restored, settings, settings_spoken: spoken.flatten() }
    }

    /// As the command line tells it: what was done, and a line on the settings.
    pub fn told(self) -> Result<Value> {
        let mut answer = serde_json::to_value(self.restored).map_err(Error::internal)?;
        if let Value::Object(fields) = &mut answer {
            fields.insert("settings".to_owned(), self.settings.into());
        }
        Ok(answer)
    }
}

/// What became of the settings of a backup file; none where it held none.
fn taken_over(config: &Config, settings: Option<String>) -> Option<Said> {
    let text = settings.filter(|text| !text.trim().is_empty())?;
    // The state is in place already: what goes wrong here is said of the settings alone.
    Some(take_over(config, &text).unwrap_or_else(|error| not_laid_down(&error)))
}

fn not_laid_down(error: &Error) -> Said {
    NOT_LAID_DOWN.with([("code", error.code().into())])
}

/// Takes over what may be taken over. Gives a sentence that says what became of the rest.
fn take_over(config: &Config, text: &str) -> Result<Said> {
    let aside = config.data.dir.join(LAID_ASIDE);
    write_whole(&aside, text.as_bytes())?;
    let laid = || ("aside", aside.display().to_string().into());
    let theirs = match config.of_another(text, aside.clone()) {
        Ok(theirs) => theirs,
        Err(error) => return Ok(UNUSABLE.with([("why", error.to_string().into()), laid()])),
    };
    let _turn = settings_file::turn();
    let path = config.file_to_change();
    let own = ("own", path.display().to_string().into());
    // The household may have written it since the start: what lies there counts, not what was read.
    if !text_of(&path)?.trim().is_empty() {
        return Ok(OWN_STAY.with([own, laid()]));
    }
    let ToTakeOver { text, left, .. } = theirs.to_take_over(room_left(&config.data.dir));
    replace_whole(&path, text.as_bytes())?;
    if left.is_empty() {
        fs::remove_file(&aside).map_err(Error::internal)?;
        return Ok(TAKEN.with([own]));
    }
    let keys = left.into_iter().map(|(key, _)| key).collect::<Vec<_>>().join(", ");
    Ok(TAKEN_BUT.with([own, ("keys", keys.into()), laid()]))
}

/// What a restore would make of the settings `text` of a backup file, so that whoever decides on it sees them before.
pub fn foreseen(config: &Config, text: &str) -> SettingsBrought {
    let has_own = || text_of(&config.file_to_change()).map_or(true, |own| !own.trim().is_empty());
    let Ok(theirs) = config.of_another(text, config.data.dir.join(LAID_ASIDE)) else {
        return SettingsBrought { usable: false, ..SettingsBrought::default() };
    };
    let ToTakeOver { mut taken, mut left, .. } = theirs.to_take_over(room_left(&config.data.dir));
    if has_own() {
        left.splice(0..0, taken.drain(..));
    }
    let shown =
        |all: Vec<(&str, String)>| all.into_iter().map(|(key, value)| SettingBrought::of(key, &value)).collect();
    SettingsBrought { usable: true, taken: shown(taken), left: shown(left) }
}

#[cfg(test)]
mod tests {
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

    fn lies(root: &Path, name: &str) -> Option<String> {
        fs::read_to_string(root.join(name)).ok()
    }

    #[test]
    fn where_the_house_is_reached_and_whom_it_believes_is_never_taken_from_a_backup_file() {
        const THEIRS: &str = "[ops]\nlisten = \"0.0.0.0:8420\"\naccess = \"open\"\nhosts = [\"evil.example\"]\n\
                              session_idle_days = 7\n[http]\ntrusted_proxies = [\"10.0.0.0/8\"]\n\
                              [site]\naddress = \"https://evil.example\"\n[compute]\naddress = \"evil.example:8430\"\n";
        let root = TempDir::new().unwrap();
        let said = take_over(&house(root.path()), THEIRS).unwrap();
        let own = lies(root.path(), "appliance.toml").unwrap();
        assert_eq!(own.trim(), "[ops]\nsession_idle_days = 7");
        for key in ["ops.listen", "ops.access", "ops.hosts", "http.trusted_proxies", "site.address", "compute.address"]
        {
            assert!(said.contains(key), "{key}: {said}");
        }
        assert_eq!(lies(root.path(), LAID_ASIDE).as_deref(), Some(THEIRS));
        assert!(said.contains(LAID_ASIDE), "{said}");
    }

    const SHUTS_OUT: &str = "[http]\nmax_connections = 1\nconnections_per_address = 1\nrequests_per_second = 1\n\
                             burst = 1\nrequest_seconds = 1\nbody_limit_bytes = 1024\n[store]\n\
                             reserve_mebibytes = 1048576\n[backup]\nevery_minutes = 0\nweekly = 4\n[jobs]\n\
                             schedule = false\n";

    #[test]
    fn what_only_hands_change_and_what_would_end_backups_jobs_or_writes_is_not_taken_from_a_backup_file() {
        let root = TempDir::new().unwrap();
        let house = house(root.path());
        let foreseen = foreseen(&house, SHUTS_OUT);
        let said = take_over(&house, SHUTS_OUT).unwrap();
        assert_eq!(lies(root.path(), "appliance.toml").unwrap().trim(), "[backup]\nweekly = 4");
        let left = [
            ("http.body_limit_bytes", "1024"),
            ("http.request_seconds", "1"),
            ("http.max_connections", "1"),
            ("http.connections_per_address", "1"),
            ("http.requests_per_second", "1"),
            ("http.burst", "1"),
            ("store.reserve_mebibytes", "1048576"),
            ("backup.every_minutes", "0"),
            ("jobs.schedule", "false"),
        ];
        for (key, _) in left {
            assert!(said.contains(key), "{key}: {said}");
        }
        let told =
            |all: &[SettingBrought]| all.iter().map(|one| (one.key.clone(), one.value.clone())).collect::<Vec<_>>();
        let told_as = |all: &[(&str, &str)]| {
            all.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(told(&foreseen.left), told_as(&left));
        assert_eq!(told(&foreseen.taken), told_as(&[("backup.weekly", "4")]));
    }

    #[test]
    fn what_would_become_of_settings_is_foreseen_as_it_then_happens() {
        let root = TempDir::new().unwrap();
        let house = house(root.path());
        let usual = foreseen(&house, "[store]\nreserve_mebibytes = 17\n[backup]\nevery_minutes = 30\n");
        assert!(usual.usable && usual.left.is_empty() && usual.taken.len() == 2, "{usual:?}");
        assert!(!foreseen(&house, "[ops\nlisten").usable);
        let long = format!("[ops]\nhosts = [\"{}\"]\n", "a.".repeat(100).trim_end_matches('.'));
        assert!(foreseen(&house, &long).left[0].value.ends_with('…'));
        fs::write(root.path().join("appliance.toml"), "[ops]\nsession_idle_days = 9\n").unwrap();
        let own = foreseen(&house, "[backup]\nweekly = 4\n");
        assert!(own.taken.is_empty() && own.left[0].key == "backup.weekly", "{own:?}");
        assert_eq!(lies(root.path(), LAID_ASIDE), None, "nothing is written yet");
    }

    #[test]
    fn settings_that_cannot_be_used_are_laid_aside_and_said_and_those_of_the_house_stay() {
        let root = TempDir::new().unwrap();
        let long = format!("[ops]\nsession_idle_days = 7\n{}", "# and so on\n".repeat(6_000));
        for broken in ["[ops\nlisten", "[ops]\nsession_idle_days = 0\n", "[nowhere]\nkey = 1\n", &long] {
            assert!(!foreseen(&house(root.path()), broken).usable);
            let said = take_over(&house(root.path()), broken).unwrap();
            assert!(said.starts_with("none were taken over, they cannot be used"), "{said}");
            assert_eq!(lies(root.path(), LAID_ASIDE).as_deref(), Some(broken));
            assert_eq!(lies(root.path(), "appliance.toml"), None);
        }
        fs::write(root.path().join("appliance.toml"), "[ops]\nsession_idle_days = 9\n").unwrap();
        let said = take_over(&house(root.path()), "[ops]\nsession_idle_days = 7\n").unwrap();
        assert!(said.starts_with("those of this house stay"), "{said}");
        assert_eq!(lies(root.path(), "appliance.toml").as_deref(), Some("[ops]\nsession_idle_days = 9\n"));
        let fresh = TempDir::new().unwrap();
        let said = take_over(&house(fresh.path()), "[ops]\nsession_idle_days = 7\n").unwrap();
        assert!(said.starts_with("taken over into"), "{said}");
        assert_eq!(lies(fresh.path(), LAID_ASIDE), None);
    }

    #[test]
    fn what_a_restore_did_is_told_also_where_the_settings_of_the_file_cannot_be_written() {
        let root = TempDir::new().unwrap();
        let config = house(&root.path().join("gone"));
        let restored = Restored {
            ok: true,
            restored: "made".to_owned(),
            kept_aside: None,
            undo: None,
            rows: 3,
            described: 0,
            cleared: 0,
            last_write_left_out: false,
        };
        let given = Some("[ops]\nsession_idle_days = 7\n".to_owned());
        let told = RestoredFile::offline(&config, restored.clone(), given).told().unwrap();
        assert_eq!((told["restored"].as_str(), told["rows"].as_u64()), (Some("made"), Some(3)));
        assert_eq!(told["settings"], "those of the backup file could not be laid down (INTERNAL)");
        let without = RestoredFile::offline(&config, restored, Some(" ".to_owned()));
        assert_eq!((&without.settings, &without.settings_spoken), (&None, &None));
        assert_eq!(without.told().unwrap()["settings"], Value::Null);
    }
}

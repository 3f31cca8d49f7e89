//! The settings in a backup file. They come from elsewhere: they are read and checked before they count, a house that has
//! its own keeps them, and where the house is reached and whom it believes is never taken from there.

use std::fs;

use serde_json::Value;

use crate::domains;
use hanok_base::{Error, Result};
use hanok_platform::config::{Config, Environment, Flags};
use hanok_platform::store::folder::write_whole;
use hanok_platform::store::restore::Restored;

/// Where the settings of a backup file are laid when they are not taken over whole.
const LAID_ASIDE: &str = "appliance.restored.toml";

/// What a restore did, with a sentence about the settings that were in the file.
pub(super) fn taken_over(config: &Config, restored: Restored, settings: Option<String>) -> Result<Value> {
    let settings = settings.filter(|text| !text.trim().is_empty());
    // The state is in place already: what goes wrong here is said of the settings alone.
    let sentence = settings.map(|text| {
        let taken = take_over(config, &text);
        taken.unwrap_or_else(|error| format!("those of the backup file could not be laid down ({})", error.code()))
    });
    let mut answer = serde_json::to_value(restored).map_err(Error::internal)?;
    if let Value::Object(fields) = &mut answer {
        fields.insert("settings".to_owned(), sentence.into());
    }
    Ok(answer)
}

/// Takes over what may be taken over. Gives a sentence that says what became of the rest.
fn take_over(config: &Config, text: &str) -> Result<String> {
    let aside = config.data.dir.join(LAID_ASIDE);
    write_whole(&aside, text.as_bytes())?;
    let laid = format!("those of the backup file are in {}", aside.display());
    let flags = Flags { config: Some(aside.clone()), ..Flags::default() };
    let theirs = match domains::settings(&flags, &Environment::default()) {
        Ok(theirs) => theirs,
        Err(error) => return Ok(format!("none were taken over, they cannot be used ({error}); {laid}")),
    };
    if let Some(own) = config.file() {
        return Ok(format!("those of this house stay ({}); {laid}", own.display()));
    }
    let (taken, stay) = theirs.to_take_over();
    let own = config.data.dir.join("appliance.toml");
    write_whole(&own, taken.as_bytes())?;
    if stay.is_empty() {
        fs::remove_file(&aside).map_err(Error::internal)?;
        return Ok(format!("taken over into {}", own.display()));
    }
    Ok(format!("taken over into {} but for {}, which stay as they are here; {laid}", own.display(), stay.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;

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

    #[test]
    fn settings_that_cannot_be_used_are_laid_aside_and_said_and_those_of_the_house_stay() {
        let root = TempDir::new().unwrap();
        for broken in ["[ops\nlisten", "[ops]\nsession_idle_days = 0\n", "[nowhere]\nkey = 1\n"] {
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
}

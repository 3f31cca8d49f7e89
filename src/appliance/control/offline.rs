//! Commands while the appliance does not run. A restore must work on a store that cannot be opened, so it
//! works on the folder; everything else opens the store and does the same as the running appliance.

use std::fs::File;
use std::path::Path;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Tell;
use super::command::{Command, checking, json};
use super::place::{LaidOut, holds_a_house, nowhere, shown};
use crate::assemble::{assemble, open_store};
use crate::files;
use crate::house::taken_over::RestoredFile;
use crate::house::upkeep::{Findings, check_snapshots};
use crate::prepare::prepare;
use crate::schema::schema;
use hanok_base::{Clock, Error, Result};
use hanok_platform::auth::{AccessMode, HouseholdAccess};
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::store::restore::Wanted;
use hanok_platform::store::{DataFolder, adopting, restore, snapshot, unpack};

/// Does `command` on the data folder of `config`, with the file that it writes.
pub(super) async fn perform(
    config: Config,
    clock: Clock,
    command: Command,
    file: Option<File>,
    mut progress: impl FnMut(u8, &str),
) -> Result<Value> {
    command.check()?;
    if !matches!(command, Command::Backups) {
        clock.check()?;
        files::check(files::Use::Command)?;
    }
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = async move {
        match command {
            Command::Backups => json(snapshot::list(&DataFolder::at(&config.data.dir))?),
            Command::Restore(_) | Command::UndoRestore | Command::RestoreFrom(_) | Command::Adopt => {
                let work = move |_: &CancellationToken| {
                    put_back(&config, &clock, command, |percent| {
                        let _ = tell.send((percent, "restoring".to_owned()));
                    })
                };
                blocking::run(work).await
            }
            other => {
                let folder = DataFolder::at(&config.data.dir);
                if matches!(other, Command::Verify { .. }) && !folder.store_file().exists() {
                    return check_beside(&config, &clock, nowhere(&folder), tell).await;
                }
                let laid_out = LaidOut::before(folder);
                let (opened, mut report) = match (open_store(&config, &clock).await, &other) {
                    (Err(error), Command::Verify { .. }) => {
                        return check_beside(&config, &clock, error, tell).await;
                    }
                    (opened, _) => opened.inspect_err(|_| laid_out.take_away())?,
                };
                let household = HouseholdAccess::new(AccessMode::Loopback);
                let app = assemble(config, clock, opened, household)?;
                // A check writes nothing first: what would keep a write from being done is what it looks for.
                if !matches!(other, Command::Verify { .. }) {
                    prepare(&app, &mut report).await?;
                }
                let result = other.run(&app, file, tell).await;
                app.data.store.close().await?;
                result
            }
        }
    };
    tokio::pin!(work);
    loop {
        tokio::select! {
            // What was told before the end is heard before the end.
            biased;
            Some((percent, what)) = told.recv() => progress(percent, &what),
            result = &mut work => return result,
        }
    }
}

/// Checks the snapshots beside a store that cannot be opened: which of them are sound is what its owner wants to know.
///
/// # Errors
/// Always: why the store cannot be opened, and what is wrong with the snapshots.
async fn check_beside(config: &Config, clock: &Clock, unopened: Error, tell: Tell) -> Result<Value> {
    let mut findings = Findings::default();
    findings.note(Err(unopened));
    json(check_snapshots(DataFolder::at(&config.data.dir), clock.now(), findings, checking(tell)).await?)
}

fn put_back(config: &Config, clock: &Clock, command: Command, progress: impl FnMut(u8)) -> Result<Value> {
    if let Command::RestoreFrom(path) = &command {
        return take_in(config, clock, path, progress);
    }
    let folder = DataFolder::take(&config.data.dir)?;
    let schema = schema();
    let wanted = match &command {
        Command::Adopt => return json(adopting::offline(&folder, &schema, clock, progress)?),
        Command::Restore(Some(name)) => Wanted::Named(name),
        Command::UndoRestore => Wanted::BeforeTheLast,
        _ => Wanted::Newest,
    };
    json(restore::offline(&folder, &schema, clock, wanted, progress)?)
}

/// Takes over a backup file: into the house that is there, or into a new one, of which nothing stays when it fails.
fn take_in(config: &Config, clock: &Clock, source: &Path, progress: impl FnMut(u8)) -> Result<Value> {
    let place = DataFolder::at(&config.data.dir);
    let is_new = !holds_a_house(&place);
    let laid_out = LaidOut::before(place);
    let reserve = config.store.reserved_disk_mib << 20;
    let taken = DataFolder::take(&config.data.dir)
        .and_then(|folder| unpack::offline(&folder, &schema(), reserve, clock, source, progress));
    let (restored, settings) = taken.inspect_err(|_| laid_out.take_away())?;
    let mut answer = RestoredFile::offline(config, restored, settings).told()?;
    if is_new && let Value::Object(fields) = &mut answer {
        fields.insert("new_house".to_owned(), shown(&config.data.dir).into());
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::Kind;

    #[tokio::test]
    async fn by_a_clock_that_is_not_set_no_command_opens_a_store() {
        let place = tempfile::TempDir::new().unwrap();
        let mut config = Config::default();
        config.data.dir = place.path().join("data");
        let begun = Command::HouseholdPassphrase { passphrase: "five apricot blossoms".to_owned(), new: true };
        let commands = [begun, Command::RestoreFrom(place.path().join("house.tar.gz"))];
        for command in commands {
            let refused =
                perform(config.clone(), Clock::fixed(chrono::DateTime::UNIX_EPOCH), command, None, |_, _| ()).await;
            let refused = refused.unwrap_err();
            assert_eq!(refused.kind, Kind::Conflict);
            assert!(refused.message.starts_with("the clock of this machine is not set"), "{refused:?}");
        }
        assert!(!config.data.dir.exists());
    }

    #[tokio::test]
    async fn a_folder_or_a_device_is_no_backup_file_and_no_house_begins() {
        let place = tempfile::TempDir::new().unwrap();
        let mut config = Config::default();
        config.data.dir = place.path().join("data");
        for source in ["/dev/zero".into(), place.path().to_owned()] {
            let restore = Command::RestoreFrom(source);
            let refused = perform(config.clone(), Clock::system(), restore, None, |_, _| ()).await.unwrap_err();
            assert!(refused.fields["file"].contains("a folder or a device"), "{refused:?}");
        }
        assert!(!config.data.dir.exists());
    }
}

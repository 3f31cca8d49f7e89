//! Commands while the appliance does not run. A restore must work on a store that cannot be opened, so it
//! works on the folder; everything else opens the store and does the same as the running appliance.

use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Tell;
use super::command::{Command, checking, json};
use super::settings::taken_over;
use crate::assemble::{assemble, open_store};
use crate::house::upkeep::{Findings, check_snapshots};
use crate::prepare::prepare;
use crate::schema::schema;
use hanok_base::{Clock, Error, Result};
use hanok_platform::auth::{AccessMode, HouseholdAccess};
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::store::restore::Wanted;
use hanok_platform::store::{DataFolder, adopting, restore, snapshot, unpack};

/// Does `command` on the data folder of `config`.
pub(super) async fn perform(
    config: Config,
    clock: Clock,
    command: Command,
    mut progress: impl FnMut(u8, &str),
) -> Result<Value> {
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
                let (opened, mut report) = match (open_store(&config, &clock).await, &other) {
                    (Err(error), Command::Verify { .. }) => return check_beside(&config, error, tell).await,
                    (opened, _) => opened?,
                };
                let household = HouseholdAccess {
                    mode: AccessMode::Loopback,
                    guesses: Default::default(),
                    unwritten: Default::default(),
                };
                let app = assemble(config, clock, opened, household)?;
                // A check writes nothing first: what would keep a write from being done is what it looks for.
                if !matches!(other, Command::Verify { .. }) {
                    prepare(&app, &mut report).await?;
                }
                let result = other.run(&app, tell).await;
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
async fn check_beside(config: &Config, unopened: Error, tell: Tell) -> Result<Value> {
    let mut findings = Findings::default();
    findings.note(Err(unopened));
    json(check_snapshots(DataFolder::at(&config.data.dir), findings, checking(tell)).await?)
}

fn put_back(config: &Config, clock: &Clock, command: Command, progress: impl FnMut(u8)) -> Result<Value> {
    let folder = DataFolder::take(&config.data.dir)?;
    let schema = schema();
    let wanted = match &command {
        Command::RestoreFrom(path) => {
            let (restored, settings) = unpack::offline(&folder, &schema, clock, path, progress)?;
            return taken_over(config, restored, settings);
        }
        Command::Adopt => return json(adopting::offline(&folder, &schema, clock, progress)?),
        Command::Restore(Some(name)) => Wanted::Named(name),
        Command::UndoRestore => Wanted::BeforeTheLast,
        _ => Wanted::Newest,
    };
    json(restore::offline(&folder, &schema, clock, wanted, progress)?)
}

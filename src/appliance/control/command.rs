//! What the command line can ask of the house. Each verb is one call of the room that it belongs to.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Tell;
use super::place::{Needs, shown};
use crate::domains;
use crate::house::backups;
use crate::house::health::HealthCheck;
use crate::house::household::set_passphrase_by;
use crate::house::taken_over::RestoredFile;
use crate::house::{health, mails, tasks, upkeep};
use hanok_base::error::Check;
use hanok_base::{Error, Message, Page, Result, Secret, Validated};
use hanok_platform::app::App;
use hanok_platform::auth::{self, Passphrase};
use hanok_platform::blobs::{self, Totals};
use hanok_platform::blocking;
use hanok_platform::chat::{self, ChatCounts};
use hanok_platform::config::Access;
use hanok_platform::domain::{Verb, Words};
use hanok_platform::jobs;
use hanok_platform::mail::{self, EmailAddress};
use hanok_platform::search::SearchState;
use hanok_platform::settings_file;
use hanok_platform::store::unpack::{self, Source};
use hanok_platform::store::{DataFolder, Placing, Snapshot, SnapshotKind, snapshot};
use hanok_platform::tokens::TokenState;
use hanok_platform::upstream::ProviderState;
use hanok_platform::writes;

/// One thing to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// How the house is that runs. Gives a [`Status`].
    Status,
    /// Makes and verifies a snapshot. Gives it.
    Backup,
    /// Writes one file with everything in it, which whoever commands has opened. Gives path and snapshot.
    BackupTo {
        /// Where, as an absolute path outside the data folder.
        path: PathBuf,
        /// Passphrase and sessions go with it.
        with_access: bool,
    },
    /// Every snapshot, newest first.
    Backups,
    /// Puts the snapshot of this name, or the newest sound one, in the place of the present state.
    Restore(Option<String>),
    /// Puts back what was there before the last restore.
    UndoRestore,
    /// Takes over a store file that was copied or moved after a crash, when every page and row of it is sound.
    Adopt,
    /// Takes over a file that `BackupTo` wrote, from this absolute path; a running house, the file that is handed to it.
    RestoreFrom(PathBuf),
    /// Checks every page of the store, what is derived from its rows, and every byte of every snapshot.
    Verify {
        /// Derives indexes, counts and totals anew first.
        #[serde(default)]
        rebuild: bool,
    },
    /// Gives unused room of the store file back.
    Compact,
    /// Makes the search index anew. Gives how it is then; nothing where the next start makes it.
    Reindex,
    /// Sets the household passphrase and ends every session.
    HouseholdPassphrase {
        /// What it is to be.
        passphrase: String,
        /// In a house that is begun with it.
        new: bool,
    },
    /// The devices that are signed in.
    HouseholdSessions,
    /// Ends every session.
    HouseholdSignOutAll,
    /// A fresh one-time set-up word, and where the household door listens.
    HouseholdSetupLink,
    /// What a domain declares: a verb of its command.
    Verb {
        /// The domain's command.
        command: String,
        /// The verb.
        verb: String,
        /// The words that were typed for it.
        words: Words,
    },
    /// The newest tasks and the schedule.
    JobList {
        /// How many.
        limit: usize,
    },
    /// One task.
    JobShow(String),
    /// Queues a failed or cancelled task again.
    JobRetry(String),
    /// Calls a task off.
    JobCancel(String),
    /// Runs an entry of the schedule now.
    JobRun(String),
    /// The newest mails, and how many need somebody.
    MailList {
        /// How many.
        limit: usize,
    },
    /// One mail.
    MailShow(u64),
    /// Queues a mail to this address by which the household sees that mail arrives. Gives the mail.
    MailTest(String),
    /// Queues a mail again that is not on its way.
    MailSend(u64),
    /// Removes a mail that is not on its way.
    MailRemove(u64),
}

/// How a running house is, and by which settings it runs: a flag of its command may say otherwise than their file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The version of its program.
    pub version: String,
    /// Where the household's door listens.
    pub ops_listen: SocketAddr,
    /// Where the customers' door listens.
    pub site_listen: SocketAddr,
    /// Who may use the household's door.
    pub ops_access: Access,
    /// How its search is.
    pub search: SearchState,
    /// What keeps it from its work, each in a sentence.
    pub failing: Vec<String>,
    /// How many mails need time, or somebody.
    #[serde(default)]
    pub mails: mail::Counts,
    /// How many messages to chats wait, or need somebody.
    #[serde(default)]
    pub chats: ChatCounts,
    /// How many writes to providers are open, or need somebody.
    #[serde(default)]
    pub writes: writes::WriteCounts,
    /// Its large files.
    #[serde(default)]
    pub files: Totals,
    /// How the providers do by which customers sign in.
    #[serde(default)]
    pub sign_in: Vec<ProviderState>,
    /// What providers permit the house to do.
    #[serde(default)]
    pub tokens: Vec<TokenState>,
}

impl Status {
    async fn of(app: &App) -> Result<Status> {
        let checks = health::check(app).await.into_iter().filter(|check| !check.ok);
        let said = |check: HealthCheck| {
            check.message.map_or_else(|| check.name.clone(), |why| format!("{}: {why}", check.name))
        };
        let ways = app.config.sign_in_providers();
        let is_way = |known: &ProviderState| ways.iter().any(|way| way.is_set() && way.section == known.name);
        Ok(Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ops_listen: app.config.ops.listen,
            site_listen: app.config.site.listen,
            ops_access: app.config.ops.access,
            search: app.data.search.state().await?,
            failing: checks.map(said).collect(),
            // A store that cannot be read has said so.
            mails: app.data.store.read(|tx| mail::counts(tx)).await.unwrap_or_default(),
            chats: app.data.store.read(|tx| chat::counts(tx)).await.unwrap_or_default(),
            writes: app.data.store.read(|tx| writes::counts(tx)).await.unwrap_or_default(),
            files: app.data.store.read(|tx| blobs::totals(tx)).await.unwrap_or_default(),
            sign_in: app.outside.upstream.report().into_iter().filter(is_way).collect(),
            tokens: app.outside.tokens.report().await.unwrap_or_default(),
        })
    }
}

impl Command {
    /// What must lie in the data folder before it is done there.
    pub(super) fn needs(&self) -> Needs {
        match self {
            Command::RestoreFrom(_) => Needs::Nothing,
            Command::HouseholdPassphrase { new: true, .. } => Needs::NewPlace,
            Command::Backups | Command::Restore(_) | Command::UndoRestore | Command::Verify { .. } => Needs::Snapshots,
            _ => Needs::Store,
        }
    }

    /// Refuses what can be refused without a store.
    pub(super) fn check(&self) -> Result<()> {
        match self {
            Command::HouseholdPassphrase { passphrase, .. } => parsed(passphrase.clone()).map(drop),
            Command::RestoreFrom(source) => unpack::check_source(source),
            Command::MailTest(to) => address(to.clone()).map(drop),
            Command::Verb { command, verb, words } => verb_of(command, verb)?.check(words),
            _ => Ok(()),
        }
    }

    /// Begins the file that it writes.
    pub(super) fn begin_file(&self, folder: &DataFolder) -> Result<Option<Placing>> {
        match self {
            Command::BackupTo { path, .. } => Placing::begin(folder, path).map(Some),
            _ => Ok(None),
        }
    }

    /// Opens the file that a running house reads for it.
    pub(super) fn open_file(&self) -> Result<Option<File>> {
        match self {
            Command::RestoreFrom(path) => Source::file(path).map(|source| Some(source.file)),
            _ => Ok(None),
        }
    }

    /// Does it on `app`, with the open file that it is about, telling progress on `tell`.
    pub async fn run(self, app: &App, file: Option<File>, tell: Tell) -> Result<Value> {
        match self {
            Command::Status => json(Status::of(app).await?),
            Command::Backup => json(upkeep::make_snapshot(app, SnapshotKind::Manual).await?),
            Command::BackupTo { path, with_access } => backup_to(app, &path, handed(file)?, with_access).await,
            Command::Backups => json(snapshots(app).await?),
            Command::Restore(name) => {
                let restore = |app: App| async move { json(app.data.restores.restore(name, restoring(tell)).await?) };
                restored(app, restore).await
            }
            Command::UndoRestore => {
                let undo = |app: App| async move { json(app.data.restores.undo(restoring(tell)).await?) };
                restored(app, undo).await
            }
            Command::Adopt => {
                Err(Error::conflict(Message::english("the store is open and in use: there is nothing to take over")))
            }
            Command::RestoreFrom(path) => {
                let source = Source::opened(handed(file)?, &path)?;
                let restore = |app: App| async move {
                    let (restored, settings) = app.data.restores.take_over(source, restoring(tell)).await?;
                    RestoredFile::of(&app, restored, settings).await.told()
                };
                restored(app, restore).await
            }
            Command::Verify { rebuild } => {
                let checked = upkeep::check_everything(app, rebuild, checking(tell));
                Ok(json!({ "ok": true, "snapshots": checked.await? }))
            }
            Command::Compact => {
                let (before, after) = app.data.store.compact().await?;
                Ok(json!({ "before_bytes": before, "after_bytes": after }))
            }
            Command::Reindex => json(app.data.search.make_anew().await?),
            Command::HouseholdPassphrase { passphrase, new } => {
                let hash = auth::hash(parsed(passphrase)?).await?;
                set_passphrase_by(app, move |tx| auth::set_passphrase(tx, &hash)).await?;
                Ok(json!({ "ok": true, "new_house": new.then(|| shown(&app.config.data.dir)) }))
            }
            Command::HouseholdSessions => json(app.data.store.read(|tx| auth::list_sessions(tx)).await?),
            Command::HouseholdSignOutAll => {
                let unwritten = app.access.household.unwritten.end_all();
                Ok(json!({ "ended": unwritten + app.data.store.write(auth::end_all_sessions).await? }))
            }
            Command::HouseholdSetupLink => {
                let (links, now) = (app.access.household.setup.clone(), app.clock.moment());
                let token = app.data.store.write(move |tx| links.new_token(tx, now)).await?;
                Ok(json!({ "token": token, "listen": app.config.ops.listen }))
            }
            Command::Verb { command, verb, words } => {
                let verb = verb_of(&command, &verb)?;
                verb.check(&words)?;
                (verb.run)(app.clone(), words.with(file)).await
            }
            Command::JobList { limit } => {
                let page = Page::parse(Some(Validated::of((limit as u64).into())), None, 50)?;
                json(tasks::read(app, page).await?)
            }
            Command::JobShow(id) => {
                let found = app.data.store.read(move |tx| jobs::find(tx, &id)).await?;
                json(tasks::placed(found.ok_or_else(|| Error::not_found("task"))?, &app.config.data.dir))
            }
            Command::JobRetry(id) => {
                let jobs = app.workers.jobs.clone();
                app.data.store.write(move |tx| jobs.retry(tx, &id)).await?;
                Ok(json!({ "ok": true }))
            }
            Command::JobCancel(id) => {
                app.workers.jobs.cancel(&app.data.store, &id).await?;
                Ok(json!({ "ok": true }))
            }
            Command::JobRun(name) => {
                let jobs = app.workers.jobs.clone();
                Ok(json!({ "task_id": app.data.store.write(move |tx| jobs.run_now(tx, &name)).await? }))
            }
            Command::MailList { limit } => json(mails::read(app, Page { limit, offset: 0 }).await?),
            Command::MailShow(id) => json(app.data.store.read(move |tx| mail::find(tx, id)).await?),
            Command::MailTest(to) => json(mails::send_test(app, mail::Language::En, address(to)?).await?),
            Command::MailSend(id) => {
                app.data.store.write(move |tx| mail::send_again(tx, id)).await?;
                Ok(json!({ "ok": true }))
            }
            Command::MailRemove(id) => {
                app.data.store.write(move |tx| mail::remove(tx, id)).await?;
                Ok(json!({ "ok": true }))
            }
        }
    }
}

fn parsed(passphrase: String) -> Result<Secret> {
    let passphrase = Validated::<Passphrase>::of(passphrase);
    Check::of(|check| check.take("passphrase", passphrase))
}

fn address(to: String) -> Result<EmailAddress> {
    let to = Validated::<EmailAddress>::of(to);
    Check::of(|check| check.take("address", to))
}

fn verb_of(command: &str, verb: &str) -> Result<&'static Verb> {
    domains::verb(command, verb).ok_or_else(|| Error::not_found("verb"))
}

/// What a restore gives, which is done to its end, whoever waits for it: it belongs to the process.
async fn restored<Work>(app: &App, restore: impl FnOnce(App) -> Work) -> Result<Value>
where
    Work: Future<Output = Result<Value>> + Send + 'static,
{
    let (restore, app) = (restore(app.clone()), app.clone());
    let claims = app.workers.claims.clone();
    claims.run_without_key("control", async move { backups::restoring(&app, restore).await }).await
}

/// Passes on how far a restore is.
fn restoring(tell: Tell) -> impl FnMut(u8) + Send + 'static {
    move |percent| drop(tell.send((percent, "restoring".to_owned())))
}

/// Passes on how far a check is.
pub(super) fn checking(tell: Tell) -> impl Fn(u8, Message) + Send + 'static {
    move |percent, what| drop(tell.send((percent, what.to_string())))
}

/// The file that a command is about.
fn handed(file: Option<File>) -> Result<File> {
    file.ok_or_else(|| Error::conflict(Message::english("the file that this is about did not come with it")))
}

async fn backup_to(app: &App, path: &Path, file: File, with_access: bool) -> Result<Value> {
    let store = &app.data.store;
    store.check_packing(with_access).await?;
    let snapshot = upkeep::make_snapshot(app, SnapshotKind::Manual).await?;
    let config = app.config.clone();
    let settings = blocking::run(move |_| Ok(settings_file::to_carry(&config))).await?;
    store.pack(&snapshot, &settings, file, with_access).await?;
    Ok(json!({ "path": path.display().to_string(), "snapshot": snapshot }))
}

async fn snapshots(app: &App) -> Result<Vec<Snapshot>> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(Vec::new()) };
    blocking::run(move |_| snapshot::list(&folder)).await
}

pub(super) fn json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(Error::internal)
}

//! The jobs that keep the house in order: snapshots, clearing what has run out, and the weekly check.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tracing::{info, warn};

use hanok_base::{Error, Kind, Message, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::blocking;
use hanok_platform::chat;
use hanok_platform::config::{self, Config};
use hanok_platform::events::{Change, Event};
use hanok_platform::http::purge_answers;
use hanok_platform::jobs::{self, Job, Lane, Progress};
use hanok_platform::mail;
use hanok_platform::store::retention::Retention;
use hanok_platform::store::{DataFolder, Snapshot, SnapshotKind, snapshot};
use hanok_platform::writes;

const LIVE_STORE: MessageTemplate = MessageTemplate::new("house.check.live_store", "the live store");
const FILES: MessageTemplate = MessageTemplate::new("house.check.files", "large files");
const CHECKING: MessageTemplate = MessageTemplate::new("house.check.snapshot", "{snapshot}");
const SOUND: MessageTemplate =
    MessageTemplate::new("house.check.sound", "the store and {snapshots} snapshots are sound");

/// Days for which ended tasks are kept.
const TASK_DAYS: i64 = 30;
/// Days for which it is kept what was written to providers.
const WRITE_DAYS: i64 = 400;

/// Makes and verifies a snapshot.
pub async fn make_snapshot(app: &App, kind: SnapshotKind) -> Result<Snapshot> {
    let made = app.data.store.snapshot(kind, keep(&app.config.backup)).await?;
    app.events.send(Event::Changed(Change::BACKUPS));
    info!(name = made.name, bytes = made.bytes, pause_ms = made.pause_ms, "made and verified a snapshot");
    Ok(made)
}

/// Checks every page of the live store, that indexes, counts and totals fit their rows, and every byte of every large
/// file and of every snapshot; where it is said to `rebuild`, all that is derived is derived anew first. What is found on the way ends
/// nothing: all of it is looked at. `progress` hears percent and what is checked. Gives how many snapshots there are.
///
/// # Errors
/// `INTERNAL` naming everything that was found; of one finding alone, its own error.
pub async fn check_everything(
    app: &App,
    rebuild: bool,
    progress: impl Fn(u8, Message) + Send + Sync + 'static,
) -> Result<usize> {
    let store = &app.data.store;
    let mut findings = Findings::default();
    progress(0, LIVE_STORE.into());
    if rebuild {
        findings.note(store.rebuild_derived().await);
    }
    findings.note(store.check_integrity().await);
    findings.note(store.check_rows().await);
    let files = app.data.blobs.check(|percent| progress(percent / 10, FILES.into())).await;
    for found in findings.noted(files).unwrap_or_default().findings {
        findings.note(Err(Error::new(Kind::Internal, found)));
    }
    if let Some(wrong) = app.data.search.check().await {
        warn!(%wrong, "the search index is damaged and is made anew");
    }
    let Some(folder) = store.folder().cloned() else { return findings.end(0) };
    let checked = check_snapshots(folder, app.clock.now(), findings, progress).await;
    // The state of a snapshot may be another now.
    app.events.send(Event::Changed(Change::BACKUPS));
    checked
}

/// Checks every byte of every snapshot in `folder`, and that none has lost its file or its description, after what was
/// found before; `now` is when the check begins. Gives how many there are.
///
/// # Errors
/// As [`check_everything`].
pub async fn check_snapshots(
    folder: DataFolder,
    now: DateTime<Utc>,
    mut findings: Findings,
    progress: impl Fn(u8, Message) + Send + 'static,
) -> Result<usize> {
    let checked = blocking::run(move |abandoned| {
        let snapshots = findings.noted(snapshot::list(&folder)).unwrap_or_default();
        // Before the long part: what is taken away from here on is no finding.
        match snapshot::incomplete(&folder) {
            Ok(incomplete) => {
                incomplete.into_iter().for_each(|what| findings.note(Err(Error::new(Kind::Internal, what))));
            }
            Err(error) => findings.note(Err(error)),
        }
        let mut checked = 0;
        for (number, snapshot) in snapshots.iter().enumerate() {
            progress(
                (10 + number * 90 / snapshots.len()) as u8,
                CHECKING.with([("snapshot", snapshot.name.as_str().into())]),
            );
            let outcome = snapshot::verify(&folder, snapshot, now, |_| blocking::go_on(abandoned));
            blocking::go_on(abandoned)?;
            // One that was taken away meanwhile, by hand or by the retention, is no finding.
            if outcome.is_ok() || snapshot::find(&folder, &snapshot.name).is_ok() {
                findings.note(outcome);
                checked += 1;
            }
        }
        findings.end(checked)
    });
    checked.await
}

/// Has everything checked soon where one snapshot was found damaged since the others were read last.
///
/// # Errors
/// `INTERNAL` when `backups/` cannot be read; those of a write.
pub async fn check_the_others(app: &App) -> Result<()> {
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(()) };
    if blocking::run(move |_| snapshot::are_in_doubt(&folder)).await? {
        app.data.store.write(|tx| jobs::enqueue(tx, &Scrub {}).map(drop)).await?;
    }
    Ok(())
}

/// What a check has found, one sentence each.
#[derive(Debug, Default)]
pub struct Findings(Vec<Error>);

impl Findings {
    /// What a part of the check gives, if nothing went wrong with it.
    fn noted<T>(&mut self, outcome: Result<T>) -> Option<T> {
        match outcome {
            Ok(found) => Some(found),
            Err(error) => {
                self.note(Err(error));
                None
            }
        }
    }

    /// Takes down what went wrong, if anything did.
    pub fn note(&mut self, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        // A damaged store says so to whoever asks it anything.
        if self.0.iter().any(|known| known.message == error.message) {
            return;
        }
        warn!(%error, "the check has found something");
        self.0.push(error);
    }

    fn end(mut self, checked: usize) -> Result<usize> {
        match self.0.len() {
            0 => Ok(checked),
            1 => Err(self.0.remove(0)),
            _ => {
                let said = Message::all(self.0.iter().map(|found| found.message.clone()));
                let causes: Vec<_> = self.0.iter().filter_map(|error| error.cause.as_deref()).collect();
                let found = Error::new(Kind::Internal, said);
                Err(if causes.is_empty() { found } else { found.because(causes.join("; ")) })
            }
        }
    }
}

/// The minutes between the backups that are made by themselves when something changed; none where none is.
pub fn backup_minutes(config: &Config) -> Option<u64> {
    Some(config.backup.every_minutes).filter(|_| backups_switched_off_by(config).is_none())
}

/// The setting by which no backups are made by themselves; none where they are.
pub fn backups_switched_off_by(config: &Config) -> Option<&'static str> {
    match (config.jobs.schedule, config.backup.every_minutes) {
        (false, _) => Some("jobs.schedule"),
        (true, 0) => Some("backup.every_minutes"),
        (true, _) => None,
    }
}

fn keep(settings: &config::Backup) -> Retention {
    Retention { hourly: settings.hourly as usize, daily: settings.daily as usize, weekly: settings.weekly as usize }
}

/// Makes a snapshot when something has changed since the last one.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Backup {}

impl Job for Backup {
    const KIND: &'static str = "backup";
    const TITLE: (&'static str, &'static str) = ("백업", "Backup");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;
    const ATTEMPTS: u32 = 3;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        if !app.data.store.has_changed() {
            return Ok(());
        }
        make_snapshot(&app, SnapshotKind::Hourly).await.map(drop)
    }
}

/// Clears sessions, first answers, mails, settled writes to providers, tasks and backup files on their way that have run out, and large files that
/// nobody needs any more.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Purge {}

impl Job for Purge {
    const KIND: &'static str = "purge";
    const TITLE: (&'static str, &'static str) = ("지난 기록 정리", "Clear what has run out");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        app.data.store.clear_downloads(app.clock.now()).await?;
        app.data.restores.clear_uploads(app.clock.now()).await?;
        let (ops, jobs, mail_days) = (app.config.ops.clone(), app.workers.jobs.clone(), app.config.mail.keep_days);
        mail::purge_files(&app.config.data.dir, mail_days, app.clock.now()).await?;
        app.data.blobs.clear_uploads().await?;
        // Where something is being copied now, they wait for the next day.
        let collected = app.data.blobs.collect().await?.unwrap_or_default();
        if collected.files > 0 {
            info!(files = collected.files, bytes = collected.bytes, "removed large files that nobody needs any more");
        }
        let chat_days = app.outside.chat.settings().keep_days;
        app.data
            .store
            .write(move |tx| {
                tx.quiet();
                auth::purge_sessions(tx, ops.session_idle_days, ops.session_absolute_days)?;
                auth::CUSTOMERS.purge(tx)?;
                auth::ADMINS.purge(tx)?;
                auth::purge_links(tx)?;
                purge_answers(tx)?;
                mail::purge(tx, mail_days)?;
                chat::purge(tx, chat_days)?;
                writes::purge(tx, WRITE_DAYS)?;
                jobs.prune(tx, TASK_DAYS).map(drop)
            })
            .await
    }
}

/// Reads the whole store and every snapshot again and compares checksums.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Scrub {}

impl Job for Scrub {
    const KIND: &'static str = "scrub";
    const TITLE: (&'static str, &'static str) = ("저장소와 백업 전체 검사", "Full check of store and backups");
    const LANE: Lane = Lane::Heavy;
    const UNIQUE: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let (tell, mut told) = mpsc::unbounded_channel();
        let checking = check_everything(&app, false, move |percent, what| {
            // Nobody hears it any more when it could not be written down.
            let _ = tell.send((percent, what));
        });
        let telling = async {
            while let Some((percent, what)) = told.recv().await {
                progress.say(percent, what).await?;
            }
            Ok(())
        };
        let (checked, told) = tokio::join!(checking, telling);
        let checked = checked?;
        told?;
        progress.say(100, SOUND.with([("snapshots", checked.into())])).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_are_made_by_themselves_only_at_a_distance_and_where_anything_begins_by_itself() {
        let minutes = |every_minutes: u64, schedule: bool| {
            let mut config = Config::default();
            (config.backup.every_minutes, config.jobs.schedule) = (every_minutes, schedule);
            (backup_minutes(&config), backups_switched_off_by(&config))
        };
        assert_eq!(minutes(60, true), (Some(60), None));
        assert_eq!(minutes(10_080, true), (Some(10_080), None));
        assert_eq!(minutes(0, true), (None, Some("backup.every_minutes")));
        assert_eq!(minutes(60, false), (None, Some("jobs.schedule")));
    }
}

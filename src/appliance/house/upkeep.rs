//! The jobs that keep the house in order: snapshots, clearing what has run out, and the weekly check.

use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use hanok_base::{Error, Kind, Result};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::blocking;
use hanok_platform::config;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::purge_answers;
use hanok_platform::jobs::{self, Job, Lane, Progress};
use hanok_platform::store::retention::Retention;
use hanok_platform::store::{DataFolder, Snapshot, SnapshotKind, snapshot};

/// Days for which ended tasks are kept.
const TASK_DAYS: i64 = 30;

/// Makes and verifies a snapshot.
pub async fn make_snapshot(app: &App, kind: SnapshotKind) -> Result<Snapshot> {
    let made = app.data.store.snapshot(kind, keep(&app.config.backup)).await?;
    app.events.send(Event::Changed(Change::BACKUPS));
    info!(name = made.name, bytes = made.bytes, pause_ms = made.pause_ms, "made and verified a snapshot");
    Ok(made)
}

/// Checks every page of the live store, that indexes, counts and totals fit their rows, and every byte of every
/// snapshot; where it is said to `rebuild`, all that is derived is derived anew first. What is found on the way ends
/// nothing: all of it is looked at. `progress` hears percent and what is checked. Gives how many snapshots there are.
///
/// # Errors
/// `INTERNAL` naming everything that was found; of one finding alone, its own error.
pub async fn check_everything(app: &App, rebuild: bool, progress: impl Fn(u8, &str) + Send + 'static) -> Result<usize> {
    let store = &app.data.store;
    let mut findings = Findings::default();
    progress(0, "the live store");
    if rebuild {
        findings.note(store.rebuild_derived().await);
    }
    findings.note(store.check_integrity().await);
    findings.note(store.check_rows().await);
    let Some(folder) = store.folder().cloned() else { return findings.end(0) };
    let checked = check_snapshots(folder, findings, progress).await;
    // The state of a snapshot may be another now.
    app.events.send(Event::Changed(Change::BACKUPS));
    checked
}

/// Checks every byte of every snapshot in `folder`, and that none has lost its file or its description, after what was
/// found before. Gives how many there are.
///
/// # Errors
/// As [`check_everything`].
pub async fn check_snapshots(
    folder: DataFolder,
    mut findings: Findings,
    progress: impl Fn(u8, &str) + Send + 'static,
) -> Result<usize> {
    let checked = blocking::run(move |abandoned| {
        let snapshots = snapshot::list(&folder).unwrap_or_else(|error| {
            findings.note(Err(error));
            Vec::new()
        });
        // Before the long part: what is taken away from here on is no finding.
        match snapshot::incomplete(&folder) {
            Ok(incomplete) => {
                incomplete.into_iter().for_each(|what| findings.note(Err(Error::new(Kind::Internal, what))));
            }
            Err(error) => findings.note(Err(error)),
        }
        let mut checked = 0;
        for (number, snapshot) in snapshots.iter().enumerate() {
            progress((10 + number * 90 / snapshots.len()) as u8, &snapshot.name);
            let outcome = snapshot::verify(&folder, snapshot, |_| blocking::go_on(abandoned));
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

/// What a check has found, one sentence each.
#[derive(Debug, Default)]
pub struct Findings(Vec<Error>);

impl Findings {
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
                let sentences: Vec<_> = self.0.into_iter().map(|error| error.message).collect();
                Err(Error::new(Kind::Internal, sentences.join("; ")))
            }
        }
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
    const TITLE: (&'static str, &'static str) = ("백업", "Snapshot");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;
    const ATTEMPTS: u32 = 3;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        if !app.data.store.has_changed() {
            return Ok(());
        }
        make_snapshot(&app, SnapshotKind::Hourly).await.map(drop)
    }
}

/// Clears sessions, first answers and tasks that have run out.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Purge {}

impl Job for Purge {
    const KIND: &'static str = "purge";
    const TITLE: (&'static str, &'static str) = ("지난 기록 정리", "Clear what has run out");
    const LANE: Lane = Lane::Quick;
    const ALONE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        let ops = app.config.ops.clone();
        app.data
            .store
            .write(move |tx| {
                tx.quiet();
                auth::purge_sessions(tx, ops.session_idle_days, ops.session_absolute_days)?;
                purge_answers(tx)?;
                jobs::prune(tx, TASK_DAYS).map(drop)
            })
            .await
    }
}

/// Reads the whole store and every snapshot again and compares checksums.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Scrub {}

impl Job for Scrub {
    const KIND: &'static str = "scrub";
    const TITLE: (&'static str, &'static str) = ("전체 검사", "Full check");
    const LANE: Lane = Lane::Heavy;
    const ALONE: bool = true;

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let checked = check_everything(&app, false, |_, _| ()).await?;
        progress.say(100, format!("the store and {checked} snapshots are sound")).await
    }
}

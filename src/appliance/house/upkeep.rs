//! The jobs that keep the house in order: snapshots, clearing what has run out, and the weekly check.

use serde::{Deserialize, Serialize};
use tracing::info;

use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::blocking;
use hanok_platform::config;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::purge_answers;
use hanok_platform::jobs::{self, Job, Lane, Progress};
use hanok_platform::store::retention::Retention;
use hanok_platform::store::{Snapshot, SnapshotKind, snapshot};

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
/// snapshot; `progress` hears percent and what is checked.
pub async fn check_everything(app: &App, progress: impl Fn(u8, &str) + Send + 'static) -> Result<usize> {
    progress(0, "the live store");
    app.data.store.check_integrity().await?;
    app.data.store.check_rows().await?;
    let Some(folder) = app.data.store.folder().cloned() else { return Ok(0) };
    let checked = blocking::run(move |abandoned| {
        let snapshots = snapshot::list(&folder)?;
        let mut checked = 0;
        for (number, snapshot) in snapshots.iter().enumerate() {
            progress((10 + number * 90 / snapshots.len()) as u8, &snapshot.name);
            match snapshot::verify(&folder, snapshot, |_| blocking::go_on(abandoned)) {
                // One that was taken away meanwhile, by hand or by the retention, is no finding.
                Err(_) if snapshot::find(&folder, &snapshot.name).is_err() => {}
                outcome => checked += outcome.map(|()| 1)?,
            }
        }
        Ok(checked)
    });
    checked.await
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
        let checked = check_everything(&app, |_, _| ()).await?;
        progress.say(100, format!("the store and {checked} snapshots are sound")).await
    }
}

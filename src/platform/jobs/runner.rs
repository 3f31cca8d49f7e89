//! The runner: begins what is due, as many at a time as the settings allow, until it is told to stop.

use chrono::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::progress::Progress;
use super::schedule;
use super::store::{self, Ending};
use super::task::Kept;
use super::{Jobs, TaskId};
use crate::app::App;
use crate::events::{Change, Event};
use crate::store::WriteTx;
use hanok_base::{Error, Kind, Result};

/// How long running jobs may take to end when the appliance stops; what has not ended then is interrupted.
const SHUTDOWN_GRACE: std::time::Duration = std::time::Duration::from_secs(5);

impl Jobs {
    /// Puts right what was running when the process ended, and notes schedule entries that are new.
    /// Gives a sentence when anything had been interrupted.
    pub async fn recover(&self, app: &App) -> Result<Option<String>> {
        let jobs = self.clone();
        let recovered = app.data.store.write(move |tx| {
            schedule::begin(&jobs.0.schedule, tx)?;
            store::recover(tx, |kind| jobs.0.registry.get(kind).is_some_and(|entry| entry.resume))
        });
        let (resumed, failed) = recovered.await?;
        if resumed + failed == 0 {
            return Ok(None);
        }
        Ok(Some(format!("{resumed} interrupted jobs go on, {failed} are failed as interrupted")))
    }

    /// Begins due tasks until `stop`, then waits for those that run.
    pub async fn run(&self, app: App, stop: CancellationToken) {
        let mut changes = app.events.listen();
        let mut running = JoinSet::new();
        let mut latest = app.clock.now();
        while !stop.is_cancelled() {
            if app.clock.now() < latest
                && let Err(error) = app.data.store.write(quietly(store::plan_anew)).await
            {
                warn!(%error, "jobs that were planned by the wrong clock still wait for it");
            }
            latest = app.clock.now();
            let wake_at = match self.begin_due(&app, &mut running).await {
                Ok(next) => next,
                Err(error) => {
                    warn!(%error, "jobs cannot be begun at the moment");
                    Some(app.clock.now() + Duration::seconds(10))
                }
            };
            let timer = async {
                match wake_at {
                    Some(at) => app.clock.sleep_until_or_set_back(at, latest).await,
                    None => std::future::pending().await,
                }
            };
            let changed = async {
                // A listener that lagged behind looks again, too.
                while let Ok(event) = changes.recv().await {
                    if matches!(event, Event::Changed(Change::Jobs | Change::Storage)) {
                        return;
                    }
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = timer => {}
                () = changed => {}
                Some(_) = running.join_next() => {}
            }
        }
        let ended = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_GRACE, ended).await.is_err() {
            info!("jobs that have not ended are interrupted");
        }
    }

    /// Begins what is due. Gives when to look again.
    async fn begin_due(&self, app: &App, running: &mut JoinSet<()>) -> Result<Option<chrono::DateTime<chrono::Utc>>> {
        let jobs = self.clone();
        let scheduled = if app.config.jobs.schedule { self.begin_scheduled(app).await? } else { None };
        let most = app.config.jobs.workers.max(1) as usize;
        loop {
            let due = app.data.store.read(|tx| store::next_due(tx)).await?;
            let Some((at, _)) = due else { return Ok(scheduled) };
            if running.len() >= most {
                return Ok(scheduled);
            }
            if at > app.clock.now() {
                return Ok(Some(scheduled.map_or(at, |other| other.min(at))));
            }
            if let Some(kept) = app.data.store.write(quietly(store::take_due)).await? {
                let token = CancellationToken::new();
                jobs.0.running.lock().insert(kept.task.id.clone(), token.clone());
                let (jobs, app) = (jobs.clone(), app.clone());
                running.spawn(async move { jobs.attempt(app, kept, token).await });
            }
        }
    }

    async fn begin_scheduled(&self, app: &App) -> Result<Option<chrono::DateTime<chrono::Utc>>> {
        let jobs = self.clone();
        let next = app.data.store.read(move |tx| schedule::next_due(&jobs.0.schedule, tx)).await?;
        if next.is_some_and(|at| at > app.clock.now()) {
            return Ok(next);
        }
        let jobs = self.clone();
        app.data.store.write(quietly(move |tx| schedule::enqueue_due(&jobs.0.schedule, tx))).await
    }

    async fn attempt(&self, app: App, kept: Kept, token: CancellationToken) {
        let (id, kind) = (kept.task.id.clone(), kept.task.kind.clone());
        let progress = Progress::new(id.clone(), app.data.store.clone(), app.events.clone(), token.clone());
        let ran = match self.0.registry.get(&kind) {
            Some(entry) => {
                // In a task of its own, so that a panic ends this attempt and nothing else.
                #[expect(clippy::disallowed_methods, reason = "the task is awaited in the next line")]
                let work = tokio::spawn((entry.run)(kept.payload, app.clone(), progress));
                work.await.unwrap_or_else(|panic| Err(Error::internal(panic)))
            }
            None => Err(Error::internal(format!("no job is called {kind}"))),
        };
        self.0.running.lock().remove(&id);
        let ending = match ran {
            Ok(()) => Ending::Succeeded,
            Err(_) if token.is_cancelled() => Ending::Cancelled,
            Err(error) => {
                warn!(job = kind, task = id, %error, "a job failed");
                self.after_failure(&app, &kind, kept.task.attempts, error)
            }
        };
        self.note_end(&app, id, ending).await;
    }

    fn after_failure(&self, app: &App, kind: &str, attempts: u32, error: Error) -> Ending {
        let most = self.0.registry.get(kind).map_or(1, |entry| entry.attempts);
        let passing = matches!(
            error.kind,
            Kind::UpstreamUnavailable
                | Kind::UpstreamTimeout
                | Kind::NasTimeout
                | Kind::NasUnavailable
                | Kind::StorageFull
        );
        if !passing || attempts >= most {
            return Ending::Failed(error);
        }
        let pause = Duration::minutes(1i64 << (attempts.saturating_sub(1)).min(6));
        Ending::Again(error, app.clock.now() + pause)
    }

    /// Writes the end down, waiting for room when the disk is full: an end that is not known would be run again.
    async fn note_end(&self, app: &App, id: TaskId, ending: Ending) {
        loop {
            let (id, ending) = (id.clone(), ending.clone());
            let written = app.data.store.write(quietly(move |tx| store::end(tx, &id, ending))).await;
            match written.map(|task| task.map(serde_json::to_value)) {
                Ok(Some(Ok(task))) => return app.events.send(Event::Task(task)),
                Ok(_) => return,
                Err(error) if error.kind == Kind::StorageFull => {
                    app.clock.sleep_until(app.clock.now() + Duration::seconds(5)).await;
                }
                Err(error) => return error!(%error, "the end of a job could not be written down"),
            }
        }
    }
}

/// The moves of tasks are housekeeping: what the jobs themselves write is what a snapshot is made for.
fn quietly<T>(write: impl FnOnce(&WriteTx) -> Result<T>) -> impl FnOnce(&WriteTx) -> Result<T> {
    |tx| {
        tx.quiet();
        write(tx)
    }
}

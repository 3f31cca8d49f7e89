//! The runner: begins what is due, in each lane as many at a time as the settings allow, until it is told to stop.

use std::sync::Arc;
use std::time::Duration as Span;

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::attempt::Claim;
use super::store::{self, Recovered, quietly};
use super::{Jobs, Lane, queue, schedule};
use crate::app::App;
use crate::events::{Change, Event};
use crate::store::WriteTx;
use hanok_base::Result;

/// How long running jobs may take to end when the appliance stops; what has not ended then is interrupted.
const SHUTDOWN_GRACE: Span = Span::from_secs(5);
/// How long what is interrupted may take to let go.
const LETTING_GO: Span = Span::from_secs(5);

impl Jobs {
    /// Puts right what was running when the process ended, and notes schedule entries that are new.
    pub async fn recover(&self, app: &App) -> Result<Recovered> {
        let jobs = self.clone();
        app.data.store.write(move |tx| jobs.recover_in(tx)).await
    }

    /// [`Jobs::recover`] in a transaction of the caller's, as in a state that is to take the place of the present one.
    pub fn recover_in(&self, tx: &WriteTx) -> Result<Recovered> {
        schedule::begin(&self.0.schedule, tx)?;
        store::recover(tx, &self.0.registry, |id| self.is_claimed(id))
    }

    /// Puts right what is said to run and does not, while the process lives: an attempt that could not be begun after
    /// all, or one that was under way when a restore took it back. Such a task would stand in the way of its kind.
    async fn recover_lost(&self, app: &App) -> Result<()> {
        let running = app.data.store.read_inline(|tx| store::readable_running(tx)).await?;
        if running.iter().all(|id| self.is_claimed(id)) {
            return Ok(());
        }
        // Where an end was written between the two looks, nothing is left to do.
        let jobs = self.clone();
        let recovered = app.data.store.write(quietly(move |tx| jobs.recover_in(tx))).await?;
        if let Some(done) = recovered.interrupted() {
            warn!("jobs were said to run and did not: {done}");
        }
        Ok(())
    }

    fn is_claimed(&self, id: &str) -> bool {
        self.0.claimed.lock().contains_key(id)
    }

    /// Begins due tasks until `stop`, then waits for those that run and interrupts what does not end. Nothing that a
    /// job began works on after this.
    pub async fn run(&self, app: App, stop: CancellationToken) {
        self.run_with_grace(app, stop, SHUTDOWN_GRACE).await;
    }

    pub(super) async fn run_with_grace(&self, app: App, stop: CancellationToken, grace: Span) {
        let mut changes = app.events.listen();
        let mut attempts = Attempts::new(&app);
        let mut latest = app.clock.now();
        let jobs = self.clone();
        let begun = quietly(move |tx: &WriteTx| schedule::enqueue_at_start(&jobs.0.schedule, tx));
        if let Err(error) = app.data.store.write(begun).await {
            warn!(%error, "what begins at each start waits for its next time");
        }
        while !stop.is_cancelled() {
            let now = app.clock.now();
            if now < latest
                && let Err(error) = app.data.store.write(quietly(queue::plan_anew)).await
            {
                warn!(%error, "jobs that were planned by the wrong clock still wait for it");
            }
            latest = now;
            let wake_at = match self.begin_due(&app, &mut attempts).await {
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
                    let Event::Changed(change) = event else { continue };
                    if self.is_brought_forward(change, wake_at, &app).await {
                        return;
                    }
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = timer => {}
                () = changed => {}
                Some(_) = attempts.under_way.join_next() => {}
            }
        }
        attempts.end(grace).await;
    }

    /// Whether, now that this has changed, there may be something to begin before `wake_at`.
    async fn is_brought_forward(&self, change: Change, wake_at: Option<DateTime<Utc>>, app: &App) -> bool {
        if matches!(change, Change::JOBS | Change::STORAGE) {
            return true;
        }
        if !self.0.schedule.iter().any(|entry| entry.is_moved_by(change)) {
            return false;
        }
        let jobs = self.clone();
        let moved = app.data.store.read_inline(move |tx| {
            schedule::next_due(jobs.0.schedule.iter().filter(|entry| entry.is_moved_by(change)), tx)
        });
        // What cannot be read is looked at again with everything else.
        moved.await.map_or(true, |due| due.is_some_and(|due| wake_at.is_none_or(|wake_at| due < wake_at)))
    }

    /// Begins what is due. Gives when to look again.
    async fn begin_due(&self, app: &App, attempts: &mut Attempts) -> Result<Option<DateTime<Utc>>> {
        self.recover_lost(app).await?;
        let mut next = if app.config.jobs.schedule { self.begin_scheduled(app).await? } else { None };
        for lane in Lane::ALL {
            let next_of_lane = self.begin_due_of(lane, app, attempts).await?;
            next = next.into_iter().chain(next_of_lane).min();
        }
        Ok(next)
    }

    async fn begin_scheduled(&self, app: &App) -> Result<Option<DateTime<Utc>>> {
        let jobs = self.clone();
        let next = app.data.store.read(move |tx| schedule::next_due(&jobs.0.schedule, tx)).await?;
        if next.is_some_and(|at| at > app.clock.now()) {
            return Ok(next);
        }
        let jobs = self.clone();
        app.data.store.write(quietly(move |tx| schedule::enqueue_due(&jobs.0.schedule, tx))).await
    }

    /// Begins what is due in `lane` while it has a free worker. Gives when the next one of it comes, if it has.
    async fn begin_due_of(&self, lane: Lane, app: &App, attempts: &mut Attempts) -> Result<Option<DateTime<Utc>>> {
        loop {
            let workers = Arc::clone(&attempts.workers[lane as usize]);
            let Ok(worker) = workers.try_acquire_owned() else { return Ok(None) };
            let next = app.data.store.read_inline(move |tx| queue::next_due(tx, lane)).await?;
            let Some((at, id)) = next else { return Ok(None) };
            if at > app.clock.now() {
                return Ok(Some(at));
            }
            // A restore can bring a task back to the queue of which an attempt is still under way.
            let Some(claim) = Claim::take(self, &id) else { return Ok(None) };
            let taken = app.data.store.write(quietly(move |tx| store::take(tx, lane, at, &id))).await?;
            if let Some(stored) = taken {
                let (app, interrupted) = (app.clone(), attempts.interrupted.clone());
                attempts.under_way.spawn(async move {
                    let _worker = worker;
                    claim.attempt(app, stored, interrupted).await;
                });
            }
        }
    }
}

/// The attempts that are under way.
struct Attempts {
    under_way: JoinSet<()>,
    /// The free workers of each lane, in the order of [`Lane::ALL`].
    workers: [Arc<Semaphore>; Lane::ALL.len()],
    interrupted: CancellationToken,
}

impl Attempts {
    fn new(app: &App) -> Attempts {
        let workers = Lane::ALL.map(|lane| Arc::new(Semaphore::new(lane.workers(&app.config.jobs))));
        Attempts { under_way: JoinSet::new(), workers, interrupted: CancellationToken::new() }
    }

    /// Waits `grace` for what is under way, then interrupts it and waits for that, with all that it began.
    async fn end(mut self, grace: Span) {
        if self.have_ended(grace).await {
            return;
        }
        info!("jobs that have not ended are interrupted");
        self.interrupted.cancel();
        if !self.have_ended(LETTING_GO).await {
            warn!("a job does not let go: the disk or another thread does not answer");
        }
    }

    async fn have_ended(&mut self, within: Span) -> bool {
        let ended = async { while self.under_way.join_next().await.is_some() {} };
        tokio::time::timeout(within, ended).await.is_ok()
    }
}

//! One attempt at a task: its work is run, stopped or caught, and how it ended is written down.

use std::panic::AssertUnwindSafe;
use std::time::Duration as Span;

use chrono::Duration;
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{error, warn};

use super::progress::Progress;
use super::queue;
use super::registry::Entry;
use super::store::{self, Ending};
use super::task::StoredTask;
use super::{Jobs, TaskId};
use crate::app::App;
use crate::blocking;
use crate::events::{Change, Event};
use crate::store::{WriteTx, panic_text};
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// How long to wait before an end that could not be written down is written again.
const WRITE_AGAIN: Span = Span::from_secs(5);

/// A task of another version.
const UNKNOWN_KIND: MessageTemplate =
    MessageTemplate::new("house.task.unknown_kind", "this version knows no job of the kind {kind}");

/// The right to run a task. While it stands, nobody else begins the task, and who cancels it is heard.
pub(super) struct Claim {
    jobs: Jobs,
    id: TaskId,
    cancelled: CancellationToken,
    /// Whether another may have the right by now.
    is_let_go: bool,
}

impl Claim {
    /// None while an attempt at this task is under way.
    pub fn take(jobs: &Jobs, id: &str) -> Option<Claim> {
        let cancelled = CancellationToken::new();
        let mut claimed = jobs.0.claimed.lock();
        if claimed.contains_key(id) {
            return None;
        }
        claimed.insert(id.to_owned(), cancelled.clone());
        Some(Claim { jobs: jobs.clone(), id: id.to_owned(), cancelled, is_let_go: false })
    }

    /// Does the work of `stored` and writes down how it ended. When `interrupted`, the work is dropped where it is, and
    /// the task stays for the next start to put right.
    pub async fn attempt(self, app: App, stored: StoredTask, interrupted: CancellationToken) {
        let StoredTask { task, payload, .. } = stored;
        let Some(entry) = self.jobs.0.registry.get(&task.kind) else {
            let unknown = UNKNOWN_KIND.with([("kind", task.kind.as_str().into())]);
            warn!(job = task.kind, task = self.id, "{unknown}");
            let ending = Ending::Failed(Error::new(Kind::Internal, unknown));
            return self.note_end(&app, ending, &interrupted).await;
        };
        let progress =
            Progress::new(self.id.clone(), app.data.store.clone(), app.events.clone(), self.cancelled.clone());
        let work = AssertUnwindSafe((entry.run)(payload, app.clone(), progress.clone())).catch_unwind();
        let children = TaskTracker::new();
        let ran = blocking::owned_by(children.clone(), async {
            tokio::select! {
                biased;
                () = interrupted.cancelled() => None,
                () = progress.cancelled_between_steps() => Some(Ending::Cancelled),
                ran = work => Some(ran.map_or_else(
                    |panic| {
                        error!(job = task.kind, task = self.id, panic = panic_text(&panic), "a job panicked");
                        Ending::Failed(Error::internal("it panicked"))
                    },
                    |ran| self.ending(&app, entry, task.attempts, ran),
                )),
            }
        });
        let ending = ran.await;
        children.close();
        children.wait().await;
        if let Some(ending) = ending {
            self.note_end(&app, ending, &interrupted).await;
        }
    }

    fn ending(&self, app: &App, entry: &Entry, attempts: u32, ran: Result<()>) -> Ending {
        let Err(error) = ran else { return Ending::Succeeded };
        warn!(job = entry.kind, task = self.id, %error, "a job failed");
        let passing = error.kind.is_want_of_storage()
            || matches!(
                error.kind,
                Kind::UpstreamUnavailable | Kind::UpstreamTimeout | Kind::NasTimeout | Kind::NasUnavailable
            );
        if !passing || attempts >= entry.attempts {
            return Ending::Failed(error);
        }
        let pause = Duration::minutes(1i64 << attempts.saturating_sub(1).min(queue::DOUBLINGS));
        Ending::Again(error, app.clock.now() + pause)
    }

    /// Writes the end down. Who cancels meanwhile is heard: a task that failed is not tried again then.
    pub(super) async fn note_end(mut self, app: &App, ending: Ending, interrupted: &CancellationToken) {
        let is_tried_again = matches!(ending, Ending::Again(..));
        let id = self.id.clone();
        let end = move |tx: &WriteTx| store::end(tx, &id, ending.clone());
        let Some(Some(task)) = self.insist(app, end, interrupted).await else { return };
        if let Ok(task) = serde_json::to_value(task) {
            app.events.send(Event::Task(task));
        }
        // From here on whoever cancels finds the task where it waits; who was answered before that is heard now.
        if self.let_go() && is_tried_again {
            let id = self.id.clone();
            self.insist(app, move |tx: &WriteTx| store::end_queued(tx, &id), interrupted).await;
        }
    }

    /// Writes, and again until it stands there: a task that is said to run and does not would never end. None when it
    /// was `interrupted` meanwhile.
    async fn insist<T: Send + 'static>(
        &self,
        app: &App,
        write: impl Fn(&WriteTx) -> Result<T> + Clone + Send + 'static,
        interrupted: &CancellationToken,
    ) -> Option<T> {
        let mut changes = app.events.listen();
        loop {
            match app.data.store.write(store::quietly(write.clone())).await {
                Ok(written) => return Some(written),
                Err(error) => warn!(task = self.id, %error, "the end of a job is not written down yet"),
            }
            let storage_changed =
                async { while !matches!(changes.recv().await, Ok(Event::Changed(Change::STORAGE))) {} };
            tokio::select! {
                () = interrupted.cancelled() => return None,
                () = app.clock.sleep(WRITE_AGAIN) => {}
                () = storage_changed => {}
            }
        }
    }

    /// Gives the task up to others. Gives whether it had been cancelled before that.
    fn let_go(&mut self) -> bool {
        let mut claimed = self.jobs.0.claimed.lock();
        if !std::mem::replace(&mut self.is_let_go, true) {
            claimed.remove(&self.id);
        }
        self.cancelled.is_cancelled()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.let_go();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_was_given_up_takes_nothing_from_the_next_one() {
        let jobs = Jobs::default();
        let mut first = Claim::take(&jobs, "task").unwrap();
        assert!(!first.let_go());
        let _second = Claim::take(&jobs, "task").unwrap();
        drop(first);
        assert!(Claim::take(&jobs, "task").is_none(), "two attempts at one task");
    }
}

//! The job that carries a write: an attempt, step by step, each written down before it may have an effect.

use std::marker::PhantomData;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::{info, warn};

use super::row::{Decision, OutboxEntry, OutboxStatus};
use super::{Found, Verdict, Write, store};
use crate::app::App;
use crate::jobs::{self, Job, Lane, Progress};
use crate::store::{ReadTransaction, WriteTx};
use crate::upstream::Unanswered;
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, Message, MessageTemplate, Result};

/// How long to wait before an outcome that could not be written down is written again.
const WRITE_AGAIN: Duration = Duration::from_secs(5);

const CANNOT_TELL: MessageTemplate = MessageTemplate::new(
    "house.write.cannot_tell",
    "it may have been done, and the provider cannot be asked whether it was",
);
const NOT_SETTLED: MessageTemplate =
    MessageTemplate::new("house.write.not_settled", "the provider does not have it yet; it is looked up again");
const IS_SETTLED: MessageTemplate =
    MessageTemplate::new("house.write.is_settled", "it is known what became of this write");
const DECIDED_NOT_DONE: MessageTemplate =
    MessageTemplate::new("house.write.decided_not_done", "somebody said that it was not done");

/// Plans `write` in this transaction, to be asked for as soon as it is on disk.
///
/// # Errors
/// Those of the store.
pub fn plan<W: Write>(tx: &WriteTx, write: &W) -> Result<OutboxEntry> {
    let id = tx.next_id("write")?;
    let intent = OutboxEntry {
        id,
        kind: W::KIND.to_owned(),
        provider: W::PROVIDER.name.to_owned(),
        target: write.target(),
        payload: serde_json::to_value(write).map_err(Error::internal)?,
        token: random_token(16),
        status: OutboxStatus::Planned,
        attempts: 0,
        problem: None,
        answer: None,
        decided: None,
        task: jobs::enqueue(tx, &SendJob::<W>::of(id))?,
        planned_at: tx.now(),
        first_sent_at: None,
        sent_at: None,
        settled_at: None,
    };
    store::put(tx, &intent)?;
    Ok(intent)
}

/// Takes what the household has decided about a write that nothing happens to by itself, and has its task do so.
///
/// # Errors
/// `NOT_FOUND` when it, or its task, is not there any more; `CONFLICT` while it is on its way or looked up, and when it is settled.
pub fn resolve(app: &App, tx: &WriteTx, id: u64, decision: Decision) -> Result<()> {
    let intent = store::closed(tx, id)?;
    if matches!(intent.status, OutboxStatus::Done | OutboxStatus::Refused) {
        return Err(Error::conflict(IS_SETTLED));
    }
    app.workers.jobs.retry(tx, &intent.task)?;
    store::put(tx, &OutboxEntry { decided: Some(decision), attempts: 0, ..intent })
}

/// Carries one write.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SendJob<W> {
    /// Which.
    write: u64,
    #[serde(skip)]
    kind: PhantomData<fn() -> W>,
}

impl<W> SendJob<W> {
    fn of(write: u64) -> Self {
        SendJob { write, kind: PhantomData }
    }
}

impl<W: Write> Job for SendJob<W> {
    const KIND: &'static str = W::KIND;
    const TITLE: (&'static str, &'static str) = W::TITLE;
    const LANE: Lane = Lane::Outside;
    const ATTEMPTS: u32 = W::ATTEMPTS;
    // The write itself says how it stands, and is decided there.
    const QUIET: bool = true;
    const SUBJECT: Option<&'static str> = None;

    fn example(tx: &WriteTx) -> Result<Self> {
        Ok(SendJob::of(plan(tx, &W::example(tx)?)?.id))
    }

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let id = self.write;
        let Some(intent) = app.data.store.write(move |tx| store::begin(tx, id)).await? else { return Ok(()) };
        let write: W = serde_json::from_value(intent.payload.clone()).map_err(Error::internal)?;
        let attempt = Attempt { app: &app, write: &write, progress: &progress };
        attempt.go_on(intent).await
    }
}

/// An attempt at one write.
struct Attempt<'a, W> {
    app: &'a App,
    write: &'a W,
    progress: &'a Progress,
}

impl<W: Write> Attempt<'_, W> {
    async fn go_on(&self, intent: OutboxEntry) -> Result<()> {
        match intent.decided {
            Some(Decision::Done) => return self.settle(&intent, Outcome::Done(Value::Null)).await,
            Some(Decision::NotDone) => return self.settle(&intent, Outcome::Refused(DECIDED_NOT_DONE.into())).await,
            Some(Decision::SendAgain) => {
                // Of what was sent before it is known now that nothing came.
                let (status, token) = (OutboxStatus::Planned, random_token(16));
                let anew = OutboxEntry { status, token, first_sent_at: None, sent_at: None, ..intent.clone() };
                self.change(&intent, anew.clone()).await?;
                return self.send(&anew).await;
            }
            Some(Decision::LookAgain) | None => {}
        }
        match intent.status {
            OutboxStatus::DeliveryUnknown if self.key_is_known(&intent) => self.send(&intent).await,
            OutboxStatus::DeliveryUnknown => self.look_up(&intent).await,
            _ => self.send(&intent).await,
        }
    }

    /// Whether the provider still knows the key, so that it does nothing twice. A clock that was set back says nothing.
    fn key_is_known(&self, intent: &OutboxEntry) -> bool {
        let now = self.app.clock.now();
        W::KEY_LASTS.zip(intent.first_sent_at).is_some_and(|(lasts, first)| first <= now && now - first < lasts)
    }

    /// Asks for it, once. Cancelled, this ends before it is sent, or after its outcome is written.
    async fn send(&self, intent: &OutboxEntry) -> Result<()> {
        let request = match self.write.request(self.app, intent).await {
            Ok(request) => request,
            Err(error) => return self.settle(intent, not_sent(intent, error)).await,
        };
        let asking = async {
            let (id, token, was_unknown) =
                (intent.id, intent.token.clone(), intent.status == OutboxStatus::DeliveryUnknown);
            self.app.data.store.write(move |tx| store::send(tx, id, &token)).await?;
            let outcome = match self.app.outside.upstream.write_once(W::PROVIDER, request).await {
                Ok(posted) => match self.write.read(&posted) {
                    // That this attempt was not let in, or not now, says nothing of the one before.
                    Verdict::Later(why) if was_unknown => Outcome::Unknown(why, true),
                    Verdict::Refused(why) if was_unknown && matches!(posted.status, 401 | 403) => {
                        Outcome::Unknown(why, true)
                    }
                    verdict => verdict.into(),
                },
                // An earlier attempt may have been done all the same.
                Err(Unanswered { error, may_be_done }) if may_be_done || was_unknown => {
                    Outcome::Unknown(error.message, true)
                }
                Err(Unanswered { error, .. }) => Outcome::Later(*error),
            };
            self.settle(intent, outcome).await
        };
        self.progress.uninterrupted(asking).await
    }

    async fn look_up(&self, intent: &OutboxEntry) -> Result<()> {
        let outcome = match self.write.look_up(self.app, intent).await {
            Ok(Found::Done(answer)) => Outcome::Done(answer),
            Ok(Found::NotThere) if self.has_settled(intent) => {
                let planned = OutboxEntry { status: OutboxStatus::Planned, ..intent.clone() };
                self.change(intent, planned.clone()).await?;
                return self.send(&planned).await;
            }
            Ok(Found::NotThere) => Outcome::Unknown(NOT_SETTLED.into(), true),
            Ok(Found::NotYet(why)) => Outcome::Unknown(why, true),
            Ok(Found::CannotTell) => Outcome::Unknown(CANNOT_TELL.into(), false),
            Err(error) => Outcome::Unknown(error.message, true),
        };
        self.settle(intent, outcome).await
    }

    fn has_settled(&self, intent: &OutboxEntry) -> bool {
        intent.sent_at.is_some_and(|sent| self.app.clock.now() - sent >= W::SETTLES_AFTER)
    }

    /// Puts `changed` in the place of `intent`, if that is still under way.
    async fn change(&self, intent: &OutboxEntry, changed: OutboxEntry) -> Result<()> {
        let (id, token) = (intent.id, intent.token.clone());
        let changed = OutboxEntry { decided: None, ..changed };
        let write = move |tx: &WriteTx| match store::current(tx, id, &token)? {
            Some(_) => store::put(tx, &changed),
            None => Err(Error::not_found("write")),
        };
        self.app.data.store.write(write).await
    }

    /// Writes the outcome down with what follows from it; where there is no room, again until it stands there. Gives what the
    /// task is told.
    async fn settle(&self, intent: &OutboxEntry, outcome: Outcome) -> Result<()> {
        let outcome = match outcome {
            Outcome::Later(error) if intent.attempts >= W::ATTEMPTS => Outcome::Unsent(error.message),
            other => other,
        };
        let payload = intent.payload.clone();
        loop {
            let (id, token, payload, outcome) = (intent.id, intent.token.clone(), payload.clone(), outcome.clone());
            let write = move |tx: &WriteTx| {
                let Some(current) = store::current(tx, id, &token)? else { return Ok(()) };
                let settled = outcome.applied_to(current, tx);
                store::put(tx, &settled)?;
                if settled.status == OutboxStatus::Planned {
                    return Ok(());
                }
                serde_json::from_value::<W>(payload).map_err(Error::internal)?.settled(tx, &settled)
            };
            match self.app.data.store.write(write).await {
                Ok(()) => break,
                Err(error) if !error.kind.is_want_of_storage() => return Err(error),
                Err(error) => warn!(write = intent.id, %error, "the outcome of a write is not written down yet"),
            }
            self.app.clock.sleep(WRITE_AGAIN).await;
        }
        info!(write = intent.id, kind = W::KIND, outcome = outcome.name(), "a write to a provider");
        metrics::counter!("hanok_writes_total", "provider" => W::PROVIDER.name, "outcome" => outcome.name())
            .increment(1);
        outcome.told()
    }
}

/// How an attempt ended.
#[derive(Debug, Clone)]
enum Outcome {
    Done(Value),
    Refused(Message),
    /// Surely not done, to be tried again.
    Later(Error),
    /// Surely not done, for good.
    Unsent(Message),
    /// May have been done; with whether it is looked up later.
    Unknown(Message, bool),
}

/// What could not be sent at all: an error that passes is tried again. One that was unknown before stays so.
fn not_sent(intent: &OutboxEntry, error: Error) -> Outcome {
    let passes =
        error.kind.is_want_of_storage() || matches!(error.kind, Kind::UpstreamUnavailable | Kind::UpstreamTimeout);
    match (intent.status, passes) {
        (OutboxStatus::DeliveryUnknown, passes) => Outcome::Unknown(error.message, passes),
        (_, true) => Outcome::Later(error),
        (_, false) => Outcome::Unsent(error.message),
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Done(answer) => Outcome::Done(answer),
            Verdict::Refused(why) => Outcome::Refused(why),
            Verdict::Later(why) => Outcome::Later(Error::new(Kind::UpstreamUnavailable, why)),
            Verdict::Unknown(why) => Outcome::Unknown(why, true),
        }
    }
}

impl Outcome {
    fn name(&self) -> &'static str {
        match self {
            Outcome::Done(_) => "done",
            Outcome::Refused(_) => "refused",
            Outcome::Later(_) => "later",
            Outcome::Unsent(_) => "unsent",
            Outcome::Unknown(..) => "delivery_unknown",
        }
    }

    fn applied_to(&self, intent: OutboxEntry, tx: &WriteTx) -> OutboxEntry {
        let (status, problem, answer) = match self {
            Outcome::Done(answer) => (OutboxStatus::Done, None, Some(answer.clone())),
            Outcome::Refused(why) => (OutboxStatus::Refused, Some(why.clone()), None),
            Outcome::Later(error) => (OutboxStatus::Planned, Some(error.message.clone()), None),
            Outcome::Unsent(why) => (OutboxStatus::Unsent, Some(why.clone()), None),
            Outcome::Unknown(why, _) => (OutboxStatus::DeliveryUnknown, Some(why.clone()), None),
        };
        let settled_at = (status != OutboxStatus::Planned).then(|| tx.now());
        OutboxEntry { status, problem: problem.map(Into::into), answer, decided: None, settled_at, ..intent }
    }

    /// What the task is told: what passes is tried again.
    fn told(self) -> Result<()> {
        match self {
            Outcome::Done(_) => Ok(()),
            Outcome::Later(error) => Err(Error::new(Kind::UpstreamUnavailable, error.message)),
            Outcome::Unknown(why, true) => Err(Error::new(Kind::UpstreamUnavailable, why)),
            Outcome::Refused(why) | Outcome::Unsent(why) | Outcome::Unknown(why, false) => Err(Error::conflict(why)),
        }
    }
}

//! Writes to outside providers: what is to be done there is written down before it is asked for, and its outcome after.
//!
//! A domain declares a kind of write ([`Write`]) and plans one ([`plan`]) in the transaction of the row that it is about;
//! both live or die together. A durable job ([`SendJob`]) asks for it. The row of the write, its [`OutboxEntry`], goes
//! `planned → sent → done | refused | delivery_unknown`:
//!
//! - `planned`: nothing of it has left the house. What surely did not leave (no such name, a refused connection, the
//!   breaker open) comes back to this, is tried again with growing pauses, and is `unsent` when it was tried too often.
//! - `sent`: written before the first byte. Whatever ends from here on without an answer of the provider, be it a time limit, a cut
//!   connection, a page of some proxy or the end of the process, may have been done: it is `delivery_unknown`.
//! - `delivery_unknown`: never repeated blindly. Where the provider takes an idempotency key ([`Write::KEY_LASTS`]), the same key
//!   is sent again as long as the provider knows it. Where the domain can look it up ([`Write::look_up`]), that decides. Where neither
//!   can, the household is shown it and decides ([`resolve`]).
//!
//! Whether something may have left is told in one place, `upstream/attempt.rs`; what an answer means is the domain's to say
//! ([`Write::read`]). A restore asks for nothing anew that went out since: see [`PRESERVED_ON_RESTORE`].
//!
//! What is deliberately not here: when to write what to whom, and who may.

mod job;
mod row;
mod store;
#[cfg(test)]
mod tests;

use std::future::Future;

use chrono::Duration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use job::{SendJob, plan, resolve};
pub use row::{Decision, OutboxEntry, OutboxStatus, WriteSeen};
pub use store::{PRESERVED_ON_RESTORE, TABLES, WriteCounts, counts, find, list, purge, remove};

use crate::app::App;
use crate::store::WriteTx;
use crate::upstream::{Posted, Provider, WriteRequest};
use hanok_base::{Message, MessageTemplate, Result};

const REFUSED: MessageTemplate =
    MessageTemplate::new("house.write.refused", "the provider refuses it (status {status})");
const NOT_NOW: MessageTemplate = MessageTemplate::new("house.write.not_now", "the provider asks for fewer requests");
const UNCLEAR: MessageTemplate =
    MessageTemplate::new("house.write.unclear", "the provider answered with status {status}: it may have been done");

/// What an answer of the provider says about a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It is done; with what the domain wants to know of it.
    Done(Value),
    /// It is not done and will not be.
    Refused(Message),
    /// It is surely not done now, and may be asked for again later.
    Later(Message),
    /// It may have been done.
    Unknown(Message),
}

/// What looking a write up at its provider has found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// It is done; with what the domain wants to know of it.
    Done(Value),
    /// The provider does not have it. Believed only once [`Write::SETTLES_AFTER`] has passed since it was sent.
    NotThere,
    /// Not to be told yet; it is looked up again later.
    NotYet(Message),
    /// This kind cannot be looked up.
    CannotTell,
}

/// One kind of write: a small serialisable value that says what is to be done. It holds no secret: it is kept in the store.
pub trait Write: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name, unique among the jobs of the house, such as `payment_cancel`.
    const KIND: &'static str;
    /// What it is, in Korean and English.
    const TITLE: (&'static str, &'static str);
    /// Who is asked for it.
    const PROVIDER: &'static Provider;
    /// How often it is tried or looked up before it stays as it is; pauses double from one minute to 64.
    const ATTEMPTS: u32 = 24;
    /// For how long the provider knows an idempotency key, counted from the first attempt; none where it takes none. Within
    /// that span an unknown write is asked for again under the same key ([`OutboxEntry::token`]).
    const KEY_LASTS: Option<Duration> = None;
    /// How long the provider's lists may lag behind what it has done.
    const SETTLES_AFTER: Duration = Duration::minutes(2);

    /// To whom or to what, in a few words for the household, without secrets.
    fn target(&self) -> String;

    /// What is sent. Nothing has left when this fails: a passing error (a token that cannot be had now) is tried again, any
    /// other leaves the write `unsent`.
    fn request(&self, app: &App, intent: &OutboxEntry) -> impl Future<Output = Result<WriteRequest>> + Send;

    /// What an answer means. By itself 2xx is done, 429 is later, 408, 409, 425 and 5xx are unknown, any other 4xx is refused.
    fn read(&self, posted: &Posted) -> Verdict {
        let status = |sentence: MessageTemplate| sentence.with([("status", posted.status.into())]);
        match posted.status {
            200..=299 => Verdict::Done(serde_json::from_slice(&posted.body).unwrap_or(Value::Null)),
            429 => Verdict::Later(NOT_NOW.into()),
            400..=499 if !matches!(posted.status, 408 | 409 | 425) => Verdict::Refused(status(REFUSED)),
            _ => Verdict::Unknown(status(UNCLEAR)),
        }
    }

    /// Looks an unknown write up, by its token or by what it says. Reads only.
    fn look_up(&self, _app: &App, _intent: &OutboxEntry) -> impl Future<Output = Result<Found>> + Send {
        async { Ok(Found::CannotTell) }
    }

    /// What follows from an outcome, in the transaction that writes it down: called for `done`, `refused`, `unsent` and
    /// `delivery_unknown`, for the last perhaps more than once.
    ///
    /// # Errors
    /// Those of the store. The outcome is not written then, and the write is `delivery_unknown`.
    fn settled(&self, _tx: &WriteTx, _intent: &OutboxEntry) -> Result<()> {
        Ok(())
    }

    /// One that can be planned, for the tests that begin every kind of job.
    ///
    /// # Errors
    /// Those of the store.
    fn example(tx: &WriteTx) -> Result<Self>;
}

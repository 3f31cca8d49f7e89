//! What the compute host can do: each kind of work, divided into parts.

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Compute;
use hanok_base::{Error, Kind, Message, Result};

/// A piece of pure work that can be divided.
pub trait Work: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name between two machines.
    const NAME: &'static str;
    /// What one part gives.
    type Part: Send;
    /// What all of it gives.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Refuses what must not be computed.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming the fields.
    fn check(&self) -> Result<()>;

    /// How many parts there are.
    fn parts(&self) -> usize;

    /// Does one part; none when `cancelled` said so meanwhile.
    fn part(&self, part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Self::Part>;

    /// Joins the parts, which come in order.
    fn join(&self, parts: Vec<Self::Part>) -> Self::Answer;

    /// Whether `answer`, which another machine gave, can be the answer to this work.
    fn admits(&self, answer: &Self::Answer) -> bool;
}

/// A kind of work as another machine may ask for it by name.
#[derive(Clone, Copy)]
pub struct WorkKind {
    name: &'static str,
    perform: for<'a> fn(&'a Compute, Value) -> BoxFuture<'a, Result<Value>>,
}

impl WorkKind {
    /// The kind of `W`.
    pub const fn of<W: Work>() -> WorkKind {
        WorkKind { name: W::NAME, perform: |compute, work| Box::pin(perform::<W>(compute, work)) }
    }

    /// Its name between two machines.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Does `work` on `compute`.
    pub(super) async fn perform(&self, compute: &Compute, work: Value) -> Result<Value> {
        (self.perform)(compute, work).await
    }
}

async fn perform<W: Work>(compute: &Compute, work: Value) -> Result<Value> {
    let work: W = serde_json::from_value(work).map_err(|error| {
        Error::field("work", Message::english("is not work that this host can read")).because(error)
    })?;
    let done = compute.run(work).await?;
    serde_json::to_value(done)
        .map_err(|error| Error::new(Kind::Internal, Message::english("the answer cannot be sent")).because(error))
}

//! The compute host on another machine: one call, `POST /work`, with a word that both machines know.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Compute, Done, ELSEWHERE, UNREADABLE, Work, WorkKind, unavailable};
use crate::config;
use crate::upstream::{Limits, Provider, Upstreams};
use hanok_base::Secret;
use hanok_base::{Error, Message, Result};

/// The compute host as a provider, for its state on the system page.
pub const COMPUTE_HOST: Provider =
    Provider { name: "compute", title_ko: "계산 서버", title_en: "The compute host", setting: "compute.address" };

/// What is sent to the other machine.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ask<T> {
    /// The name of the work.
    pub name: String,
    /// The work itself.
    pub work: T,
}

#[derive(Clone)]
pub(super) struct Remote {
    address: String,
    token: Secret,
    upstream: Upstreams,
}

impl Remote {
    pub fn new(settings: &config::Compute, upstream: Upstreams) -> Remote {
        Remote { address: settings.address.clone(), token: settings.token.clone(), upstream }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    pub async fn run<W: Work>(&self, work: &W, limit: Duration) -> Result<Done<W::Answer>> {
        let url = format!("http://{}/work", self.address);
        let limits = Limits { timeout: limit, max_bytes: 16 << 20, ..Limits::default() };
        let ask = Ask { name: W::NAME.to_owned(), work };
        let answer = self.upstream.ask_own_host(&COMPUTE_HOST, &url, &self.token, &ask, limits).await?;
        let done = answer.json::<Done<W::Answer>>();
        let done = done.map_err(|cause| unavailable(UNREADABLE).because(cause))?;
        if work.admits(&done.answer) { Ok(done) } else { Err(unavailable(ELSEWHERE)) }
    }
}

/// Answers what another machine asks: the work that `ask` names, when it is one of `kinds`, done on this machine's
/// `compute`.
///
/// # Errors
/// `INVALID_INPUT` for unknown or malformed work, and those of [`Compute::run`].
pub async fn serve_ask(
    compute: &Compute,
    mut kinds: impl Iterator<Item = &'static WorkKind>,
    ask: Ask<Value>,
) -> Result<Value> {
    let Some(kind) = kinds.find(|kind| kind.name() == ask.name) else {
        return Err(Error::field(
            "name",
            Message::english("is not work that this host knows; both machines need the same version"),
        ));
    };
    kind.perform(compute, ask.work).await
}

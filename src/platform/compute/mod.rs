//! The compute host: heavy pure work away from the requests, here or on another machine.
//!
//! Work is divided into parts that do not know of each other; the parts run on every core of the host, and
//! the joined answer is the same whatever their number. The queue is bounded and the time is limited:
//! `NAS_UNAVAILABLE` when the host is away or full, `NAS_TIMEOUT` when it does not finish in time. Work that
//! nobody waits for any more is called off.

mod local;
mod remote;
#[cfg(test)]
mod tests;
mod work;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use remote::{Ask, COMPUTE_HOST, serve_ask};
pub use work::{Work, WorkKind};

use crate::config;
use crate::upstream::Upstreams;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, MessageTemplate, Result, Shared};
use local::Local;
use remote::Remote;

/// The handle to the compute host.
#[derive(Clone)]
pub struct Compute {
    backend: Backend,
    limit: Duration,
}

/// Which machine does the work.
#[derive(Clone)]
enum Backend {
    Local(Shared<Local>),
    Remote(Remote),
}

/// A finished piece of work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Done<T> {
    /// What came out.
    pub answer: T,
    /// How long the host worked on it, in milliseconds.
    pub elapsed_ms: u64,
    /// On how many threads.
    pub threads: usize,
}

/// How the compute host is, for the system page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComputeState {
    /// `local` or `remote`.
    pub kind: String,
    /// The address of a remote host.
    pub address: Option<String>,
    /// Threads of a local host.
    pub workers: Option<usize>,
    /// Work that waits or runs here.
    pub queue_depth: usize,
    /// How much may wait.
    pub queue_limit: usize,
}

impl Compute {
    /// The host that the settings name; without an address it is this machine.
    ///
    /// # Errors
    /// `INTERNAL` when its threads cannot be started.
    pub fn new(settings: &config::Compute, upstream: &Upstreams) -> Result<Compute> {
        let limit = Duration::from_secs(settings.timeout_seconds);
        let backend = if settings.address.is_empty() {
            Backend::Local(Shared::new(Local::start(settings.workers as usize, settings.queue as usize)?))
        } else {
            upstream.register(&COMPUTE_HOST, true);
            Backend::Remote(Remote::new(settings, upstream.clone()))
        };
        Ok(Compute { backend, limit })
    }

    /// Does `work` and gives its answer.
    ///
    /// # Errors
    /// `NAS_UNAVAILABLE`, `NAS_TIMEOUT`, or what the work itself refuses (`INVALID_INPUT`).
    pub async fn run<W: Work>(&self, work: W) -> Result<Done<W::Answer>> {
        self.run_and_tell(work, |_| ()).await
    }

    /// [`Compute::run`], telling `progress` (percent) as parts are done. A remote host tells nothing.
    pub async fn run_and_tell<W: Work>(
        &self,
        work: W,
        progress: impl Fn(u8) + Send + Sync + 'static,
    ) -> Result<Done<W::Answer>> {
        work.check()?;
        match &self.backend {
            Backend::Local(local) => local.run(work, self.limit, progress).await,
            Backend::Remote(remote) => remote.run(&work, self.limit).await,
        }
    }

    /// How the host is.
    pub fn state(&self) -> ComputeState {
        match &self.backend {
            Backend::Local(local) => ComputeState {
                kind: "local".to_owned(),
                address: None,
                workers: Some(local.threads()),
                queue_depth: local.depth(),
                queue_limit: local.limit(),
            },
            Backend::Remote(remote) => ComputeState {
                kind: "remote".to_owned(),
                address: Some(remote.address().to_owned()),
                workers: None,
                queue_depth: 0,
                queue_limit: 0,
            },
        }
    }
}

const GAVE_UP: MessageTemplate =
    MessageTemplate::new("house.compute.gave_up", "the compute host gave up this piece of work");
const CALLED_OFF: MessageTemplate =
    MessageTemplate::new("house.compute.called_off", "the compute host called the work off");
const BUSY: MessageTemplate = MessageTemplate::new("house.compute.busy", "the compute host has too much to do");
const UNREADABLE: MessageTemplate =
    MessageTemplate::new("house.compute.unreadable", "the compute host sent an answer that cannot be read");
const ELSEWHERE: MessageTemplate =
    MessageTemplate::new("house.compute.elsewhere", "the compute host sent an answer to something else");
const TIMED_OUT: MessageTemplate =
    MessageTemplate::new("house.compute.timed_out", "the compute host did not finish within {seconds} s");

fn unavailable(why: MessageTemplate) -> Error {
    Error::new(Kind::NasUnavailable, why)
}

fn timed_out(limit: Duration) -> Error {
    Error::new(Kind::NasTimeout, TIMED_OUT.with([("seconds", limit.as_secs().into())]))
}

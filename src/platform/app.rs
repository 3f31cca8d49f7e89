//! The handle that every handler and job gets: the parts of the house, and nothing that a domain does.

use std::ops::Deref;
use std::sync::Arc;

use crate::base::Clock;
use crate::platform::auth::Doorkeeper;
use crate::platform::compute::Compute;
use crate::platform::config::Config;
use crate::platform::events::Events;
use crate::platform::jobs::Jobs;
use crate::platform::keep::Keep;
use crate::platform::store::Store;
use crate::platform::upstream::Upstreams;

/// A handle to the parts of the house; clones share them.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of the house.
pub struct Parts {
    /// The settings in force.
    pub config: Arc<Config>,
    /// Every record.
    pub store: Store,
    /// Outside providers.
    pub upstream: Upstreams,
    /// Heavy pure work.
    pub compute: Compute,
    /// Durable jobs and the schedule.
    pub jobs: Jobs,
    /// The time.
    pub clock: Clock,
    /// Live state for the browsers.
    pub events: Events,
    /// Values computed from the store.
    pub keep: Keep,
    /// Who may use the household door.
    pub doorkeeper: Doorkeeper,
}

impl App {
    /// The handle to these parts.
    pub fn new(parts: Parts) -> App {
        App(Arc::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

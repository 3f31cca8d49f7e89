//! A small world for the platform's own tests: a store in memory, a clock in the hand, no doors.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::base::Clock;
use crate::platform::app::{App, Parts};
use crate::platform::auth::{Doorkeeper, Keeping};
use crate::platform::compute::Compute;
use crate::platform::config::Config;
use crate::platform::events::Events;
use crate::platform::jobs::Jobs;
use crate::platform::keep::Keep;
use crate::platform::store::Store;
use crate::platform::upstream::Upstreams;

/// Saturday, 10 October 2026, 20:40 in Seoul: a draw night.
pub fn draw_night() -> DateTime<Utc> {
    "2026-10-10T11:40:00Z".parse().unwrap()
}

/// An app with these jobs, on a store in memory.
pub fn app(clock: &Clock, jobs: Jobs) -> App {
    let config = Config::default();
    let events = Events::default();
    let upstream = Upstreams::new(&config.upstream, clock.clone()).unwrap();
    App::new(Parts {
        store: Store::memory(clock.clone(), events.clone()).unwrap(),
        compute: Compute::new(&config.compute, &upstream).unwrap(),
        config: Arc::new(config),
        upstream,
        jobs,
        clock: clock.clone(),
        events,
        keep: Keep::default(),
        doorkeeper: Doorkeeper { keeping: Keeping::Loopback, guesses: Arc::default(), unwritten: Arc::default() },
    })
}

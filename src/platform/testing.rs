//! A small world for the platform's own tests: a store in memory, a clock in the hand, no doors.

#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::runtime::Handle;

use crate::app::{Access, App, Data, Outside, Parts, Workers};
use crate::auth::{AccessMode, HouseholdAccess};
use crate::claims::Claims;
use crate::compute::Compute;
use crate::config::Config;
use crate::derived::DerivedCache;
use crate::events::Events;
use crate::jobs::Jobs;
use crate::store::Store;
use crate::upstream::Upstreams;
use hanok_base::Clock;

/// Saturday, 10 October 2026, 20:40 in Seoul: a draw night.
pub fn draw_night() -> DateTime<Utc> {
    "2026-10-10T11:40:00Z".parse().unwrap()
}

/// An app with these jobs, on a store in memory.
pub fn app(clock: &Clock, jobs: Jobs) -> App {
    let events = Events::default();
    let store = Store::memory(clock.clone(), events.clone()).unwrap();
    app_on(store, events, clock, jobs)
}

/// An app with these jobs, on a store of the caller's.
pub fn app_on(store: Store, events: Events, clock: &Clock, jobs: Jobs) -> App {
    let config = Config::default();
    let upstream = Upstreams::new(&config.upstream, clock.clone()).unwrap();
    let household = HouseholdAccess { mode: AccessMode::Loopback, guesses: Arc::default(), unwritten: Arc::default() };
    App::new(Parts {
        data: Data { store, derived: DerivedCache::default() },
        workers: Workers {
            jobs,
            compute: Compute::new(&config.compute, &upstream).unwrap(),
            claims: Claims::new(Handle::current()),
        },
        outside: Outside { upstream },
        access: Access { household },
        config: Arc::new(config),
        clock: clock.clone(),
        events,
    })
}

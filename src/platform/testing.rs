//! A small world for the platform's own tests: a store in memory, a clock in the hand, no doors.

#![allow(clippy::unwrap_used, reason = "a test stops where something is wrong")]

#[cfg(test)]
use std::path::Path;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use tokio::runtime::Handle;

use crate::app::{Access, App, Data, Outside, Parts, Workers};
use crate::auth::{AccessMode, HouseholdAccess, RateLimiter, Visitors};
use crate::blobs::Blobs;
use crate::chat::Chat;
use crate::compute::Compute;
use crate::config::Config;
use crate::derived::DerivedCache;
use crate::events::Events;
use crate::jobs::Jobs;
use crate::own_data::OwnData;
use crate::sealing::Sealing;
use crate::search::Search;
use crate::single_flight::SingleFlight;
use crate::store::{Handover, Restores, Store};
#[cfg(test)]
use crate::store::{Placing, Snapshot};
use crate::tokens::Tokens;
use crate::upstream::Upstreams;
use hanok_base::Clock;

/// Nobody listens there. A port that was free a moment ago may be another test's by now.
#[cfg(test)]
pub const NOBODY: &str = "127.0.0.1:9";
#[cfg(test)]
use hanok_base::Result;

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
    app_of(Config::default(), store, events, clock, jobs)
}

/// An app with these settings and jobs, on a store of the caller's.
pub fn app_of(config: Config, store: Store, events: Events, clock: &Clock, jobs: Jobs) -> App {
    let upstream = Upstreams::new(&config.upstream, clock.clone()).unwrap();
    let line = (store.clone(), clock.clone(), events.clone());
    let chat = Chat::new(line, upstream.clone(), config.section(), Vec::new());
    let claims = SingleFlight::new(Handle::current());
    let sealing = Sealing::new(store.clone());
    let tokens = Tokens::new(store.clone(), sealing.clone(), clock.clone(), upstream.clone(), claims.clone());
    let household = HouseholdAccess::new(AccessMode::Loopback);
    // Nothing follows the store, so nothing is ever written there.
    let search = Search::new(store.clone(), clock.clone(), config.data.dir.join("index"), Vec::new());
    let blobs = Blobs::new(store.clone(), clock.clone());
    App::new(Parts {
        data: Data {
            restores: restores(&store),
            store,
            sealing,
            blobs,
            search,
            own: OwnData::default(),
            derived: DerivedCache::default(),
        },
        workers: Workers { jobs, compute: Compute::new(&config.compute, &upstream).unwrap(), claims },
        outside: Outside { upstream, chat, tokens },
        access: Access {
            household,
            paces: RateLimiter::default(),
            visitors: Visitors::default(),
            site_address: OnceLock::new(),
        },
        config: Arc::new(config),
        clock: clock.clone(),
        events,
    })
}

/// Restores in `store` for a house that does nothing with another state.
pub fn restores(store: &Store) -> Restores {
    Restores::new(store.clone(), Handover { make_ready: Box::new(|_| Ok(())), go_on: Box::new(|| ()) })
}

/// Writes one file with everything in it, as a command does: opened at `target`, filled by the store, put in its place.
#[cfg(test)]
pub async fn pack(store: &Store, made: &Snapshot, settings: &str, target: &Path, with_access: bool) -> Result<u64> {
    let placing = Placing::begin(store.folder().unwrap(), target)?;
    store.pack(made, settings, placing.file().try_clone().unwrap(), with_access).await?;
    placing.finish()
}

/// What is written to the log by this thread.
#[cfg(test)]
#[derive(Clone, Default)]
pub struct Log(Arc<parking_lot::Mutex<Vec<u8>>>);

#[cfg(test)]
impl Log {
    /// Who writes it.
    pub fn subscriber(self) -> impl tracing::Subscriber {
        tracing_subscriber::fmt().with_ansi(false).with_writer(move || self.clone()).finish()
    }

    /// The line with `part` in it.
    #[track_caller]
    pub fn line(&self, part: &str) -> String {
        let written = String::from_utf8(self.0.lock().clone()).unwrap();
        written.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}? {written}")).to_owned()
    }
}

#[cfg(test)]
impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

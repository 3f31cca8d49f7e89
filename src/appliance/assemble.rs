//! Putting the [`App`] together: the same parts for the appliance that serves and for a command that works without one.

use std::sync::{Arc, OnceLock};

use tokio::runtime::Handle;

use super::domains;
use super::prepare::handover;
use super::schedule;
use super::schema::schema;
use hanok_base::{Clock, Result};
use hanok_platform::app::{Access, App, Data, Outside, Parts, Workers};
use hanok_platform::auth::{HouseholdAccess, RateLimiter, Visitors};
use hanok_platform::blobs::Blobs;
use hanok_platform::blocking;
use hanok_platform::chat::Chat;
use hanok_platform::compute::Compute;
use hanok_platform::config::Config;
use hanok_platform::derived::DerivedCache;
use hanok_platform::events::Events;
use hanok_platform::jobs::Jobs;
use hanok_platform::sealing::Sealing;
use hanok_platform::search::Search;
use hanok_platform::single_flight::SingleFlight;
use hanok_platform::store::DataFolder;
use hanok_platform::store::StartReport;
use hanok_platform::store::open::Options;
use hanok_platform::store::{Restores, Store};
use hanok_platform::tokens::Tokens;
use hanok_platform::upstream::Upstreams;

/// An open store and what it tells of its changes.
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Where it tells of them.
    pub events: Events,
}

/// Opens the store that the settings name.
///
/// # Errors
/// See [`Store::open`].
pub(super) async fn open_store(config: &Config, clock: &Clock) -> Result<(Opened, StartReport)> {
    let options = Options {
        cache_bytes: usize::try_from(config.store.cache_mib << 20).unwrap_or(32 << 20),
        reserve_bytes: config.store.reserved_disk_mib << 20,
    };
    let (root, clock, events) = (config.data.dir.clone(), clock.clone(), Events::default());
    let opened = blocking::run(move |_| {
        let (store, report) = Store::open(&root, &options, schema(), clock, events.clone())?;
        Ok((Opened { store, events }, report))
    });
    opened.await
}

/// The parts of the house around an open store.
///
/// # Errors
/// When what the settings say of the outside and of the compute host cannot be.
pub fn assemble(config: Config, clock: Clock, opened: Opened, household: HouseholdAccess) -> Result<App> {
    let upstream = Upstreams::new(&config.upstream, clock.clone())?;
    for domain in domains::all() {
        for (provider, is_asked) in (domain.providers)(&config) {
            upstream.register(provider, is_asked);
        }
    }
    let compute = Compute::new(&config.compute, &upstream)?;
    let (jobs, derived) = (Jobs::new(schedule::jobs(), schedule::schedule(&config)), DerivedCache::default());
    let index = DataFolder::at(&config.data.dir).index();
    let search = Search::new(opened.store.clone(), clock.clone(), index, domains::searched().collect());
    let line = (opened.store.clone(), clock.clone(), opened.events.clone());
    let chat = Chat::new(line, upstream.clone(), config.section(), domains::questions().collect());
    let restores = Restores::new(opened.store.clone(), handover(&jobs, &upstream, &search, &derived, &opened.events));
    let own = domains::of_customers().collect();
    let blobs = Blobs::new(opened.store.clone(), clock.clone());
    let claims = SingleFlight::new(Handle::current());
    let sealing = Sealing::new(opened.store.clone());
    let tokens = Tokens::new(opened.store.clone(), sealing.clone(), clock.clone(), upstream.clone(), claims.clone());
    Ok(App::new(Parts {
        config: Arc::new(config),
        clock,
        events: opened.events,
        data: Data { store: opened.store, sealing, blobs, search, own, restores, derived },
        workers: Workers { jobs, compute, claims },
        outside: Outside { upstream, chat, tokens },
        access: Access {
            household,
            paces: RateLimiter::default(),
            visitors: Visitors::default(),
            site_address: OnceLock::new(),
        },
    }))
}

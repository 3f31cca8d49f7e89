//! The whole appliance in this process, on a disk of the test's own: every route, with a power cut or a full disk
//! wherever the test wants it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use hanok::appliance::schema::schema;
use hanok::appliance::start::{Appliance, start_on};
use hanok::base::Clock;
use hanok::ops::lottery::LotterySettings;
use hanok::ops::market::MarketSettings;
use hanok::platform::config::Config;
use hanok::platform::events::Events;
use hanok::platform::store::Store;
use tokio::runtime::Runtime;

use crate::disk::Disk;
use crate::http::Caller;

/// A running appliance on a simulated disk.
pub struct Simulated {
    pub disk: Arc<Disk>,
    pub store: Store,
    pub clock: Clock,
    /// How much had been asked of the disk when both doors were open.
    pub opened_at: usize,
    appliance: Option<Appliance>,
    runtime: Runtime,
}

/// Friday 2026-11-20, noon in Seoul.
pub fn noon() -> DateTime<Utc> {
    "2026-11-20T03:00:00Z".parse().unwrap()
}

impl Simulated {
    /// On an empty disk.
    pub fn open() -> Simulated {
        if std::env::var("HANOK_TEST_LOG").is_ok() {
            hanok::appliance::log::begin(&Default::default(), std::path::Path::new("data"));
        }
        let disk = Disk::with(Vec::new());
        let (clock, events) = (Clock::fixed(noon()), Events::default());
        let store = Store::on_backend(disk.clone(), schema(), clock.clone(), events.clone()).unwrap();
        let mut config = Config::default();
        config.ops.listen = "127.0.0.1:0".parse().unwrap();
        config.site.listen = "127.0.0.1:0".parse().unwrap();
        config.http.requests_per_second = 0;
        config.set(LotterySettings { operator: "http://127.0.0.1:9".to_owned(), ..LotterySettings::default() });
        config.set(MarketSettings { sync: false, ..MarketSettings::default() });
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let started = runtime.block_on(start_on(config, clock.clone(), store.clone(), events));
        let appliance = started.unwrap_or_else(|error| panic!("no start: {error}"));
        Simulated { opened_at: disk.position(), disk, store, clock, appliance: Some(appliance), runtime }
    }

    pub fn caller(&self) -> Caller {
        Caller::to(self.appliance.as_ref().unwrap().ops_address())
    }

    /// Stops in order, as a service manager would have it.
    pub fn stop(&mut self) {
        if let Some(appliance) = self.appliance.take() {
            self.runtime.block_on(appliance.stop()).unwrap();
        }
    }
}

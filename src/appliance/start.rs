//! The life of the process: what is opened in which order, who runs, and how it ends.
//! Every long-running part is joined; none is detached.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::answerers::{Answerers, Opening};
use super::{control, domains, files, house, log, routes, schedule};
use hanok_base::{Clock, Error, Result};
use hanok_ops::lottery;
use hanok_platform::app::{Access, App, Data, Outside, Parts, Workers};
use hanok_platform::auth::{self, HouseholdAccess};
use hanok_platform::claims::Claims;
use hanok_platform::compute::Compute;
use hanok_platform::config::Config;
use hanok_platform::derived::DerivedCache;
use hanok_platform::events::Events;
use hanok_platform::http::{self, Door, DoorKind, Rules};
use hanok_platform::jobs::Jobs;
use hanok_platform::store::Store;
use hanok_platform::store::open::{Options, StartReport, StartStep};
use hanok_platform::upstream::Upstreams;

/// How long requests under way may take to end when the appliance stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// A running appliance.
pub struct Appliance {
    app: App,
    ops_address: SocketAddr,
    site_address: SocketAddr,
    answerers: Answerers,
    stop: CancellationToken,
    parts: JoinSet<()>,
}

/// Opens the store, brings everything up to date, and opens both doors.
///
/// # Errors
/// Each with the sentence that helps: see [`Store::open`] and [`HouseholdAccess::decide`]; an address in use.
pub async fn start(config: Config, clock: Clock) -> Result<Appliance> {
    let (opened, report) = open_store(&config, &clock).await?;
    open_doors(config, clock, opened, report).await
}

/// [`start`] on a store that is open already, such as one on a disk of a test's own.
pub async fn start_on(config: Config, clock: Clock, store: Store, events: Events) -> Result<Appliance> {
    open_doors(config, clock, Opened { store, events }, StartReport::default()).await
}

async fn open_doors(config: Config, clock: Clock, store: Opened, mut report: StartReport) -> Result<Appliance> {
    let begun = Instant::now();
    let ops_listener = listen("ops.listen", config.ops.listen).await?;
    let site_listener = listen("site.listen", config.site.listen).await?;
    let ops_address = ops_listener.local_addr().map_err(Error::internal)?;
    let site_address = site_listener.local_addr().map_err(Error::internal)?;
    let passphrase = store.store.read(|tx| auth::is_passphrase_set(tx)).await?;
    let household = HouseholdAccess::decide(&config, ops_address, passphrase.is_some())?;
    let app = assemble(config, clock, store, household)?;
    let is_prepared = house::storage::unless_full(prepare(&app, &mut report).await)?.is_some();
    if passphrase.is_none() && ops_address.ip().is_loopback() {
        let token = app.data.store.write(auth::new_setup_token).await;
        if let Some(token) = house::storage::unless_full(token)? {
            info!("to set a household passphrase once, open http://{ops_address}/setup#{token}");
        }
    }

    let most_connections = files::most_connections(app.config.http.max_connections);
    let stop = CancellationToken::new();
    let life = house::Life { report: Arc::new(report), started_at: app.clock.now(), stop: stop.clone() };
    let mut parts = JoinSet::new();
    parts.spawn(log::gather_until(stop.clone()));
    parts.spawn(house::health::count_until(stop.clone()));
    parts.spawn(house::storage::watch_until(stop.clone(), app.clone(), is_prepared));
    let doors = [
        (DoorKind::Ops, ops_listener, ops_address, routes::ops_door()),
        (DoorKind::Site, site_listener, site_address, routes::site_door()),
    ];
    let openings = doors.map(|(kind, listener, address, routes)| {
        let service = http::service(&app, Door { kind, address, routes })?;
        let rules = Rules::new(&app.config, kind, most_connections);
        Opening::new(listener, rules, service.hoop(salvo::affix_state::inject(life.clone())))
    });
    let openings = openings.into_iter().collect::<Result<Vec<_>>>()?;
    let answerers = Answerers::begin(&openings, &app.config.http, &mut parts)?;
    parts.spawn({
        let (jobs, app, stop) = (app.workers.jobs.clone(), app.clone(), stop.clone());
        async move { jobs.run(app, stop).await }
    });
    parts.spawn(control::listen(app.clone(), stop.clone())?);
    info!(%ops_address, %site_address, elapsed_ms = begun.elapsed().as_millis() as u64, "both doors are open");
    Ok(Appliance { app, ops_address, site_address, answerers, stop, parts })
}

impl Appliance {
    /// The parts of the house.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Where the household door listens.
    pub fn ops_address(&self) -> SocketAddr {
        self.ops_address
    }

    /// Where the customer door listens.
    pub fn site_address(&self) -> SocketAddr {
        self.site_address
    }

    /// Waits for the signal to stop (SIGTERM or SIGINT), then stops in order.
    pub async fn run_until(self, signal: impl Future<Output = ()>) -> Result<()> {
        signal.await;
        info!("stopping");
        self.stop().await
    }

    /// Stops in order: no new requests, event streams and jobs end, requests under way finish, also those
    /// whose callers have gone, and the store closes.
    pub async fn stop(mut self) -> Result<()> {
        self.stop.cancel();
        self.answerers.stop(SHUTDOWN_GRACE);
        while let Some(ended) = self.parts.join_next().await {
            if let Err(error) = ended {
                warn!(%error, "a part of the house did not end well");
            }
        }
        self.app.workers.claims.end(SHUTDOWN_GRACE).await;
        self.app.data.store.close().await
    }
}

/// Listens for SIGTERM and SIGINT from this moment on; what it gives ends when one of them comes.
///
/// # Errors
/// `INTERNAL` when the machine gives no signals.
pub fn stop_signal() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// An open store with what its start found.
pub(super) struct Opened {
    pub store: Store,
    pub events: Events,
}

pub(super) async fn open_store(config: &Config, clock: &Clock) -> Result<(Opened, StartReport)> {
    let options = Options {
        cache_bytes: usize::try_from(config.store.cache_mebibytes << 20).unwrap_or(32 << 20),
        reserve_bytes: config.store.reserve_mebibytes << 20,
    };
    let (root, clock, events) = (config.data.dir.clone(), clock.clone(), Events::default());
    let opened = tokio::task::spawn_blocking(move || {
        let (store, report) = Store::open(&root, &options, domains::schema(), clock, events.clone())?;
        Ok((Opened { store, events }, report))
    });
    opened.await.map_err(Error::internal)?
}

pub(super) fn assemble(config: Config, clock: Clock, opened: Opened, household: HouseholdAccess) -> Result<App> {
    let upstream = Upstreams::new(&config.upstream, clock.clone())?;
    let compute = Compute::new(&config.compute, &upstream)?;
    let jobs = Jobs::new(schedule::jobs(), schedule::schedule(&config));
    let app = App::new(Parts {
        config: Arc::new(config),
        clock,
        events: opened.events,
        data: Data { store: opened.store, derived: DerivedCache::default() },
        workers: Workers { jobs, compute, claims: Claims::new(Handle::current()) },
        outside: Outside { upstream },
        access: Access { household },
    });
    lottery::register(&app);
    Ok(app)
}

/// What must stand before the first request: jobs that were interrupted are put right.
pub(super) async fn prepare(app: &App, report: &mut StartReport) -> Result<()> {
    let begun = Instant::now();
    if let Some(done) = app.workers.jobs.recover(app).await? {
        report.add(StartStep::JobsRecovered, done, begun);
    }
    for item in &report.items {
        info!(elapsed_ms = item.elapsed_ms, "start: {}", item.what);
    }
    Ok(())
}

/// A listener on the address that `setting` names.
pub(super) async fn listen(setting: &str, address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .map_err(|error| Error::field(setting, format!("cannot listen on {address}: {error}")))
}

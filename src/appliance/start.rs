//! The life of the process: what is opened in which order, who runs, and how it ends.
//! Every long-running part is joined; none is detached.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use salvo::Router;
use tokio::net::TcpListener;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::assemble::{Opened, assemble, open_store};
use super::house::health::Probe;
use super::http_workers::{HttpWorkers, Opening, listen};
use super::life::Life;
use super::prepare::prepare;
use super::{control, domains, files, house, log, routes};
use hanok_base::{Clock, Error, Result};
use hanok_platform::app::App;
use hanok_platform::auth::{self, HouseholdAccess};
use hanok_platform::config::Config;
use hanok_platform::events::Events;
use hanok_platform::http::{self, ConnectionLimits, Door, DoorKind};
use hanok_platform::store::StartReport;
use hanok_platform::store::Store;
use hanok_site::analytics::Recorder;
use hanok_site::frame;

/// How long requests under way may take to end when the appliance stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(10);

/// A running appliance.
pub struct Appliance {
    app: App,
    ops_address: SocketAddr,
    site_address: SocketAddr,
    answerers: HttpWorkers,
    visits: Recorder,
    stop: CancellationToken,
    parts: JoinSet<()>,
}

/// Opens the store, brings everything up to date, and opens both doors.
///
/// # Errors
/// Each with the sentence that helps: see [`Store::open`] and [`HouseholdAccess::decide`]; an address in use.
pub async fn start(config: Config, clock: Clock) -> Result<Appliance> {
    clock.check()?;
    files::check(files::Use::Doors)?;
    // Before the store: who cannot open the doors leaves no house behind. Who calls already waits until they are open.
    let listeners = listen_at_both(&config).await?;
    let (opened, report) = open_store(&config, &clock).await?;
    for sentence in config.retired() {
        warn!("{sentence}");
    }
    begin(config, clock, listeners, opened, report).await
}

/// [`start`] on a store that is open already, such as one on a disk of a test's own.
pub async fn start_on(config: Config, clock: Clock, store: Store, events: Events) -> Result<Appliance> {
    let listeners = listen_at_both(&config).await?;
    begin(config, clock, listeners, Opened { store, events }, StartReport::default()).await
}

async fn listen_at_both(config: &Config) -> Result<[TcpListener; 2]> {
    Ok([listen("ops.listen", config.ops.listen).await?, listen("site.listen", config.site.listen).await?])
}

async fn begin(
    config: Config,
    clock: Clock,
    [ops_listener, site_listener]: [TcpListener; 2],
    opened: Opened,
    mut report: StartReport,
) -> Result<Appliance> {
    let begun = Instant::now();
    let ops_address = ops_listener.local_addr().map_err(Error::internal)?;
    let site_address = site_listener.local_addr().map_err(Error::internal)?;
    let has_passphrase = opened.store.read(|tx| auth::is_passphrase_set(tx)).await?.is_some();
    let household = HouseholdAccess::decide(&config, ops_address, has_passphrase)?;
    let (now, idle, absolute) = (clock.now(), config.ops.session_idle_days, config.ops.session_absolute_days);
    match opened.store.read(|tx| auth::list_sessions(tx)).await {
        Ok(sessions) => household.guesses.know(sessions.iter().filter(|one| one.is_alive(now, idle, absolute))),
        Err(error) => {
            warn!(%error, "the addresses of the household are not known yet: every device counts as a stranger")
        }
    }
    let (links, moment) = (household.setup.clone(), clock.moment());
    opened.store.read(move |tx| links.know(tx, moment)).await?;
    let app = assemble(config, clock, opened, household)?;
    app.access.site_address.get_or_init(|| site_address);
    if let Err(error) = app.outside.upstream.keep_in(&app.data.store).await {
        warn!(%error, "how the providers did before the start is not known");
    }
    house::storage::unless_full(app.data.store.put_snapshots_in_order(&mut report).await)?;
    let is_prepared = house::storage::unless_full(prepare(&app, &mut report).await)?.is_some();
    if !has_passphrase && ops_address.ip().is_loopback() {
        offer_setup(&app, ops_address).await?;
    }

    let stop = CancellationToken::new();
    let visits = Recorder::open(&app).await;
    let life = Life { report: Arc::new(report), started_at: app.clock.now(), stop: stop.clone() };
    let mut parts = JoinSet::new();
    parts.spawn(log::gather_until(stop.clone()));
    parts.spawn(house::health::count_until(stop.clone()));
    parts.spawn(house::storage::watch_until(stop.clone(), app.clone(), is_prepared));
    parts.spawn(house::visits::flush_until(stop.clone(), app.clone(), visits.clone()));
    let doors =
        [(DoorKind::Ops, ops_listener, routes::ops_door()), (DoorKind::Site, site_listener, routes::site_door())];
    let answerers = open_doors(&app, &life, &visits, doors, &mut parts)?;
    parts.spawn({
        let (jobs, app, stop) = (app.workers.jobs.clone(), app.clone(), stop.clone());
        async move { jobs.run(app, stop).await }
    });
    parts.spawn(app.data.search.clone().follow(app.events.clone(), stop.clone()));
    parts.spawn(app.outside.chat.clone().run(stop.clone()));
    parts.spawn(control::listen(app.clone(), stop.clone())?);
    info!(%ops_address, %site_address, elapsed_ms = begun.elapsed().as_millis() as u64, "both doors are open");
    Ok(Appliance { app, ops_address, site_address, answerers, visits, stop, parts })
}

impl Appliance {
    /// The parts of the house.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// What takes the visits of the customer site in.
    pub fn visits(&self) -> &Recorder {
        &self.visits
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
    pub async fn run_until(mut self, signal: impl Future<Output = ()>) -> Result<()> {
        tokio::pin!(signal);
        loop {
            tokio::select! {
                () = &mut signal => break,
                Some(ended) = self.parts.join_next() => {
                    note_end(ended);
                    error!("a part of the house has ended before its time; a restart brings it back");
                }
            }
        }
        info!("stopping");
        self.stop().await
    }

    /// Stops in order: no new requests, event streams and jobs end, requests under way finish, also those
    /// whose callers have gone, and the store closes.
    pub async fn stop(mut self) -> Result<()> {
        let begun = Instant::now();
        self.stop.cancel();
        self.answerers.stop(SHUTDOWN_GRACE);
        while let Some(ended) = self.parts.join_next().await {
            note_end(ended);
        }
        self.app.workers.claims.end(SHUTDOWN_GRACE.saturating_sub(begun.elapsed())).await;
        house::visits::flush(&self.app, &self.visits).await;
        if let Err(error) = house::storage::keep_removed(&self.app).await {
            error!(%error, "hanok.redb was removed while it was open, and what it held could not be kept");
        }
        self.app.data.store.close().await
    }
}

fn note_end(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        error!(%error, "a part of the house did not end well");
    }
}

/// Says, once, where a passphrase can be set by whoever sits at this machine.
async fn offer_setup(app: &App, ops_address: SocketAddr) -> Result<()> {
    let (links, now) = (app.access.household.setup.clone(), app.clock.moment());
    let token = app.data.store.write(move |tx| links.new_token(tx, now)).await;
    if let Some(token) = house::storage::unless_full(token)? {
        let hours = auth::SETUP_HOURS;
        info!("to set a household passphrase, once and within {hours} hours, open http://{ops_address}/setup#{token}");
    }
    Ok(())
}

/// Begins to answer at both doors; `parts` gets what ends when they are closed.
fn open_doors(
    app: &App,
    life: &Life,
    visits: &Recorder,
    doors: [(DoorKind, TcpListener, Router); 2],
    parts: &mut JoinSet<()>,
) -> Result<HttpWorkers> {
    let most_connections = files::most_connections(app.config.http.max_connections);
    let probe = Probe::default();
    let openings = doors.map(|(kind, listener, routes)| {
        let address = listener.local_addr().map_err(Error::internal)?;
        let error_pages = (kind == DoorKind::Site).then(|| frame::error_pages(app, domains::offers()));
        let service = http::service(app, Door { kind, address, routes, error_pages })?;
        let rules = ConnectionLimits::new(&app.config, kind, most_connections);
        let parts_of_the_house = salvo::affix_state::inject(life.clone()).inject(probe.clone()).inject(visits.clone());
        Opening::new(listener, rules, service.hoop(parts_of_the_house))
    });
    let openings = openings.into_iter().collect::<Result<Vec<_>>>()?;
    HttpWorkers::begin(&openings, &app.config.http, parts)
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

//! Health and metrics. `ready` is red when a real read or a real write fails.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use salvo::http::HeaderValue;
use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use salvo::oapi::endpoint;
use salvo::{Depot, Response, Router, Writer};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::folder::newest_snapshot_now;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, MessageTemplate, Result, command};
use hanok_platform::app::App;
use hanok_platform::blobs;
use hanok_platform::blocking;
use hanok_platform::chat;
use hanok_platform::http::{Anyone, HandlerResult, Household, Json, WithStatus};
use hanok_platform::jobs;
use hanok_platform::mail;
use hanok_platform::store::{ReadTransaction, ReadTx, StorageState, Table};
use hanok_platform::tokens::{TokenState, TokenStatus};
use hanok_platform::upstream::{ProviderCondition, ProviderState};
use hanok_platform::writes;

/// Table: what the readiness check writes. Key: `canary`. Value: the time.
pub(crate) const CANARY: Table<&'static str, i64> = Table::new("canary-1");

/// What the index check says.
const NOT_FOLLOWING: MessageTemplate =
    MessageTemplate::new("house.search.not_following", "new and changed things are not found for now: {why}");

/// How often the measurements are tidied.
const TIDY_EVERY: Duration = Duration::from_secs(10);

/// Whether the process lives.
#[derive(Debug, Serialize, ToSchema)]
pub struct Live {
    /// Always `ok`: an answer is the proof.
    pub status: String,
}

/// Whether the house can do its work.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Ready {
    /// `ok` or `failing`.
    pub status: String,
    /// Each thing that was tried.
    pub checks: Vec<HealthCheck>,
}

/// One thing that was tried.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct HealthCheck {
    /// What it is.
    pub name: String,
    /// Whether it worked.
    pub ok: bool,
    /// Why not.
    pub message: Option<String>,
    /// How a browser says `message` in its language.
    #[serde(default)]
    pub localized: Option<LocalizedMessage>,
}

impl HealthCheck {
    /// That `name` was tried, and why it did not work where it did not.
    pub fn of(name: &str, problem: Option<Message>) -> HealthCheck {
        let (message, localized) = problem.map(Message::into_parts).unzip();
        HealthCheck { name: name.to_owned(), ok: message.is_none(), message, localized: localized.flatten() }
    }

    /// With the data folder at `place` named in each command that it offers.
    pub fn placed(self, place: &Path) -> HealthCheck {
        let Some(message) = self.message else { return self };
        let (message, localized) = command::placed_said(place, message, self.localized);
        HealthCheck { message: Some(message), localized, ..self }
    }
}

/// Whether the house can do its work, as strangers are told.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// `ok` or `failing`.
    pub status: String,
}

/// The two health routes of the household door.
pub fn routes() -> Router {
    below(Router::with_path("ready").get(ready))
}

/// Those of the customer door, which tells strangers no more than yes or no.
pub fn site_routes() -> Router {
    below(Router::with_path("ready").get(site_ready))
}

fn below(readiness: Router) -> Router {
    Router::with_path("health").push(Router::with_path("live").get(live)).push(readiness)
}

/// For how long one probe answers all who ask: strangers may ask, and each probe is a write.
const FRESH: Duration = Duration::from_secs(5);

/// What was tried last of what the house needs, and when.
#[derive(Clone, Default)]
pub struct Probe(Arc<Mutex<Option<Probed>>>);

struct Probed {
    at: Instant,
    storage: (StorageState, bool),
    checks: Vec<HealthCheck>,
}

impl Probe {
    /// What was tried last; anew when that is [`FRESH`] no more, or the storage is known to have changed since. Who asks
    /// meanwhile waits for the same answer.
    async fn checks(&self, app: &App) -> Vec<HealthCheck> {
        let mut last = self.0.lock().await;
        let is_fresh = |last: &Probed| last.at.elapsed() < FRESH && last.storage == storage_of(app);
        if let Some(fresh) = last.as_ref().filter(|last| is_fresh(last)) {
            return fresh.checks.clone();
        }
        let checks = check(app).await;
        let storage = storage_of(app);
        *last = Some(Probed { at: Instant::now(), storage, checks: checks.clone() });
        checks
    }
}

/// What is known of the storage without trying it: how it is, and whether what it held is kept where it was removed.
fn storage_of(app: &App) -> (StorageState, bool) {
    (app.data.store.state(), app.data.store.is_removed_kept())
}

/// Whether the process lives.
#[endpoint(operation_id = "health_live", tags("health"))]
pub async fn live(_caller: Anyone) -> Json<Live> {
    Json(Live { status: "ok".to_owned() })
}

/// Whether a real read and a real write work, tried within the last five seconds; 503 when not.
#[endpoint(operation_id = "health_ready", tags("health"))]
pub async fn ready(app: App, _caller: Anyone, depot: &mut Depot) -> HandlerResult<WithStatus<Ready>> {
    let place = &app.config.data.dir;
    let tried = probe_of(depot)?.checks(&app).await;
    let checks: Vec<HealthCheck> = tried.into_iter().map(|check| check.placed(place)).collect();
    let (status, word) = verdict(&checks);
    Ok(WithStatus(status, Ready { status: word, checks }))
}

/// Whether a real read and a real write work, tried within the last five seconds; 503 when not.
#[endpoint(operation_id = "health_ready_site", tags("health"))]
pub async fn site_ready(app: App, _caller: Anyone, depot: &mut Depot) -> HandlerResult<WithStatus<Readiness>> {
    let (status, word) = verdict(&probe_of(depot)?.checks(&app).await);
    Ok(WithStatus(status, Readiness { status: word }))
}

fn probe_of(depot: &Depot) -> Result<Probe> {
    depot.get_typed::<Probe>().cloned().map_err(|_| Error::internal("no probe in this door"))
}

/// The status of an answer, and the word for it.
fn verdict(checks: &[HealthCheck]) -> (u16, String) {
    let (status, word) = if checks.iter().all(|check| check.ok) { (200, "ok") } else { (503, "failing") };
    (status, word.to_owned())
}

/// Tries what the house needs.
pub async fn check(app: &App) -> Vec<HealthCheck> {
    let written = try_to_write(app).await;
    let read = app.data.store.read(|tx| tx.get(&CANARY, "canary")).await;
    let said = |error: Error| error.message;
    let index = app.data.search.state().await.unwrap_or_default().trouble;
    vec![
        HealthCheck::of("store_read", read.err().map(said)),
        HealthCheck::of("store_write", written.err().map(said)),
        HealthCheck::of("index", index.map(|why| NOT_FOLLOWING.with([("why", why.as_str().into())]))),
    ]
}

/// A real write that means nothing.
pub async fn try_to_write(app: &App) -> Result<()> {
    let now = app.clock.now().timestamp();
    let written = app.data.store.write(move |tx| {
        tx.quiet();
        tx.put(&CANARY, "canary", &now)
    });
    written.await
}

/// Everything counted and measured, as Prometheus text.
#[endpoint(operation_id = "metrics", tags("health"))]
pub async fn measures(app: App, _caller: Household, res: &mut Response) -> HandlerResult<()> {
    res.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4"));
    res.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let tokens = app.outside.tokens.report().await?;
    let rendered = blocking::run(move |_| {
        gauges(&app)?;
        providers(&app.outside.upstream.report(), &tokens);
        // Every single measurement since the last look is sorted into its bucket now.
        Ok(recorder().map(PrometheusHandle::render).unwrap_or_default())
    });
    let text = rendered.await?;
    Ok(res.write_body(text).map_err(Error::internal)?)
}

/// The buckets of every histogram, in seconds: from a read out of memory to the limit of the compute host.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 25.0];

/// Begins to count, and until `stop` keeps what is counted small: the recorder holds every single measurement until
/// it is tidied or somebody looks.
pub fn count_until(stop: CancellationToken) -> impl Future<Output = ()> {
    let recorder = recorder();
    async move {
        while tokio::time::timeout(TIDY_EVERY, stop.cancelled()).await.is_err() {
            recorder.inspect(|recorder| recorder.run_upkeep());
        }
    }
}

/// The recorder belongs to the process: the metrics facade has one.
fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    RECORDER.get_or_init(|| PrometheusBuilder::new().set_buckets(&SECONDS).ok()?.install_recorder().ok()).as_ref()
}

/// What is measured only when somebody looks; off the async threads.
fn gauges(app: &App) -> Result<()> {
    let space = app.data.store.space();
    metrics::gauge!("hanok_store_bytes").set(space.store_bytes as f64);
    metrics::gauge!("hanok_blobs_bytes").set(space.blobs_bytes as f64);
    metrics::gauge!("hanok_disk_free_bytes").set(space.disk_free_bytes.unwrap_or(0) as f64);
    let search = app.data.search.state_now()?;
    metrics::gauge!("hanok_search_documents").set(search.documents as f64);
    metrics::gauge!("hanok_search_bytes").set(search.bytes as f64);
    metrics::gauge!("hanok_search_waiting").set(search.waiting as f64);
    metrics::gauge!("hanok_compute_queue_depth").set(app.workers.compute.state().queue_depth as f64);
    let counted = |tx: &ReadTx| Ok((jobs::waiting(tx)?, mail::counts(tx)?, chat::counts(tx)?, blobs::totals(tx)?));
    let written = app.data.store.read_now(|tx| writes::counts(tx))?;
    let status = [
        ("open", written.open),
        ("looked_up", written.looked_up),
        ("delivery_unknown", written.delivery_unknown),
        ("unsent", written.unsent),
    ];
    for (status, count) in status {
        metrics::gauge!("hanok_writes", "status" => status).set(count as f64);
    }
    let ((waiting, oldest), mails, chat, files) = app.data.store.read_now(counted)?;
    metrics::gauge!("hanok_files").set(files.files as f64);
    metrics::gauge!("hanok_files_bytes").set(files.bytes as f64);
    metrics::gauge!("hanok_files_unused").set(files.unused_files as f64);
    metrics::gauge!("hanok_files_unused_bytes").set(files.unused_bytes as f64);
    metrics::gauge!("hanok_files_flawed").set(files.flawed_files as f64);
    metrics::gauge!("hanok_jobs_waiting").set(waiting as f64);
    let age = oldest.map_or(0, |at| (app.clock.now() - at).num_seconds().max(0));
    metrics::gauge!("hanok_jobs_oldest_waiting_seconds").set(age as f64);
    let status = [
        ("waiting", mails.waiting),
        ("delivery_unknown", mails.delivery_unknown),
        ("failed", mails.failed),
        ("held", mails.held),
    ];
    for (status, count) in status {
        metrics::gauge!("hanok_mails", "status" => status).set(count as f64);
    }
    let age = mails.waiting_since.map_or(0, |at| (app.clock.now() - at).num_seconds().max(0));
    metrics::gauge!("hanok_mails_oldest_waiting_seconds").set(age as f64);
    metrics::gauge!("hanok_chat_waiting").set(chat.waiting as f64);
    metrics::gauge!("hanok_chat_delivery_unknown").set(chat.delivery_unknown as f64);
    if let Ok(Some(newest)) = newest_snapshot_now(app) {
        let age = (app.clock.now() - newest.verified_at).num_seconds();
        metrics::gauge!("hanok_last_verified_backup_age_seconds").set(age as f64);
    }
    Ok(())
}

/// How the outside providers do, those by which customers sign in among them, and what they permit the house to do.
fn providers(known: &[ProviderState], tokens: &[TokenState]) {
    let as_number = |is: bool| f64::from(u8::from(is));
    for provider in known {
        let ProviderState { state, last_success_at, last_failure_at, .. } = provider;
        let name = || provider.name.clone();
        metrics::gauge!("hanok_provider_up", "provider" => name()).set(as_number(*state == ProviderCondition::Ok));
        let is_set = *state != ProviderCondition::NotConfigured;
        metrics::gauge!("hanok_provider_configured", "provider" => name()).set(as_number(is_set));
        if let Some(at) = last_success_at {
            let at = at.timestamp() as f64;
            metrics::gauge!("hanok_provider_last_success_timestamp_seconds", "provider" => name()).set(at);
        }
        if let Some(at) = last_failure_at {
            let at = at.timestamp() as f64;
            metrics::gauge!("hanok_provider_last_failure_timestamp_seconds", "provider" => name()).set(at);
        }
    }
    let statuses = [("good", TokenStatus::Good), ("due", TokenStatus::Due), ("ended", TokenStatus::Ended)];
    for (name, status) in statuses {
        let count = tokens.iter().filter(|token| token.status == status).count();
        metrics::gauge!("hanok_tokens", "status" => name).set(count as f64);
    }
}

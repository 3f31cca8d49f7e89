//! The system page: how the house is, and how its outside providers do.

use chrono::{DateTime, Utc};
use salvo::oapi::endpoint;
use salvo::{Depot, Writer};
use serde::Serialize;

use super::folder::{newest_snapshot, snapshot_named, space};
use super::health::{self, HealthCheck};
use super::listed_snapshot::ListedSnapshot;
use crate::life::Life;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, command};
use hanok_platform::app::App;
use hanok_platform::blobs::{self, Totals};
use hanok_platform::blocking;
use hanok_platform::compute::ComputeState;
use hanok_platform::http::{HandlerResult, Household, Json, UncachedJson};
use hanok_platform::search::SearchState;
use hanok_platform::settings_file;
use hanok_platform::store::StartReport;
use hanok_platform::store::{DoneStep, Migrated, Space};
use hanok_platform::tokens::TokenState;
use hanok_platform::upstream::ProviderState;

/// How the house is.
#[derive(Debug, Serialize, ToSchema)]
pub struct System {
    /// The program's version.
    pub version: String,
    /// When the process began.
    pub started_at: DateTime<Utc>,
    /// The data folder, from the root.
    pub data_dir: String,
    /// The command that writes one file with everything in it, as it can be typed anywhere on the machine.
    pub backup_command: String,
    /// What was checked just now.
    pub health: Health,
    /// Room and sizes.
    pub storage: Space,
    /// What the start found and mended.
    pub start_report: StartReport,
    /// The last migration of the store. Null where none was ever written down, and while the store cannot be read.
    pub last_migration: Option<Migrated>,
    /// What its steps have done, in both languages, in their order.
    pub last_migration_steps: Vec<DoneStep>,
    /// The snapshot that holds the state from before it, as long as it is there.
    pub last_migration_backup: Option<ListedSnapshot>,
    /// The newest verified snapshot.
    pub last_verified_backup: Option<ListedSnapshot>,
    /// The large files.
    pub files: Totals,
    /// The search.
    pub search: SearchState,
    /// The compute host.
    pub compute: ComputeState,
    /// The clock.
    pub clock: ClockState,
}

/// What the readiness check found, and whether the next start can use the settings file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// An answer is the proof.
    pub live: bool,
    /// Whether a real read and a real write work.
    pub ready: bool,
    /// Each check. That of the `settings` file is about the next start: the house is ready without it.
    pub checks: Vec<HealthCheck>,
}

/// The clock by which everything happens.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockState {
    /// Now.
    pub now: DateTime<Utc>,
    /// The zone in which days are counted.
    pub zone: String,
}

/// The outside providers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Providers {
    /// By name.
    pub providers: Vec<ProviderState>,
    /// What they permit the house to do, by name; no token is part of it.
    pub tokens: Vec<TokenState>,
}

/// How the house is.
#[endpoint(operation_id = "system", tags("system"))]
pub async fn system(app: App, _caller: Household, depot: &mut Depot) -> HandlerResult<UncachedJson<System>> {
    let life = depot.get_typed::<Life>().map_err(|_| Error::internal("no life in this door"))?.clone();
    let place = std::path::absolute(&app.config.data.dir).map_err(Error::internal)?;
    let mut checks = health::check(&app).await;
    let ready = checks.iter().all(|check| check.ok);
    let config = app.config.clone();
    let settings_problem = blocking::run(move |_| Ok(settings_file::problem(&config)));
    checks.push(HealthCheck::of("settings", settings_problem.await?));
    // A store that cannot be read has said so in `storage`.
    let last_migration = app.data.store.last_migration().await.unwrap_or_default();
    let before_it = last_migration.as_ref().and_then(|migration| migration.snapshot.clone());
    Ok(UncachedJson(System {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: life.started_at,
        data_dir: place.display().to_string(),
        backup_command: command::on(&place, "backup --to hanok-backup.tar.gz"),
        health: Health { live: true, ready, checks: checks.into_iter().map(|check| check.placed(&place)).collect() },
        storage: space(&app).await?,
        start_report: life.report.as_ref().clone(),
        last_migration_steps: last_migration.iter().flat_map(|migration| app.data.store.told(migration)).collect(),
        last_migration,
        last_migration_backup: snapshot_named(&app, before_it).await?.map(ListedSnapshot::from),
        last_verified_backup: newest_snapshot(&app).await?.map(ListedSnapshot::from),
        // A store that cannot be read has said so.
        files: app.data.store.read_inline(|tx| blobs::totals(tx)).await.unwrap_or_default(),
        search: app.data.search.state().await.unwrap_or_default(),
        compute: app.workers.compute.state(),
        clock: ClockState { now: app.clock.now(), zone: hanok_base::day::ZONE.name().to_owned() },
    }))
}

/// How the outside providers do.
#[endpoint(operation_id = "system_providers", tags("system"))]
pub async fn providers(app: App, _caller: Household) -> HandlerResult<Json<Providers>> {
    let tokens = app.outside.tokens.report().await?;
    Ok(Json(Providers { providers: app.outside.upstream.report(), tokens }))
}

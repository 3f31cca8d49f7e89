//! The system page: how the house is, and how its outside providers do.

use chrono::{DateTime, Utc};
use salvo::oapi::endpoint;
use salvo::{Depot, Writer};
use serde::Serialize;

use super::folder::{newest_snapshot, space};
use super::health::{self, HealthCheck};
use crate::life::Life;
use hanok_base::Error;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::compute::ComputeState;
use hanok_platform::http::{Answer, Household, Json};
use hanok_platform::store::open::StartReport;
use hanok_platform::store::{Migrated, Snapshot, Space};
use hanok_platform::upstream::ProviderState;

/// How the house is.
#[derive(Debug, Serialize, ToSchema)]
pub struct System {
    /// The program's version.
    pub version: String,
    /// When the process began.
    pub started_at: DateTime<Utc>,
    /// The data folder.
    pub data_dir: String,
    /// What the readiness check found.
    pub health: Health,
    /// Room and sizes.
    pub storage: Space,
    /// What the start found and mended.
    pub start_report: StartReport,
    /// The last migration of the store. Null where none was ever written down, and while the store cannot be read.
    pub last_migration: Option<Migrated>,
    /// The newest verified snapshot.
    pub last_verified_backup: Option<Snapshot>,
    /// The compute host.
    pub compute: ComputeState,
    /// The clock.
    pub clock: ClockState,
}

/// What the readiness check found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// An answer is the proof.
    pub live: bool,
    /// Whether every check worked.
    pub ready: bool,
    /// Each check.
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
}

/// How the house is.
#[endpoint(operation_id = "system", tags("system"))]
pub async fn system(app: App, _caller: Household, depot: &mut Depot) -> Answer<Json<System>> {
    let life = depot.get_typed::<Life>().map_err(|_| Error::internal("no life in this door"))?.clone();
    let checks = health::check(&app).await;
    Ok(Json(System {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: life.started_at,
        data_dir: app.config.data.dir.display().to_string(),
        health: Health { live: true, ready: checks.iter().all(|check| check.ok), checks },
        storage: space(&app).await?,
        start_report: life.report.as_ref().clone(),
        // A store that cannot be read has said so in `storage`.
        last_migration: app.data.store.last_migration().await.unwrap_or_default(),
        last_verified_backup: newest_snapshot(&app).await?,
        compute: app.workers.compute.state(),
        clock: ClockState { now: app.clock.now(), zone: hanok_base::day::ZONE.name().to_owned() },
    }))
}

/// How the outside providers do.
#[endpoint(operation_id = "system_providers", tags("system"))]
pub async fn providers(app: App, _caller: Household) -> Answer<Json<Providers>> {
    Ok(Json(Providers { providers: app.outside.upstream.report() }))
}

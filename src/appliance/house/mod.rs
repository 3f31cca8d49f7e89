//! The pages and routes that look at the whole house: health, Today, the household's access, the system page, live
//! events, the apps' files, and the upkeep that keeps it all in order.

pub mod backups;
pub mod events;
pub mod folder;
pub mod health;
pub mod household;
pub mod pages;
pub mod settings;
pub mod storage;
pub mod system;
pub mod tasks;
pub mod today;
pub mod upkeep;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;

use hanok_platform::store::open::StartReport;

/// What handlers may know of the process: how it began, and when it ends.
#[derive(Clone)]
pub struct Life {
    /// What the start found and did.
    pub report: Arc<StartReport>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// Cancelled when the process is to end.
    pub stop: CancellationToken,
}

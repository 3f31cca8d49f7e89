//! What the rest of the house may know of the process.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;

use hanok_platform::store::StartReport;

/// How the process began, and when it ends.
#[derive(Clone)]
pub struct Life {
    /// What the start found and did.
    pub report: Arc<StartReport>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// Cancelled when the process is to end.
    pub stop: CancellationToken,
}

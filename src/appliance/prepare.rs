//! What must stand before the first request: after a start, after a restore, and before a command works on a store
//! that no appliance has open.

use std::time::Instant;

use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::store::open::{StartReport, StartStep};

/// Jobs that were interrupted are put right. What was done is added to `report`.
pub(super) async fn prepare(app: &App, report: &mut StartReport) -> Result<()> {
    let begun = Instant::now();
    let recovered = app.workers.jobs.recover(app).await?;
    if let Some(done) = recovered.interrupted() {
        report.add(StartStep::JobsRecovered, done, begun);
    }
    if let Some(found) = recovered.laid_aside() {
        report.add(StartStep::TasksLaidAside, found, begun);
    }
    Ok(())
}

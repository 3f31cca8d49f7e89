//! What must stand before the first request: after a start, in a state that a restore puts in place, and before a
//! command works on a store that no appliance has open.

use std::time::Instant;

use tracing::info;

use super::domains;
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::derived::DerivedCache;
use hanok_platform::events::{Event, Events};
use hanok_platform::jobs::Jobs;
use hanok_platform::search::Search;
use hanok_platform::store::Handover;
use hanok_platform::store::{StartReport, StartStep};
use hanok_platform::upstream::Upstreams;

/// The passphrase is noted beside the store, and jobs that were interrupted are put right. What was done is added to `report`.
pub(super) async fn prepare(app: &App, report: &mut StartReport) -> Result<()> {
    auth::note_passphrase(&app.data.store).await;
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

/// What a restore does for the house: jobs that were running in the restored state are put right before it is put in
/// place, and how outside providers do is what is known now; then what was computed from the state before is forgotten, and every browser is told to read again.
pub(super) fn handover(
    jobs: &Jobs,
    upstream: &Upstreams,
    search: &Search,
    derived: &DerivedCache,
    events: &Events,
) -> Handover {
    let (jobs, upstream, search) = (jobs.clone(), upstream.clone(), search.clone());
    let (derived, events) = (derived.clone(), events.clone());
    Handover {
        make_ready: Box::new(move |tx| {
            if let Some(done) = jobs.recover_in(tx)?.interrupted() {
                info!("restore: {done}");
            }
            upstream.carry_into(tx)
        }),
        go_on: Box::new(move || {
            derived.clear();
            search.go_on();
            domains::changes().for_each(|change| events.send(Event::Changed(change)));
        }),
    }
}

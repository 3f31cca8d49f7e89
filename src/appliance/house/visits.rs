//! Writes the visits of the customer site down, again and again and at the end.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::warn;

use hanok_platform::app::App;
use hanok_site::analytics::Recorder;

/// How often: a kill loses no more than the views of so long.
const EVERY: Duration = Duration::from_secs(15);

/// Until `stop`; what has come by then is written by [`flush`] once the doors are closed.
pub async fn flush_until(stop: CancellationToken, app: App, visits: Recorder) {
    while stop.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        flush(&app, &visits).await;
    }
}

/// Writes down what waits. What cannot be written waits on.
pub async fn flush(app: &App, visits: &Recorder) {
    if let Err(error) = visits.flush(app).await {
        warn!(%error, "visits wait to be written down");
    }
}

//! Live state for the browser: `hello`, then `changed` and `task`, until the browser or the appliance goes.

use std::convert::Infallible;

use futures_util::{Stream, StreamExt};
use salvo::oapi::endpoint;
use salvo::sse::{SseEvent, SseKeepAlive};
use salvo::{Depot, Response, Writer};
use serde::Serialize;

use crate::life::Life;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{Answer, Household};

/// Server-sent events: what changes, and how tasks go on.
#[endpoint(
    operation_id = "events",
    tags("house"),
    responses((status_code = 200, content_type = "text/event-stream", body = Changed, description = "The stream; this is what `changed` says"))
)]
pub async fn stream(app: App, caller: Household, depot: &mut Depot, res: &mut Response) -> Answer<()> {
    let life = depot.get_typed::<Life>().map_err(|_| Error::internal("no life in this door"))?.clone();
    let hello = SseEvent::default().name("hello").text(format!(r#"{{"version":"{}"}}"#, env!("CARGO_PKG_VERSION")));
    let live = futures_util::stream::once(async move { Ok(hello) }).chain(messages(app, caller));
    let stopped = async move { life.stop.cancelled().await };
    SseKeepAlive::new(live.take_until(Box::pin(stopped))).stream(res);
    Ok(())
}

/// What the event `changed` says.
#[derive(Debug, Serialize, ToSchema)]
struct Changed {
    /// The name of what has changed.
    what: String,
}

/// What happens, for as long as `caller` is signed in. Who lagged behind has missed something: the stream ends,
/// and the browser comes back and reads again.
fn messages(app: App, caller: Household) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    let listener = app.events.listen();
    futures_util::stream::unfold((listener, app, caller), |(mut listener, app, caller)| async move {
        let event = listener.recv().await.ok()?;
        if matches!(event, Event::Changed(Change::HOUSEHOLD)) && !caller.is_still_in(&app).await {
            return None;
        }
        Some((Ok(message(&event)), (listener, app, caller)))
    })
}

fn message(event: &Event) -> SseEvent {
    let (name, data) = match event {
        Event::Changed(change) => ("changed", serde_json::json!(Changed { what: change.name().to_owned() })),
        Event::Task(task) => ("task", task.clone()),
    };
    SseEvent::default().name(name).text(data.to_string())
}

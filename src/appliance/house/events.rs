//! Live state for the browser: `hello`, then `changed` and `task`, and a `beat` whenever there was nothing to say for a
//! while, until the browser or the appliance goes. Who hears nothing at all knows that the house hangs.

use std::convert::Infallible;
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use salvo::oapi::endpoint;
use salvo::sse::{self, SseEvent};
use salvo::{Depot, Response, Writer};
use serde::Serialize;
use tokio::sync::broadcast::Receiver;

use crate::life::Life;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{HandlerResult, Household};

/// The longest silence of a house that is well; the app takes twice that for a house that is not.
const BEAT: Duration = Duration::from_secs(2);

/// Server-sent events: what changes, and how tasks go on. After two seconds without any, a `beat` says that the house is
/// well.
#[endpoint(
    operation_id = "events",
    tags("house"),
    responses((status_code = 200, content_type = "text/event-stream", body = News, description = "The stream; this is what `hello` says, which comes first, and `changed`"))
)]
pub async fn stream(app: App, caller: Household, depot: &mut Depot, res: &mut Response) -> HandlerResult<()> {
    let life = depot.get_typed::<Life>().map_err(|_| Error::internal("no life in this door"))?.clone();
    let listener = app.events.listen();
    let hello = News::Hello(Hello::after(app.events.quiet_for()));
    let hello = SseEvent::default().name("hello").text(serde_json::json!(hello).to_string());
    let live = futures_util::stream::once(async move { Ok(hello) }).chain(messages(listener, app, caller));
    let stopped = async move { life.stop.cancelled().await };
    sse::stream(res, live.take_until(Box::pin(stopped)));
    Ok(())
}

/// What the events say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum News {
    Hello(Hello),
    Changed(ChangedSubject),
}

/// What the event `hello` says, the first one.
#[derive(Debug, Serialize, ToSchema)]
struct Hello {
    /// The version of the program.
    version: &'static str,
    /// For how long nothing has changed before this stream, in milliseconds: what was asked for since is the present state.
    quiet_ms: u64,
}

impl Hello {
    /// In whole milliseconds, rather one less: who has asked too early asks again.
    fn after(quiet: Duration) -> Hello {
        let quiet_ms = u64::try_from(quiet.as_millis()).unwrap_or(u64::MAX).saturating_sub(1);
        Hello { version: env!("CARGO_PKG_VERSION"), quiet_ms }
    }
}

/// What the event `changed` says.
#[derive(Debug, Serialize, ToSchema)]
struct ChangedSubject {
    /// The name of what has changed.
    what: String,
    /// Where only one value has: the address that it is read at, with its query.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// What is read there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<serde_json::Value>,
}

/// What happens, for as long as `caller` is signed in. Who lagged behind has missed something: the stream ends,
/// and the browser comes back and reads again.
fn messages(
    listener: Receiver<Event>,
    app: App,
    caller: Household,
) -> impl Stream<Item = Result<SseEvent, Infallible>> {
    futures_util::stream::unfold((listener, app, caller), |(mut listener, app, caller)| async move {
        let Ok(event) = tokio::time::timeout(BEAT, listener.recv()).await else {
            return Some((Ok(SseEvent::default().name("beat").text("{}")), (listener, app, caller)));
        };
        let event = event.ok()?;
        if matches!(event, Event::Changed(Change::HOUSEHOLD)) && !caller.is_still_in(&app).await {
            return None;
        }
        Some((Ok(message(&event)), (listener, app, caller)))
    })
}

fn message(event: &Event) -> SseEvent {
    let (name, data) = match event {
        Event::Changed(change) => {
            ("changed", serde_json::json!(News::Changed(ChangedSubject { what: what(change), key: None, value: None })))
        }
        Event::Value(change, key, value) => {
            let changed = ChangedSubject { what: what(change), key: Some(key.clone()), value: Some(value.clone()) };
            ("changed", serde_json::json!(News::Changed(changed)))
        }
        Event::Task(task) => ("task", task.clone()),
    };
    SseEvent::default().name(name).text(data.to_string())
}

fn what(change: &Change) -> String {
    change.name().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_one_value_brings_it() {
        let event =
            Event::Value(Change::new("quotes"), "/api/quotes/005930".into(), serde_json::json!({"price": 71_000}));
        let said = message(&event).to_string();
        assert_eq!(
            said,
            "event: changed\ndata: {\"key\":\"/api/quotes/005930\",\"value\":{\"price\":71000},\"what\":\"quotes\"}\n\n"
        );
        let whole = message(&Event::Changed(Change::JOBS)).to_string();
        assert_eq!(whole, "event: changed\ndata: {\"what\":\"jobs\"}\n\n");
    }
}

//! The threads that answer: one for each core, each with a runtime of its own. A connection stays with the thread that
//! accepted it, so that an answer wakes no other thread; all threads share one listener and the limits of its door.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use salvo::fuse::FuseConfig;
use salvo::server::ServerHandle;
use salvo::{Server, Service};
use tokio::runtime;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::error;

use crate::base::{Error, Result};
use crate::platform::config::Http;
use crate::platform::http::{Doorway, Rules};

/// The largest header of a request, in bytes: every connection may fill so much memory.
const LARGEST_HEADER: usize = 64 * 1024;

/// A door that is about to be opened: where connections come in, what limits them, and who answers.
pub(super) struct Opening {
    listener: TcpListener,
    rules: Arc<Rules>,
    service: Service,
}

impl Opening {
    /// The door behind `listener`.
    pub fn new(listener: tokio::net::TcpListener, rules: Rules, service: Service) -> Result<Opening> {
        let listener = listener.into_std().map_err(Error::internal)?;
        Ok(Opening { listener, rules: Arc::new(rules), service })
    }
}

/// The running threads. Dropping this cuts off whatever is under way.
pub(super) struct Answerers {
    doors: Vec<ServerHandle>,
    _until_dropped: DropGuard,
}

impl Answerers {
    /// Begins to answer at all `openings`; `parts` gets what ends when a thread has ended.
    ///
    /// # Errors
    /// `INTERNAL` when the machine gives no thread or no further handle of a listener.
    pub fn begin(openings: &[Opening], settings: &Http, parts: &mut JoinSet<()>) -> Result<Answerers> {
        let dropped = CancellationToken::new();
        let mut doors = Vec::new();
        for number in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
            let serving = {
                // Listeners belong to the runtime in which they are made.
                let _inside = runtime.enter();
                let servers = openings.iter().map(|opening| server(opening, settings, &mut doors));
                servers.collect::<Result<Vec<_>>>()?
            };
            let (ended, end) = oneshot::channel();
            let dropped = dropped.clone();
            let work = move || {
                runtime.block_on(dropped.run_until_cancelled(serve_all(serving)));
                let _ = ended.send(());
            };
            let thread = std::thread::Builder::new().name(format!("answers-{number}"));
            thread.spawn(work).map_err(Error::internal)?;
            parts.spawn(async move {
                if end.await.is_err() {
                    error!("a thread that answers has died");
                }
            });
        }
        Ok(Answerers { doors, _until_dropped: dropped.drop_guard() })
    }

    /// Takes no more requests; those under way may take `farewell`.
    pub fn stop(&self, farewell: Duration) {
        for door in &self.doors {
            door.stop_graceful(farewell);
        }
    }
}

type Serving = (Server<Doorway>, Service);

async fn serve_all(serving: Vec<Serving>) {
    let mut doors = JoinSet::new();
    for (server, service) in serving {
        doors.spawn(server.serve(service));
    }
    doors.join_all().await;
}

fn server(opening: &Opening, settings: &Http, doors: &mut Vec<ServerHandle>) -> Result<Serving> {
    let listener = opening.listener.try_clone().and_then(tokio::net::TcpListener::from_std).map_err(Error::internal)?;
    let seconds = |seconds: u64| Some(Duration::from_secs(seconds));
    // The library's own limit of the header begins while a connection is still idle, so it serves as the idle
    // limit; the doorway limits the header from its first byte. An answer that waits for its reader is limited
    // as a write, so that neither long work nor a quiet stream of events counts as idle.
    let fuse = FuseConfig::default()
        .with_http1_header_timeout(seconds(settings.idle_seconds))
        .with_write_stall_timeout(seconds(settings.idle_seconds))
        .with_request_body_timeout(seconds(settings.body_seconds));
    let mut server = Server::new(Doorway::new(listener, opening.rules.clone())?).fuse_config(fuse);
    server.http1_mut().max_buf_size(LARGEST_HEADER).max_header_size(LARGEST_HEADER);
    doors.push(server.handle());
    Ok((server, same(&opening.service)))
}

/// The same service once more: its parts are shared.
fn same(service: &Service) -> Service {
    let mut another = Service::new(service.router.clone());
    another.hoops.clone_from(&service.hoops);
    another.catcher.clone_from(&service.catcher);
    another
}

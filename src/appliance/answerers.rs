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

use hanok_base::{Error, Result};
use hanok_platform::config::Http;
use hanok_platform::http::{Doorway, Rules, Shares};

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

    /// One thread's way in. To be called in its runtime, which watches the listener.
    fn doorway(&self, shares: &Arc<Shares>, thread: usize) -> Result<Doorway> {
        let listener =
            self.listener.try_clone().and_then(tokio::net::TcpListener::from_std).map_err(Error::internal)?;
        Doorway::new(listener, self.rules.clone(), shares.clone(), thread)
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
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let shares = Shares::among(threads);
        for number in 0..threads {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
            let mut serving = Vec::new();
            for opening in openings {
                let _inside = runtime.enter();
                let doorway = opening.doorway(&shares, number)?;
                serving.push((server(doorway, settings), same(&opening.service)));
            }
            doors.extend(serving.iter().map(|(server, _)| server.handle()));
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

async fn serve_all(serving: Vec<(Server<Doorway>, Service)>) {
    let mut doors = JoinSet::new();
    for (server, service) in serving {
        doors.spawn(server.serve(service));
    }
    doors.join_all().await;
}

fn server(doorway: Doorway, settings: &Http) -> Server<Doorway> {
    let seconds = |seconds: u64| Some(Duration::from_secs(seconds));
    // The library's own limit of the header begins while a connection is still idle, so it serves as the idle
    // limit; the doorway limits the header from its first byte. An answer that waits for its reader is limited
    // as a write, so that neither long work nor a quiet stream of events counts as idle.
    let fuse = FuseConfig::default()
        .with_http1_header_timeout(seconds(settings.idle_seconds))
        .with_write_stall_timeout(seconds(settings.idle_seconds))
        .with_request_body_timeout(seconds(settings.body_seconds));
    let mut server = Server::new(doorway).fuse_config(fuse);
    server.http1_mut().max_buf_size(LARGEST_HEADER).max_header_size(LARGEST_HEADER);
    server
}

/// The same service once more: its parts are shared.
fn same(service: &Service) -> Service {
    let mut another = Service::new(service.router.clone());
    another.hoops.clone_from(&service.hoops);
    another.catcher.clone_from(&service.catcher);
    another
}

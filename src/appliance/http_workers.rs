//! The threads that answer: one for each core, each with a runtime of its own. A connection stays with the thread that
//! accepted it, so that an answer wakes no other thread; all threads share one listener and the limits of its door.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use salvo::fuse::FuseConfig;
use salvo::server::ServerHandle;
use salvo::{Server, Service};
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::error;

use hanok_base::{Error, Message, Result};
use hanok_platform::blocking;
use hanok_platform::config::Http;
use hanok_platform::http::{Acceptor, Balancer, ConnectionLimits};

/// The largest header of a request, in bytes: every connection may fill so much memory.
const LARGEST_HEADER: usize = 64 * 1024;

/// A door that is about to be opened: where connections come in, what limits them, and who answers.
pub(super) struct Opening {
    listener: TcpListener,
    rules: Arc<ConnectionLimits>,
    service: Service,
}

impl Opening {
    /// The door behind `listener`.
    pub fn new(listener: tokio::net::TcpListener, rules: ConnectionLimits, service: Service) -> Result<Opening> {
        let listener = listener.into_std().map_err(Error::internal)?;
        Ok(Opening { listener, rules: Arc::new(rules), service })
    }

    /// One thread's way in. To be called in its runtime, which watches the listener.
    fn doorway(&self, shares: &Arc<Balancer>, thread: usize) -> Result<Acceptor> {
        let listener =
            self.listener.try_clone().and_then(tokio::net::TcpListener::from_std).map_err(Error::internal)?;
        Acceptor::new(listener, self.rules.clone(), shares.clone(), thread)
    }
}

/// The running threads. Dropping this cuts off whatever is under way.
pub(super) struct HttpWorkers {
    doors: Vec<ServerHandle>,
    _until_dropped: DropGuard,
}

impl HttpWorkers {
    /// Begins to answer at all `openings`; `parts` gets what ends when a thread has ended.
    ///
    /// # Errors
    /// `INTERNAL` when the machine gives no thread or no further handle of a listener.
    pub fn begin(openings: &[Opening], settings: &Http, parts: &mut JoinSet<()>) -> Result<HttpWorkers> {
        let dropped = CancellationToken::new();
        let mut doors = Vec::new();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let shares = Balancer::among(threads);
        for number in 0..threads {
            let runtime = Own::begin()?;
            let mut serving = Vec::new();
            for opening in openings {
                let _inside = runtime.0.as_ref().map(Runtime::enter);
                let doorway = opening.doorway(&shares, number)?;
                serving.push((server(doorway, settings), same(&opening.service)));
            }
            doors.extend(serving.iter().map(|(server, _)| server.handle()));
            let (ended, end) = oneshot::channel::<Infallible>();
            let dropped = dropped.clone();
            let work = move || {
                runtime.answer(dropped.run_until_cancelled(serve_all(serving)));
                drop(ended);
            };
            let thread = std::thread::Builder::new().name(format!("answers-{number}"));
            #[expect(
                clippy::disallowed_methods,
                reason = "`joined` waits for the thread, and is a part of the process"
            )]
            let thread = thread.spawn(work).map_err(Error::internal)?;
            parts.spawn(joined(thread, end));
        }
        Ok(HttpWorkers { doors, _until_dropped: dropped.drop_guard() })
    }

    /// Takes no more requests; those under way may take `grace`.
    pub fn stop(&self, grace: Duration) {
        for door in &self.doors {
            door.stop_graceful(grace);
        }
    }
}

/// The runtime of one thread. Where its thread does not come to be, it is given up where the threads are begun, and there
/// nobody may wait for what it does, which is nothing yet.
struct Own(Option<Runtime>);

impl Own {
    fn begin() -> Result<Own> {
        runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map(|runtime| Own(Some(runtime)))
            .map_err(Error::internal)
    }

    /// Answers on this thread. What is still under way at the end ends with the runtime, which is waited for.
    fn answer<T>(mut self, serving: impl Future<Output = T>) {
        if let Some(runtime) = self.0.take() {
            runtime.block_on(serving);
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Ends when `thread` has ended, which drops the other side of `end` last of all.
async fn joined(thread: JoinHandle<()>, end: oneshot::Receiver<Infallible>) {
    let _ = end.await;
    let joined = blocking::run(move |_| Ok(thread.join()));
    if !matches!(joined.await, Ok(Ok(()))) {
        error!("a thread that answers has died");
    }
}

/// A listener on the address that `setting` names.
///
/// # Errors
/// Names the setting: the address is in use, or is none of this machine's.
pub(super) async fn listen(setting: &str, address: SocketAddr) -> Result<tokio::net::TcpListener> {
    tokio::net::TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            ErrorKind::AddrInUse => "another program listens there, perhaps hanok itself".to_owned(),
            _ => error.to_string(),
        };
        Error::field(setting, Message::english(format!("cannot listen on {address}: {why}; nothing was changed")))
    })
}

async fn serve_all(serving: Vec<(Server<Acceptor>, Service)>) {
    let mut doors = JoinSet::new();
    for (server, service) in serving {
        doors.spawn(server.serve(service));
    }
    doors.join_all().await;
}

fn server(doorway: Acceptor, settings: &Http) -> Server<Acceptor> {
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

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    use salvo::{Depot, FlowCtrl, Handler, Request, Response, Router, async_trait};
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpStream;
    use tokio::sync::Notify;

    use super::*;
    use hanok_base::Kind;
    use hanok_platform::config::Config;
    use hanok_platform::http::DoorKind;

    /// Answers after work that takes a while on a thread of its own.
    #[derive(Clone, Default)]
    struct Slow {
        takes_much_memory: bool,
        begun: Arc<Notify>,
        is_done: Arc<AtomicBool>,
    }

    #[async_trait]
    impl Handler for Slow {
        async fn handle(&self, _: &mut Request, _: &mut Depot, _: &mut Response, _: &mut FlowCtrl) {
            let (begun, is_done) = (self.begun.clone(), self.is_done.clone());
            let work = move |_: &CancellationToken| {
                begun.notify_one();
                std::thread::sleep(Duration::from_millis(200));
                is_done.store(true, Ordering::SeqCst);
                Ok(())
            };
            let done =
                if self.takes_much_memory { blocking::run_in_turn(work).await } else { blocking::run(work).await };
            done.unwrap();
        }
    }

    #[tokio::test]
    async fn a_door_that_cannot_be_watched_is_refused_where_the_threads_are_begun() {
        // The system watches no plain file: as with a listener for which no further handle is left.
        let file = tempfile::tempfile().unwrap();
        rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::NONBLOCK).unwrap();
        let listener = TcpListener::from(OwnedFd::from(file));
        let config = Config::default();
        let rules = Arc::new(ConnectionLimits::new(&config, DoorKind::Ops, 10));
        let openings = [Opening { listener, rules, service: Service::new(Router::new()) }];
        let mut parts = JoinSet::new();
        let begun = HttpWorkers::begin(&openings, &config.http, &mut parts);
        assert!(begun.is_err_and(|error| error.kind == Kind::Internal));
        assert!(parts.is_empty());
    }

    #[tokio::test]
    async fn when_the_threads_have_ended_so_has_the_work_that_their_requests_began() {
        ends_with_the_threads(Slow::default()).await;
        ends_with_the_threads(Slow { takes_much_memory: true, ..Slow::default() }).await;
    }

    async fn ends_with_the_threads(work: Slow) {
        let config = Config::default();
        let listener = listen("ops.listen", SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new().get(work.clone());
        let rules = ConnectionLimits::new(&config, DoorKind::Ops, 10);
        let openings = [Opening::new(listener, rules, Service::new(routes)).unwrap()];
        let mut parts = JoinSet::new();
        let answerers = HttpWorkers::begin(&openings, &config.http, &mut parts).unwrap();
        let mut caller = TcpStream::connect(address).await.unwrap();
        caller.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
        work.begun.notified().await;
        answerers.stop(Duration::ZERO);
        parts.join_all().await;
        assert!(work.is_done.load(Ordering::SeqCst));
    }
}

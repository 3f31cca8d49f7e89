//! The wire below HTTP. What the HTTP library decides by itself, before there is a request, is put right here:
//! how many connections one address may hold, how long a client may take with a header that it has begun, and
//! the answer to what is no request at all, which would otherwise be a bare status line.

use std::collections::HashMap;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use parking_lot::Mutex;
use salvo::conn::tcp::{TcpAcceptor, TcpCoupler};
use salvo::conn::{self, Accepted, Holding, StraightStream};
use salvo::fuse::ArcFusePolicy;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep};

use super::balancer::{Balancer, Share};
use super::clocked::tell;
use super::door_kind::DoorKind;
use super::headers::headers;
use super::no_request::refusal;
use crate::config::{Config, Network, one_caller};
use hanok_base::{Clock, Error, Result};

/// Where connections come in. Several doorways may share one listener and its rules, one on each thread that answers.
pub struct Acceptor {
    inner: TcpAcceptor,
    rules: Arc<ConnectionLimits>,
    shares: Arc<Balancer>,
    thread: usize,
    /// Those who are told that nothing is served.
    told: JoinSet<()>,
}

/// What holds for all connections of a door together.
pub struct ConnectionLimits {
    header: Duration,
    per_address: usize,
    trusted: Vec<Network>,
    /// The lines of every answer, as they go over the wire.
    lines: String,
    held: Mutex<HashMap<IpAddr, usize>>,
    free: Arc<Semaphore>,
}

impl ConnectionLimits {
    /// The limits of `config` for one door that holds `most` connections.
    pub fn new(config: &Config, kind: DoorKind, most: usize) -> ConnectionLimits {
        let lines = headers(config, kind).into_iter();
        let lines = lines.map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap_or_default()));
        ConnectionLimits {
            header: Duration::from_secs(config.http.header_seconds),
            per_address: usize::try_from(config.http.connections_per_address).unwrap_or(usize::MAX),
            trusted: config.http.trusted_proxies.clone(),
            lines: lines.collect(),
            held: Mutex::default(),
            free: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
        }
    }
}

impl Acceptor {
    /// The doorway of one thread of `shares` behind `listener`.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn new(
        listener: TcpListener,
        rules: Arc<ConnectionLimits>,
        shares: Arc<Balancer>,
        thread: usize,
    ) -> Result<Acceptor> {
        let inner = TcpAcceptor::try_from(listener).map_err(Error::internal)?;
        Ok(Acceptor { inner, rules, shares, thread, told: JoinSet::new() })
    }
}

impl conn::Acceptor for Acceptor {
    type Coupler = TcpCoupler<Connection>;
    type Stream = Connection;

    fn holdings(&self) -> &[Holding] {
        self.inner.holdings()
    }

    async fn accept(&mut self, policy: Option<ArcFusePolicy>) -> io::Result<Accepted<Self::Coupler, Connection>> {
        loop {
            let free = self.rules.free.clone().acquire_owned().await.map_err(io::Error::other)?;
            self.shares.turn(self.thread).await;
            let accepted = self.inner.accept(policy.clone()).await?;
            if !Clock::system().is_set() {
                while self.told.try_join_next().is_some() {}
                self.told.spawn(tell(accepted.stream, self.rules.lines.clone()));
                continue;
            }
            let address = accepted.remote_addr.clone().into_std().as_ref().map(SocketAddr::ip);
            match ConnectionPermit::take(&self.rules, free, address) {
                Some(permit) => {
                    let share = self.shares.take(self.thread);
                    let wire = |stream| Connection::new(stream, permit, share);
                    return Ok(accepted.map_into(|_| TcpCoupler::new(), wire));
                }
                None => tracing::debug!(?address, "an address holds as many connections as it may; closed one more"),
            }
        }
    }
}

/// One of the connections that the door and an address may hold; given back when it is dropped.
struct ConnectionPermit {
    rules: Arc<ConnectionLimits>,
    address: Option<IpAddr>,
    _free: OwnedSemaphorePermit,
}

impl ConnectionPermit {
    /// None when the address has all of its places. This machine and trusted proxies bring many callers.
    fn take(
        rules: &Arc<ConnectionLimits>,
        free: OwnedSemaphorePermit,
        address: Option<IpAddr>,
    ) -> Option<ConnectionPermit> {
        let address = address.map(|address| address.to_canonical()).filter(|address| {
            let brings_others = address.is_loopback() || rules.trusted.iter().any(|known| known.contains(*address));
            rules.per_address > 0 && !brings_others
        });
        if let Some(address) = address {
            let mut held = rules.held.lock();
            let count = held.entry(one_caller(address)).or_default();
            if *count >= rules.per_address {
                return None;
            }
            *count += 1;
        }
        Some(ConnectionPermit { rules: rules.clone(), address, _free: free })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let address = one_caller(address);
        let mut held = self.rules.held.lock();
        if let Some(count) = held.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                held.remove(&address);
            }
        }
    }
}

/// One connection.
pub struct Connection {
    inner: StraightStream<TcpStream>,
    permit: ConnectionPermit,
    _share: Share,
    stage: Stage,
    deadline: Option<Pin<Box<Sleep>>>,
    /// Our words instead of the library's, how many of them are out, and how many bytes they stand for.
    instead: Option<(Vec<u8>, usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing has come since the connection began or the last answer went out.
    Quiet,
    /// A header is coming in; how far its line at hand is.
    Header(Line),
    /// A header has come; nothing of the answer has gone out.
    Asked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// No line yet but empty ones, which the library passes over (RFC 9112, 2.2).
    Before,
    /// Something stands in it.
    Begun,
    /// Nothing stands in it so far: when it ends so, the header has come.
    Empty,
}

impl Stage {
    /// What it is after more bytes: what stands in a line, and whatever follows the header, is passed over.
    fn after(mut self, mut bytes: &[u8]) -> Stage {
        while let Stage::Header(line) = self
            && let Some((byte, rest)) = bytes.split_first()
        {
            self = match (line, *byte) {
                (Line::Empty, b'\n') => Stage::Asked,
                (Line::Begun, b'\n') => Stage::Header(Line::Empty),
                (line, b'\r') | (line @ Line::Before, b'\n') => Stage::Header(line),
                _ => Stage::Header(Line::Begun),
            };
            bytes = match self {
                Stage::Header(Line::Begun) => {
                    &rest[rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())..]
                }
                _ => rest,
            };
        }
        self
    }
}

impl Connection {
    fn new(inner: StraightStream<TcpStream>, permit: ConnectionPermit, share: Share) -> Connection {
        Connection { inner, permit, _share: share, stage: Stage::Quiet, deadline: None, instead: None }
    }

    fn came_in(&mut self, bytes: &[u8]) {
        if self.stage == Stage::Quiet {
            self.stage = Stage::Header(Line::Before);
            let until = Instant::now() + self.permit.rules.header;
            match &mut self.deadline {
                Some(deadline) => deadline.as_mut().reset(until),
                None => self.deadline = Some(Box::pin(tokio::time::sleep_until(until))),
            }
        }
        self.stage = self.stage.after(bytes);
    }

    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let waits = matches!(self.stage, Stage::Header(_));
        waits && self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(context).is_ready())
    }

    /// Takes note that `bytes` are about to go out, and puts our words in the place of the library's own.
    fn going_out(&mut self, bytes: &[u8]) {
        if bytes.starts_with(b"HTTP/1.1 100 ") {
            return;
        }
        self.stage = Stage::Quiet;
        // Also behind an answer: what follows a request in one go may be none.
        if let Some(words) = refusal(bytes, &self.permit.rules.lines) {
            self.instead = Some((words, 0, bytes.len()));
        }
    }

    fn send_instead(&mut self, context: &mut Context<'_>) -> Option<Poll<io::Result<usize>>> {
        while let Some((words, sent, stands_for)) = &mut self.instead {
            match Pin::new(&mut self.inner).poll_write(context, &words[*sent..]) {
                Poll::Pending => return Some(Poll::Pending),
                Poll::Ready(Err(error)) => return Some(Poll::Ready(Err(error))),
                Poll::Ready(Ok(0)) => return Some(Poll::Ready(Err(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(more)) => {
                    *sent += more;
                    if *sent == words.len() {
                        let whole = *stands_for;
                        self.instead = None;
                        return Some(Poll::Ready(Ok(whole)));
                    }
                }
            }
        }
        None
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut wire.inner).poll_read(cx, buffer) {
            read?;
            wire.came_in(&buffer.filled()[before..]);
            // A byte that comes after the deadline does not put it off.
            if !wire.is_late(cx) {
                return Poll::Ready(Ok(()));
            }
        }
        if wire.is_late(cx) {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the header did not come in time")));
        }
        Poll::Pending
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        wire.going_out(bytes);
        match wire.send_instead(cx) {
            Some(sent) => sent,
            None => Pin::new(&mut wire.inner).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        wire.going_out(parts.iter().find(|part| !part.is_empty()).map_or(&[], |part| part));
        match wire.send_instead(cx) {
            Some(sent) => sent,
            None => Pin::new(&mut wire.inner).poll_write_vectored(cx, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        ready!(Pin::new(&mut wire.inner).poll_shutdown(cx))?;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(per_address: usize) -> Arc<ConnectionLimits> {
        let trusted = vec!["192.0.2.0/24".parse().unwrap()];
        let header = Duration::from_secs(1);
        let free = Arc::new(Semaphore::new(99));
        Arc::new(ConnectionLimits { header, per_address, trusted, lines: String::new(), held: Mutex::default(), free })
    }

    #[test]
    fn an_address_holds_only_so_many_connections_and_gets_a_place_back_for_each_that_ends() {
        let rules = rules(2);
        let take = |address: &str| {
            let free = rules.free.clone().try_acquire_owned().unwrap();
            ConnectionPermit::take(&rules, free, Some(address.parse().unwrap()))
        };
        let held: Vec<_> = (0..2).map(|_| take("203.0.113.9").unwrap()).collect();
        assert!(take("203.0.113.9").is_none() && take("::ffff:203.0.113.9").is_none());
        let another = take("203.0.113.10").unwrap();
        let network = [take("2001:db8::1").unwrap(), take("2001:db8::2").unwrap()];
        assert!(take("2001:db8::3").is_none(), "whoever has one of these addresses has all of them");
        drop((held, network));
        take("203.0.113.9").unwrap();
        drop(another);
        assert!(rules.held.lock().is_empty(), "nothing is remembered of who has gone");
        assert_eq!(rules.free.available_permits(), 99);
        let proxied: Vec<_> = (0..9).filter_map(|_| take("192.0.2.7")).collect();
        assert_eq!(proxied.len(), 9, "a trusted proxy brings many callers");
    }

    #[test]
    fn a_header_ends_with_the_empty_line_behind_it_and_not_with_one_before_it() {
        let stage = |bytes: &[u8]| {
            let at_once = Stage::Header(Line::Before).after(bytes);
            let by_bytes = bytes.chunks(1).fold(Stage::Header(Line::Before), |stage, byte| stage.after(byte));
            assert_eq!(at_once, by_bytes, "{bytes:?}: how it comes in makes no difference");
            at_once
        };
        for whole in ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\n\nmore"] {
            assert_eq!(stage(whole.as_bytes()), Stage::Asked, "{whole:?}");
        }
        for part in ["", "\r\n", "\r\n\r\n", "\n\n\n", "\r\n\r\nGET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n"] {
            assert!(matches!(stage(part.as_bytes()), Stage::Header(_)), "{part:?}");
        }
    }
}

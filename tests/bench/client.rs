//! The caller that every server meets alike: a closed loop of keep-alive connections on one thread.
//! Each connection sends its next request when the answer to the last one has been read to its end.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How a server is asked.
#[derive(Clone, Copy)]
pub struct Loop {
    /// Connections that are open at once.
    pub connections: usize,
    /// Time before anything is counted.
    pub warm: Duration,
    /// Time that counts.
    pub counted: Duration,
}

/// What a run gave.
#[derive(Default)]
pub struct Outcome {
    /// Answers with a status below 400.
    pub answers: u64,
    /// Other answers.
    pub failures: u64,
    /// Bytes of the last answer's body.
    pub body_bytes: usize,
    seconds: f64,
    nanoseconds: Vec<u32>,
}

impl Outcome {
    /// Good answers a second.
    pub fn rate(&self) -> f64 {
        self.answers as f64 / self.seconds
    }

    fn count(&mut self, status: u16, took: Duration, length: usize) {
        self.nanoseconds.push(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
        self.body_bytes = length;
        match status {
            ..400 => self.answers += 1,
            _ => self.failures += 1,
        }
    }

    /// The time within which `share` (0 to 1) of all answers came, in milliseconds.
    pub fn within(&self, share: f64) -> f64 {
        let last = self.nanoseconds.len().saturating_sub(1);
        self.nanoseconds.get((last as f64 * share).round() as usize).map_or(0.0, |&ns| f64::from(ns) / 1e6)
    }
}

/// Drives `address` with `requests` in turn, on a thread of its own.
pub fn drive(address: SocketAddr, requests: &[Vec<u8>], how: Loop) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(drive_here(address, requests.to_vec(), how))
}

async fn drive_here(address: SocketAddr, requests: Vec<Vec<u8>>, how: Loop) -> Outcome {
    let requests = std::sync::Arc::new(requests);
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for number in 0..how.connections {
        let requests = std::sync::Arc::clone(&requests);
        callers.spawn(async move {
            let mut caller = Caller::open(address).await;
            let mut outcome = Outcome::default();
            let mut turn = number;
            while begun.elapsed() < how.warm + how.counted {
                let sent = Instant::now();
                let (status, length) = caller.ask(&requests[turn % requests.len()]).await;
                turn += how.connections;
                if begun.elapsed() < how.warm {
                    continue;
                }
                outcome.count(status, sent.elapsed(), length);
            }
            outcome
        });
    }
    gather(callers, how.counted).await
}

async fn gather(mut callers: JoinSet<Outcome>, time: Duration) -> Outcome {
    let mut all = Outcome { seconds: time.as_secs_f64(), ..Outcome::default() };
    while let Some(one) = callers.join_next().await {
        let one = one.unwrap();
        all.answers += one.answers;
        all.failures += one.failures;
        all.body_bytes = one.body_bytes;
        all.nanoseconds.extend(one.nanoseconds);
    }
    all.nanoseconds.sort_unstable();
    all
}

/// A steady pace: every connection sends at fixed moments, whether or not the last answer was quick.
#[derive(Clone, Copy)]
pub struct Pace {
    /// Connections that are open at once.
    pub connections: usize,
    /// The distance between two requests of a connection.
    pub every: Duration,
    /// For how long.
    pub time: Duration,
}

/// Asks `address` at a steady pace. A request that had to wait for the one before it counts from the moment
/// at which it should have been sent, so that a pause of the server is not hidden by callers that wait with it.
pub fn pace(address: SocketAddr, requests: &[Vec<u8>], how: Pace) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let requests = std::sync::Arc::new(requests.to_vec());
    runtime.block_on(async {
        let begun = Instant::now() + Duration::from_millis(50);
        let mut callers = JoinSet::new();
        for number in 0..how.connections {
            let requests = std::sync::Arc::clone(&requests);
            let first = begun + how.every * number as u32 / how.connections as u32;
            callers.spawn(async move {
                let mut caller = Caller::open(address).await;
                let mut outcome = Outcome::default();
                let mut due = first;
                for request in requests.iter().cycle().skip(number) {
                    if due >= begun + how.time {
                        break;
                    }
                    tokio::time::sleep_until(due.into()).await;
                    // The timer has steps of a millisecond: early or late by its own step is not the server's.
                    let sent = Instant::now();
                    let asked = if sent - due > Duration::from_millis(2) { due } else { sent };
                    let (status, length) = caller.ask(request).await;
                    outcome.count(status, asked.elapsed(), length);
                    due += how.every;
                }
                outcome
            });
        }
        gather(callers, how.time).await
    })
}

/// Sends every request once over `connections` connections and gives how many were answered below 400.
pub fn send_all(address: SocketAddr, requests: Vec<Vec<u8>>, connections: usize) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async move {
        let requests = std::sync::Arc::new(requests);
        let mut callers = JoinSet::new();
        for number in 0..connections {
            let requests = std::sync::Arc::clone(&requests);
            callers.spawn(async move {
                let mut caller = Caller::open(address).await;
                let mut good = 0;
                for request in requests.iter().skip(number).step_by(connections) {
                    good += usize::from(caller.ask(request).await.0 < 400);
                }
                good
            });
        }
        let mut good = 0;
        while let Some(one) = callers.join_next().await {
            good += one.unwrap();
        }
        good
    })
}

/// One caller sends `requests` in turn, `times` in all after a few that do not count.
pub fn one_by_one(address: SocketAddr, requests: &[Vec<u8>], times: usize) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut caller = Caller::open(address).await;
        let mut outcome = Outcome::default();
        for (number, request) in requests.iter().cycle().take(times + UNCOUNTED).enumerate() {
            let sent = Instant::now();
            let (status, length) = caller.ask(request).await;
            if number >= UNCOUNTED {
                outcome.count(status, sent.elapsed(), length);
            }
        }
        outcome.nanoseconds.sort_unstable();
        outcome
    })
}

const UNCOUNTED: usize = 5;

/// One request; status and body of its answer.
pub fn ask(address: SocketAddr, request: &[u8]) -> (u16, String) {
    let (status, _, body) = ask_whole(address, request);
    (status, body)
}

/// One request; status, header lines and body of its answer.
pub fn ask_whole(address: SocketAddr, request: &[u8]) -> (u16, Vec<(String, String)>, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut caller = Caller::open(address).await;
        let (status, _) = caller.ask(request).await;
        let head =
            find(&caller.received, b"\r\n\r\n").map_or("", |end| str::from_utf8(&caller.received[..end]).unwrap());
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let lines = lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        (status, lines, String::from_utf8_lossy(&caller.body).into_owned())
    })
}

/// A request without a body.
pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n").into_bytes()
}

/// A browser's request for a page in Korean, which is not to be packed.
pub fn page(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\nAccept-Language: ko\r\n\r\n").into_bytes()
}

/// `path` with what is asked there.
pub fn with_query(path: &str, asked: &[(&str, &str)]) -> String {
    let url = reqwest::Url::parse_with_params("http://house/", asked).unwrap();
    format!("{path}?{}", url.query().unwrap_or_default())
}

/// A request with a JSON body.
pub fn post(path: &str, body: &str) -> Vec<u8> {
    with_body("POST", path, "", body)
}

/// A request with a JSON body and further header lines.
pub fn with_body(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// One connection.
struct Caller {
    stream: TcpStream,
    received: Vec<u8>,
    body: Vec<u8>,
}

impl Caller {
    async fn open(address: SocketAddr) -> Caller {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Caller { stream, received: Vec::with_capacity(64 << 10), body: Vec::new() }
    }

    /// Sends `request` and reads its whole answer; status and length of the body.
    async fn ask(&mut self, request: &[u8]) -> (u16, usize) {
        self.stream.write_all(request).await.unwrap();
        self.received.clear();
        let head = loop {
            if let Some(end) = find(&self.received, b"\r\n\r\n") {
                break end + 4;
            }
            self.more().await;
        };
        let (status, framing) = read_head(&self.received[..head]);
        match framing {
            Framing::Length(length) => {
                while self.received.len() < head + length {
                    self.more().await;
                }
                self.body.clear();
                self.body.extend_from_slice(&self.received[head..head + length]);
            }
            Framing::Chunked => self.chunks(head).await,
        }
        (status, self.body.len())
    }

    async fn chunks(&mut self, head: usize) {
        self.body.clear();
        let mut at = head;
        loop {
            let line = loop {
                if let Some(end) = find(&self.received[at..], b"\r\n") {
                    break at + end;
                }
                self.more().await;
            };
            let size = std::str::from_utf8(&self.received[at..line]).unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            while self.received.len() < line + 2 + size + 2 {
                self.more().await;
            }
            self.body.extend_from_slice(&self.received[line + 2..line + 2 + size]);
            at = line + 2 + size + 2;
            if size == 0 {
                return;
            }
        }
    }

    async fn more(&mut self) {
        let read = self.stream.read_buf(&mut self.received).await.unwrap();
        assert!(read > 0, "the server closed the connection");
    }
}

enum Framing {
    Length(usize),
    Chunked,
}

fn read_head(head: &[u8]) -> (u16, Framing) {
    let text = std::str::from_utf8(head).unwrap();
    let status = text[9..12].parse().unwrap();
    for line in text.split("\r\n").skip(1) {
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.eq_ignore_ascii_case("content-length") {
            return (status, Framing::Length(value.trim().parse().unwrap()));
        }
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return (status, Framing::Chunked);
        }
    }
    (status, Framing::Length(0))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

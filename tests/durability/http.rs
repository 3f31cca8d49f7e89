//! The smallest HTTP caller: one connection, whole answers, and a plain word when the connection ends. With it a test
//! knows exactly which write was acknowledged.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;

/// When an answer counts as never coming. A restore or a snapshot under full load takes the longest.
const PATIENCE: Duration = Duration::from_secs(180);

/// A caller with one kept connection.
pub struct Caller {
    address: SocketAddr,
    connection: Option<BufReader<TcpStream>>,
    /// Sent with every request.
    pub cookie: Option<String>,
    /// For whom a proxy sends every request.
    pub forwarded: Option<String>,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub cookie: Option<String>,
}

impl Caller {
    pub fn to(address: SocketAddr) -> Caller {
        Caller { address, connection: None, cookie: None, forwarded: None }
    }

    /// With a sign-in.
    pub fn with(self, cookie: Option<String>) -> Caller {
        Caller { cookie, ..self }
    }

    pub fn get(&mut self, path: &str) -> io::Result<Answer> {
        self.send("GET", path, None, None)
    }

    pub fn post(&mut self, path: &str, body: &Value) -> io::Result<Answer> {
        self.send("POST", path, Some(body), None)
    }

    /// Asks for work that may take longer than an answer waits: under a key of its own, until the outcome is there.
    pub fn post_soon(&mut self, path: &str, body: &Value) -> io::Result<Answer> {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        let key = format!("soon-{}", ASKED.fetch_add(1, Ordering::Relaxed));
        loop {
            let answer = self.send("POST", path, Some(body), Some(&key))?;
            if answer.status != 202 {
                return Ok(answer);
            }
        }
    }

    pub fn put(&mut self, path: &str, body: &Value) -> io::Result<Answer> {
        self.send("PUT", path, Some(body), None)
    }

    pub fn delete(&mut self, path: &str) -> io::Result<Answer> {
        self.send("DELETE", path, None, None)
    }

    /// Posts a text of another kind than JSON.
    pub fn send_text(&mut self, path: &str, kind: &str, text: &str) -> io::Result<Answer> {
        self.whole("POST", path, (kind, text), None)
    }

    /// Sends a request and reads the whole answer. An error means that nobody knows whether it was done.
    pub fn send(&mut self, method: &str, path: &str, body: Option<&Value>, key: Option<&str>) -> io::Result<Answer> {
        let text = body.map(Value::to_string).unwrap_or_default();
        self.whole(method, path, ("application/json", &text), key)
    }

    fn whole(&mut self, method: &str, path: &str, body: (&str, &str), key: Option<&str>) -> io::Result<Answer> {
        let answered = self.try_send(method, path, body, key);
        if answered.is_err() {
            self.connection = None;
        }
        answered
    }

    fn try_send(&mut self, method: &str, path: &str, body: (&str, &str), key: Option<&str>) -> io::Result<Answer> {
        let (kind, text) = body;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nAccept: application/json\r\n", self.address);
        head += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", text.len());
        if let Some(key) = key {
            head += &format!("Idempotency-Key: {key}\r\n");
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("Cookie: {cookie}\r\n");
        }
        if let Some(forwarded) = &self.forwarded {
            head += &format!("X-Forwarded-For: {forwarded}\r\n");
        }
        if self.connection.is_none() {
            let stream = TcpStream::connect(self.address)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            self.connection = Some(BufReader::new(stream));
        }
        let connection = self.connection.as_mut().unwrap();
        connection.get_mut().write_all(format!("{head}\r\n{text}").as_bytes())?;
        read_answer(connection)
    }
}

fn read_answer(from: &mut BufReader<TcpStream>) -> io::Result<Answer> {
    let mut line = String::new();
    read_line(from, &mut line)?;
    let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("not an answer: {line:?}")))?;
    let (mut length, mut cookie, mut chunked) = (0, None, false);
    loop {
        line.clear();
        read_line(from, &mut line)?;
        let Some((name, value)) = line.split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = true,
            "set-cookie" => cookie = value.trim().split(';').next().map(str::to_owned),
            _ => {}
        }
    }
    let body = if chunked { read_chunks(from)? } else { read_exactly(from, length)? };
    let body = serde_json::from_slice(&body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into()));
    Ok(Answer { status, body, cookie })
}

fn read_chunks(from: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        read_line(from, &mut line)?;
        let length = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        body.extend(read_exactly(from, length)?);
        line.clear();
        read_line(from, &mut line)?;
        if length == 0 {
            return Ok(body);
        }
    }
}

fn read_exactly(from: &mut BufReader<TcpStream>, length: usize) -> io::Result<Vec<u8>> {
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(body)
}

fn read_line(from: &mut BufReader<TcpStream>, line: &mut String) -> io::Result<()> {
    if from.read_line(line)? == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

impl Answer {
    /// The body of a success.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.body);
        self.body
    }

    /// The error code of a refusal.
    pub fn code(&self) -> &str {
        self.body["error"].as_str().unwrap_or_default()
    }
}

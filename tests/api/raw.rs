//! What goes over the wire, byte by byte: a caller that writes what no HTTP client would.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a test waits for something that should come at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub struct Wire(TcpStream);

/// One answer as it came.
#[derive(Debug, Clone)]
pub struct RawAnswer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl RawAnswer {
    pub fn header(&self, name: &str) -> &str {
        let named = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key.eq_ignore_ascii_case(name));
        self.head.lines().find(named).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim()).unwrap_or("")
    }

    /// Asserts the contract's error shape and that the answer carries the headers of every answer.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        assert!(!self.header("content-security-policy").is_empty(), "{self:?}");
        let body: Value = serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        assert_eq!(body["error"], code, "{self:?}");
        assert!(!body["request_id"].as_str().unwrap_or_default().is_empty(), "{self:?}");
    }
}

impl Wire {
    pub async fn to(address: SocketAddr) -> Wire {
        Wire(TcpStream::connect(address).await.unwrap())
    }

    /// A connection that was made otherwise.
    pub fn over(stream: TcpStream) -> Wire {
        Wire(stream)
    }

    /// Sends bytes. The other end may have closed already: what it said is seen when it is heard.
    pub async fn say(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.0.write_all(bytes.as_ref()).await.is_ok()
    }

    /// The next answer; none when the connection ends before one is whole.
    pub async fn hear(&mut self) -> Option<RawAnswer> {
        tokio::time::timeout(PATIENCE, self.read_answer()).await.expect("an answer in time")
    }

    /// Every answer until the connection ends.
    pub async fn hear_all(&mut self) -> Vec<RawAnswer> {
        let mut answers = Vec::new();
        while let Some(answer) = self.hear().await {
            answers.push(answer);
        }
        answers
    }

    /// The next bytes as they come; empty when the connection has ended.
    pub async fn hear_some(&mut self) -> Vec<u8> {
        let mut bytes = vec![0; 64 * 1024];
        let read = tokio::time::timeout(PATIENCE, self.0.read(&mut bytes)).await.expect("something in time");
        bytes.truncate(read.unwrap_or(0));
        bytes
    }

    async fn read_answer(&mut self) -> Option<RawAnswer> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{head}"));
        let mut answer = RawAnswer { status, head, body: String::new() };
        let mut body = vec![0; answer.header("content-length").parse().unwrap_or(0)];
        self.0.read_exact(&mut body).await.ok()?;
        answer.body = String::from_utf8_lossy(&body).into_owned();
        Some(answer)
    }
}

/// Sends bytes on a connection of their own and gives every answer until the server closes it.
pub async fn all_answers(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Vec<RawAnswer> {
    let mut wire = Wire::to(address).await;
    wire.say(bytes).await;
    wire.hear_all().await
}

/// A request for a path, with these further header lines (each ending in CRLF).
pub fn get(path: &str, lines: &str) -> String {
    format!("GET {path} HTTP/1.1\r\n{lines}\r\n")
}

//! Korea Investment & Securities, played by a small server on this machine.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Where orders are given.
pub const ORDER: &str = "/uapi/domestic-stock/v1/trading/order-cash";
/// Where they are cancelled.
pub const CANCEL: &str = "/uapi/domestic-stock/v1/trading/order-rvsecncl";
/// The orders of a day.
pub const LIST: &str = "/uapi/domestic-stock/v1/trading/inquire-daily-ccld";
/// The account.
pub const BALANCE: &str = "/uapi/domestic-stock/v1/trading/inquire-balance";
/// Where tokens are given.
pub const TOKEN: &str = "/oauth2/tokenP";

/// What a request is answered with.
#[derive(Debug, Clone)]
pub enum Reply {
    /// JSON under this status, with the header line `tr_cont`.
    Json(u16, Value, &'static str),
    /// A page under status 200.
    Page,
    /// Nothing: the connection ends once the request was read.
    Reset,
}

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    pub query: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

#[derive(Default)]
struct State {
    /// The next replies at each path; after them it is the usual one.
    replies: BTreeMap<&'static str, VecDeque<Reply>>,
    listed: Vec<Value>,
    tokens: u32,
    asked: Vec<Asked>,
}

/// The server; it ends with the test.
pub struct FakeKis {
    port: u16,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

impl FakeKis {
    pub async fn start() -> FakeKis {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = state.clone();
        let server = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        FakeKis { port, state, server }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Answers the next request at `path` so.
    pub fn replies(&self, path: &'static str, reply: Reply) {
        self.state.lock().unwrap().replies.entry(path).or_default().push_back(reply);
    }

    /// Lists this order of the day from now on.
    pub fn lists(&self, row: Value) {
        self.state.lock().unwrap().listed = vec![row];
    }

    /// What was asked at `path` so far.
    pub fn asked(&self, path: &str) -> Vec<Asked> {
        self.state.lock().unwrap().asked.iter().filter(|asked| asked.path == path).cloned().collect()
    }
}

impl Drop for FakeKis {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let (reading, mut writing) = stream.split();
    let mut reader = BufReader::new(reading);
    loop {
        let Some(asked) = read(&mut reader).await else { return };
        let reply = answer(&mut state.lock().unwrap(), asked);
        let text = match reply {
            Reply::Reset => return,
            Reply::Page => written(200, "<html><body>점검 중입니다</body></html>", "text/html", ""),
            Reply::Json(status, body, continues) => written(status, &body.to_string(), "application/json", continues),
        };
        if writing.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn written(status: u16, body: &str, kind: &str, continues: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} .\r\ncontent-type: {kind}\r\ntr_cont: {continues}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

async fn read(reader: &mut (impl AsyncBufReadExt + Unpin)) -> Option<Asked> {
    let mut first = String::new();
    reader.read_line(&mut first).await.ok()?;
    let target = first.split(' ').nth(1)?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Some(Asked { path: path.to_owned(), query: query.to_owned(), headers, body })
}

fn answer(state: &mut State, asked: Asked) -> Reply {
    let path = asked.path.clone();
    state.asked.push(asked);
    if let Some(reply) = state.replies.get_mut(path.as_str()).and_then(VecDeque::pop_front) {
        return reply;
    }
    let good = |body: Value| {
        let mut body = body;
        body.as_object_mut().unwrap().extend(json!({"rt_cd": "0", "msg_cd": "APBK0013"}).as_object().unwrap().clone());
        Reply::Json(200, body, "")
    };
    match path.as_str() {
        TOKEN => {
            state.tokens += 1;
            let token = format!("token-{}", state.tokens);
            Reply::Json(200, json!({"access_token": token, "token_type": "Bearer", "expires_in": 86_400}), "")
        }
        ORDER | CANCEL => {
            good(json!({"output": {"KRX_FWDG_ORD_ORGNO": "06010", "ODNO": "0001569157", "ORD_TMD": "100000"}}))
        }
        LIST => good(json!({"output1": state.listed, "output2": {}})),
        _ => good(json!({"output1": [], "output2": [{"prvs_rcdl_excc_amt": "0"}]})),
    }
}

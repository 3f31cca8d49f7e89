//! The lottery operator, played by a small server on this machine: the answers have the shapes of `samples/`,
//! in the stages of a draw night, and the operator has good and bad days.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex};

use chrono::{Days, NaiveDate};
use hanok::calc::lottery::Draw;
use hanok::calc::lottery::import::built_in;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How far the publication of a draw has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// About 20:42: numbers and bonus, every other field zero.
    Numbers,
    /// About 20:55: winners, prizes and sales.
    Prizes,
    /// About 21:05: how the first prizes were bought.
    Complete,
}

/// What the operator answers a request with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// The rows that were asked for.
    Good,
    /// A page under status 200, as under throttling.
    Page,
    /// A redirect to a page of another host.
    Elsewhere,
    /// An empty list, as for a draw that is not drawn yet.
    Empty,
    /// A body that never comes to its end.
    Slow,
    /// A connection that ends within the JSON.
    Cut,
    /// 429 with `Retry-After: 1`.
    Throttled,
    /// 500.
    Broken,
}

/// A row that the operator may be asked for.
enum Row {
    /// Of a draw that ships with the program; written when it is asked for.
    Shipped(&'static Draw),
    Said(Value),
}

impl Row {
    fn said(&self) -> Value {
        match self {
            Row::Shipped(draw) => row_of(draw),
            Row::Said(row) => row.clone(),
        }
    }
}

#[derive(Default)]
struct State {
    rows: BTreeMap<u64, Row>,
    /// The moods of the next requests; after them the day is good again.
    moods: VecDeque<Mood>,
    /// The mood of every request that has no mood of its own.
    usual: Option<Mood>,
    asked: Vec<String>,
}

/// The operator's server; it ends with the test.
pub struct Operator {
    port: u16,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

impl Operator {
    /// An operator who knows the draws that ship with the program and no later ones; those of `samples/` in their
    /// own words.
    pub async fn start() -> Operator {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State { rows: known_rows(), ..State::default() }));
        let shared = state.clone();
        let server = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, shared.clone()));
            }
        });
        Operator { port, state, server }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Publishes a draw as far as `stage`; a later stage replaces an earlier one.
    pub fn publish(&self, draw_no: u64, numbers: [u64; 6], bonus: u64, stage: Stage) {
        let row = Row::Said(row(draw_no, numbers, bonus, stage));
        self.state.lock().unwrap().rows.insert(draw_no, row);
    }

    /// The moods of the coming requests, one each; the day is good again after them.
    pub fn has_a_bad_time(&self, moods: &[Mood]) {
        self.state.lock().unwrap().moods = moods.iter().copied().collect();
    }

    /// The mood of every request from now on.
    pub fn is_always(&self, mood: Mood) {
        self.state.lock().unwrap().usual = Some(mood);
    }

    /// The paths and queries that were asked for so far.
    pub fn asked(&self) -> Vec<String> {
        self.state.lock().unwrap().asked.clone()
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let (reading, mut writing) = stream.split();
    let mut lines = BufReader::new(reading).lines();
    let Ok(Some(first)) = lines.next_line().await else { return };
    while lines.next_line().await.is_ok_and(|line| line.is_some_and(|line| !line.is_empty())) {}
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();

    let (mood, rows) = {
        let mut state = state.lock().unwrap();
        state.asked.push(target.clone());
        let mood = state.moods.pop_front().or(state.usual).unwrap_or(Mood::Good);
        (mood, asked_rows(&target, &state.rows))
    };
    let data = |rows: &[Value]| json!({"resultCode": null, "resultMessage": null, "data": {"list": rows}}).to_string();
    let page = "<!DOCTYPE html><html><body>잠시 후 다시 이용해 주세요</body></html>";
    let (head, body) = match mood {
        Mood::Good if rows.is_none() => ("404 Not Found\r\nContent-Type: text/html", page.to_owned()),
        Mood::Good | Mood::Slow | Mood::Cut => {
            ("200 OK\r\nContent-Type: application/json;charset=UTF-8", data(&rows.unwrap_or_default()))
        }
        Mood::Empty => ("200 OK\r\nContent-Type: application/json;charset=UTF-8", data(&[])),
        Mood::Page => ("200 OK\r\nContent-Type: text/html;charset=UTF-8", page.to_owned()),
        Mood::Elsewhere => ("302 Found\r\nLocation: https://example.org/errorPage", String::new()),
        Mood::Throttled => ("429 Too Many Requests\r\nRetry-After: 1\r\nContent-Type: text/html", page.to_owned()),
        Mood::Broken => ("500 Internal Server Error\r\nContent-Type: text/html", page.to_owned()),
    };
    let sent =
        if matches!(mood, Mood::Slow | Mood::Cut) { &body.as_bytes()[..body.len() / 2] } else { body.as_bytes() };
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = writing.write_all(head.as_bytes()).await;
    let _ = writing.write_all(sent).await;
    if mood == Mood::Slow {
        // The caller gives up first: its end of the connection is what ends this wait.
        let _ = lines.next_line().await;
    }
}

/// The rows of a query, or none for a path that the operator does not have.
fn asked_rows(target: &str, rows: &BTreeMap<u64, Row>) -> Option<Vec<Value>> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let parameters: BTreeMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let number = |name: &str| parameters.get(name).and_then(|value| value.parse::<u64>().ok());
    let between = |from: u64, to: u64| rows.range(from..=to.max(from)).map(|(_, row)| row.said()).collect::<Vec<_>>();
    let latest = rows.keys().next_back().copied().unwrap_or_default();
    match path {
        "/lt645/selectPstLt645Info.do" => {
            Some(match (number("srchLtEpsd"), number("srchStrLtEpsd"), number("srchEndLtEpsd")) {
                (Some(one), ..) => between(one, one),
                (_, Some(from), Some(to)) => between(from, to),
                _ if parameters.get("srchLtEpsd") == Some(&"all") => between(1, latest),
                _ => between(latest, latest),
            })
        }
        "/lt645/selectPstLt645InfoNew.do" => {
            let middle = number("srchLtEpsd").unwrap_or(latest);
            let mut window = if middle > latest { Vec::new() } else { between(middle.saturating_sub(5), middle + 4) };
            window.reverse();
            Some(window)
        }
        "/lt645/selectLtEpsdInfo.do" => Some(rows.keys().rev().map(|draw_no| json!({"ltEpsd": draw_no})).collect()),
        _ => None,
    }
}

fn known_rows() -> BTreeMap<u64, Row> {
    let shipped = built_in().iter().map(|draw| (draw.draw_no.into(), Row::Shipped(draw)));
    let samples = SAMPLE_ROWS.iter().map(|(draw_no, row)| (*draw_no, Row::Said(row.clone())));
    shipped.chain(samples).collect()
}

fn row_of(draw: &Draw) -> Value {
    let numbers: [u8; 6] = draw.numbers.into();
    let mut row = row(draw.draw_no.into(), numbers.map(u64::from), draw.bonus.into(), Stage::Complete);
    for prize in &draw.prizes {
        row[format!("rnk{}WnNope", prize.rank)] = json!(prize.winners);
        row[format!("rnk{}WnAmt", prize.rank)] = json!(prize.prize_each);
    }
    row["wholEpsdSumNtslAmt"] = json!(draw.total_sales);
    let methods = draw.first_prize_methods.map_or([0; 3], |methods| [methods.auto, methods.manual, methods.semi_auto]);
    for (position, count) in methods.into_iter().enumerate() {
        row[format!("winType{}", position + 1)] = json!(count);
    }
    row
}

/// The rows of `samples/`, as the operator has sent them.
static SAMPLE_ROWS: LazyLock<BTreeMap<u64, Value>> = LazyLock::new(|| {
    const SAMPLES: [&str; 8] = [
        include_str!("samples/selectPstLt645Info_1.json"),
        include_str!("samples/selectPstLt645Info_2.json"),
        include_str!("samples/selectPstLt645Info_19.json"),
        include_str!("samples/selectPstLt645Info_289.json"),
        include_str!("samples/selectPstLt645Info_546.json"),
        include_str!("samples/selectPstLt645Info_1128.json"),
        include_str!("samples/selectPstLt645Info_1200.json"),
        include_str!("samples/selectPstLt645Info_1215.json"),
    ];
    let row = |sample: &str| serde_json::from_str::<Value>(sample).unwrap()["data"]["list"][0].clone();
    SAMPLES.iter().map(|sample| row(sample)).map(|row| (row["ltEpsd"].as_u64().unwrap(), row)).collect()
});

/// A row with every member of the newest sample, in which what is not published yet is zero.
fn row(draw_no: u64, numbers: [u64; 6], bonus: u64, stage: Stage) -> Value {
    let mut row = SAMPLE_ROWS[&1215].clone();
    let first = NaiveDate::from_ymd_opt(2002, 12, 7).unwrap();
    let date = first.checked_add_days(Days::new(7 * (draw_no - 1))).unwrap();
    row["ltEpsd"] = json!(draw_no);
    row["ltRflYmd"] = json!(date.format("%Y%m%d").to_string());
    row["bnsWnNo"] = json!(bonus);
    for (position, number) in numbers.into_iter().enumerate() {
        row[format!("tm{}WnNo", position + 1)] = json!(number);
    }
    let unpublished: &[&str] = match stage {
        Stage::Numbers => &["rnk", "sumWn", "rlvtEpsd", "wholEpsd", "winType"],
        Stage::Prizes => &["winType"],
        Stage::Complete => &[],
    };
    for (name, value) in row.as_object_mut().unwrap() {
        if unpublished.iter().any(|start| name.starts_with(start)) {
            *value = json!(0);
        }
    }
    row
}

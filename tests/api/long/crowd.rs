//! The binary with a crowd at its doors: thousands who say nothing, hundreds who send large bodies and stop,
//! listeners that never read. It goes on, its memory stays bounded, and others are served meanwhile.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use socket2::{Domain, Socket, Type};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::command_line::{Appliance, Installation};
use crate::raw::{RawAnswer, Wire, get};

/// What one crowd may cost, in mebibytes of resident memory: 64 for large bodies in all, and its connections.
const BOUND: u64 = 140;

/// What a writer may wait beside a hundred large bodies, for the most part; on a slow machine so many times as long as alone.
const WRITER: Duration = Duration::from_millis(100);

/// How many tables of many short lines are brought, one after the other.
const SHORT_TABLES: usize = 40;

/// And one of large tables: what a table becomes while it is read is many times as large, and one is read at a time.
const ROOM_FOR_TABLES: u64 = 250;

/// Raises this process's limit of open files as far as it goes; gives how many connections fit beside the rest.
fn room_for_connections() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files.saturating_sub(300)).unwrap_or(usize::MAX)
}

fn resident_mebibytes(appliance: &Appliance) -> u64 {
    resident_mebibytes_of(appliance.id())
}

fn resident_mebibytes_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// The most resident memory of a process, in mebibytes, looked at all the while until `ended`.
async fn most_resident_mebibytes(process: u32, ended: CancellationToken) -> u64 {
    let (mut most, mut looks) = (0, tokio::time::interval(Duration::from_millis(10)));
    while ended.run_until_cancelled(looks.tick()).await.is_some() {
        most = most.max(resident_mebibytes_of(process));
    }
    most
}

fn address(line: &str) -> SocketAddr {
    line.rsplit_once("http://").unwrap().1.parse().unwrap()
}

/// How long a plain request takes now, on a connection of its own.
async fn takes(door: SocketAddr) -> Duration {
    let begun = Instant::now();
    let mut wire = Wire::to(door).await;
    wire.say(get("/api/todos", "Host: localhost\r\nConnection: close\r\n")).await;
    assert_eq!(wire.hear().await.expect("an answer").status, 200);
    begun.elapsed()
}

#[tokio::test]
async fn two_thousand_idle_connections_hold_nobody_up_and_cost_little() {
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let before = resident_mebibytes(&appliance);
    let count = room_for_connections().min(2_000);
    if count < 2_000 {
        println!("the limit of open files leaves room for {count} connections only");
    }
    let mut idle = Vec::new();
    for number in 0..count {
        let mut wire = Wire::to(door).await;
        // Some have asked before, some have begun to ask, most have said nothing.
        match number % 10 {
            0 => {
                wire.say(get("/health/live", "Host: localhost\r\n")).await;
                assert_eq!(wire.hear().await.unwrap().status, 200);
            }
            1 => drop(wire.say("GET /api/todos HTTP/1.1\r\nHost: loc").await),
            _ => {}
        }
        idle.push(wire);
    }
    let took = takes(door).await;
    let cost = resident_mebibytes(&appliance).saturating_sub(before);
    println!("{count} idle connections: {cost} MiB, a request beside them {took:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(cost < BOUND, "{cost} MiB for {count} connections");
    drop(idle);
    takes(door).await;
    assert_eq!(appliance.end().0, 0);
}

#[tokio::test]
async fn large_bodies_that_never_end_fill_only_the_room_there_is_for_them() {
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let before = resident_mebibytes(&appliance);
    let most = 1_048_576;
    let piece = vec![b' '; most - 1];
    let mut senders = Vec::new();
    for _ in 0..300 {
        senders.push(tokio::spawn({
            let piece = piece.clone();
            async move {
                let mut wire = Wire::to(door).await;
                wire.say(format!("POST /api/todos HTTP/1.1\r\nHost: localhost\r\nContent-Length: {most}\r\n\r\n"))
                    .await;
                // Those who find no room wait; their bytes wait on the wire.
                let _ = tokio::time::timeout(Duration::from_secs(2), wire.say(piece)).await;
                wire
            }
        }));
    }
    let mut held = Vec::new();
    for sender in senders {
        held.push(sender.await.unwrap());
    }
    let took = takes(door).await;
    let mut todo = Wire::to(door).await;
    let body = "{\"title\":\"우유\"}";
    let lines = format!("Host: localhost\r\nContent-Length: {}\r\n", body.len());
    todo.say(format!("POST /api/todos HTTP/1.1\r\n{lines}\r\n{body}")).await;
    assert_eq!(todo.hear().await.unwrap().status, 201, "what a person types needs no room");
    let cost = resident_mebibytes(&appliance).saturating_sub(before);
    println!("300 bodies of 1 MiB that never end: {cost} MiB, a request beside them {took:?}");
    assert!(cost < BOUND, "{cost} MiB");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn listeners_that_never_read_cost_no_memory_and_hold_nobody_up() {
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let mut deaf = Vec::new();
    for _ in 0..50 {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(2_048).unwrap();
        socket.connect(&door.into()).unwrap();
        socket.set_nonblocking(true).unwrap();
        let stream = TcpStream::from_std(socket.into()).unwrap();
        let mut wire = Wire::over(stream);
        wire.say(get("/api/events", "Host: localhost\r\n")).await;
        deaf.push(wire);
    }
    let before = resident_mebibytes(&appliance);
    let begun = Instant::now();
    let mut wire = Wire::to(door).await;
    for number in 0..3_000 {
        let body = format!("{{\"title\":\"{number}\"}}");
        let lines = format!("Host: localhost\r\nContent-Length: {}\r\n", body.len());
        wire.say(format!("POST /api/todos HTTP/1.1\r\n{lines}\r\n{body}")).await;
        assert_eq!(wire.hear().await.unwrap().status, 201);
    }
    let cost = resident_mebibytes(&appliance).saturating_sub(before);
    println!("50 listeners that never read, 3,000 events: {cost} MiB in {:?}", begun.elapsed());
    assert!(cost < 60, "{cost} MiB");
    assert!(takes(door).await < Duration::from_secs(5));
    // One that reads late hears of it all the same.
    let heard = String::from_utf8_lossy(&deaf[0].hear_some().await).into_owned();
    assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
    assert_eq!(appliance.end().0, 0, "it closes although nobody reads");
}

/// A request with this body, on a connection of its own: the status of its answer.
async fn posts(door: SocketAddr, path: &'static str, body: String) -> u16 {
    let mut wire = Wire::to(door).await;
    let lines = format!("Host: localhost\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    wire.say(format!("POST {path} HTTP/1.1\r\n{lines}\r\n{body}")).await;
    wire.hear().await.expect("an answer").status
}

#[tokio::test]
async fn a_hundred_bodies_of_many_fields_or_numbers_cost_little_and_hold_nobody_up() {
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let filled = |pair: fn(usize) -> String| {
        let mut pairs = String::with_capacity(1 << 20);
        for number in 0.. {
            let pair = pair(number);
            if pairs.len() + pair.len() + 3 > 1 << 20 {
                break;
            }
            pairs.push(if number == 0 { '{' } else { ',' });
            pairs.push_str(&pair);
        }
        pairs + "}"
    };
    let objects = [filled(|_| "\"aaa\":0".into()), filled(|_| "\"\":0".into()), filled(|n| format!("\"{n:x}\":0"))];
    let sets_of =
        |item: &str| format!("{{\"sets\":[[{}{item}]]}}", format!("{item},").repeat((1 << 20) / (item.len() + 1) - 9));
    let lists = [sets_of("0"), sets_of("[]"), sets_of("{}")];
    let before = resident_mebibytes(&appliance);
    let write = async || {
        let begun = Instant::now();
        assert_eq!(posts(door, "/api/todos", "{\"title\":\"우유\"}".to_owned()).await, 201);
        begun.elapsed()
    };
    let mut alone = Vec::new();
    for _ in 0..100 {
        alone.push(write().await);
    }
    let mut beside = Vec::new();
    let doors = [
        ("/api/todos", &objects),
        ("/api/household/sign-in", &objects),
        ("/api/lotto/purchase", &lists),
        ("/api/lotto/purchase/bulk", &lists),
    ];
    for (path, bodies) in doors {
        for body in bodies {
            let ended = CancellationToken::new();
            let memory = tokio::spawn(most_resident_mebibytes(appliance.id(), ended.clone()));
            let mut crowd: JoinSet<_> = (0..100).map(|_| posts(door, path, body.clone())).collect();
            // Whoever writes once the house is busy with the crowd is heard before all of it has been.
            let mut statuses = vec![crowd.join_next().await.unwrap().unwrap()];
            let (mut slowest, mut heard_before) = (Duration::ZERO, 0);
            while !crowd.is_empty() {
                let took = write().await;
                beside.push(took);
                slowest = slowest.max(took);
                while let Some(status) = crowd.try_join_next() {
                    statuses.push(status.unwrap());
                }
                heard_before += usize::from(!crowd.is_empty());
            }
            ended.cancel();
            let most = memory.await.unwrap().saturating_sub(before);
            let what = format!("100 times {}… at {path}", &body[..12]);
            println!("{what}: {most} MiB, {heard_before} writers were heard before it, the slowest after {slowest:?}");
            assert!(most < BOUND, "{most} MiB for {what}");
            assert!(heard_before > 0, "a writer waited for {what}");
            assert!(slowest < Duration::from_secs(5), "a writer waited {slowest:?} beside {what}");
            for status in statuses {
                assert!(
                    matches!(status, 422 | 429),
                    "{status} is neither a refusal nor that there was no room in time"
                );
            }
        }
    }
    // The slowest tell of the machine, too: what 99 of 100 meet on a calm one is measured by `tests/bench/run crowd`.
    let [alone, beside] = [alone, beside].map(median);
    println!("a writer alone {alone:?}, beside a hundred such bodies {beside:?}");
    assert!(beside < WRITER.max(20 * alone), "{beside:?}, alone {alone:?}");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A table that is brought from an address of its own, as soon as the house takes it: the answer.
async fn brings(door: SocketAddr, number: u8, path: &'static str, table: Arc<str>) -> RawAnswer {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 2 + number], 0).into()).unwrap();
    let mut wire = Wire::over(socket.connect(door).await.unwrap());
    let lines = format!(
        "Host: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nIdempotency-Key: {number}\r\nContent-Length: {}\r\n",
        table.len()
    );
    wire.say(format!("POST {path} HTTP/1.1\r\n{lines}\r\n")).await;
    let first = wire.hear().await.expect("an answer");
    if first.status != 100 {
        return first;
    }
    wire.say(table.as_bytes()).await;
    wire.hear().await.expect("an answer to the table")
}

#[tokio::test]
async fn many_large_tables_at_once_take_the_room_of_few() {
    const MOST: usize = 9_900_000;
    let ordinary: String =
        (0..45_000).map(|n| format!("{},5,{n} {}\\n", 1 + n % 1240, "동네 가게 ".repeat(8))).collect();
    let tables = [
        ("/api/lotto/purchase/import", ordinary),
        ("/api/lotto/purchase/import/preview", ",".repeat(MOST)),
        ("/api/lotto/purchase/import/preview", format!("1240,1,\\\"{}", "a".repeat(MOST))),
    ];
    for (path, lines) in tables {
        let installation = Installation::new();
        let (appliance, [household, _]) = installation.serve();
        let door = address(&household);
        takes(door).await;
        let before = resident_mebibytes(&appliance);
        let table: Arc<str> = format!("{{\"text\":\"draw_no,count,note\\n{lines}\"}}").into();
        let crowd: Vec<_> = (0..16).map(|number| tokio::spawn(brings(door, number, path, table.clone()))).collect();
        let (mut slowest, mut most) = (Duration::ZERO, 0);
        while crowd.iter().any(|one| !one.is_finished()) {
            slowest = slowest.max(takes(door).await);
            most = most.max(resident_mebibytes(&appliance).saturating_sub(before));
        }
        let mut taken = 0;
        for one in crowd {
            let answer = one.await.unwrap();
            match answer.status {
                200 | 202 => taken += 1,
                409 => answer.refused(409, "CONFLICT"),
                _ => answer.refused(429, "RATE_LIMITED"),
            }
        }
        println!("16 tables {}…: {most} MiB, {taken} taken, a request beside them {slowest:?}", &table[9..35]);
        assert!(taken > 0, "at least one is taken");
        assert!(most < ROOM_FOR_TABLES, "{most} MiB for {}…", &table[9..35]);
        assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    }
}

#[tokio::test]
async fn tables_of_many_short_lines_leave_little_memory_behind_one_after_the_other_and_many_at_once() {
    const PREVIEW: &str = "/api/lotto/purchase/import/preview";
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    takes(door).await;
    let before = resident_mebibytes(&appliance);
    let cost = || resident_mebibytes(&appliance).saturating_sub(before);
    let lines: String = (0..49_990).map(|n| format!("{},1\\n", 1 + n % 1245)).collect();
    let table = format!("{{\"text\":\"draw_no,count\\n{lines}\"}}");
    for _ in 0..SHORT_TABLES {
        assert_eq!(posts(door, PREVIEW, table.clone()).await, 200);
    }
    let left = cost();
    let crowd: Vec<_> = (0..16).map(|_| tokio::spawn(posts(door, PREVIEW, table.clone()))).collect();
    let mut most = 0;
    for one in crowd {
        assert!(matches!(one.await.unwrap(), 200 | 429), "neither read nor that there was no room in time");
        most = most.max(cost());
    }
    println!("{SHORT_TABLES} tables one after the other: {left} MiB; 16 at once: {most} MiB");
    assert!(left < 60, "{left} MiB are left of {SHORT_TABLES} tables");
    assert!(most < BOUND, "{most} MiB");
}

#[tokio::test]
async fn a_hundred_sign_ins_leave_no_memory_behind() {
    let installation = Installation::new();
    installation.set_passphrase("마당에 핀 살구꽃 다섯 송이");
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let before = resident_mebibytes(&appliance);
    let body = "{\"passphrase\":\"마당에 핀 살구꽃 다섯 송이\"}";
    for _ in 0..20 {
        let together: Vec<_> =
            (0..5).map(|_| tokio::spawn(posts(door, "/api/household/sign-in", body.to_owned()))).collect();
        for one in together {
            assert_eq!(one.await.unwrap(), 200);
        }
    }
    let cost = resident_mebibytes(&appliance).saturating_sub(before);
    println!("a hundred sign-ins: {cost} MiB");
    assert!(cost < 60, "{cost} MiB");
}

#[tokio::test]
async fn sign_ins_that_never_end_keep_no_large_note_of_the_household_waiting() {
    let installation = Installation::new();
    installation.set_passphrase("마당에 핀 살구꽃 다섯 송이");
    let (appliance, [household, _]) = installation.serve();
    let door = address(&household);
    let mut signed_in = Wire::to(door).await;
    let body = "{\"passphrase\":\"마당에 핀 살구꽃 다섯 송이\"}";
    let lines = format!("Host: localhost\r\nContent-Length: {}\r\n", body.len());
    signed_in.say(format!("POST /api/household/sign-in HTTP/1.1\r\n{lines}\r\n{body}")).await;
    let answered = signed_in.hear().await.unwrap();
    let cookie = answered.header("set-cookie").split(';').next().unwrap().to_owned();
    let mut unfinished = Vec::new();
    for _ in 0..100 {
        let mut wire = Wire::to(door).await;
        wire.say("POST /api/household/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048576\r\n\r\n{").await;
        unfinished.push(wire);
    }
    let begun = Instant::now();
    let body = format!("{{\"title\":\"우유\"{}}}", " ".repeat(100_000));
    let lines = format!("Host: localhost\r\nCookie: {cookie}\r\nContent-Length: {}\r\n", body.len());
    let mut note = Wire::to(door).await;
    note.say(format!("POST /api/todos HTTP/1.1\r\n{lines}\r\n{body}")).await;
    assert_eq!(note.hear().await.unwrap().status, 201);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop((unfinished, appliance));
}

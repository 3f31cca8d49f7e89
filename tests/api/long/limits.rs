//! How much one caller may take: connections, files of the system, time. Each is a setting, and whoever keeps to
//! it is served meanwhile.

use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use hanok::platform::config::Access;
use serde_json::json;
use socket2::{Domain, Socket, Type};
use tokio::net::TcpStream;

use crate::command_line::{Appliance, Installation};
use crate::house::{Caller, House};
use crate::raw::{Wire, get};

/// An address of this machine that is not the loopback one. Nothing is sent: the system only says which address it
/// would send from. None on a machine without a network.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("203.0.113.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_loopback())
}

/// A house that listens on every address and takes so many connections of each.
async fn house_for(connections_per_address: u64) -> House {
    House::open_with(|config| {
        config.ops.listen = "0.0.0.0:0".parse().unwrap();
        config.ops.access = Access::Open;
        config.http.connections_per_address = connections_per_address;
    })
    .await
}

async fn is_served(wire: &mut Wire, host: impl std::fmt::Display) -> bool {
    wire.say(get("/api/todos", &format!("Host: {host}\r\n"))).await;
    wire.hear().await.is_some_and(|answer| answer.status == 200)
}

#[tokio::test]
async fn one_address_holds_so_many_connections_and_leaves_the_others_to_others() {
    let Some(address) = own_address() else {
        return println!("this machine has no address but the loopback one, which is not counted");
    };
    let house = house_for(3).await;
    let door = SocketAddr::from((address, house.appliance.ops_address().port()));
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut wire = Wire::to(door).await;
        assert!(is_served(&mut wire, address).await);
        held.push(wire);
    }
    for _ in 0..20 {
        let mut more = Wire::to(door).await;
        assert!(!is_served(&mut more, address).await, "a fourth was served");
    }
    assert!(is_served(&mut held[0], address).await, "those it holds go on");
    house.household().get("/api/todos").await.ok();
    // Its place comes back with a connection that ends, as soon as the house has seen the end.
    drop(held.pop());
    let begun = Instant::now();
    while !is_served(&mut Wire::to(door).await, address).await {
        assert!(begun.elapsed() < Duration::from_secs(30), "no place came back");
    }
}

#[tokio::test]
async fn without_that_limit_one_address_may_hold_them_all() {
    let Some(address) = own_address() else {
        return println!("this machine has no address but the loopback one, which is not counted");
    };
    let house = house_for(0).await;
    let door = SocketAddr::from((address, house.appliance.ops_address().port()));
    let mut held = Vec::new();
    for _ in 0..300 {
        held.push(Wire::to(door).await);
    }
    for wire in &mut held {
        assert!(is_served(wire, address).await);
    }
}

#[tokio::test]
async fn a_request_takes_no_longer_than_it_may_and_others_are_served_meanwhile() {
    let house = House::open_with(|config| config.http.request_seconds = 1).await;
    let mut slow = Wire::to(house.appliance.ops_address()).await;
    let begun = Instant::now();
    // Its body may take twenty seconds; the request as a whole may not.
    slow.say("POST /api/todos HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"title\":").await;
    house.household().post("/api/todos", json!({"title": "우유"})).await.ok();
    slow.hear().await.unwrap().refused(504, "UPSTREAM_TIMEOUT");
    let took = begun.elapsed().as_secs_f64();
    assert!((0.9..15.0).contains(&took), "{took} s");
    let todos = house.household().get("/api/todos").await.ok();
    assert_eq!(todos["todos"].as_array().map(Vec::len), Some(1), "the slow one left nothing");
}

#[tokio::test]
async fn live_events_are_no_request_that_takes_too_long() {
    let house = House::open_with(|config| config.http.request_seconds = 1).await;
    let household = house.household();
    let mut events = household.events().await;
    let mut slow = Wire::to(house.appliance.ops_address()).await;
    slow.say("POST /api/todos HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"title\":").await;
    slow.hear().await.unwrap().refused(504, "UPSTREAM_TIMEOUT");
    // The events began before that request, which has had all of its time.
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    assert_eq!(events.until("changed", |data| data["what"] == "todos").await["what"], "todos");
}

#[tokio::test]
async fn who_leaves_an_answer_unread_is_let_go_and_the_next_one_has_the_place() {
    let house = House::open_with(|config| (config.http.idle_seconds, config.http.max_connections) = (1, 1)).await;
    let door = house.appliance.ops_address();
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(2_048).unwrap();
    socket.connect(&door.into()).unwrap();
    socket.set_nonblocking(true).unwrap();
    let mut deaf = Wire::over(TcpStream::from_std(socket.into()).unwrap());
    // Far more than the buffers of the system take.
    deaf.say(get("/api/openapi.json", "Host: localhost\r\n").repeat(100)).await;
    let mut next = Wire::to(door).await;
    assert!(is_served(&mut next, "localhost").await);
    drop(deaf);
}

/// How many files the system lets the appliance hold open now, and how many at most.
fn files_of(appliance: &Appliance) -> (u64, u64) {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", appliance.id())).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap().to_owned();
    let mut numbers = line.split_whitespace().map(|word| word.parse().unwrap_or(u64::MAX));
    (numbers.next().unwrap(), numbers.next().unwrap())
}

fn door_of(line: &str) -> SocketAddr {
    line.rsplit_once("http://").unwrap().1.parse().unwrap()
}

#[tokio::test]
async fn the_limit_of_open_files_is_raised_as_far_as_the_system_lets_it() {
    let installation = Installation::new();
    let (appliance, [household, _]) = installation.serve_after("ulimit -Sn 64 && ulimit -Hn 2000");
    assert_eq!(files_of(&appliance), (2000, 2000));
    let mut held = Vec::new();
    for _ in 0..200 {
        let mut wire = Wire::to(door_of(&household)).await;
        assert!(is_served(&mut wire, "localhost").await);
        held.push(wire);
    }
    assert_eq!(appliance.end().0, 0);
}

#[tokio::test]
async fn where_the_system_gives_few_files_the_doors_hold_fewer_connections_and_the_house_goes_on_writing() {
    let installation = Installation::new();
    // 256 files are kept for the house itself; the doors share the rest, sixteen each: fewer are refused.
    let (appliance, [household, customers]) = installation.serve_after("ulimit -n 288");
    let (door, other) = (door_of(&household), door_of(&customers));
    let mut held = Vec::new();
    for _ in 0..16 {
        let mut wire = Wire::to(door).await;
        assert!(is_served(&mut wire, "localhost").await);
        held.push(wire);
    }
    let mut waiting = Vec::new();
    for _ in 0..100 {
        let mut wire = Wire::to(door).await;
        wire.say(get("/api/todos", "Host: localhost\r\n")).await;
        waiting.push(wire);
    }
    let early = tokio::time::timeout(Duration::from_millis(300), waiting[0].hear()).await;
    assert!(early.is_err(), "a seventeenth was served: {early:?}");
    let mut elsewhere = Wire::to(other).await;
    elsewhere.say(get("/health/ready", "Host: localhost\r\n")).await;
    assert_eq!(elsewhere.hear().await.unwrap().status, 200, "a real write works");
    let body = "{\"title\":\"우유\"}";
    let lines = format!("Host: localhost\r\nContent-Length: {}\r\n", body.len());
    held[0].say(format!("POST /api/todos HTTP/1.1\r\n{lines}\r\n{body}")).await;
    assert_eq!(held[0].hear().await.unwrap().status, 201);
    drop(held);
    for wire in &mut waiting[..16] {
        assert_eq!(wire.hear().await.unwrap().status, 200, "those who waited have their turn");
    }
    drop(waiting);
    assert_eq!(appliance.end().0, 0);
}

#[test]
fn a_start_with_too_little_memory_ends_in_a_sentence_and_leaves_nothing_behind() {
    for (limit, what) in [
        ("ulimit -v 120000", "117 MiB of addresses"),
        ("ulimit -v 800000", "781 MiB of addresses"),
        ("ulimit -d 200000", "195 MiB of memory"),
    ] {
        let installation = Installation::new();
        let refused = installation.refused_after(limit);
        assert_eq!(refused.code(), 1, "{limit}: {}", refused.complained());
        let said = refused.complained();
        assert!(said.contains(what) && said.contains("MiB at least: raise the limit (`ulimit -v`"), "{limit}: {said}");
        assert_eq!(std::fs::read_dir(installation.folder.path()).unwrap().count(), 0, "{limit}");
    }
    let installation = Installation::new();
    assert_eq!(installation.serve_after("ulimit -v 8000000").0.end().0, 0);
}

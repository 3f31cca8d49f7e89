//! The compute host has a door of its own, with the guards of the other two: callers who are slow, many, large or
//! from elsewhere get no further there, and the appliance that knows the token is served meanwhile.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use hanok::appliance::compute_host;
use hanok::base::{Clock, Secret};
use hanok::calc::lottery::scoring::Scoring;
use hanok::calc::lottery::search::Search;
use hanok::platform::config::Config;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::long::odd::samples;
use crate::raw::{RawAnswer, Wire, all_answers, get};

const TOKEN: &str = "the word of both machines";

/// A compute host on a free port; it ends with the test.
struct Host {
    address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Host {
    async fn open(set: impl FnOnce(&mut Config)) -> Host {
        let mut config = Config::default();
        config.compute.listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        config.compute.token = Secret::new(TOKEN);
        set(&mut config);
        let opened = compute_host::open(&config, Clock::system()).await.unwrap();
        let address = opened.address();
        Host { address, serving: tokio::spawn(opened.serve_until(std::future::pending())) }
    }

    /// What it answers to a piece of work, and to what is none.
    async fn asked(&self, work: impl AsRef<[u8]>) -> RawAnswer {
        let work = work.as_ref();
        let mut wire = Wire::to(self.address).await;
        wire.say([head(&format!("Content-Length: {}\r\n", work.len())).as_bytes(), work].concat()).await;
        wire.hear().await.expect("an answer")
    }

    /// It does what it is there for.
    async fn works(&self) {
        let answer = self.asked(search(50).to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let answer: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(answer["answer"]["best"].as_array().map(Vec::len), Some(5), "{answer}");
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The head of a request for work that knows the token, with these further lines.
fn head(lines: &str) -> String {
    format!("POST /work HTTP/1.1\r\nHost: nas.lan:8430\r\nAuthorization: Bearer {TOKEN}\r\n{lines}\r\n")
}

/// A search among so many combinations.
fn search(candidates: u64) -> Value {
    let scoring = Scoring {
        numbers: (0..45).collect(),
        pairs: vec![0; 990],
        sums: vec![0; 256],
        odd: [0; 7],
        low: [0; 7],
        consecutive: [0; 6],
    };
    let mut work = serde_json::to_value(Search { scoring, exclude: 0, seed: 7, candidates: 50, top_k: 5 }).unwrap();
    work["candidates"] = candidates.into();
    json!({"name": "lottery_search", "work": work})
}

#[tokio::test]
async fn who_takes_too_long_with_a_header_or_a_body_is_left_alone_and_others_are_served() {
    let host = Host::open(|config| (config.http.header_seconds, config.http.body_seconds) = (1, 1)).await;
    let begun = Instant::now();
    let mut header = Wire::to(host.address).await;
    header.say("POST /work HTTP/1.1\r\nHost: nas").await;
    let mut body = Wire::to(host.address).await;
    body.say(head("Content-Length: 100\r\n") + "{\"name\":").await;
    host.works().await;
    assert!(header.hear_some().await.is_empty(), "closed without a word");
    body.hear().await.unwrap().refused(400, "INVALID_JSON");
    assert!(begun.elapsed().as_secs() < 20, "the idle limit of a minute would have come first");
}

#[tokio::test]
async fn work_that_is_nested_too_deeply_is_refused() {
    let host = Host::open(|_| ()).await;
    let nested = |levels: usize| {
        let work = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        format!("{{\"name\": \"lottery_search\", \"work\": {work}}}")
    };
    let answer = host.asked(nested(40)).await;
    answer.refused(422, "INVALID_INPUT");
    assert!(answer.body.contains("is nested too deeply"), "{answer:?}");
    let answer = host.asked(nested(20)).await;
    assert!(!answer.body.contains("is nested too deeply"), "{answer:?}");
    host.works().await;
}

#[tokio::test]
async fn a_request_that_takes_too_long_in_all_is_ended() {
    let host = Host::open(|config| (config.http.request_seconds, config.compute.timeout_seconds) = (1, 1)).await;
    let mut wire = Wire::to(host.address).await;
    wire.say(head("Content-Length: 100\r\n") + "{\"name\":").await;
    wire.hear().await.unwrap().refused(504, "UPSTREAM_TIMEOUT");
    host.works().await;
}

#[tokio::test]
async fn a_full_host_lets_the_next_one_in_when_somebody_leaves() {
    let host = Host::open(|config| config.http.max_connections = 2).await;
    let live = get("/health/live", "Host: nas.lan\r\n");
    let mut held = [Wire::to(host.address).await, Wire::to(host.address).await];
    for wire in &mut held {
        wire.say(&live).await;
        assert_eq!(wire.hear().await.unwrap().status, 200);
    }
    let mut next = Wire::to(host.address).await;
    next.say(&live).await;
    let early = tokio::time::timeout(std::time::Duration::from_millis(300), next.hear()).await;
    assert!(early.is_err(), "a third was served: {early:?}");
    drop(held);
    assert_eq!(next.hear().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_before_it_comes() {
    let host = Host::open(|config| config.http.body_limit_bytes = 20_000).await;
    let mut wire = Wire::to(host.address).await;
    wire.say(head("Content-Length: 20001\r\n")).await;
    wire.hear().await.unwrap().refused(413, "TOO_LARGE");
    let mut chunked = Wire::to(host.address).await;
    chunked.say(head("Transfer-Encoding: chunked\r\n")).await;
    chunked.say(format!("7530\r\n{}\r\n", " ".repeat(30_000))).await;
    chunked.hear().await.unwrap().refused(413, "TOO_LARGE");
    host.works().await;
}

#[tokio::test]
async fn without_the_token_nothing_is_read_and_nothing_is_computed() {
    let host = Host::open(|_| ()).await;
    for authorization in
        ["", "Authorization: Bearer\r\n", "Authorization: Bearer the word\r\n", "Authorization: \u{e9}\r\n"]
    {
        let lines = format!("Host: nas.lan\r\n{authorization}Content-Length: 1000000\r\n");
        let mut wire = Wire::to(host.address).await;
        wire.say(format!("POST /work HTTP/1.1\r\n{lines}\r\n")).await;
        // The body has not been sent, and is not waited for to its end.
        wire.hear().await.unwrap().refused(401, "UNAUTHORIZED");
    }
    host.works().await;
}

#[tokio::test]
async fn pages_of_other_sites_cannot_make_it_work_even_where_no_token_is_asked_for() {
    let host = Host::open(|config| config.compute.token = Secret::default()).await;
    let work = search(50).to_string();
    let post = |lines: &str| {
        let length = work.len();
        format!(
            "POST /work HTTP/1.1\r\n{lines}Authorization: Bearer \r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{work}"
        )
    };
    for lines in [
        "Host: rebound.evil.example\r\n",
        "Host: 127.0.0.1\r\nOrigin: https://evil.example\r\n",
        "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n",
    ] {
        all_answers(host.address, post(lines)).await[0].refused(403, "FOREIGN_ORIGIN");
    }
    assert_eq!(all_answers(host.address, post("Host: 127.0.0.1\r\n")).await[0].status, 200);
}

#[tokio::test]
async fn whatever_is_sent_as_work_is_refused_in_the_one_shape_or_done() {
    let host = Host::open(|_| ()).await;
    let whole = search(50).to_string().into_bytes();
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4);
    let mut works: Vec<Vec<u8>> = samples((flips, any::<prop::sample::Index>(), any::<bool>()))
        .into_iter()
        .map(|(flips, at, is_cut)| {
            let mut work = whole.clone();
            for (place, byte) in flips {
                let place = place.index(work.len());
                work[place] = byte;
            }
            if is_cut {
                work.truncate(at.index(whole.len()));
            }
            work
        })
        .collect();
    for key in ["candidates", "top_k", "exclude", "seed", "scoring"] {
        for value in
            [json!(0), json!(-1), json!(u64::MAX), json!(1e300), json!(null), json!([]), json!({"numbers": [1]})]
        {
            let mut work = search(50);
            work["work"][key] = value;
            works.push(work.to_string().into_bytes());
        }
    }
    works.push("[".repeat(100_000).into_bytes());
    works.push(format!("{{\"name\":\"lottery_search\",\"work\":{}", "[".repeat(100_000)).into_bytes());
    works.push(b"{\"name\":\"rm\",\"work\":{}}".to_vec());
    for work in works {
        let answer = host.asked(&work).await;
        let shown = String::from_utf8_lossy(&work[..work.len().min(60)]).into_owned();
        match answer.status {
            200 => assert!(answer.body.starts_with('{'), "{shown}: {answer:?}"),
            400 => answer.refused(400, "INVALID_JSON"),
            status => {
                assert_eq!(status, 422, "{shown}: {answer:?}");
                answer.refused(422, "INVALID_INPUT");
            }
        }
    }
    host.works().await;
}

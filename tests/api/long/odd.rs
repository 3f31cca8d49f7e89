//! Whatever stands in a header, a query, or on the control socket: it is taken or refused, and nothing breaks.

use std::path::PathBuf;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::document::Document;
use crate::house::{Caller, House, answer};

/// Values of a strategy, the same in every run: 256, or as many as `PROPTEST_CASES` says.
pub fn samples<S: Strategy>(strategy: S) -> Vec<S::Value> {
    let mut runner = TestRunner::deterministic();
    (0..ProptestConfig::default().cases).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

fn any_header() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "hanok_household=",
        "; ",
        "=",
        "\"",
        ",",
        "W/",
        "*",
        "gzip",
        "br;q=0",
        "127.0.0.1",
        "unknown",
        "[::1]:1",
        "bytes=0-",
        "bytes=-1",
        "%00",
        "%ff",
        "..",
        "999999999999999999999",
        "application/json",
        "\t",
        "é",
    ]);
    let piece = prop_oneof![
        words.prop_map(|word| word.as_bytes().to_vec()),
        prop::collection::vec((0x20u8..=0xff).prop_filter("not DEL", |byte| *byte != 0x7f), 0..12),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

#[tokio::test]
async fn any_header_is_taken_or_refused() {
    let house = House::open().await;
    let household = house.household();
    let names = [
        "cookie",
        "idempotency-key",
        "if-none-match",
        "if-modified-since",
        "accept-encoding",
        "accept",
        "accept-language",
        "x-forwarded-for",
        "forwarded",
        "range",
        "content-type",
        "user-agent",
        "referer",
        "authorization",
        "sec-fetch-site",
        "x-request-id",
        "expect",
        "content-encoding",
        "upgrade",
        "te",
    ];
    let mut flaws = Vec::new();
    for (round, value) in samples(any_header()).into_iter().enumerate() {
        let name = names[round % names.len()];
        let Ok(sent) = HeaderValue::from_bytes(&value) else { continue };
        let request = match round % 3 {
            0 => household.request(Method::GET, "/api/todos"),
            1 => household.request(Method::POST, "/api/todos").json(&serde_json::json!({"title": "우유"})),
            _ => household.request(Method::GET, "/"),
        };
        // An `Expect` that nobody knows is passed over, as RFC 9110 allows.
        let Ok(response) = request.header(HeaderName::from_static(name), sent).send().await else {
            flaws.push(format!("{name}: {:?}: no answer", String::from_utf8_lossy(&value)));
            continue;
        };
        let status = response.status().as_u16();
        if status >= 500 || (status >= 400 && response.headers()["content-type"] != "application/json") {
            flaws.push(format!("{name}: {:?}: {status}", String::from_utf8_lossy(&value)));
        }
    }
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
    household.get("/api/todos").await.ok();
}

#[tokio::test]
async fn any_query_is_taken_or_refused_with_the_parameter() {
    let house = House::open().await;
    let household = house.household();
    let operations = Document::of(&household).await.operations();
    let reads: Vec<_> =
        operations.iter().filter(|operation| operation.method == Method::GET && !operation.query.is_empty()).collect();
    let value = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| number.to_string()),
        "[0-9]{1,25}",
        prop::collection::vec(any::<u8>(), 0..8)
            .prop_map(|bytes| bytes.iter().map(|byte| format!("%{byte:02x}")).collect()),
        prop::sample::select(vec![
            "",
            "+5",
            "0x10",
            "1e3",
            "５",
            "null",
            "true",
            "%",
            "%2",
            "%zz",
            "1&limit=2",
            "1;2",
            "[]",
            "a[]=1"
        ])
        .prop_map(str::to_owned),
    ];
    let mut flaws = Vec::new();
    for (round, (value, which)) in samples((value, any::<prop::sample::Index>())).into_iter().enumerate() {
        let operation = reads[round % reads.len()];
        let (name, _) = which.get(&operation.query);
        let path = format!("{}?{name}={value}", operation.path);
        let answer = answer(household.request(Method::GET, &path)).await;
        let fits = match answer.status.as_u16() {
            200 | 404 => true,
            422 => answer.error_flaw().is_none(),
            _ => false,
        };
        if !fits {
            flaws.push(format!("{path}: {} {}", answer.status, answer.text));
        }
    }
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[tokio::test]
async fn any_cookie_lets_nobody_in() {
    let house = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    let guest = house.anonymous();
    let household = house.signed_in("마당에 핀 살구꽃 다섯 송이").await;
    let word = household.cookie_line().split([';', '=']).nth(1).unwrap().to_owned();
    let value = prop_oneof![
        any_header(),
        (any::<prop::sample::Index>(), any_header()).prop_map(move |(at, odd)| {
            // Nearly the right one.
            let (start, end) = word.as_bytes().split_at(at.index(word.len()));
            [b"hanok_household=", start, b"x", &odd, end].concat()
        })
    ];
    for value in samples(value) {
        let Ok(cookie) = HeaderValue::from_bytes(&value) else { continue };
        let asked = guest.request(Method::GET, "/api/todos").header("cookie", cookie);
        let refused = answer(asked).await;
        assert_eq!(
            (refused.status.as_u16(), refused.error_flaw()),
            (401, None),
            "{:?}",
            String::from_utf8_lossy(&value)
        );
    }
    household.get("/api/todos").await.ok();
}

fn control_socket(house: &House) -> PathBuf {
    house.config.data.dir.join("run").join("control.sock")
}

/// What the control socket says to these bytes, until it closes.
async fn said_to(house: &House, bytes: &[u8]) -> String {
    let mut stream = UnixStream::connect(control_socket(house)).await.unwrap();
    // It may close before it has heard everything.
    let _ = stream.write_all(bytes).await;
    // Who says a whole line waits for what comes of it: nothing is done for whoever has gone.
    if !bytes.ends_with(b"\n") {
        let _ = stream.shutdown().await;
    }
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said).await;
    String::from_utf8(said).unwrap()
}

#[tokio::test]
async fn any_line_on_the_control_socket_is_a_command_or_refused() {
    let house = House::open().await;
    let mut lines: Vec<Vec<u8>> = [
        "\n",
        "{}\n",
        "[]\n",
        "null\n",
        "\"nothing\"\n",
        "\"Status\"\n",
        "{\"restore\":{}}\n",
        "{\"job_list\":{\"limit\":-1}}\n",
        "{\"job_list\":{\"limit\":18446744073709551615}}\n",
        "{\"job_show\":\"\\u0000\"}\n",
        "{\"restore\":\"../../etc/passwd\"}\n",
        "{\"restore_from\":\"/etc/passwd\"}\n",
        "{\"restore_from\":\"/dev/null\"}\n",
        "{\"restore_from\":\"/\"}\n",
        "{\"backup_to\":\"/no/such/folder/x\"}\n",
        "{\"verb\":{\"command\":\"lotto\",\"verb\":\"import\",\"words\":{\"FILE\":\"\\u0000\"}}}\n",
        "{\"household_passphrase\":\"short\"}\n",
        "{\"job_run\":\"nothing\"}\n",
        "{\"status\":null}\n",
        "\"status\"",
    ]
    .map(|line| line.as_bytes().to_vec())
    .to_vec();
    lines.push("[".repeat(200_000).into_bytes());
    lines.push(
        format!(
            "{{\"verb\":{{\"command\":\"lotto\",\"verb\":\"import\",\"words\":{{\"FILE\":\"{}\"}}}}}}\n",
            "1,2,3\\n".repeat(20_000)
        )
        .into_bytes(),
    );
    lines.extend(samples(prop::collection::vec(any::<u8>(), 0..200)));
    house.household().rest().await;
    let before = seen_by_the_command_line(&house).await;
    for line in lines {
        let said = said_to(&house, &line).await;
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        for reply in said.lines() {
            let reply: Value = serde_json::from_str(reply).unwrap_or_else(|error| panic!("{shown}: {error}: {reply}"));
            assert_ne!(reply["failed"]["code"], "INTERNAL", "{shown}: {reply}");
        }
    }
    assert_eq!(seen_by_the_command_line(&house).await, before, "nothing has changed");
    house.household().get("/api/todos").await.ok();
}

/// What a bad line could have changed.
async fn seen_by_the_command_line(house: &House) -> Vec<String> {
    let mut seen = Vec::new();
    for command in [
        "{\"verb\":{\"command\":\"lotto\",\"verb\":\"latest\",\"words\":{}}}\n",
        "\"household_sessions\"\n",
        "\"backups\"\n",
        "{\"job_list\":{\"limit\":50}}\n",
    ] {
        let said = said_to(house, command.as_bytes()).await;
        assert!(said.contains("\"done\""), "{said}");
        seen.push(said);
    }
    seen
}

#[tokio::test]
async fn who_holds_the_control_socket_in_silence_does_not_keep_the_house_open() {
    let house = House::open().await;
    let mut silent = UnixStream::connect(control_socket(&house)).await.unwrap();
    silent.write_all(b"\"sta").await.unwrap();
    // Who came later has been answered, so the silent one has been let in.
    assert!(said_to(&house, b"\"status\"\n").await.contains("\"done\""));
    let stopped = tokio::time::timeout(std::time::Duration::from_secs(20), house.appliance.stop()).await;
    assert!(matches!(stopped, Ok(Ok(()))), "the house closes: {stopped:?}");
}

//! Good days and bad days of a provider, played by local servers, with the clock held.

use std::net::SocketAddr;

use chrono::{DateTime, Utc};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::testing::NOBODY;

const OPERATOR: Provider = Provider {
    name: "lottery_operator",
    title_ko: "동행복권",
    title_en: "The lottery operator",
    setting: "lottery.operator",
};

fn start() -> DateTime<Utc> {
    "2026-10-10T11:45:00Z".parse().unwrap()
}

fn upstreams(clock: &Clock) -> Upstreams {
    let settings = config::Upstream { failures_to_open: 2, open_seconds: 300, ..config::Upstream::default() };
    Upstreams::with_first_pause(&settings, clock.clone(), Duration::from_millis(1)).unwrap()
}

fn only(upstreams: &Upstreams) -> ProviderState {
    let mut report = upstreams.report();
    assert_eq!(report.len(), 1);
    report.remove(0)
}

fn soon() -> Limits {
    Limits::json(Duration::from_millis(100))
}

/// A server that reads a request, sends `answer` as it is, and then either closes or stays silent.
async fn raw(answer: &'static str, stay: bool) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = connection.read(&mut request).await;
                let _ = connection.write_all(answer.as_bytes()).await;
                while stay && connection.read(&mut request).await.is_ok_and(|read| read > 0) {}
            });
        }
    });
    address
}

async fn server(template: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(template).mount(&server).await;
    server
}

#[tokio::test]
async fn what_is_wrong_with_an_answer_is_kept_short_however_much_of_it_is_quoted() {
    let server = MockServer::start().await;
    Mock::given(path("/draw")).respond_with(ResponseTemplate::new(200).set_body_string("{}")).mount(&server).await;
    let (upstreams, url) = (upstreams(&Clock::fixed(start())), format!("{}/draw", server.uri()));
    upstreams.register(&OPERATOR, true);
    let read = |_: &UpstreamResponse| Err::<(), _>("가".repeat(1 << 20));
    let error = upstreams.read(&OPERATOR, &url, Limits::default(), read).await.unwrap_err();
    assert_eq!(error.cause.unwrap().to_string().chars().count(), 500);
}

#[tokio::test]
async fn a_good_answer_comes_back_and_is_counted() {
    let server = MockServer::start().await;
    Mock::given(path("/draw"))
        .and(header("Accept", "application/json"))
        .and(header("Referer", "https://operator.example/result"))
        .and(header("User-Agent", "Mozilla/5.0 (compatible; hanok household appliance)"))
        .respond_with(ResponseTemplate::new(200).set_body_json(serde_json::json!({"draw": 1245})))
        .mount(&server)
        .await;
    let upstreams = upstreams(&Clock::fixed(start()));
    upstreams.register(&OPERATOR, true);
    assert_eq!(only(&upstreams).state, ProviderCondition::Unused);
    let limits =
        Limits { headers: vec![("Referer", "https://operator.example/result".to_owned())], ..Limits::default() };
    let answer = upstreams.get(&OPERATOR, &format!("{}/draw", server.uri()), limits).await.unwrap();
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json::<serde_json::Value>().unwrap()["draw"], 1245);
    let state = only(&upstreams);
    assert_eq!((state.state, state.last_success_at), (ProviderCondition::Ok, Some(start())));
}

#[tokio::test]
async fn a_provider_without_its_setting_says_so() {
    let upstreams = upstreams(&Clock::fixed(start()));
    upstreams.register(&OPERATOR, false);
    assert_eq!(only(&upstreams).state, ProviderCondition::NotConfigured);
}

#[tokio::test]
async fn a_slow_body_ends_at_the_time_limit() {
    let address = raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"draw\":", true).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    let error = upstreams.get(&OPERATOR, &format!("http://{address}"), soon()).await.unwrap_err();
    assert_eq!(error.kind, Kind::UpstreamTimeout);
    assert_eq!(error.message, "The lottery operator did not answer in time");
}

#[tokio::test]
async fn a_body_that_is_cut_off_is_a_failure() {
    let address = raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"draw\":", false).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    let error = upstreams.get(&OPERATOR, &format!("http://{address}"), Limits::default()).await.unwrap_err();
    assert_eq!(error.kind, Kind::UpstreamUnavailable);
    assert!(error.message.contains("broke off"), "{error}");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_with_and_without_its_length() {
    let upstreams = upstreams(&Clock::fixed(start()));
    let limits = Limits { max_bytes: 16, ..Limits::default() };
    let announced = server(ResponseTemplate::new(200).set_body_string("[1,2,3,4,5,6,7,8,9,10]")).await;
    let error = upstreams.get(&OPERATOR, &announced.uri(), limits.clone()).await.unwrap_err();
    assert!(error.message.contains("more than 16 bytes"), "{error}");
    let streamed = raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[1,2,3,4,5,6,7,8,9,10]", false).await;
    let error = upstreams.get(&OPERATOR, &format!("http://{streamed}"), limits).await.unwrap_err();
    assert!(error.message.contains("more than 16 bytes"), "{error}");
}

#[tokio::test]
async fn a_page_under_status_200_is_no_data() {
    let server = server(ResponseTemplate::new(200).set_body_string("<html>잠시 후 다시 시도</html>")).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
    assert!(error.message.contains("something else than its data"), "{error}");
    assert!(!error.message.contains("시도"));
    let anything = Limits { accept: Accept::Anything, ..Limits::default() };
    assert!(upstreams.get(&OPERATOR, &server.uri(), anything).await.is_ok());
}

#[tokio::test]
async fn cut_json_and_an_empty_body_are_no_data() {
    for body in ["{\"data\":{\"list\":[", ""] {
        let server = server(ResponseTemplate::new(200).set_body_string(body)).await;
        let upstreams = upstreams(&Clock::fixed(start()));
        assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err(), "{body}");
        assert_eq!(only(&upstreams).consecutive_failures, 1);
    }
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_not_followed() {
    let elsewhere = server(ResponseTemplate::new(200).set_body_string("{}")).await;
    let server = server(ResponseTemplate::new(302).insert_header("Location", elsewhere.uri())).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
    assert_eq!(error.kind, Kind::UpstreamUnavailable);
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_server_error_is_repeated_twice_and_a_refusal_is_not() {
    for (status, asked) in [(500, 3), (404, 1), (429, 1)] {
        let server = server(ResponseTemplate::new(status)).await;
        let upstreams = upstreams(&Clock::fixed(start()));
        assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err());
        assert_eq!(server.received_requests().await.unwrap().len(), asked, "{status}");
        assert_eq!(only(&upstreams).consecutive_failures, 1);
    }
}

#[tokio::test]
async fn a_moment_of_weakness_is_passed_over() {
    let server = MockServer::start().await;
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(503)).up_to_n_times(1).mount(&server).await;
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(200).set_body_string("[]")).mount(&server).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_ok());
    assert_eq!(only(&upstreams).consecutive_failures, 0);
}

#[tokio::test]
async fn throttling_is_respected_for_as_long_as_it_asks() {
    let server = server(ResponseTemplate::new(429).insert_header("Retry-After", "60")).await;
    let clock = Clock::fixed(start());
    let upstreams = upstreams(&clock);
    let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
    assert_eq!(error.retry_after, Some(60));
    assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err());
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    assert_eq!(only(&upstreams).retry_at, Some(start() + chrono::Duration::seconds(60)));
}

#[tokio::test]
async fn the_breaker_opens_and_a_trial_closes_it() {
    let server = MockServer::start().await;
    let bad = Mock::given(method("GET")).respond_with(ResponseTemplate::new(404)).mount_as_scoped(&server).await;
    let clock = Clock::fixed(start());
    let upstreams = upstreams(&clock);
    for _ in 0..2 {
        assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err());
    }
    let state = only(&upstreams);
    assert_eq!((state.state, state.consecutive_failures), (ProviderCondition::Open, 2));
    assert_eq!(state.failure.as_deref(), Some("The lottery operator answered with status 404"));
    let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
    assert_eq!((error.kind, error.retry_after), (Kind::UpstreamUnavailable, Some(300)));
    assert_eq!(bad.received_requests().await.len(), 2);
    drop(bad);
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(200).set_body_string("[]")).mount(&server).await;
    clock.set(start() + chrono::Duration::seconds(300));
    assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_ok());
    let state = only(&upstreams);
    assert_eq!((state.state, state.consecutive_failures, state.retry_at), (ProviderCondition::Ok, 0, None));
    assert_eq!(state.last_failure_at, Some(start()));
}

#[tokio::test]
async fn a_clock_that_is_set_ahead_or_back_makes_no_breaker_stay_open_or_closed() {
    let server = server(ResponseTemplate::new(404)).await;
    let clock = Clock::fixed(start() + chrono::Duration::days(3650));
    let upstreams = upstreams(&clock);
    for _ in 0..2 {
        assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err());
    }
    for days in [0, 3650, 7300] {
        clock.put(start() + chrono::Duration::days(days));
        let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
        assert_eq!(error.retry_after, Some(300), "no time has passed");
        assert_eq!(only(&upstreams).retry_at, Some(clock.now() + chrono::Duration::seconds(300)));
    }
    clock.put(start());
    clock.set(start() + chrono::Duration::seconds(300));
    let error = upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.unwrap_err();
    assert_eq!(error.retry_after, None, "it was asked again: {error}");
}

#[tokio::test]
async fn what_is_said_of_a_pause_is_the_same_each_time_until_it_is_over() {
    let server = server(ResponseTemplate::new(404)).await;
    let clock = Clock::fixed(start() + chrono::Duration::microseconds(499_999));
    let upstreams = upstreams(&clock);
    for _ in 0..2 {
        assert!(upstreams.get(&OPERATOR, &server.uri(), Limits::default()).await.is_err());
    }
    let said = only(&upstreams);
    assert_eq!((said.state, said.retry_at), (ProviderCondition::Open, Some(start() + chrono::Duration::seconds(301))));
    // The two readings that the instant is reckoned from are never of the same moment.
    for late in 1..100 {
        clock.put(start() + chrono::Duration::microseconds(499_999 + late));
        assert_eq!(only(&upstreams), said, "{late} microseconds");
    }
    clock.put(start());
    clock.set(start() + chrono::Duration::seconds(301));
    let over = only(&upstreams);
    assert_eq!((over.state, over.retry_at), (ProviderCondition::Failing, None), "it may be asked, and nobody has");
}

#[tokio::test]
async fn an_answer_that_its_reader_refuses_counts_against_the_provider() {
    let server = server(ResponseTemplate::new(200).set_body_string("{\"data\":null}")).await;
    let upstreams = upstreams(&Clock::fixed(start()));
    let read = |answer: &UpstreamResponse| answer.json::<Vec<u32>>();
    let error = upstreams.read(&OPERATOR, &server.uri(), Limits::default(), read).await.unwrap_err();
    assert!(error.cause.is_some());
    assert_eq!(only(&upstreams).state, ProviderCondition::Failing);
}

#[tokio::test]
async fn nobody_listening_is_unavailable_and_names_the_provider() {
    let upstreams = upstreams(&Clock::fixed(start()));
    let error = upstreams.get(&OPERATOR, &format!("http://{NOBODY}"), Limits::default()).await.unwrap_err();
    assert_eq!(error.kind, Kind::UpstreamUnavailable);
    assert_eq!(error.message, "The lottery operator cannot be reached");
}

#[tokio::test]
async fn how_a_provider_did_is_known_after_a_restart_but_not_for_how_long_it_was_left_alone() {
    let clock = Clock::fixed(start());
    let store = crate::store::Store::memory(clock.clone(), crate::events::Events::default()).unwrap();
    let begin = async || {
        let upstreams = upstreams(&clock);
        upstreams.register(&OPERATOR, true);
        upstreams.keep_in(&store).await.unwrap();
        upstreams
    };
    let good = server(ResponseTemplate::new(200).set_body_string("{}")).await;
    let bad = server(ResponseTemplate::new(500)).await;
    let before = begin().await;
    assert_eq!(only(&before).state, ProviderCondition::Unused);
    before.get(&OPERATOR, &good.uri(), Limits::default()).await.unwrap();
    for _ in 0..2 {
        before.get(&OPERATOR, &bad.uri(), Limits::default()).await.unwrap_err();
    }
    assert_eq!(only(&before).state, ProviderCondition::Open);
    let after = begin().await;
    let left_alone = only(&before);
    let known = ProviderState { state: ProviderCondition::Failing, retry_at: None, ..left_alone };
    assert_eq!(only(&after), known);
    after.get(&OPERATOR, &good.uri(), Limits::default()).await.unwrap();
    assert_eq!(only(&begin().await).state, ProviderCondition::Ok);
}

#[tokio::test]
async fn how_a_host_of_our_own_did_is_known_after_a_restart_and_a_restore_brings_no_older_record_back() {
    let clock = Clock::fixed(start());
    let store = crate::store::Store::memory(clock.clone(), crate::events::Events::default()).unwrap();
    let begin = async || {
        let upstreams = upstreams(&clock);
        upstreams.register(&OPERATOR, true);
        upstreams.keep_in(&store).await.unwrap();
        upstreams
    };
    let before = begin().await;
    let token = hanok_base::Secret::new("");
    let asked = before.ask_own_host(&OPERATOR, &format!("http://{NOBODY}"), &token, &"", Limits::default()).await;
    assert_eq!(asked.unwrap_err().kind, Kind::NasUnavailable);
    assert_eq!(only(&begin().await).state, ProviderCondition::Failing);
    let restored = crate::store::Store::memory(clock.clone(), crate::events::Events::default()).unwrap();
    restored.write(move |tx| before.carry_into(tx)).await.unwrap();
    let after = upstreams(&clock);
    after.register(&OPERATOR, true);
    after.keep_in(&restored).await.unwrap();
    assert_eq!(only(&after).state, ProviderCondition::Failing);
}

#[tokio::test]
async fn who_waits_for_a_turn_of_our_own_is_no_failure_of_the_provider() {
    let silent = format!("http://{}", raw("", true).await);
    let upstreams = upstreams(&Clock::fixed(start()));
    let turn = upstreams.turn(host_of(&silent));
    let taken = Arc::clone(&turn).acquire_many_owned(AT_ONCE_PER_HOST as u32).await.unwrap();
    let error = upstreams.get(&OPERATOR, &silent, soon()).await.unwrap_err();
    assert_eq!((error.kind, error.retry_after), (Kind::UpstreamUnavailable, Some(1)));
    drop(taken);
    upstreams.register(&OPERATOR, true);
    assert_eq!((only(&upstreams).state, only(&upstreams).consecutive_failures), (ProviderCondition::Unused, 0));
}

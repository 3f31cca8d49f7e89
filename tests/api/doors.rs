//! What holds for every request, whatever it asks for: who may, how often, how fresh, at which door.

use hanok::platform::store::{ReadTransaction, Table};
use reqwest::Method;
use serde_json::json;

use crate::house::{Caller, House, answer};

/// What a probe of the house writes down.
const CANARY: Table<&'static str, i64> = Table::new("canary-1");

#[tokio::test]
async fn a_house_on_the_network_lets_in_only_who_knows_the_passphrase() {
    let house = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    let seen = house.anonymous().get("/api/household").await.ok();
    assert_eq!((&seen["access"], &seen["signed_in"]), (&json!("passphrase"), &json!(false)));
    house.anonymous().get("/api/todos").await.refused(401, "UNAUTHORIZED");
    let wrong = house.anonymous().post("/api/household/sign-in", json!({"passphrase": "살구꽃"})).await;
    wrong.refused(401, "UNAUTHORIZED");

    let household = house.signed_in("마당에 핀 살구꽃 다섯 송이").await;
    household.get("/api/todos").await.ok();
    let cookie = household.cookie_line();
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    household.post("/api/household/sign-out", json!({})).await.ok();
    household.get("/api/todos").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn callers_that_a_proxy_brings_to_a_house_on_loopback_must_sign_in() {
    let house = House::open().await;
    let household = house.household();
    assert_eq!(household.get("/api/todos").await.status, 200, "nobody was brought");
    for (name, value) in [
        ("x-forwarded-for", "203.0.113.9"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "hanok.example"),
        ("x-forwarded-server", "proxy"),
        ("forwarded", "for=203.0.113.9"),
        ("via", "1.1 proxy"),
        ("x-real-ip", "203.0.113.9"),
        ("x-client-ip", "203.0.113.9"),
        ("cf-connecting-ip", "203.0.113.9"),
        ("true-client-ip", "203.0.113.9"),
        ("cdn-loop", "cdn"),
        ("cf-visitor", "{}"),
        ("ngrok-agent-ips", "203.0.113.9"),
        ("tailscale-user-login", "jiwoo@example.com"),
        ("x-amzn-trace-id", "Root=1"),
    ] {
        let brought = household.request(Method::GET, "/api/todos").header(name, value);
        answer(brought).await.refused(401, "UNAUTHORIZED");
        let seen = answer(household.request(Method::GET, "/api/household").header(name, value)).await.ok();
        assert_eq!((&seen["access"], &seen["signed_in"]), (&json!("passphrase"), &json!(false)), "{name}");
    }
    assert_eq!(household.get("/api/household").await.ok()["access"], "loopback");
}

#[tokio::test]
async fn whom_a_proxy_brings_from_elsewhere_is_held_to_the_rate_of_strangers() {
    let house = House::open_with(|config| {
        config.http.requests_per_second = 1;
        config.http.burst = 5;
    })
    .await;
    let ask = || house.anonymous().request(Method::GET, "/api/household");
    let mut statuses = Vec::new();
    for _ in 0..20 {
        statuses.push(answer(ask().header("via", "1.1 proxy")).await.status.as_u16());
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(answer(ask()).await.status, 200, "this machine itself");
}

#[tokio::test]
async fn a_session_is_kept_to_tls_where_the_caller_came_by_it_and_ends_with_a_cookie_of_the_same_form() {
    const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";
    let mut house = House::open_on_the_network(PASSPHRASE).await;
    house.config.http.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let house = house.restart().await;
    for (scheme, is_kept) in [(Some("https"), true), (Some("http"), false), (Some("https, http"), false), (None, false)]
    {
        let ask = |path: &str, session: Option<&str>| {
            let request = house.anonymous().request(Method::POST, path).json(&json!({"passphrase": PASSPHRASE}));
            let request =
                scheme.into_iter().fold(request, |request, scheme| request.header("x-forwarded-proto", scheme));
            answer(session.into_iter().fold(request, |request, session| request.header("cookie", session)))
        };
        let begun = ask("/api/household/sign-in", None).await.header("set-cookie").to_owned();
        let (session, form) = begun.split_once("; ").unwrap();
        let ended = ask("/api/household/sign-out", Some(session)).await.header("set-cookie").to_owned();
        let (nothing, end) = ended.split_once("; ").unwrap();
        assert_eq!(nothing, "hanok_household=");
        let without_age = |form: &str| {
            let mut words: Vec<String> = form.split("; ").map(str::to_owned).collect();
            words.retain(|word| !word.starts_with("Max-Age="));
            words
        };
        assert_eq!(without_age(form), without_age(end), "{begun}, {ended}");
        assert!(end.split("; ").any(|word| word == "Max-Age=0"), "{ended}");
        assert_eq!(without_age(form).contains(&"Secure".to_owned()), is_kept, "{scheme:?}: {begun}");
    }
}

#[tokio::test]
async fn nobody_but_a_trusted_proxy_says_that_a_caller_came_by_https() {
    const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";
    let house = House::open_on_the_network(PASSPHRASE).await;
    let sign_in = house.anonymous().request(Method::POST, "/api/household/sign-in");
    let told = sign_in.json(&json!({"passphrase": PASSPHRASE})).header("x-forwarded-proto", "https");
    let cookie = answer(told).await.header("set-cookie").to_owned();
    assert!(cookie.starts_with("hanok_household=") && !cookie.contains("Secure"), "{cookie}");
}

#[tokio::test]
async fn signing_out_ends_the_session_that_is_sent_also_where_the_door_asks_for_none() {
    const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";
    let house = House::open().await;
    let token = house.setup_word().await;
    let setup = json!({"token": token, "passphrase": PASSPHRASE});
    let begun = house.anonymous().post("/api/household/setup", setup).await.header("set-cookie").to_owned();
    let session = begun.split("; ").next().unwrap();
    let todos = || house.anonymous().request(Method::GET, "/api/todos").header("cookie", session);
    let through_a_proxy = || todos().header("x-forwarded-for", "203.0.113.9");
    answer(through_a_proxy()).await.ok();

    let sign_out = house.anonymous().request(Method::POST, "/api/household/sign-out");
    let ended = answer(sign_out.header("cookie", session).json(&json!({}))).await;
    ended.ok();
    for word in ["Max-Age=0", "Path=/"] {
        assert!(ended.header("set-cookie").contains(word), "{ended:?}");
    }
    answer(through_a_proxy()).await.refused(401, "UNAUTHORIZED");
    // On the machine itself nobody is asked, and whoever has no session may sign out, too.
    answer(todos()).await.ok();
    house.anonymous().post("/api/household/sign-out", json!({})).await.ok();
}

#[tokio::test]
async fn guessing_the_passphrase_is_slowed_down() {
    let house = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    for _ in 0..30 {
        let answer = house.anonymous().post("/api/household/sign-in", json!({"passphrase": "guess"})).await;
        if answer.status == 429 {
            answer.refused(429, "RATE_LIMITED");
            assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
            return;
        }
        answer.refused(401, "UNAUTHORIZED");
    }
    panic!("thirty guesses in a row were taken");
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_back() {
    let house = House::open_with(|config| {
        config.http.requests_per_second = 1;
        config.http.burst = 5;
        config.http.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await;
    let household = house.household();
    let ask = |from| answer(household.request(Method::GET, "/api/household").header("x-forwarded-for", from));
    let mut last = ask("203.0.113.9").await;
    for _ in 0..20 {
        if last.status == 429 {
            break;
        }
        last = ask("203.0.113.9").await;
    }
    assert_eq!(ask("203.0.113.10").await.status, 200, "one caller's haste is not another's");
    last.refused(429, "RATE_LIMITED");
    assert!(last.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0), "{last:?}");
    assert!(last.json()["retry_after"].as_u64().is_some_and(|seconds| seconds > 0), "{last:?}");
}

#[tokio::test]
async fn the_same_request_sent_twice_with_a_key_happens_once() {
    let house = House::open().await;
    let household = house.household();
    let send = |body| household.request(Method::POST, "/api/todos").header("idempotency-key", "k-1").json(&body);
    let first = answer(send(json!({"title": "하나"}))).await;
    let second = answer(send(json!({"title": "하나"}))).await;
    assert_eq!((first.status, &first.text), (second.status, &second.text));
    answer(send(json!({"title": "둘"}))).await.refused(409, "IDEMPOTENCY_CONFLICT");
    let todos = household.get("/api/todos").await.ok();
    assert_eq!(todos["todos"].as_array().unwrap().len(), 1);

    let house = house.restart().await;
    let household = house.household();
    let again =
        household.request(Method::POST, "/api/todos").header("idempotency-key", "k-1").json(&json!({"title": "하나"}));
    assert_eq!(answer(again).await.text, first.text);
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let house = House::open().await;
    let household = house.household();
    let first = household.get("/api/lotto/stats").await;
    let tag = first.header("etag").to_owned();
    assert!(!tag.is_empty());
    let ask = |tag: &str| household.request(Method::GET, "/api/lotto/stats").header("if-none-match", tag.to_owned());
    let unchanged = answer(ask(&tag)).await;
    assert_eq!((unchanged.status.as_u16(), unchanged.text.as_str()), (304, ""));
    assert_eq!(answer(ask("\"another\"")).await.status, 200);
}

#[tokio::test]
async fn a_route_of_one_door_never_answers_at_the_other() {
    let house = House::open().await;
    house.passer_by().get("/api/todos").await.refused(404, "NOT_FOUND");
    house.passer_by().get("/api/household").await.refused(404, "NOT_FOUND");
    let ops = house.household().get("/api/openapi.json").await.ok();
    let site = house.passer_by().get("/api/openapi.json").await.ok();
    assert_ne!(ops["paths"], site["paths"]);
}

#[tokio::test]
async fn both_doors_say_that_they_are_alive_and_ready() {
    let house = House::open().await;
    for door in [house.anonymous(), house.passer_by()] {
        assert_eq!(door.get("/health/live").await.ok()["status"], "ok");
        door.get("/health/ready").await.ok();
    }
    let metrics = house.anonymous().get("/metrics").await;
    assert_eq!(metrics.status, 200);
    assert!(metrics.text.lines().any(|line| line.starts_with("# TYPE")), "{}", metrics.text);
}

#[tokio::test]
async fn the_app_opens_at_each_of_its_own_addresses_and_its_files_are_kept_for_ever() {
    let house = House::open().await;
    let page = house.household().get("/lottery/statistics").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let (_, from_source) = page.text.split_once("src=\"/assets/").expect("a script");
    let script = format!("/assets/{}", from_source.split('"').next().unwrap());
    let file = answer(house.household().request(Method::GET, &script).header("accept-encoding", "br")).await;
    assert!(file.header("cache-control").contains("immutable"), "{:?}", file.headers);
    assert_eq!(house.household().get("/assets/none.js").await.status, 404);
}

#[tokio::test]
async fn strangers_who_ask_whether_the_house_is_ready_share_one_write_and_learn_no_more_than_yes_or_no() {
    let house = House::open().await;
    let store = house.appliance.app().data.store.clone();
    let written = async || store.read(|tx| tx.get(&CANARY, "canary")).await.unwrap();
    assert_eq!(house.passer_by().get("/health/ready").await.ok(), json!({"status": "ok"}));
    let first = written().await.unwrap();
    house.clock.set(house.clock.now() + chrono::Duration::minutes(1));
    for _ in 0..20 {
        house.passer_by().get("/health/ready").await.ok();
        let checks = house.anonymous().get("/health/ready").await.ok()["checks"].clone();
        let names: Vec<_> = checks.as_array().unwrap().iter().map(|check| check["name"].clone()).collect();
        assert_eq!(names, ["store_read", "store_write", "index"]);
    }
    assert_eq!(written().await.unwrap(), first);
}

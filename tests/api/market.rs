//! The markets: news, indices, relays, prices. The providers are played on this machine, on good days and on bad ones.

use std::time::Duration;

use chrono::TimeDelta;
use hanok::calc::exchange::Market;
use hanok::ops::market::{self, MarketSettings};
use hanok::platform::config::Config;
use serde_json::{Value, json};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::house::{Caller, House};

/// A chart of one day, as the provider of quotes writes it.
fn chart(meta: Value) -> Value {
    let series = json!({"meta": meta, "timestamp": [1_795_046_400], "indicators": {"quote": [{"close": [1.0]}]}});
    json!({"chart": {"result": [series], "error": null}})
}

async fn says(server: &MockServer, at: &str, answer: ResponseTemplate) {
    Mock::given(method("GET")).and(path(at)).respond_with(answer).mount(server).await;
}

async fn quotes(server: &MockServer, symbol: &str, meta: Value) {
    let at = format!("/v8/finance/chart/{symbol}");
    says(server, &at, ResponseTemplate::new(200).set_body_json(chart(meta))).await;
}

/// A house that asks `server`, and does nothing by itself unless the test says so.
async fn house_of(server: &MockServer, set: impl FnOnce(&mut Config, &mut MarketSettings)) -> House {
    House::open_with(|config| {
        config.jobs.schedule = false;
        let (quotes, sentiment) = (server.uri(), server.uri());
        let mut market =
            MarketSettings { quotes, sentiment, feeds: Vec::new(), timeout_seconds: 5, ..MarketSettings::default() };
        set(config, &mut market);
        config.set(market);
    })
    .await
}

async fn asked(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.unwrap().into_iter();
    requests.map(|request| request.url.path().to_owned()).collect()
}

fn later(house: &House, span: TimeDelta) {
    house.clock.set(house.clock.now() + span);
}

#[tokio::test]
async fn a_house_that_asks_nobody_tells_the_last_shipped_closes_as_stale_and_what_is_missing() {
    let house = House::open().await;
    let told = house.household().get("/api/stock/indices").await.ok();
    let names: Vec<&str> =
        told["indices"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(names, ["KOSPI", "KOSDAQ", "KOSPI200"]);
    // 2026-03-20: 5781.2 after 5763.22.
    let kospi = &told["indices"][0];
    assert_eq!(
        (&kospi["value"], &kospi["change"], &kospi["changePercent"]),
        (&json!(5781.2), &json!(17.98), &json!(0.31))
    );
    assert_eq!((&kospi["stale"], &kospi["as_of"]), (&json!(true), &json!("2026-03-20T06:30:00Z")));
    assert_eq!(told["missing"], json!(["^GSPC", "^IXIC", "^DJI", "^N225", "KRW=X"]));
    for relay in ["vix", "treasury", "wti", "brent", "feargreed"] {
        let refused = house.household().get(&format!("/ext/{relay}")).await;
        refused.refused(503, "NOT_CONFIGURED");
        assert!(refused.text.contains("market.sync"), "{}", refused.text);
    }
    assert_eq!(house.household().get("/api/today").await.ok()["market_indices"], json!([]));
}

#[tokio::test]
async fn indices_are_told_by_the_quote_rule_and_what_failed_stands_as_it_was_shipped() {
    let server = MockServer::start().await;
    quotes(&server, "%5EKQ11", json!({"currency": "KRW", "regularMarketPrice": 903.125, "previousClose": 900, "regularMarketTime": 1_791_520_200})).await;
    quotes(&server, "%5EGSPC", json!({"currency": "USD", "regularMarketPrice": 110, "chartPreviousClose": 100})).await;
    quotes(&server, "%5EIXIC", json!({"currency": "USD", "regularMarketPrice": 110, "previousClose": 0})).await;
    quotes(&server, "%5EDJI", json!({"currency": "USD", "previousClose": 110})).await;
    let house = house_of(&server, |_, _| {}).await;
    let told = house.household().get("/api/stock/indices").await.ok();
    let of = |code: &str| told["indices"].as_array().unwrap().iter().find(|one| one["code"] == code).unwrap().clone();
    let numbers = |code: &str| {
        let one = of(code);
        (one["value"].clone(), one["change"].clone(), one["changePercent"].clone(), one["stale"].clone())
    };
    // 903.13 - 900 = 3.13; 3.13 / 900 = 0.3477...%
    assert_eq!(numbers("KOSDAQ"), (json!(903.13), json!(3.13), json!(0.35), json!(false)));
    assert_eq!(of("KOSDAQ")["as_of"], "2026-10-09T04:30:00Z");
    assert_eq!(numbers("SP500"), (json!(110.0), json!(10.0), json!(10.0), json!(false)));
    assert_eq!(numbers("NASDAQ"), (json!(110.0), Value::Null, Value::Null, json!(false)));
    assert_eq!(numbers("KOSPI"), (json!(5781.2), json!(17.98), json!(0.31), json!(true)));
    assert_eq!(told["missing"], json!(["^DJI", "^N225", "KRW=X"]));
    let first = &server.received_requests().await.unwrap()[0];
    assert_eq!(first.url.query(), Some("range=1d&interval=1d"));
}

#[tokio::test]
async fn today_shows_the_indices_that_the_schedule_has_fetched_and_asks_nobody() {
    let server = MockServer::start().await;
    quotes(&server, "%5EKS11", json!({"currency": "KRW", "regularMarketPrice": 4012.37, "previousClose": 3990.11}))
        .await;
    let house = house_of(&server, |config, _| config.jobs.schedule = true).await;
    let household = house.household();
    let mut events = household.events().await;
    while household.get("/api/today").await.ok()["market_indices"] == json!([]) {
        // Also when the work ends something changes: the list of jobs.
        events.until("changed", |_| true).await;
    }
    household.rest().await;
    let before = asked(&server).await.len();
    let indices = household.get("/api/today").await.ok()["market_indices"].clone();
    assert_eq!(indices.as_array().unwrap().len(), 1);
    assert_eq!((&indices[0]["value"], &indices[0]["changePercent"]), (&json!(4012.37), &json!(0.56)));
    assert_eq!(asked(&server).await.len(), before);
    let closes = household.get("/api/stock/history/KOSPI?days=2").await.ok()["closes"].clone();
    assert_eq!(closes, json!([{"date": "2026-03-20", "close": 5781.2}, {"date": "2026-10-10", "close": 4012.37}]));
}

#[tokio::test]
async fn a_relay_passes_on_what_the_provider_says_untouched_and_asks_once_in_five_minutes() {
    let server = MockServer::start().await;
    let body =
        "{ \"chart\" : {\"result\":[{\"meta\":{\"regularMarketPrice\":17.20,\"extra\":[1, 2]}}],\"error\":null} }\n";
    for symbol in ["%5EVIX", "%5ETNX", "CL%3DF", "BZ%3DF"] {
        says(&server, &format!("/v8/finance/chart/{symbol}"), ResponseTemplate::new(200).set_body_string(body)).await;
    }
    let house = house_of(&server, |_, market| market.user_agent = "Mozilla/5.0 (test)".to_owned()).await;
    for relay in ["vix", "treasury", "wti", "brent", "vix"] {
        let told = house.household().get(&format!("/ext/{relay}")).await;
        assert_eq!((told.status.as_u16(), told.text.as_str()), (200, body), "{relay}");
        assert_eq!((told.header("age"), told.header("warning")), ("0", ""));
        assert!(told.header("content-type").starts_with("application/json"));
    }
    later(&house, TimeDelta::minutes(4));
    assert_eq!(house.household().get("/ext/vix").await.header("age"), "240");
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 4);
    assert!(requests.iter().all(|request| request.headers["user-agent"] == "Mozilla/5.0 (test)"));
}

#[tokio::test]
async fn when_the_provider_fails_its_last_good_answer_is_given_with_its_age_and_a_warning() {
    let server = MockServer::start().await;
    let at = "/v8/finance/chart/%5EVIX";
    let good = ResponseTemplate::new(200).set_body_json(chart(json!({"regularMarketPrice": 17.2})));
    let good = Mock::given(method("GET")).and(path(at)).respond_with(good).mount_as_scoped(&server).await;
    let house = house_of(&server, |_, _| {}).await;
    let first = house.household().get("/ext/vix").await;
    drop(good);
    says(&server, at, ResponseTemplate::new(429).set_body_string("Too Many Requests")).await;
    later(&house, TimeDelta::minutes(6));
    let second = house.household().get("/ext/vix").await;
    assert_eq!((second.status.as_u16(), &second.text), (200, &first.text));
    assert_eq!((second.header("age"), second.header("warning")), ("360", "110 - \"Response is Stale\""));
}

#[tokio::test]
async fn whatever_the_provider_says_on_a_bad_day_is_an_error_and_never_a_zero() {
    let days: Vec<(&str, ResponseTemplate)> = vec![
        ("throttled", ResponseTemplate::new(429).set_body_string("Too Many Requests")),
        ("a page", ResponseTemplate::new(200).set_body_string("<html>Will be right back</html>")),
        ("no result", ResponseTemplate::new(200).set_body_json(json!({"chart": {"result": null, "error": null}}))),
        ("an empty result", ResponseTemplate::new(200).set_body_json(json!({"chart": {"result": [], "error": null}}))),
        ("no price", ResponseTemplate::new(200).set_body_json(chart(json!({"previousClose": 17.0})))),
        ("a price that is none", ResponseTemplate::new(200).set_body_json(chart(json!({"regularMarketPrice": null})))),
        ("not found", ResponseTemplate::new(404).set_body_json(json!({"chart": {"result": null}}))),
        ("broken", ResponseTemplate::new(500)),
        ("elsewhere", ResponseTemplate::new(302).insert_header("Location", "https://consent.example/")),
        ("cut", ResponseTemplate::new(200).set_body_string("{\"chart\":{\"result\":[{\"meta\":{\"regul")),
    ];
    let server = MockServer::start().await;
    let house = house_of(&server, |_, _| {}).await;
    for (day, answer) in days {
        server.reset().await;
        Mock::given(method("GET")).respond_with(answer).mount(&server).await;
        // By then nobody is left alone any more for what was said before.
        later(&house, TimeDelta::minutes(10));
        let told = house.household().get("/ext/wti").await;
        assert_eq!((told.status.as_u16(), told.error_flaw()), (502, None), "{day}: {}", told.text);
        assert_eq!(told.json()["error"], "UPSTREAM_UNAVAILABLE", "{day}");
        assert!(!asked(&server).await.is_empty(), "{day}: nobody was asked");
    }
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(200).set_delay(Duration::from_secs(3)))
        .mount(&server)
        .await;
    let house = house_of(&server, |_, market| market.timeout_seconds = 1).await;
    house.household().get("/ext/wti").await.refused(504, "UPSTREAM_TIMEOUT");
}

#[tokio::test]
async fn sentiment_is_passed_on_and_what_is_none_is_refused() {
    let server = MockServer::start().await;
    let at = "/index/fearandgreed/graphdata";
    let said = json!({"fear_and_greed": {"score": 41.2857, "rating": "fear"}, "market_volatility_vix": {"data": []}});
    says(&server, at, ResponseTemplate::new(200).set_body_json(&said)).await;
    let house = house_of(&server, |_, _| {}).await;
    assert_eq!(house.household().get("/ext/feargreed").await.ok(), said);

    let server = MockServer::start().await;
    says(&server, at, ResponseTemplate::new(418).set_body_string("I'm a teapot. You're a bot.")).await;
    let house = house_of(&server, |_, _| {}).await;
    house.household().get("/ext/feargreed").await.refused(502, "UPSTREAM_UNAVAILABLE");

    let house = house_of(&server, |_, market| market.sentiment = String::new()).await;
    let refused = house.household().get("/ext/feargreed").await;
    refused.refused(503, "NOT_CONFIGURED");
    assert!(refused.text.contains("market.sentiment"));
}

#[tokio::test]
async fn a_price_that_is_kept_by_hand_counts_until_it_is_cleared() {
    let house = House::open().await;
    let household = house.household();
    let at = "/api/stock/prices/KOSPI/005930";
    household.get(at).await.refused(404, "NOT_FOUND");
    let import = |tx: &hanok::platform::store::WriteTx| {
        let close = "71000".parse().unwrap();
        market::set_imported_price(tx, Market::Kospi, "005930", close, None, "2026-10-09T06:30:00Z".parse().unwrap())
    };
    house.appliance.app().data.store.write(import).await.unwrap();
    let kept = household.put(at, json!({"price": "72500.5"})).await.ok();
    assert_eq!(
        (&kept["price"], &kept["currency"], &kept["source"]),
        (&json!("72500.5"), &json!("KRW"), &json!("manual"))
    );
    assert_eq!((&kept["stale"], &kept["as_of"]), (&json!(false), &json!("2026-10-10T12:30:00Z")));
    assert_eq!(household.get("/api/stock/prices/KOSPI/005930").await.ok(), kept);
    household.delete(at).await.ok();
    let imported = household.get(at).await.ok();
    assert_eq!(
        (&imported["price"], &imported["source"], &imported["stale"]),
        (&json!("71000"), &json!("import"), &json!(false))
    );
    household.delete(at).await.refused(404, "NOT_FOUND");
    let dollars = household.put("/api/stock/prices/US/BRK.B", json!({"price": 470.25})).await.ok();
    assert_eq!((&dollars["price"], &dollars["currency"]), (&json!("470.25"), &json!("USD")));
}

#[tokio::test]
async fn a_price_or_a_rate_that_cannot_be_one_is_refused() {
    let house = House::open().await;
    let household = house.household();
    for price in [json!("0"), json!("-1"), json!("일곱"), json!(null), json!("1e5")] {
        household.put("/api/stock/prices/KOSPI/005930", json!({"price": price})).await.refused(422, "INVALID_INPUT");
    }
    household.put("/api/stock/prices/KOSPI/005930", json!({})).await.refused(422, "INVALID_INPUT");
    let currency = json!({"price": "1", "currency": "XXX"});
    household.put("/api/stock/prices/KOSPI/005930", currency).await.refused(422, "INVALID_INPUT");
    household.put("/api/stock/prices/MARS/005930", json!({"price": "1"})).await.refused(404, "NOT_FOUND");
    household.put("/api/stock/prices/KOSPI/%EC%82%BC%EC%84%B1", json!({"price": "1"})).await.refused(404, "NOT_FOUND");
    household.put("/api/stock/rates/KRW", json!({"rate": "1"})).await.refused(404, "NOT_FOUND");
    household.put("/api/stock/rates/USD", json!({"rate": "0"})).await.refused(422, "INVALID_INPUT");
    assert_eq!(household.get("/api/stock/rates").await.ok(), json!({"rates": []}), "nothing changed");
}

#[tokio::test]
async fn a_rate_that_is_kept_by_hand_counts_until_it_is_cleared() {
    let house = House::open().await;
    let household = house.household();
    assert_eq!(household.get("/api/stock/rates").await.ok(), json!({"rates": []}));
    let kept = household.put("/api/stock/rates/USD", json!({"rate": "1391.20"})).await.ok();
    assert_eq!(
        (&kept["rate"], &kept["currency"], &kept["source"]),
        (&json!("1391.20"), &json!("USD"), &json!("manual"))
    );
    assert_eq!(household.get("/api/stock/rates").await.ok(), json!({"rates": [kept]}));
    household.delete("/api/stock/rates/USD").await.ok();
    assert_eq!(household.get("/api/stock/rates").await.ok(), json!({"rates": []}));
    household.delete("/api/stock/rates/USD").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn what_is_watched_is_fetched_with_its_rate_and_a_failure_leaves_what_is_there() {
    let server = MockServer::start().await;
    let samsung = json!({"currency": "KRW", "regularMarketPrice": 98600, "previousClose": 97900, "regularMarketTime": 1_791_520_200});
    quotes(&server, "005930.KS", samsung).await;
    quotes(&server, "AAPL", json!({"currency": "USD", "regularMarketPrice": 231.456, "previousClose": 230})).await;
    quotes(&server, "KRW%3DX", json!({"currency": "KRW", "regularMarketPrice": 1391.2345})).await;
    says(&server, "/v8/finance/chart/999999.KS", ResponseTemplate::new(404)).await;
    let house = house_of(&server, |_, _| {}).await;
    let app = house.appliance.app();
    let wanted = vec![
        (Market::Other, "999999".to_owned()),
        (Market::Kospi, "005930".to_owned()),
        (Market::Us, "AAPL".to_owned()),
        (Market::Konex, "279060".to_owned()),
    ];
    market::refresh(app, wanted.clone()).await.unwrap();
    let household = house.household();
    let price = household.get("/api/stock/prices/KOSPI/005930").await.ok();
    let wanted_price = json!({
        "symbol": "005930", "market": "KOSPI", "price": "98600", "currency": "KRW", "previous_close": "97900",
        "as_of": "2026-10-09T04:30:00Z", "source": "provider", "stale": false,
    });
    assert_eq!(price, wanted_price);
    assert_eq!(household.get("/api/stock/prices/US/AAPL").await.ok()["price"], "231.456");
    let rate = household.get("/api/stock/rates").await.ok()["rates"][0].clone();
    assert_eq!(
        (&rate["currency"], &rate["rate"], &rate["source"]),
        (&json!("USD"), &json!("1391.2345"), &json!("provider"))
    );
    household.get("/api/stock/prices/OTHER/999999").await.refused(404, "NOT_FOUND");

    server.reset().await;
    Mock::given(method("GET")).respond_with(ResponseTemplate::new(429)).mount(&server).await;
    later(&house, TimeDelta::minutes(40));
    market::refresh(app, wanted).await.unwrap();
    let price = household.get("/api/stock/prices/KOSPI/005930").await.ok();
    assert_eq!((&price["price"], &price["stale"]), (&json!("98600"), &json!(true)));
    assert_eq!(asked(&server).await.len(), 1, "whoever asks for fewer requests is left alone");
}

#[tokio::test]
async fn a_cheap_share_keeps_its_decimals_and_no_instant_to_come_nor_a_chart_of_another_symbol_counts() {
    let server = MockServer::start().await;
    let cheap = json!({"currency": "USD", "symbol": "chep", "regularMarketPrice": 0.0144994, "previousClose": 0.01512345, "regularMarketTime": 4_102_444_800_i64});
    quotes(&server, "CHEP", cheap).await;
    quotes(&server, "AAPL", json!({"currency": "USD", "symbol": "MSFT", "regularMarketPrice": 500})).await;
    let rate = json!({"currency": "KRW", "symbol": "KRW=X", "regularMarketPrice": 1391.2, "regularMarketTime": 4_102_444_800_i64});
    quotes(&server, "KRW%3DX", rate).await;
    let house = house_of(&server, |_, _| {}).await;
    let wanted = ["CHEP", "AAPL"].map(|symbol| (Market::Us, symbol.to_owned()));
    market::refresh(house.appliance.app(), wanted.to_vec()).await.unwrap();
    let household = house.household();
    let price = household.get("/api/stock/prices/US/CHEP").await.ok();
    assert_eq!(
        (&price["price"], &price["previous_close"], &price["as_of"]),
        (&json!("0.014499"), &json!("0.015123"), &json!("2026-10-10T12:30:00Z"))
    );
    household.get("/api/stock/prices/US/AAPL").await.refused(404, "NOT_FOUND");
    let rate = household.get("/api/stock/rates").await.ok()["rates"][0].clone();
    assert_eq!((&rate["rate"], &rate["as_of"]), (&json!("1391.2"), &json!("2026-10-10T12:30:00Z")));
}

#[tokio::test]
async fn what_is_not_held_any_more_is_asked_for_no_more_unless_somebody_else_asks() {
    let server = MockServer::start().await;
    let house = house_of(&server, |config, _| {
        config.jobs.schedule = true;
        config.upstream.failures_to_open = 1000;
    })
    .await;
    for symbol in ["005930.KS", "000660.KS", "035420.KS"] {
        quotes(&server, symbol, json!({"currency": "KRW", "regularMarketPrice": 98600})).await;
    }
    let household = house.household();
    let item =
        |symbol: &str| json!({"broker": "가 증권", "symbol": symbol, "market": "KOSPI", "quantity": 1, "avg_price": 1});
    let mut ids = Vec::new();
    for symbol in ["005930", "000660", "000660", "035420"] {
        ids.push(household.post("/api/portfolio", item(symbol)).await.ok()["id"].clone());
    }
    let watch = |tx: &hanok::platform::store::WriteTx| market::watch(tx, Market::Kospi, "035420");
    house.appliance.app().data.store.write(watch).await.unwrap();
    for id in [&ids[0], &ids[1], &ids[3]] {
        household.delete(&format!("/api/portfolio/{id}")).await.ok();
    }
    household.rest().await;
    let asked_for = async || {
        let before = asked(&server).await.len();
        later(&house, TimeDelta::minutes(10));
        household.post("/api/system/schedule/market_prices/run", Value::Null).await.ok();
        household.rest().await;
        let asked = asked(&server).await.split_off(before);
        ["005930", "000660", "035420"].map(|symbol| asked.iter().any(|path| path.ends_with(&format!("/{symbol}.KS"))))
    };
    assert_eq!(asked_for().await, [false, true, true]);
    household.post(&format!("/api/portfolio/{}/sell", ids[2]), json!({"quantity": 1, "sell_price": 1})).await.ok();
    assert_eq!(asked_for().await, [false, false, true]);
}

#[tokio::test]
async fn the_schedule_asks_for_what_is_watched_and_only_once_a_day_for_what_is_unknown() {
    let server = MockServer::start().await;
    quotes(&server, "005930.KS", json!({"currency": "KRW", "regularMarketPrice": 98600})).await;
    let house = house_of(&server, |config, _| {
        config.jobs.schedule = true;
        config.upstream.failures_to_open = 1000;
    })
    .await;
    let household = house.household();
    household.rest().await;
    let watch = |tx: &hanok::platform::store::WriteTx| {
        market::watch(tx, Market::Other, "999999")?;
        market::watch(tx, Market::Kospi, "005930")
    };
    house.appliance.app().data.store.write(watch).await.unwrap();
    for _ in 0..2 {
        later(&house, TimeDelta::minutes(10));
        household.post("/api/system/schedule/market_prices/run", Value::Null).await.ok();
        household.rest().await;
    }
    assert_eq!(household.get("/api/stock/prices/KOSPI/005930").await.ok()["price"], "98600");
    let asked = asked(&server).await;
    let times = |symbol: &str| asked.iter().filter(|path| path.ends_with(symbol)).count();
    assert_eq!((times("/005930.KS"), times("/999999.KS")), (2, 1), "{asked:?}");
}

const FEED: &str = r#"<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>경제</title>
<item><title><![CDATA[환율 1,470원대 &lsquo;숨고르기&rsquo;]]></title><link>https://news.example/1?site=rss</link>
<description><![CDATA[<p>외환시장 &amp; 금리</p>]]></description><pubDate>Sat, 10 Oct 2026 09:12:03 +0900</pubDate></item>
<item><title>&lt;script&gt;alert(1)&lt;/script&gt;반도체 수출</title><link>https://news.example/2</link>
<pubDate>Sat, 10 Oct 2026 10:00:00 +0900</pubDate></item>
<item><title>아주 오래된 소식</title><link>https://news.example/3</link><pubDate>Thu, 01 Jan 2026 10:00:00 +0900</pubDate></item>
<item><title>눌러 보세요</title><link>javascript:alert(1)</link></item></channel></rss>"#;

#[tokio::test]
async fn news_are_text_kept_once_found_by_words_and_one_broken_feed_harms_no_other() {
    let server = MockServer::start().await;
    let unchanged =
        Mock::given(path("/a")).and(header("If-None-Match", "\"one\"")).respond_with(ResponseTemplate::new(304));
    unchanged.expect(1).mount(&server).await;
    says(&server, "/a", ResponseTemplate::new(200).insert_header("ETag", "\"one\"").set_body_string(FEED)).await;
    says(&server, "/broken", ResponseTemplate::new(200).set_body_string("<html>Will be right back</html>")).await;
    // The same title on the same day under another address, the same address again, and something of its own.
    let other = FEED
        .replace("https://news.example/1?site=rss", "https://other.example/1")
        .replace("반도체 수출", "코스닥 마감");
    let other = other.replace("https://news.example/2", "https://other.example/2").replace("UTF-8", "EUC-KR");
    let (euc_kr, _, _) = encoding_rs::EUC_KR.encode(&other);
    says(&server, "/b", ResponseTemplate::new(200).set_body_bytes(euc_kr.into_owned())).await;
    let house = house_of(&server, |config, market| {
        config.jobs.schedule = true;
        let feed = |category: &str, at: &str| format!("{category} | 시험 | {}{at}", server.uri());
        market.feeds = vec![feed("경제", "/broken"), feed("경제", "/a"), feed("증권", "/b")];
    })
    .await;
    let household = house.household();
    household.rest().await;
    household.post("/api/system/schedule/market_news/run", Value::Null).await.ok();
    household.rest().await;
    let all = household.get("/api/stock/news").await.ok();
    let titles: Vec<&str> = all["news"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["코스닥 마감", "반도체 수출", "환율 1,470원대 ‘숨고르기’"]);
    assert_eq!((&all["total"], &all["complete"]), (&json!(3), &json!(true)));
    let rate = &all["news"][2];
    assert_eq!((&rate["summary"], &rate["link"]), (&json!("외환시장 & 금리"), &json!("https://news.example/1")));
    assert_eq!((&rate["source"], &rate["category"]), (&json!("시험"), &json!("경제")));
    assert_eq!(rate["published_at"], "2026-10-10T00:12:03Z");

    let of = |query: &'static str| {
        let household = &household;
        async move { household.get(&format!("/api/stock/news?{query}")).await.ok()["total"].clone() }
    };
    // 증권, 환율, 반도체
    assert_eq!(of("category=%EC%A6%9D%EA%B6%8C").await, 1);
    assert_eq!(of("q=%ED%99%98%EC%9C%A8").await, 1);
    assert_eq!(of("q=%EB%B0%98%EB%8F%84%EC%B2%B4&category=%EC%A6%9D%EA%B6%8C").await, 0);
    let page = household.get("/api/stock/news?limit=1&offset=1").await.ok();
    assert_eq!((&page["news"][0]["title"], &page["total"]), (&json!("반도체 수출"), &json!(3)));
    let found = household.get("/api/search?q=%ED%99%98%EC%9C%A8&kind=news").await.ok();
    assert_eq!(found["total"], 1, "{found}");
    let providers = household.get("/api/system/providers").await.ok().to_string();
    assert!(providers.contains("market_feed_3"), "{providers}");
}

#[tokio::test]
async fn news_go_after_ninety_days() {
    let server = MockServer::start().await;
    says(&server, "/a", ResponseTemplate::new(200).set_body_string(FEED)).await;
    let house = house_of(&server, |config, market| {
        config.jobs.schedule = true;
        market.feeds = vec![format!("경제 | 시험 | {}/a", server.uri())];
    })
    .await;
    let household = house.household();
    household.rest().await;
    assert_eq!(household.get("/api/stock/news").await.ok()["total"], 2);
    server.reset().await;
    let newer = FEED.replace("https://news.example/", "https://newer.example/").replace("10 Oct 2026", "10 Jan 2027");
    says(&server, "/a", ResponseTemplate::new(200).set_body_string(newer.replace("Sat, ", "Sun, "))).await;
    later(&house, TimeDelta::days(95));
    household.post("/api/system/schedule/market_news/run", Value::Null).await.ok();
    household.rest().await;
    let links: Vec<Value> = household.get("/api/stock/news").await.ok()["news"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["link"].clone())
        .collect();
    assert_eq!(links, ["https://newer.example/2", "https://newer.example/1"]);
}

#[tokio::test]
async fn what_is_listed_is_found_by_code_name_and_initial_consonants_without_a_network() {
    let house = House::open().await;
    let household = house.household();
    let first = |query: &'static str| {
        let household = &household;
        async move { household.get(&format!("/api/stock/symbols?q={query}")).await.ok()["symbols"][0].clone() }
    };
    let samsung = first("005930").await;
    assert_eq!((&samsung["name"], &samsung["market"]), (&json!("삼성전자"), &json!("KOSPI")));
    // 삼성전자, ㅅㅅㅈㅈ, ｓｋ하이닉스
    assert_eq!(first("%EC%82%BC%EC%84%B1%EC%A0%84%EC%9E%90").await, samsung);
    assert_eq!(first("%E3%85%85%E3%85%85%E3%85%88%E3%85%88").await, samsung);
    assert_eq!(first("%EF%BD%93%EF%BD%8B%ED%95%98%EC%9D%B4%EB%8B%89%EC%8A%A4").await["symbol"], "000660");
    let many = household.get("/api/stock/symbols?q=00&limit=3").await.ok();
    assert_eq!(many["symbols"].as_array().unwrap().len(), 3);
    household.get("/api/stock/symbols").await.refused(422, "INVALID_INPUT");
    household.get("/api/stock/symbols?q=00&limit=501").await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn the_closes_of_an_index_are_told_oldest_first_and_an_unknown_index_is_not_there() {
    let house = House::open().await;
    let household = house.household();
    let told = household.get("/api/stock/history/KOSDAQ?days=2").await.ok();
    let last: Vec<&str> = told["closes"].as_array().unwrap().iter().map(|one| one["date"].as_str().unwrap()).collect();
    assert_eq!((told["symbol"].as_str(), last), (Some("^KQ11"), vec!["2026-03-19", "2026-03-20"]));
    let most = household.get("/api/stock/history/KOSPI").await.ok();
    assert_eq!(most["closes"].as_array().unwrap().len(), 250);
    assert_eq!(household.get("/api/stock/history/SP500").await.ok()["closes"], json!([]));
    household.get("/api/stock/history/FTSE").await.refused(404, "NOT_FOUND");
    household.get("/api/stock/history/KOSPI?days=0").await.refused(422, "INVALID_INPUT");
}

//! Orders at the paper broker, and at a real one.

mod broker;
mod kis;

use chrono::{DateTime, Utc};
use hanok::base::{Amount, money::Currency};
use hanok::calc::exchange::Market;
use hanok::ops::market;
use hanok::platform::store::WriteTx;
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{Caller, House, Household, answer};

/// Monday, in the middle of the session.
const MONDAY_MORNING: &str = "2026-10-12T10:00:00+09:00";

fn at(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

async fn price(house: &House, symbol: &'static str, won: &'static str) {
    let won: Amount = won.parse().unwrap();
    let write = move |tx: &WriteTx| market::set_manual_price(tx, Market::Kospi, symbol, won, Currency::KRW);
    house.appliance.app().data.store.write(write).await.unwrap();
}

/// A house on Monday morning, where a share of Samsung Electronics costs 71,200 won.
async fn in_session() -> House {
    let house = House::open().await;
    house.clock.set(at(MONDAY_MORNING));
    price(&house, "005930", "71200").await;
    house
}

fn order(side: &str, quantity: u64, price: Option<u64>) -> Value {
    json!({"symbol": "005930", "side": side, "quantity": quantity, "price": price})
}

async fn given(household: &Household<'_>, body: Value) -> Value {
    let answer = household.post("/api/trade/order", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

async fn found(household: &Household<'_>, id: &Value) -> Value {
    let orders = household.get("/api/trade/orders").await.ok();
    orders["orders"].as_array().unwrap().iter().find(|order| order["id"] == *id).unwrap().clone()
}

#[tokio::test]
async fn an_account_that_was_never_used_has_the_cash_of_the_settings() {
    let house = House::open().await;
    let balance = house.household().get("/api/trade/balance").await.ok();
    assert_eq!((&balance["mode"], &balance["broker"]), (&json!("paper"), &json!("paper")));
    assert_eq!((&balance["cash"], &balance["orderable_cash"]), (&json!(100_000_000), &json!(100_000_000)));
    assert_eq!((&balance["holdings"], &balance["partial"]), (&json!([]), &json!(false)));
    let today = house.household().get("/api/today").await.ok();
    assert_eq!(today["trade"], json!({"mode": "paper", "open_orders": 0, "stopped": false}));
}

#[tokio::test]
async fn a_purchase_and_a_sale_change_cash_and_holdings_by_the_won() {
    let house = in_session().await;
    let household = house.household();
    let bought = given(&household, order("buy", 100, Some(71_200))).await;
    assert_eq!(
        (&bought["status"], &bought["average_price"], &bought["fees"]),
        (&json!("filled"), &json!(71_200), &json!(1_000))
    );
    // By hand: 100,000,000 − 7,120,000 − 1,000.
    let balance = household.get("/api/trade/balance").await.ok();
    assert_eq!((&balance["cash"], &balance["total_eval"]), (&json!(92_879_000), &json!(7_120_000)));
    assert_eq!(balance["holdings"][0]["name"], "삼성전자");

    price(&house, "005930", "72000").await;
    let sold = given(&household, order("sell", 40, None)).await;
    // By hand: 2,880,000; fee 404; tax 1,440 and 4,320.
    assert_eq!((&sold["status"], &sold["fees"], &sold["tax"]), (&json!("filled"), &json!(404), &json!(5_760)));
    let balance = household.get("/api/trade/balance").await.ok();
    assert_eq!(balance["cash"], 92_879_000 + 2_880_000 - 404 - 5_760);
    let held = &balance["holdings"][0];
    assert_eq!((&held["quantity"], &held["avg_price"], &held["profit"]), (&json!(60), &json!(71_200), &json!(48_000)));
    assert_eq!(held["profit_pct"], 1.12);
}

#[tokio::test]
async fn a_limit_order_waits_until_the_price_comes_to_it_and_holds_its_cash_back() {
    let house = in_session().await;
    let household = house.household();
    let waiting = given(&household, order("buy", 10, Some(70_000))).await;
    assert_eq!((&waiting["status"], &waiting["reason"]), (&json!("open"), &Value::Null));
    let balance = household.get("/api/trade/balance").await.ok();
    assert_eq!((&balance["cash"], &balance["orderable_cash"]), (&json!(100_000_000), &json!(99_299_902)));
    assert_eq!(household.get("/api/today").await.ok()["trade"]["open_orders"], 1);
    price(&house, "005930", "69900").await;
    household.rest().await;
    let done = found(&household, &waiting["id"]).await;
    assert_eq!((&done["status"], &done["average_price"]), (&json!("filled"), &json!(69_900)));
    assert_eq!(household.get("/api/today").await.ok()["trade"]["open_orders"], 0);
}

#[tokio::test]
async fn an_order_outside_the_session_waits_for_the_next_one_and_ends_with_it() {
    let house = House::open().await;
    let household = house.household();
    price(&house, "005930", "71200").await;
    let (done, waits) = (
        given(&household, order("buy", 1, Some(71_200))).await,
        given(&household, order("buy", 1, Some(60_000))).await,
    );
    for order in [&done, &waits] {
        assert_eq!((&order["status"], &order["session"]), (&json!("open"), &json!("2026-10-12")));
        assert_eq!(order["reason"], "it waits for the session of 2026-10-12");
    }
    house.clock.set(at("2026-10-12T09:00:00+09:00"));
    household.rest().await;
    assert_eq!(found(&household, &done["id"]).await["status"], "filled");
    house.clock.set(at("2026-10-12T15:29:59+09:00"));
    household.rest().await;
    assert_eq!(found(&household, &waits["id"]).await["status"], "open");
    house.clock.set(at("2026-10-12T15:30:00+09:00"));
    household.rest().await;
    let ended = found(&household, &waits["id"]).await;
    assert_eq!((&ended["status"], &ended["reserved"]), (&json!("expired"), &json!(0)));
    assert_eq!(ended["reason"], "the session has ended before it could be done");
}

#[tokio::test]
async fn on_a_closed_day_and_after_the_close_an_order_goes_to_the_next_session() {
    let house = House::open().await;
    let household = house.household();
    // 5 October is closed in the place of the 3rd; the 9th is a holiday before a weekend.
    for (now, session) in [
        ("2026-10-12T08:00:00+09:00", "2026-10-12"),
        ("2026-10-12T15:30:00+09:00", "2026-10-13"),
        ("2026-12-25T11:00:00+09:00", "2026-12-28"),
        ("2026-12-31T11:00:00+09:00", "2027-01-04"),
    ] {
        house.clock.set(at(now));
        let seen = household.post("/api/trade/order/preview", order("buy", 1, Some(70_000))).await.ok();
        assert_eq!((&seen["session"], &seen["is_open"]), (&json!(session), &json!(false)), "{now}");
    }
    let seen = household.post("/api/trade/order/preview", order("buy", 1, Some(70_000))).await.ok();
    assert!(seen["warnings"].to_string().contains("closed days of 2027 are provisional"), "{seen}");
}

#[tokio::test]
async fn what_is_refused_names_its_field_or_says_why_and_changes_nothing() {
    let house = in_session().await;
    let household = house.household();
    let body = |more: Value| {
        let mut body = order("buy", 10, Some(71_200));
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for (field, more) in [
        ("price", json!({"price": 71_250})),
        ("price", json!({"price": null, "order_type": "limit"})),
        ("price", json!({"order_type": "market"})),
        ("price", json!({"price": 0})),
        ("price", json!({"price": 71_200.5})),
        ("quantity", json!({"quantity": 0})),
        ("quantity", json!({"quantity": 1.5})),
        ("quantity", json!({"price": 1_000_000_000, "quantity": 100_000_000})),
        ("side", json!({"side": "hold"})),
        ("order_type", json!({"order_type": "stop"})),
        ("symbol", json!({"symbol": "삼성전자"})),
        ("market", json!({"symbol": "AAPL"})),
        ("market", json!({"market": "US"})),
        ("market", json!({"market": "KOSDAQ"})),
    ] {
        for path in ["/api/trade/order", "/api/trade/order/preview"] {
            let refused = household.post(path, body(more.clone())).await;
            refused.refused(422, "INVALID_INPUT");
            assert!(refused.json()["fields"][field].is_string(), "{more}: {refused:?}");
        }
    }
    household.post("/api/trade/order", order("buy", 2_000, Some(71_200))).await.refused(409, "ORDER_LACKS_CASH");
    household.post("/api/trade/order", order("sell", 1, Some(71_200))).await.refused(409, "ORDER_LACKS_SHARES");
    let unknown = json!({"symbol": "000660", "side": "buy", "quantity": 1});
    let refused = household.post("/api/trade/order", unknown).await;
    refused.refused(409, "ORDER_LACKS_PRICE");
    assert!(refused.text.contains("write one down on the market page"), "{refused:?}");
    assert_eq!(household.get("/api/trade/orders").await.ok()["total"], 0);
    assert_eq!(household.get("/api/trade/balance").await.ok()["orderable_cash"], 100_000_000);
}

#[tokio::test]
async fn a_price_beyond_the_limits_of_the_day_is_refused_where_the_last_close_is_known() {
    let house = House::open().await;
    let close = move |tx: &WriteTx| {
        let won = |text: &str| text.parse::<Amount>().unwrap();
        market::set_imported_price(tx, Market::Kospi, "005930", won("70000"), None, at("2026-10-08T15:30:00+09:00"))
    };
    house.appliance.app().data.store.write(close).await.unwrap();
    let household = house.household();
    for price in [48_950, 91_100] {
        household.post("/api/trade/order", order("buy", 1, Some(price))).await.refused(422, "INVALID_INPUT");
    }
    let seen = household.post("/api/trade/order/preview", order("buy", 1, Some(91_000))).await.ok();
    assert_eq!((&seen["lower_limit"], &seen["upper_limit"]), (&json!(49_000), &json!(91_000)));
    assert_eq!((&seen["mode"], &seen["broker"]), (&json!("paper"), &json!("paper")));
    // A market order that waits holds back what it may cost at most.
    let waits = given(&household, order("buy", 10, None)).await;
    assert_eq!(waits["reserved"], 910_127);

    // Days later that close is no price of now.
    house.clock.set(at("2026-10-14T10:00:00+09:00"));
    household.rest().await;
    let refused = household.post("/api/trade/order", order("buy", 1, None)).await;
    refused.refused(409, "ORDER_LACKS_PRICE");
    assert!(refused.text.contains("is old, of 2026-10-08"), "{refused:?}");
    assert_eq!(given(&household, order("buy", 1, Some(70_000))).await["status"], "open");
}

#[tokio::test]
async fn the_same_key_twice_is_one_order() {
    let house = in_session().await;
    let household = house.household();
    let ask = async |quantity| {
        let request = household.request(Method::POST, "/api/trade/order").header("idempotency-key", "one-order");
        answer(request.json(&order("buy", quantity, None))).await
    };
    let (first, second) = (ask(3).await.ok(), ask(3).await.ok());
    assert_eq!(first, second);
    assert_eq!(ask(4).await.status, 409);
    assert_eq!(household.get("/api/trade/orders").await.ok()["total"], 1);
    assert_eq!(household.get("/api/trade/balance").await.ok()["holdings"][0]["quantity"], 3);
}

#[tokio::test]
async fn shares_in_an_open_order_cannot_be_sold_a_second_time_until_it_is_cancelled() {
    let house = in_session().await;
    let household = house.household();
    given(&household, order("buy", 10, None)).await;
    let waits = given(&household, order("sell", 7, Some(80_000))).await;
    household.post("/api/trade/order", order("sell", 4, None)).await.refused(409, "ORDER_LACKS_SHARES");
    let held = household.get("/api/trade/balance").await.ok()["holdings"][0].clone();
    assert_eq!((&held["quantity"], &held["available"]), (&json!(10), &json!(3)));
    let path = format!("/api/trade/orders/{}", waits["id"]);
    assert_eq!(household.delete(&path).await.ok()["status"], "cancelled");
    household.delete(&path).await.refused(409, "ORDER_NOT_OPEN");
    household.delete("/api/trade/orders/999").await.refused(404, "NOT_FOUND");
    assert_eq!(given(&household, order("sell", 10, None)).await["status"], "filled");
    assert_eq!(household.get("/api/trade/balance").await.ok()["holdings"], json!([]));
}

#[tokio::test]
async fn what_is_held_is_sold_where_it_is_listed_whatever_the_order_says() {
    let house = in_session().await;
    let household = house.household();
    let write =
        |tx: &WriteTx| market::set_manual_price(tx, Market::Etf, "999990", "10000.5".parse().unwrap(), Currency::KRW);
    house.appliance.app().data.store.write(write).await.unwrap();
    let body = |side: &str, market: &str| json!({"symbol": "999990", "market": market, "side": side, "quantity": 10});
    given(&household, body("buy", "ETF")).await;
    let sold = given(&household, body("sell", "KOSPI")).await;
    assert_eq!((&sold["market"], &sold["status"], &sold["tax"]), (&json!("ETF"), &json!("filled"), &json!(0)));
    // Half a won is rounded up.
    assert_eq!(sold["average_price"], 10_001);
}

#[tokio::test]
async fn while_trading_is_stopped_every_new_order_is_refused() {
    let house = in_session().await;
    let household = house.household();
    assert_eq!(household.put("/api/trade/stop", json!({"stopped": true})).await.ok(), json!({"stopped": true}));
    household.post("/api/trade/order", order("buy", 1, None)).await.refused(409, "TRADING_STOPPED");
    assert_eq!(household.get("/api/trade/balance").await.ok()["stopped"], true);
    assert_eq!(household.get("/api/today").await.ok()["trade"]["stopped"], true);
    let seen = household.post("/api/trade/order/preview", order("buy", 1, None)).await.ok();
    assert_eq!(seen["warnings"][0]["message"], "trading is stopped: let it go on before you order");
    household.put("/api/trade/stop", json!({})).await.refused(422, "INVALID_INPUT");
    household.put("/api/trade/stop", json!({"stopped": false})).await.ok();
    given(&household, order("buy", 1, None)).await;
}

#[tokio::test]
async fn the_paper_account_begins_anew_with_the_cash_that_is_said() {
    let house = in_session().await;
    let household = house.household();
    given(&household, order("buy", 10, None)).await;
    let waits = given(&household, order("buy", 1, Some(60_000))).await;
    let balance = household.put("/api/trade/paper", json!({"cash": 5_000_000})).await.ok();
    assert_eq!((&balance["cash"], &balance["orderable_cash"]), (&json!(5_000_000), &json!(5_000_000)));
    assert_eq!(balance["holdings"], json!([]));
    assert_eq!(found(&household, &waits["id"]).await["status"], "cancelled");
    household.put("/api/trade/paper", json!({"cash": -1})).await.refused(422, "INVALID_INPUT");
    let house = house.restart().await;
    assert_eq!(house.household().get("/api/trade/balance").await.ok()["cash"], 5_000_000);
}

#[tokio::test]
async fn the_orders_are_listed_newest_first_and_by_where_they_stand() {
    let house = in_session().await;
    let household = house.household();
    for price in [60_000, 61_000, 71_200] {
        given(&household, order("buy", 1, Some(price))).await;
    }
    let prices = |answer: &Value| -> Vec<u64> {
        answer["orders"].as_array().unwrap().iter().map(|order| order["price"].as_u64().unwrap()).collect()
    };
    let all = household.get("/api/trade/orders?limit=2").await.ok();
    assert_eq!((prices(&all), &all["total"]), (vec![71_200, 61_000], &json!(3)));
    let open = household.get("/api/trade/orders?status=open&offset=1").await.ok();
    assert_eq!((prices(&open), &open["total"]), (vec![60_000], &json!(2)));
    household.get("/api/trade/orders?status=lost").await.refused(422, "INVALID_INPUT");
    household.get("/api/trade/orders?limit=501").await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn a_holding_without_a_price_is_named_and_counts_for_nothing() {
    let house = in_session().await;
    let household = house.household();
    given(&household, order("buy", 10, None)).await;
    let clear = |tx: &WriteTx| market::clear_manual_price(tx, Market::Kospi, "005930");
    house.appliance.app().data.store.write(clear).await.unwrap();
    let balance = household.get("/api/trade/balance").await.ok();
    assert_eq!((&balance["partial"], &balance["missing"]), (&json!(true), &json!(["005930"])));
    assert_eq!((&balance["holdings"][0]["value"], &balance["total_eval"]), (&Value::Null, &json!(0)));
}

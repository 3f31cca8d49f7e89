//! The portfolio: items, cash, snapshots, sales, tables.

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{Answer, Caller, House, Household, answer};
use crate::search::complete;

/// A table of two items.
pub const TABLE: &str =
    "증권사,종목코드,수량,평균단가,현재가\n가 증권,005930,10,65300,\"71,500\"\n나 증권,035420,\"1,234.5\",200000,\n";

/// What is answered to who brings this at `path`.
pub async fn brought(household: &Household<'_>, path: &str, table: impl Into<Vec<u8>>) -> Answer {
    answer(household.request(Method::POST, path).body(table.into())).await
}

/// Ten of 005930 at 65,300 won each, which are worth 71,500 won now.
async fn ten(household: &Household<'_>) -> Value {
    let item =
        json!({"broker": "가 증권", "symbol": "005930", "quantity": "10", "avg_price": 65300, "current_price": 71500});
    let added = household.post("/api/portfolio", item).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.json()
}

/// Four of AAPL at 180.25 dollars each, bought at 1,300 won a dollar.
async fn four_abroad(household: &Household<'_>) -> Value {
    let item =
        json!({"broker": "나 증권", "symbol": "aapl", "quantity": 4, "avg_price": "180.25", "buy_fx_rate": "1300"});
    household.post("/api/portfolio", item).await.ok()
}

fn refused_field(answer: &Answer, field: &str) {
    answer.refused(422, "INVALID_INPUT");
    assert!(answer.json()["fields"][field].is_string(), "{field}: {answer:?}");
}

#[tokio::test]
async fn an_item_is_added_with_what_it_is_worth_changed_and_removed() {
    let house = House::open().await;
    let household = house.household();
    let item = ten(&household).await;
    for (field, value) in [
        ("market", json!("KOSPI")),
        ("name", json!("삼성전자")),
        ("currency", json!("KRW")),
        ("quantity", json!("10")),
        ("current_price", json!("71500")),
        ("price_source", json!("manual")),
        ("value", json!("715000")),
        ("value_krw", json!(715_000)),
        ("cost_krw", json!(653_000)),
        ("profit_krw", json!(62_000)),
        ("profit_pct", json!(9.49)),
        ("weight_pct", json!(100.0)),
        ("created_at", json!("2026-10-10T12:30:00Z")),
    ] {
        assert_eq!(item[field], value, "{field}: {item}");
    }
    let path = format!("/api/portfolio/{}", item["id"]);
    let changed = household.put(&path, json!({"quantity": 20, "note": "장기"})).await.ok();
    assert_eq!((&changed["value_krw"], &changed["note"]), (&json!(1_430_000), &json!("장기")));
    let cleared = household.put(&path, json!({"current_price": null})).await.ok();
    assert_eq!(
        (&cleared["current_price"], &cleared["value_krw"], &cleared["cost_krw"]),
        (&Value::Null, &Value::Null, &json!(1_306_000))
    );
    assert_eq!(household.delete(&path).await.ok(), json!({"ok": true}));
    household.delete(&path).await.refused(404, "NOT_FOUND");
    household.put(&path, json!({"quantity": 1})).await.refused(404, "NOT_FOUND");
    assert_eq!(household.get("/api/portfolio").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn everything_is_added_up_and_what_is_unknown_is_named_and_no_nothing() {
    let house = House::open().await;
    let household = house.household();
    ten(&household).await;
    let abroad = four_abroad(&household).await;
    assert_eq!(
        (&abroad["market"], &abroad["currency"], &abroad["value_krw"]),
        (&json!("US"), &json!("USD"), &Value::Null)
    );
    household.put("/api/portfolio/cash", json!({"broker": "가 증권", "cash": 285_000})).await.ok();
    let portfolio = household.get("/api/portfolio").await.ok();
    let totals = &portfolio["totals"];
    // By hand: 10 × 71,500 + 285,000; the shares abroad cost 4 × 180.25 × 1,300 = 937,300 and have no price.
    assert_eq!(
        (&totals["total_assets"], &totals["total_eval"], &totals["total_cash"]),
        (&json!(1_000_000), &json!(715_000), &json!(285_000))
    );
    assert_eq!(
        (&totals["total_buy"], &totals["total_profit"], &totals["total_profit_pct"]),
        (&json!(1_590_300), &json!(62_000), &json!(9.49))
    );
    assert_eq!((&totals["partial"], &totals["missing"]), (&json!(true), &json!(["AAPL"])));
    assert_eq!(
        (&portfolio["items"][0]["weight_pct"], &portfolio["items"][1]["weight_pct"]),
        (&json!(71.5), &Value::Null)
    );

    // By hand: 4 × 210.40 × 1,391.2 = 1,170,833.92; together with the others 2,170,834.
    household.put(&format!("/api/portfolio/{}", abroad["id"]), json!({"current_price": "210.40"})).await.ok();
    assert_eq!(household.get("/api/portfolio").await.ok()["totals"]["partial"], true);
    household.put("/api/stock/rates/USD", json!({"rate": "1391.20"})).await.ok();
    let portfolio = household.get("/api/portfolio").await.ok();
    assert_eq!(
        (&portfolio["totals"]["total_assets"], &portfolio["totals"]["partial"]),
        (&json!(2_170_834), &json!(false))
    );
    let item = &portfolio["items"][1];
    assert_eq!(
        (&item["value"], &item["value_krw"], &item["cost_krw"]),
        (&json!("841.60"), &json!(1_170_834), &json!(937_300))
    );
    assert_eq!(
        (&item["fx_rate"], &item["buy_fx_rate"], &item["profit_krw"]),
        (&json!("1391.20"), &json!("1300"), &json!(233_534))
    );
}

#[tokio::test]
async fn the_rate_of_the_moment_is_kept_with_what_is_bought_then() {
    let house = House::open().await;
    let household = house.household();
    household.put("/api/stock/rates/USD", json!({"rate": 1300})).await.ok();
    let item = json!({"broker": "나 증권", "symbol": "MSFT", "quantity": 1, "avg_price": 100, "current_price": 100});
    household.post("/api/portfolio", item).await.ok();
    household.put("/api/stock/rates/USD", json!({"rate": 1400})).await.ok();
    let item = household.get("/api/portfolio").await.ok()["items"][0].clone();
    assert_eq!(
        (&item["cost_krw"], &item["value_krw"], &item["profit_pct"]),
        (&json!(130_000), &json!(140_000), &json!(7.69))
    );
}

#[tokio::test]
async fn buying_more_is_another_item_unless_it_is_to_be_merged() {
    let house = House::open().await;
    let household = house.household();
    let first = ten(&household).await;
    let more = json!({"broker": "가 증권", "symbol": "005930", "quantity": 5, "avg_price": 71_300});
    household.post("/api/portfolio", more.clone()).await.ok();
    assert_eq!(household.get("/api/portfolio").await.ok()["items"].as_array().unwrap().len(), 2);
    let mut merged = more;
    merged["merge"] = json!(true);
    let merged = household.post("/api/portfolio", merged).await.ok();
    // By hand: (10 × 65,300 + 5 × 71,300) / 15 = 1,009,500 / 15 = 67,300.
    assert_eq!(
        (&merged["id"], &merged["quantity"], &merged["avg_price"]),
        (&first["id"], &json!("15"), &json!("67300"))
    );
}

#[tokio::test]
async fn what_an_item_must_be_is_said_of_every_field_at_once() {
    let house = House::open().await;
    let household = house.household();
    let wrong = json!({"broker": "ALL", "symbol": "삼성전자", "quantity": 0, "avg_price": -1, "currency": "XXX", "market": "NYSE"});
    let refused = household.post("/api/portfolio", wrong).await;
    for field in ["broker", "symbol", "quantity", "avg_price", "currency", "market"] {
        refused_field(&refused, field);
    }
    let most = "999999999999999";
    let item = json!({"broker": "가", "symbol": "005930", "quantity": most, "avg_price": most});
    refused_field(&household.post("/api/portfolio", item).await, "quantity");
    refused_field(&household.post("/api/portfolio", json!({"symbol": "005930"})).await, "broker");
    assert_eq!(household.get("/api/portfolio").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn the_cash_of_a_broker_of_any_name_is_kept_and_removed() {
    let house = House::open().await;
    let household = house.household();
    for (broker, encoded) in [
        ("A/B 증권", "A%2FB%20%EC%A6%9D%EA%B6%8C"),
        ("100% 투자;x", "100%25%20%ED%88%AC%EC%9E%90%3Bx"),
        ("a\\b?c#d", "a%5Cb%3Fc%23d"),
        ("../..", "..%2F.."),
    ] {
        let kept = household.put("/api/portfolio/cash", json!({"broker": broker, "cash": 1_000})).await.ok();
        assert_eq!((&kept["broker"], &kept["cash"]), (&json!(broker), &json!(1_000)));
        household.put("/api/portfolio/cash", json!({"broker": broker, "cash": -5})).await.ok();
        assert_eq!(household.get("/api/portfolio").await.ok()["totals"]["total_cash"], -5);
        assert_eq!(household.delete(&format!("/api/portfolio/cash/{encoded}")).await.ok(), json!({"ok": true}));
        household.delete(&format!("/api/portfolio/cash/{encoded}")).await.refused(404, "NOT_FOUND");
        assert_eq!(household.get("/api/portfolio").await.ok()["cash"], json!([]));
    }
    refused_field(&household.put("/api/portfolio/cash", json!({"broker": "..", "cash": 1})).await, "broker");
    refused_field(&household.put("/api/portfolio/cash", json!({"broker": "가", "cash": 1.5})).await, "cash");
    // No other route takes a path that is spelled so.
    household.delete("/api/portfolio/snapshot/a%2Fb").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_snapshot_is_worked_out_without_a_body_or_said_and_the_later_of_a_day_stays() {
    let house = House::open().await;
    let household = house.household();
    ten(&household).await;
    let made = answer(household.request(Method::POST, "/api/portfolio/snapshot")).await;
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    assert_eq!(
        (&made["date"], &made["total_assets"], &made["source"], &made["partial"]),
        (&json!("2026-10-10"), &json!(715_000), &json!("computed"), &json!(false))
    );
    household.post("/api/portfolio/snapshot", json!({"total_assets": 700_000})).await.ok();
    let history = household.get("/api/portfolio/snapshot/history").await.ok()["history"].clone();
    assert_eq!(
        (history.as_array().unwrap().len(), &history[0]["total_assets"], &history[0]["source"]),
        (1, &json!(700_000), &json!("manual"))
    );
    household.post("/api/portfolio/snapshot", json!({})).await.ok();
    assert_eq!(household.get("/api/portfolio/snapshot/history?days=1").await.ok()["history"][0]["source"], "computed");
    answer(household.request(Method::POST, "/api/portfolio/snapshot").body("{")).await.refused(400, "INVALID_JSON");
    refused_field(&household.post("/api/portfolio/snapshot", json!({"total_assets": 0.5})).await, "total_assets");
    assert_eq!(household.delete("/api/portfolio/snapshot/2026-10-10").await.ok(), json!({"ok": true}));
    household.delete("/api/portfolio/snapshot/2026-10-10").await.refused(404, "NOT_FOUND");
    household.delete("/api/portfolio/snapshot/yesterday").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_history_has_thirty_days_unless_more_are_asked_for_oldest_first() {
    let house = House::open().await;
    let household = house.household();
    let start = house.clock.now();
    for days in [0, 10, 40, 41] {
        house.clock.set(start + chrono::Duration::days(days));
        household.post("/api/portfolio/snapshot", json!({"total_assets": 1_000 + days})).await.ok();
    }
    let totals = async |query: &str| {
        let history = household.get(&format!("/api/portfolio/snapshot/history{query}")).await.ok();
        let all = history["history"].as_array().unwrap().iter();
        all.map(|one| one["total_assets"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(totals("").await, [1_040, 1_041]);
    assert_eq!(totals("?days=").await, [1_040, 1_041]);
    assert_eq!(totals("?days=1").await, [1_041]);
    assert_eq!(totals("?days=32").await, [1_010, 1_040, 1_041]);
    assert_eq!(totals("?days=365").await, [1_000, 1_010, 1_040, 1_041]);
    for days in ["0", "-1", "1.5", "x", "99999"] {
        refused_field(&household.get(&format!("/api/portfolio/snapshot/history?days={days}")).await, "days");
    }
}

#[tokio::test]
async fn after_the_close_of_a_weekday_everything_is_noted_unless_nothing_is_held() {
    let house = House::open().await;
    let household = house.household();
    let noted = async || household.get("/api/portfolio/snapshot/history").await.ok()["history"].clone();
    // Monday the 12th, 16:46 in Seoul.
    let close: DateTime<Utc> = "2026-10-12T07:46:00Z".parse().unwrap();
    household.rest().await;
    house.clock.set(close);
    household.rest().await;
    assert_eq!(noted().await, json!([]));

    ten(&household).await;
    house.clock.set(close + chrono::Duration::days(1));
    household.rest().await;
    let history = noted().await;
    assert_eq!(
        (&history[0]["date"], &history[0]["source"], &history[0]["total_assets"]),
        (&json!("2026-10-13"), &json!("scheduled"), &json!(715_000))
    );
}

#[tokio::test]
async fn selling_writes_the_sale_down_takes_it_from_the_item_and_brings_cash() {
    let house = House::open().await;
    let household = house.household();
    let path = format!("/api/portfolio/{}/sell", ten(&household).await["id"]);
    household.put("/api/portfolio/cash", json!({"broker": "가 증권", "cash": 571})).await.ok();
    let order =
        json!({"quantity": 7, "sell_price": 71500, "fees": 70, "tax": 1001, "sold_at": "2026-10-08", "note": "일부"});
    let sold = household.post(&path, order).await;
    assert_eq!(sold.status, 201, "{sold:?}");
    let sold = sold.json();
    let record = &sold["record"];
    // By hand: 7 × (71,500 − 65,300) − 70 − 1,001 = 42,329; 571 + 500,500 − 1,071 = 500,000.
    for (field, value) in [
        ("broker", json!("가 증권")),
        ("name", json!("삼성전자")),
        ("quantity", json!("7")),
        ("avg_cost", json!("65300")),
        ("profit", json!("42329")),
        ("profit_krw", json!(42_329)),
        ("proceeds_krw", json!(500_500)),
        ("fx_rate", json!("1")),
        ("sold_at", json!("2026-10-08")),
        ("method", json!("average")),
        ("note", json!("일부")),
    ] {
        assert_eq!(record[field], value, "{field}: {record}");
    }
    assert_eq!(
        (&sold["item"]["quantity"], &sold["item"]["avg_price"], &sold["cash"]["cash"]),
        (&json!("3"), &json!("65300"), &json!(500_000))
    );

    let refused = household.post(&path, json!({"quantity": "3.0000000001", "sell_price": 1})).await;
    refused.refused(409, "NOT_ENOUGH_SHARES");
    refused_field(
        &household.post(&path, json!({"quantity": 1, "sell_price": 1, "sold_at": "2026-10-11"})).await,
        "sold_at",
    );
    let last = household.post(&path, json!({"quantity": 3, "sell_price": 70_000, "to_cash": false})).await.ok();
    assert_eq!((&last["item"], &last["cash"]["cash"]), (&Value::Null, &json!(500_000)));
    household.post(&path, json!({"quantity": 1, "sell_price": 1})).await.refused(404, "NOT_FOUND");
    let history = household.get("/api/portfolio/sell-history").await.ok();
    // By hand: 42,329 + 3 × (70,000 − 65,300) = 56,429.
    assert_eq!((&history["total"], &history["totals"]["profit_krw"]), (&json!(2), &json!(56_429)));
}

#[tokio::test]
async fn selling_abroad_needs_a_rate_for_the_cash_and_keeps_the_one_that_was_used() {
    let house = House::open().await;
    let household = house.household();
    let path = format!("/api/portfolio/{}/sell", four_abroad(&household).await["id"]);
    refused_field(&household.post(&path, json!({"quantity": 1, "sell_price": "210.40"})).await, "fx_rate");
    assert_eq!(household.get("/api/portfolio/sell-history").await.ok()["total"], 0, "nothing of it was written");
    let kept = household.post(&path, json!({"quantity": 1, "sell_price": "210.40", "to_cash": false})).await.ok();
    assert_eq!((&kept["record"]["profit"], &kept["record"]["profit_krw"]), (&json!("30.15"), &Value::Null));
    household.put("/api/stock/rates/USD", json!({"rate": "1391.20"})).await.ok();
    let sold = household.post(&path, json!({"quantity": 1, "sell_price": "210.40", "fees": "0.40"})).await.ok();
    // By hand: 210 × 1,391.2 = 292,152; less 180.25 × 1,300 = 234,325 it is 57,827.
    assert_eq!(
        (&sold["record"]["fx_rate"], &sold["record"]["profit_krw"], &sold["cash"]["cash"]),
        (&json!("1391.20"), &json!(57_827), &json!(292_152))
    );
    household.put("/api/stock/rates/USD", json!({"rate": 1000})).await.ok();
    let totals = household.get("/api/portfolio/sell-history").await.ok()["totals"].clone();
    assert_eq!(
        (&totals["profit_krw"], &totals["count"], &totals["partial"]),
        (&json!(57_827), &json!(2), &json!(true))
    );
}

#[tokio::test]
async fn a_sale_that_is_corrected_or_removed_changes_its_sums_and_no_item() {
    let house = House::open().await;
    let household = house.household();
    let item = ten(&household).await;
    let sale = |broker: &str, day: &str, price: i64| json!({"broker": broker, "symbol": "005930", "quantity": 2, "sell_price": price, "avg_cost": 50_000, "sold_at": day});
    let first = household.post("/api/portfolio/sell-history", sale("가 증권", "2026-10-08", 60_000)).await;
    assert_eq!(first.status, 201, "{first:?}");
    household.post("/api/portfolio/sell-history", sale("A/B 증권", "2026-09-01", 45_000)).await.ok();
    household.post("/api/portfolio/sell-history", sale("가 증권", "2025-12-31", 51_000)).await.ok();
    let sums = async |query: &str| {
        let history = household.get(&format!("/api/portfolio/sell-history{query}")).await.ok();
        (history["total"].as_u64().unwrap(), history["totals"]["profit_krw"].as_i64().unwrap())
    };
    assert_eq!(sums("").await, (3, 12_000));
    assert_eq!(sums("?broker=ALL&days=").await, (3, 12_000));
    assert_eq!(sums("?broker=&days=30").await, (1, 20_000));
    assert_eq!(sums("?broker=%EA%B0%80%20%EC%A6%9D%EA%B6%8C").await, (2, 22_000));
    assert_eq!(sums("?broker=A%2FB+%EC%A6%9D%EA%B6%8C&days=60").await, (1, -10_000));
    assert_eq!(sums("?limit=1&offset=2").await, (3, 12_000));
    let profit = household.get("/api/portfolio/profit").await.ok();
    let months: Vec<_> = profit["months"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["month"].as_str().unwrap(), one["profit_krw"].as_i64().unwrap()))
        .collect();
    assert_eq!(months, [("2026-10", 20_000), ("2026-09", -10_000), ("2025-12", 2_000)]);
    assert_eq!((&profit["years"][0]["profit_krw"], &profit["total_krw"]), (&json!(10_000), &json!(12_000)));

    let path = format!("/api/portfolio/sell-history/{}", first.json()["id"]);
    let changed = household.put(&path, json!({"sell_price": 70_000, "broker": "나 증권", "fees": 500})).await.ok();
    assert_eq!((&changed["profit_krw"], &changed["broker"]), (&json!(39_500), &json!("나 증권")));
    assert_eq!((sums("").await, sums("?broker=%EB%82%98%20%EC%A6%9D%EA%B6%8C").await), ((3, 31_500), (1, 39_500)));
    refused_field(&household.put(&path, json!({"sold_at": "2026-10-11"})).await, "sold_at");
    assert_eq!(household.delete(&path).await.ok(), json!({"ok": true}));
    assert_eq!(sums("").await, (2, -8_000));
    household.delete(&path).await.refused(404, "NOT_FOUND");
    let now = household.get("/api/portfolio").await.ok();
    assert_eq!(
        (&now["items"][0]["quantity"], &now["items"][0]["updated_at"], &now["cash"]),
        (&json!("10"), &item["updated_at"], &json!([]))
    );
}

#[tokio::test]
async fn a_table_is_looked_at_imported_once_and_taken_back_until_something_of_it_changes() {
    let house = House::open().await;
    let household = house.household();
    let preview = brought(&household, "/api/portfolio/import/preview", TABLE).await.ok();
    assert_eq!(
        (&preview["count"], &preview["duplicates"], &preview["rows"][1]["quantity"]),
        (&json!(2), &json!(0), &json!("1234.5"))
    );
    assert_eq!(household.get("/api/portfolio").await.ok()["items"], json!([]));
    household.post("/api/portfolio/import/undo", Value::Null).await.refused(404, "NOT_FOUND");
    let imported = brought(&household, "/api/portfolio/import", TABLE).await.ok();
    assert_eq!(imported, json!({"ok": true, "added": 2, "duplicates": 0}));
    let again = brought(&household, "/api/portfolio/import", TABLE).await.ok();
    assert_eq!(again, json!({"ok": true, "added": 0, "duplicates": 2}));
    let preview = brought(&household, "/api/portfolio/import/preview", TABLE).await.ok();
    assert_eq!((&preview["count"], &preview["rows"][0]["duplicate"]), (&json!(0), &json!(true)));
    assert_eq!(household.get("/api/portfolio").await.ok()["items"][0]["value_krw"], 715_000);
    let undone = household.post("/api/portfolio/import/undo", Value::Null).await.ok();
    assert_eq!(undone, json!({"ok": true, "removed": 2}));
    let price = household.get("/api/stock/prices/KOSPI/005930").await;
    assert_ne!(price.json()["source"], "manual", "the price of the table went with it");
    assert_eq!(household.get("/api/portfolio").await.ok()["items"], json!([]));

    brought(&household, "/api/portfolio/import", TABLE).await.ok();
    let id = household.get("/api/portfolio").await.ok()["items"][0]["id"].clone();
    household.put(&format!("/api/portfolio/{id}"), json!({"note": "메모"})).await.ok();
    household.post("/api/portfolio/import/undo", Value::Null).await.refused(409, "IMPORT_CHANGED");
    assert_eq!(household.get("/api/portfolio").await.ok()["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_table_with_a_row_that_is_refused_imports_nothing_and_one_of_windows_is_read() {
    let house = House::open().await;
    let household = house.household();
    let wrong = format!("{TABLE}가 증권,005930,x,1,\n");
    let preview = brought(&household, "/api/portfolio/import/preview", wrong.clone()).await.ok();
    assert_eq!((&preview["count"], &preview["refused"]), (&json!(2), &json!([{"row": 4, "reason": "quantity"}])));
    brought(&household, "/api/portfolio/import", wrong).await.refused(409, "CONFLICT");
    assert_eq!(household.get("/api/portfolio").await.ok()["items"], json!([]));
    for table in [Vec::new(), b"a,b\n1,2\n".to_vec(), b"\xff\xff\xff".to_vec()] {
        refused_field(&brought(&household, "/api/portfolio/import", table).await, "file");
    }
    brought(&household, "/api/portfolio/import", vec![b'a'; (2 << 20) + 1]).await.refused(413, "TOO_LARGE");
    // "broker;symbol;quantity;avg_price", a broker called 가 in CP949.
    let cp949 = b"broker;symbol;quantity;avg_price\n\xb0\xa1;005930;\\1,000;2\n";
    assert_eq!(brought(&household, "/api/portfolio/import", cp949.to_vec()).await.ok()["added"], 1);
    let item = household.get("/api/portfolio").await.ok()["items"][0].clone();
    assert_eq!((&item["broker"], &item["quantity"]), (&json!("가"), &json!("1000")));
}

#[tokio::test]
async fn equal_lots_come_back_whole_and_a_row_is_there_only_as_often_as_its_item() {
    let house = House::open().await;
    let household = house.household();
    ten(&household).await;
    ten(&household).await;
    let out = household.get("/api/portfolio/export").await.text;
    let again = brought(&household, "/api/portfolio/import", out.clone()).await.ok();
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(0), &json!(2)));
    let id = household.get("/api/portfolio").await.ok()["items"][0]["id"].clone();
    household.delete(&format!("/api/portfolio/{id}")).await.ok();
    let again = brought(&household, "/api/portfolio/import", out.clone()).await.ok();
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(1), &json!(1)));
    let elsewhere = House::open().await;
    assert_eq!(brought(&elsewhere.household(), "/api/portfolio/import", out).await.ok()["added"], 2);
    let abroad = "broker,symbol,market,currency,quantity,avg_price\n가 증권,005930,KOSPI,USD,10,65300\n가 증권,005930,ETF,KRW,10,65300\n";
    assert_eq!(brought(&household, "/api/portfolio/import", abroad).await.ok()["added"], 2);
}

#[tokio::test]
async fn a_row_with_another_price_of_the_same_symbol_is_refused_with_why() {
    let house = House::open().await;
    let household = house.household();
    let table = format!("{TABLE}나 증권,005930,1,1,71500.0\n나 증권,005930,2,1,71600\n나 증권,005930,3,1,\n");
    let preview = brought(&household, "/api/portfolio/import/preview", table.clone()).await.ok();
    assert_eq!((&preview["count"], &preview["refused"]), (&json!(4), &json!([{"row": 5, "reason": "other_price"}])));
    brought(&household, "/api/portfolio/import", table).await.refused(409, "CONFLICT");
}

#[tokio::test]
async fn items_go_out_as_a_table_that_comes_back_and_in_which_nothing_is_a_formula() {
    let house = House::open().await;
    let household = house.household();
    let item = json!({"broker": "=1+1", "symbol": "005930", "quantity": 3, "avg_price": "65300", "name": "@이름", "note": "-메모"});
    household.post("/api/portfolio", item).await.ok();
    let out = household.get("/api/portfolio/export").await;
    assert!(out.status.is_success() && out.header("content-type").starts_with("text/csv"), "{out:?}");
    assert!(out.header("content-disposition").contains("hanok-portfolio-2026-10-10.csv"), "{out:?}");
    assert!(out.text.starts_with("\u{feff}증권사,") && out.text.contains("'=1+1,005930,'@이름"), "{out:?}");
    let preview = brought(&household, "/api/portfolio/import/preview", out.text).await.ok();
    assert_eq!(
        (&preview["duplicates"], &preview["rows"][0]["item"], &preview["rows"][0]["note"]),
        (&json!(1), &Value::Null, &json!("-메모"))
    );
    let english = household.get("/api/portfolio/export?language=en").await;
    assert!(english.text.starts_with("\u{feff}broker,symbol"), "{english:?}");
}

#[tokio::test]
async fn today_shows_what_everything_is_worth_beside_the_last_snapshot_before() {
    let house = House::open().await;
    let household = house.household();
    assert_eq!(household.get("/api/today").await.ok()["net_worth"], Value::Null);
    ten(&household).await;
    household.post("/api/portfolio/snapshot", json!({"total_assets": 650_000})).await.ok();
    let told = household.get("/api/today").await.ok()["net_worth"].clone();
    assert_eq!(
        (&told["total_assets"], &told["change"], &told["change_pct"]),
        (&json!(715_000), &Value::Null, &Value::Null)
    );
    house.clock.set(house.clock.now() + chrono::Duration::days(2));
    let told = household.get("/api/today").await.ok()["net_worth"].clone();
    assert_eq!((&told["change"], &told["change_pct"], &told["partial"]), (&json!(65_000), &json!(10.0), &json!(false)));
}

#[tokio::test]
async fn an_item_is_found_by_its_name_and_asked_for_once_under_a_key() {
    let house = House::open().await;
    let household = house.household();
    let item = json!({"broker": "가 증권", "symbol": "005930", "quantity": 1, "avg_price": 1, "note": "손주 몫"});
    let add = || household.request(Method::POST, "/api/portfolio").header("idempotency-key", "k1").json(&item);
    let first = answer(add()).await.ok();
    assert_eq!(answer(add()).await.ok(), first);
    assert_eq!(household.get("/api/portfolio").await.ok()["items"].as_array().unwrap().len(), 1);
    let found = complete(&household, "/api/search?q=%EC%86%90%EC%A3%BC").await;
    let hit = &found["results"][0];
    let page = json!(format!("/portfolio/items/{}", first["id"]));
    assert_eq!((&hit["kind"], &hit["leads_to"]), (&json!("holding"), &page), "{found}");
}

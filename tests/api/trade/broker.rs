//! Orders at a real broker.

use hanok::base::secret::Secret;
use hanok::ops::trade::{Broker, TradeSettings};
use serde_json::{Value, json};

use super::kis::{BALANCE, CANCEL, FakeKis, LIST, ORDER, Reply, TOKEN};
use super::{at, found, order};
use crate::house::{Caller, House, Household};

const SECRET: &str = "kis-app-secret-of-the-test";

/// A house on Monday morning whose orders go to the fake broker, for real money or to its test server.
async fn house(kis: &FakeKis, is_test: bool) -> House {
    let settings = TradeSettings {
        broker: Broker::Kis,
        kis_paper_server: is_test,
        kis_address: kis.address(),
        kis_account: "12345678-01".to_owned(),
        kis_app_key: Secret::new("kis-app-key-of-the-test"),
        kis_app_secret: Secret::new(SECRET),
        ..TradeSettings::default()
    };
    let house = House::open_with(|config| config.set(settings)).await;
    house.clock.set(at("2026-10-12T10:00:00+09:00"));
    house
}

/// An order for real money, which is on its way.
async fn sent(household: &Household<'_>) -> Value {
    let mut body = order("buy", 10, Some(71_200));
    body["confirm"] = json!(true);
    let answer = household.post("/api/trade/order", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let order = answer.json();
    assert_eq!((&order["mode"], &order["broker"]), (&json!("real"), &json!("kis")));
    assert!(matches!(order["status"].as_str(), Some("sending")), "{order}");
    order
}

/// How the broker lists that order.
fn row(filled: u64) -> Value {
    json!({"odno": "0001569157", "ord_gno_brno": "06010", "pdno": "005930", "sll_buy_dvsn_cd": "02", "ord_qty": "10",
        "ord_unpr": "71200", "ord_tmd": "100000", "tot_ccld_qty": filled.to_string(), "avg_prvs": "71150.0000",
        "rmn_qty": (10 - filled).to_string(), "cncl_yn": "N"})
}

#[tokio::test]
async fn an_order_for_real_money_is_sent_once_it_is_confirmed() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    household.post("/api/trade/order", order("buy", 10, Some(71_200))).await.refused(409, "CONFIRMATION_REQUIRED");
    household.rest().await;
    assert!(kis.asked(ORDER).is_empty());
    let given = sent(&household).await;
    household.rest().await;
    let open = found(&household, &given["id"]).await;
    assert_eq!((&open["status"], &open["broker_order"]), (&json!("open"), &json!("0001569157")));
    let asked = kis.asked(ORDER);
    assert_eq!(asked.len(), 1);
    let header = |name: &str| asked[0].headers[name].as_str();
    assert_eq!(
        (header("tr_id"), header("authorization"), header("appsecret")),
        ("TTTC0012U", "Bearer token-1", SECRET)
    );
    let body = &asked[0].body;
    assert_eq!(
        (&body["CANO"], &body["ACNT_PRDT_CD"], &body["PDNO"]),
        (&json!("12345678"), &json!("01"), &json!("005930"))
    );
    assert_eq!((&body["ORD_DVSN"], &body["ORD_QTY"], &body["ORD_UNPR"]), (&json!("00"), &json!("10"), &json!("71200")));
    assert_eq!(kis.asked(TOKEN)[0].body["appsecret"], SECRET);
    for path in ["/api/system/writes", "/api/system/settings", "/api/system/providers", "/api/trade/orders"] {
        assert!(!household.get(path).await.text.contains(SECRET), "{path}");
    }
}

#[tokio::test]
async fn the_test_server_of_the_broker_is_paper_and_has_numbers_of_its_own() {
    let kis = FakeKis::start().await;
    let house = house(&kis, true).await;
    let household = house.household();
    let given = household.post("/api/trade/order", order("sell", 3, None)).await.ok();
    assert_eq!((&given["mode"], &given["broker"]), (&json!("paper"), &json!("kis")));
    household.rest().await;
    let asked = kis.asked(ORDER);
    assert_eq!(asked[0].headers["tr_id"], "VTTC0011U");
    assert_eq!((&asked[0].body["ORD_DVSN"], &asked[0].body["ORD_UNPR"]), (&json!("01"), &json!("0")));
    assert_eq!(household.get("/api/today").await.ok()["trade"]["mode"], "paper");
}

#[tokio::test]
async fn what_the_broker_refuses_is_rejected_with_its_reason() {
    for (status, code, reason) in [
        (200, "APBK0952", "there is not enough cash in the account"),
        (500, "EGW00201", "the broker asks for fewer requests"),
        (200, "APBK7777", "the broker refuses it (code APBK7777)"),
    ] {
        let kis = FakeKis::start().await;
        let house = house(&kis, false).await;
        let household = house.household();
        kis.replies(ORDER, Reply::Json(status, json!({"rt_cd": "7", "msg_cd": code, "msg1": "거부"}), ""));
        let given = sent(&household).await;
        household.rest().await;
        let rejected = found(&household, &given["id"]).await;
        assert_eq!((&rejected["status"], &rejected["reason"]), (&json!("rejected"), &json!(reason)));
        assert_eq!(kis.asked(ORDER).len(), 1);
    }
}

#[tokio::test]
async fn a_token_that_has_ended_is_fetched_anew_once_and_the_order_goes_out() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    kis.replies(ORDER, Reply::Json(500, json!({"rt_cd": "1", "msg_cd": "EGW00123"}), ""));
    let given = sent(&household).await;
    household.rest().await;
    assert_eq!(found(&household, &given["id"]).await["status"], "sending");
    house.clock.set(at("2026-10-12T10:01:10+09:00"));
    household.rest().await;
    assert_eq!(found(&household, &given["id"]).await["status"], "open");
    let asked: Vec<String> = kis.asked(ORDER).iter().map(|asked| asked.headers["authorization"].clone()).collect();
    assert_eq!(asked, ["Bearer token-1", "Bearer token-2"]);
    assert_eq!(kis.asked(TOKEN).len(), 2);
}

#[tokio::test]
async fn an_order_that_was_not_sent_yet_is_not_sent_once_trading_is_stopped() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    kis.replies(ORDER, Reply::Json(500, json!({"rt_cd": "1", "msg_cd": "EGW00123"}), ""));
    let given = sent(&household).await;
    household.rest().await;
    household.put("/api/trade/stop", json!({"stopped": true})).await.ok();
    house.clock.set(at("2026-10-12T10:01:10+09:00"));
    household.rest().await;
    let rejected = found(&household, &given["id"]).await;
    assert_eq!(
        (&rejected["status"], &rejected["reason"]),
        (&json!("rejected"), &json!("trading is stopped: let it go on before you order"))
    );
    assert_eq!(kis.asked(ORDER).len(), 1);
    household.put("/api/trade/paper", json!({"cash": 5_000_000})).await.refused(409, "CONFLICT");
}

#[tokio::test]
async fn a_number_that_another_order_has_already_is_no_number() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    let first = sent(&household).await;
    household.rest().await;
    let second = sent(&household).await;
    household.rest().await;
    assert_eq!(found(&household, &first["id"]).await["status"], "open");
    let second = found(&household, &second["id"]).await;
    assert_eq!((&second["status"], &second["broker_order"]), (&json!("unknown"), &Value::Null));
}

#[tokio::test]
async fn an_order_without_an_answer_is_looked_up_and_never_sent_twice() {
    let unclear = json!({"rt_cd": "0", "msg_cd": "IGW00009", "msg1": "응답전문 구성 중 오류"});
    for reply in [Reply::Page, Reply::Reset, Reply::Json(500, unclear, "")] {
        let kis = FakeKis::start().await;
        let house = house(&kis, false).await;
        let household = house.household();
        kis.replies(ORDER, reply.clone());
        let given = sent(&household).await;
        household.rest().await;
        assert_eq!(found(&household, &given["id"]).await["status"], "unknown", "{reply:?}");
        // The list does not have it yet, and has it later.
        house.clock.set(at("2026-10-12T10:01:10+09:00"));
        household.rest().await;
        assert_eq!(found(&household, &given["id"]).await["status"], "unknown");
        kis.lists(row(0));
        house.clock.set(at("2026-10-12T10:04:00+09:00"));
        household.rest().await;
        let known = found(&household, &given["id"]).await;
        assert_eq!((&known["status"], &known["broker_order"]), (&json!("open"), &json!("0001569157")));
        assert_eq!(kis.asked(ORDER).len(), 1, "{reply:?}");
    }
}

#[tokio::test]
async fn an_order_that_the_broker_never_had_is_rejected_after_the_session_and_never_sent_again() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    kis.replies(ORDER, Reply::Reset);
    let given = sent(&household).await;
    household.rest().await;
    for now in ["2026-10-12T10:02:00+09:00", "2026-10-12T15:31:00+09:00", "2026-10-12T18:00:00+09:00"] {
        house.clock.set(at(now));
        household.rest().await;
    }
    let rejected = found(&household, &given["id"]).await;
    assert_eq!(
        (&rejected["status"], &rejected["reason"]),
        (&json!("rejected"), &json!("the broker does not have it; it is not sent again"))
    );
    assert_eq!(kis.asked(ORDER).len(), 1);
}

#[tokio::test]
async fn an_open_order_follows_the_list_of_the_broker_and_can_be_cancelled() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    let given = sent(&household).await;
    household.rest().await;
    kis.lists(row(4));
    house.clock.set(at("2026-10-12T10:05:00+09:00"));
    household.rest().await;
    let partly = found(&household, &given["id"]).await;
    assert_eq!((&partly["status"], &partly["filled_quantity"]), (&json!("partially_filled"), &json!(4)));
    assert_eq!(partly["average_price"], 71_150);
    let path = format!("/api/trade/orders/{}", given["id"]);
    assert_eq!(household.delete(&path).await.ok()["cancelling"], true);
    household.rest().await;
    // The broker has taken the cancellation; how much was bought before it came stands in its list.
    let under_way = found(&household, &given["id"]).await;
    assert_eq!((&under_way["status"], &under_way["cancelling"]), (&json!("partially_filled"), &json!(true)));
    let mut last = row(6);
    (last["rmn_qty"], last["cncl_yn"]) = (json!("0"), json!("Y"));
    kis.lists(last);
    house.clock.set(at("2026-10-12T10:10:00+09:00"));
    household.rest().await;
    let cancelled = found(&household, &given["id"]).await;
    assert_eq!((&cancelled["status"], &cancelled["cancelling"]), (&json!("cancelled"), &json!(false)));
    assert_eq!(cancelled["filled_quantity"], 6);
    let asked = kis.asked(CANCEL);
    assert_eq!((asked.len(), asked[0].headers["tr_id"].as_str()), (1, "TTTC0013U"));
    assert_eq!(
        (&asked[0].body["ORGN_ODNO"], &asked[0].body["KRX_FWDG_ORD_ORGNO"]),
        (&json!("0001569157"), &json!("06010"))
    );
    household.delete(&path).await.refused(409, "ORDER_NOT_OPEN");
}

#[tokio::test]
async fn the_balance_is_read_page_by_page_and_the_last_one_is_kept() {
    let kis = FakeKis::start().await;
    let house = house(&kis, false).await;
    let household = house.household();
    kis.replies(BALANCE, Reply::Json(500, json!({"rt_cd": "1", "msg_cd": "EGW00123"}), ""));
    let held = |symbol: &str, quantity: u64| {
        json!({"pdno": symbol, "prdt_name": "종목", "hldg_qty": quantity.to_string(), "ord_psbl_qty": "1",
            "pchs_avg_pric": "1000.0000", "pchs_amt": (quantity * 1000).to_string(), "prpr": "1100"})
    };
    let page = |rows: Value, key: &str| {
        json!({"rt_cd": "0", "msg_cd": "20310000", "ctx_area_fk100": "12345678^01^ ", "ctx_area_nk100": key,
            "output1": rows, "output2": [{"prvs_rcdl_excc_amt": "4517400"}]})
    };
    kis.replies(BALANCE, Reply::Json(200, page(json!([held("005930", 3)]), "next^page"), "M"));
    kis.replies(BALANCE, Reply::Json(200, page(json!([held("000660", 2), held("035720", 0)]), ""), "D"));
    let balance = household.get("/api/trade/balance").await.ok();
    assert_eq!((&balance["mode"], &balance["cash"]), (&json!("real"), &json!(4_517_400)));
    assert_eq!((&balance["total_eval"], &balance["total_assets"]), (&json!(5_500), &json!(4_522_900)));
    assert_eq!(
        (&balance["holdings"][1]["symbol"], &balance["holdings"][1]["market"]),
        (&json!("000660"), &json!("KOSPI"))
    );
    let asked = kis.asked(BALANCE);
    assert_eq!((asked.len(), asked[2].headers["tr_cont"].as_str()), (3, "N"));
    assert!(asked[2].query.contains("CTX_AREA_NK100=next%5Epage"), "{}", asked[2].query);
    assert_eq!(asked[1].headers["authorization"], "Bearer token-2");

    let mut no_cash = page(json!([held("005930", 3)]), "");
    no_cash["output2"] = json!([]);
    let twice = page(json!([held("005930", 3), held("005930", 3)]), "");
    for reply in [Reply::Page, Reply::Json(200, no_cash, ""), Reply::Json(200, twice, "")] {
        kis.replies(BALANCE, reply.clone());
        let last = household.get("/api/trade/balance").await.ok();
        assert_eq!(
            (&last["stale"], &last["as_of"], &last["holdings"]),
            (&json!(true), &balance["as_of"], &balance["holdings"]),
            "{reply:?}"
        );
    }
    // A list that begins anew with every page is asked for twice.
    let before = kis.asked(BALANCE).len();
    for _ in 0..3 {
        kis.replies(BALANCE, Reply::Json(200, page(json!([held("005930", 3)]), "again"), "M"));
    }
    assert_eq!(household.get("/api/trade/balance").await.ok()["holdings"], balance["holdings"]);
    assert_eq!(kis.asked(BALANCE).len(), before + 2);
}

#[tokio::test]
async fn without_a_key_or_an_answer_the_broker_is_said_to_be_missing() {
    let kis = FakeKis::start().await;
    let broker = |config: &mut hanok::platform::config::Config| {
        config.set(TradeSettings { broker: Broker::Kis, kis_address: kis.address(), ..TradeSettings::default() });
    };
    let unset = House::open_with(broker).await;
    let refused = unset.household().get("/api/trade/balance").await;
    refused.refused(503, "NOT_CONFIGURED");
    assert!(refused.text.contains("trade.kis_app_key"), "{refused:?}");
    unset.household().post("/api/trade/order", order("buy", 1, Some(70_000))).await.refused(503, "NOT_CONFIGURED");

    let house = house(&kis, false).await;
    kis.replies(TOKEN, Reply::Json(403, json!({"error_code": "EGW00133", "error_description": "1분당 1회"}), ""));
    house.household().get("/api/trade/balance").await.refused(502, "UPSTREAM_UNAVAILABLE");
    assert!(kis.asked(LIST).is_empty());
    assert_eq!(house.household().get("/api/trade/balance").await.ok()["cash"], 0);
}

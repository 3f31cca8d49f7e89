//! Stocks by rules: data from a table of the exchange (41 stocks on eight days of March 2026), from the exchange played on this
//! machine, and made up.

use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use hanok::base::{Error, Secret};
use hanok::ops::screener::{DOMAIN, ScreenerSettings};
use hanok::platform::domain::{WordKind, Words};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{header, method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::house::{Caller, House, answer};

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/samples/marcap_2026-03.csv.gz")
}

/// The sample as it is sent.
pub fn table_of_march() -> Vec<u8> {
    std::fs::read(sample()).unwrap()
}

/// Does `hanok screener import PATH` as the command line does it.
async fn import(house: &House, from: &Path) -> Result<Value, Error> {
    let command = DOMAIN.command.unwrap();
    let verb = command.verbs.iter().find(|verb| verb.name == "import").unwrap();
    let WordKind::Path(open) = verb.takes[0].kind else { panic!("it takes no path") };
    let opened = open(from, &house.config)?;
    (verb.run)(house.appliance.app().clone(), Words::default().with(Some(opened.file))).await
}

fn table(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

fn rules(nodes: &[(&str, Value)]) -> Value {
    let node = |(node, parameters): &(&str, Value)| json!({"node": node, "parameters": parameters});
    json!({"name": "시험", "nodes": nodes.iter().map(node).collect::<Vec<_>>()})
}

fn without(mut run: Value, names: &[&str]) -> Value {
    names.iter().for_each(|name| drop(run.as_object_mut().unwrap().remove(*name)));
    run
}

#[tokio::test]
async fn every_rule_is_described_in_both_languages_with_parameters_and_their_bounds() {
    let house = House::open().await;
    let nodes = house.household().get("/api/stock/screener/nodes").await.ok()["nodes"].clone();
    let ids: Vec<&str> = nodes.as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect();
    let wanted = "liquidity price market_cap market sector ma_position ma_order ma_cross momentum rsi macd bollinger atr \
                  high_52w low_52w volume_surge relative_strength volatility drawdown listing_age tradable administrative";
    let missing: Vec<&str> = wanted.split_whitespace().filter(|id| !ids.contains(id)).collect();
    assert_eq!(missing, [""; 0]);
    for node in nodes.as_array().unwrap() {
        let texts = [&node["title"]["ko"], &node["title"]["en"], &node["about"]["ko"], &node["about"]["en"]];
        assert!(texts.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty())), "{node}");
    }
    let rsi = nodes.as_array().unwrap().iter().find(|node| node["id"] == "rsi").unwrap();
    assert_eq!((&rsi["warm_up"], &rsi["unit"], &rsi["group"]), (&json!(15), &json!("points"), &json!("trend")));
    let days = json!({"name": "days", "title": {"ko": "기간(거래일)", "en": "Window (trading days)"}, "kind": "number",
        "default": 14, "minimum": 2.0, "maximum": 100.0, "step": 1.0, "choices": []});
    assert_eq!(rsi["parameters"][0], days);
}

#[tokio::test]
async fn settings_are_the_usual_ones_until_they_are_changed_and_only_what_is_sent_changes() {
    let house = House::open().await;
    let household = house.household();
    let usual = household.get("/api/stock/screener/settings").await.ok();
    assert_eq!((&usual["data_day"], &usual["symbols"], &usual["is_demo"]), (&Value::Null, &json!(0), &json!(false)));
    assert!(usual["settings"]["nodes"].as_array().unwrap().len() > 5);
    let named =
        household.put("/api/stock/screener/settings", json!({"name": "급등주", "limit": 7, "other": 1})).await.ok();
    assert_eq!((&named["settings"]["name"], &named["settings"]["limit"]), (&json!("급등주"), &json!(7)));
    assert_eq!(named["settings"]["nodes"], usual["settings"]["nodes"]);
    let nodes = json!([{"node": "rsi", "parameters": {"maximum": 30}, "enabled": false}]);
    household.put("/api/stock/screener/settings", json!({"nodes": nodes})).await.ok();
    let saved = household.get("/api/stock/screener/settings").await.ok()["settings"].clone();
    let kept = json!([{"node": "rsi", "parameters": {"days": 14, "minimum": 40, "maximum": 30}, "enabled": false}]);
    assert_eq!((&saved["nodes"], &saved["name"]), (&kept, &json!("급등주")));
}

#[tokio::test]
async fn settings_that_cannot_be_are_refused_by_the_place_of_each_and_nothing_is_saved() {
    let house = House::open().await;
    let household = house.household();
    let before = household.get("/api/stock/screener/settings").await.ok();
    let wrong =
        json!({"name": "", "limit": 501, "nodes": [{"node": "moon"}, {"node": "rsi", "parameters": {"days": 1}}]});
    for refused in [
        household.put("/api/stock/screener/settings", wrong.clone()).await,
        household.post("/api/stock/screener/run", wrong).await,
    ] {
        refused.refused(422, "INVALID_INPUT");
        let fields = refused.json()["fields"].clone();
        for field in ["name", "limit", "nodes[0].node", "nodes[1].parameters.days"] {
            assert!(fields[field].is_string(), "{field}: {fields}");
        }
    }
    household.put("/api/stock/screener/settings", json!({"nodes": 7})).await.refused(422, "INVALID_INPUT");
    let request = household.request(Method::POST, "/api/stock/screener/run").header("content-type", "application/json");
    answer(request.body("{")).await.refused(400, "INVALID_JSON");
    assert_eq!(household.get("/api/stock/screener/settings").await.ok(), before);
}

#[tokio::test]
async fn before_there_are_data_nothing_is_screened_and_the_answer_says_so() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/run", json!({})).await.refused(409, "CONFLICT");
    household.get("/api/stock/bars/005930").await.refused(404, "NOT_FOUND");
    household.delete("/api/stock/screener/demo").await.refused(404, "NOT_FOUND");
    assert_eq!(household.get("/api/stock/screener/runs").await.ok(), json!({"runs": [], "total": 0}));
    let refused = household.post("/api/stock/screener/snapshot/refresh", Value::Null).await;
    refused.refused(503, "NOT_CONFIGURED");
    assert!(refused.json()["message"].as_str().unwrap().contains("screener.krx_key"), "{refused:?}");
}

#[tokio::test]
async fn a_demo_is_marked_wherever_it_is_seen_and_goes_again() {
    let house = House::open().await;
    let household = house.household();
    let made = household.post("/api/stock/screener/demo", Value::Null).await;
    assert_eq!(made.status, 201);
    assert_eq!(
        made.json(),
        json!({"ok": true, "data_day": "2026-10-09", "symbols": 60, "changed": 60, "is_demo": true})
    );
    let settings = household.get("/api/stock/screener/settings").await.ok();
    assert_eq!((&settings["is_demo"], &settings["symbols"]), (&json!(true), &json!(60)));
    let run = household.post("/api/stock/screener/run", json!({})).await.ok();
    assert_eq!((&run["is_demo"], &run["universe"], &run["data_day"]), (&json!(true), &json!(60), &json!("2026-10-09")));
    let chart = household.get("/api/stock/bars/9d0001").await.ok();
    assert_eq!(
        (&chart["is_demo"], &chart["name"], &chart["sector"]),
        (&json!(true), &json!("데모전자 1"), &json!("전자"))
    );
    household.get("/api/stock/prices/KOSPI/9D0001").await.refused(404, "NOT_FOUND");
    household.delete("/api/stock/screener/demo").await.ok();
    household.get("/api/stock/bars/9D0001").await.refused(404, "NOT_FOUND");
    let kept = household.get(&format!("/api/stock/screener/runs/{}", run["id"])).await.ok();
    assert_eq!(kept["is_demo"], true);
}

#[tokio::test]
async fn the_same_run_gives_the_same_list_also_after_a_start() {
    let house = House::open().await;
    house.household().post("/api/stock/screener/demo", Value::Null).await.ok();
    let nodes = house.household().get("/api/stock/screener/nodes").await.ok()["nodes"].clone();
    let every: Vec<Value> = nodes.as_array().unwrap().iter().map(|node| json!({"node": node["id"]})).collect();
    let body = json!({"name": "모두", "nodes": every});
    let first = house.household().post("/api/stock/screener/run", body.clone()).await.ok();
    let second = house.household().post("/api/stock/screener/run", body.clone()).await.ok();
    let house = house.restart().await;
    let third = house.household().post("/api/stock/screener/run", body).await.ok();
    let plain = |run: &Value| without(run.clone(), &["id", "created_at"]);
    assert_eq!((plain(&first), plain(&second)), (plain(&second), plain(&third)));
    assert_eq!(house.household().get(&format!("/api/stock/screener/runs/{}", first["id"])).await.ok(), first);
    assert_eq!(first["results"][0]["values"].as_array().unwrap().len(), every.len());
}

#[tokio::test]
async fn a_run_says_of_each_stock_why_it_is_in_or_out() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let body =
        rules(&[("market", json!({"kosdaq": false})), ("price", json!({"minimum": 20_000})), ("tradable", json!({}))]);
    let run = household.post("/api/stock/screener/run", body).await.ok();
    let results = run["results"].as_array().unwrap();
    let passed = results.iter().filter(|stock| stock["passed"] == true).count() as u64;
    assert_eq!((run["passed"].as_u64(), results.len()), (Some(passed), 60));
    assert!(passed > 0 && passed < 60 && results[..passed as usize].iter().all(|stock| stock["passed"] == true));
    for stock in results {
        let [market, price, tradable] = &stock["values"].as_array().unwrap()[..] else { panic!("{stock}") };
        assert_eq!((market["text"] == "KOSPI", market["value"].is_null()), (market["verdict"] == "pass", true));
        assert_eq!(price["value"].as_f64(), stock["close"].as_f64());
        assert_eq!(price["value"].as_f64() >= Some(20_000.0), price["verdict"] == "pass");
        assert_eq!(price["threshold"], json!({"minimum": 20_000.0, "maximum": 10_000_000.0}));
        let all = [market, price, tradable].iter().all(|value| value["verdict"] == "pass");
        assert_eq!(stock["passed"], all);
    }
    let address = format!("/api/stock/screener/runs/{}", run["id"]);
    let one = household.get(&format!("{address}?symbol=9D0030")).await.ok();
    assert_eq!(one["results"].as_array().unwrap().len(), 1);
    let halted = &one["results"][0]["values"][2];
    assert_eq!(
        (&halted["node"], &halted["value"], &halted["verdict"]),
        (&json!("tradable"), &json!(1.0), &json!("fail"))
    );
    household.get(&format!("{address}?symbol=005930")).await.refused(404, "NOT_FOUND");
    household.get(&format!("{address}?symbol=")).await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn runs_are_listed_newest_first_removed_and_the_oldest_goes_beyond_a_hundred() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let body = rules(&[("price", json!({}))]);
    let first = household.post("/api/stock/screener/run", body.clone()).await.ok()["id"].clone();
    for _ in 0..100 {
        household.post("/api/stock/screener/run", body.clone()).await.ok();
    }
    household.get(&format!("/api/stock/screener/runs/{first}")).await.refused(404, "NOT_FOUND");
    let listed = household.get("/api/stock/screener/runs?limit=2").await.ok();
    assert_eq!((&listed["total"], listed["runs"].as_array().unwrap().len()), (&json!(100), 2));
    let [newest, before] = [0, 1].map(|place| listed["runs"][place]["id"].as_u64().unwrap());
    assert_eq!((newest, listed["runs"][0].get("results")), (before + 1, None));
    assert_eq!(household.get("/api/stock/screener/runs").await.ok()["runs"].as_array().unwrap().len(), 30);
    let address = format!("/api/stock/screener/runs/{newest}");
    assert_eq!(household.delete(&address).await.ok(), json!({"ok": true}));
    household.delete(&address).await.refused(404, "NOT_FOUND");
    household.get(&address).await.refused(404, "NOT_FOUND");
    assert_eq!(household.get("/api/stock/screener/runs").await.ok()["total"], 99);
}

#[tokio::test]
async fn one_key_makes_one_run_and_a_run_saves_no_settings() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let before = household.get("/api/stock/screener/settings").await.ok();
    let ask = async || {
        let request = household.request(Method::POST, "/api/stock/screener/run").header("idempotency-key", "run-1");
        answer(request.json(&rules(&[("rsi", json!({}))]))).await.ok()
    };
    assert_eq!(ask().await, ask().await);
    assert_eq!(household.get("/api/stock/screener/runs").await.ok()["total"], 1);
    assert_eq!(household.get("/api/stock/screener/settings").await.ok(), before);
    let empty = answer(household.request(Method::POST, "/api/stock/screener/run")).await.ok();
    assert_eq!(empty["settings"], before["settings"]);
}

#[tokio::test]
async fn a_table_of_the_exchange_takes_the_place_of_the_demo_and_changes_nothing_the_second_time() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let first = import(&house, &sample()).await.unwrap()["files"][0].clone();
    assert_eq!(
        (&first["days"], &first["rows"], &first["refused"], &first["changed"]),
        (&json!(8), &json!(328), &json!(0), &json!(41))
    );
    let second = import(&house, &sample()).await.unwrap()["files"][0].clone();
    assert_eq!((&second["changed"], &second["symbols"]), (&json!(0), &json!(41)));
    let settings = household.get("/api/stock/screener/settings").await.ok();
    assert_eq!((&settings["is_demo"], &settings["data_day"]), (&json!(false), &json!("2026-03-18")));
    household.post("/api/stock/screener/demo", Value::Null).await.refused(409, "CONFLICT");
    household.delete("/api/stock/screener/demo").await.refused(404, "NOT_FOUND");
    let price = household.get("/api/stock/prices/KOSPI/005930").await.ok();
    assert_eq!(
        (&price["price"], &price["previous_close"], &price["source"]),
        (&json!("208500"), &json!("193900"), &json!("import"))
    );
    assert_eq!(price["as_of"], "2026-03-18T06:30:00Z");
}

#[tokio::test]
async fn a_row_of_a_day_to_come_does_not_move_the_data_and_all_data_go_again() {
    let house = House::open().await;
    let household = house.household();
    household.delete("/api/stock/screener/data").await.refused(404, "NOT_FOUND");
    let rows = "Date,Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Stocks\n\
                2026-10-08,005930,예시,KOSPI,100,0,0,0,0,0,0,1\n\
                9999-12-31,005930,예시,KOSPI,1,0,0,0,0,0,0,1\n\
                2026-10-08,000660,예시,KOSPI,100,2,-9223372036854775808,0,0,0,0,1\n";
    let request = household.request(Method::POST, "/api/stock/screener/import?name=rows.csv");
    let taken = answer(request.body(rows)).await.ok();
    assert_eq!((&taken["rows"], &taken["refused"], &taken["data_day"]), (&json!(1), &json!(2), &json!("2026-10-08")));
    assert_eq!(household.delete("/api/stock/screener/data").await.ok(), json!({"ok": true}));
    household.get("/api/stock/bars/005930").await.refused(404, "NOT_FOUND");
    import(&house, &sample()).await.unwrap();
    let remove = DOMAIN.command.unwrap().verbs.iter().find(|verb| verb.name == "remove").unwrap();
    (remove.run)(house.appliance.app().clone(), Words::default()).await.unwrap();
    let settings = household.get("/api/stock/screener/settings").await.ok();
    assert_eq!((&settings["data_day"], &settings["symbols"]), (&Value::Null, &json!(0)));
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    household.delete("/api/stock/screener/data").await.ok();
}

/// By hand: the base of 루닛 on 18 March was 36,050 after a close of 38,500. 에이비프로바이오 was merged ten to one in a halt
/// until 12 March, so it has bars of five days.
#[tokio::test]
async fn bars_are_adjusted_by_the_base_of_the_exchange_and_a_day_without_trade_is_none() {
    let house = House::open().await;
    let household = house.household();
    import(&house, &sample()).await.unwrap();
    let chart = household.get("/api/stock/bars/328130").await.ok();
    let closes: Vec<f64> = chart["bars"].as_array().unwrap().iter().map(|bar| bar["close"].as_f64().unwrap()).collect();
    assert_eq!((closes.len(), closes[0], closes[6], closes[7]), (8, 33_194.09, 36_050.0, 38_000.0));
    let ma5 = chart["indicators"]["ma5"].as_array().unwrap();
    assert_eq!((ma5.len(), &ma5[3]), (8, &Value::Null));
    assert!((ma5[7].as_f64().unwrap() - closes[3..].iter().sum::<f64>() / 5.0).abs() < 0.01, "{ma5:?}");
    assert!(chart["indicators"]["rsi14"].as_array().unwrap().iter().all(Value::is_null));
    let merged = household.get("/api/stock/bars/195990?days=2").await.ok();
    let dates: Vec<&str> = merged["bars"].as_array().unwrap().iter().map(|bar| bar["date"].as_str().unwrap()).collect();
    assert_eq!(dates, ["2026-03-17", "2026-03-18"]);
    let all = household.get("/api/stock/bars/195990").await.ok();
    assert_eq!((all["bars"].as_array().unwrap().len(), &all["market"]), (5, &json!("KOSDAQ")));
    for days in ["0", "501", "many"] {
        household.get(&format!("/api/stock/bars/005930?days={days}")).await.refused(422, "INVALID_INPUT");
    }
    household.get("/api/stock/bars/999999").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn what_is_missing_never_passes() {
    let house = House::open().await;
    import(&house, &sample()).await.unwrap();
    let wide = json!({"days": 60, "minimum": -100});
    let body = rules(&[("momentum", wide), ("administrative", json!({}))]);
    let run = house.household().post("/api/stock/screener/run", body).await.ok();
    assert_eq!((&run["universe"], &run["passed"], &run["missing"]), (&json!(41), &json!(0), &json!(41)));
    let samsung = run["results"].as_array().unwrap().iter().find(|stock| stock["symbol"] == "005930").unwrap();
    let values = samsung["values"].as_array().unwrap();
    assert!(values.iter().all(|value| value["verdict"] == "missing" && value["value"].is_null()), "{samsung}");
}

#[tokio::test]
async fn a_file_that_is_no_table_is_refused_and_leaves_everything_as_it_was() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let before = household.get("/api/stock/screener/settings").await.ok();
    let folder = TempDir::new().unwrap();
    let good = table_of_march();
    for (name, bytes) in [
        ("page.csv", b"<html><body>403</body></html>".as_slice()),
        ("empty.csv", b""),
        ("cut.csv.gz", &good[..good.len() / 2]),
        ("titles.csv", b"Date,Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Stocks\n"),
        (
            "no_day.csv",
            b"Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Stocks\n005930,A,KOSPI,1,1,0,1,1,1,1,1\n",
        ),
    ] {
        let refused = import(&house, &table(&folder, name, bytes)).await.unwrap_err();
        assert_eq!(
            (refused.code(), refused.fields.contains_key("file")),
            ("INVALID_INPUT", true),
            "{name}: {refused:?}"
        );
    }
    assert_eq!(import(&house, &folder.path().join("absent.csv")).await.unwrap_err().code(), "INVALID_INPUT");
    assert_eq!(household.get("/api/stock/screener/settings").await.ok(), before);
}

#[tokio::test]
async fn a_browser_sends_a_table_too_and_hears_what_is_wrong_with_one() {
    let house = House::open().await;
    let household = house.household();
    let send = async |path: &str, bytes: Vec<u8>| answer(household.request(Method::POST, path).body(bytes)).await;
    let refused = send("/api/stock/screener/import", b"a,b\n1,2\n".to_vec()).await;
    refused.refused(422, "INVALID_INPUT");
    assert!(refused.json()["fields"]["file"].as_str().unwrap().contains("Code, Name"), "{refused:?}");
    let row =
        "Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Stocks\n000010,예시,KOSPI,1,0,0,0,0,0,0,1\n";
    send("/api/stock/screener/import?name=march.csv", row.into()).await.refused(422, "INVALID_INPUT");
    let taken = send("/api/stock/screener/import?name=2026-03-17.csv", row.into()).await.ok();
    assert_eq!((&taken["data_day"], &taken["symbols"]), (&json!("2026-03-17"), &json!(1)));
    let taken = send("/api/stock/screener/import", table_of_march()).await.ok();
    assert_eq!(
        (&taken["data_day"], &taken["symbols"], &taken["rows"]),
        (&json!("2026-03-18"), &json!(41), &json!(328))
    );
    assert_eq!(send("/api/stock/screener/import", table_of_march()).await.ok()["changed"], 0);
}

#[tokio::test]
async fn a_folder_of_tables_is_taken_in_the_order_of_their_names_each_with_the_day_in_it() {
    let house = House::open().await;
    let folder = TempDir::new().unwrap();
    let titles =
        "\u{feff},Code,Name,Market,Dept,Close,ChangeCode,Changes,ChagesRatio,Open,High,Low,Volume,Amount,Stocks\n";
    let row = |close: i64, change: i64| {
        format!("0,000010,예시,KOSPI,,{close},1,{change},1.0,{close},{close},{close},5,500,100\n")
    };
    table(&folder, "2026-03-19.csv", (titles.to_owned() + &row(110, 10)).as_bytes());
    table(
        &folder,
        "2026-03-18.csv",
        (titles.to_owned() + &row(100, 1) + "1,bad,x,KOSPI,,1,1,1,1,1,1,1,1,1,1\n").as_bytes(),
    );
    table(&folder, "notes.txt", b"nothing");
    let files = import(&house, folder.path()).await.unwrap()["files"].clone();
    let told: Vec<(&str, u64)> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["file"].as_str().unwrap(), file["refused"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [("2026-03-18.csv", 1), ("2026-03-19.csv", 0)]);
    let chart = house.household().get("/api/stock/bars/000010").await.ok();
    assert_eq!((&chart["bars"][1]["date"], &chart["bars"][1]["close"]), (&json!("2026-03-19"), &json!(110.0)));
}

fn row_of(day: &str, code: &str, market: &str, close: u64) -> Value {
    let price = close.to_string();
    json!({"BAS_DD": day, "ISU_CD": code, "ISU_NM": "예시", "MKT_NM": market, "SECT_TP_NM": "", "TDD_CLSPRC": price,
        "CMPPREVDD_PRC": "0", "FLUC_RT": "0", "TDD_OPNPRC": price, "TDD_HGPRC": price, "TDD_LWPRC": price, "ACC_TRDVOL": "10",
        "ACC_TRDVAL": "1000", "MKTCAP": "1", "LIST_SHRS": "1000"})
}

/// The exchange publishes these rows of a market on a day; every other day it is closed.
async fn publishes(exchange: &MockServer, market: &str, day: &str, rows: &[Value]) {
    let list = |rows: &[Value]| ResponseTemplate::new(200).set_body_json(json!({"OutBlock_1": rows}));
    let at =
        || Mock::given(method("GET")).and(path(format!("/sto/{market}_bydd_trd"))).and(header("auth_key", "key-1"));
    at().and(query_param("basDd", day)).respond_with(list(rows)).with_priority(1).mount(exchange).await;
    at().respond_with(list(&[])).with_priority(5).mount(exchange).await;
}

/// An exchange that has published a stock of each market last Thursday.
pub async fn exchange() -> MockServer {
    let (exchange, day) = (MockServer::start().await, "20261008");
    for (answer, market, code) in [("stk", "KOSPI", "005930"), ("ksq", "KOSDAQ", "035420"), ("knx", "KONEX", "123450")]
    {
        publishes(&exchange, answer, day, &[row_of(day, code, market, 7_000)]).await;
    }
    exchange
}

/// The settings of a house that asks it.
pub fn settings_of(exchange: &MockServer) -> ScreenerSettings {
    let (krx_key, krx_address) = (Secret::new("key-1"), exchange.uri());
    ScreenerSettings { krx_key, krx_address, ..ScreenerSettings::default() }
}

async fn house_of(exchange: &MockServer) -> House {
    House::open_with(|config| {
        config.jobs.schedule = false;
        config.set(settings_of(exchange));
    })
    .await
}

#[tokio::test]
async fn a_refresh_takes_the_whole_market_of_the_newest_day_that_is_published() {
    let exchange = MockServer::start().await;
    // Saturday evening: Friday is a holiday, Thursday has trade.
    let day = "20261008";
    publishes(&exchange, "stk", day, &[row_of(day, "005930", "KOSPI", 70_000)]).await;
    publishes(&exchange, "ksq", day, &[row_of(day, "KR7035420009", "KOSDAQ", 5_000), json!({"BAS_DD": 1})]).await;
    publishes(&exchange, "knx", day, &[row_of(day, "123450", "KONEX", 900)]).await;
    let house = house_of(&exchange).await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    let taken = household.post("/api/stock/screener/snapshot/refresh", Value::Null).await.ok();
    assert_eq!(taken, json!({"ok": true, "data_day": "2026-10-08", "symbols": 3, "changed": 3, "is_demo": false}));
    let again = household.post("/api/stock/screener/snapshot/refresh", Value::Null).await.ok();
    assert_eq!((&again["changed"], &again["symbols"]), (&json!(0), &json!(3)));
    let run = household.post("/api/stock/screener/run", rules(&[("price", json!({"minimum": 0}))])).await.ok();
    let symbols: Vec<&str> =
        run["results"].as_array().unwrap().iter().map(|stock| stock["symbol"].as_str().unwrap()).collect();
    assert_eq!((symbols, &run["is_demo"]), (vec!["005930", "035420", "123450"], &json!(false)));
}

#[tokio::test]
async fn whatever_the_exchange_says_on_a_bad_day_changes_nothing() {
    let day = "20261008";
    let good = [row_of(day, "005930", "KOSPI", 70_000)];
    let bad = [
        ResponseTemplate::new(401).set_body_json(json!({"respMsg": "Unauthorized Key", "respCode": "401"})),
        ResponseTemplate::new(200).set_body_string("<html>maintenance</html>"),
        ResponseTemplate::new(200).set_body_json(json!({"OutBlock_1": [row_of("20261007", "035420", "KOSDAQ", 1)]})),
        ResponseTemplate::new(200).set_body_json(json!({"OutBlock_1": []})),
        ResponseTemplate::new(200).set_body_json(json!({"OutBlock_1": [{"BAS_DD": day}]})),
    ];
    let exchange = MockServer::start().await;
    let house = house_of(&exchange).await;
    let household = house.household();
    household.post("/api/stock/screener/demo", Value::Null).await.ok();
    for answer in bad {
        exchange.reset().await;
        publishes(&exchange, "stk", day, &good).await;
        Mock::given(path("/sto/ksq_bydd_trd")).respond_with(answer).mount(&exchange).await;
        // By then nobody is left alone any more for what was said before.
        house.clock.set(house.clock.now() + TimeDelta::minutes(10));
        household.post("/api/stock/screener/snapshot/refresh", Value::Null).await.refused(502, "UPSTREAM_UNAVAILABLE");
        let settings = household.get("/api/stock/screener/settings").await.ok();
        assert_eq!((&settings["is_demo"], &settings["symbols"]), (&json!(true), &json!(60)));
        assert!(!exchange.received_requests().await.unwrap().is_empty());
    }
    let closed = MockServer::start().await;
    publishes(&closed, "stk", "20200101", &[]).await;
    let house = house_of(&closed).await;
    house
        .household()
        .post("/api/stock/screener/snapshot/refresh", Value::Null)
        .await
        .refused(502, "UPSTREAM_UNAVAILABLE");
    assert_eq!(closed.received_requests().await.unwrap().len(), 7);
}

//! What is found by words, of every domain: done things, notes and histories too.

use serde_json::{Value, json};

use crate::command_line::Installation;
use crate::house::{Caller, House, Household};
use crate::lottery_week::until;
use crate::operator::Stage;

/// What is found once the index has taken everything that was written before, however busy the machine is.
pub async fn complete(household: &Household<'_>, address: &str) -> Value {
    loop {
        let found = household.get(address).await.ok();
        if found["complete"] == true {
            return found;
        }
    }
}

#[tokio::test]
async fn done_todos_notes_and_histories_are_found_by_words_in_any_order_and_by_initial_consonants() {
    let house = House::open().await;
    let household = house.household();
    let done = household.post("/api/todos", json!({"title": "자동차 보험 갱신", "note": "설계사에게 전화"})).await.ok();
    household.put(&format!("/api/todos/{}", done["id"]), json!({"done": true})).await.ok();
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    let purchase = json!({"draw_no": 1245, "sets": [[4, 5, 25, 28, 32, 42]], "note": "할머니 생신 보험처럼"});
    household.post("/api/lotto/purchase", purchase).await.ok();
    let given = household.get("/api/lotto/recommend").await.ok();
    for (q, kinds) in [
        ("보험", vec!["purchase", "todo"]),
        ("갱신 자동차", vec!["todo"]),
        ("ㅂㅎ", vec!["purchase", "todo"]),
        ("설계사", vec!["todo"]),
        ("25 28 32", vec!["purchase"]),
        ("없는말", vec![]),
    ] {
        let found = complete(&household, &format!("/api/search?q={}", q.replace(' ', "%20"))).await;
        let mut said: Vec<&str> =
            found["results"].as_array().unwrap().iter().map(|hit| hit["kind"].as_str().unwrap()).collect();
        said.retain(|kind| *kind != "recommendation");
        said.sort_unstable();
        assert_eq!(said, kinds, "{q}");
    }
    let todos = household.get("/api/search?q=%EB%B3%B4%ED%97%98&kind=todo&limit=1").await.ok();
    assert_eq!((&todos["total"], &todos["results"][0]["done"]), (&json!(1), &json!(true)));
    assert_eq!(todos["results"][0]["title"], "자동차 보험 갱신");
    let numbers = given["numbers"].as_array().unwrap().iter().map(|n| n.to_string()).collect::<Vec<_>>().join("%20");
    let found = household.get(&format!("/api/search?q={numbers}&kind=recommendation")).await.ok();
    assert_eq!(found["results"][0]["id"], given["history_id"]);
    let tagged = household.get("/api/search?q=%EB%B3%B4%ED%97%98&tag=x").await.ok();
    assert_eq!((&tagged["results"], &tagged["total"], &tagged["complete"]), (&json!([]), &json!(0), &json!(true)));
    let past = household.get("/api/search?q=%EB%B3%B4%ED%97%98&offset=9").await.ok();
    assert_eq!((past["results"].as_array().unwrap().len(), &past["total"]), (0, &json!(2)));
}

#[tokio::test]
async fn games_whose_numbers_were_not_kept_are_found_with_how_many_they_are() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/lotto/purchase", json!({"draw_no": 1246, "count": 5})).await.ok();
    let found = household.get("/api/search?q=1246&kind=purchase").await.ok();
    let hit = &found["results"][0];
    assert_eq!((&hit["title"], &hit["count"], &hit["number"]), (&json!(""), &json!(5), &json!(1246)));
}

#[tokio::test]
async fn what_was_written_about_a_draw_is_found_by_its_number_its_day_and_its_title_in_both_languages() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/lotto/purchase", json!({"draw_no": 1246, "sets": 2})).await.ok();
    let headline = household.post("/api/lotto/briefing", Value::Null).await.ok()["headline_en"].clone();
    household.post("/api/lotto/report", Value::Null).await.ok();
    house.operator.publish(1246, [3, 11, 17, 24, 38, 44], 9, Stage::Complete);
    house.clock.set("2026-10-18T03:00:00Z".parse().unwrap());
    // The index follows what is written a moment later.
    while household.get("/api/search?q=1246&kind=lottery_review").await.ok()["results"] == json!([]) {}

    let all = ["lottery_briefing", "lottery_report", "lottery_review"];
    for (q, kinds) in [
        ("1246", all.to_vec()),
        ("1246회", all.to_vec()),
        ("draw 1246", all.to_vec()),
        // The day of the draw, as people write it.
        ("2026-10-17", all.to_vec()),
        ("10월 17일", all.to_vec()),
        ("10월17일", all.to_vec()),
        ("october 17 2026", all.to_vec()),
        ("주간 리포트 1246", vec!["lottery_report"]),
        ("weekly report 1246", vec!["lottery_report"]),
        ("복기 1246", vec!["lottery_review"]),
        ("review 1246", vec!["lottery_review"]),
        ("브리핑 1246", vec!["lottery_briefing"]),
        (headline.as_str().unwrap(), vec!["lottery_briefing"]),
        ("1299", vec![]),
    ] {
        let asked = reqwest::Url::parse_with_params("http://house/api/search", [("q", q), ("limit", "500")]).unwrap();
        let found = household.get(&format!("/api/search?{}", asked.query().unwrap())).await.ok();
        let of_draw = |hit: &&Value| all.iter().any(|kind| hit["kind"] == *kind) && hit["number"] == 1246;
        let hits = found["results"].as_array().unwrap().iter().filter(of_draw);
        let mut said: Vec<&str> = hits.map(|hit| hit["kind"].as_str().unwrap()).collect();
        said.sort_unstable();
        assert_eq!(said, kinds, "{q}");
    }
    for (path, of) in [("briefing", "draw_no"), ("review", "draw_no"), ("report", "drw_no")] {
        assert_eq!(household.get(&format!("/api/lotto/{path}/1246")).await.ok()[of], 1246, "{path}");
        for unknown in ["1", "18446744073709551615"] {
            household.get(&format!("/api/lotto/{path}/{unknown}")).await.refused(404, "NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn a_search_without_words_of_an_unknown_kind_or_of_too_much_is_refused() {
    let house = House::open().await;
    let household = house.household();
    for query in
        ["", "?q=", "?q=%20", "?q=a&limit=501", "?q=a&offset=-1", "?q=a&done=perhaps", "?q=a&tag=", "?q=a&tag=x&tag=y"]
    {
        household.get(&format!("/api/search{query}")).await.refused(422, "INVALID_INPUT");
    }
    household.get("/api/search?q=a&kind=nothing").await.refused(422, "INVALID_INPUT");
    let unknown = household.get("/api/search?q=a&kind=nothing").await.json();
    assert!(unknown["fields"]["kind"].as_str().unwrap().contains("lottery_report"), "{unknown}");
    let long = "a".repeat(201);
    household.get(&format!("/api/search?q={long}")).await.refused(422, "INVALID_INPUT");
    let most = household.get(&format!("/api/search?q={}&limit=500", "a".repeat(200))).await.ok();
    assert_eq!(most["total"], 0);
}

#[tokio::test]
async fn done_todos_are_found_beside_more_open_ones_than_one_answer_holds() {
    let house = House::open().await;
    let household = house.household();
    let done = household.post("/api/todos", json!({"title": "약 사기 끝난 것", "done": true})).await.ok();
    for number in 0..51 {
        household.post("/api/todos", json!({"title": format!("약 {number}")})).await.ok();
    }
    let asked =
        async |more: &str| household.get(&format!("/api/search?q=%EC%95%BD&kind=todo&limit=50{more}")).await.ok();
    let found = asked("&done=true").await;
    assert_eq!((&found["total"], &found["results"][0]["id"]), (&json!(1), &done["id"]));
    assert_eq!((&asked("").await["total"], &asked("&done=false").await["total"]), (&json!(52), &json!(51)));
}

#[tokio::test]
async fn what_is_changed_deleted_or_restored_is_found_as_it_is() {
    let house = House::open().await;
    let household = house.household();
    let found = async |word: &str| {
        let url = reqwest::Url::parse_with_params("http://house/api/search", [("q", word)]).unwrap();
        let found = complete(&household, &format!("/api/search?{}", url.query().unwrap())).await;
        found["total"].as_u64().unwrap()
    };
    let kept = household.post("/api/todos", json!({"title": "수도계량기 점검"})).await.ok();
    let snapshot = household.post("/api/system/backups", Value::Null).await.ok()["name"].clone();
    household.put(&format!("/api/todos/{}", kept["id"]), json!({"title": "가스계량기 점검"})).await.ok();
    let other = household.post("/api/todos", json!({"title": "전기계량기 점검"})).await.ok();
    assert_eq!((found("수도").await, found("가스").await, found("계량기").await), (0, 1, 2));
    household.delete(&format!("/api/todos/{}", other["id"])).await.ok();
    assert_eq!((found("전기").await, found("계량기").await), (0, 1));
    let restore = format!("/api/system/backups/{}/restore", snapshot.as_str().unwrap());
    household.post(&restore, Value::Null).await.ok();
    until(&household, "/api/search?q=%EC%88%98%EB%8F%84", |found| found["complete"] == true).await;
    assert_eq!((found("수도").await, found("가스").await, found("계량기").await), (1, 0, 1));
}

#[tokio::test]
async fn the_system_and_its_measures_say_how_the_search_is() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/todos", json!({"title": "유리창 닦기"})).await.ok();
    household.get("/api/search?q=%EC%9C%A0%EB%A6%AC").await.ok();
    let system = household.get("/api/system").await.ok();
    assert_eq!((&system["search"]["documents"], &system["search"]["trouble"]), (&json!(1), &Value::Null));
    let checks = system["health"]["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["name"] == "index" && check["ok"] == true), "{checks:?}");
    let measures = house.anonymous().get("/metrics").await.text;
    assert!(measures.contains("hanok_search_documents 1\n"), "{measures}");
}

#[test]
fn the_index_is_made_anew_by_command_and_the_doctor_says_how_it_is() {
    let installation = Installation::with_a_house();
    assert_eq!(installation.run(&["reindex"]).ok(), "the next start makes the search index anew\n");
    let (appliance, _) = installation.serve();
    let made = installation.run(&["reindex", "--json"]).json();
    assert_eq!((made["documents"].is_u64(), &made["is_being_made"]), (true, &json!(false)), "{made}");
    assert!(installation.run(&["reindex"]).ok().contains("found by words"));
    let found = installation.run(&["doctor"]).said();
    assert!(found.contains(" things are found by words"), "{found}");
    assert_eq!(appliance.end().0, 0);
}

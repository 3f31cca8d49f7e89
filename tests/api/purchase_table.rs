//! Purchases to and from a table for spreadsheets.

use hanok::base::Error;
use serde_json::{Value, json};

use crate::house::{Caller, House};

const TABLE: &str = "draw_no,numbers,note\n1246,1 2 3 4 5 6 / 7 8 9 10 11 12,=동네\n1245,4 5 25 28 32 42,\n";

async fn total(house: &House) -> Value {
    house.household().get("/api/lotto/purchase").await.ok()["total"].clone()
}

/// Writes a table down and waits for its end. Gives what became of it: written down, left out, prizes.
async fn import(house: &House, text: &str, repeated: Option<&str>) -> Value {
    let household = house.household();
    let accepted = household.post("/api/lotto/purchase/import", json!({"text": text, "repeated": repeated})).await;
    assert_eq!(accepted.status, 202, "{accepted:?}");
    household.rest().await;
    let jobs = household.get("/api/system/jobs").await.ok()["jobs"].clone();
    let task = jobs.as_array().unwrap().iter().find(|task| task["id"] == accepted.json()["task_id"]).unwrap().clone();
    assert_eq!((&task["status"], &task["progress"]), (&json!("succeeded"), &json!(100)), "{task}");
    let localized = &task["localized"];
    let parts = localized["params"]["all"].as_array().cloned().unwrap_or_else(|| vec![localized.clone()]);
    // What did not happen is not said.
    let count = |name: &str| parts.iter().find_map(|part| part["params"][name].as_u64()).unwrap_or(0);
    json!([count("added"), count("left_out"), count("prizes")])
}

async fn export(house: &House) -> String {
    house.household().get("/api/lotto/purchase/export?language=en").await.ok()["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_table_is_looked_at_first_then_written_at_once_and_comes_out_the_same() {
    let house = House::open().await;
    let household = house.household();
    let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": TABLE})).await.ok();
    assert_eq!(preview["lines"].as_array().unwrap().len(), 2);
    assert_eq!((&preview["lines"][0]["line"], &preview["lines"][0]["count"]), (&json!(2), &json!(2)));
    assert_eq!(total(&house).await, 0, "looking writes nothing");

    assert_eq!(import(&house, TABLE, None).await, json!([2, 0, 0]));
    let purchases = household.get("/api/lotto/purchase").await.ok()["purchases"].clone();
    assert_eq!(purchases[0]["note"], "=동네");
    assert_eq!((&purchases[1]["status"], &purchases[1]["results"][0]["rank"]), (&json!("checked"), &json!(1)));

    let table = export(&house).await;
    assert!(table.starts_with('\u{feff}') && table.contains(",'=동네,"), "{table}");
    let other = House::open().await;
    import(&other, &table, None).await;
    let columns = |table: String| -> Vec<Vec<String>> {
        table.lines().map(|line| line.split(',').take(7).map(str::to_owned).collect()).collect()
    };
    assert_eq!(columns(export(&other).await), columns(table));
}

#[tokio::test]
async fn a_table_with_a_bad_line_writes_nothing_and_says_which() {
    let house = House::open().await;
    let text = format!("{TABLE}1245,1 2 3 4 5 46,\n99999,1 2 3 4 5 6,\n");
    let preview = house.household().post("/api/lotto/purchase/import/preview", json!({"text": text})).await.ok();
    let refused: Vec<Value> =
        preview["refused"].as_array().unwrap().iter().map(|one| json!([one["line"], one["reason"]])).collect();
    assert_eq!(refused, [json!([4, "numbers"]), json!([5, "draw"])]);
    let answer = house.household().post("/api/lotto/purchase/import", json!({"text": text})).await;
    answer.refused(409, "CONFLICT");
    assert!(answer.json()["message"].as_str().unwrap().contains("line 4"), "{answer:?}");
    assert_eq!(total(&house).await, 0);
}

#[tokio::test]
async fn what_is_written_already_or_stands_twice_is_asked_back() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/lotto/purchase", json!({"draw_no": 1245, "numbers": [42, 32, 28, 25, 5, 4]})).await.ok();
    let text = format!("{TABLE}1246,7 8 9 10 11 12 / 6 5 4 3 2 1,=동네\n");
    let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": text})).await.ok();
    let repeated: Vec<Value> = preview["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["written_as"], one["same_as_line"]]))
        .collect();
    assert_eq!(repeated, [json!([null, null]), json!([1, null]), json!([null, 2])]);
    household.post("/api/lotto/purchase/import", json!({"text": text})).await.refused(409, "CONFLICT");
    assert_eq!(total(&house).await, 1);
    assert_eq!(import(&house, &text, Some("leave_out")).await, json!([1, 2, 0]));
    assert_eq!(import(&house, &text, Some("leave_out")).await, json!([0, 3, 0]));
    assert_eq!(import(&house, &text, Some("add")).await, json!([3, 0, 0]));
}

#[tokio::test]
async fn games_of_other_purchases_are_counted_in_lines_that_say_something_else_as_a_whole() {
    let house = House::open().await;
    let household = house.household();
    let bought = json!({"draw_no": 1246, "sets": [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]});
    household.post("/api/lotto/purchase", bought).await.ok();
    // One of the bought games, both of them as they stand, another draw, and a set that stands in two lines.
    let text = "draw_no,numbers\n1246,6 5 4 3 2 1\n1246,1 2 3 4 5 6 / 7 8 9 10 11 12\n1247,1 2 3 4 5 6\n\
                1247,1 2 3 4 5 6 / 20 21 22 23 24 25\n";
    let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": text})).await.ok();
    let known: Vec<&Value> = preview["lines"].as_array().unwrap().iter().map(|line| &line["known_games"]).collect();
    assert_eq!(known, [1, 0, 0, 1]);
    assert_eq!((&preview["known_games"], &preview["repeated"]), (&json!(2), &json!(1)));
}

#[tokio::test]
async fn two_imports_of_one_table_at_the_same_time_write_it_once() {
    let house = House::open().await;
    let household = house.household();
    let begin = async || {
        let body = json!({"text": TABLE, "repeated": "leave_out"});
        household.post("/api/lotto/purchase/import", body).await.status.as_u16()
    };
    let (one, other) = tokio::join!(begin(), begin());
    // The second is refused while the first one is written, and finds it written after that.
    assert!([one, other].contains(&202) && [one, other].iter().all(|status| [202, 409].contains(status)));
    household.rest().await;
    assert_eq!(total(&house).await, 2);
}

#[tokio::test]
async fn a_prize_that_was_entered_in_the_table_is_shown_and_taken_over() {
    let house = House::open().await;
    let household = house.household();
    let preview = async |text: &str| {
        let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": text})).await.ok();
        let says = |one: &Value| json!([one["prize"], one["written_as"], one["written_prize"], one["same_as_line"]]);
        preview["lines"].as_array().unwrap().iter().map(says).collect::<Vec<_>>()
    };
    let prizes = async || {
        let purchases = household.get("/api/lotto/purchase").await.ok()["purchases"].clone();
        purchases.as_array().unwrap().iter().map(|one| one["prize"].clone()).collect::<Vec<_>>()
    };
    let bundle = "draw_no,count,prize\n1245,5,\n";
    assert_eq!(import(&house, bundle, None).await, json!([1, 0, 0]));

    let won = "draw_no,count,prize\n1245,5,50000\n";
    assert_eq!(preview(won).await, [json!([50_000, 1, null, null])]);
    assert_eq!(import(&house, won, Some("leave_out")).await, json!([0, 1, 0]));
    assert_eq!(prizes().await, [Value::Null]);
    assert_eq!(import(&house, won, Some("take_prizes")).await, json!([0, 1, 1]));
    assert_eq!(prizes().await, [50_000]);
    // Then it says the same, and a line without a prize takes none away.
    assert_eq!(preview(won).await, [json!([50_000, 1, 50_000, null])]);
    assert_eq!(import(&house, bundle, Some("take_prizes")).await, json!([0, 1, 0]));
    assert_eq!(prizes().await, [50_000]);

    // Each purchase is paired once: what has its prize first, and what finds none is one of its own.
    let two = "draw_no,count,prize\n1245,5,5000\n1245,5,50000\n1245,5,50000\n";
    assert_eq!(
        preview(two).await,
        [json!([5_000, null, null, null]), json!([50_000, 1, 50_000, null]), json!([50_000, null, null, 3])]
    );
    assert_eq!(import(&house, two, Some("take_prizes")).await, json!([1, 2, 0]));
    assert_eq!(prizes().await, [5_000, 50_000]);
}

#[tokio::test]
async fn while_a_table_is_written_the_next_hears_of_that_and_not_of_its_own_lines() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let many: String = (0..20_000).map(|line| format!("1240,1,{line}\n")).collect();
    let first = json!({"text": format!("draw_no,count,note\n{many}")});
    let (go_on, waits) = std::sync::mpsc::channel::<()>();
    assert_eq!(household.post("/api/lotto/purchase/import", first.clone()).await.status, 202);
    let store = house.appliance.app().data.store.clone();
    let holds = async { store.write(move |_| waits.recv().map_err(Error::internal)).await.unwrap() };
    let asks = async {
        let refused = json!({"text": "draw_no,count\nmany,1\n"});
        let repeated = json!({"text": "draw_no,count\n1240,1\n1240,1\n"});
        for table in [first, refused, repeated] {
            let answer = household.post("/api/lotto/purchase/import", table).await;
            answer.refused(409, "CONFLICT");
            assert_eq!(answer.json()["localized"]["message_key"], "lottery.import_under_way");
        }
        go_on.send(()).unwrap();
    };
    tokio::join!(holds, asks);
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn a_table_of_many_lines_is_sent_whole_and_what_it_says_twice_is_found_wherever_it_stands() {
        let house = House::open().await;
        let household = house.household();
        // Ordinary data: two bundles in a draw, of which one won.
        let two = "draw_no,count,amount,prize\n1240,5,5000,\n1240,5,5000,5000\n";
        assert_eq!(import(&house, two, None).await, json!([2, 0, 0]));
        // Longer than other bodies may be.
        let note = "나무 ".repeat(160);
        let lines: String = (0..1_200).map(|line| format!("1246,1 2 3 4 5 6,{line} {note}\n")).collect();
        let text = format!("draw_no,numbers,note\n{lines}1246,6 5 4 3 2 1,0 {note}\n");
        assert!(text.len() > 1 << 20, "{}", text.len());
        let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": text})).await.ok();
        assert_eq!((&preview["count"], &preview["repeated"]), (&json!(1_201), &json!(1)));
        let shown = preview["lines"].as_array().unwrap();
        assert_eq!((shown.len(), &shown[99]["line"], &shown[99]["same_as_line"]), (100, &json!(1_202), &json!(2)));
        assert_eq!(import(&house, &text, Some("leave_out")).await, json!([1_200, 1, 0]));
        assert_eq!(total(&house).await, 1_202);
        // What comes out goes in again and adds nothing.
        assert_eq!(import(&house, &export(&house).await, Some("leave_out")).await, json!([0, 1_202, 0]));

        let endless = "draw_no,count\n".to_owned() + &"1246,1\n".repeat(50_001);
        let preview = household.post("/api/lotto/purchase/import/preview", json!({"text": endless})).await.ok();
        let refused = &preview["refused"][0];
        assert_eq!((&refused["reason"], &refused["line"]), (&json!("too_many"), &json!(50_002)));
        household.post("/api/lotto/purchase/import", json!({"text": endless})).await.refused(409, "CONFLICT");
        let larger = json!({"text": "x".repeat(17 << 20)});
        household.post("/api/lotto/purchase/import/preview", larger.clone()).await.refused(413, "TOO_LARGE");
        household.post("/api/lotto/purchase/import", larger).await.refused(413, "TOO_LARGE");
        assert_eq!(total(&house).await, 1_202);
    }
}

//! The lottery: the figures that must come out, the same seed twice, tickets and what they won.

use hanok::ops::lottery::LotterySettings;
use serde_json::{Value, json};

use crate::house::{Caller, House};

fn close(value: &Value, expected: f64, within: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= within)
}

#[tokio::test]
async fn a_first_start_without_network_knows_draw_1245() {
    let house = House::open_with(|config| {
        config.set(LotterySettings { operator: "http://127.0.0.1:9".to_owned(), ..LotterySettings::default() });
    })
    .await;
    let latest = house.household().get("/api/lotto/latest").await.ok();
    assert_eq!(latest["draw_no"], 1245);
    assert_eq!(latest["date"], "2026-10-10");
    assert_eq!(latest["numbers"], json!([4, 5, 25, 28, 32, 42]));
    assert_eq!(latest["bonus"], 12);
    assert_eq!(latest["next_draw"]["draw_no"], 1246);
    assert_eq!(latest["next_draw"]["sales_close_at"], "2026-10-17T11:00:00Z");
    assert_eq!(house.household().get("/api/lotto/draws?limit=1").await.ok()["total"], 1245);
}

#[tokio::test]
async fn the_statistics_have_the_known_figures() {
    let house = House::open().await;
    let stats = house.household().get("/api/lotto/stats").await.ok();
    assert_eq!(stats["draws"], 1245);
    assert_eq!(stats["numbers"].as_array().unwrap().len(), 45);
    assert!(close(&stats["uniformity"]["chi_square"], 33.058, 0.0005), "{}", stats["uniformity"]);
    assert_eq!(stats["uniformity"]["degrees_of_freedom"], 44);
    assert!(close(&stats["payback"]["ratio"], 0.5, 0.001), "{}", stats["payback"]);
    let one_in = |rank: usize| &stats["odds"]["ranks"][rank - 1]["one_in"];
    assert!(close(one_in(1), 8_145_060.0, 0.0));
    assert!(close(one_in(2), 1_357_510.0, 1e-6));
    assert!(close(one_in(3), 8_145_060.0 / 228.0, 1e-6));
    assert!(close(one_in(4), 8_145_060.0 / 11_115.0, 1e-9));
    assert!(close(one_in(5), 8_145_060.0 / 182_780.0, 1e-9));
}

#[tokio::test]
async fn the_same_seed_gives_the_same_recommendation_in_two_houses() {
    let (one, other) = (House::open().await, House::open().await);
    for path in [
        "/api/lotto/recommend?recent_window=60&recent_weight=0.7&avoid_recent_k=2&seed=20261017",
        "/api/lotto/recommend/combined?seed=20261017",
    ] {
        let mut answers = Vec::new();
        for house in [&one, &other] {
            let mut answer = house.household().get(path).await.ok();
            answer.as_object_mut().unwrap().remove("elapsed_ms");
            answers.push(answer.to_string());
        }
        assert_eq!(answers[0], answers[1]);
    }
    let simulate = "/api/admin/simulate?n_candidates=5000&top_k=20&best_n=5&seed=7";
    let (first, second) = (
        one.household().post(simulate, Value::Null).await.ok(),
        other.household().post(simulate, Value::Null).await.ok(),
    );
    assert_eq!((&first["seed"], &first["candidates"], &first["exact"]), (&json!(7), &json!(5000), &json!(false)));
    assert_eq!(first["top"], second["top"]);
    assert_eq!(first["top"].as_array().unwrap().len(), 20);
}

#[tokio::test]
async fn a_recommendation_avoids_recent_numbers_and_is_kept_in_the_history() {
    let house = House::open().await;
    let household = house.household();
    let path = "/api/lotto/recommend?recent_window=50&recent_weight=0.5&avoid_recent_k=1";
    let given = household.get(path).await.ok();
    let numbers = given["numbers"].as_array().unwrap();
    assert!(numbers.is_sorted_by_key(|number| number.as_u64()), "{given}");
    assert!(numbers.iter().all(|number| ![4, 5, 25, 28, 32, 42].contains(&number.as_u64().unwrap())), "{given}");
    let set: Vec<String> = numbers.iter().map(Value::to_string).collect();
    let asked = household.get(&format!("/api/lotto/co-winners?numbers={}", set.join(","))).await.ok();
    assert_eq!(given["co_winners"], asked["co_winners"], "no estimate of a set with a popular pattern: {given}");
    assert_eq!(given["based_on_draw"], 1245);
    assert!(!given["reasons"].as_array().unwrap().is_empty());

    let history = household.get("/api/history").await.ok();
    assert_eq!((&history["total"], &history["history"][0]["numbers"]), (&json!(1), &given["numbers"]));
    household.delete(&format!("/api/history/{}", given["history_id"])).await.ok();
    assert_eq!(household.get("/api/history").await.ok()["total"], 0);
    household.delete(&format!("/api/history/{}", given["history_id"])).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_ticket_of_a_known_draw_is_checked_at_once_and_every_page_agrees() {
    let house = House::open().await;
    let household = house.household();
    let sets = json!([[4, 5, 25, 28, 32, 12], [4, 5, 25, 1, 2, 3], [10, 11, 13, 14, 15, 16]]);
    let kept = household.post("/api/lotto/purchase", json!({"draw_no": 1245, "sets": sets, "note": "동네 가게"})).await;
    assert_eq!(kept.status, 201);
    let kept = kept.json();
    assert_eq!((&kept["status"], &kept["amount"]), (&json!("checked"), &json!(3000)));
    let draw = household.get("/api/lotto/latest").await.ok();
    let second = draw["prizes"][1]["prize_each"].as_u64().unwrap();
    let prize = second + 5000;
    assert_eq!(kept["results"][0]["rank"], 2);
    assert_eq!(kept["results"][1]["rank"], 5);
    assert_eq!(kept["prize"], prize);

    let stats = household.get("/api/lotto/purchase/stats").await.ok();
    assert_eq!((&stats["total_games"], &stats["total_invested"]), (&json!(3), &json!(3000)));
    assert_eq!((&stats["total_prize"], &stats["net"]), (&json!(prize), &json!(prize - 3000)));
    let personal = household.get("/api/lotto/analysis/personal").await.ok();
    assert_eq!((&personal["total_analyzed"], &personal["number_frequency"]["4"]), (&json!(3), &json!(2)));

    let changed = household.put(&format!("/api/lotto/purchase/{}", kept["id"]), json!({"note": "시장 앞"})).await.ok();
    assert_eq!((&changed["note"], &changed["sets"]), (&json!("시장 앞"), &kept["sets"]));
    household.delete(&format!("/api/lotto/purchase/{}", kept["id"])).await.ok();
    assert_eq!(household.get("/api/lotto/purchase").await.ok()["total"], 0);
}

#[tokio::test]
async fn refused_numbers_are_named_one_by_one() {
    let house = House::open().await;
    let refused =
        house.household().post("/api/lotto/purchase", json!({"draw_no": 1246, "sets": [[1, 2, 3, 4, 5, 46]]})).await;
    refused.refused(422, "INVALID_INPUT");
    assert!(
        refused.json()["fields"].as_object().unwrap().keys().any(|path| path.starts_with("sets[0]")),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_bulk_purchase_keeps_every_set_with_its_tier() {
    let house = House::open().await;
    let household = house.household();
    let sets = json!([[1, 9, 17, 25, 33, 41], [2, 10, 18, 26, 34, 42], [3, 11, 19, 27, 35, 43]]);
    let bulk = json!({"draw_no": 1246, "tier_mode": "core", "sets": sets, "amount": 3000});
    let kept = household.post("/api/lotto/purchase/bulk", bulk).await;
    assert_eq!(kept.status, 201, "{}", kept.text);
    let stats = household.get("/api/lotto/purchase/stats").await.ok();
    assert_eq!(
        (&stats["total_games"], &stats["total_invested"], &stats["waiting"]),
        (&json!(3), &json!(3000), &json!(1))
    );
    let refused = json!({"draw_no": 1246, "tier_mode": "everything", "sets": 3, "amount": 3000});
    household.post("/api/lotto/purchase/bulk", refused).await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn a_household_can_ask_about_its_own_numbers() {
    let house = House::open().await;
    let household = house.household();
    let far = household.get("/api/lotto/co-winners?numbers=14,21,27,33,41,44").await.ok();
    assert!(far["co_winners"]["ratio"].as_f64() < Some(0.95), "{far}");
    assert!(far["payback"].as_f64() > far["average_payback"].as_f64(), "{far}");
    let crowded = household.get("/api/lotto/co-winners?numbers=3,9,14,22,28,35").await.ok();
    assert!(crowded["co_winners"]["ratio"].as_f64() > Some(1.0), "{crowded}");
    assert!(crowded["payback"].as_f64() < crowded["average_payback"].as_f64(), "{crowded}");
    let line = household.get("/api/lotto/co-winners?numbers=7,14,21,28,35,42").await.ok();
    assert_eq!(line["patterns"][0]["code"], "even_steps");
    assert_eq!((&line["co_winners"], &line["payback"]), (&Value::Null, &Value::Null), "no estimate of it holds");
    let none = household.get("/api/lotto/co-winners").await;
    none.refused(422, "INVALID_INPUT");
    assert_eq!(none.json()["fields"], json!({"numbers": "is required"}));
    let document = household.get("/api/openapi.json").await.ok();
    assert_eq!(document["paths"]["/api/lotto/co-winners"]["get"]["parameters"][0]["required"], true);
    for wrong in ["?numbers=1,2,3", "?numbers=1,2,3,4,5,5", "?numbers=one", "?numbers=1,2,3,4,5,6,7"] {
        household.get(&format!("/api/lotto/co-winners{wrong}")).await.refused(422, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn of_many_wrong_sets_the_first_ten_are_named_and_how_many_there_are_beside() {
    let house = House::open().await;
    let set = json!([0, 2, 3, 4, 5, 6]);
    let purchase = json!({"draw_no": 1246, "sets": vec![set; 60]});
    let refused = house.household().post("/api/lotto/purchase", purchase).await;
    refused.refused(422, "INVALID_INPUT");
    let refused = refused.json();
    let named: Vec<_> = refused["fields"].as_object().unwrap().keys().collect();
    let first: Vec<String> = (0..10).map(|place| format!("sets[{place}][0]")).collect();
    assert_eq!(named, first.iter().collect::<Vec<_>>());
    assert!(refused["message"].as_str().unwrap().ends_with("; and 50 more"), "{refused}");
}

#[tokio::test]
async fn a_bulk_that_does_not_fit_its_tier_is_refused() {
    let house = House::open().await;
    let bulk = json!({"draw_no": 1246, "tier_mode": "core", "sets": 5});
    let refused = house.household().post("/api/lotto/purchase/bulk", bulk).await;
    refused.refused(422, "INVALID_INPUT");
    assert_eq!(refused.json()["fields"]["sets"], "must be 3, as many as the tiers have");
    assert_eq!(house.household().get("/api/lotto/purchase").await.ok()["total"], 0);
}

#[tokio::test]
async fn performance_says_plainly_that_no_method_beats_chance() {
    let house = House::open().await;
    let performance = house.household().get("/api/lotto/stats/performance").await.ok();
    assert!(close(&performance["expected_correct"], 0.8, 1e-12));
    assert!(performance["avg_correct_interval"]["low"].as_f64() < Some(0.8), "{performance}");
    assert!(performance["vs_random"]["low"].as_f64() < Some(0.0), "{performance}");
    assert!(!performance["sentence_ko"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn literal_paths_win_over_parameters() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let made = household.post("/api/lotto/report", Value::Null).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(household.get("/api/lotto/report/latest").await.ok()["target_drw_no"], 1246);
    assert_eq!(household.get("/api/lotto/report/1246").await.ok()["target_drw_no"], 1246);
    assert_eq!(household.get("/api/lotto/report/history").await.ok()["reports"][0]["drw_no"], 1246);
    household.get("/api/lotto/report/1247").await.refused(404, "NOT_FOUND");
    assert!(household.get("/api/lotto/purchase/stats").await.ok()["total_games"].is_u64());
    assert_eq!(household.get("/api/lotto/recommend/combined/history").await.ok()["history"], json!([]));
    assert!(household.get("/api/lotto/review/history").await.ok()["reviews"].is_array());
}

#[tokio::test]
async fn a_compute_host_that_is_away_is_said_with_503() {
    let house = House::open_with(|config| config.compute.address = "127.0.0.1:9".to_owned()).await;
    let household = house.household();
    let path = "/api/lotto/recommend?recent_window=50&recent_weight=0.5&avoid_recent_k=3";
    let recommended = household.get(path).await;
    recommended.refused(503, "NAS_UNAVAILABLE");
    let simulated = household.post("/api/admin/simulate", Value::Null).await;
    simulated.refused(503, "NAS_UNAVAILABLE");
    assert_eq!(recommended.json()["localized"], simulated.json()["localized"], "each says what went wrong");
    assert_eq!(household.get("/api/lotto/latest").await.ok()["draw_no"], 1245);
}

#[tokio::test]
async fn what_was_made_anew_is_listed_with_its_time_and_can_be_asked_for() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    for (kind, sets) in [("report", "recommended_sets"), ("briefing", "tiers")] {
        let made = household.post(&format!("/api/lotto/{kind}"), Value::Null).await.json();
        let again = household.post(&format!("/api/lotto/{kind}"), Value::Null).await.json();
        let path = format!("/api/lotto/{kind}/1246");
        let now = household.get(&path).await.ok();
        assert_eq!(now, again);
        assert_eq!(now, household.get(&format!("/api/lotto/{kind}/latest")).await.ok());
        let replaced = now["replaced"].as_array().unwrap();
        assert_eq!(replaced.len(), made["replaced"].as_array().unwrap().len() + 1);
        let at = if kind == "report" { &made["generated_at"] } else { &made["created_at"] };
        assert_eq!(&replaced[0]["made_at"], at);

        let before = household.get(&format!("{path}?replaced={}", replaced[0]["id"])).await.ok();
        assert_eq!((&before[sets], &before["seed"]), (&made[sets], &made["seed"]));
        assert_ne!(before[sets], now[sets]);
        assert_eq!(before["replaced"], now["replaced"]);
        household.get(&format!("{path}?replaced=9999")).await.refused(404, "NOT_FOUND");
        household.get(&format!("{path}?replaced=0")).await.refused(422, "INVALID_INPUT");
    }
}

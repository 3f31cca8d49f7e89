//! What the household spends in a month, and the limit that it sets for itself.

use serde_json::{Value, json};

use crate::house::{Caller, House, Household};

async fn months(household: &Household<'_>) -> Value {
    household.get("/api/lotto/purchase/months").await.ok()
}

async fn set_limit(household: &Household<'_>, limit: &str) -> Value {
    let revision = household.get("/api/system/settings").await.ok()["revision"].clone();
    household
        .put("/api/system/settings/lottery.monthly_limit", json!({"value": limit, "revision": revision}))
        .await
        .ok()
}

#[tokio::test]
async fn a_monthly_limit_holds_as_soon_as_it_is_set_and_refuses_nothing() {
    let house = House::open().await;
    let household = house.household();
    assert_eq!(
        months(&household).await,
        json!({"months": [], "total": 0, "this_month": {"month": "2026-10", "invested": 0, "limit": null}})
    );

    let settings = set_limit(&household, "20000").await;
    let row = settings["settings"].as_array().unwrap().iter().find(|row| row["key"] == "lottery.monthly_limit");
    assert_eq!((&row.unwrap()["value"], &row.unwrap()["source"]), (&json!("20000"), &json!("file")));
    assert!(!settings["next"].to_string().contains("monthly_limit"), "{}", settings["next"]);
    household.post("/api/lotto/purchase", json!({"draw_no": 1246, "sets": 20})).await.ok();
    let over = || async { household.get("/api/today").await.ok()["purchases_over_limit"].clone() };
    assert_eq!(over().await, Value::Null, "as much as was set is not more");
    household.post("/api/lotto/purchase/bulk", json!({"tier_mode": "core"})).await.ok();
    let spent = json!({"month": "2026-10", "invested": 23_000, "limit": 20_000});
    assert_eq!((&over().await, &months(&household).await["this_month"]), (&spent, &spent));

    let house = house.restart().await;
    let household = house.household();
    assert_eq!(months(&household).await["this_month"], spent);
    set_limit(&household, "0").await;
    assert_eq!(months(&household).await["this_month"]["limit"], Value::Null);
    assert_eq!(household.get("/api/today").await.ok()["purchases_over_limit"], Value::Null);
}

#[tokio::test]
async fn the_months_come_in_pages_and_a_table_and_a_ticket_count_as_what_is_typed_does() {
    let house = House::open().await;
    let household = house.household();
    // Held on 12 September 2026, and bought on 10 October for the 17th.
    let table = "draw_no,count,prize\n1241,2,5000\n";
    household.post("/api/lotto/purchase/import", json!({"text": table})).await.ok();
    household.rest().await;
    let ticket = json!({"draw_no": 1246, "numbers": [1, 2, 3, 4, 5, 6], "ticket": "1246-1288760331"});
    household.post("/api/lotto/purchase", ticket).await.ok();
    let all = months(&household).await;
    let october = json!({"month": "2026-10", "invested": 1_000, "waiting_invested": 1_000, "prize": 0,
        "invested_so_far": 3_000, "prize_so_far": 5_000});
    let september = json!({"month": "2026-09", "invested": 2_000, "waiting_invested": 0, "prize": 5_000,
        "invested_so_far": 2_000, "prize_so_far": 5_000});
    assert_eq!((&all["months"], &all["total"]), (&json!([october, september]), &json!(2)));
    let second = household.get("/api/lotto/purchase/months?limit=1&offset=1").await.ok();
    assert_eq!((&second["months"], &second["total"]), (&json!([september]), &json!(2)));
    household.get("/api/lotto/purchase/months?limit=501").await.refused(422, "INVALID_INPUT");
}

//! The live events of a house.

use serde_json::json;

use crate::house::{Caller, House};

#[tokio::test]
async fn a_quiet_house_says_again_and_again_that_it_is_well() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let mut events = household.events().await;
    for _ in 0..2 {
        assert_eq!(events.until("beat", |_| true).await, json!({}));
    }
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    events.until("changed", |data| data["what"] == "todos").await;
}

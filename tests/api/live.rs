//! The live events of a house.

use std::time::Instant;

use serde_json::json;

use crate::house::{Caller, House};

/// For the long suite.
mod long {
    use super::*;

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

    #[tokio::test]
    async fn a_stream_says_for_how_long_nothing_has_changed_before_it() {
        let house = House::open().await;
        let household = house.household();
        household.rest().await;
        let (mut events, _) = household.greeted().await;
        let before = Instant::now();
        household.post("/api/todos", json!({"title": "우유"})).await.ok();
        events.until("changed", |data| data["what"] == "todos").await;
        // A beat comes after two seconds in which nothing was told.
        events.until("beat", |_| true).await;
        let (_, hello) = household.greeted().await;
        let quiet = u128::from(hello["quiet_ms"].as_u64().unwrap());
        assert!((1_990..=before.elapsed().as_millis()).contains(&quiet), "{quiet}");
    }
}

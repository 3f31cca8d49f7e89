//! Purchases that were read from a ticket.

use serde_json::json;

use crate::house::{Caller, House};

#[tokio::test]
async fn a_ticket_is_written_down_once() {
    let house = House::open().await;
    let household = house.household();
    let ticket = json!({"draw_no": 1246, "sets": [[1, 7, 15, 24, 33, 45]], "ticket": "1246-1288760331"});
    let first = household.post("/api/lotto/purchase", ticket.clone()).await.ok();
    assert_eq!(first["ticket"], "1246-1288760331");
    household.post("/api/lotto/purchase", ticket.clone()).await.refused(409, "CONFLICT");
    let (one, other) = tokio::join!(
        household.post("/api/lotto/purchase", json!({"draw_no": 1246, "count": 1, "ticket": "1246-1288760332"})),
        household.post("/api/lotto/purchase", json!({"draw_no": 1246, "count": 1, "ticket": "1246-1288760332"})),
    );
    assert_eq!(one.status.min(other.status).as_u16(), 201);
    assert_eq!(one.status.max(other.status).as_u16(), 409);
    assert_eq!(household.get("/api/lotto/purchase").await.ok()["total"], 2);
    // What was deleted may be written down again.
    household.delete(&format!("/api/lotto/purchase/{}", first["id"])).await.ok();
    household.post("/api/lotto/purchase", ticket).await.ok();
    for number in ["1246", "1246-12887603", "1246-128876033x", "12460-1288760331", ""] {
        let bad = json!({"draw_no": 1246, "count": 1, "ticket": number});
        household.post("/api/lotto/purchase", bad).await.refused(422, "INVALID_INPUT");
    }
}

//! What the document says of purchases beyond their types: which fields exclude each other, and so what one may be.

use serde_json::{Value, json};

use super::super::model::TierMode;

/// A purchase names its games in one way: sets, one set, or how many.
pub fn document_rules() -> Value {
    let ways = [sets(), numbers(), number_of_games("count"), number_of_games("sets")];
    let unchanged = json!({"title": "the games stay", "properties": nothing_in(&["sets", "numbers", "count"])});
    let changes: Vec<Value> = [unchanged].into_iter().chain(ways.clone()).collect();
    let bulks = TierMode::ALL.map(bulk);
    json!({
        "lottery.NewPurchase": {
            "oneOf": ways,
            "examples": [{"draw_no": 1245, "numbers": [1, 2, 3, 4, 5, 6], "note": "동네 가게"}],
        },
        "lottery.PurchaseChanges": {"oneOf": changes, "examples": [{"count": 3, "prize": 5_000}]},
        "lottery.TableToImport": {"examples": [{"text": "draw_no,count\n1245,1\n", "repeated": "add"}]},
        "lottery.NewBulk": {"oneOf": bulks, "examples": [{"tier_mode": TierMode::ALL.last()}]},
    })
}

/// As many games as the tiers have.
fn bulk(tier_mode: TierMode) -> Value {
    let games = tier_mode.games();
    let sets = json!({"type": "array", "minItems": games, "maxItems": games});
    let sets = json!({"anyOf": [{"type": "null"}, {"type": "integer", "minimum": games, "maximum": games}, sets]});
    json!({"title": tier_mode, "properties": {"tier_mode": {"enum": [tier_mode]}, "sets": sets}})
}

fn sets() -> Value {
    let mut properties = nothing_in(&["numbers", "count", "prize"]);
    properties["sets"] = json!({"type": "array"});
    json!({"title": "sets that were kept", "required": ["sets"], "properties": properties})
}

fn numbers() -> Value {
    let mut properties = nothing_in(&["sets", "count", "prize"]);
    properties["numbers"] = json!({"type": "array"});
    json!({"title": "one set that was kept", "required": ["numbers"], "properties": properties})
}

fn number_of_games(field: &str) -> Value {
    let others: Vec<&str> = ["sets", "numbers", "count"].into_iter().filter(|other| *other != field).collect();
    let mut properties = nothing_in(&others);
    properties[field] = json!({"type": "integer"});
    json!({"title": format!("a number of games, in {field}"), "required": [field], "properties": properties})
}

/// Fields that are left out or null.
fn nothing_in(fields: &[&str]) -> Value {
    fields.iter().map(|field| ((*field).to_owned(), json!({"type": "null"}))).collect()
}

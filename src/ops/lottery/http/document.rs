//! What the document says of purchases beyond their types: ranges, and which fields exclude each other.

use serde_json::{Value, json};

use super::super::model::purchase_limits::{LAST_DRAW, LONGEST_NOTE, MOST_AMOUNT, MOST_GAMES, MOST_PRIZE, MOST_SETS};
use hanok_platform::http::openapi;

/// What the document says of requests beyond their types.
pub fn document_rules() -> Value {
    let set = json!({
        "type": "array", "minItems": 6, "maxItems": 6, "uniqueItems": true,
        "items": {"type": "integer", "minimum": 1, "maximum": 45},
    });
    let count = json!({"minimum": 1, "maximum": MOST_GAMES});
    let games = json!({"oneOf": [
        {"description": "How many games, when the numbers were not kept.", "type": "integer", "minimum": 1, "maximum": MOST_GAMES},
        {"description": "The sets.", "type": "array", "minItems": 1, "maxItems": MOST_SETS, "items": set},
    ]});
    let mut one_set = set.clone();
    one_set["type"] = json!(["array", "null"]);
    let common = json!({
        "draw_no": {"minimum": 1, "maximum": LAST_DRAW},
        "amount": {"minimum": 0, "maximum": MOST_AMOUNT},
        "note": {"maxLength": LONGEST_NOTE, "pattern": openapi::TEXT},
    });
    let mut fields = common.clone();
    fields["numbers"] = one_set;
    fields["count"] = count;
    fields["prize"] = json!({"minimum": 0, "maximum": MOST_PRIZE});
    let ways = [sets(), numbers(), number_of_games("count"), number_of_games("sets")];
    let unchanged = json!({"title": "the games stay", "properties": nothing_in(&["sets", "numbers", "count"])});
    let changes: Vec<Value> = [unchanged].into_iter().chain(ways.clone()).collect();
    json!({
        "Games": games,
        "NewPurchase": {"properties": fields, "oneOf": ways},
        "PurchaseChanges": {"properties": fields, "oneOf": changes},
        "NewBulk": {"properties": common},
    })
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

//! Requests that are taken apart field by field.

use serde_json::{Value, json};

use super::*;
use hanok_base::list::List;

#[test]
fn a_list_is_read_entry_by_entry_and_none_is_kept_that_its_type_does_not_keep() {
    // Of a text that ends in the middle, the entries before are read all the same.
    let cut = RawJson::Once("[1, \"two\", 3", 0);
    let said = Vec::<u64>::deserialize(cut).unwrap_err().to_string();
    assert_eq!(plainly(&said), "must be a whole number", "{said}");
    let long = format!("[{}1]", "7,".repeat(100_000));
    let list = List::<u64, 3>::deserialize(RawJson::Once(&long, 0)).unwrap();
    assert_eq!((list.sent(), list.into_kept().count()), (100_001, 3));
}

/// What is kept of the fields of `{"a":0,…}` with so many names, each there so often.
fn fields(names: usize, times: usize) -> Result<usize, String> {
    let pairs: Vec<String> = (0..names * times).map(|pair| format!("\"k{}\":0", pair % names)).collect();
    let text = format!("{{{}}}", pairs.join(","));
    let read: serde_json::Result<Fields<'_>> = serde_json::from_str(&text);
    read.map(|Fields(kept)| kept.len()).map_err(|error| error.to_string())
}

#[test]
fn of_an_object_no_name_is_kept_twice_and_no_more_than_any_type_could_ask_for() {
    assert_eq!(fields(1, 100_000), Ok(1));
    assert_eq!(fields(MOST_NAMES, 2), Ok(MOST_NAMES));
    let said = fields(MOST_NAMES + 1, 1).unwrap_err();
    assert_eq!(plainly(&said), "must be an object of at most 1000 fields", "{said}");
    let value = Value::deserialize(RawJson::Once(r#"{"a": 1, "\u0061": 2}"#, 0)).unwrap_err().to_string();
    assert_eq!(plainly(&value), "is there twice");
}

#[test]
fn a_list_of_another_length_is_refused_by_the_length_that_it_must_have() {
    for text in ["[1, 2]", "[1, 2, 3, 4]"] {
        let said = <[u64; 3]>::deserialize(RawJson::Once(text, 0)).unwrap_err().to_string();
        assert_eq!(plainly(&said), "must be a list of 3", "{text}: {said}");
    }
}

#[test]
fn a_whole_number_is_the_same_value_however_it_is_written() {
    for (sent, value) in [("5.0", json!(5)), ("-5", json!(-5)), ("-5.0", json!(-5)), ("-5e0", json!(-5))] {
        let read = Value::deserialize(RawJson::Once(sent, 0)).unwrap();
        assert_eq!((&read, read.is_f64()), (&value, false), "{sent}");
    }
}

#[test]
fn a_field_of_a_form_that_was_left_empty_clears_what_can_be_cleared_and_is_refused_elsewhere() {
    use hanok_base::patch::{NullablePatch, Patch};
    use hanok_base::text::Text;

    #[derive(serde::Deserialize)]
    struct Change {
        note: NullablePatch<Text<0, 9>>,
        title: Patch<Text<1, 9>>,
    }
    let fields = parameters("note=&title=").into_iter().map(|(name, value)| (name, value.or_null()));
    let change = Change::deserialize(MapDeserializer::new(fields)).unwrap();
    assert!(matches!(change.note.into_sent(), Some(None)));
    assert!(change.title.into_sent().is_some_and(|title| title.checked().is_err()));
    let kept = Change::deserialize(MapDeserializer::new(parameters("note=&title=a").into_iter())).unwrap();
    assert!(kept.note.is_set(), "in an address an empty parameter is an empty text");
}

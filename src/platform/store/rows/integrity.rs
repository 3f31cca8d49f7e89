//! What is wrong with tables: one line each, in words, with what helps against it.

use std::fmt::Debug;

use serde::Serialize;
use serde_json::Value;

use hanok_base::{Error, Kind, Message, MessageTemplate, Result};

/// Rows that nothing can be made of.
const ROWS_UNREADABLE: MessageTemplate = MessageTemplate::new(
    "house.rows_unreadable",
    "rows that cannot be read are not derived from anything; `hanok restore NAME` goes back to a snapshot from before it \
     (`hanok backup --list`): {lines}",
);
/// What was derived is not what would be derived now.
const DERIVED_UNFIT: MessageTemplate = MessageTemplate::new(
    "house.derived_unfit",
    "what is derived from the rows does not fit them; `hanok verify --rebuild` derives it anew: {lines}",
);

/// What is wrong with tables, one line each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IntegrityErrors {
    /// Rows that cannot be read or lie under another key, and what cannot be compared with them therefore: no deriving
    /// helps, a snapshot from before it does.
    pub of_rows: Vec<String>,
    /// What is derived from rows and is not what they give: it can be derived anew.
    pub of_derived: Vec<String>,
}

impl IntegrityErrors {
    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.of_rows.is_empty() && self.of_derived.is_empty()
    }

    /// Every line.
    pub fn all(self) -> Vec<String> {
        [self.of_rows, self.of_derived].concat()
    }

    /// With what is wrong elsewhere.
    pub(super) fn and(mut self, other: IntegrityErrors) -> IntegrityErrors {
        self.of_rows.extend(other.of_rows);
        self.of_derived.extend(other.of_derived);
        self
    }

    /// # Errors
    /// `INTERNAL` naming what is wrong, when anything is, and the cure of each part.
    pub fn none(self) -> Result<()> {
        let cures = [(ROWS_UNREADABLE, self.of_rows), (DERIVED_UNFIT, self.of_derived)];
        let wrong = cures.into_iter().filter(|(_, lines)| !lines.is_empty());
        let said: Vec<_> = wrong.map(|(cure, lines)| cure.with([("lines", lines.join("; ").into())])).collect();
        if said.is_empty() { Ok(()) } else { Err(Error::new(Kind::Internal, Message::all(said))) }
    }
}

/// A key in words: its parts one after the other.
pub(super) fn key_in_words(key: &impl Debug) -> String {
    let text = format!("{key:?}");
    text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(&text).to_owned()
}

/// What should be somewhere and what is there, in words; none: nothing.
pub(super) fn expected_and_found<T: Serialize>(expected: Option<&T>, found: Option<&T>) -> String {
    let words = |value: Option<&T>| match value.map(serde_json::to_value) {
        None => "nothing".to_owned(),
        Some(Ok(value)) => in_words(&value),
        Some(Err(error)) => format!("what cannot be shown ({error})"),
    };
    format!("expected is {}, but found is {}", words(expected), words(found))
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "an entry".to_owned(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{} {}", name.replace('_', " "), in_words(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_and_values_are_said_in_words() {
        assert_eq!(key_in_words(&(7, "seven")), "7, \"seven\"");
        assert_eq!(key_in_words(&7), "7");
        let totals = json!({ "sets": 5, "cost_won": 5000, "draws": [1245, 1246] });
        let said = "expected is cost won 5000, draws 1245 1246, sets 5, but found is nothing";
        assert_eq!(expected_and_found(Some(&totals), None), said);
        assert_eq!(expected_and_found(None, Some(&())), "expected is nothing, but found is an entry");
    }

    #[test]
    fn a_cure_is_named_only_where_it_helps() {
        let lines = || vec!["todos-1: 7 cannot be read".to_owned()];
        let said = |flaws: IntegrityErrors| flaws.none().unwrap_err().message;
        let rows = said(IntegrityErrors { of_rows: lines(), ..IntegrityErrors::default() });
        assert!(rows.contains("hanok restore NAME") && !rows.contains("--rebuild"), "{rows}");
        let derived = said(IntegrityErrors { of_derived: lines(), ..IntegrityErrors::default() });
        assert!(!derived.contains("hanok restore") && derived.contains("--rebuild"), "{derived}");
        IntegrityErrors::default().none().unwrap();
    }
}

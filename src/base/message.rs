//! Sentences that people read, declared where they are said: a key, and what they say in English. A browser says them from
//! its catalogues by key and values (the `messages.json` of the section that the key begins with); whoever reads
//! no catalogue (the command line, the log, a program) reads the English.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::schema::{Array, BasicType, Components, Object, OneOf, RefOr, Schema, ToSchema};

/// A sentence as it is declared. In its English `{name}` stands for a value, and `{name|one|many}` for the first form when
/// the value is one, and the second otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageTemplate {
    key: &'static str,
    english: &'static str,
}

impl MessageTemplate {
    /// The sentence `key`, whose first part is the section that says it, and what it says in English.
    pub const fn new(key: &'static str, english: &'static str) -> MessageTemplate {
        MessageTemplate { key, english }
    }

    /// By what a browser finds it.
    pub const fn key(self) -> &'static str {
        self.key
    }

    /// It said with these values.
    pub fn with<const COUNT: usize>(self, values: [(&'static str, MessageArg); COUNT]) -> Message {
        let values = BTreeMap::from(values.map(|(name, value)| (name.to_owned(), value)));
        let text = filled(self.english, &values);
        Message { text, localized: Some(Box::new(LocalizedMessage { key: self.key.to_owned(), values })) }
    }
}

/// Several sentences, one after the other.
const ALL: MessageTemplate = MessageTemplate::new("house.all", "{all}");

/// What is said: its English, and how a browser says it when it is declared. Only [`Message::english`] makes one that no
/// browser can say in its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub(super) text: String,
    pub(super) localized: Option<Box<LocalizedMessage>>,
}

impl Message {
    /// What is said in English whatever the reader's language: for the command line, the log and programs. Where somebody at
    /// a browser may read it, declare a [`MessageTemplate`].
    pub fn english(text: impl Into<String>) -> Message {
        Message { text: text.into(), localized: None }
    }

    /// All of `parts`, one after the other; one alone is said as it is.
    pub fn all(parts: impl IntoIterator<Item = Message>) -> Message {
        let mut parts: Vec<Message> = parts.into_iter().collect();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let (texts, localized): (Vec<String>, Vec<Option<LocalizedMessage>>) =
            parts.into_iter().map(|said| (said.text, said.localized.map(|localized| *localized))).unzip();
        match localized.into_iter().collect() {
            Some(localized) => {
                Message { text: texts.join("; "), ..ALL.with([("all", MessageArg::Several(localized))]) }
            }
            None => Message::english(texts.join("; ")),
        }
    }

    /// The English.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How a browser says it.
    pub fn localized(&self) -> Option<&LocalizedMessage> {
        self.localized.as_deref()
    }

    /// The English, and how a browser says it.
    pub fn into_parts(self) -> (String, Option<LocalizedMessage>) {
        (self.text, self.localized.map(|localized| *localized))
    }
}

impl From<MessageTemplate> for Message {
    fn from(sentence: MessageTemplate) -> Self {
        sentence.with([])
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::ops::Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, text: &str) -> bool {
        self.text == text
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

/// A sentence as a browser says it: its key in the catalogues, and the values for its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LocalizedMessage {
    /// The section that says it, a point, and its name there.
    #[serde(rename = "message_key", alias = "key")]
    pub key: String,
    /// The values by the names of their places. `data_dir` is no place: it is the folder, quoted for a shell, that every
    /// `hanok` command of the sentence is for.
    #[serde(rename = "params", alias = "values", default)]
    pub values: BTreeMap<String, MessageArg>,
}

impl LocalizedMessage {
    /// The same, for a browser that is told the data folder, which the commands that it offers are for.
    pub fn placed(mut self, folder: &str) -> LocalizedMessage {
        for value in self.values.values_mut() {
            if let MessageArg::Several(parts) = value {
                *parts = parts.drain(..).map(|part| part.placed(folder)).collect();
            }
        }
        self.values.insert("data_dir".to_owned(), folder.into());
        self
    }
}

/// A value in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MessageArg {
    /// A number that a browser can hold.
    Number(u64),
    /// What is the same in every language.
    Text(String),
    /// A name in both languages.
    Named {
        /// In Korean.
        ko: String,
        /// In English.
        en: String,
    },
    /// Sentences, one after the other.
    Several(Vec<LocalizedMessage>),
}

/// The largest whole number that a browser tells from its neighbours.
const LARGEST_NUMBER: u64 = (1 << 53) - 1;

impl From<u64> for MessageArg {
    fn from(number: u64) -> Self {
        if number <= LARGEST_NUMBER { MessageArg::Number(number) } else { MessageArg::Text(number.to_string()) }
    }
}

impl From<u32> for MessageArg {
    fn from(number: u32) -> Self {
        MessageArg::Number(number.into())
    }
}

impl From<u16> for MessageArg {
    fn from(number: u16) -> Self {
        MessageArg::Number(number.into())
    }
}

impl From<usize> for MessageArg {
    fn from(number: usize) -> Self {
        (number as u64).into()
    }
}

impl From<String> for MessageArg {
    fn from(text: String) -> Self {
        MessageArg::Text(text)
    }
}

impl From<&str> for MessageArg {
    fn from(text: &str) -> Self {
        MessageArg::Text(text.to_owned())
    }
}

/// Korean, then English.
impl From<(&str, &str)> for MessageArg {
    fn from((ko, en): (&str, &str)) -> Self {
        MessageArg::Named { ko: ko.to_owned(), en: en.to_owned() }
    }
}

impl fmt::Display for MessageArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageArg::Number(number) => write!(f, "{number}"),
            MessageArg::Text(text) | MessageArg::Named { en: text, .. } => f.write_str(text),
            MessageArg::Several(_) => Ok(()),
        }
    }
}

impl ToSchema for MessageArg {
    fn to_schema(_components: &mut Components) -> RefOr<Schema> {
        let text = || Object::with_type(BasicType::String);
        let named = Object::new().property("ko", text()).property("en", text()).required("ko").required("en");
        let number = Object::with_type(BasicType::Integer).minimum(0.0);
        OneOf::new().item(number).item(text()).item(named).item(Array::new().items(Object::new())).into()
    }
}

/// `english` with the values in their places; a place without a value stays visible.
fn filled(english: &str, values: &BTreeMap<String, MessageArg>) -> String {
    let mut text = String::new();
    let mut rest = english;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((place, behind)) = behind.split_once('}') else { break };
        text.push_str(before);
        let mut forms = place.split('|');
        let value = forms.next().and_then(|name| values.get(name)).map(ToString::to_string);
        match (value, forms.next(), forms.next()) {
            (Some(value), Some(one), Some(many)) => text.push_str(if value == "1" { one } else { many }),
            (Some(value), ..) => text.push_str(&value),
            (None, ..) => text.extend(["{", place, "}"]),
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: MessageTemplate = MessageTemplate::new("plants.dry", "{plant} is dry since {days} {days|day|days}");

    #[test]
    fn a_sentence_is_said_in_english_and_by_its_key_and_values() {
        let said = FOUND.with([("plant", ("고무나무", "The rubber tree").into()), ("days", 1u32.into())]);
        assert_eq!(said, "The rubber tree is dry since 1 day");
        let localized = serde_json::to_value(said.localized()).unwrap();
        let values = serde_json::json!({"days": 1, "plant": {"ko": "고무나무", "en": "The rubber tree"}});
        assert_eq!(localized, serde_json::json!({"message_key": "plants.dry", "params": values}));
        assert_eq!(serde_json::from_value::<LocalizedMessage>(localized).ok().as_ref(), said.localized());
        let many = FOUND.with([("plant", "{days}".into()), ("days", 3u32.into())]);
        assert_eq!(many, "{days} is dry since 3 days", "a value is no place of its own");
        assert_eq!(Message::from(FOUND), "{plant} is dry since {days} {days|day|days}");
    }

    #[test]
    fn several_are_spoken_when_each_of_them_is() {
        let one = || FOUND.with([("plant", "A".into()), ("days", 1u32.into())]);
        let all = Message::all([one(), one()]);
        assert_eq!(all, "A is dry since 1 day; A is dry since 1 day");
        assert_eq!(all.localized().map(|localized| localized.key.as_str()), Some("house.all"));
        assert_eq!(Message::all([one()]), one(), "one alone stands for itself");
        let mixed = Message::all([one(), Message::english("found by hand")]);
        assert_eq!((mixed.text(), mixed.localized()), ("A is dry since 1 day; found by hand", None));
    }

    #[test]
    fn a_number_that_a_browser_cannot_hold_is_sent_as_text() {
        assert_eq!(MessageArg::from(u64::MAX), MessageArg::Text("18446744073709551615".to_owned()));
        assert_eq!(MessageArg::from(7u64), MessageArg::Number(7));
    }
}

//! What was answered, held against the questions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::Answer;
use super::address::check_email;
use super::kind::{Question, QuestionKind, Questionnaire};
use hanok_base::message::{Message, MessageArg};
use hanok_base::schema::{Array, BasicType, Components, Object, OneOf, RefOr, Schema, ToSchema};
use hanok_base::text::{Line, Text};
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_base::{MessageTemplate, validation_messages};

const ONE_OF: MessageTemplate = MessageTemplate::new("questionnaire.must.one_of", "must be one of the options");
const ONE: MessageTemplate = MessageTemplate::new("questionnaire.must.one", "must be one answer, as text");
const COUNT: MessageTemplate =
    MessageTemplate::new("questionnaire.must.count", "must be {least} to {most} answers, not {count}");
const TEXTS: MessageTemplate = MessageTemplate::new("questionnaire.must.texts", "must be a list of texts");
const TWICE: MessageTemplate = MessageTemplate::new("questionnaire.must.different", "must not say one answer twice");
const ONE_OTHER: MessageTemplate =
    MessageTemplate::new("questionnaire.must.one_other", "must have at most one text that is none of the options");
const AT_LEAST: MessageTemplate = MessageTemplate::new("questionnaire.must.at_least", "must be {least} or more");
const AT_MOST: MessageTemplate = MessageTemplate::new("questionnaire.must.at_most", "must be {most} or less");
const SCALE: MessageTemplate = MessageTemplate::new("questionnaire.must.scale", "must be a whole number from 1 to 5");

/// In a form, the value of the option beside which a text is typed. No option of a file begins so.
pub const FREE_TEXT: &str = "_other";
/// The longest text beside options, in characters.
const LONGEST_OTHER: u32 = 200;
/// The greatest number that is answered where the question says none: so far every whole number is exact.
const GREATEST: f64 = 1e15;

/// What was answered to a question.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerValue {
    /// A text, or the value of the one option that was chosen.
    Text(String),
    /// A number.
    Number(f64),
    /// Yes or no.
    YesNo(bool),
    /// The values of the options that were chosen, and at most one text beside them.
    Texts(Vec<String>),
}

/// An answer as it is sent, before it is held against its question.
#[derive(Debug, Clone, PartialEq)]
pub enum SentAnswer {
    /// It may be one.
    Value(AnswerValue),
    /// Null: it is not answered.
    Nothing,
    /// An object, or a list of something else than texts.
    Unfit,
}

impl Serialize for AnswerValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            AnswerValue::Text(text) => serializer.serialize_str(text),
            AnswerValue::Number(number) if number.fract() == 0.0 && number.abs() <= GREATEST => {
                serializer.serialize_i64(*number as i64)
            }
            AnswerValue::Number(number) => serializer.serialize_f64(*number),
            AnswerValue::YesNo(yes) => serializer.serialize_bool(*yes),
            AnswerValue::Texts(texts) => texts.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for AnswerValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match SentAnswer::deserialize(deserializer)? {
            SentAnswer::Value(value) => Ok(value),
            _ => Err(serde::de::Error::custom("an answer is text, a number, true or false, or a list of texts")),
        }
    }
}

impl ToSchema for AnswerValue {
    fn to_schema(_components: &mut Components) -> RefOr<Schema> {
        let of = Object::with_type;
        let texts = Array::new().items(of(BasicType::String));
        let one = OneOf::new().item(of(BasicType::String)).item(of(BasicType::Number));
        Schema::OneOf(one.item(of(BasicType::Boolean)).item(texts)).into()
    }
}

impl ToSchema for SentAnswer {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        AnswerValue::to_schema(components)
    }
}

impl<'de> Deserialize<'de> for SentAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyAnswer;
        impl<'de> Visitor<'de> for AnyAnswer {
            type Value = SentAnswer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an answer")
            }

            fn visit_bool<E>(self, yes: bool) -> Result<SentAnswer, E> {
                Ok(SentAnswer::Value(AnswerValue::YesNo(yes)))
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<SentAnswer, E> {
                self.visit_f64(number as f64)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<SentAnswer, E> {
                self.visit_f64(number as f64)
            }

            fn visit_i128<E: serde::de::Error>(self, number: i128) -> Result<SentAnswer, E> {
                self.visit_f64(number as f64)
            }

            fn visit_f64<E>(self, number: f64) -> Result<SentAnswer, E> {
                Ok(SentAnswer::Value(AnswerValue::Number(number)))
            }

            fn visit_str<E>(self, text: &str) -> Result<SentAnswer, E> {
                Ok(SentAnswer::Value(AnswerValue::Text(text.to_owned())))
            }

            fn visit_unit<E>(self) -> Result<SentAnswer, E> {
                Ok(SentAnswer::Nothing)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SentAnswer, A::Error> {
                let (mut texts, mut is_fit) = (Vec::new(), true);
                while let Some(entry) = list.next_element::<SentAnswer>()? {
                    match entry {
                        SentAnswer::Value(AnswerValue::Text(text)) => texts.push(text),
                        _ => is_fit = false,
                    }
                }
                Ok(if is_fit { SentAnswer::Value(AnswerValue::Texts(texts)) } else { SentAnswer::Unfit })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SentAnswer, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(SentAnswer::Unfit)
            }
        }
        deserializer.deserialize_any(AnyAnswer)
    }
}

impl Question {
    /// What was answered to it; `sent` is none where nothing was.
    ///
    /// # Errors
    /// What the answer must be.
    pub fn answered(&self, sent: Option<SentAnswer>) -> Result<Answer, Message> {
        let value = match sent {
            None | Some(SentAnswer::Nothing) => None,
            Some(SentAnswer::Unfit) => return Err(self.another_kind()),
            Some(SentAnswer::Value(value)) => self.taken(value)?,
        };
        if value.is_none() && self.required {
            return Err(validation_messages::PRESENT.into());
        }
        let chosen = match (&value, self.kind) {
            (Some(AnswerValue::Text(text)), QuestionKind::Choice) => self.option(text).cloned().into_iter().collect(),
            (Some(AnswerValue::Texts(texts)), _) => {
                texts.iter().filter_map(|text| self.option(text).cloned()).collect()
            }
            _ => Vec::new(),
        };
        Ok(Answer { key: self.key.clone(), text: self.text.clone(), kind: self.kind, value, chosen })
    }

    /// The answer as it is kept; none where it says nothing.
    fn taken(&self, sent: AnswerValue) -> Result<Option<AnswerValue>, Message> {
        use AnswerValue as Value;
        use QuestionKind as Kind;
        match (self.kind, sent) {
            (Kind::Text, Value::Text(text)) => self.text(text, Line::<0, 1_000>::check),
            (Kind::LongText, Value::Text(text)) => self.text(text, Text::<0, 10_000>::check),
            (Kind::Email, Value::Text(text)) => {
                self.text(text, |text| if text.trim().is_empty() { Ok(String::new()) } else { check_email(text) })
            }
            (Kind::Choice, Value::Text(text)) if self.option(&text).is_some() => Ok(Some(Value::Text(text))),
            (Kind::Choice, Value::Text(text)) if text.is_empty() => Ok(None),
            (Kind::Choice, Value::Text(text)) => self.free_text(text).map(|text| Some(Value::Text(text))),
            (Kind::Choices, Value::Texts(texts)) => self.texts(texts),
            (Kind::Scale, Value::Number(number)) => {
                let is_on = (1.0..=5.0).contains(&number) && number.fract() == 0.0;
                if is_on { Ok(Some(Value::Number(number))) } else { Err(SCALE.into()) }
            }
            (Kind::Number, Value::Number(number)) => self.number(number),
            (Kind::YesNo, Value::YesNo(yes)) => Ok(Some(Value::YesNo(yes))),
            _ => Err(self.another_kind()),
        }
    }

    fn another_kind(&self) -> Message {
        match self.kind {
            QuestionKind::Text | QuestionKind::LongText | QuestionKind::Email => validation_messages::TEXT.into(),
            QuestionKind::Choice => ONE.into(),
            QuestionKind::Choices => TEXTS.into(),
            QuestionKind::Scale => SCALE.into(),
            QuestionKind::Number => validation_messages::NUMBER.into(),
            QuestionKind::YesNo => validation_messages::TRUE_OR_FALSE.into(),
        }
    }

    fn text(
        &self,
        sent: String,
        check: impl FnOnce(String) -> Result<String, ValidationErrors>,
    ) -> Result<Option<AnswerValue>, Message> {
        let text = within(sent, self.longest(), check)?;
        Ok((!text.is_empty()).then_some(AnswerValue::Text(text)))
    }

    fn free_text(&self, sent: String) -> Result<String, Message> {
        if !self.other {
            return Err(ONE_OF.into());
        }
        let text = within(sent, LONGEST_OTHER, Line::<0, 1_000>::check)?;
        if text.is_empty() { Err(validation_messages::NOT_EMPTY.into()) } else { Ok(text) }
    }

    fn texts(&self, sent: Vec<String>) -> Result<Option<AnswerValue>, Message> {
        let (mut texts, mut others, count) = (Vec::new(), 0, sent.len());
        if count > self.most() {
            return Err(self.count(count));
        }
        for text in sent {
            let is_option = self.option(&text).is_some();
            let text = if is_option { text } else { self.free_text(text)? };
            others += usize::from(self.option(&text).is_none());
            if texts.contains(&text) {
                return Err(TWICE.into());
            }
            texts.push(text);
        }
        let is_too_few = count > 0 && count < self.min_count.unwrap_or(1) as usize;
        match (others > 1, is_too_few) {
            (true, _) => Err(ONE_OTHER.into()),
            (_, true) => Err(self.count(count)),
            _ => Ok((!texts.is_empty()).then_some(AnswerValue::Texts(texts))),
        }
    }

    fn most(&self) -> usize {
        self.max_count.map_or(self.options.len() + usize::from(self.other), |most| most as usize)
    }

    fn count(&self, count: usize) -> Message {
        let least: MessageArg = self.min_count.unwrap_or(u32::from(self.required)).into();
        COUNT.with([("least", least), ("most", self.most().into()), ("count", count.into())])
    }

    fn number(&self, number: f64) -> Result<Option<AnswerValue>, Message> {
        let (least, most) = (self.min.unwrap_or(-GREATEST), self.max.unwrap_or(GREATEST));
        if number < least {
            return Err(AT_LEAST.with([("least", least.to_string().into())]));
        }
        if number > most || number.is_nan() {
            return Err(AT_MOST.with([("most", most.to_string().into())]));
        }
        Ok(Some(AnswerValue::Number(number)))
    }
}

/// A text that passes `check` and has at most so many characters.
fn within(
    sent: String,
    most: u32,
    check: impl FnOnce(String) -> Result<String, ValidationErrors>,
) -> Result<String, Message> {
    let refused = |errors: ValidationErrors| {
        let first = errors.at("").next();
        first.map_or(validation_messages::TEXT.into(), |(_, must)| must)
    };
    let length = sent.chars().count();
    if length > most as usize {
        let bounds = [("least", 0u32.into()), ("most", most.into()), ("length", length.into())];
        return Err(validation_messages::LENGTH.with(bounds));
    }
    check(sent).map_err(refused)
}

/// The answers in the fields of a form: `responses.KEY`, `responses.KEY[0]` of several, and `responses.KEY.other` for the text
/// beside options. An empty field is not answered.
pub fn from_form<'f>(
    questionnaire: &Questionnaire,
    fields: impl Iterator<Item = (&'f str, &'f str)>,
) -> BTreeMap<String, SentAnswer> {
    let (mut values, mut others): (BTreeMap<&str, Vec<&str>>, BTreeMap<&str, &str>) = Default::default();
    for (name, value) in fields.filter(|(_, value)| !value.trim().is_empty()) {
        let Some(name) = name.strip_prefix("responses.") else { continue };
        match name.strip_suffix(".other") {
            Some(key) => drop(others.insert(key, value)),
            None => values.entry(name.split('[').next().unwrap_or(name)).or_default().push(value),
        }
    }
    let keys: BTreeSet<&str> = values.keys().chain(others.keys()).copied().collect();
    let typed = |key: &str| {
        let (chosen, other) = (values.get(key).map_or(&[][..], Vec::as_slice), others.get(key).copied());
        let kind = questionnaire.question(key).map_or(QuestionKind::Text, |question| question.kind);
        SentAnswer::Value(typed(kind, chosen, other))
    };
    keys.into_iter().map(|key| (key.to_owned(), typed(key))).collect()
}

fn typed(kind: QuestionKind, chosen: &[&str], other: Option<&str>) -> AnswerValue {
    let mut texts: Vec<String> =
        chosen.iter().filter(|text| **text != FREE_TEXT).map(|&text| text.to_owned()).collect();
    let is_choice = matches!(kind, QuestionKind::Choice | QuestionKind::Choices);
    if is_choice && (other.is_some() || chosen.contains(&FREE_TEXT)) {
        // Chosen without a text it is a text of blanks, which is refused where it is looked at.
        texts.push(other.unwrap_or(" ").to_owned());
    }
    let first = chosen.first().copied().unwrap_or_default();
    match kind {
        QuestionKind::Choices => AnswerValue::Texts(texts),
        QuestionKind::Choice if texts.len() == 1 => AnswerValue::Text(texts.remove(0)),
        QuestionKind::Choice => AnswerValue::Texts(texts),
        QuestionKind::YesNo if first == "yes" => AnswerValue::YesNo(true),
        QuestionKind::YesNo if first == "no" => AnswerValue::YesNo(false),
        QuestionKind::Scale | QuestionKind::Number => match first.trim().parse() {
            Ok(number) => AnswerValue::Number(number),
            Err(_) => AnswerValue::Text(first.to_owned()),
        },
        _ => AnswerValue::Text(first.to_owned()),
    }
}

//! A file of a questionnaire, read and held against its contract.
//!
//! ```toml
//! contact = "required"        # or "optional", "none"
//! public = true
//! title = { ko = "프로젝트 문의", en = "About your project" }
//! lead = { ko = "…", en = "…" }
//! thanks = { ko = "…", en = "…" }
//!
//! [[questions]]
//! key = "platforms"
//! text = { ko = "어디에서 쓰나요?", en = "Where is it used?" }
//! kind = "choices"            # text, long_text, choice, choices, scale, number, yes_no, email
//! required = true
//! other = true
//! max_count = 3
//! options = [
//!   { value = "web", ko = "웹", en = "Web" },
//!   { value = "phone", ko = "휴대폰", en = "Phone" },
//! ]
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::kind::{ChoiceOption, ContactMode, Question, QuestionKind, Questionnaire, Words};
use hanok_base::MessageTemplate;
use hanok_base::message::{Message, MessageArg};

/// A file that is not named as one is.
pub const FILE_NAME: MessageTemplate = MessageTemplate::new(
    "questionnaire.file_name",
    "must be named with 1 to 40 of a-z, 0-9 and -, such as feedback.toml",
);
/// A file that is too large.
pub const FILE_SIZE: MessageTemplate =
    MessageTemplate::new("questionnaire.file_size", "must be no larger than {bytes} bytes");
/// A file that the system does not give.
pub const FILE_UNREADABLE: MessageTemplate = MessageTemplate::new("questionnaire.file_unreadable", "cannot be read");
const SYNTAX: MessageTemplate =
    MessageTemplate::new("questionnaire.file_syntax", "is not written as it must be: {detail}");
const TEXT_LENGTH: MessageTemplate =
    MessageTemplate::new("questionnaire.file_text", "{what} must have 1 to {most} characters in Korean and in English");
const QUESTIONS: MessageTemplate =
    MessageTemplate::new("questionnaire.file_questions", "must have 1 to {most} questions, not {count}");
const KEY: MessageTemplate = MessageTemplate::new(
    "questionnaire.file_key",
    "the key '{key}' must be 1 to 40 of a-z, 0-9 and _, and begin with a letter",
);
const KEY_TWICE: MessageTemplate =
    MessageTemplate::new("questionnaire.file_key_twice", "the key '{key}' is there twice");
const OPTIONS: MessageTemplate = MessageTemplate::new(
    "questionnaire.file_options",
    "'{key}' must have {least} to {most} options, each with a value of its own of a-z, 0-9, - and _, and with its words in Korean and in English",
);
const UNFIT: MessageTemplate =
    MessageTemplate::new("questionnaire.file_unfit", "'{key}' has {what}, which goes with another kind of question");
const LIMITS: MessageTemplate = MessageTemplate::new(
    "questionnaire.file_limits",
    "'{key}' has limits that contradict each other or are out of bounds",
);

/// The largest file, in bytes.
pub const MOST_BYTES: u64 = 256 << 10;
const MOST_QUESTIONS: usize = 60;
const MOST_OPTIONS: usize = 50;
/// The greatest number that is asked for: so far every whole number is exact.
const GREATEST: f64 = 1e15;

/// A file that is not used, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct BrokenFile {
    /// Its name.
    pub file: String,
    /// The line where it is wrong, from 1; none where it is wrong as a whole.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub reason: Message,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    title: Words,
    lead: Words,
    thanks: Words,
    contact: ContactMode,
    #[serde(default)]
    public: bool,
    questions: Vec<QuestionText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionText {
    key: Spanned<String>,
    text: Words,
    #[serde(default)]
    hint: Words,
    kind: QuestionKind,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    options: Vec<ChoiceOption>,
    #[serde(default)]
    other: bool,
    max_length: Option<u32>,
    min_count: Option<u32>,
    max_count: Option<u32>,
    min: Option<f64>,
    max: Option<f64>,
}

/// Whether a questionnaire may be called so: 1 to 40 of `a-z`, `0-9` and `-`.
pub fn is_type(id: &str) -> bool {
    (1..=40).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// The questionnaire `id` as `text` writes it.
///
/// # Errors
/// What is wrong with it, and in which line.
pub fn parse(id: &str, text: &str) -> Result<Questionnaire, BrokenFile> {
    let broken = |at: Option<Range<usize>>, reason: Message| {
        let line = at.map(|at| text.as_bytes().iter().take(at.start).filter(|byte| **byte == b'\n').count() + 1);
        BrokenFile { file: format!("{id}.toml"), line, reason }
    };
    let file: FileText = toml::from_str(text)
        .map_err(|error| broken(error.span(), SYNTAX.with([("detail", error.message().into())])))?;
    for (what, words, most) in
        [("title", &file.title, 200), ("lead", &file.lead, 2_000), ("thanks", &file.thanks, 2_000)]
    {
        is_said(what, words, most).map_err(|reason| broken(None, reason))?;
    }
    let count = file.questions.len();
    if !(1..=MOST_QUESTIONS).contains(&count) {
        return Err(broken(None, QUESTIONS.with([("most", MOST_QUESTIONS.into()), ("count", count.into())])));
    }
    let mut keys = BTreeSet::new();
    let mut questions = Vec::new();
    for question in file.questions {
        let at = question.key.span();
        let question = question.checked().map_err(|reason| broken(Some(at.clone()), reason))?;
        if !keys.insert(question.key.clone()) {
            return Err(broken(Some(at), KEY_TWICE.with([("key", question.key.into())])));
        }
        questions.push(question);
    }
    let FileText { title, lead, thanks, contact, public, .. } = file;
    Ok(Questionnaire { id: id.to_owned(), title, lead, thanks, contact, public, questions })
}

impl QuestionText {
    /// It, where it keeps to the contract of its kind.
    fn checked(self) -> Result<Question, Message> {
        let QuestionText {
            key,
            text,
            hint,
            kind,
            required,
            options,
            other,
            max_length,
            min_count,
            max_count,
            min,
            max,
        } = self;
        let key = key.into_inner();
        let begins = key.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        let is_plain = key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !begins || !is_plain || key.len() > 40 {
            return Err(KEY.with([("key", key.into())]));
        }
        is_said(&key, &text, 300)?;
        if [&hint.ko, &hint.en].iter().any(|hint| hint.chars().count() > 500) {
            return Err(TEXT_LENGTH.with([("what", format!("{key}.hint").into()), ("most", 500u32.into())]));
        }
        let question =
            Question { key, text, hint, kind, required, options, other, max_length, min_count, max_count, min, max };
        question.fits()?;
        Ok(question)
    }
}

impl Question {
    fn fits(&self) -> Result<(), Message> {
        use QuestionKind::{Choice, Choices, LongText, Number, Text};
        let is_choice = matches!(self.kind, Choice | Choices);
        let unfit = |what: &str| UNFIT.with([("key", self.key.as_str().into()), ("what", what.into())]);
        let has = [
            (!self.options.is_empty() && !is_choice, "options"),
            (self.other && !is_choice, "other"),
            (self.max_length.is_some() && !matches!(self.kind, Text | LongText), "max_length"),
            (self.min_count.is_some() && self.kind != Choices, "min_count"),
            (self.max_count.is_some() && self.kind != Choices, "max_count"),
            (self.min.is_some() && self.kind != Number, "min"),
            (self.max.is_some() && self.kind != Number, "max"),
        ];
        if let Some((_, what)) = has.into_iter().find(|(is_there, _)| *is_there) {
            return Err(unfit(what));
        }
        if is_choice && !self.has_good_options() {
            let least: MessageArg = self.least_options().into();
            return Err(OPTIONS.with([
                ("key", self.key.as_str().into()),
                ("least", least),
                ("most", MOST_OPTIONS.into()),
            ]));
        }
        if self.has_good_limits() { Ok(()) } else { Err(LIMITS.with([("key", self.key.as_str().into())])) }
    }

    fn least_options(&self) -> usize {
        if self.other { 1 } else { 2 }
    }

    fn has_good_options(&self) -> bool {
        let is_value = |value: &str| {
            let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
            (1..=60).contains(&value.len()) && value.bytes().all(is_plain) && !value.starts_with(['-', '_'])
        };
        let is_word = |word: &str| !word.trim().is_empty() && word.chars().count() <= 200;
        let values: BTreeSet<&str> = self.options.iter().map(|option| option.value.as_str()).collect();
        (self.least_options()..=MOST_OPTIONS).contains(&self.options.len())
            && values.len() == self.options.len()
            && self.options.iter().all(|option| is_value(&option.value) && is_word(&option.ko) && is_word(&option.en))
    }

    fn has_good_limits(&self) -> bool {
        let longest = if self.kind == QuestionKind::LongText { 10_000 } else { 1_000 };
        let all = (self.options.len() + usize::from(self.other)) as u32;
        let most = self.max_count.unwrap_or(all.max(1));
        let is_number =
            |number: Option<f64>| number.is_none_or(|number| number.is_finite() && number.abs() <= GREATEST);
        self.max_length.is_none_or(|most| (1..=longest).contains(&most))
            && (self.kind != QuestionKind::Choices || (1..=all).contains(&most))
            && self.min_count.is_none_or(|least| (1..=most).contains(&least))
            && is_number(self.min)
            && is_number(self.max)
            && self.min.zip(self.max).is_none_or(|(least, most)| least <= most)
    }
}

fn is_said(what: &str, words: &Words, most: usize) -> Result<(), Message> {
    let is_said = |text: &str| !text.trim().is_empty() && text.chars().count() <= most;
    if is_said(&words.ko) && is_said(&words.en) {
        return Ok(());
    }
    Err(TEXT_LENGTH.with([("what", what.into()), ("most", most.into())]))
}

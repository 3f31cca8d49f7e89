//! A questionnaire: its texts, whom it asks for, and its questions.

use serde::{Deserialize, Serialize};

use hanok_base::Language;
use hanok_base::schema::ToSchema;

/// A text in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

impl Words {
    /// It in this language.
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::Ko => &self.ko,
            Language::En => &self.en,
        }
    }
}

/// Whether a questionnaire asks who answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactMode {
    /// Name and mail address must be given, the telephone may.
    Required,
    /// Each may be given.
    Optional,
    /// None is asked for.
    None,
}

/// What kind of answer a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// A text of one line.
    Text,
    /// A text of several lines.
    LongText,
    /// One of the options.
    Choice,
    /// Some of the options.
    Choices,
    /// A whole number from 1 to 5.
    Scale,
    /// A number.
    Number,
    /// true or false.
    YesNo,
    /// A mail address.
    Email,
}

/// An option of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceOption {
    /// As it is sent and kept.
    pub value: String,
    /// As it is shown in Korean.
    pub ko: String,
    /// As it is shown in English.
    pub en: String,
}

impl ChoiceOption {
    /// As it is shown in this language.
    pub fn label(&self, language: Language) -> &str {
        match language {
            Language::Ko => &self.ko,
            Language::En => &self.en,
        }
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Question {
    /// Its name among the answers.
    pub key: String,
    /// What is asked.
    pub text: Words,
    /// A word of help beside it; may be empty.
    pub hint: Words,
    /// What kind of answer it takes.
    pub kind: QuestionKind,
    /// Whether it must be answered.
    pub required: bool,
    /// What can be chosen; empty of other kinds, as below.
    pub options: Vec<ChoiceOption>,
    /// Whether a text that is none of the options may be given beside them.
    pub other: bool,
    /// The longest text, in characters.
    pub max_length: Option<u32>,
    /// The fewest options that are chosen, where it is answered at all.
    pub min_count: Option<u32>,
    /// The most options that are chosen.
    pub max_count: Option<u32>,
    /// The least number.
    pub min: Option<f64>,
    /// The greatest number.
    pub max: Option<f64>,
}

/// A questionnaire.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Questionnaire {
    /// Its name, by which it is addressed.
    #[serde(rename = "type")]
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// What stands before the questions.
    pub lead: Words,
    /// What is said when the answers have come in.
    pub thanks: Words,
    /// Whether it asks who answers it.
    pub contact: ContactMode,
    /// Whether it is listed.
    pub public: bool,
    /// Its questions, in order.
    pub questions: Vec<Question>,
}

impl Questionnaire {
    /// The question of this key.
    pub fn question(&self, key: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.key == key)
    }
}

impl Question {
    /// The longest text that answers it, in characters.
    pub fn longest(&self) -> u32 {
        let usual = match self.kind {
            QuestionKind::LongText => 2_000,
            QuestionKind::Email => 100,
            _ => 200,
        };
        self.max_length.unwrap_or(usual)
    }

    /// The option of this value.
    pub fn option(&self, value: &str) -> Option<&ChoiceOption> {
        self.options.iter().find(|option| option.value == value)
    }
}

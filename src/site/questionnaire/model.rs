//! Answers to questionnaires as they are kept, and their states.

mod address;
mod answers;
mod kind;
mod parse;
mod submission;
mod summary;
mod table;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::message::MessageArg;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Error, Language, MessageTemplate, Result};

pub use answers::{AnswerValue, FREE_TEXT, from_form};
pub use kind::{ChoiceOption, ContactMode, Question, QuestionKind, Questionnaire, Words};
pub use parse::{BrokenFile, FILE_NAME, FILE_SIZE, FILE_UNREADABLE, MOST_BYTES as MOST_FILE_BYTES, is_type, parse};
pub use submission::{NewResponse, QuestionnaireType, Submission};
pub use summary::{QuestionSummary, Summary};
pub use table::table;

const NOT_THAT_WAY: MessageTemplate = MessageTemplate::new(
    "questionnaire.not_that_way",
    "answers that are '{from}' cannot become '{to}'. They can become: {allowed}",
);

/// How far the shop is with somebody's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseStatus {
    /// They have come in.
    Submitted,
    /// Somebody has read them.
    Reviewed,
    /// Nothing more is done with them.
    Archived,
}

use ResponseStatus::*;

impl ResponseStatus {
    /// Every one, in order.
    pub const ALL: [ResponseStatus; 3] = [Submitted, Reviewed, Archived];

    /// The states that may follow it.
    pub fn next(self) -> &'static [ResponseStatus] {
        match self {
            Submitted => &[Reviewed],
            Reviewed => &[Archived],
            Archived => &[Reviewed],
        }
    }

    /// As a number by which it is found; stored, so it stays.
    pub fn number(self) -> u64 {
        match self {
            Submitted => 0,
            Reviewed => 1,
            Archived => 2,
        }
    }

    /// As it is spelled in an answer.
    pub fn code(self) -> &'static str {
        match self {
            Submitted => "submitted",
            Reviewed => "reviewed",
            Archived => "archived",
        }
    }

    /// What it is called in Korean and in English.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Submitted => ("접수", "Received"),
            Reviewed => ("검토 완료", "Reviewed"),
            Archived => ("보관", "Archived"),
        }
    }
}

/// Who sent answers, as far as the questionnaire asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// The name; empty where none was given, as with all that follow.
    pub name: String,
    /// The mail address.
    pub email: String,
    /// The telephone.
    pub phone: String,
}

/// How somebody came to a questionnaire.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResponseSource {
    /// The page that led there; empty where it is not known, as with all texts here.
    pub referrer: String,
    /// The source of a campaign's link.
    pub utm_source: String,
    /// Its medium.
    pub utm_medium: String,
    /// Its name.
    pub utm_campaign: String,
    /// How long the answers took, in seconds.
    pub completion_seconds: Option<u32>,
    /// What the browser calls itself.
    pub user_agent: String,
}

/// A question as it was asked, with what was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Answer {
    /// The key of the question.
    pub key: String,
    /// The question as it was asked.
    pub text: Words,
    /// What kind of question it was.
    pub kind: QuestionKind,
    /// What was answered; null where nothing was.
    pub value: Option<AnswerValue>,
    /// The options that were chosen, as they were shown. What of the answer is none of them was typed beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<ChoiceOption>,
}

/// Somebody's answers as they are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// Ever increasing, never reused.
    pub number: u64,
    /// By which it is known outside.
    pub id: String,
    /// Which questionnaire it answers.
    pub questionnaire: String,
    /// The number of that questionnaire.
    pub questionnaire_number: u64,
    /// What the questionnaire was called.
    pub title: Words,
    /// Who sent it.
    pub client: Client,
    /// The language in which it was answered.
    pub language: Language,
    /// Every question as it was asked, in order.
    pub answers: Vec<Answer>,
    /// How its sender came to it.
    pub source: ResponseSource,
    /// How far the shop is with it.
    pub status: ResponseStatus,
    /// What the shop has noted of it; its sender never sees that.
    pub admin_notes: String,
    /// When it came in.
    pub created_at: DateTime<Utc>,
    /// When it was last marked as reviewed.
    pub reviewed_at: Option<DateTime<Utc>>,
}

/// That answers have come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SubmittedResponse {
    /// Their id.
    pub id: String,
    /// Which questionnaire they answer.
    #[serde(rename = "type")]
    pub questionnaire: String,
    /// How far the shop is with them.
    pub status: ResponseStatus,
    /// When they came in.
    pub created_at: DateTime<Utc>,
}

/// What the desk changes of answers.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct ResponseChange {
    /// The state that they are moved to; left out it stays.
    pub status: Option<ResponseStatus>,
    /// What is noted of them; left out it stays.
    #[field(Text<0, 5000>, change)]
    pub admin_notes: Option<String>,
}

/// Notes of the desk in the form of its page.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct ResponseNotes {
    /// What is noted.
    #[field(Text<0, 5000>, default)]
    pub admin_notes: String,
}

impl Response {
    /// The mail address of its sender: the one of the contact, or what was answered where a mail address was asked for.
    pub fn email(&self) -> Option<&str> {
        email_of(&self.client, &self.answers)
    }

    /// It with this change, made at `now`.
    ///
    /// # Errors
    /// `CONFLICT` naming the states that it may be moved to.
    pub fn changed(mut self, change: ResponseChange, now: DateTime<Utc>) -> Result<Response> {
        if let Some(to) = change.status {
            self.status.admit(to)?;
            self.status = to;
            if to == Reviewed {
                self.reviewed_at = Some(now);
            }
        }
        self.admin_notes = change.admin_notes.unwrap_or(self.admin_notes);
        Ok(self)
    }
}

impl NewResponse {
    /// The mail address of its sender, as [`Response::email`].
    pub fn email(&self) -> Option<&str> {
        email_of(&self.client, &self.answers)
    }
}

fn email_of<'a>(client: &'a Client, answers: &'a [Answer]) -> Option<&'a str> {
    let answered = answers.iter().find_map(|answer| match (&answer.value, answer.kind) {
        (Some(AnswerValue::Text(text)), QuestionKind::Email) => Some(text.as_str()),
        _ => None,
    });
    Some(client.email.as_str()).filter(|email| !email.is_empty()).or(answered)
}

impl ResponseStatus {
    fn admit(self, to: ResponseStatus) -> Result<()> {
        if self.next().contains(&to) {
            return Ok(());
        }
        let all = |name: fn(ResponseStatus) -> &'static str| {
            self.next().iter().map(|status| name(*status)).collect::<Vec<_>>().join(", ")
        };
        let allowed = MessageArg::Named { ko: all(|status| status.names().0), en: all(|status| status.names().1) };
        let values = [("from", self.names().into()), ("to", to.names().into()), ("allowed", allowed)];
        Err(Error::conflict(NOT_THAT_WAY.with(values)))
    }
}

impl Answer {
    /// What was answered, as a text in `language`; the parts of a list are joined by `between`. Empty where nothing was.
    pub fn shown(&self, language: Language, between: &str) -> String {
        let label = |value: &String| {
            let option = self.chosen.iter().find(|option| option.value == *value);
            option.map_or(value.clone(), |option| option.label(language).to_owned())
        };
        match &self.value {
            None => String::new(),
            Some(AnswerValue::Text(text)) => label(text),
            Some(AnswerValue::Texts(texts)) => texts.iter().map(label).collect::<Vec<_>>().join(between),
            Some(AnswerValue::Number(number)) => number.to_string(),
            Some(AnswerValue::YesNo(yes)) => match (language, yes) {
                (Language::Ko, true) => "예",
                (Language::Ko, false) => "아니요",
                (Language::En, true) => "Yes",
                (Language::En, false) => "No",
            }
            .to_owned(),
        }
    }
}

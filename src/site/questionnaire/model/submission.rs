//! Answers as they are sent, and how they are held against their questionnaire.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::address::{EMAIL, PHONE, is_email, is_phone};
use super::answers::SentAnswer;
use super::kind::{ContactMode, Questionnaire};
use super::parse::is_type;
use super::{Answer, Client, ResponseSource};
use hanok_base::error::Check;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::text::{Line, Text};
use hanok_base::validated::{Constraint, IntRange, Unchecked, ValidationErrors};
use hanok_base::{Error, Kind, Language, MessageTemplate, Result, Validated, validation_messages};

const NOT_ASKED: MessageTemplate =
    MessageTemplate::new("questionnaire.must.not_asked", "is not asked for by this questionnaire");
const TOO_MUCH: MessageTemplate =
    MessageTemplate::new("questionnaire.too_much", "the answers must be no longer than {bytes} bytes together");

/// So long may the answers be together, in bytes.
pub const MOST_BYTES: usize = 64 << 10;

/// The name of a questionnaire: 1 to 40 of `a-z`, `0-9` and `-`.
pub enum QuestionnaireType {}

impl Constraint for QuestionnaireType {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        if is_type(&sent) { Ok(sent) } else { Err(validation_messages::KNOWN.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).pattern("^[a-z0-9-]{1,40}$").examples(["survey"]).into()
    }
}

/// The answers by the keys of their questions: each a text, a number, true or false, or a list of texts.
pub enum SentAnswers {}

impl Constraint for SentAnswers {
    type Input = BTreeMap<String, Validated<Unchecked<SentAnswer>>>;
    type Value = Self::Input;

    fn check(sent: Self::Input) -> Result<Self::Value, ValidationErrors> {
        Ok(sent)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        let any = SentAnswer::to_schema(components);
        Object::with_type(BasicType::Object).additional_properties(any).into()
    }
}

/// Answers as they are sent. Too long a text is refused, never cut.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Which questionnaire is answered.
    #[serde(rename = "type")]
    pub questionnaire: Validated<QuestionnaireType>,
    /// The name of who answers.
    #[serde(default)]
    pub client_name: Option<Validated<Line<0, 100>>>,
    /// The mail address.
    #[serde(default)]
    pub client_email: Option<Validated<Line<0, 100>>>,
    /// The telephone.
    #[serde(default)]
    pub client_phone: Option<Validated<Line<0, 20>>>,
    /// The answers by the keys of their questions.
    pub responses: Validated<SentAnswers>,
    /// The language of who answers; left out it is that of the browser.
    #[serde(default)]
    pub language: Option<Validated<Unchecked<Language>>>,
    /// The page that led to the questionnaire.
    #[serde(default)]
    pub referrer: Option<Validated<Line<0, 500>>>,
    /// The source of a campaign's link.
    #[serde(default)]
    pub utm_source: Option<Validated<Line<0, 100>>>,
    /// Its medium.
    #[serde(default)]
    pub utm_medium: Option<Validated<Line<0, 100>>>,
    /// Its name.
    #[serde(default)]
    pub utm_campaign: Option<Validated<Line<0, 100>>>,
    /// How long the answers took, in seconds.
    #[serde(default)]
    pub completion_seconds: Option<Validated<IntRange<0, 86_400>>>,
    /// Nothing: people do not see this field.
    #[serde(default)]
    pub website: Option<Validated<Text<0, 10_000>>>,
}

/// Answers that fit their questionnaire.
#[derive(Debug, Clone)]
pub struct NewResponse {
    /// The questionnaire.
    pub questionnaire: Arc<Questionnaire>,
    /// Who sent them.
    pub client: Client,
    /// In which language, where that is said.
    pub language: Option<Language>,
    /// Every question with what was answered.
    pub answers: Vec<Answer>,
    /// How their sender came here.
    pub source: ResponseSource,
    /// Whether a person sent them: not where the field was filled in that nobody sees.
    pub is_person: bool,
}

impl Submission {
    /// The answers, where they fit the questionnaire that `find` gives for their type.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field, an answer as `responses.KEY`; `TOO_LARGE` where they are too long
    /// together.
    pub fn checked(self, find: impl FnOnce(&str) -> Option<Arc<Questionnaire>>) -> Result<NewResponse> {
        let new = Check::of(|check| {
            let id = check.find("type", self.questionnaire);
            let questionnaire = id.and_then(|id| {
                let found = find(&id);
                check.require(found.is_some(), "type", validation_messages::KNOWN);
                found
            });
            let mut line = |name: &str, sent: Option<Validated<Line<0, 100>>>| take(check, name, sent);
            let (name, email) = (line("client_name", self.client_name), line("client_email", self.client_email));
            let (utm_source, utm_medium) = (line("utm_source", self.utm_source), line("utm_medium", self.utm_medium));
            let utm_campaign = line("utm_campaign", self.utm_campaign);
            let phone = take(check, "client_phone", self.client_phone);
            let referrer = take(check, "referrer", self.referrer);
            let seconds = self.completion_seconds.and_then(|sent| check.find("completion_seconds", sent));
            let completion_seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok());
            let language = self.language.and_then(|sent| check.find("language", sent));
            let website = take(check, "website", self.website);
            let sent = check.find("responses", self.responses)?;
            let questionnaire = questionnaire?;
            let client = Client { name, email, phone };
            check_client(check, questionnaire.contact, &client);
            let answers = check_answers(check, &questionnaire, sent);
            let source = ResponseSource {
                referrer,
                utm_source,
                utm_medium,
                utm_campaign,
                completion_seconds,
                user_agent: String::new(),
            };
            Some(NewResponse { questionnaire, client, language, answers, source, is_person: website.is_empty() })
        })?;
        let new = new.ok_or_else(|| Error::internal("a refused field was not named"))?;
        if new.length() > MOST_BYTES {
            return Err(Error::new(Kind::TooLarge, TOO_MUCH.with([("bytes", MOST_BYTES.into())])));
        }
        Ok(new)
    }
}

impl NewResponse {
    /// How long the answers are together, in bytes.
    fn length(&self) -> usize {
        self.answers.iter().map(|answer| answer.shown(Language::Ko, " ").len()).sum()
    }
}

fn take<C: Constraint<Value = String>>(check: &mut Check, name: &str, sent: Option<Validated<C>>) -> String {
    sent.map(|sent| check.take(name, sent)).unwrap_or_default()
}

fn check_client(check: &mut Check, mode: ContactMode, client: &Client) {
    let Client { name, email, phone } = client;
    for (field, value) in [("client_name", name), ("client_email", email), ("client_phone", phone)] {
        let is_needed = mode == ContactMode::Required && field != "client_phone";
        check.require(!(is_needed && value.is_empty()), field, validation_messages::PRESENT);
        check.require(mode != ContactMode::None || value.is_empty(), field, NOT_ASKED);
    }
    check.require(email.is_empty() || is_email(email), "client_email", EMAIL);
    check.require(phone.is_empty() || is_phone(phone), "client_phone", PHONE);
}

fn check_answers(
    check: &mut Check,
    questionnaire: &Questionnaire,
    sent: BTreeMap<String, Validated<Unchecked<SentAnswer>>>,
) -> Vec<Answer> {
    let (mut given, mut refused) = (BTreeMap::new(), Vec::new());
    for (key, value) in sent {
        let path = format!("responses.{key}");
        match check.find(&path, value) {
            _ if questionnaire.question(&key).is_none() => {
                check.require(false, path, validation_messages::KNOWN);
            }
            Some(value) => drop(given.insert(key, value)),
            None => refused.push(key),
        }
    }
    let asked = questionnaire.questions.iter().filter(|question| !refused.contains(&question.key));
    let answers = asked.filter_map(|question| match question.answered(given.remove(&question.key)) {
        Ok(answer) => Some(answer),
        Err(must) => {
            check.require(false, format!("responses.{}", question.key), must);
            None
        }
    });
    answers.collect()
}

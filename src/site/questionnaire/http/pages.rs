//! The pages of a questionnaire: its form, and the thanks.

use askama::Template;
use salvo::http::header::REFERER;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};
use serde::de::IgnoredAny;

use super::super::model::{ContactMode, FREE_TEXT, Question, QuestionKind, Questionnaire, Submission, from_form};
use super::super::work::{QuestionnaireSettings, kinds};
use super::{no_such, receive, visit};
use crate::frame::{FormRequest, FormState, Frame, Head};
use hanok_base::validated::{Constraint, Unchecked};
use hanok_base::{Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Form, HandlerResult, Key, Peer, Shown};

use std::sync::Arc;

impl FormRequest for Submission {
    type Shape = Submission;
}

#[derive(Template)]
#[template(path = "questionnaire/form.html")]
struct FormPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    questionnaire: &'a Questionnaire,
    fields: Vec<Field<'a>>,
}

#[derive(Template)]
#[template(path = "questionnaire/thanks.html")]
struct ThanksPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    thanks: &'a str,
}

/// A question as its form shows it.
struct Field<'a> {
    question: &'a Question,
    /// The name of its field, and of the one for a text beside the options.
    name: String,
    other: String,
    text: &'a str,
    hint: &'a str,
    /// Each as it is sent and as it is shown.
    options: Vec<(&'a str, &'a str)>,
    /// The same as boxes to be ticked, each with the name of its field and whether it is.
    boxes: Vec<(String, &'a str, &'a str, bool)>,
    /// An attribute with the longest text.
    longest: String,
}

impl<'a> Field<'a> {
    fn of(question: &'a Question, frame: &Frame, form: &FormState<'_>) -> Field<'a> {
        let language = frame.language();
        let mut options: Vec<(&str, &str)> = match question.kind {
            QuestionKind::Scale => ["1", "2", "3", "4", "5"].map(|point| (point, point)).into(),
            QuestionKind::YesNo if frame.is_korean() => vec![("yes", "예"), ("no", "아니요")],
            QuestionKind::YesNo => vec![("yes", "Yes"), ("no", "No")],
            _ => question.options.iter().map(|option| (option.value.as_str(), option.label(language))).collect(),
        };
        if question.other {
            options.push((FREE_TEXT, if frame.is_korean() { "기타" } else { "Other" }));
        }
        let name = format!("responses.{}", question.key);
        let ticked = options.iter().enumerate().map(|(place, (value, label))| {
            let name = format!("{name}[{place}]");
            let is_ticked = form.is_chosen(&name, value);
            (name, *value, *label, is_ticked)
        });
        let boxes = ticked.collect();
        Field {
            question,
            other: format!("{name}.other"),
            name,
            text: question.text.text(language),
            hint: question.hint.text(language),
            options,
            boxes,
            longest: format!(" maxlength=\"{}\"", question.longest()),
        }
    }

    fn is(&self, kind: &str) -> bool {
        let own = match self.question.kind {
            QuestionKind::Text => "text",
            QuestionKind::LongText => "long_text",
            QuestionKind::Email => "email",
            QuestionKind::Number => "number",
            QuestionKind::Choices => "choices",
            QuestionKind::Choice | QuestionKind::Scale | QuestionKind::YesNo => "choice",
        };
        own == kind
    }
}

impl FormPage<'_> {
    fn asks_who(&self) -> bool {
        self.questionnaire.contact != ContactMode::None
    }

    fn must_say_who(&self) -> bool {
        self.questionnaire.contact == ContactMode::Required
    }
}

/// The form of a questionnaire.
#[endpoint]
pub async fn ask(app: App, _caller: Anyone, frame: Frame, kind: Key, req: &mut Request) -> HandlerResult<Shown> {
    let questionnaire = find(&app, &kind.0).await?;
    form_page(&app, &frame, &questionnaire, req)
}

/// Takes the form of a questionnaire: says thanks, or shows the form again with what is wrong with it.
#[endpoint]
pub async fn send(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    kind: Key,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    let questionnaire = find(&app, &kind.0).await?;
    let taken = async {
        form.read::<IgnoredAny>()?;
        let (sent, visit) = (submission(&app, &questionnaire, &form), visit(&app, peer, req));
        form.key().once(&app, &caller, |app| receive(app, sent, visit)).await
    };
    match taken.await {
        Ok(_) => frame.go_to(&format!("/questionnaire/{}/thanks", questionnaire.id)),
        Err(error) => form_page(&app, &frame.refused(form, error)?, &questionnaire, req),
    }
}

/// What is said when the answers have come in.
#[endpoint]
pub async fn thank(app: App, _caller: Anyone, frame: Frame, kind: Key) -> HandlerResult<Shown> {
    let questionnaire = find(&app, &kind.0).await?;
    let (head, thanks) =
        (Head::unlisted(frame.say("답변을 받았습니다", "We have received your answers")), &questionnaire.thanks);
    frame.show(&ThanksPage { frame: &frame, head, thanks: thanks.text(frame.language()) })
}

/// The questionnaire of this name.
///
/// # Errors
/// `NOT_FOUND`, also while no answers are taken.
async fn find(app: &App, id: &str) -> Result<Arc<Questionnaire>> {
    app.config.section::<QuestionnaireSettings>().check()?;
    kinds::read(app).await?.find(id).ok_or_else(no_such)
}

/// What the fields of the form say.
fn submission(app: &App, questionnaire: &Questionnaire, form: &Form) -> Submission {
    let answers = from_form(questionnaire, form.values()).into_iter();
    let answers = answers.map(|(key, sent)| (key, Validated::<Unchecked<_>>::taken(sent)));
    let begun: Option<i64> = form.value("begun").parse().ok();
    let seconds = begun.and_then(|begun| u64::try_from(app.clock.now().timestamp().checked_sub(begun)?).ok());
    let language = form.value("language") == "en";
    Submission {
        questionnaire: Validated::taken(questionnaire.id.clone()),
        client_name: typed(form, "client_name"),
        client_email: typed(form, "client_email"),
        client_phone: typed(form, "client_phone"),
        responses: Validated::taken(answers.collect()),
        language: Some(Validated::taken(if language { hanok_base::Language::En } else { hanok_base::Language::Ko })),
        referrer: typed(form, "referrer"),
        utm_source: typed(form, "utm_source"),
        utm_medium: typed(form, "utm_medium"),
        utm_campaign: typed(form, "utm_campaign"),
        completion_seconds: seconds.filter(|seconds| *seconds <= 86_400).map(Validated::taken),
        website: typed(form, "website"),
    }
}

fn typed<C: Constraint<Input = String>>(form: &Form, name: &str) -> Option<Validated<C>> {
    Some(form.value(name)).filter(|value| !value.is_empty()).map(|value| Validated::of(value.to_owned()))
}

fn form_page(app: &App, frame: &Frame, questionnaire: &Questionnaire, req: &Request) -> HandlerResult<Shown> {
    let (title, lead) = (questionnaire.title.text(frame.language()), questionnaire.lead.text(frame.language()));
    let head = if questionnaire.public { Head::listed(title, lead) } else { Head::unlisted(title) };
    let mut form = frame.form::<Submission>().with("begun", app.clock.now().timestamp());
    form = form.with("referrer", came_from(frame, req));
    for name in ["utm_source", "utm_medium", "utm_campaign"] {
        form = form.with(name, asked_with(req, name));
    }
    let fields = questionnaire.questions.iter().map(|question| Field::of(question, frame, &form)).collect();
    frame.show(&FormPage { frame, head, form, questionnaire, fields })
}

/// The page of another site that led here; empty where there is none.
fn came_from(frame: &Frame, req: &Request) -> String {
    let referrer = req.headers().get(REFERER).and_then(|referrer| referrer.to_str().ok()).unwrap_or_default();
    if referrer.starts_with(frame.origin()) { String::new() } else { in_one_line(referrer, 500) }
}

/// What the address of the page says as `name`.
fn asked_with(req: &Request, name: &str) -> String {
    let query = req.uri().query().unwrap_or_default();
    let said = form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    said.map(|(_, value)| in_one_line(&value, 100)).unwrap_or_default()
}

fn in_one_line(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')).take(most).collect()
}

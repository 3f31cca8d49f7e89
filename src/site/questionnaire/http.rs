//! The routes of the questionnaires: which there are, their answers, and the desk.

pub mod desk;
pub mod pages;

use chrono::Duration;
use salvo::http::header::ACCEPT_LANGUAGE;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::model::{ContactMode, NewResponse, Questionnaire, ResponseStatus, Submission, SubmittedResponse, Words};
use super::work::{self, Owner, QuestionnaireSettings, Visit, kinds};
use crate::frame::prefers_english;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::auth::{self, RateLimit};
use hanok_platform::http::{
    Anyone, Body, Created, HandlerResult, IdempotencyKey, Json, Key, Peer, agent_of, link_origin,
};
use hanok_platform::mail::Language;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How often one address may send answers.
const PACE: RateLimit = RateLimit { what: "questionnaire", most: 5, within: Duration::minutes(1) };
/// And within an hour.
const PACE_OF_HOUR: RateLimit = RateLimit { what: "questionnaire_of_hour", most: 30, within: Duration::hours(1) };
/// How many thanks one address of mail gets, whoever names it. What comes beyond is taken without them.
const THANKS: RateLimit = RateLimit { what: "questionnaire_thanks", most: 5, within: Duration::days(1) };

/// What the document says beyond the types.
pub fn document_rules() -> Value {
    let responses = json!({"helped_most": "result", "best_satisfy": 4, "recommend": 5, "found_us": "search"});
    json!({
        "questionnaire.Submission": {"examples": [{"type": "survey", "responses": responses, "completion_seconds": 95}]},
        "questionnaire.ResponseChange": {"examples": [{"status": "reviewed"}]},
    })
}

/// A questionnaire in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuestionnaireListed {
    /// Its name, by which it is addressed.
    #[serde(rename = "type")]
    pub id: String,
    /// What it is called.
    pub title: Words,
    /// What stands before the questions.
    pub lead: Words,
    /// Whether it asks who answers it.
    pub contact: ContactMode,
    /// How many questions it has.
    pub questions: usize,
}

/// Questionnaires that are listed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Questionnaires {
    /// By their names.
    pub questionnaires: Vec<QuestionnaireListed>,
    /// How many there are.
    pub total: u64,
}

/// Takes answers: they are saved with the mail to the owner and, where a mail address is named, the thanks there. At most five
/// a minute from one address.
#[endpoint(operation_id = "questionnaire_submit", tags("questionnaire"))]
pub async fn submit(
    app: App,
    caller: Anyone,
    peer: Peer,
    key: IdempotencyKey,
    body: Body<Submission>,
    req: &mut Request,
) -> HandlerResult<Created<SubmittedResponse>> {
    let visit = visit(&app, peer, req);
    Ok(Created(key.once(&app, &caller, |app| receive(app, body.0, visit)).await?))
}

/// The questionnaires that are listed.
#[endpoint(operation_id = "questionnaire_kinds", tags("questionnaire"))]
pub async fn list_kinds(app: App, _caller: Anyone) -> HandlerResult<Json<Questionnaires>> {
    app.config.section::<QuestionnaireSettings>().check()?;
    let listed = kinds::read(&app).await?.questionnaires.into_values().filter(|known| known.public);
    let questionnaires: Vec<QuestionnaireListed> = listed.map(|known| QuestionnaireListed::of(&known)).collect();
    Ok(Json(Questionnaires { total: questionnaires.len() as u64, questionnaires }))
}

/// A questionnaire that is listed, with its questions.
#[endpoint(operation_id = "questionnaire_kind", tags("questionnaire"))]
pub async fn find_kind(app: App, _caller: Anyone, kind: Key) -> HandlerResult<Json<Questionnaire>> {
    app.config.section::<QuestionnaireSettings>().check()?;
    let found = kinds::read(&app).await?.find(&kind.0).filter(|known| known.public);
    Ok(Json(found.map(|known| Questionnaire::clone(&known)).ok_or_else(no_such)?))
}

impl QuestionnaireListed {
    fn of(known: &Questionnaire) -> QuestionnaireListed {
        let Questionnaire { id, title, lead, contact, questions, .. } = known.clone();
        QuestionnaireListed { id, title, lead, contact, questions: questions.len() }
    }
}

fn no_such() -> Error {
    Error::not_found("questionnaire")
}

/// Who sends `req`, and where the site is found.
fn visit(app: &App, peer: Peer, req: &Request) -> Visit {
    let accepted = req.headers().get(ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok());
    let language = if prefers_english(accepted.unwrap_or_default()) { Language::En } else { Language::Ko };
    Visit { address: peer.0, language, user_agent: agent_of(req), origin: link_origin(app, req).ok() }
}

/// The write that saves what was sent, for [`IdempotencyKey::once`]. Answers whose unseen field was filled in are answered like
/// any other, and counted; nothing of them is saved.
///
/// # Errors
/// `NOT_FOUND` while no answers are taken; `INVALID_INPUT` naming each refused field; `RATE_LIMITED`.
async fn receive(
    app: App,
    sent: Submission,
    visit: Visit,
) -> Result<impl FnOnce(&WriteTx) -> Result<SubmittedResponse> + Send + 'static> {
    app.config.section::<QuestionnaireSettings>().check()?;
    let new = work::check(&app, sent).await?;
    let (paces, now) = (&app.access.paces, app.clock.moment());
    paces.admit(PACE, visit.address, now)?;
    if new.is_person {
        paces.admit(PACE_OF_HOUR, visit.address, now)?;
    } else {
        metrics::counter!("hanok_questionnaire_decoys_total").increment(1);
    }
    let owner = Owner::of(&app.config)?;
    let email = new.email().map(auth::known_as);
    let is_thanked = new.is_person && email.is_some_and(|email| paces.admit_to(THANKS, &email, now).is_ok());
    Ok(
        move |tx: &WriteTx| {
            if new.is_person { work::receive(tx, new, &owner, &visit, is_thanked) } else { Ok(decoy(tx, new)) }
        },
    )
}

/// What is told of answers that nobody sees.
fn decoy(tx: &WriteTx, new: NewResponse) -> SubmittedResponse {
    let (id, questionnaire) = (Uuid::now_v7().to_string(), new.questionnaire.id.clone());
    SubmittedResponse { id, questionnaire, status: ResponseStatus::Submitted, created_at: tx.now() }
}

//! The desk: answers as those see them who keep the shop.

pub mod pages;

use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::{
    Answer, QuestionnaireType, Response, ResponseChange, ResponseSource, ResponseStatus, Words, table,
};
use super::super::store;
use super::super::work::{self, kinds};
use crate::admin::{AuditAction, note_about};
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Language, Page, Request, Result, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{
    Admin, Checked, CheckedQuery, Deleted, FileKind, HandlerResult, Json, Key, Peer, SameOrigin, Streamed,
    forget_answers_about,
};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How many a list gives when nobody says otherwise.
const USUAL: u64 = 50;

/// Which answers are wanted.
#[derive(Debug, Request)]
#[request(query)]
pub struct ResponsesWanted {
    /// Words or parts of words that they say, in any order; then the best stand first.
    #[field(Text<1, 200>)]
    pub q: Option<String>,
    /// Only those to this questionnaire; left out it is all.
    #[serde(rename = "type")]
    #[field(QuestionnaireType)]
    pub questionnaire: Option<String>,
    /// Only those in this state; left out it is all.
    pub status: Option<ResponseStatus>,
    /// How many, at most 500; left out it is 50.
    #[field(Limit)]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[field(Offset)]
    pub offset: Option<u64>,
}

/// Answers in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResponseListed {
    /// Their id.
    pub id: String,
    /// The questionnaire that they answer.
    #[serde(rename = "type")]
    pub questionnaire: String,
    /// What it was called.
    pub title: Words,
    /// The name of who answered; empty where it was not given.
    pub client_name: String,
    /// The mail address of who answered; empty where it was not given.
    pub client_email: String,
    /// How far the shop is with them.
    pub status: ResponseStatus,
    /// When they came in.
    pub created_at: DateTime<Utc>,
    /// When they were last marked as reviewed.
    pub reviewed_at: Option<DateTime<Utc>>,
}

/// Answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Responses {
    /// Newest first; those that were found by words, the best first.
    pub questionnaires: Vec<ResponseListed>,
    /// How many there are on all pages.
    pub total: u64,
    /// How many there are to each questionnaire in each state, whatever is asked for.
    pub counts: Vec<ResponseCount>,
    /// Whether everything that came in before this was asked has been looked at; otherwise the index of words is behind.
    pub complete: bool,
}

/// How many answers there are to a questionnaire.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ResponseCount {
    /// The questionnaire.
    #[serde(rename = "type")]
    pub questionnaire: String,
    /// How many nobody has read yet.
    pub submitted: u64,
    /// How many were reviewed.
    pub reviewed: u64,
    /// How many are archived.
    pub archived: u64,
}

/// Somebody's answers.
#[derive(Debug, Serialize, ToSchema)]
pub struct ResponseAtDesk {
    /// What stands in lists, too.
    #[serde(flatten)]
    pub listed: ResponseListed,
    /// The telephone of who answered; empty where it was not given.
    pub client_phone: String,
    /// The language in which it was answered.
    pub language: Language,
    /// Every question as it was asked, with what was answered.
    pub answers: Vec<Answer>,
    /// How their sender came to the questionnaire.
    pub source: ResponseSource,
    /// What the shop has noted; its sender never sees it.
    pub admin_notes: String,
    /// The states that they may be moved to.
    pub next: Vec<ResponseStatus>,
}

/// Which table is wanted.
#[derive(Debug, Request)]
#[request(query)]
pub struct TableQuery {
    /// The questionnaire.
    #[serde(rename = "type")]
    #[field(QuestionnaireType)]
    pub questionnaire: String,
    /// Only answers in this state; left out it is all.
    pub status: Option<ResponseStatus>,
    /// In which language columns and options are named; left out it is Korean.
    #[field(Unchecked<Language>, default)]
    pub language: Language,
}

/// A table for spreadsheets.
#[derive(Debug)]
pub enum Csv {}

impl FileKind for Csv {
    const TYPE: &'static str = "text/csv; charset=utf-8";
}

/// Answers, to one questionnaire or to all, or those that are found by words.
#[endpoint(operation_id = "admin_questionnaires", tags("admin"))]
pub async fn list(app: App, _caller: Admin, wanted: CheckedQuery<ResponsesWanted>) -> HandlerResult<Json<Responses>> {
    let (found, counts, complete) = find_wanted(&app, wanted.0).await?;
    let (responses, total) = found;
    let questionnaires = responses.into_iter().map(|response| ResponseListed::of(&response)).collect();
    Ok(Json(Responses { questionnaires, total, counts, complete }))
}

/// Somebody's answers, with every question.
#[endpoint(operation_id = "admin_questionnaire", tags("admin"))]
pub async fn find(app: App, _caller: Admin, id: Key) -> HandlerResult<Json<ResponseAtDesk>> {
    let response = app.data.store.read(move |tx| store::find(tx, &id.0)).await?;
    Ok(Json(ResponseAtDesk::of(response)))
}

/// Marks answers as reviewed, archives them, or notes upon them.
#[endpoint(operation_id = "admin_change_questionnaire", tags("admin"))]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    id: Key,
    body: Checked<ResponseChange>,
) -> HandlerResult<Json<ResponseAtDesk>> {
    let changed = app.data.store.write(move |tx| change_at_desk(tx, (&caller, peer), &id.0, body.0));
    Ok(Json(ResponseAtDesk::of(changed.await?)))
}

/// Removes answers with the mails about them.
#[endpoint(operation_id = "admin_remove_questionnaire", tags("admin"))]
pub async fn remove(app: App, caller: Admin, peer: Peer, id: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| remove_at_desk(tx, (&caller, peer), &id.0)).await?;
    Ok(Deleted::default())
}

/// The answers to a questionnaire as a table for spreadsheets, with a column for each question. That it was asked for is noted.
#[endpoint(operation_id = "admin_questionnaires_csv", tags("admin"))]
pub async fn csv(
    app: App,
    caller: Admin,
    peer: Peer,
    _page: SameOrigin,
    wanted: CheckedQuery<TableQuery>,
) -> HandlerResult<Streamed<Csv>> {
    let name = format!("{}.csv", wanted.0.questionnaire);
    let bytes = table_of(&app, (&caller, peer), wanted.0).await?;
    let mut state = DefaultHasher::new();
    bytes.hash(&mut state);
    Ok(Streamed::kept(&name, bytes.len() as u64, state.finish(), std::iter::once(Ok(bytes))))
}

impl ResponseListed {
    fn of(response: &Response) -> ResponseListed {
        let Response { id, questionnaire, title, client, status, created_at, reviewed_at, .. } = response.clone();
        let client_email = response.email().unwrap_or_default().to_owned();
        let client_name = client.name;
        ResponseListed { id, questionnaire, title, client_name, client_email, status, created_at, reviewed_at }
    }
}

impl ResponseAtDesk {
    fn of(response: Response) -> ResponseAtDesk {
        let listed = ResponseListed::of(&response);
        let Response { client, language, answers, source, admin_notes, status, .. } = response;
        let (client_phone, next) = (client.phone, status.next().to_vec());
        ResponseAtDesk { listed, client_phone, language, answers, source, admin_notes, next }
    }
}

/// Answers with how many there are on all pages; how many there are of each; and whether the index of words is up to date.
type Found = ((Vec<Response>, u64), Vec<ResponseCount>, bool);

/// The answers that are wanted.
///
/// # Errors
/// Those of the store and of the index.
pub async fn find_wanted(app: &App, wanted: ResponsesWanted) -> Result<Found> {
    let ResponsesWanted { q, questionnaire, status, limit, offset } = wanted;
    let page = Page { limit: limit.unwrap_or(USUAL) as usize, offset: offset.unwrap_or_default() as usize };
    let found = match q {
        Some(words) => Some(work::search(app, &words, questionnaire.as_deref(), status, page).await?),
        None => None,
    };
    let read = app.data.store.read(move |tx| {
        let counts = counts(tx)?;
        let Some(found) = found else {
            return Ok((store::list(tx, questionnaire.as_deref(), status, page)?, counts, true));
        };
        let numbers = found.hits.iter().map(|hit| hit.document.id).collect();
        Ok(((store::numbered(tx, numbers)?, found.total), counts, found.is_fresh))
    });
    read.await
}

fn counts(tx: &impl ReadTransaction) -> Result<Vec<ResponseCount>> {
    let count = |(questionnaire, [submitted, reviewed, archived]): (String, [u64; 3])| ResponseCount {
        questionnaire,
        submitted,
        reviewed,
        archived,
    };
    Ok(store::counts(tx)?.into_iter().map(count).collect())
}

/// Changes answers, and notes that.
///
/// # Errors
/// As for [`store::change`].
pub fn change_at_desk(
    tx: &WriteTx,
    (caller, peer): (&Admin, Peer),
    id: &str,
    wanted: ResponseChange,
) -> Result<Response> {
    let response = store::change(tx, id, wanted)?;
    note_about(tx, &caller.name, AuditAction::QuestionnaireChanged, peer.0, id)?;
    Ok(response)
}

/// Removes answers with what is kept for who sends them again, and notes that.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove_at_desk(tx: &WriteTx, (caller, peer): (&Admin, Peer), id: &str) -> Result<()> {
    work::remove(tx, id)?;
    forget_answers_about(tx, id)?;
    note_about(tx, &caller.name, AuditAction::QuestionnaireRemoved, peer.0, id)
}

/// The bytes of the table that is wanted; that it was asked for is noted.
async fn table_of(app: &App, (caller, peer): (&Admin, Peer), wanted: TableQuery) -> Result<Vec<u8>> {
    let TableQuery { questionnaire: id, status, language } = wanted;
    let (known, name) = (kinds::read(app).await?.find(&id), id.clone());
    let made = app.data.store.read_in_turn(move |tx| {
        if known.is_none() && store::count(tx, Some(&id), None)? == 0 {
            return Err(Error::field("type", validation_messages::KNOWN));
        }
        let walk = store::walk(tx, &id, status)?;
        table(known.as_deref(), language, walk)
    });
    let made = made.await?;
    let by = caller.name.clone();
    let noted = app.data.store.write(move |tx| note_about(tx, &by, AuditAction::QuestionnairesExported, peer.0, &name));
    noted.await?;
    Ok(made)
}

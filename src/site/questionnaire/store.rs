//! The tables of the answers and the verbs over a transaction.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::model::{Answer, NewResponse, Response, ResponseChange, ResponseStatus, SubmittedResponse};
use hanok_base::{Error, Language, Page, Result, day};
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, CountedRows, DayCounts, Declared, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx,
};

/// Table: answers. Key: number. Value: the answers of one person.
const RESPONSES: IndexedTable<u64, Response> = IndexedTable::new(
    "questionnaire_responses-1",
    |response| response.number,
    &[&COUNTED, &BY_ID, &BY_STATUS, &BY_TYPE, &BY_TYPE_AND_STATUS, &IN_TYPE_AND_STATUS, &SEARCHED],
);
/// Table: answers counted in their order.
const COUNTED: CountedRows<Response, u64> =
    CountedRows::new("questionnaire_responses-1", "questionnaire_responses_counts-1", |response| response.number);
/// Table: answers by the id that is known outside. Key: id (UUIDv7). Value: number.
const BY_ID: Index<Response, &'static str, u64> = Index::unique(
    "questionnaire_responses_by_id-1",
    |response| Some((response.id.as_str(), response.number)),
    |_| Error::internal("an id was drawn twice"),
);
/// Table: answers by their state. Key: number of the state and of the answers. Value: nothing.
const BY_STATUS: CountedIndex<Response, (u64, u64)> = CountedIndex::new(
    "questionnaire_responses_by_status-1",
    "questionnaire_responses_by_status_counts-1",
    |response| Some(((response.status.number(), response.number), ())),
);
/// Table: answers by questionnaire. Key: number of the questionnaire and of the answers. Value: nothing.
const BY_TYPE: CountedIndex<Response, (u64, u64)> =
    CountedIndex::new("questionnaire_responses_by_type-1", "questionnaire_responses_by_type_counts-1", |response| {
        Some(((response.questionnaire_number, response.number), ()))
    });
/// Table: answers by questionnaire and state. Key: number of the questionnaire, of the state and of the answers. Value: nothing.
const BY_TYPE_AND_STATUS: CountedIndex<Response, (u64, u64, u64)> = CountedIndex::new(
    "questionnaire_responses_by_type_and_status-1",
    "questionnaire_responses_by_type_and_status_counts-1",
    |response| Some(((response.questionnaire_number, response.status.number(), response.number), ())),
);
/// Table: how many answers to each questionnaire are in each state. Key: their numbers as one. Value: how many.
const IN_TYPE_AND_STATUS: DayCounts<Response> =
    DayCounts::new("questionnaire_responses_in_type_and_status-1", |response| {
        Some(place(response.questionnaire_number, response.status))
    });
/// Table: the questionnaires that were answered. Key: name. Value: number.
const TYPES: Table<&'static str, u64> = Table::new("questionnaire_types-1");

/// Answers are found by who sent them and by what was typed or chosen.
const SEARCHED: Searched<Response> = Searched::new(|response| {
    let title = if response.client.name.is_empty() { &response.title.ko } else { &response.client.name };
    let said = response.answers.iter().map(|answer: &Answer| answer.shown(Language::Ko, " "));
    let reach = [response.client.email.clone(), response.client.phone.clone(), response.admin_notes.clone()];
    let text: Vec<String> = said.chain(reach).filter(|part| !part.is_empty()).collect();
    let (questionnaire, status) = (response.questionnaire.as_str(), response.status.code());
    Document {
        tags: vec![questionnaire.to_owned(), status.to_owned(), tag(questionnaire, response.status)],
        text: text.join("\n"),
        day: Some(day::of(response.created_at)),
        done: response.status == ResponseStatus::Archived,
        ..Document::of(KIND, response.number, title, format!("/admin/questionnaires/{}", response.id))
    }
});
/// What answers are called among what is found.
pub const KIND: &str = "questionnaire_response";

/// What of the answers is found by words.
pub const SEARCH: &[SearchKind] =
    &[SearchKind { name: KIND, walk: |tx, visit| SEARCHED.walk(RESPONSES.walk(tx), visit) }];

/// Every table of the questionnaires.
pub const TABLES: &[&dyn Declared] = &[&RESPONSES, &TYPES];

/// By what answers to a questionnaire in a state are found together.
pub fn tag(questionnaire: &str, status: ResponseStatus) -> String {
    format!("{questionnaire}/{}", status.code())
}

/// The place of a questionnaire and a state among the counts: four for each questionnaire, of which three are states.
fn place(questionnaire: u64, status: ResponseStatus) -> u64 {
    questionnaire * 4 + status.number()
}

/// Adds answers.
///
/// # Errors
/// Those of the store.
pub fn add(tx: &WriteTx, new: NewResponse, language: Language) -> Result<Response> {
    let NewResponse { questionnaire, client, answers, source, .. } = new;
    let questionnaire_number = match tx.get(&TYPES, questionnaire.id.as_str())? {
        Some(number) => number,
        None => {
            let number = tx.next_id("questionnaire_type")?;
            tx.put(&TYPES, questionnaire.id.as_str(), &number)?;
            number
        }
    };
    let response = Response {
        number: tx.next_id("questionnaire_response")?,
        id: Uuid::now_v7().to_string(),
        questionnaire: questionnaire.id.clone(),
        questionnaire_number,
        title: questionnaire.title.clone(),
        client,
        language,
        answers,
        source,
        status: ResponseStatus::Submitted,
        admin_notes: String::new(),
        created_at: tx.now(),
        reviewed_at: None,
    };
    RESPONSES.put(tx, &response)?;
    Ok(response)
}

/// What is told of answers that have come in.
pub fn submitted(response: &Response) -> SubmittedResponse {
    let Response { id, questionnaire, status, created_at, .. } = response;
    let (id, questionnaire) = (id.clone(), questionnaire.clone());
    SubmittedResponse { id, questionnaire, status: *status, created_at: *created_at }
}

/// The answers of this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: &str) -> Result<Response> {
    let number = tx.get(&BY_ID, id)?.ok_or_else(no_such)?;
    tx.get(&RESPONSES, number)?.ok_or_else(no_such)
}

/// Answers, newest first, to one questionnaire or to all, of one state or of all, and how many there are of these.
///
/// # Errors
/// Those of the store.
pub fn list(
    tx: &impl ReadTransaction,
    questionnaire: Option<&str>,
    status: Option<ResponseStatus>,
    page: Page,
) -> Result<(Vec<Response>, u64)> {
    let total = count(tx, questionnaire, status)?;
    let newest = Order::Descending;
    let of_type = match questionnaire.map(|id| tx.get(&TYPES, id)).transpose()? {
        Some(None) => return Ok((Vec::new(), 0)),
        known => known.flatten(),
    };
    let numbers: Vec<u64> = match (of_type, status) {
        (None, None) => return Ok((COUNTED.page(tx, 0..=u64::MAX, newest, page)?, total)),
        (Some(of), None) => {
            let places = BY_TYPE.page(tx, (of, 0)..=(of, u64::MAX), newest, page)?;
            places.into_iter().map(|((_, number), ())| number).collect()
        }
        (None, Some(status)) => {
            let at = status.number();
            let places = BY_STATUS.page(tx, (at, 0)..=(at, u64::MAX), newest, page)?;
            places.into_iter().map(|((_, number), ())| number).collect()
        }
        (Some(of), Some(status)) => {
            let at = status.number();
            let places = BY_TYPE_AND_STATUS.page(tx, (of, at, 0)..=(of, at, u64::MAX), newest, page)?;
            places.into_iter().map(|((_, _, number), ())| number).collect()
        }
    };
    Ok((tx.rows(&RESPONSES, numbers)?, total))
}

/// Those of the answers of these numbers that are there, in this order.
///
/// # Errors
/// Those of the store.
pub fn numbered(tx: &impl ReadTransaction, numbers: Vec<u64>) -> Result<Vec<Response>> {
    numbers.into_iter().filter_map(|number| tx.get(&RESPONSES, number).transpose()).collect()
}

/// All answers to a questionnaire, or those of one state, the oldest first, one after the other.
///
/// # Errors
/// Those of the store.
pub fn walk<'t>(
    tx: &'t impl ReadTransaction,
    questionnaire: &str,
    status: Option<ResponseStatus>,
) -> Result<impl Fn() -> Box<dyn Iterator<Item = Result<Response>> + 't> + 't> {
    let of = tx.get(&TYPES, questionnaire)?.unwrap_or(u64::MAX);
    Ok(move || {
        let rows = tx.entries(&BY_TYPE, (of, 0)..=(of, u64::MAX), Order::Ascending);
        let rows = rows.filter_map(move |entry| match entry {
            Ok(entry) => tx.get(&RESPONSES, entry.key().1).transpose(),
            Err(error) => Some(Err(error)),
        });
        let is_wanted = move |response: &Result<Response>| match (response, status) {
            (Ok(response), Some(status)) => response.status == status,
            _ => true,
        };
        Box::new(rows.filter(is_wanted)) as Box<dyn Iterator<Item = Result<Response>> + 't>
    })
}

/// How many answers to each questionnaire that was ever answered are in each state.
///
/// # Errors
/// Those of the store.
pub fn counts(tx: &impl ReadTransaction) -> Result<BTreeMap<String, [u64; 3]>> {
    let types = tx.entries(&TYPES, "".., Order::Ascending);
    types
        .map(|entry| {
            let entry = entry?;
            let (id, number) = (entry.key().to_owned(), entry.value()?);
            let mut counts = [0; 3];
            for (count, status) in counts.iter_mut().zip(ResponseStatus::ALL) {
                *count = count_in(tx, number, status)?;
            }
            Ok((id, counts))
        })
        .collect()
}

/// How many answers there are to one questionnaire or to all, of one state or of all.
///
/// # Errors
/// Those of the store.
pub fn count(tx: &impl ReadTransaction, questionnaire: Option<&str>, status: Option<ResponseStatus>) -> Result<u64> {
    let counts = counts(tx)?;
    let wanted = counts.iter().filter(|(id, _)| questionnaire.is_none_or(|wanted| wanted == *id));
    let states = ResponseStatus::ALL.map(|known| status.is_none_or(|wanted| wanted == known));
    let sum =
        |counts: &[u64; 3]| counts.iter().zip(states).filter(|(_, is_wanted)| *is_wanted).map(|(n, _)| *n).sum::<u64>();
    Ok(wanted.map(|(_, counts)| sum(counts)).sum())
}

fn count_in(tx: &impl ReadTransaction, questionnaire: u64, status: ResponseStatus) -> Result<u64> {
    let place = place(questionnaire, status);
    Ok(IN_TYPE_AND_STATUS.before(tx, place + 1)? - IN_TYPE_AND_STATUS.before(tx, place)?)
}

/// Changes the state of answers, or what is noted of them.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` naming the states that they may be moved to.
pub fn change(tx: &WriteTx, id: &str, change: ResponseChange) -> Result<Response> {
    let response = find(tx, id)?.changed(change, tx.now())?;
    RESPONSES.put(tx, &response)?;
    Ok(response)
}

/// Removes answers.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    let response = find(tx, id)?;
    RESPONSES.remove(tx, response.number)?;
    Ok(())
}

fn no_such() -> Error {
    Error::not_found("answers")
}

//! What is done with projects: steps added, moved and removed at the desk, and quotes linked to accounts.

mod letters;
pub mod notices;
pub mod own_data;

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::model::{Milestone, MilestoneChanges, MilestoneStatus, Project, What, completed};
use super::store;
use crate::admin::{AuditAction, note_about};
use crate::contact;
use crate::quotes::{self, Quote, QuoteStatus};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, MessageTemplate, Result, day};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::config::rule::{self, Unit};
use hanok_platform::config::section;
use hanok_platform::store::{ReadTransaction, WriteTx};

const NO_PROJECT: MessageTemplate =
    MessageTemplate::new("projects.no_project", "steps belong to a quote that was sent or accepted");

section! {
    /// The steps of quoted work, and how customers are told of them.
    pub struct ProjectSettings("projects", "프로젝트") {
        /// So many minutes after a step is moved its customer is told what has changed until then, all at once
        /// (0 = customers are not told). Holds at once, for what is moved from then on.
        #[ko("단계 알림까지의 시간", "단계를 옮기고 이만큼 지나면 그동안 바뀐 내용을 고객에게 한 번에 알립니다(0이면 알리지 않음). 변경하면 다음에 옮기는 단계부터 적용됩니다.")]
        #[en("Time until customers are told of steps")]
        notice_minutes: u32 = 10, rule::whole(Unit::Minutes, 0, 1440).min_label("never").at_once();
    }
}

/// Who sits at the desk, and how customers are told what is moved there.
#[derive(Debug, Clone)]
pub struct Desk {
    by: String,
    from: IpAddr,
    address: Option<String>,
    notice_minutes: u32,
}

impl Desk {
    /// The desk at which `by` sits, asking from there; `address` is where customers reach the site, where that is known.
    pub fn of(app: &App, by: &str, from: IpAddr, address: Option<String>) -> Desk {
        let notice_minutes = app.config.section::<ProjectSettings>().notice_minutes;
        Desk { by: by.to_owned(), from, address, notice_minutes }
    }

    fn note(&self, tx: &WriteTx, deed: AuditAction, about: &str) -> Result<()> {
        note_about(tx, &self.by, deed, self.from, about)
    }
}

/// What became of a quote that somebody wanted to link to an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Linked {
    /// The quote.
    pub quote_id: String,
    /// Whether it was linked to this account before.
    pub already_linked: bool,
}

/// The steps that were added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// The usual ones, in order.
    Usual(Vec<Milestone>),
    /// One.
    Step(Milestone),
}

/// Whether work can be followed by this quote.
pub fn is_project(quote: &Quote) -> bool {
    matches!(quote.status, QuoteStatus::Sent | QuoteStatus::Accepted)
}

/// The project of a quote.
///
/// # Errors
/// `NOT_FOUND` where it is none; those of the store.
pub fn project(tx: &impl ReadTransaction, quote: &Quote) -> Result<Project> {
    let steps = store::list(tx, &quote.id)?;
    Ok(Project::of(quote.public(day::of(tx.now()))?, steps))
}

/// The projects of an account, newest first.
///
/// # Errors
/// Those of the store.
pub fn projects(tx: &impl ReadTransaction, account: &str) -> Result<Vec<Project>> {
    let quotes = quotes::of_customer(tx, account)?;
    quotes.iter().filter(|quote| is_project(quote)).map(|quote| project(tx, quote)).collect()
}

/// The project of this id that is linked to the account.
///
/// # Errors
/// `NOT_FOUND`, also where it is another's.
pub fn own_project(tx: &impl ReadTransaction, account: &str, id: &str) -> Result<(Quote, Project)> {
    let quote = found(quotes::find(tx, id))?;
    if quote.user_id.as_deref() != Some(account) || !is_project(&quote) {
        return Err(no_such());
    }
    let project = project(tx, &quote)?;
    Ok((quote, project))
}

/// Links the quote that the word opens to an account. The address to which the quote is sent takes it over from another
/// account; to any other one a quote that is linked to another account is not found, like one that is not there.
///
/// # Errors
/// `NOT_FOUND`; those of the store.
pub fn link(tx: &WriteTx, account: &str, word: &str) -> Result<Linked> {
    let quote = found(quotes::find_by_token(tx, word))?;
    let row = auth::find_customer(tx, account)?.ok_or_else(no_such)?;
    if !is_project(&quote) || !quotes::may_follow(&quote, &row) {
        return Err(no_such());
    }
    let already_linked = quote.user_id.as_deref() == Some(account);
    if !already_linked {
        quotes::link_customer(tx, &quote.id, account)?;
        tx.announce(store::CHANGED);
    }
    Ok(Linked { quote_id: quote.id, already_linked })
}

/// Takes a quote off the account that follows it.
///
/// # Errors
/// `NOT_FOUND`; those of the store.
pub fn unlink(tx: &WriteTx, desk: &Desk, id: &str) -> Result<()> {
    quotes::unlink_customer(tx, id)?;
    tx.announce(store::CHANGED);
    desk.note(tx, AuditAction::ProjectUnlinked, id)
}

/// Adds steps to a quote.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where the quote is no project, has steps already or too many; `INVALID_INPUT` where there is no
/// such place.
pub fn add(tx: &WriteTx, desk: &Desk, quote: &str, what: What) -> Result<Added> {
    let quote = at_work(tx, quote)?;
    match what {
        What::Usual => {
            let steps = store::add_usual(tx, &quote.id, quote.content.language)?;
            desk.note(tx, AuditAction::MilestonesCreated, &quote.id)?;
            Ok(Added::Usual(steps))
        }
        What::Step(step) => {
            let added = store::add(tx, &quote.id, step)?;
            desk.note(tx, AuditAction::MilestoneAdded, &added.id)?;
            Ok(Added::Step(added))
        }
    }
}

/// Changes a step. Where it is moved, its customer is told later, and the request that the quote answers follows it.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where the quote is no project, or naming the states that the step may be moved to; `INVALID_INPUT`
/// where there is no such place.
pub fn change(tx: &WriteTx, desk: &Desk, id: &str, changes: MilestoneChanges) -> Result<Milestone> {
    let quote = at_work(tx, &store::find(tx, id)?.quote_id)?;
    let (before, after) = store::change(tx, id, changes)?;
    if before == after {
        return Ok(after);
    }
    desk.note(tx, AuditAction::MilestoneChanged, id)?;
    if before.status != after.status {
        notices::note(tx, desk, &before)?;
        move_request(tx, desk, &quote, after.status)?;
    }
    Ok(after)
}

/// Removes a step.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` where the quote is no project.
pub fn remove(tx: &WriteTx, desk: &Desk, id: &str) -> Result<()> {
    at_work(tx, &store::find(tx, id)?.quote_id)?;
    store::remove(tx, id)?;
    desk.note(tx, AuditAction::MilestoneRemoved, id)
}

/// Moves the request that the quote answers on with its work, where that may be done: under way with the first step, and
/// completed with the last. The customer is told of the steps, not of this.
fn move_request(tx: &WriteTx, desk: &Desk, quote: &Quote, moved: MilestoneStatus) -> Result<()> {
    let Some(id) = &quote.contact_request_id else { return Ok(()) };
    let request = match contact::find(tx, id) {
        Err(error) if error.kind == Kind::NotFound => return Ok(()),
        found => found?,
    };
    let to = match (request.status, moved) {
        (contact::Status::Accepted, MilestoneStatus::InProgress) => contact::Status::InProgress,
        (contact::Status::InProgress, MilestoneStatus::Completed) => {
            let steps = store::list(tx, &quote.id)?;
            if completed(&steps) < steps.len() {
                return Ok(());
            }
            contact::Status::Completed
        }
        _ => return Ok(()),
    };
    contact::change_status(tx, id, to, &desk.by).map(drop)
}

/// The quote of this id, at whose steps can be worked.
fn at_work(tx: &impl ReadTransaction, id: &str) -> Result<Quote> {
    let quote = found(quotes::find(tx, id))?;
    if is_project(&quote) { Ok(quote) } else { Err(Error::conflict(NO_PROJECT)) }
}

/// Says of whatever is not found the same.
fn found(quote: Result<Quote>) -> Result<Quote> {
    quote.map_err(|error| if error.kind == Kind::NotFound { no_such() } else { error })
}

fn no_such() -> Error {
    Error::not_found("quote")
}

//! Customers are told how their steps were moved: some minutes after the first move, all that has changed until then, once.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use super::super::model::{Milestone, Untold};
use super::super::store;
use super::{Desk, is_project, letters};
use crate::quotes;
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::chat::{self, ChatSettings, Person};
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timely};
use hanok_platform::mail::{self, EmailAddress};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// So many customers are told in one transaction.
const AT_ONCE: usize = 20;

/// Tells customers what has changed in their projects, where that is due.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct TellOfSteps {}

impl Job for TellOfSteps {
    const KIND: &'static str = "project_notices";
    const TITLE: (&'static str, &'static str) = ("프로젝트 단계 알림", "Notices of project steps");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        loop {
            let chat = app.outside.chat.settings().clone();
            if app.data.store.write(move |tx| tell_due(tx, &chat)).await? < AT_ONCE {
                return Ok(());
            }
        }
    }
}

impl Timely for TellOfSteps {
    const ON: Change = store::CHANGED;

    fn next(tx: &impl ReadTransaction) -> Result<Option<chrono::DateTime<chrono::Utc>>> {
        store::next_due(tx)
    }
}

/// The kinds of job of the projects, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<TellOfSteps>()
}

/// The part of the projects in the schedule.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::when_due::<TellOfSteps>("project_notices")]
}

/// Notes that a step was moved that stood as `before`: what is not noted yet is told with it.
pub fn note(tx: &WriteTx, desk: &Desk, before: &Milestone) -> Result<()> {
    if desk.notice_minutes == 0 {
        return Ok(());
    }
    let mut untold = match store::untold(tx, &before.quote_id)? {
        Some(untold) => untold,
        None => Untold {
            quote_id: before.quote_id.clone(),
            due_at: tx.now() + Duration::minutes(desk.notice_minutes.into()),
            told: std::collections::BTreeMap::new(),
            address: None,
        },
    };
    untold.told.entry(before.id.clone()).or_insert(before.status);
    untold.address = desk.address.clone().or(untold.address);
    store::keep_untold(tx, &untold)
}

/// Tells those customers whose time has come. Gives how many were looked at.
fn tell_due(tx: &WriteTx, chat: &ChatSettings) -> Result<usize> {
    let due = store::take_due(tx, AT_ONCE)?;
    due.iter().try_for_each(|untold| tell(tx, chat, untold))?;
    Ok(due.len())
}

/// Tells one customer by mail, at the address to which the quote is sent or else at that of the account, and in the chat that
/// the account has connected; nothing where nothing has changed in the end.
fn tell(tx: &WriteTx, chat: &ChatSettings, untold: &Untold) -> Result<()> {
    let quote = match quotes::find(tx, &untold.quote_id) {
        Err(error) if error.kind == Kind::NotFound => return Ok(()),
        found => found?,
    };
    let steps = store::list(tx, &quote.id)?;
    let moved = untold.moved(&steps);
    if moved.is_empty() || !is_project(&quote) {
        return Ok(());
    }
    let account = match &quote.user_id {
        Some(id) => auth::find_customer(tx, id)?,
        None => None,
    };
    let mail = account.as_ref().map(|account| account.mail.as_str()).unwrap_or_default();
    let is_own = quotes::is_of_client(&quote, mail) || (quote.client_email.is_empty() && !mail.is_empty());
    let place_of = |is_of_account| letters::Place::of(tx, &quote, untold.address.as_deref(), is_of_account);
    let place = place_of(is_own)?;
    if let Ok(to) = EmailAddress::parse(if quote.client_email.is_empty() { mail } else { &quote.client_email }) {
        let letter = letters::moved(&quote, &moved, &steps, place.as_ref())?;
        mail::queue(tx, &to, None, letter.about(&quote.id))?;
    }
    if let Some(account) = account {
        let place = place_of(true)?;
        let (title, body) = letters::message(&quote, &moved, &steps, place.as_ref());
        chat::tell_about(tx, chat, &Person::customer(&account.id), &quote.id, (&title, &body))?;
    }
    Ok(())
}

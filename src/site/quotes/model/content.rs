//! What is sent becomes what a quote says: each part has an id, and what must hold of the whole is looked at.

use std::collections::HashSet;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::totals::sum;
use super::{
    Item, NewItem, NewPhase, NewPlan, NewQuote, Phase, Plan, Quote, QuoteChanges, QuoteContent, Task, line_amount,
};
use crate::contact::RequestDetails;
use hanok_base::error::Check;
use hanok_base::money::{Amount, Krw};
use hanok_base::secret::fingerprint;
use hanok_base::{Error, MessageTemplate, Result, validation_messages};
use hanok_platform::mail::Language;

const ONCE: MessageTemplate = MessageTemplate::new("quotes.must.once", "must not be the id of two entries");
const QUANTITY: MessageTemplate =
    MessageTemplate::new("quotes.must.quantity", "must have at most three digits behind the point");
const DISCOUNT: MessageTemplate =
    MessageTemplate::new("quotes.must.discount", "must not be more than the lines that are no choice");
const MAIL_TO_SEND: MessageTemplate =
    MessageTemplate::new("quotes.must.mail_to_send", "must be there for the quote to be sent");
const LINES_TO_SEND: MessageTemplate =
    MessageTemplate::new("quotes.must.lines_to_send", "must have at least one line for the quote to be sent");
const DAY_TO_SEND: MessageTemplate =
    MessageTemplate::new("quotes.must.day_to_send", "must not be over when the quote is sent");

/// Digits behind the point of a quantity.
const QUANTITY_DIGITS: u32 = 3;

/// What a new quote takes from the request that it answers.
#[derive(Debug, Clone, Default)]
pub struct ContactStart {
    /// What the quote is about.
    pub title: String,
    /// What the customer wrote of themselves.
    pub details: RequestDetails,
}

impl ContactStart {
    /// What a quote takes from a request with these details.
    pub fn of(details: RequestDetails) -> ContactStart {
        let about = if details.service.is_empty() { &details.name } else { &details.service };
        let title = match details.language {
            Language::Ko => format!("{about} 견적서"),
            Language::En => format!("Quote: {about}"),
        };
        ContactStart { title, details }
    }
}

/// Gives each part of a quote that has no id a new one.
type Fresh<'f> = &'f mut dyn FnMut() -> String;

impl QuoteContent {
    /// What a new quote says; what it leaves out comes from `start`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn begun(new: NewQuote, start: Option<&ContactStart>, fresh: Fresh<'_>) -> Result<QuoteContent> {
        let language = new.language.or(start.map(|start| start.details.language)).unwrap_or_default();
        let untitled = match language {
            Language::Ko => "새 견적서",
            Language::En => "New quote",
        };
        Check::of(|check| {
            let content = QuoteContent {
                title: new.title.or(start.map(|start| start.title.clone())).unwrap_or_else(|| untitled.to_owned()),
                client_name: new.client_name.or(start.map(|start| start.details.name.clone())).unwrap_or_default(),
                language,
                valid_until: new.valid_until,
                wbs: phases(new.wbs, check, &mut *fresh),
                items: items(new.items, check, &mut *fresh),
                maintenance: plans(new.maintenance, check, &mut *fresh),
                discount: new.discount,
                vat: new.vat,
                notes: new.notes,
            };
            content.check_whole(check);
            content
        })
    }

    /// Refuses what adds up to no sum.
    fn check_whole(&self, check: &mut Check) {
        let every: Vec<String> = self.items.iter().map(|item| item.id.clone()).collect();
        let undiscounted = QuoteContent { discount: Krw::ZERO, ..self.clone() };
        let fits = sum(&undiscounted, &every).is_some();
        check.require(fits, "items", validation_messages::SMALLER);
        check.require(!fits || sum(self, &[]).is_some(), "discount", DISCOUNT);
    }
}

impl Quote {
    /// It with these changes. A quote that the customer can see gets another revision where what it says is another.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn changed(&self, changes: QuoteChanges, fresh: Fresh<'_>) -> Result<Quote> {
        let mut quote = self.clone();
        Check::of(|check| {
            let content = &mut quote.content;
            let QuoteChanges { title, client_name, language, valid_until, wbs, items: lines, maintenance, .. } =
                changes;
            put(&mut content.title, title);
            put(&mut content.client_name, client_name.map(Option::unwrap_or_default));
            put(&mut content.language, language);
            put(&mut content.valid_until, valid_until);
            put(&mut content.wbs, wbs.map(|sent| phases(sent, check, &mut *fresh)));
            put(&mut content.items, lines.map(|sent| items(sent, check, &mut *fresh)));
            put(&mut content.maintenance, maintenance.map(|sent| plans(sent, check, &mut *fresh)));
            put(&mut content.discount, changes.discount.map(Option::unwrap_or_default));
            put(&mut content.vat, changes.vat);
            put(&mut content.notes, changes.notes.map(Option::unwrap_or_default));
            content.check_whole(check);
            put(&mut quote.client_email, changes.client_email.map(Option::unwrap_or_default));
            put(&mut quote.client_phone, changes.client_phone.map(Option::unwrap_or_default));
            put(&mut quote.internal_notes, changes.internal_notes.map(Option::unwrap_or_default));
            if quote.sent_at.is_some() {
                check.require(!quote.client_email.is_empty(), "client_email", MAIL_TO_SEND);
                check.require(!quote.content.items.is_empty(), "items", LINES_TO_SEND);
            }
        })?;
        if quote.sent_at.is_some() && quote.content != self.content {
            quote.revision = quote.revision.saturating_add(1);
        }
        quote.hash = hash_of(quote.number, quote.revision, &quote.content)?;
        Ok(quote)
    }
}

/// Refuses a quote that lacks something to be sent on `today`, naming all that it lacks.
///
/// # Errors
/// `INVALID_INPUT`.
pub fn check_sendable(quote: &Quote, today: NaiveDate) -> Result<()> {
    Check::of(|check| {
        check.require(!quote.client_email.is_empty(), "client_email", MAIL_TO_SEND);
        check.require(!quote.content.items.is_empty(), "items", LINES_TO_SEND);
        check.require(!quote.content.is_expired(today), "valid_until", DAY_TO_SEND);
    })
}

/// What stands for this revision of a quote: SHA-256 of number, revision and content as JSON, in hexadecimal.
///
/// # Errors
/// `INTERNAL` where it cannot be written as JSON.
pub fn hash_of(number: u64, revision: u32, content: &QuoteContent) -> Result<String> {
    let written = serde_json::to_string(&(number, revision, content)).map_err(Error::internal)?;
    Ok(fingerprint(&written))
}

fn put<T>(field: &mut T, sent: Option<T>) {
    if let Some(value) = sent {
        *field = value;
    }
}

/// The id that was sent, or a new one; refused where another entry has it.
fn id_of(sent: Option<String>, taken: &mut HashSet<String>, path: &str, check: &mut Check, fresh: Fresh<'_>) -> String {
    let id = sent.unwrap_or_else(fresh);
    check.require(taken.insert(id.clone()), format!("{path}.id"), ONCE);
    id
}

fn phases(sent: Vec<NewPhase>, check: &mut Check, fresh: Fresh<'_>) -> Vec<Phase> {
    let (mut taken, mut taken_by_tasks) = (HashSet::new(), HashSet::new());
    let mut phases = Vec::new();
    for (place, NewPhase { id, phase, tasks }) in sent.into_iter().enumerate() {
        let path = format!("wbs[{place}]");
        let id = id_of(id, &mut taken, &path, check, &mut *fresh);
        let mut kept = Vec::new();
        for (at, task) in tasks.into_iter().enumerate() {
            let path = format!("{path}.tasks[{at}]");
            let id = id_of(task.id, &mut taken_by_tasks, &path, check, &mut *fresh);
            kept.push(Task { id, name: task.name, duration: task.duration, description: task.description });
        }
        phases.push(Phase { id, phase, tasks: kept });
    }
    phases
}

fn items(sent: Vec<NewItem>, check: &mut Check, fresh: Fresh<'_>) -> Vec<Item> {
    let mut taken = HashSet::new();
    let mut items = Vec::new();
    for (place, item) in sent.into_iter().enumerate() {
        let path = format!("items[{place}]");
        let id = id_of(item.id, &mut taken, &path, check, &mut *fresh);
        let exact = item.quantity.map_or(Decimal::ONE, Amount::get).normalize();
        check.require(exact.scale() <= QUANTITY_DIGITS, format!("{path}.quantity"), QUANTITY);
        let quantity = Amount::new(exact).unwrap_or_default();
        let NewItem { category, name, description, unit_price, optional, .. } = item;
        let item = Item { id, category, name, description, quantity, unit_price, optional };
        check.require(line_amount(&item).is_some(), format!("{path}.quantity"), validation_messages::SMALLER);
        items.push(item);
    }
    items
}

fn plans(sent: Vec<NewPlan>, check: &mut Check, fresh: Fresh<'_>) -> Vec<Plan> {
    let mut taken = HashSet::new();
    let mut plans = Vec::new();
    for (place, plan) in sent.into_iter().enumerate() {
        let id = id_of(plan.id, &mut taken, &format!("maintenance[{place}]"), check, &mut *fresh);
        let lines = plan.includes.lines().map(str::trim).filter(|line| !line.is_empty());
        let includes = lines.map(str::to_owned).collect();
        let NewPlan { name, period, monthly_fee, recommended, .. } = plan;
        plans.push(Plan { id, name, period, monthly_fee, includes, recommended });
    }
    plans
}

//! What waits for an admin, kind by kind.

use chrono::{DateTime, Days, Duration, NaiveDate, Utc};

use super::super::model::{Waiting, WaitingItem, WaitingKind, mail_code, mail_kind};
use super::PORTION;
use crate::quotes::{self, Quote, QuoteStatus};
use crate::{contact, projects, questionnaire, share};
use hanok_base::text::without_direction_marks;
use hanok_base::{Language, Page, Result, day};
use hanok_platform::mail::{self, MailSeen, MailStatus};
use hanok_platform::store::ReadTransaction;

/// So many things of a kind are shown at the desk.
const SHOWN: usize = 5;
/// Mails that were not sent stand at the desk for so many days; later they are in the list of mails alone.
const MAIL_DAYS: i64 = 14;
/// What ends within so many days, today not counted, ends soon.
const SOON: u64 = 3;
/// What was decided, or has ended undecided, stands at the desk for so many days.
const DECIDED_DAYS: u64 = 7;

/// What waits, the most urgent first; kinds of which nothing waits are left out. `newest` are the newest quotes.
///
/// # Errors
/// Those of reading.
pub fn waiting(tx: &impl ReadTransaction, newest: &[Quote], language: Language) -> Result<Vec<Waiting>> {
    let [ending, open] = sent_quotes(tx)?;
    let kinds = [
        failed_mails(tx, language)?,
        ending,
        new_requests(tx)?,
        new_answers(tx, language)?,
        decided_quotes(tx, newest, language),
        projects_to_go_on(tx, language)?,
        open,
        drafts(tx, newest)?,
        ending_links(tx)?,
    ];
    let mut waiting: Vec<Waiting> = kinds.into_iter().filter(|kind| kind.count > 0).collect();
    waiting.sort_by_key(|kind| kind.kind);
    Ok(waiting)
}

/// The first of `items`, of which there are `count`, the one that waits longest first.
fn of_kind(kind: WaitingKind, count: u64, path: &str, items: Vec<WaitingItem>) -> Waiting {
    let since = items.iter().map(|item| item.at).min();
    Waiting { kind, count, since, path: path.to_owned(), items: items.into_iter().take(SHOWN).collect() }
}

/// All of `items`, which are listed at `path`.
fn all_of_kind(kind: WaitingKind, path: &str, items: Vec<WaitingItem>) -> Waiting {
    of_kind(kind, items.len() as u64, path, items)
}

fn failed_mails(tx: &impl ReadTransaction, language: Language) -> Result<Waiting> {
    let (oldest, all) = (tx.now() - Duration::days(MAIL_DAYS), Page { limit: PORTION, offset: 0 });
    let mut mails = Vec::new();
    for status in [MailStatus::Failed, MailStatus::DeliveryUnknown, MailStatus::Held] {
        mails.extend(mail::list_with(tx, status, all)?.0.into_iter().filter(|mail| mail.created_at >= oldest));
    }
    mails.sort_by_key(|mail| mail.created_at);
    let item = |mail: &MailSeen| {
        let title = format!("{} → {}", in_language(language, mail_kind(&mail.kind)), mail.to);
        let path = format!("/admin/mails?status={}", mail_code(mail.status));
        WaitingItem { title, path, at: mail.created_at, until: None }
    };
    Ok(all_of_kind(WaitingKind::MailFailed, "/admin/mails", mails.iter().map(item).collect()))
}

/// Where the last `SHOWN` of a list of `count` begin, which are the oldest of it.
fn oldest(count: u64) -> Page {
    Page { limit: SHOWN, offset: usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(SHOWN) }
}

fn new_requests(tx: &impl ReadTransaction) -> Result<Waiting> {
    let pending = contact::Status::Pending;
    let count = contact::counts(tx)?.of(pending);
    let (requests, _) = contact::list(tx, Some(pending), oldest(count))?;
    let item = |request: &contact::Request| WaitingItem {
        title: titled(&request.details.name, &request.details.service),
        path: format!("/admin/contacts/{}", request.id),
        at: request.created_at,
        until: None,
    };
    let items = requests.iter().rev().map(item).collect();
    Ok(of_kind(WaitingKind::RequestNew, count, "/admin/contacts?status=pending", items))
}

fn new_answers(tx: &impl ReadTransaction, language: Language) -> Result<Waiting> {
    let submitted = Some(questionnaire::ResponseStatus::Submitted);
    let count = questionnaire::count(tx, None, submitted)?;
    let (answers, _) = questionnaire::list(tx, None, submitted, oldest(count))?;
    let item = |one: &questionnaire::Response| {
        let title = in_language(language, (one.title.ko.as_str(), one.title.en.as_str()));
        let who = [&one.client.name, &one.client.email].into_iter().find(|said| !said.is_empty());
        WaitingItem {
            title: who.map_or(title.to_owned(), |who| titled(who, title)),
            path: format!("/admin/questionnaires/{}", one.id),
            at: one.created_at,
            until: None,
        }
    };
    let items = answers.iter().rev().map(item).collect();
    Ok(of_kind(WaitingKind::QuestionnaireNew, count, "/admin/questionnaires?status=submitted", items))
}

fn quote_item(quote: &Quote, at: DateTime<Utc>, until: Option<NaiveDate>) -> WaitingItem {
    let title = titled(&quote.content.client_name, &quote.content.title);
    WaitingItem { title, path: format!("/admin/quotes/{}", quote.id), at, until }
}

/// Quotes that were sent and are not decided: those that end soon or have ended lately, and the others.
fn sent_quotes(tx: &impl ReadTransaction) -> Result<[Waiting; 2]> {
    let today = day::of(tx.now());
    let soon = today.checked_add_days(Days::new(SOON)).unwrap_or(today);
    let lately = today.checked_sub_days(Days::new(DECIDED_DAYS)).unwrap_or(today);
    let mut sent = quotes::waiting(tx)?;
    sent.retain(|quote| quote.content.valid_until.is_none_or(|until| until >= lately));
    let (ending, open): (Vec<Quote>, Vec<Quote>) =
        sent.into_iter().partition(|quote| quote.content.valid_until.is_some_and(|until| until <= soon));
    let items = |quotes: Vec<Quote>| {
        let item =
            |quote: &Quote| quote_item(quote, quote.sent_at.unwrap_or(quote.updated_at), quote.content.valid_until);
        quotes.iter().map(item).collect()
    };
    let path = "/admin/quotes?status=sent";
    let (ending, open) = (items(ending), items(open));
    Ok([all_of_kind(WaitingKind::QuoteEnding, path, ending), all_of_kind(WaitingKind::QuoteOpen, path, open)])
}

fn decided_quotes(tx: &impl ReadTransaction, newest: &[Quote], language: Language) -> Waiting {
    let since = tx.now() - Duration::days(DECIDED_DAYS as i64);
    let decided = newest.iter().filter_map(|quote| Some((quote, quote.decision.as_ref()?.at)));
    let mut items: Vec<WaitingItem> = decided
        .filter(|(_, at)| *at >= since)
        .map(|(quote, at)| {
            let item = quote_item(quote, at, None);
            WaitingItem { title: format!("{} ({})", item.title, in_language(language, quote.status.text())), ..item }
        })
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.at));
    all_of_kind(WaitingKind::QuoteDecided, "/admin/quotes", items)
}

fn drafts(tx: &impl ReadTransaction, newest: &[Quote]) -> Result<Waiting> {
    let count = quotes::counts(tx)?.of(QuoteStatus::Draft);
    let drafts = newest.iter().rev().filter(|quote| quote.status == QuoteStatus::Draft);
    let items = drafts.map(|quote| quote_item(quote, quote.created_at, None)).collect();
    Ok(of_kind(WaitingKind::QuoteDraft, count, "/admin/quotes?status=draft", items))
}

/// Accepted work that is not done: the next step of each.
fn projects_to_go_on(tx: &impl ReadTransaction, language: Language) -> Result<Waiting> {
    let (accepted, _) = quotes::accepted(tx, Page { limit: PORTION, offset: 0 })?;
    let mut items = Vec::new();
    for quote in &accepted {
        let project = projects::project(tx, quote)?;
        let step = match &project.current_step {
            Some(step) => step.title.as_str(),
            None if project.milestones.is_empty() => in_language(language, ("단계를 정해 주세요", "plan its steps")),
            None => continue,
        };
        items.push(WaitingItem {
            title: format!("{}: {step}", titled(&quote.content.client_name, &project.title)),
            path: format!("/admin/projects/{}", project.id),
            at: project.accepted_at.unwrap_or(project.created_at),
            until: None,
        });
    }
    items.sort_by_key(|item| item.at);
    Ok(all_of_kind(WaitingKind::ProjectOpen, "/admin/projects", items))
}

/// Links to the portfolio that end soon.
fn ending_links(tx: &impl ReadTransaction) -> Result<Waiting> {
    let soon = tx.now() + Duration::days(SOON as i64);
    let (links, _) = share::links(tx, Page { limit: PORTION, offset: 0 })?;
    let mut ending: Vec<_> = links.into_iter().map(|(link, _)| link).filter(|link| link.expires_at <= soon).collect();
    ending.sort_by_key(|link| link.expires_at);
    let item = |link: &hanok_platform::auth::Link| WaitingItem {
        title: if link.note.is_empty() { "–".to_owned() } else { link.note.clone() },
        path: "/admin/share".to_owned(),
        at: link.created_at,
        until: Some(day::of(link.expires_at)),
    };
    Ok(all_of_kind(WaitingKind::ShareEnding, "/admin/share", ending.iter().map(item).collect()))
}

/// What somebody's thing is called: who it is of, and what it is about where that is known. Marks of direction are left out,
/// for more stands behind it.
fn titled(name: &str, about: &str) -> String {
    let (name, about) = (without_direction_marks(name), without_direction_marks(about));
    if about.is_empty() { name.into_owned() } else { format!("{name} · {about}") }
}

fn in_language<'w>(language: Language, (ko, en): (&'w str, &'w str)) -> &'w str {
    language.choose(ko, en)
}

//! The desk's list of quotes.

use askama::Template;
use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::Deserialize;

use super::super::super::model::QuoteStatus;
use super::super::desk::{ListedQuote, Quotes, find_wanted};
use super::view::{day_at_the_desk, state_at_the_desk};
use crate::frame::{Frame, Head, Notice, Pager};
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Page as Part, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Query, Shown};

/// How many quotes stand on one page of the list.
const ON_A_PAGE: usize = 50;

/// What the list says of a quote that is there no more.
pub const REMOVED: Notice = Notice::new("remove", "견적을 삭제했습니다.", "The quote has been deleted.");
const NOTICES: &[Notice] = &[REMOVED];

/// Which quotes the list shows.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct ListWanted {
    /// Words or parts of words; empty shows all, or a state.
    pub q: Option<Validated<Text<0, 200>>>,
    /// Only in this state.
    pub status: Option<Validated<Unchecked<QuoteStatus>>>,
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

#[derive(Template)]
#[template(path = "quotes/desk.html")]
struct ListPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    words: &'a str,
    status: Option<QuoteStatus>,
    listed: &'a Quotes,
    rows: Vec<Row>,
    pager: Pager,
}

/// A quote in the list.
struct Row {
    id: String,
    number: u64,
    title: String,
    client: String,
    total: String,
    last_day: String,
    state: &'static str,
    tone: &'static str,
}

impl ListPage<'_> {
    fn name_of(&self, status: &QuoteStatus) -> &'static str {
        let (ko, en) = status.text();
        self.frame.say(ko, en)
    }

    fn is_shown(&self, status: &QuoteStatus) -> bool {
        self.status == Some(*status)
    }

    fn is_all(&self) -> bool {
        self.status.is_none()
    }
}

impl Row {
    fn of(frame: &Frame, quote: &ListedQuote) -> Row {
        let last_day = quote.valid_until.map(|last| day_at_the_desk(frame, &last));
        let last_day = last_day.map(|last| match frame.is_korean() {
            true => format!("{last}까지"),
            false => format!("until {last}"),
        });
        let (state, tone) = state_at_the_desk(frame, quote.status, quote.expired);
        Row {
            id: quote.id.clone(),
            number: quote.number,
            title: quote.title.clone(),
            client: quote.client_name.clone(),
            total: quote.totals.total.said(frame.is_korean()),
            last_day: last_day.unwrap_or_default(),
            state,
            tone,
        }
    }
}

/// Every quote, newest first, or those of a state, or those that say some words.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, wanted: Query<ListWanted>) -> HandlerResult<Shown> {
    let ListWanted { q, status, offset } = wanted.0;
    let (words, status, part) = Check::of(|check| {
        let words = q.map(|q| check.take("q", q)).unwrap_or_default();
        let status = status.and_then(|status| check.find("status", status));
        (words, status, Part::take(check, None, offset, ON_A_PAGE as u64))
    })?;
    let sought = Some(words.clone()).filter(|words| !words.is_empty());
    let listed = find_wanted(&app, sought, status, part).await?;
    let rows = listed.quotes.iter().map(|quote| Row::of(&frame, quote)).collect();
    let pager = frame.pager(listed.total, ON_A_PAGE, part.offset);
    let head = Head::unlisted(frame.say("견적", "Quotes"));
    frame.show(&ListPage { frame: &frame, head, words: &words, status, listed: &listed, rows, pager })
}

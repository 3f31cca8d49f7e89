//! The desk as pages: all requests by their states, found by words, and one with everything that belongs to it.

use askama::Template;
use chrono::{DateTime, Utc};
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{self, NoteText, Status};
use super::super::super::store;
use super::{RequestAtDesk, Requests, at_desk, find_wanted};
use crate::admin::{Deed, note_about};
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Kind, Page as Part, Result, Sent, day, must};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Answer, Form, Key, Page, Peer, Query, Seal, SeeOther, Shown, site_origin, to_write};
use hanok_platform::store::Reads;

/// How many requests stand on one page of the list, and in one column of the board.
const ON_A_PAGE: usize = 50;
const IN_A_COLUMN: usize = 12;
/// The columns of the board: what is still to be done.
const COLUMNS: [Status; 6] =
    [Status::Pending, Status::Reviewing, Status::Quoted, Status::Accepted, Status::InProgress, Status::OnHold];

/// What the desk shows.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct DeskWanted {
    /// Words or parts of words; empty shows the board, or a state.
    pub q: Option<Sent<Text<0, 200>>>,
    /// Only in this state.
    pub status: Option<Sent<Any<Status>>>,
    /// How many to pass over first.
    pub offset: Option<Sent<Offset>>,
}

#[derive(Template)]
#[template(path = "contact/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    words: &'a str,
    status: Option<Status>,
    /// Empty where a list is shown.
    columns: Vec<Column>,
    listed: Requests,
    offset: usize,
}

/// A column of the board.
struct Column {
    status: Status,
    requests: Vec<model::Request>,
    count: u64,
}

#[derive(Template)]
#[template(path = "contact/desk_one.html")]
struct OnePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    one: RequestAtDesk,
    text: &'a str,
    faults: Faults,
    /// The customer's link, where it was just given anew: it is shown this once.
    link: Option<String>,
}

/// What the desk does to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Act {
    Move,
    Note,
    Unnote,
    Link,
    Unlink,
    Remove,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActForm {
    act: Sent<Any<Act>>,
    status: Option<Sent<Any<Status>>>,
    text: Option<Sent<NoteText>>,
    note: Option<Sent<Any<String>>>,
}

impl DeskPage<'_> {
    fn name_of(&self, status: &Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    fn when(&self, at: &DateTime<Utc>) -> String {
        when(self.frame, at)
    }

    fn is_shown(&self, status: &Status) -> bool {
        self.status == Some(*status)
    }

    fn is_board(&self) -> bool {
        !self.columns.is_empty()
    }

    /// The address of this list from another place on.
    fn from(&self, offset: usize) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if !self.words.is_empty() {
            query.append_pair("q", self.words);
        }
        if let Some(status) = self.status {
            query.append_pair("status", status.code());
        }
        query.append_pair("offset", &offset.to_string());
        format!("{}?{}", self.frame.href("/admin/contacts"), query.finish())
    }

    fn goes_on(&self) -> bool {
        ((self.offset + self.listed.contacts.len()) as u64) < self.listed.total
    }
}

impl OnePage<'_> {
    fn name_of(&self, status: &Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    fn when(&self, at: &DateTime<Utc>) -> String {
        when(self.frame, at)
    }

    /// What the customer gave, each with its label, but for the message.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let details = &self.one.request.details;
        let said = [
            (self.frame.say("분야", "About"), details.service.as_str()),
            (self.frame.say("종류", "Kind"), &details.project_type),
            (self.frame.say("예산", "Budget"), &details.budget),
            (self.frame.say("일정", "Time"), &details.timeline),
        ];
        said.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// An instant as people read it, in Asia/Seoul.
fn when(frame: &Frame, at: &DateTime<Utc>) -> String {
    at.with_timezone(&day::ZONE).format(frame.say("%Y-%m-%d %H:%M", "%-d %b %Y, %H:%M")).to_string()
}

/// The board of what is to be done, or a list.
#[endpoint]
pub async fn list(
    app: App,
    _caller: Admin,
    frame: Frame,
    wanted: Query<DeskWanted>,
    req: &mut Request,
) -> Answer<Page> {
    let DeskWanted { q, status, offset } = wanted.0;
    let (words, status, part) = Check::of(|check| {
        let words = q.map(|q| check.take("q", q)).unwrap_or_default();
        let status = status.and_then(|status| check.find("status", status));
        (words, status, Part::take(check, None, offset, ON_A_PAGE as u64))
    })?;
    let sought = Some(words.clone()).filter(|words| !words.is_empty());
    let is_board = sought.is_none() && status.is_none();
    let listed = find_wanted(&app, sought, status, part).await?;
    let columns = if is_board { app.data.store.read(|tx| columns(tx)).await? } else { Vec::new() };
    let seal = Seal::new(&app, req);
    let head = Head::unlisted(frame.say("의뢰 책상", "Requests"));
    let offset = part.offset;
    let page = DeskPage { frame: &frame, head, seal: &seal, words: &words, status, columns, listed, offset };
    Ok(frame.page(&page)?.kept_by_nobody().with_cookie(seal.cookie.clone()))
}

fn columns(tx: &impl Reads) -> Result<Vec<Column>> {
    let newest = Part { limit: IN_A_COLUMN, offset: 0 };
    let column = |status| {
        let (requests, count) = store::list(tx, Some(status), newest)?;
        Ok(Column { status, requests, count })
    };
    COLUMNS.into_iter().map(column).collect()
}

/// One request with its moves and notes.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key, req: &mut Request) -> Answer<Page> {
    let one = app.data.store.read(move |tx| at_desk(tx, &id.0)).await?;
    let seal = Seal::new(&app, req);
    Ok(page_of(&frame, &seal, one, "", Faults::default(), None)?)
}

/// Moves a request, notes upon it, gives its link anew or ends it, removes it. What is refused is said on its page.
#[endpoint]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    id: Key,
    form: Form,
    req: &mut Request,
) -> Answer<Shown> {
    let (origin, known) = (site_origin(&app, req), id.0.clone());
    let done = act(&app, caller, peer, id.0, &form, origin).await;
    let here = frame.href(&format!("/admin/contacts/{known}"));
    let (faults, link, refusal) = match done {
        Ok(Done::Removed) => return Ok(Shown::Elsewhere(SeeOther::to(frame.href("/admin/contacts")))),
        Ok(Done::Here) => return Ok(Shown::Elsewhere(SeeOther::to(here))),
        Ok(Done::Link(link)) => (Faults::default(), Some(link), None),
        Err(error) if [Kind::InvalidInput, Kind::Forbidden, Kind::Conflict].contains(&error.kind) => {
            (Faults::of(&error, frame.language()), None, Some(error))
        }
        Err(error) => return Err(error.into()),
    };
    let one = app.data.store.read(move |tx| at_desk(tx, &known)).await?;
    let seal = Seal::again(&app, req, &form);
    let page = page_of(&frame, &seal, one, form.value("text"), faults, link)?;
    Ok(Shown::Here(match refusal {
        Some(error) => page.refusing(&error),
        None => page,
    }))
}

/// What became of an act.
enum Done {
    /// It is seen on the page of the request.
    Here,
    /// There is no such page any more.
    Removed,
    /// The customer's link.
    Link(String),
}

async fn act(app: &App, caller: Admin, peer: Peer, id: String, form: &Form, origin: String) -> Result<Done> {
    let ActForm { act, status, text, note } = form.read()?;
    let (act, status, text, note) = Check::of(|check| {
        let act = check.find("act", act);
        let status = status.and_then(|status| check.find("status", status));
        check.require(act != Some(Act::Move) || status.is_some(), "status", must::PRESENT);
        check.require(act != Some(Act::Note) || text.is_some(), "text", must::PRESENT);
        let text = text.map(|text| check.take("text", text)).unwrap_or_default();
        let note: Option<u64> = note.and_then(|note| check.take("note", note).parse().ok());
        (act, status, text, note)
    })?;
    // The key of the form makes a note one note, however often it is sent.
    if act == Some(Act::Note) {
        let by = caller.name.clone();
        let noted = to_write(move |tx| store::add_note(tx, &id, text, &by));
        form.key().once(app, &caller, noted).await?;
        return Ok(Done::Here);
    }
    let written = app.data.store.write(move |tx| {
        let noted = |deed| note_about(tx, &caller.name, deed, peer.0, &id);
        match (act, status) {
            (Some(Act::Move), Some(to)) => {
                store::change_status(tx, &id, to, &caller.name)?;
                noted(Deed::RequestMoved)?;
            }
            (Some(Act::Unnote), _) => store::remove_note(tx, &id, note.unwrap_or_default())?,
            (Some(Act::Link), _) => {
                let token = store::renew_link(tx, &id)?;
                noted(Deed::RequestLinkRenewed)?;
                return Ok(Done::Link(format!("{origin}/contact/{token}")));
            }
            (Some(Act::Unlink), _) => {
                store::end_link(tx, &id)?;
                noted(Deed::RequestLinkEnded)?;
            }
            (Some(Act::Remove), _) => {
                store::remove(tx, &id)?;
                noted(Deed::RequestRemoved)?;
                return Ok(Done::Removed);
            }
            _ => {}
        }
        Ok(Done::Here)
    });
    written.await
}

fn page_of(
    frame: &Frame,
    seal: &Seal,
    one: RequestAtDesk,
    text: &str,
    faults: Faults,
    link: Option<String>,
) -> Result<Page> {
    let title = frame.say("의뢰", "Request");
    let title = format!("{title}: {}", one.request.details.name);
    let page = OnePage { frame, head: Head::unlisted(&title), seal, one, text, faults, link };
    Ok(frame.page(&page)?.kept_by_nobody().with_cookie(seal.cookie.clone()))
}

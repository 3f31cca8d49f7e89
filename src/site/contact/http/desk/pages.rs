//! The desk as pages: all requests by their states, found by words, and one with everything that belongs to it.

use askama::Template;
use chrono::NaiveDate;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{self, MoveText, NoteText, RequestDetails, ShareMaker, Status, choices};
use super::super::super::work::follow::{self, Reached};
use super::super::super::work::shares;
use super::super::super::{store, work};
use super::super::pages::shares::{SharesPart, wanted};
use super::super::reached;
use super::super::shares::{ShareSeen, end_share_at_desk, seen_of, share_at_desk};
use super::{RequestAtDesk, Requests, at_desk, find_wanted, remove_at_desk};
use crate::admin::{Deed, note_about};
use crate::frame::{Faults, Frame, Head, mailto};
use hanok_base::day::{self, Day};
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Kind, Page as Part, Result, Sent, must};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Answer, Form, Key, Page, Peer, Query, Seal, SeeOther, Shown, already, to_write};
use hanok_platform::mail::Language;
use hanok_platform::store::Reads;

/// How many requests stand on one page of the list, and in one column of the board.
const ON_A_PAGE: usize = 50;
const IN_A_COLUMN: usize = 12;
/// The columns of the board: what is still to be done.
const COLUMNS: [Status; 6] =
    [Status::Pending, Status::Reviewing, Status::Quoted, Status::Accepted, Status::InProgress, Status::OnHold];

/// Where it is said that a request is removed. Without a section of its own, browsers keep that of the form.
const REMOVED: &str = "/admin/contacts?saved=remove#content";
/// The section of share links.
const SHARES: &str = "shares";

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
    shares: SharesPart<'a>,
    text: &'a str,
    /// What was typed for the customer.
    message: &'a str,
    faults: Faults,
    /// The section in which is told what was done or refused; empty for the top of the page.
    told_at: &'static str,
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
    Share,
    Unshare,
    Remove,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActForm {
    act: Sent<Any<Act>>,
    status: Option<Sent<Any<Status>>>,
    message: Option<Sent<MoveText>>,
    text: Option<Sent<NoteText>>,
    note: Option<Sent<Any<String>>>,
    until: Option<Sent<Day>>,
    label: Option<Sent<Text<0, 50>>>,
    share: Option<Sent<Any<String>>>,
}

impl DeskPage<'_> {
    fn name_of(&self, status: &Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    fn is_shown(&self, status: &Status) -> bool {
        self.status == Some(*status)
    }

    /// What a request is about.
    fn service<'r>(&self, request: &'r model::Request) -> &'r str {
        choices::said(self.frame.language(), choices::SERVICES, &request.details.service)
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

    /// Whether a move ends the request: it is asked for once more.
    fn is_end(&self, to: &Status) -> bool {
        *to == Status::Cancelled
    }

    /// What was just done, in words.
    fn done(&self) -> &'static str {
        let (ko, en) = match self.frame.saved() {
            "move" if !self.frame.sends_mail() => (
                "상태를 바꾸었습니다. 메일 서버가 없어 손님에게 메일이 가지 않았습니다.",
                "It is moved. There is no mail server, so the customer got no mail.",
            ),
            "move" => ("상태를 바꾸고 손님에게 메일로 알렸습니다.", "It is moved, and the customer is told by mail."),
            "note" => ("메모를 저장했습니다.", "The note is kept."),
            "unnote" => ("메모를 지웠습니다.", "The note is deleted."),
            "unlink" => ("손님의 링크를 만료시켰습니다.", "The customer's link has ended."),
            _ => ("", ""),
        };
        self.frame.say(ko, en)
    }

    /// Where a mail to the customer is begun. An address may have signs in it that would begin something else there.
    fn mailto(&self) -> String {
        mailto(&self.one.request.details.email)
    }

    /// What the customer gave, each with its label, but for the message.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let RequestDetails { service, project_type, budget, timeline, .. } = &self.one.request.details;
        choices::labelled(self.frame.language(), [service, project_type, budget, timeline])
    }
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
    let head = Head::unlisted(frame.say("의뢰 관리", "Requests"));
    let offset = part.offset;
    let page = DeskPage { frame: &frame, head, seal: &seal, words: &words, status, columns, listed, offset };
    Ok(frame.page_with_form(&page, &seal)?)
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
    let (reached, language) = (reached(&app, req), frame.language());
    let one = app.data.store.read(move |tx| with_shares(tx, &id.0, &reached, language)).await?;
    let (seal, today) = (Seal::new(&app, req), day::of(app.clock.now()));
    Ok(page_of(&frame, &seal, one, today, None, Faults::default(), None)?)
}

/// Moves a request, notes upon it, gives its links and ends them, removes it. What is refused is said on its page.
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
    let (reached, known) = (reached(&app, req), id.0.clone());
    let done = act(&app, caller, peer, id.0, &form, reached.clone()).await;
    let here = saved_at(&known, form.value("act"));
    let (faults, link, refusal) = match done {
        Ok(Done::Removed) => return Ok(Shown::Elsewhere(SeeOther::to(frame.href(REMOVED)))),
        Ok(Done::Here) => return Ok(Shown::Elsewhere(SeeOther::to(frame.href(&here)))),
        Ok(Done::Link(link)) => (Faults::default(), Some(link), None),
        Err(error) if [Kind::InvalidInput, Kind::Forbidden, Kind::Conflict].contains(&error.kind) => {
            (Faults::of(&error, frame.language()), None, Some(error))
        }
        Err(error) => return Err(error.into()),
    };
    let language = frame.language();
    let one = app.data.store.read(move |tx| with_shares(tx, &known, &reached, language)).await?;
    let (seal, today) = (Seal::again(&app, req, &form), day::of(app.clock.now()));
    let page = page_of(&frame, &seal, one, today, refusal.as_ref().map(|_| &form), faults, link)?;
    Ok(Shown::Here(match refusal {
        Some(error) => page.refusing(&error),
        None => page,
    }))
}

/// Where it is said that `act` is done: in its section of the request's page.
fn saved_at(id: &str, act: &str) -> String {
    let page = format!("/admin/contacts/{id}?saved={act}");
    match section_of(act) {
        "" => page,
        section => format!("{page}#{section}"),
    }
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

async fn act(app: &App, caller: Admin, peer: Peer, id: String, form: &Form, reached: Reached) -> Result<Done> {
    let ActForm { act, status, message, text, note, until, label, share } = form.read()?;
    let (act, status, message, text, note, share) = Check::of(|check| {
        let act = check.find("act", act);
        let status = status.and_then(|status| check.find("status", status));
        check.require(act != Some(Act::Move) || status.is_some(), "status", must::PRESENT);
        check.require(act != Some(Act::Note) || text.is_some(), "text", must::PRESENT);
        let message = message.map(|message| check.take("message", message)).unwrap_or_default();
        let text = text.map(|text| check.take("text", text)).unwrap_or_default();
        let note: Option<u64> = note.and_then(|note| check.take("note", note).parse().ok());
        let share = share.map(|share| check.take("share", share)).unwrap_or_default();
        (act, status, message, text, note, share)
    })?;
    // The word of a link is written down nowhere: each time that it is asked for, the customer's is another one.
    if act == Some(Act::Link) {
        return renew_link(app, caller, peer, id, reached).await;
    }
    let new = if act == Some(Act::Share) { Some(wanted(until, label, ShareMaker::Admin)?) } else { None };
    let (chat, by) = (app.outside.chat.settings().clone(), caller.clone());
    let written = to_write(move |tx| {
        let noted = |deed| note_about(tx, &by.name, deed, peer.0, &id);
        match (act, status, new) {
            (Some(Act::Move), Some(to), _) => {
                work::move_on(tx, &chat, &id, to, &by.name, reached.address.as_deref(), &message)?;
                noted(Deed::RequestMoved)
            }
            (Some(Act::Note), ..) => {
                store::add_note(tx, &id, text, &by.name)?;
                noted(Deed::RequestNoted)
            }
            (Some(Act::Unnote), ..) => {
                let removed = store::remove_note(tx, &id, note.unwrap_or_default());
                already(removed.and_then(|()| noted(Deed::RequestNoteRemoved)))
            }
            (Some(Act::Unlink), ..) => {
                shares::end_link(tx, &id)?;
                noted(Deed::RequestLinkEnded)
            }
            (Some(Act::Share), _, Some(new)) => share_at_desk(tx, (&by, peer), &id, new).map(drop),
            (Some(Act::Unshare), ..) => already(end_share_at_desk(tx, (&by, peer), &id, &share)),
            (Some(Act::Remove), ..) => already(remove_at_desk(tx, (&by, peer), &id)),
            _ => Ok(()),
        }
    });
    // The key of the form makes one deed of it, however often it is sent.
    form.key().once(app, &caller, written).await?;
    Ok(if act == Some(Act::Remove) { Done::Removed } else { Done::Here })
}

/// Gives the customer another link in the place of the one before.
async fn renew_link(app: &App, caller: Admin, peer: Peer, id: String, reached: Reached) -> Result<Done> {
    let renewed = app.data.store.write(move |tx| {
        let token = shares::renew_link(tx, &id)?;
        note_about(tx, &caller.name, Deed::RequestLinkRenewed, peer.0, &id)?;
        let request = store::find(tx, &id)?;
        let language = work::language(request.details.language);
        Ok(Done::Link(follow::page_at(reached.shown(), &token, language)))
    });
    renewed.await
}

/// The request of this id with everything that belongs to it, and its share links.
fn with_shares(
    tx: &impl Reads,
    id: &str,
    reached: &Reached,
    language: Language,
) -> Result<(RequestAtDesk, Vec<ShareSeen>)> {
    let one = at_desk(tx, id)?;
    let shares = seen_of(tx, &one.request, reached.shown(), language)?;
    Ok((one, shares))
}

fn page_of(
    frame: &Frame,
    seal: &Seal,
    (one, shares): (RequestAtDesk, Vec<ShareSeen>),
    today: NaiveDate,
    sent: Option<&Form>,
    faults: Faults,
    link: Option<String>,
) -> Result<Page> {
    let title = frame.say("의뢰", "Request");
    let title = format!("{title}: {}", one.request.details.name);
    let told_at = section_of(sent.map_or(frame.saved(), |form| form.value("act")));
    let is_of_shares = told_at == SHARES;
    let (of_shares, faults) = if is_of_shares { (faults, Faults::default()) } else { (Faults::default(), faults) };
    let shares = SharesPart { frame, seal, shares, today, sent, faults: of_shares };
    let typed = |field| sent.map_or("", |form| form.value(field));
    let (head, text, message) = (Head::unlisted(&title), typed("text"), typed("message"));
    let page = OnePage { frame, head, seal, one, shares, text, message, faults, told_at, link };
    frame.page_with_form(&page, seal)
}

/// The section with the forms for `act`; empty for those at the top of the page.
fn section_of(act: &str) -> &'static str {
    match act {
        "note" | "unnote" => "notes",
        "link" | "unlink" | "remove" => "link",
        "share" | "unshare" => SHARES,
        _ => "",
    }
}

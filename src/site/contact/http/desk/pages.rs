//! The desk as pages: all requests by their states, found by words, and one with everything that belongs to it.

mod act;

use askama::Template;
use chrono::{DateTime, Utc};
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{self, NewNote, RequestDetails, Status};
use super::super::super::store;
use super::super::super::work::ContactSettings;
use super::super::super::work::follow::Reached;
use super::super::pages::shares::{SHARED, SharesPart, UNSHARED};
use super::super::reached;
use super::super::shares::{ShareSeen, seen_of};
use super::{RequestAtDesk, Requests, at_desk, find_wanted};
use crate::frame::{Confirm, FormState, Frame, Head, Notice, Pager, mailto};
use act::{Done, Step, act};
use hanok_base::day;
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::text::{Text, without_direction_marks};
use hanok_base::validated::Unchecked;
use hanok_base::{Page as Part, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Key, Peer, Query, Shown};
use hanok_platform::mail::Language;
use hanok_platform::store::ReadTransaction;

/// How many requests stand on one page of the list, and in one column of the board.
const ON_A_PAGE: usize = 50;
const IN_A_COLUMN: usize = 12;
/// The columns of the board: what is still to be done.
const COLUMNS: [Status; 6] =
    [Status::Pending, Status::Reviewing, Status::Quoted, Status::Accepted, Status::InProgress, Status::OnHold];

/// What the list says of a request that is there no more.
const REMOVED: Notice = Notice::new("remove", "의뢰를 삭제했습니다.", "The request has been deleted.");
const NOTICES: &[Notice] = &[REMOVED];

/// What the forms of a request's page do, each with the section that says so.
const fn notices(moved: Notice, undone: Notice) -> [Notice; 9] {
    [
        moved,
        undone,
        Notice::new("note", "메모를 저장했습니다.", "The note is kept.").at("notes"),
        Notice::new("unnote", "메모를 삭제했습니다.", "The note is deleted.").at("notes"),
        Notice::new("link", "", "").at("link"),
        Notice::new("unlink", "고객의 링크를 만료시켰습니다.", "The customer's link has ended.").at("link"),
        Notice::new("remove", "", "").at("link"),
        SHARED,
        UNSHARED,
    ]
}

/// The notices where mail goes out, and where none does.
const MAILED: &[Notice] = &notices(
    Notice::new("move", "상태를 바꾸고 고객에게 메일로 알렸습니다.", "It is moved, and the customer is told by mail."),
    Notice::new("undo", "마지막 단계를 되돌렸습니다.", "The latest step is taken back."),
);
const NOT_MAILED: &[Notice] = &notices(
    Notice::new(
        "move",
        "상태를 바꾸었습니다. 메일 서버가 없어 고객에게 메일이 가지 않았습니다.",
        "It is moved. There is no mail server, so the customer got no mail.",
    ),
    Notice::new(
        "undo",
        "마지막 단계를 되돌렸습니다. 메일 서버가 없어 고객에게 메일이 가지 않았습니다.",
        "The latest step is taken back. There is no mail server, so the customer got no mail.",
    ),
);

/// What the desk shows.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct DeskWanted {
    /// Words or parts of words; empty shows the board, or a state.
    pub q: Option<Validated<Text<0, 200>>>,
    /// Only in this state.
    pub status: Option<Validated<Unchecked<Status>>>,
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

#[derive(Template)]
#[template(path = "contact/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    settings: &'a ContactSettings,
    now: DateTime<Utc>,
    words: &'a str,
    status: Option<Status>,
    /// Empty where a list is shown.
    columns: Vec<Column>,
    listed: Requests,
    pager: Pager,
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
    settings: &'a ContactSettings,
    now: DateTime<Utc>,
    one: RequestAtDesk,
    shares: SharesPart<'a>,
    step: FormState<'a>,
    undo: FormState<'a>,
    note: FormState<'a>,
    /// The customer's link, where it was just given anew: it is shown this once.
    link: Option<String>,
}

impl DeskPage<'_> {
    fn name_of(&self, status: &Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    fn is_shown(&self, status: &Status) -> bool {
        self.status == Some(*status)
    }

    /// What a request is about.
    fn service<'r>(&'r self, request: &'r model::Request) -> &'r str {
        self.settings.choices().service(self.frame.language(), &request.details.service)
    }

    /// Whether a request is over for longer than requests are kept.
    fn is_past(&self, request: &model::Request) -> bool {
        request.is_past(self.settings.keep_months, self.now)
    }

    fn is_board(&self) -> bool {
        !self.columns.is_empty()
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

    /// For how long requests are kept, where this one is over for longer.
    fn past(&self) -> Option<String> {
        let is_past = self.one.request.is_past(self.settings.keep_months, self.now);
        self.settings.kept_for(self.frame.language()).filter(|_| is_past)
    }

    fn notices(&self) -> &'static [Notice] {
        if self.frame.sends_mail() { MAILED } else { NOT_MAILED }
    }

    /// Where a button in this section is sent to.
    fn at(&self, section: &str) -> String {
        format!("{}#{section}", self.frame.here())
    }

    /// Where a mail to the customer is begun. An address may have signs in it that would begin something else there.
    fn mailto(&self) -> String {
        mailto(&self.one.request.details.email)
    }

    /// What the customer gave, each with its label, but for the message.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let RequestDetails { service, project_type, budget, timeline, .. } = &self.one.request.details;
        self.settings.choices().labelled(self.frame.language(), [service, project_type, budget, timeline])
    }
}

/// The board of what is to be done, or a list.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: Query<DeskWanted>) -> HandlerResult<Shown> {
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
    let head = Head::unlisted(frame.say("의뢰 관리", "Requests"));
    let (now, settings) = (app.clock.now(), &app.config.section::<ContactSettings>());
    let (frame, words, pager) = (&frame, words.as_str(), frame.pager(listed.total, ON_A_PAGE, part.offset));
    frame.show(&DeskPage { frame, head, settings, now, words, status, columns, listed, pager })
}

fn columns(tx: &impl ReadTransaction) -> Result<Vec<Column>> {
    let newest = Part { limit: IN_A_COLUMN, offset: 0 };
    let column = |status| {
        let (requests, count) = store::list(tx, Some(status), newest)?;
        Ok(Column { status, requests, count })
    };
    COLUMNS.into_iter().map(column).collect()
}

/// One request with its moves and notes.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key, req: &mut Request) -> HandlerResult<Shown> {
    page(&app, &frame, id.0, None, req).await
}

/// Asks once more before a request is removed.
#[endpoint]
pub async fn ask_removal(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let path = format!("/admin/contacts/{}", id.0);
    let request = app.data.store.read_inline(move |tx| store::find(tx, &id.0)).await?;
    let name = without_direction_marks(&request.details.name);
    let title = match frame.is_korean() {
        true => format!("{name} 님의 의뢰를 지울까요?"),
        false => format!("Remove the request of {name}?"),
    };
    frame.show(&Confirm {
        frame: &frame,
        head: Head::unlisted(&title),
        consequence: frame.say(
            "메모, 기록, 링크까지 모두 지워지고 되돌릴 수 없습니다.",
            "Its notes, history and link go with it. This cannot be taken back.",
        ),
        action: &path,
        act: "remove",
        button: frame.say("삭제", "Delete"),
    })
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
) -> HandlerResult<Shown> {
    let path = format!("/admin/contacts/{}", id.0);
    match act(&app, &caller, peer, &id.0, &form, reached(&app, req)).await {
        // Without a section of its own, browsers keep that of the form.
        Ok(Done::Removed) => frame.done("/admin/contacts#content", REMOVED),
        Ok(Done::Here) => frame.done(&path, Notice::of(MAILED, form.act())),
        Ok(Done::Link(link)) => page(&app, &frame, id.0, Some(link), req).await,
        Err(error) => page(&app, &frame.refused(form, error)?, id.0, None, req).await,
    }
}

/// The request of this id with everything that belongs to it, and its share links.
fn with_shares(
    tx: &impl ReadTransaction,
    id: &str,
    reached: &Reached,
    language: Language,
) -> Result<(RequestAtDesk, Vec<ShareSeen>)> {
    let one = at_desk(tx, id)?;
    let shares = seen_of(tx, &one.request, reached.shown(), language)?;
    Ok((one, shares))
}

/// The page of the request `id`, with the customer's link where it was just given anew.
async fn page(app: &App, frame: &Frame, id: String, link: Option<String>, req: &Request) -> HandlerResult<Shown> {
    let (reached, language, now) = (reached(app, req), frame.language(), app.clock.now());
    let (one, shares) = app.data.store.read(move |tx| with_shares(tx, &id, &reached, language)).await?;
    let title = format!("{}: {}", frame.say("의뢰", "Request"), one.request.details.name);
    frame.show(&OnePage {
        frame,
        head: Head::unlisted(&title),
        settings: &app.config.section::<ContactSettings>(),
        now,
        one,
        shares: SharesPart::new(frame, shares, day::of(now)),
        step: frame.act::<Step>("move").unmarked(),
        undo: frame.act::<Step>("undo").unmarked(),
        note: frame.act::<NewNote>("note").unmarked(),
        link,
    })
}

//! The desk's pages of quotes: the list, a new one, and one with what can be done with it.

use askama::Template;
use chrono::NaiveDate;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{NewQuote, QuoteStatus};
use super::super::super::store;
use super::super::super::work::Sender;
use super::super::desk::{
    ListedQuote, QuoteAtDesk, Quotes, at_desk, create_at_desk, duplicate_at_desk, find_wanted, remove_at_desk,
    send_at_desk, shown_origin,
};
use super::LANGUAGES;
use super::customer::{QuotePage, Stage};
use super::view::View;
use crate::contact;
use crate::frame::{Confirm, FormState, Frame, Head, Notice, Pager, mailto};
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Page as Part, Result, Validated, day, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Key, Peer, Query, Shown, already, link_origin, tx_op};

/// How many quotes stand on one page of the list.
const ON_A_PAGE: usize = 50;

/// What the list says of a quote that is there no more.
const REMOVED: Notice = Notice::new("remove", "견적을 삭제했습니다.", "The quote has been deleted.");
const NOTICES: &[Notice] = &[REMOVED];

/// What the forms of a quote's page have done, where mail goes out, and where none does.
const MAILED: &[Notice] = &notices(Notice::new("send", "견적을 보냈습니다.", "The quote was sent."));
const NOT_MAILED: &[Notice] = &notices(Notice::new(
    "send",
    "보낸 상태로 바꾸었습니다. 메일 서버가 없어 메일이 가지 않았으니 링크를 직접 전해 주세요.",
    "It counts as sent. There is no mail server, so no mail went out: give the customer the link yourself.",
));

const fn notices(sent: Notice) -> [Notice; 2] {
    [sent.at("sending"), Notice::new("duplicate", "", "")]
}

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

/// What a new quote begins with.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Beginning {
    /// The request that it answers.
    pub contact: Option<Validated<Text<0, 64>>>,
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

#[derive(Template)]
#[template(path = "quotes/new.html")]
struct NewPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    today: String,
}

#[derive(Template)]
#[template(path = "quotes/desk_one.html")]
struct OnePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    one: &'a QuoteAtDesk,
    view: View<'a>,
    send: FormState<'a>,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct Nothing {}

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
    fn of(frame: &Frame, ListedQuote { quote, .. }: &ListedQuote, today: NaiveDate) -> Result<Row> {
        let view = View::new(frame, quote.public(today)?, Vec::new(), String::new())?;
        let last_day = quote.content.valid_until.map(|last| view.day(&last));
        let last_day = last_day.map(|last| match frame.is_korean() {
            true => format!("{last}까지"),
            false => format!("until {last}"),
        });
        let (state, tone) = at_the_desk(frame, &view);
        Ok(Row {
            id: quote.id.clone(),
            number: quote.number,
            title: quote.content.title.clone(),
            client: quote.content.client_name.clone(),
            total: view.total(),
            last_day: last_day.unwrap_or_default(),
            state,
            tone,
        })
    }
}

/// The state of a quote as the desk reads it, and the tone of the badge.
fn at_the_desk(frame: &Frame, view: &View<'_>) -> (&'static str, &'static str) {
    let (ko, en) = view.quote.status.text();
    let (state, tone) = view.state();
    if view.quote.expired && view.quote.status == QuoteStatus::Sent { (state, tone) } else { (frame.say(ko, en), tone) }
}

impl NewPage<'_> {
    fn here(&self) -> String {
        self.frame.href("/admin/quotes/new")
    }
}

impl OnePage<'_> {
    fn notices(&self) -> &'static [Notice] {
        if self.frame.sends_mail() { MAILED } else { NOT_MAILED }
    }

    fn state(&self) -> &'static str {
        at_the_desk(self.frame, &self.view).0
    }

    fn tone(&self) -> &'static str {
        at_the_desk(self.frame, &self.view).1
    }

    /// The address of a page below this one.
    fn at(&self, page: &str) -> String {
        format!("{}/{page}", self.frame.here())
    }

    /// Where a button in this section is sent to.
    fn section(&self, section: &str) -> String {
        format!("{}#{section}", self.frame.here())
    }

    /// Whether it can still be changed and sent.
    fn is_open(&self) -> bool {
        !self.one.quote.status.is_decided()
    }

    fn can_be_removed(&self) -> bool {
        self.one.quote.sent_at.is_none() && self.is_open()
    }

    fn has_lines(&self) -> bool {
        !self.view.quote.content.items.is_empty()
    }

    fn has_optional(&self) -> bool {
        self.view.quote.content.items.iter().any(|item| item.optional)
    }

    fn has_project(&self) -> bool {
        matches!(self.one.quote.status, QuoteStatus::Sent | QuoteStatus::Accepted)
    }

    fn send_button(&self) -> &'static str {
        match self.one.quote.sent_at {
            Some(_) => self.frame.say("다시 보내기", "Send it again"),
            None => self.frame.say("견적 보내기", "Send the quote"),
        }
    }

    /// Why it could not be sent.
    fn refusals(&self) -> Vec<&str> {
        ["client_email", "items", "valid_until"].into_iter().filter_map(|field| self.send.error(field)).collect()
    }

    fn mailto(&self) -> String {
        mailto(&self.one.quote.client_email)
    }
}

/// Every quote, newest first, or those of a state, or those that say some words.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: Query<ListWanted>) -> HandlerResult<Shown> {
    let ListWanted { q, status, offset } = wanted.0;
    let (words, status, part) = Check::of(|check| {
        let words = q.map(|q| check.take("q", q)).unwrap_or_default();
        let status = status.and_then(|status| check.find("status", status));
        (words, status, Part::take(check, None, offset, ON_A_PAGE as u64))
    })?;
    let sought = Some(words.clone()).filter(|words| !words.is_empty());
    let listed = find_wanted(&app, sought, status, part).await?;
    let today = day::of(app.clock.now());
    let rows = listed.quotes.iter().map(|quote| Row::of(&frame, quote, today)).collect::<Result<_>>()?;
    let pager = frame.pager(listed.total, ON_A_PAGE, part.offset);
    let head = Head::unlisted(frame.say("견적", "Quotes"));
    frame.show(&ListPage { frame: &frame, head, words: &words, status, listed: &listed, rows, pager })
}

/// The form that begins a quote, with what is known of the request that it answers.
#[endpoint]
pub async fn begin(app: App, _caller: Admin, frame: Frame, wanted: Query<Beginning>) -> HandlerResult<Shown> {
    let contact =
        Check::of(|check| wanted.0.contact.map(|contact| check.take("contact", contact)).unwrap_or_default())?;
    let form = match contact.as_str() {
        "" => frame.form::<NewQuote>().with("language", "ko"),
        _ => of_request(&app, &frame, contact.clone()).await?,
    };
    new_page(&app, &frame, form.unmarked())
}

async fn of_request<'f>(app: &App, frame: &'f Frame, id: String) -> Result<FormState<'f>> {
    let request = app.data.store.read_inline(move |tx| contact::find(tx, &id)).await?;
    let details = request.details;
    let language = details.language.tag();
    let form = frame.form::<NewQuote>().with("contact_request_id", request.id).with("client_name", details.name);
    Ok(form.with("client_email", details.email).with("client_phone", details.phone).with("language", language))
}

fn new_page(app: &App, frame: &Frame, form: FormState<'_>) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("새 견적", "New quote"));
    frame.show(&NewPage { frame, head, form, today: day::of(app.clock.now()).to_string() })
}

/// Begins a draft, and leads to where it is written.
#[endpoint]
pub async fn create(app: App, caller: Admin, peer: Peer, frame: Frame, form: Form) -> HandlerResult<Shown> {
    let created = async {
        let new: NewQuote = form.checked()?;
        let by = caller.name.clone();
        let begun = tx_op(move |tx| create_at_desk(tx, (&by, peer), new).map(|quote| quote.id));
        form.key().once(&app, &caller, begun).await
    };
    match created.await {
        Ok(id) => frame.go_to(&format!("/admin/quotes/{id}/edit")),
        Err(error) => {
            let frame = frame.refused(form, error)?;
            new_page(&app, &frame, frame.form::<NewQuote>().unmarked())
        }
    }
}

/// One quote with its state, its link, its decision, and what can be done with it.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key, req: &mut Request) -> HandlerResult<Shown> {
    page(&app, &frame, id.0, req).await
}

/// What a form of the page of a quote leads to.
enum Done {
    Here,
    Copy(String),
    Removed,
}

/// Sends a quote, makes another one of it, or removes it.
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
    match act(&app, &caller, peer, &id.0, &form, req).await {
        Ok(Done::Here) => frame.done(&format!("/admin/quotes/{}", id.0), Notice::of(MAILED, form.act())),
        Ok(Done::Copy(copy)) => frame.go_to(&format!("/admin/quotes/{copy}/edit")),
        Ok(Done::Removed) => frame.done("/admin/quotes#content", REMOVED),
        Err(error) => page(&app, &frame.refused(form, error)?, id.0, req).await,
    }
}

async fn act(app: &App, caller: &Admin, peer: Peer, id: &str, form: &Form, req: &Request) -> Result<Done> {
    form.read_nothing()?;
    let (id, by) = (id.to_owned(), caller.name.clone());
    match form.act() {
        "send" => {
            let sender = Sender { by, origin: link_origin(app, req)? };
            let send = tx_op(move |tx| send_at_desk(tx, (&sender, peer), &id).map(drop));
            form.key().once(app, caller, send).await?;
            Ok(Done::Here)
        }
        "duplicate" => {
            let copy = tx_op(move |tx| duplicate_at_desk(tx, (&by, peer), &id).map(|quote| quote.id));
            Ok(Done::Copy(form.key().once(app, caller, copy).await?))
        }
        "remove" => {
            let remove = tx_op(move |tx| already(remove_at_desk(tx, (&by, peer), &id)));
            form.key().once(app, caller, remove).await?;
            Ok(Done::Removed)
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

/// Asks once more before a draft is removed.
#[endpoint]
pub async fn ask_removal(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let path = format!("/admin/quotes/{}", id.0);
    let quote = app.data.store.read_inline(move |tx| store::find(tx, &id.0)).await?;
    let title = match frame.is_korean() {
        true => format!("견적 '{}' 초안을 삭제할까요?", quote.content.title),
        false => format!("Delete the draft “{}”?", quote.content.title),
    };
    frame.show(&Confirm {
        frame: &frame,
        head: Head::unlisted(&title),
        consequence: frame.say("되돌릴 수 없습니다.", "This cannot be taken back."),
        action: &path,
        act: "remove",
        button: frame.say("삭제", "Delete"),
    })
}

/// A quote as its customer sees it, or would.
#[endpoint]
pub async fn preview(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let today = day::of(app.clock.now());
    let quote = app.data.store.read_inline(move |tx| store::find(tx, &id.0)?.public(today)).await?;
    let title = format!("{}: {}", frame.say("미리보기", "Preview"), quote.content.title);
    frame.show(&QuotePage {
        frame: &frame,
        head: Head::unlisted(&title),
        view: View::new(&frame, quote, Vec::new(), String::new())?,
        stage: Stage::Preview,
        token: "",
        is_linked: true,
        form: frame.form::<Nothing>(),
        decline: frame.form::<Nothing>(),
    })
}

async fn page(app: &App, frame: &Frame, id: String, req: &Request) -> HandlerResult<Shown> {
    let (today, origin) = (day::of(app.clock.now()), shown_origin(app, req));
    let one = app.data.store.read(move |tx| at_desk(tx, store::find(tx, &id)?, &origin)).await?;
    let view = View::new(frame, one.quote.public(today)?, Vec::new(), String::new())?;
    let title = format!("{}: {}", frame.say("견적", "Quote"), one.quote.content.title);
    frame.show(&OnePage { frame, head: Head::unlisted(&title), one: &one, view, send: frame.act::<Nothing>("send") })
}

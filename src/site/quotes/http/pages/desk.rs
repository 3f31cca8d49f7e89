//! The desk's pages of a quote: a new one, and one with what can be done with it.

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{NewQuote, QuoteStatus};
use super::super::super::store;
use super::super::super::work::{Sender, links};
use super::super::desk::{
    QuoteAtDesk, at_desk, create_at_desk, duplicate_at_desk, remove_at_desk, renew_link_at_desk, send_at_desk,
    shown_origin,
};
use super::LANGUAGES;
use super::customer::{QuotePage, Stage};
use super::list::REMOVED;
use super::view::{View, state_at_the_desk};
use crate::contact;
use crate::frame::{Confirm, FormState, Frame, Head, Notice, mailto};
use hanok_base::error::Check;
use hanok_base::text::{Text, without_direction_marks};
use hanok_base::{Error, Result, Validated, day, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Key, Peer, Query, Shown, already, link_origin, tx_op};

/// What the forms of a quote's page have done, where mail goes out, and where none does.
const MAILED: &[Notice] = &notices(Notice::new("send", "견적을 보냈습니다.", "The quote was sent."));
const NOT_MAILED: &[Notice] = &notices(Notice::new(
    "send",
    "보낸 상태로 바꾸었습니다. 메일 서버가 없어 메일이 가지 않았으니 링크를 직접 전해 주세요.",
    "It counts as sent. There is no mail server, so no mail went out: give the customer the link yourself.",
));

const RENEWED: Notice = Notice::new(
    "link",
    "새 링크를 만들었습니다. 이전 링크는 더 열리지 않습니다.",
    "There is a new link. The one before opens nothing any more.",
);

const fn notices(sent: Notice) -> [Notice; 3] {
    [sent.at("sending"), RENEWED.at("sending"), Notice::new("duplicate", "", "")]
}

/// What a new quote begins with.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Beginning {
    /// The request that it answers.
    pub contact: Option<Validated<Text<0, 64>>>,
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
    /// The mail address of the account that follows it, which may be empty; none where no account does.
    followed_by: Option<String>,
    view: View<'a>,
    send: FormState<'a>,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl NewPage<'_> {
    fn here(&self) -> String {
        self.frame.href("/admin/quotes/new")
    }
}

impl OnePage<'_> {
    fn notices(&self) -> &'static [Notice] {
        if self.frame.sends_mail() { MAILED } else { NOT_MAILED }
    }

    fn badge(&self) -> (&'static str, &'static str) {
        state_at_the_desk(self.frame, self.view.quote.status, self.view.quote.expired)
    }

    fn state(&self) -> &'static str {
        self.badge().0
    }

    fn tone(&self) -> &'static str {
        self.badge().1
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

    /// Whether the quote is sent to the address of the account that follows it.
    fn is_of_client(&self, mail: &str) -> bool {
        links::is_of_client(&self.one.quote, mail)
    }

    fn mailto(&self) -> String {
        mailto(&self.one.quote.client_email)
    }
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
        "link" => {
            let renew = tx_op(move |tx| renew_link_at_desk(tx, (&by, peer), &id).map(drop));
            form.key().once(app, caller, renew).await?;
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
    let called = without_direction_marks(&quote.content.title);
    let title = match frame.is_korean() {
        true => format!("견적 '{called}' 초안을 삭제할까요?"),
        false => format!("Delete the draft “{called}”?"),
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
    let read = app.data.store.read(move |tx| {
        let quote = store::find(tx, &id)?;
        let followed_by = links::followed_by(tx, &quote)?;
        Ok((at_desk(tx, quote, &origin)?, followed_by))
    });
    let (one, followed_by) = read.await?;
    let view = View::new(frame, one.quote.public(today)?, Vec::new(), String::new())?;
    let title = format!("{}: {}", frame.say("견적", "Quote"), one.quote.content.title);
    let (head, send) = (Head::unlisted(&title), frame.act::<Nothing>("send"));
    frame.show(&OnePage { frame, head, one: &one, followed_by, view, send })
}

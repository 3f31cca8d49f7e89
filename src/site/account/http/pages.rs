//! The pages by which a customer comes in: signing in, asking for a mail, and the link of that mail. And signing out.

pub mod by_provider;
pub mod own;

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Response, Writer};
use serde::Deserialize;
use tokio::sync::oneshot;

use super::super::model::within_the_site;
use super::super::work::by_provider::{Way, ways};
use super::super::work::{self, Device};
use super::{Asked, NewPassword, SignIn, by_link, called, come_in, device, end_cookies, leave, letter};
use crate::frame::{FormState, Frame, Head, Notice};
use hanok_base::error::Check;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Kind, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Customer, Form, HandlerResult, Peer, Query, SeeOther, Shown, link_origin};
use hanok_platform::store::WriteTx;

/// The customer's own page.
const OWN: &str = "/account";

#[derive(Template)]
#[template(path = "account/sign_in.html")]
struct SignInPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    /// The providers by which one can sign in.
    ways: Vec<Way>,
}

/// What a mail is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// An account.
    Account,
    /// Another password.
    Password,
}

#[derive(Template)]
#[template(path = "account/mail.html")]
struct MailPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    action: String,
    /// An account is asked for.
    is_new: bool,
    /// The mail was asked for.
    is_sent: bool,
}

#[derive(Template)]
#[template(path = "account/password.html")]
struct PasswordPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
}

/// Where a sign-in leads.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Onward {
    /// A page of this site.
    pub next: Option<Validated<Text<0, 2000>>>,
    /// There where a mail was just asked for.
    pub sent: Option<Validated<Unchecked<String>>>,
    /// Why a provider's customer was not let in.
    pub problem: Option<Validated<Unchecked<String>>>,
    /// That provider.
    pub by: Option<Validated<Unchecked<String>>>,
}

/// What stands in the address of a link.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct MailLink {
    /// The word of the link.
    pub token: Option<Validated<Unchecked<String>>>,
}

/// Where a customer signs in; who is in already goes on at once.
#[endpoint]
pub async fn sign_in(app: App, _caller: Anyone, frame: Frame, onward: Query<Onward>) -> HandlerResult<Shown> {
    let Onward { next, problem, by, .. } = onward.0;
    let (next, problem, by) = Check::of(|check| {
        let next = next.map(|next| check.take("next", next)).unwrap_or_default();
        let mut word = |name, sent: Option<Validated<Unchecked<String>>>| {
            sent.map(|sent| check.take(name, sent)).unwrap_or_default()
        };
        (next, word("problem", problem), word("by", by))
    })?;
    if frame.customer().is_some() {
        return goes_on(&frame, &next);
    }
    sign_in_page(&app, &by_provider::told(&app, frame, &problem, &by), &next)
}

fn sign_in_page(app: &App, frame: &Frame, next: &str) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("로그인", "Sign in"));
    let form = frame.form::<SignIn>().with("next", within(next)).unmarked();
    frame.show(&SignInPage { frame, head, form, ways: ways(&app.config) })
}

/// Takes address and password: goes on where the customer came from, or shows what is wrong.
#[endpoint]
pub async fn signed_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    let begun = async { come_in(&app, form.checked()?, device(&app, req, peer)).await };
    match begun.await {
        Ok((token, _)) => {
            Customer::keep_cookie(&app, req, res, token);
            goes_on(&frame, form.value("next"))
        }
        Err(error) => sign_in_page(&app, &frame.refused(form, error)?, ""),
    }
}

/// Where an account is begun.
#[endpoint]
pub async fn register(app: App, _caller: Anyone, frame: Frame, onward: Query<Onward>) -> HandlerResult<Shown> {
    mail_page(&able(&app, frame), Wanted::Account, onward.0.sent.is_some())
}

/// Has the mail written that leads to a new account.
#[endpoint]
pub async fn registered(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    ask_for_mail(&app, (caller, peer), frame, form, req, Wanted::Account).await
}

/// Where a forgotten password is set anew.
#[endpoint]
pub async fn forgotten(app: App, _caller: Anyone, frame: Frame, onward: Query<Onward>) -> HandlerResult<Shown> {
    mail_page(&able(&app, frame), Wanted::Password, onward.0.sent.is_some())
}

/// Has the mail written by which a password is set anew.
#[endpoint]
pub async fn reminded(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    ask_for_mail(&app, (caller, peer), frame, form, req, Wanted::Password).await
}

/// The frame of a page that asks for a mail, which says so where none can be written.
fn able(app: &App, frame: Frame) -> Frame {
    if app.config.site.lacks_address() { frame.failed(Error::not_configured("site.address")) } else { frame }
}

/// Has a mail written, one however often the form is sent.
async fn ask_for_mail(
    app: &App,
    (caller, peer): (Anyone, Peer),
    frame: Frame,
    form: Form,
    req: &Request,
    wanted: Wanted,
) -> HandlerResult<Shown> {
    let asked = async {
        let (asked, origin) = (form.checked::<Asked>()?, link_origin(app, req)?);
        form.key().once(app, &caller, |app| letter(app, peer, asked, origin)).await
    };
    match asked.await {
        // Loading the page again writes no second mail.
        Ok(()) => Ok(Shown::Elsewhere(SeeOther::to(format!("{}?sent=yes", frame.here())))),
        Err(error) => mail_page(&frame.refused(form, error)?, wanted, false),
    }
}

fn mail_page(frame: &Frame, wanted: Wanted, is_sent: bool) -> HandlerResult<Shown> {
    let (title, path) = match wanted {
        Wanted::Account => (frame.say("계정 만들기", "Create an account"), "/account/register"),
        Wanted::Password => (frame.say("비밀번호 재설정", "Reset your password"), "/account/forgotten"),
    };
    let (head, form, action) = (Head::unlisted(title), frame.form::<Asked>().unmarked(), frame.href(path));
    frame.show(&MailPage { frame, head, form, action, is_new: wanted == Wanted::Account, is_sent })
}

/// The page of the link of a mail. Looking at it uses nothing up.
#[endpoint]
pub async fn password(app: App, _caller: Anyone, frame: Frame, link: Query<MailLink>) -> HandlerResult<Shown> {
    let token = Check::of(|check| link.0.token.map(|token| check.take("token", token)).unwrap_or_default())?;
    let asked = token.clone();
    match app.data.store.read_inline(move |tx| work::find_link(tx, &asked)).await {
        Ok(_) => password_page(&frame, &token),
        Err(error) => ended(frame, error),
    }
}

fn password_page(frame: &Frame, token: &str) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("비밀번호 정하기", "Choose a password"));
    let form = frame.form::<NewPassword>().with("token", token).unmarked();
    frame.show(&PasswordPage { frame, head, form })
}

/// A link that opens nothing any more leads to where another is asked for.
fn ended(frame: Frame, error: Error) -> HandlerResult<Shown> {
    let is_gone = error.kind == Kind::NotFound;
    let said = frame.say(
        "이 링크는 이미 쓰였거나 기한이 지났습니다. 메일을 다시 받아 주세요.",
        "This link was used already, or its time is over. Ask for another mail.",
    );
    let frame = frame.failed(error);
    mail_page(&if is_gone { frame.saying(said) } else { frame }, Wanted::Password, false)
}

/// Takes the password, signs in and shows the customer's own page. The same form sent once more leads there as well, but signs
/// nobody in: the token of the session is written down nowhere.
#[endpoint]
pub async fn password_set(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    let (tell, mut told) = oneshot::channel();
    let begun = async {
        let (new, device, site) = (form.checked::<NewPassword>()?, device(&app, req, peer), called(&app, req));
        form.key().once(&app, &caller, |app| by_link_told(app, new, device, site, tell)).await
    };
    match begun.await {
        Ok(()) => {
            told.try_recv().into_iter().for_each(|token| Customer::keep_cookie(&app, req, res, token));
            frame.done(OWN, Notice::of(own::NOTICES, "password"))
        }
        Err(error) if [Kind::NotFound, Kind::Conflict].contains(&error.kind) => ended(frame, error),
        Err(error) => password_page(&frame.refused(form, error)?, ""),
    }
}

/// What sets the password by the link of a mail, and tells the token of the session to who has asked.
async fn by_link_told(
    app: App,
    new: NewPassword,
    device: Device,
    site: String,
    tell: oneshot::Sender<String>,
) -> Result<impl FnOnce(&WriteTx) -> Result<()> + Send + 'static> {
    let begin = by_link(app, new, device, site).await?;
    Ok(move |tx: &WriteTx| begin(tx).map(|token| drop(tell.send(token))))
}

/// Signs this device out.
#[endpoint]
pub async fn sign_out(
    app: App,
    _caller: Anyone,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    match frame.customer() {
        Some(caller) => {
            form.read_nothing()?;
            leave(&app, caller.clone(), req, res).await?;
        }
        // Who sends the form twice is out by the first.
        None => end_cookies(&app, req, res),
    }
    frame.go_to("/")
}

/// The page that `next` names, where it is one of this site; empty where there is none.
fn within(next: &str) -> &str {
    if next.is_empty() { next } else { within_the_site(next) }
}

/// Goes on at the page `next`, or at the customer's own.
fn goes_on(frame: &Frame, next: &str) -> HandlerResult<Shown> {
    match within(next) {
        "" => frame.go_to(OWN),
        next => Ok(Shown::Elsewhere(SeeOther::to(next))),
    }
}

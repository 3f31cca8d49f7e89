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
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Sent};
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Anyone, Customer, Form, Page, Peer, Query, Seal, SeeOther, Shown, link_origin};
use hanok_platform::store::WriteTx;

/// The customer's own page.
const OWN: &str = "/account";
/// What a page of a form says itself when it is refused; any other error is a page of its own.
const TOLD: [Kind; 7] = [
    Kind::InvalidInput,
    Kind::Forbidden,
    Kind::RateLimited,
    Kind::Unauthorized,
    Kind::NotFound,
    Kind::Conflict,
    Kind::NotConfigured,
];

/// What an entrance asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entrance {
    /// Address and password.
    SignIn,
    /// The address of who has no account yet.
    Register,
    /// The address of who has lost the password.
    Forgotten,
    /// Another password, by the link of a mail.
    Password,
}

#[derive(Template)]
#[template(path = "account/entrance.html")]
struct EntrancePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    entrance: Entrance,
    /// The address that was typed.
    mail: &'a str,
    /// Where to go on; empty where that is the customer's own page.
    next: &'a str,
    /// The word of the link.
    token: &'a str,
    /// A mail was asked for.
    is_sent: bool,
    /// The providers by which one can sign in.
    ways: Vec<Way>,
    faults: Faults,
}

impl EntrancePage<'_> {
    fn is_for(&self, entrance: Entrance) -> bool {
        self.entrance == entrance
    }

    /// Where the form is sent to.
    fn action(&self) -> String {
        self.frame.href(match self.entrance {
            Entrance::SignIn => "/account/sign-in",
            Entrance::Register => "/account/register",
            Entrance::Forgotten => "/account/forgotten",
            Entrance::Password => "/account/password",
        })
    }

    /// Whether the visitor goes on at this field.
    fn begins(&self, field: &str) -> bool {
        self.faults.begins_at(field, &["mail", "password"])
    }
}

/// Where a sign-in leads.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Onward {
    /// A page of this site.
    pub next: Option<Sent<Text<0, 2000>>>,
    /// There where a mail was just asked for.
    pub sent: Option<Sent<Any<String>>>,
    /// Why a provider's customer was not let in.
    pub problem: Option<Sent<Any<String>>>,
    /// That provider.
    pub by: Option<Sent<Any<String>>>,
}

/// What stands in the address of a link.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct MailLink {
    /// The word of the link.
    pub token: Option<Sent<Any<String>>>,
}

/// Where a customer signs in; who is in already goes on at once.
#[endpoint]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    frame: Frame,
    onward: Query<Onward>,
    req: &mut Request,
) -> Answer<Shown> {
    let Onward { next, problem, by, .. } = onward.0;
    let (next, problem, by) = Check::of(|check| {
        let next = next.map(|next| check.take("next", next)).unwrap_or_default();
        let mut word =
            |name, sent: Option<Sent<Any<String>>>| sent.map(|sent| check.take(name, sent)).unwrap_or_default();
        (next, word("problem", problem), word("by", by))
    })?;
    if Customer::find(&app, req).await?.is_some() {
        return Ok(Shown::Elsewhere(SeeOther::to(goes_on(&frame, &next))));
    }
    let seal = Seal::new(&app, req);
    let page = entrance(&app, &frame, &seal, Entrance::SignIn);
    let faults = by_provider::told(&app, &frame, &problem, &by);
    Ok(Shown::Here(shown(EntrancePage { next: within(&next), faults, ..page })?))
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
) -> Answer<Shown> {
    let begun = async { come_in(&app, form.read::<SignIn>()?, device(&app, req, peer)).await };
    let error = match begun.await {
        Ok((token, _)) => {
            Customer::keep_cookie(&app, req, res, token);
            return Ok(Shown::Elsewhere(SeeOther::to(goes_on(&frame, form.value("next")))));
        }
        Err(error) => error,
    };
    let seal = Seal::again(&app, req, &form);
    let page = entrance(&app, &frame, &seal, Entrance::SignIn);
    refused(EntrancePage { mail: form.value("mail"), next: within(form.value("next")), ..page }, error)
}

/// Where an account is begun.
#[endpoint]
pub async fn register(
    app: App,
    _caller: Anyone,
    frame: Frame,
    onward: Query<Onward>,
    req: &mut Request,
) -> Answer<Page> {
    let seal = Seal::new(&app, req);
    let page = entrance(&app, &frame, &seal, Entrance::Register);
    Ok(shown(EntrancePage { is_sent: onward.0.sent.is_some(), ..page })?)
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
) -> Answer<Shown> {
    ask_for_mail(&app, (caller, peer), &frame, &form, req, Entrance::Register).await
}

/// Where a forgotten password is set anew.
#[endpoint]
pub async fn forgotten(
    app: App,
    _caller: Anyone,
    frame: Frame,
    onward: Query<Onward>,
    req: &mut Request,
) -> Answer<Page> {
    let seal = Seal::new(&app, req);
    let page = entrance(&app, &frame, &seal, Entrance::Forgotten);
    Ok(shown(EntrancePage { is_sent: onward.0.sent.is_some(), ..page })?)
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
) -> Answer<Shown> {
    ask_for_mail(&app, (caller, peer), &frame, &form, req, Entrance::Forgotten).await
}

/// Has a mail written, one however often the form is sent.
async fn ask_for_mail(
    app: &App,
    (caller, peer): (Anyone, Peer),
    frame: &Frame,
    form: &Form,
    req: &Request,
    to: Entrance,
) -> Answer<Shown> {
    let asked = async {
        let (asked, origin) = (form.read::<Asked>()?, link_origin(app, req)?);
        form.key().once(app, &caller, |app| letter(app, peer, asked, origin)).await
    };
    let error = match asked.await {
        // Loading the page again writes no second mail.
        Ok(()) => return Ok(Shown::Elsewhere(SeeOther::to(format!("{}?sent=yes", frame.here())))),
        Err(error) => error,
    };
    let seal = Seal::again(app, req, form);
    refused(EntrancePage { mail: form.value("mail"), ..entrance(app, frame, &seal, to) }, error)
}

/// The page of the link of a mail. Looking at it uses nothing up.
#[endpoint]
pub async fn password(
    app: App,
    _caller: Anyone,
    frame: Frame,
    link: Query<MailLink>,
    req: &mut Request,
) -> Answer<Shown> {
    let token = Check::of(|check| link.0.token.map(|token| check.take("token", token)).unwrap_or_default())?;
    let asked = token.clone();
    let seal = Seal::new(&app, req);
    let page = EntrancePage { token: &token, ..entrance(&app, &frame, &seal, Entrance::Password) };
    match app.data.store.read_inline(move |tx| work::find_link(tx, &asked)).await {
        Ok(_) => Ok(Shown::Here(shown(page)?)),
        Err(error) => ended(&app, page, error),
    }
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
) -> Answer<Shown> {
    let (tell, mut told) = oneshot::channel();
    let begun = async {
        let (new, device, site) = (form.read::<NewPassword>()?, device(&app, req, peer), called(&app, req));
        form.key().once(&app, &caller, |app| by_link_told(app, new, device, site, tell)).await
    };
    let error = match begun.await {
        Ok(()) => {
            if let Ok(token) = told.try_recv() {
                Customer::keep_cookie(&app, req, res, token);
            }
            return Ok(Shown::Elsewhere(SeeOther::to(format!("{}?saved=password#change", frame.href(OWN)))));
        }
        Err(error) => error,
    };
    let seal = Seal::again(&app, req, &form);
    ended(&app, EntrancePage { token: form.value("token"), ..entrance(&app, &frame, &seal, Entrance::Password) }, error)
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

/// A link that opens nothing any more leads to where another is asked for.
fn ended(app: &App, page: EntrancePage<'_>, error: Error) -> Answer<Shown> {
    if error.kind == Kind::Conflict {
        return refused(entrance(app, page.frame, page.seal, Entrance::Forgotten), error);
    }
    if error.kind != Kind::NotFound {
        return refused(page, error);
    }
    let gone = entrance(app, page.frame, page.seal, Entrance::Forgotten);
    let said = page.frame.say(
        "이 링크는 이미 쓰였거나 기한이 지났습니다. 메일을 다시 받아 주세요.",
        "This link was used already, or its time is over. Ask for another mail.",
    );
    let faults = Faults::saying(said);
    Ok(Shown::Here(shown(EntrancePage { faults, ..gone })?.refusing(&error).kept_by_nobody()))
}

fn refused(page: EntrancePage<'_>, error: Error) -> Answer<Shown> {
    if !TOLD.contains(&error.kind) {
        return Err(error.into());
    }
    let faults = Faults::of(&error, page.frame.language());
    Ok(Shown::Here(shown(EntrancePage { faults, ..page })?.refusing(&error).kept_by_nobody()))
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
) -> Answer<SeeOther> {
    match Customer::find(&app, req).await? {
        Some(caller) => {
            form.read_nothing()?;
            leave(&app, caller, req, res).await?;
        }
        // Who sends the form twice is out by the first.
        None => end_cookies(&app, req, res),
    }
    Ok(SeeOther::to(frame.href("/")))
}

fn entrance<'a>(app: &App, frame: &'a Frame, seal: &'a Seal, entrance: Entrance) -> EntrancePage<'a> {
    let (ko, en) = match entrance {
        Entrance::SignIn => ("로그인", "Sign in"),
        Entrance::Register => ("계정 만들기", "Create an account"),
        Entrance::Forgotten => ("비밀번호 다시 정하기", "Set your password anew"),
        Entrance::Password => ("비밀번호 정하기", "Choose a password"),
    };
    let head = Head::unlisted(frame.say(ko, en));
    let asks_for_mail = matches!(entrance, Entrance::Register | Entrance::Forgotten);
    let faults = match asks_for_mail && app.config.site.lacks_address() {
        true => Faults::of(&Error::not_configured("site.address"), frame.language()),
        false => Faults::default(),
    };
    let ways = if entrance == Entrance::SignIn { ways(&app.config) } else { Vec::new() };
    EntrancePage { frame, head, seal, entrance, mail: "", next: "", token: "", is_sent: false, ways, faults }
}

fn shown(page: EntrancePage<'_>) -> Result<Page> {
    page.frame.page_with_form(&page, page.seal)
}

/// The page that `next` names, where it is one of this site; empty where there is none.
fn within(next: &str) -> &str {
    if next.is_empty() { next } else { within_the_site(next) }
}

fn goes_on(frame: &Frame, next: &str) -> String {
    match within(next) {
        "" => frame.href(OWN),
        next => next.to_owned(),
    }
}

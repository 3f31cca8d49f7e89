//! The way to a provider and back: a form that begins it, and the return.
//!
//! The return is a read that writes and comes from another site. What makes it ours is the state, which is good once and
//! only in the browser that began.

use askama::Template;
use salvo::http::Method;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Response, Writer};
use serde::Deserialize;

use super::super::super::model::within_the_site;
use super::super::super::work::by_provider::{self, Came, Problem, Return, Start, ways};
use super::super::device;
use super::{OWN, sign_in_page};
use crate::frame::{Frame, Head, address_of, asks_for_english};
use hanok_base::error::Check;
use hanok_base::secret::random_token;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{
    Anyone, Customer, Form, HandlerResult, Page, Peer, Query, SeeOther, Shown, SiteCookie, site_origin,
};
use hanok_platform::mail::Language;

/// The browser in which sign-ins begin; until it is closed, or somebody has come in.
const BROWSER: SiteCookie = SiteCookie::new("__Host-hanok-sign-in", 0);
/// Where providers send back to.
const RETURN: &str = "/auth/callback";
/// Where one signs in.
const ENTRANCE: &str = "/account/sign-in";

/// The page between here and the provider. Forms of this site lead nowhere else, so the browser goes on from a page.
#[derive(Template)]
#[template(path = "account/onward.html")]
struct OnwardPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    /// What the provider is called.
    label: &'a str,
    /// Its address, with what it is asked.
    address: &'a str,
}

/// By which provider, and where it goes on.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct StartForm {
    provider: String,
    #[field(Text<0, 2000>)]
    next: Option<String>,
}

/// What a provider sends back with.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Returned {
    /// The state of the start.
    pub state: Option<Validated<Text<0, 500>>>,
    /// What is given for the provider's word on the customer.
    pub code: Option<Validated<Text<0, 4000>>>,
    /// As whom the provider sends (RFC 9207).
    pub iss: Option<Validated<Text<0, 500>>>,
}

/// Begins a sign-in by a provider.
#[endpoint]
pub async fn begin(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    match first_step(&app, &frame, peer, &form, req).await {
        Ok(page) => Ok(Shown::Here(page)),
        Err(error) => sign_in_page(&app, &refused(&app, frame, form, error)?, ""),
    }
}

async fn first_step(app: &App, frame: &Frame, peer: Peer, form: &Form, req: &Request) -> Result<Page> {
    let StartForm { provider, next } = form.checked()?;
    onward(app, frame, peer, req, (provider, next.unwrap_or_default(), None)).await
}

/// The page that leads on to the provider, for who signs in and for who connects it to the account.
pub(super) async fn onward(
    app: &App,
    frame: &Frame,
    peer: Peer,
    req: &Request,
    (provider, next, connects): (String, String, Option<String>),
) -> Result<Page> {
    let known = BROWSER.sent(app, req).filter(|browser| !browser.is_empty());
    let (browser, cookie) = match known {
        Some(browser) => (browser, None),
        None => {
            let browser = random_token(32);
            (browser.clone(), Some(BROWSER.carrying(app, req, browser)))
        }
    };
    let label = label(app, &provider);
    let return_to = format!("{}{RETURN}", site_origin(app, req));
    let begun = Start { provider, next, language: frame.language(), connects, return_to };
    let address = by_provider::start(app, peer.0, &browser, begun).await?;
    let head = Head::unlisted(frame.say("로그인", "Sign in"));
    let page = OnwardPage { frame, head, label: &label, address: &address };
    Ok(frame.page(&page)?.kept_by_nobody().with_cookie(cookie))
}

fn label(app: &App, provider: &str) -> String {
    ways(&app.config).into_iter().find(|way| way.name == provider).map(|way| way.label).unwrap_or_default()
}

/// Where a provider sends a customer back: signs in whom it sends, and goes on where the sign-in began. It leads to a page in
/// any case; that of the sign-in says why nobody was let in.
#[endpoint(operation_id = "account_return", tags("account"))]
pub async fn come_back(
    app: App,
    _caller: Anyone,
    peer: Peer,
    query: Query<Returned>,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<SeeOther> {
    // Who asks for the head alone has not come back.
    let is_asked = *req.method() != Method::HEAD;
    let back = Check::of(|check| Return {
        state: query.0.state.map(|sent| check.take("state", sent)).unwrap_or_default(),
        code: query.0.code.map(|sent| check.take("code", sent)).unwrap_or_default(),
        issuer: query.0.iss.map(|sent| check.take("iss", sent)).unwrap_or_default(),
    })?;
    let browser = BROWSER.sent(&app, req).filter(|browser| is_asked && !browser.is_empty());
    let came = match browser {
        Some(browser) => by_provider::finish(&app, &browser, back, device(&app, req, peer)).await?,
        None => Came { start: None, outcome: Err(Problem::Ended) },
    };
    let (way, token) = where_to(came, req);
    let Some(token) = token else { return Ok(SeeOther::to(way)) };
    Customer::keep_cookie(&app, req, res, token);
    Ok(SeeOther::to(way).with_cookie(BROWSER.carrying(&app, req, String::new())))
}

/// The page that shows how a return ended, and the token of the session that has begun.
fn where_to(came: Came, req: &Request) -> (String, Option<String>) {
    let language = if asks_for_english(req.headers()) { Language::En } else { Language::Ko };
    let (language, provider, connects, next) = match came.start {
        Some(begun) => (begun.language, begun.provider, begun.connects.is_some(), begun.next),
        None => (language, String::new(), false, String::new()),
    };
    let own = address_of(OWN, language);
    match came.outcome {
        Ok(Some(token)) if next.is_empty() => (own, Some(token)),
        Ok(Some(token)) => (within_the_site(&next).to_owned(), Some(token)),
        Ok(None) => (format!("{own}?saved=connect#ways"), None),
        Err(problem) => {
            let page = if connects { own } else { address_of(ENTRANCE, language) };
            (format!("{page}?problem={}&by={provider}", word_of(problem)), None)
        }
    }
}

/// In the order in which they are told.
const PROBLEMS: [Problem; 6] =
    [Problem::Ended, Problem::Declined, Problem::Away, Problem::NotBelieved, Problem::HasAccount, Problem::AnotherS];

/// How a problem stands in an address.
fn word_of(problem: Problem) -> &'static str {
    match problem {
        Problem::Ended => "ended",
        Problem::Declined => "declined",
        Problem::Away => "away",
        Problem::NotBelieved => "not-believed",
        Problem::HasAccount => "has-account",
        Problem::AnotherS => "another-s",
    }
}

/// The frame with what is told of the problem that an address names; nothing where it names none.
pub(super) fn told(app: &App, frame: Frame, problem: &str, by: &str) -> Frame {
    let Some(problem) = PROBLEMS.into_iter().find(|known| word_of(*known) == problem) else { return frame };
    let told = said(&frame, problem, &label(app, by));
    frame.saying(&told)
}

fn said(frame: &Frame, problem: Problem, label: &str) -> String {
    let any = frame.say("제공처", "the provider");
    let label = if label.is_empty() { any } else { label };
    let (ko, en) = match problem {
        Problem::Ended => (
            "이 로그인은 이미 끝났거나 기한이 지났습니다. 처음부터 다시 해 주세요.",
            "This sign-in was used already, or its time is over. Please begin once more.",
        ),
        Problem::Declined => ("로그인이 취소되었습니다.", "The sign-in was called off."),
        Problem::Away => (
            "지금은 {label} 로그인을 쓸 수 없습니다. 잠시 후 다시 하거나 메일 주소와 비밀번호로 로그인해 주세요.",
            "Signing in with {label} does not work right now. Try again in a while, or use your mail address and password.",
        ),
        Problem::NotBelieved => (
            "{label}의 답을 확인할 수 없어 로그인하지 않았습니다. 다시 해 주세요.",
            "The answer of {label} could not be verified, so you are not signed in. Please try again.",
        ),
        Problem::HasAccount => (
            "{label}에 등록된 메일 주소로 만든 계정이 이미 있습니다. 비밀번호로 로그인한 뒤 내 계정에서 {label} 계정을 연결해 주세요.",
            "There is an account with the mail address of your {label} account already. Sign in with its password, then connect {label} on the page of your account.",
        ),
        Problem::AnotherS => (
            "이 {label} 계정은 다른 고객의 계정에 연결되어 있습니다.",
            "This {label} account is connected with another customer's account.",
        ),
    };
    frame.say(ko, en).replace("{label}", label)
}

/// The frame of the page that leads to a provider, after `form` was refused with `error`; a provider that cannot be asked is
/// told of in words of its own.
///
/// # Errors
/// Those of [`Frame::refused`].
pub(super) fn refused(app: &App, frame: Frame, form: Form, error: Error) -> HandlerResult<Frame> {
    let is_away = [Kind::UpstreamUnavailable, Kind::UpstreamTimeout].contains(&error.kind);
    let told = said(&frame, Problem::Away, &label(app, form.value("provider")));
    let frame = frame.refused(form, error)?;
    Ok(if is_away { frame.saying(&told) } else { frame })
}

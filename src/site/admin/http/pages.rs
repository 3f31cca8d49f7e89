//! The pages by which who keeps the shop comes in and goes.

pub mod own;

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Response, Writer};
use serde::Deserialize;

use super::super::work;
use super::super::work::Come;
use super::second_step::{AdminCode, come_in as come_in_by, is_half_way, keep};
use super::{AdminSetup, AdminSignIn, device, leave};
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::sent::Any;
use hanok_base::{Error, Kind, Result, Secret, Sent};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Answer, Anyone, Form, Page, Peer, Query, Seal, SeeOther, Shown};

/// Where who has come in begins.
const DESK: &str = "/admin/contacts";
/// Where who has come half way goes on.
const CODE: &str = "/admin/code";
/// What a page of a form says itself when it is refused; any other error is a page of its own.
const TOLD: [Kind; 4] = [Kind::InvalidInput, Kind::Forbidden, Kind::RateLimited, Kind::Unauthorized];

#[derive(Template)]
#[template(path = "admin/entrance.html")]
struct EntrancePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    name: &'a str,
    /// The word of a set-up link; empty where somebody signs in.
    token: &'a str,
    faults: Faults,
}

impl EntrancePage<'_> {
    fn fault(&self, field: &str) -> Option<&str> {
        self.faults.at(field)
    }
}

#[derive(Template)]
#[template(path = "admin/code.html")]
struct CodePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    faults: Faults,
}

/// What stands in the address of a set-up link.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct SetupLink {
    /// The word of the link.
    pub token: Option<Sent<Any<String>>>,
}

/// The entrance; who is in already begins at once.
#[endpoint]
pub async fn entrance(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> Answer<Shown> {
    if Admin::find(&app, req).await?.is_some() {
        return Ok(Shown::Elsewhere(SeeOther::to(frame.href(DESK))));
    }
    let seal = Seal::new(&app, req);
    Ok(Shown::Here(page(&frame, &seal, ["", ""], Faults::default())?))
}

/// Takes name and password: shows the desk or where the code is asked for, or the entrance again with what is wrong.
#[endpoint]
pub async fn sign_in(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Shown> {
    let begun = async {
        let AdminSignIn { name, password } = form.read()?;
        let (name, password) = Check::of(|check| (check.take("name", name), check.take("password", password)))?;
        work::sign_in(&app, name, Secret::new(password), device(&app, req, peer)).await
    };
    come_in(&app, &frame, &form, begun.await, req, res)
}

/// The page of a set-up link.
#[endpoint]
pub async fn setup(app: App, _caller: Anyone, frame: Frame, link: Query<SetupLink>, req: &mut Request) -> Answer<Page> {
    let token = Check::of(|check| link.0.token.map(|token| check.take("token", token)).unwrap_or_default())?;
    work::check_link(&app, token.clone()).await?;
    let seal = Seal::new(&app, req);
    Ok(page(&frame, &seal, ["", &token], Faults::default())?)
}

/// Takes the first password, or a new one.
#[endpoint]
pub async fn set_up(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Shown> {
    let begun = async {
        let AdminSetup { token, password } = form.read()?;
        let (word, password) = Check::of(|check| (check.take("token", token), check.take("password", password)))?;
        work::set_up(&app, word, password, device(&app, req, peer)).await
    };
    come_in(&app, &frame, &form, begun.await, req, res)
}

/// Where the code is asked for; who has not come half way begins at the entrance.
#[endpoint]
pub async fn half_way(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> Answer<Shown> {
    if !is_half_way(&app, req).await? {
        return Ok(Shown::Elsewhere(SeeOther::to(frame.href("/admin"))));
    }
    let seal = Seal::new(&app, req);
    Ok(Shown::Here(code_page(&frame, &seal, Faults::default())?))
}

/// Takes the code: shows the desk, or the page again with what is wrong.
#[endpoint]
pub async fn finish(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> Answer<Shown> {
    let taken = async {
        let AdminCode { code } = form.read()?;
        let code = Check::of(|check| check.take("code", code))?;
        come_in_by(&app, peer, code, req, res).await.map_err(beside)
    };
    match taken.await {
        Ok(()) => Ok(Shown::Elsewhere(SeeOther::to(frame.href(DESK)))),
        Err(error) if TOLD.contains(&error.kind) => {
            let (seal, faults) = (Seal::again(&app, req, &form), Faults::of(&error, frame.language()));
            Ok(Shown::Here(code_page(&frame, &seal, faults)?.refusing(&error)))
        }
        Err(error) => Err(error.into()),
    }
}

/// A code that is not right is refused beside its field.
fn beside(mut error: Error) -> Error {
    if work::second_step::is_of_code(&error) {
        error.fields.insert("code".to_owned(), error.message.clone());
    }
    error
}

/// Signs this device out.
#[endpoint]
pub async fn sign_out(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> Answer<SeeOther> {
    match Admin::find(&app, req).await? {
        Some(caller) => {
            form.read_nothing()?;
            leave(&app, caller, peer, req, res).await?;
        }
        // Who sends the form twice is out by the first.
        None => Admin::end_cookie(&app, req, res),
    }
    Ok(SeeOther::to(frame.href("/admin")))
}

fn come_in(
    app: &App,
    frame: &Frame,
    form: &Form,
    begun: Result<Come>,
    req: &Request,
    res: &mut Response,
) -> Answer<Shown> {
    let error: Error = match begun {
        Ok(come) => {
            let onward = if keep(app, req, res, come).asks_for_code { CODE } else { DESK };
            return Ok(Shown::Elsewhere(SeeOther::to(frame.href(onward))));
        }
        Err(error) => error,
    };
    if !TOLD.contains(&error.kind) {
        return Err(error.into());
    }
    let (seal, faults) = (Seal::again(app, req, form), Faults::of(&error, frame.language()));
    let shown = page(frame, &seal, [form.value("name"), form.value("token")], faults)?;
    Ok(Shown::Here(shown.refusing(&error)))
}

fn page(frame: &Frame, seal: &Seal, [name, token]: [&str; 2], faults: Faults) -> Result<Page> {
    let title = if token.is_empty() {
        frame.say("관리자 로그인", "Sign in to the desk")
    } else {
        frame.say("관리자 비밀번호 정하기", "Set your password")
    };
    let page = EntrancePage { frame, head: Head::unlisted(title), seal, name, token, faults };
    frame.page_with_form(&page, seal)
}

fn code_page(frame: &Frame, seal: &Seal, faults: Faults) -> Result<Page> {
    let head = Head::unlisted(frame.say("코드 확인", "Your code"));
    let page = CodePage { frame, head, seal, faults };
    frame.page_with_form(&page, seal)
}

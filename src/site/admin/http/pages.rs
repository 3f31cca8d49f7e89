//! The pages by which who keeps the shop comes in and goes.

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Response, Writer};
use serde::Deserialize;

use super::super::{store, work};
use super::{AdminSetup, AdminSignIn, device};
use crate::admin::Deed;
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::sent::Any;
use hanok_base::{Error, Kind, Result, Secret, Sent};
use hanok_platform::app::App;
use hanok_platform::auth::ADMINS;
use hanok_platform::http::{Admin, Answer, Anyone, Form, Page, Peer, Query, Seal, SeeOther, Shown};

/// Where who has come in begins.
const DESK: &str = "/admin/contacts";

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

/// Takes name and password: shows the desk, or the entrance again with what is wrong.
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

/// Signs this device out.
#[endpoint]
pub async fn sign_out(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
    res: &mut Response,
) -> Answer<SeeOther> {
    form.read::<Nothing>()?;
    let ended = app.data.store.write(move |tx| {
        store::note(tx, &caller.name, Deed::SignedOut, Some(peer.0))?;
        ADMINS.sign_out(tx, &caller.token)
    });
    ended.await?;
    Admin::end_cookie(&app, req, res);
    Ok(SeeOther::to(frame.href("/admin")))
}

/// A form without fields of its own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn come_in(
    app: &App,
    frame: &Frame,
    form: &Form,
    begun: Result<String>,
    req: &Request,
    res: &mut Response,
) -> Answer<Shown> {
    let error: Error = match begun {
        Ok(token) => {
            Admin::keep_cookie(app, req, res, token);
            return Ok(Shown::Elsewhere(SeeOther::to(frame.href(DESK))));
        }
        Err(error) => error,
    };
    let is_told = [Kind::InvalidInput, Kind::Forbidden, Kind::RateLimited, Kind::Unauthorized].contains(&error.kind);
    if !is_told {
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
    Ok(frame.page(&page)?.kept_by_nobody().with_cookie(seal.cookie.clone()))
}

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
use crate::frame::{FormState, Frame, Head};
use hanok_base::error::Check;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Secret, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Anyone, Form, HandlerResult, Peer, Query, Shown};

/// Where who has come in begins.
const DESK: &str = "/admin/desk";
/// Where who has come half way goes on.
const CODE: &str = "/admin/code";

#[derive(Template)]
#[template(path = "admin/entrance.html")]
struct EntrancePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    /// A password is set by a link; otherwise somebody signs in.
    is_setup: bool,
}

#[derive(Template)]
#[template(path = "admin/code.html")]
struct CodePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
}

/// What stands in the address of a set-up link.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct SetupLink {
    /// The word of the link.
    pub token: Option<Validated<Unchecked<String>>>,
}

/// The entrance; who is in already begins at once.
#[endpoint]
pub async fn entrance(_caller: Anyone, frame: Frame) -> HandlerResult<Shown> {
    if frame.admin().is_some() { frame.go_to(DESK) } else { entrance_page(&frame) }
}

fn entrance_page(frame: &Frame) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("관리자 로그인", "Sign in to the desk"));
    frame.show(&EntrancePage { frame, head, form: frame.form::<AdminSignIn>().unmarked(), is_setup: false })
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
) -> HandlerResult<Shown> {
    let come = async {
        let AdminSignIn { name, password } = form.checked()?;
        work::sign_in(&app, name, Secret::new(password), device(&app, req, peer)).await
    };
    match come.await {
        Ok(come) => come_in(&app, &frame, come, req, res),
        Err(error) => entrance_page(&frame.refused(form, error)?),
    }
}

/// The page of a set-up link.
#[endpoint]
pub async fn setup(app: App, _caller: Anyone, frame: Frame, link: Query<SetupLink>) -> HandlerResult<Shown> {
    let token = Check::of(|check| link.0.token.map(|token| check.take("token", token)).unwrap_or_default())?;
    work::check_link(&app, token.clone()).await?;
    setup_page(&frame, &token)
}

fn setup_page(frame: &Frame, token: &str) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("관리자 비밀번호 정하기", "Set your password"));
    let form = frame.form::<AdminSetup>().with("token", token).unmarked();
    frame.show(&EntrancePage { frame, head, form, is_setup: true })
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
) -> HandlerResult<Shown> {
    let come = async {
        let AdminSetup { token, password } = form.checked()?;
        work::set_up(&app, token, password, device(&app, req, peer)).await
    };
    match come.await {
        Ok(come) => come_in(&app, &frame, come, req, res),
        Err(error) => setup_page(&frame.refused(form, error)?, ""),
    }
}

/// Keeps with the browser how far its sign-in has come, and leads on.
fn come_in(app: &App, frame: &Frame, come: Come, req: &Request, res: &mut Response) -> HandlerResult<Shown> {
    frame.go_to(if keep(app, req, res, come).asks_for_code { CODE } else { DESK })
}

/// Where the code is asked for; who has not come half way begins at the entrance.
#[endpoint]
pub async fn half_way(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> HandlerResult<Shown> {
    if is_half_way(&app, req).await? { code_page(&frame) } else { frame.go_to("/admin") }
}

fn code_page(frame: &Frame) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("코드 확인", "Your code"));
    frame.show(&CodePage { frame, head, form: frame.form::<AdminCode>().unmarked() })
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
) -> HandlerResult<Shown> {
    let taken = async {
        let AdminCode { code } = form.checked()?;
        come_in_by(&app, peer, code, req, res).await.map_err(beside)
    };
    match taken.await {
        Ok(()) => frame.go_to(DESK),
        Err(error) => code_page(&frame.refused(form, error)?),
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
) -> HandlerResult<Shown> {
    match frame.admin() {
        Some(caller) => {
            form.read_nothing()?;
            leave(&app, caller.clone(), peer, req, res).await?;
        }
        // Who sends the form twice is out by the first.
        None => Admin::end_cookie(&app, req, res),
    }
    frame.go_to("/admin")
}

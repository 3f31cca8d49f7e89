//! The page on which who keeps the shop turns the second step on and off.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::work::second_step;
use super::super::second_step::{
    SecondStepBegun, SecondStepChange, SecondStepSeen, SecondStepShown, SecondStepWanted, proved, seen, shown,
};
use crate::frame::{FormState, Frame, Head, Notice};
use hanok_base::{Error, Kind, Result, Secret, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Peer, Shown};

/// This page.
const OWN: &str = "/admin/second-step";
/// What it says after something was done.
const NOTICES: &[Notice] = &[OFF];
const OFF: Notice = Notice::new(
    "off",
    "껐습니다. 이제 이름과 비밀번호만으로 로그인합니다.",
    "Turned off. Name and password alone sign you in.",
);

#[derive(Template)]
#[template(path = "admin/own.html")]
struct OwnPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    step: SecondStepSeen,
    /// What was begun, while it is not confirmed.
    begun: Option<SecondStepBegun>,
    /// Recovery codes that were just given out: they are shown this once.
    recovery: Vec<String>,
    begin: FormState<'a>,
    confirm: FormState<'a>,
    codes: FormState<'a>,
    off: FormState<'a>,
}

/// Whether a sign-in asks for a code, and how that is changed.
#[endpoint]
pub async fn show(app: App, caller: Admin, frame: Frame) -> HandlerResult<Shown> {
    page(&app, &frame, &caller, None, Vec::new()).await
}

/// What became of an act.
enum Done {
    Begun(SecondStepBegun),
    Recovery(Vec<String>),
    Off,
}

/// Begins a second step, confirms it, gives recovery codes anew, or turns it off. What is refused is said in its place.
#[endpoint]
pub async fn change(app: App, caller: Admin, peer: Peer, frame: Frame, form: Form) -> HandlerResult<Shown> {
    match act(&app, &caller, peer, &form).await.map_err(beside) {
        Ok(Done::Off) => frame.done(OWN, OFF),
        Ok(Done::Begun(begun)) => page(&app, &frame, &caller, Some(begun), Vec::new()).await,
        Ok(Done::Recovery(recovery)) => page(&app, &frame, &caller, None, recovery).await,
        Err(error) => {
            // Who mistypes a code goes on with the same picture.
            let begun = match form.act() {
                "confirm" => begun_by(&app, &caller, form.value("token")).await?,
                _ => None,
            };
            page(&app, &frame.refused(form, error)?, &caller, begun, Vec::new()).await
        }
    }
}

async fn act(app: &App, caller: &Admin, peer: Peer, form: &Form) -> Result<Done> {
    match form.act() {
        "begin" => {
            let SecondStepWanted { password } = form.checked()?;
            let begun = second_step::begin(app, &caller.name, Secret::new(password), peer.0).await?;
            Ok(Done::Begun(shown(app, &caller.name, &begun)?))
        }
        "confirm" => {
            let SecondStepShown { token, code } = form.checked()?;
            let whose = (caller.name.as_str(), caller.token.as_str());
            second_step::confirm(app, whose, token, code, peer.0).await.map(Done::Recovery)
        }
        "codes" => {
            let proof = proved(form.checked::<SecondStepChange>()?);
            second_step::renew_recovery(app, &caller.name, proof, peer.0).await.map(Done::Recovery)
        }
        "off" => {
            let proof = proved(form.checked::<SecondStepChange>()?);
            second_step::turn_off(app, &caller.name, proof, peer.0).await.map(|()| Done::Off)
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

/// A password or a code that is not right is refused beside its field.
fn beside(mut error: Error) -> Error {
    if error.kind == Kind::Forbidden {
        let field = if second_step::is_of_code(&error) { "code" } else { "password" };
        error.fields.insert(field.to_owned(), error.message.clone());
    }
    error
}

/// What was begun under `word`, where it can still be confirmed.
async fn begun_by(app: &App, caller: &Admin, word: &str) -> Result<Option<SecondStepBegun>> {
    match second_step::begun(app, &caller.name, word.to_owned()).await {
        Ok(begun) => shown(app, &caller.name, &begun).map(Some),
        Err(error) if error.kind == Kind::Conflict => Ok(None),
        Err(error) => Err(error),
    }
}

async fn page(
    app: &App,
    frame: &Frame,
    caller: &Admin,
    begun: Option<SecondStepBegun>,
    recovery: Vec<String>,
) -> HandlerResult<Shown> {
    frame.show(&OwnPage {
        frame,
        head: Head::unlisted(frame.say("2단계 로그인", "Second step")),
        step: seen(second_step::find(app, caller.name.clone()).await?),
        begun,
        recovery,
        begin: frame.act::<SecondStepWanted>("begin").unmarked(),
        confirm: frame.act::<SecondStepShown>("confirm").unmarked(),
        codes: frame.act::<SecondStepChange>("codes").unmarked(),
        off: frame.act::<SecondStepChange>("off").unmarked(),
    })
}

//! The page on which who keeps the shop turns the second step on and off.

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::Code;
use super::super::super::work::second_step;
use super::super::second_step::{SecondStepBegun, SecondStepChange, SecondStepSeen, proved, seen, shown};
use super::TOLD;
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Secret, Sent, must};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Answer, Form, Page, Peer, Query, Seal, SeeOther, Shown};

/// This page.
const OWN: &str = "/admin/second-step";

#[derive(Template)]
#[template(path = "admin/own.html")]
struct OwnPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    name: &'a str,
    step: SecondStepSeen,
    /// What was begun, while it is not confirmed.
    begun: Option<SecondStepBegun>,
    /// Recovery codes that were just given out: they are shown this once.
    recovery: Vec<String>,
    /// Whether it was just turned off.
    is_turned_off: bool,
    /// What was refused, of which the faults are.
    refused: Option<Act>,
    faults: Faults,
}

/// What is done here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Act {
    Begin,
    Confirm,
    Codes,
    Off,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActForm {
    act: Sent<Any<Act>>,
    password: Option<Sent<Any<String>>>,
    token: Option<Sent<Text<1, 200>>>,
    code: Option<Sent<Code>>,
}

/// What was done, as the way back to this page says it.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Opened {
    /// What was done.
    pub saved: Option<Sent<Any<String>>>,
}

impl OwnPage<'_> {
    fn is_refused(&self, act: Act) -> bool {
        self.refused == Some(act)
    }

    /// What is wrong with the fields of the form for `act`.
    fn faults_of(&self, act: Act) -> Faults {
        if self.is_refused(act) { self.faults.clone() } else { Faults::default() }
    }

    /// Whether who is here goes on at this field.
    fn begins(&self, act: Act, field: &str) -> bool {
        self.faults_of(act).begins_at(field, &["password", "code"])
    }
}

/// Whether a sign-in asks for a code, and how that is changed.
#[endpoint]
pub async fn show(app: App, caller: Admin, frame: Frame, query: Query<Opened>, req: &mut Request) -> Answer<Page> {
    let saved = Check::of(|check| query.0.saved.map(|saved| check.take("saved", saved)).unwrap_or_default())?;
    let seal = Seal::new(&app, req);
    let page = OwnPage { is_turned_off: saved == "off", ..page_of(&app, &frame, &seal, &caller).await? };
    Ok(finished(page)?)
}

/// What became of an act.
enum Done {
    Begun(SecondStepBegun),
    Recovery(Vec<String>),
    Off,
}

/// Begins a second step, confirms it, gives recovery codes anew, or turns it off. What is refused is said in its place.
#[endpoint]
pub async fn change(app: App, caller: Admin, peer: Peer, frame: Frame, form: Form, req: &mut Request) -> Answer<Shown> {
    let done = act(&app, &caller, peer, &form).await;
    let seal = Seal::again(&app, req, &form);
    let page = page_of(&app, &frame, &seal, &caller).await?;
    let error = match done {
        Ok(Done::Off) => return Ok(Shown::Elsewhere(SeeOther::to(format!("{}?saved=off", frame.href(OWN))))),
        Ok(Done::Begun(begun)) => return Ok(Shown::Here(finished(OwnPage { begun: Some(begun), ..page })?)),
        Ok(Done::Recovery(recovery)) => return Ok(Shown::Here(finished(OwnPage { recovery, ..page })?)),
        Err(error) if TOLD.contains(&error.kind) || error.kind == Kind::Conflict => error,
        Err(error) => return Err(error.into()),
    };
    let refused = serde_json::from_value(form.value("act").into()).ok();
    // Who mistypes a code goes on with the same picture.
    let begun = match refused {
        Some(Act::Confirm) => begun_by(&app, &caller, form.value("token")).await?,
        _ => None,
    };
    let faults = Faults::of(&error, frame.language());
    Ok(Shown::Here(finished(OwnPage { begun, refused, faults, ..page })?.refusing(&error)))
}

async fn act(app: &App, caller: &Admin, peer: Peer, form: &Form) -> Result<Done> {
    let ActForm { act, password, token, code } = form.read()?;
    let act = Check::of(|check| check.find("act", act))?;
    let needed = |field| Error::field(field, must::PRESENT);
    match act {
        Some(Act::Begin) => {
            let password = Check::of(|check| password.map(|password| check.take("password", password)))?;
            let password = Secret::new(password.ok_or_else(|| needed("password"))?);
            let begun = second_step::begin(app, &caller.name, password, peer.0).await.map_err(beside)?;
            Ok(Done::Begun(shown(app, &caller.name, &begun)?))
        }
        Some(Act::Confirm) => {
            let (token, code) = (token.ok_or_else(|| needed("token"))?, code.ok_or_else(|| needed("code"))?);
            let (word, code) = Check::of(|check| (check.take("token", token), check.take("code", code)))?;
            let whose = (caller.name.as_str(), caller.token.as_str());
            second_step::confirm(app, whose, word, code, peer.0).await.map(Done::Recovery).map_err(beside)
        }
        act => {
            let password = password.ok_or_else(|| needed("password"))?;
            let proof = proved(SecondStepChange { password, code: code.ok_or_else(|| needed("code"))? })?;
            let done = match act {
                Some(Act::Off) => second_step::turn_off(app, &caller.name, proof, peer.0).await.map(|()| Done::Off),
                _ => second_step::renew_recovery(app, &caller.name, proof, peer.0).await.map(Done::Recovery),
            };
            done.map_err(beside)
        }
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

async fn page_of<'a>(app: &App, frame: &'a Frame, seal: &'a Seal, caller: &'a Admin) -> Result<OwnPage<'a>> {
    let step = seen(second_step::find(app, caller.name.clone()).await?);
    let head = Head::unlisted(frame.say("2단계 로그인", "Second step"));
    let (name, recovery, faults) = (caller.name.as_str(), Vec::new(), Faults::default());
    Ok(OwnPage { frame, head, seal, name, step, begun: None, recovery, is_turned_off: false, refused: None, faults })
}

fn finished(page: OwnPage<'_>) -> Result<Page> {
    page.frame.page_with_form(&page, page.seal)
}

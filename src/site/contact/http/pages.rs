//! The pages of the requests: the form, the page behind the link of the receipt, and the one that a share link opens.

mod progress;
pub mod shared;
pub mod shares;
pub mod tracking;

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::model::NewRequest;
use super::super::model::choices::{BUDGETS, Choices, PROJECT_TYPES, SERVICES, TIMELINES};
use super::super::work::{ContactSettings, Visit};
use super::{receive, visit};
use crate::frame::{Faults, Frame, Head};
use hanok_base::{Error, Kind, Result};
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Anyone, Form, Page, Peer, Seal, SeeOther, Shown, link_origin};

/// The fields of each step, in the order in which they are asked for.
const STEPS: [&[&str]; 4] =
    [&["service", "project_type"], &["budget", "timeline"], &["message"], &["name", "email", "phone"]];

#[derive(Template)]
#[template(path = "contact/form.html")]
struct FormPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    sent: Option<&'a Form>,
    faults: Faults,
}

impl FormPage<'_> {
    /// The words of a choice in the language of the page.
    fn words(&self, choices: Choices) -> Vec<&'static str> {
        choices.iter().map(|&(ko, en)| self.frame.say(ko, en)).collect()
    }

    /// What was typed into a field.
    fn typed(&self, field: &str) -> &str {
        self.sent.map_or("", |form| form.value(field))
    }

    /// Whether this word of a choice was chosen.
    fn is_chosen(&self, field: &str, word: &str) -> bool {
        self.typed(field) == word
    }

    /// What is wrong with a field; empty where nothing is.
    fn fault(&self, field: &str) -> &str {
        self.faults.at(field).unwrap_or_default()
    }

    /// Whether a field is the first with which something is wrong.
    fn is_first_fault(&self, field: &str) -> bool {
        self.faults.begins_at(field, &STEPS.concat())
    }

    /// Whether a step is the one at which the visitor goes on.
    fn is_now(&self, step: usize) -> bool {
        let has_fault = |fields: &&[&str]| fields.iter().any(|field| self.faults.at(field).is_some());
        STEPS.iter().position(has_fault).unwrap_or(0) == step
    }
}

/// The form of a request. Where none can be taken, that is said before anybody fills it in.
#[endpoint]
pub async fn ask(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> Answer<Page> {
    app.config.section::<ContactSettings>().check()?;
    let seal = Seal::new(&app, req);
    Ok(match link_origin(&app, req) {
        Ok(_) => form_page(&frame, &seal, None, Faults::default())?.anew(),
        Err(error) => form_page(&frame, &seal, None, told(&error, &frame))?.refusing(&error),
    })
}

/// Takes the form of a request: shows where it can be followed, or the form again with what is wrong with it.
#[endpoint]
pub async fn send(app: App, caller: Anyone, peer: Peer, frame: Frame, form: Form, req: &mut Request) -> Answer<Shown> {
    app.config.section::<ContactSettings>().check()?;
    let taken = async { take(&app, &caller, &form, visit(&app, peer, req)?).await };
    let error = match taken.await {
        Ok(token) => return Ok(Shown::Elsewhere(SeeOther::to(frame.href(&format!("/contact/{token}?sent"))))),
        Err(error) => error,
    };
    if ![Kind::InvalidInput, Kind::Forbidden, Kind::RateLimited, Kind::NotConfigured].contains(&error.kind) {
        return Err(error.into());
    }
    let (seal, faults) = (Seal::again(&app, req, &form), told(&error, &frame));
    Ok(Shown::Here(form_page(&frame, &seal, Some(&form), faults)?.refusing(&error)))
}

/// Does what the form asks for, once. Gives the word that opens the request.
async fn take(app: &App, caller: &Anyone, form: &Form, visit: Visit) -> Result<String> {
    let new: NewRequest = form.read()?;
    let received = form.key().once(app, caller, |app| receive(app, new, visit)).await?;
    Ok(received.public_token)
}

/// What the form says of `error`.
fn told(error: &Error, frame: &Frame) -> Faults {
    match error.kind {
        Kind::NotConfigured => Faults::saying(frame.say(
            "지금은 의뢰를 받을 수 없습니다. 가게에 직접 알려 주세요.",
            "No request can be taken now. Please tell the shop yourself.",
        )),
        _ => Faults::of(error, frame.language()),
    }
}

fn form_page(frame: &Frame, seal: &Seal, sent: Option<&Form>, faults: Faults) -> Result<Page> {
    let title = frame.say("의뢰하기", "Send a request");
    let description = frame.say(
        "필요한 일을 몇 가지만 골라 적어 주세요. 진행 상황은 링크로 볼 수 있습니다.",
        "Tell us in a few steps what you need, and follow it by a link.",
    );
    let head = Head::listed(title, description);
    let page = frame.page(&FormPage { frame, head, seal, sent, faults })?;
    Ok(page.with_cookie(seal.cookie.clone()))
}

//! The pages of the requests: the form, the page behind the link of the receipt, and the one that a share link opens.

mod progress;
pub mod shared;
pub mod shares;
pub mod tracking;

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::model::NewRequest;
use super::super::model::choices::{Choice, Choices};
use super::super::work::{ContactSettings, Visit};
use super::{receive, visit};
use crate::frame::{FormState, Frame, Head};
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Form, HandlerResult, Peer, Shown, link_origin};

/// The fields of each step, in the order in which they are asked for.
const STEPS: [&[&str]; 4] =
    [&["service", "project_type"], &["budget", "timeline"], &["message"], &["name", "email", "phone"]];

#[derive(Template)]
#[template(path = "contact/form.html")]
struct FormPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    settings: &'a ContactSettings,
    /// What there is to choose.
    offered: Choices<'a>,
}

impl FormPage<'_> {
    /// The words of a choice in the language of the page, each as it is sent and as it is shown.
    fn words<'c>(&self, choices: &'c [Choice]) -> Vec<(&'c str, &'c str)> {
        choices.iter().map(|choice| choice.text(self.frame.language())).map(|word| (word, word)).collect()
    }

    /// What the script of the form says and keeps, as attributes.
    fn helps(&self) -> String {
        let missing = self.frame.say("이 칸을 입력해 주세요.", "Please fill this in.");
        let address = self
            .frame
            .say("name@example.com 같은 메일 주소여야 합니다.", "It must be a mail address such as name@example.com.");
        let back = if self.form.is_refused() { " data-sent-back" } else { "" };
        format!(r#" data-keep="contact" data-missing="{missing}" data-address="{address}"{back}"#)
    }

    /// What the step of the budget and the time is called: after those that are asked for.
    fn budget_and_time(&self) -> &str {
        let Choices { budgets, timelines, .. } = self.offered;
        match (budgets.is_empty(), timelines.is_empty()) {
            (true, _) => self.frame.say("일정", "Time"),
            (_, true) => self.frame.say("예산", "Budget"),
            _ => self.frame.say("예산과 일정", "Budget and time"),
        }
    }

    /// Whether a step has anything to ask: where its questions have no answers, it is left out.
    fn asks(&self, step: usize) -> bool {
        let Choices { services, project_types, budgets, timelines } = self.offered;
        match step {
            0 => !services.is_empty() || !project_types.is_empty(),
            1 => !budgets.is_empty() || !timelines.is_empty(),
            _ => true,
        }
    }

    /// The steps that are asked, in their order.
    fn steps(&self) -> Vec<usize> {
        (0..STEPS.len()).filter(|step| self.asks(*step)).collect()
    }

    /// For how long a request is kept of which nothing comes, where that is said.
    fn kept_for(&self) -> Option<String> {
        self.settings.kept_for(self.frame.language())
    }

    /// Whether a step is the one at which the visitor goes on.
    fn is_now(&self, step: usize) -> bool {
        let has_fault = |step: &usize| STEPS[*step].iter().any(|field| self.form.error(field).is_some());
        let steps = self.steps();
        steps.iter().copied().find(has_fault).or(steps.first().copied()) == Some(step)
    }
}

/// The form of a request. Where none can be taken, that is said before anybody fills it in.
#[endpoint]
pub async fn ask(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> HandlerResult<Shown> {
    app.config.section::<ContactSettings>().check()?;
    match link_origin(&app, req) {
        Ok(_) => form_page(&app, &frame),
        Err(error) => form_page(&app, &closed(frame.failed(error))),
    }
}

/// Takes the form of a request: shows where it can be followed, or the form again with what is wrong with it.
#[endpoint]
pub async fn send(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    app.config.section::<ContactSettings>().check()?;
    let taken = async { take(&app, &caller, &form, visit(&app, peer, req)?).await };
    match taken.await {
        Ok(token) => frame.go_to(&format!("/contact/{token}?sent")),
        Err(error) if error.kind == Kind::NotConfigured => form_page(&app, &closed(frame.refused(form, error)?)),
        Err(error) => form_page(&app, &frame.refused(form, error)?),
    }
}

/// Does what the form asks for, once. Gives the word that opens the request.
async fn take(app: &App, caller: &Anyone, form: &Form, visit: Visit) -> Result<String> {
    let new: NewRequest = form.checked()?;
    let received = form.key().once(app, caller, |app| receive(app, new, visit)).await?;
    Ok(received.public_token)
}

/// The frame of the form where no request can be taken.
fn closed(frame: Frame) -> Frame {
    let said = frame.say(
        "지금은 의뢰를 받을 수 없습니다. 가게에 직접 알려 주세요.",
        "No request can be taken now. Please tell the shop yourself.",
    );
    frame.saying(said)
}

fn form_page(app: &App, frame: &Frame) -> HandlerResult<Shown> {
    let title = frame.say("의뢰하기", "Send a request");
    let description = frame.say(
        "필요한 일을 몇 가지만 골라 알려 주세요. 진행 상황은 링크로 볼 수 있습니다.",
        "Tell us in a few steps what you need, and follow it by a link.",
    );
    let settings = &app.config.section::<ContactSettings>();
    let (head, form) = (Head::listed(title, description), frame.form::<NewRequest>());
    frame.show(&FormPage { frame, head, form, settings, offered: settings.choices() })
}

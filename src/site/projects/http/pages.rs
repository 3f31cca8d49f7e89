//! The pages of a customer's projects: all of them, and the steps of one.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::model::{LinkWanted, Milestone, MilestoneStatus, Project};
use super::super::work;
use super::link_to;
use crate::frame::{FormState, Frame, Head, Notice};
use crate::quotes::{self, QuoteStatus};
use hanok_base::{Error, Kind, MessageTemplate, Result, day, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Customer, Form, HandlerResult, Key, Peer, Shown};

const MUST_BE_OWN: MessageTemplate = MessageTemplate::new(
    "projects.must.quote_link",
    "must be the link of a quote that was sent to you and belongs to no other account",
);

/// A quote was linked.
const LINKED: Notice = Notice::new("link", "프로젝트를 추가했습니다.", "The project is added.");
const NOTICES: &[Notice] = &[LINKED];

/// The page of all projects.
const ALL: &str = "/account/projects";
/// So many steps can be drawn beside each other.
const MOST_IN_A_ROW: usize = 8;

#[derive(Template)]
#[template(path = "projects/own.html")]
struct OwnPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    projects: Vec<Project>,
    form: FormState<'a>,
}

#[derive(Template)]
#[template(path = "projects/own_one.html")]
struct OnePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    project: Project,
    /// The page of the quote; none where it has no link.
    quote_page: Option<String>,
}

impl OwnPage<'_> {
    /// Where the project stands, in a sentence.
    fn standing(&self, project: &Project) -> String {
        let frame = self.frame;
        match &project.current_step {
            Some(step) => {
                let lead = match step.status {
                    MilestoneStatus::InProgress => frame.say("진행 중", "In progress"),
                    _ => frame.say("다음 단계", "Next"),
                };
                format!("{lead}: {}. {}", step.step_number, step.title)
            }
            None if project.milestones.is_empty() => {
                frame.say("진행 단계를 준비하고 있습니다.", "Its steps are being planned.").to_owned()
            }
            None => frame.say("모든 단계를 마쳤습니다.", "All steps are completed.").to_owned(),
        }
    }

    fn state(&self, project: &Project) -> &'static str {
        state(self.frame, project)
    }
}

impl OnePage<'_> {
    /// What a step is marked as: `done`, `now`, or nothing where it is still ahead.
    fn mark(&self, step: &Milestone) -> &'static str {
        mark(step)
    }

    /// How far a step is, in words.
    fn standing(&self, step: &Milestone) -> &'static str {
        let is_next = self.project.current_step.as_ref().is_some_and(|current| current.id == step.id);
        match step.status {
            MilestoneStatus::Pending if is_next => self.frame.say("다음", "Next"),
            status => self.frame.say(status.text().0, status.text().1),
        }
    }

    /// The day on which a step was completed.
    fn day(&self, step: &Milestone) -> Option<String> {
        let at = day::of(step.completed_at?);
        Some(at.format(self.frame.say("%Y년 %-m월 %-d일", "%-d %B %Y")).to_string())
    }

    /// Whether the steps are also drawn beside each other where there is room.
    fn fits_in_a_row(&self) -> bool {
        (2..=MOST_IN_A_ROW).contains(&self.project.milestones.len())
    }

    fn state(&self) -> &'static str {
        state(self.frame, &self.project)
    }
}

/// Where the quote stands, as its customer sees it.
fn state(frame: &Frame, project: &Project) -> &'static str {
    match project.status {
        QuoteStatus::Accepted => frame.say("수락함", "Accepted"),
        _ => frame.say("수락 대기", "Waiting for your decision"),
    }
}

/// What a step is marked as on the drawn way.
pub fn mark(step: &Milestone) -> &'static str {
    match step.status {
        MilestoneStatus::Pending => "",
        MilestoneStatus::InProgress => "now",
        MilestoneStatus::Completed => "done",
    }
}

/// The projects of the account; who is not in signs in first.
#[endpoint]
pub async fn list(app: App, _caller: Anyone, frame: Frame) -> HandlerResult<Shown> {
    match frame.customer().cloned() {
        Some(caller) => all(&app, &frame, caller).await,
        None => frame.sign_in_first(ALL),
    }
}

/// Links a quote by its link. What is refused is said beside the field.
#[endpoint]
pub async fn change(app: App, _caller: Anyone, peer: Peer, frame: Frame, form: Form) -> HandlerResult<Shown> {
    let Some(caller) = frame.customer().cloned() else { return frame.sign_in_first(ALL) };
    match linked(&app, &caller, peer, &form).await {
        Ok(quote) => frame.done(&format!("{ALL}/{quote}"), LINKED),
        Err(error) => all(&app, &frame.refused(form, error)?, caller).await,
    }
}

/// One project of the account.
#[endpoint]
pub async fn show(app: App, _caller: Anyone, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let Some(caller) = frame.customer().cloned() else { return frame.sign_in_first(&format!("{ALL}/{}", id.0)) };
    let read = app.data.store.read(move |tx| {
        let (quote, project) = work::own_project(tx, &caller.id, &id.0)?;
        Ok((project, quotes::token_of(tx, &quote)?))
    });
    let (project, word) = read.await?;
    let title = project.title.clone();
    let quote_page = word.map(|word| frame.href(&format!("/quote/{word}")));
    frame.show(&OnePage { frame: &frame, head: Head::unlisted(&title), project, quote_page })
}

/// Does what the form asks for. Gives the id of the quote.
async fn linked(app: &App, caller: &Customer, peer: Peer, form: &Form) -> Result<String> {
    if form.act() != "link" {
        return Err(Error::field("act", validation_messages::KNOWN));
    }
    let wanted: LinkWanted = form.checked()?;
    match link_to(app, caller, peer, wanted).await {
        Ok(linked) => Ok(linked.quote_id),
        Err(error) if error.kind == Kind::NotFound => Err(Error::field("token", MUST_BE_OWN)),
        Err(error) => Err(error),
    }
}

async fn all(app: &App, frame: &Frame, caller: Customer) -> HandlerResult<Shown> {
    let projects = app.data.store.read(move |tx| work::projects(tx, &caller.id)).await?;
    let form = frame.act::<LinkWanted>("link").unmarked();
    frame.show(&OwnPage { frame, head: Head::unlisted(frame.say("내 프로젝트", "My projects")), projects, form })
}

//! The desk as pages: all projects, the steps of one, and a step.

mod act;

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{Milestone, MilestoneChanges, MilestoneStatus, Project};
use super::super::super::store;
use super::super::super::work;
use super::super::pages::mark;
use super::desk;
use crate::frame::{Confirm, FormState, Frame, Head, Notice, Pager, mailto};
use crate::quotes::{self, Quote};
use act::{AddStep, act, act_on_step};
use hanok_base::error::Check;
use hanok_base::page::Offset;
use hanok_base::text::without_direction_marks;
use hanok_base::{Error, Page as Part, Result, Validated, day};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Key, Peer, Query, Shown};
use hanok_platform::store::ReadTransaction;

/// How many accepted quotes stand on one page of the list.
const ON_A_PAGE: usize = 50;

/// What the forms of a project's page and of its steps do.
const EDITED: Notice = Notice::new("edit", "단계를 저장했습니다.", "The step is saved.");
const REMOVED: Notice = Notice::new("remove", "단계를 삭제했습니다.", "The step is deleted.");
const NOTICES: &[Notice] = &[
    Notice::new("usual", "기본 단계를 추가했습니다.", "The usual steps are added."),
    Notice::new("add", "단계를 추가했습니다.", "The step is added."),
    Notice::new("move", "단계를 옮겼습니다.", "The step is moved."),
    Notice::new("unlink", "계정 연결을 해제했습니다.", "The account no longer follows this project."),
    EDITED,
    REMOVED,
];

/// What the list shows.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct ProjectsWanted {
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

/// A project in the list.
struct Listed {
    project: Project,
    client: String,
    is_followed: bool,
}

#[derive(Template)]
#[template(path = "projects/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    accepted: Vec<Listed>,
    /// Sent and not decided yet, with steps.
    sent: Vec<Listed>,
    pager: Pager,
}

#[derive(Template)]
#[template(path = "projects/desk_one.html")]
struct OnePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    project: Project,
    client: String,
    client_mail: String,
    /// The mail address of the account that follows it, which may be empty; none where no account does.
    followed_by: Option<String>,
    notice_minutes: u32,
    add: FormState<'a>,
}

#[derive(Template)]
#[template(path = "projects/desk_step.html")]
struct StepPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    step: Milestone,
    edit: FormState<'a>,
}

impl DeskPage<'_> {
    fn name_of(&self, status: &MilestoneStatus) -> &'static str {
        let (ko, en) = status.text();
        self.frame.say(ko, en)
    }

    fn total(&self, one: &Listed) -> String {
        one.project.total.said(self.frame.is_korean())
    }
}

impl OnePage<'_> {
    fn mark(&self, step: &Milestone) -> &'static str {
        mark(step)
    }

    fn name_of(&self, status: &MilestoneStatus) -> &'static str {
        let (ko, en) = status.text();
        self.frame.say(ko, en)
    }

    /// The button that moves a step on.
    fn on(&self, status: &MilestoneStatus) -> &'static str {
        match status {
            MilestoneStatus::InProgress => self.frame.say("시작", "Begin"),
            _ => self.frame.say("완료", "Complete"),
        }
    }

    /// The button that moves a step back.
    fn back(&self, status: &MilestoneStatus) -> &'static str {
        match status {
            MilestoneStatus::InProgress => self.frame.say("다시 진행", "Reopen"),
            _ => self.frame.say("예정으로", "Back to pending"),
        }
    }

    fn day(&self, step: &Milestone) -> Option<String> {
        let at = day::of(step.completed_at?);
        Some(at.format(self.frame.say("%Y-%m-%d", "%-d %b %Y")).to_string())
    }

    fn mailto(&self) -> String {
        mailto(&self.client_mail)
    }

    fn state(&self) -> &'static str {
        let (ko, en) = self.project.status.text();
        self.frame.say(ko, en)
    }

    fn total(&self) -> String {
        self.project.total.said(self.frame.is_korean())
    }
}

/// Accepted quotes with their progress, and those that were sent and have steps.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: Query<ProjectsWanted>) -> HandlerResult<Shown> {
    let ProjectsWanted { offset } = wanted.0;
    let part = Check::of(|check| Part::take(check, None, offset, ON_A_PAGE as u64))?;
    let read = app.data.store.read(move |tx| {
        let (accepted, total) = quotes::accepted(tx, part)?;
        let accepted = accepted.iter().map(|quote| listed(tx, quote)).collect::<Result<Vec<_>>>()?;
        let sent = quotes::waiting(tx)?.iter().map(|quote| listed(tx, quote)).collect::<Result<Vec<_>>>()?;
        Ok((accepted, total, sent))
    });
    let (accepted, total, mut sent) = read.await?;
    sent.retain(|one| !one.project.milestones.is_empty());
    let head = Head::unlisted(frame.say("프로젝트", "Projects"));
    let pager = frame.pager(total, ON_A_PAGE, part.offset);
    frame.show(&DeskPage { frame: &frame, head, accepted, sent, pager })
}

fn listed(tx: &impl ReadTransaction, quote: &Quote) -> Result<Listed> {
    let client = quote.content.client_name.clone();
    Ok(Listed { project: work::project(tx, quote)?, client, is_followed: quote.user_id.is_some() })
}

/// The steps of a project.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    page(&app, &frame, id.0).await
}

/// Adds steps, moves them, and takes the project off its account. What is refused is said on its page.
#[endpoint]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    id: Key,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    let path = format!("/admin/projects/{}", id.0);
    match act(&app, &caller, desk(&app, &caller, peer, req), &id.0, &form).await {
        Ok(()) => frame.done(&path, Notice::of(NOTICES, form.act())),
        Err(error) => page(&app, &frame.refused(form, error)?, id.0).await,
    }
}

/// Asks once more before a project is taken off its account.
#[endpoint]
pub async fn ask_unlinking(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let path = format!("/admin/projects/{}", id.0);
    app.data.store.read_inline(move |tx| found(tx, &id.0)).await?;
    frame.show(&Confirm {
        frame: &frame,
        head: Head::unlisted(frame.say("이 프로젝트의 계정 연결을 해제할까요?", "Take this project off its account?")),
        consequence: frame.say(
            "고객의 ‘내 프로젝트’에서 사라집니다. 고객은 견적 링크로 다시 추가할 수 있습니다.",
            "It disappears from the customer's projects. Whoever has the link of the quote can add it again.",
        ),
        action: &path,
        act: "unlink",
        button: frame.say("연결 해제", "Unlink"),
    })
}

/// A step, to be edited.
#[endpoint]
pub async fn show_step(app: App, _caller: Admin, frame: Frame, id: Key, step: Key) -> HandlerResult<Shown> {
    step_page(&app, &frame, id.0, step.0).await
}

/// Saves a step, or removes it. What is refused is said on its page.
#[endpoint]
pub async fn change_step(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    step: Key,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    let quote: String = req.param("id").unwrap_or_default();
    let path = format!("/admin/projects/{quote}");
    match act_on_step(&app, &caller, desk(&app, &caller, peer, req), &step.0, &form).await {
        Ok(()) => frame.done(&path, Notice::of(NOTICES, form.act())),
        Err(error) => step_page(&app, &frame.refused(form, error)?, quote, step.0).await,
    }
}

/// Asks once more before a step is removed.
#[endpoint]
pub async fn ask_removal(app: App, _caller: Admin, frame: Frame, id: Key, step: Key) -> HandlerResult<Shown> {
    let path = format!("/admin/projects/{}/steps/{}", id.0, step.0);
    let one = app.data.store.read_inline(move |tx| step_of(tx, &id.0, &step.0)).await?;
    let called = without_direction_marks(&one.title);
    let title = match frame.is_korean() {
        true => format!("‘{called}’ 단계를 삭제할까요?"),
        false => format!("Delete the step “{called}”?"),
    };
    frame.show(&Confirm {
        frame: &frame,
        head: Head::unlisted(&title),
        consequence: frame.say(
            "메모까지 삭제되고 되돌릴 수 없습니다. 뒤의 단계는 번호가 하나씩 당겨집니다.",
            "Its note goes with it, and this cannot be taken back. The steps behind it close up.",
        ),
        action: &path,
        act: "remove",
        button: frame.say("삭제", "Delete"),
    })
}

/// The quote of this id, where it is a project.
fn found(tx: &impl ReadTransaction, id: &str) -> Result<Quote> {
    let quote = quotes::find(tx, id)?;
    if work::is_project(&quote) { Ok(quote) } else { Err(Error::not_found("project")) }
}

/// The step of this id, where it is one of this quote.
fn step_of(tx: &impl ReadTransaction, quote: &str, id: &str) -> Result<Milestone> {
    let step = store::find(tx, id)?;
    if step.quote_id == quote { Ok(step) } else { Err(Error::not_found("milestone")) }
}

async fn page(app: &App, frame: &Frame, id: String) -> HandlerResult<Shown> {
    let read = app.data.store.read(move |tx| {
        let quote = found(tx, &id)?;
        let followed_by = quotes::followed_by(tx, &quote)?;
        Ok((work::project(tx, &quote)?, quote, followed_by))
    });
    let (project, quote, followed_by) = read.await?;
    let title = project.title.clone();
    frame.show(&OnePage {
        frame,
        head: Head::unlisted(&title),
        project,
        client: quote.content.client_name,
        client_mail: quote.client_email,
        followed_by,
        notice_minutes: app.config.section::<work::ProjectSettings>().notice_minutes,
        add: frame.act::<AddStep>("add"),
    })
}

async fn step_page(app: &App, frame: &Frame, quote: String, id: String) -> HandlerResult<Shown> {
    let read = app.data.store.read_inline(move |tx| {
        found(tx, &quote)?;
        step_of(tx, &quote, &id)
    });
    let step = read.await?;
    let title = format!("{}. {}", step.step_number, step.title);
    let edit = frame.act::<MilestoneChanges>("edit").with("title", &step.title).with("note", &step.note);
    let edit = edit.with("description", &step.description).with("step_number", step.step_number);
    frame.show(&StepPage { frame, head: Head::unlisted(&title), step, edit })
}

//! The desk as pages: what waits for an admin, and what was done.

pub mod mails;
pub mod members;
pub mod services;

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::model::{WaitingKind, of_action};
use super::super::work::audit::{self, AuditLine};
use super::{Dashboard, read};
use crate::admin::AuditAction;
use crate::frame::{Frame, Head, Pager};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Paging, Query, Shown};

/// How many stand on a page of a list.
const ON_A_PAGE: u64 = 50;

#[derive(Template)]
#[template(path = "dashboard/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    desk: Dashboard,
}

impl DeskPage<'_> {
    fn name_of(&self, kind: &WaitingKind) -> &'static str {
        let (ko, en) = kind.words();
        self.frame.say(ko, en)
    }
}

/// What waits, and the week in numbers.
#[endpoint]
pub async fn show_desk(app: App, _caller: Admin, frame: Frame) -> HandlerResult<Shown> {
    let desk = read(&app, frame.language()).await?;
    let head = Head::unlisted(frame.say("할 일", "Desk"));
    frame.show(&DeskPage { frame: &frame, head, desk })
}

#[derive(Template)]
#[template(path = "dashboard/audit.html")]
struct AuditPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    notes: Vec<AuditLine>,
    pager: Pager,
}

impl AuditPage<'_> {
    fn words(&self, action: &AuditAction) -> &'static str {
        let (ko, en) = of_action(*action);
        self.frame.say(ko, en)
    }
}

/// What those who keep the shop have done.
#[endpoint]
pub async fn show_audit(
    app: App,
    _caller: Admin,
    frame: Frame,
    paging: Query<Paging<ON_A_PAGE>>,
) -> HandlerResult<Shown> {
    let page = paging.0.page()?;
    let (notes, total) = app.data.store.read(move |tx| audit::list(tx, page)).await?;
    let (head, pager) =
        (Head::unlisted(frame.say("활동 기록", "Activity")), frame.pager(total, page.limit, page.offset));
    frame.show(&AuditPage { frame: &frame, head, notes, pager })
}

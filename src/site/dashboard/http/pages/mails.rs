//! The page of the mails that the house has sent or is to send.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::{mail_code, mail_kind, mail_status, mail_tone};
use super::super::super::work::mails;
use super::super::MailQuery;
use super::ON_A_PAGE;
use crate::frame::{Frame, Head, Notice, Pager};
use hanok_base::{Page, Request, Result};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, CheckedQuery, Form, HandlerResult, Peer, Shown, tx_op};
use hanok_platform::mail::{MailSeen, MailStatus};

/// This page.
const MAILS: &str = "/admin/mails";
const AGAIN: Notice = Notice::new("again", "메일을 다시 보냅니다.", "The mail is sent again.");
const NOTICES: &[Notice] = &[AGAIN];
/// The statuses by which the list is narrowed.
const NARROWED: [MailStatus; 5] =
    [MailStatus::Waiting, MailStatus::Sent, MailStatus::Failed, MailStatus::DeliveryUnknown, MailStatus::Held];

/// A mail to be sent again.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
struct SendAgain {
    /// Its number.
    mail: u64,
}

#[derive(Template)]
#[template(path = "dashboard/mails.html")]
struct MailsPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    status: Option<MailStatus>,
    mails: Vec<MailSeen>,
    pager: Pager,
}

impl MailsPage<'_> {
    fn name_of(&self, status: &MailStatus) -> &'static str {
        let (ko, en) = mail_status(*status, self.frame.sends_mail());
        self.frame.say(ko, en)
    }

    fn code_of(&self, status: &MailStatus) -> &'static str {
        mail_code(*status)
    }

    fn kind_of<'m>(&self, mail: &'m MailSeen) -> &'m str {
        let (ko, en) = mail_kind(&mail.kind);
        self.frame.say(ko, en)
    }

    fn tone_of(&self, mail: &MailSeen) -> &'static str {
        mail_tone(mail.status)
    }

    fn is_shown(&self, status: &MailStatus) -> bool {
        self.status == Some(*status)
    }

    fn is_again(&self, mail: &MailSeen) -> bool {
        mails::is_again(mail.status)
    }
}

/// Mails, newest first.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: CheckedQuery<MailQuery>) -> HandlerResult<Shown> {
    let page = Page { limit: ON_A_PAGE as usize, ..wanted.0.page() };
    show(&app, &frame, wanted.0.status, page).await
}

/// Sends a mail again. What is refused is said on the page.
#[endpoint]
pub async fn change(app: App, caller: Admin, peer: Peer, frame: Frame, form: Form) -> HandlerResult<Shown> {
    match again(&app, &caller, peer, &form).await {
        Ok(_) => frame.done(MAILS, AGAIN),
        Err(error) => {
            show(&app, &frame.refused(form, error)?, None, Page { limit: ON_A_PAGE as usize, offset: 0 }).await
        }
    }
}

async fn again(app: &App, caller: &Admin, peer: Peer, form: &Form) -> Result<MailSeen> {
    let SendAgain { mail } = form.checked()?;
    let by = caller.name.clone();
    form.key().once(app, caller, tx_op(move |tx| mails::send_again(tx, mail, &by, peer.0))).await
}

async fn show(app: &App, frame: &Frame, status: Option<MailStatus>, page: Page) -> HandlerResult<Shown> {
    let (mails, total) = app.data.store.read(move |tx| mails::list(tx, status, page)).await?;
    let (head, pager) = (Head::unlisted(frame.say("메일", "Mails")), frame.pager(total, page.limit, page.offset));
    frame.show(&MailsPage { frame, head, status, mails, pager })
}

//! The pages of the customers: a list that is searched, and one customer.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::{Member, MemberAtDesk};
use super::super::super::work::members;
use super::ON_A_PAGE;
use crate::contact;
use crate::frame::{Frame, Head, Pager, mailto};
use crate::quotes::QuoteStatus;
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Key, ListQuery, Shown};

#[derive(Template)]
#[template(path = "dashboard/members.html")]
struct MembersPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    words: &'a str,
    members: Vec<Member>,
    pager: Pager,
}

#[derive(Template)]
#[template(path = "dashboard/member.html")]
struct MemberPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    one: &'a MemberAtDesk,
}

impl MemberPage<'_> {
    fn name_of(&self, status: &contact::Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    fn text_of(&self, status: &QuoteStatus) -> &'static str {
        let (ko, en) = status.text();
        self.frame.say(ko, en)
    }

    /// Where a mail to the customer is begun.
    fn mailto(&self, mail: &str) -> String {
        mailto(mail)
    }
}

/// Customers, newest first, or those that are found by words.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: ListQuery<ON_A_PAGE>) -> HandlerResult<Shown> {
    let ListQuery { page, q } = wanted;
    let words = q.clone();
    let (members, total) = app.data.store.read(move |tx| members::list(tx, &words, page)).await?;
    let (head, pager) = (Head::unlisted(frame.say("회원", "Members")), frame.pager(total, page.limit, page.offset));
    frame.show(&MembersPage { frame: &frame, head, words: &q, members, pager })
}

/// One customer, to be looked at only.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let one = app.data.store.read(move |tx| members::one(tx, &id.0)).await?;
    frame.show(&MemberPage { frame: &frame, head: Head::unlisted(one.member.called()), one: &one })
}

//! The part of a page on which share links are made, listed and ended.

use askama::Template;
use chrono::{Duration, NaiveDate};

use super::super::super::model::{ShareMaker, ShareWanted};
use super::super::super::work::shares::{LONGEST_DAYS, NewShare};
use super::super::shares::ShareSeen;
use crate::frame::{FormState, Frame, Notice};
use hanok_base::{Error, Result, validation_messages};
use hanok_platform::http::Form;

/// What the forms of this part do, as its section says it.
pub const NOTICES: &[Notice] = &[SHARED, UNSHARED];
/// A link was made.
pub const SHARED: Notice = Notice::new("share", "공유 링크를 만들었습니다.", "The share link is made.").at("shares");
/// A link was ended.
pub const UNSHARED: Notice =
    Notice::new("unshare", "공유 링크를 끝냈습니다.", "The share link has ended.").at("shares");
/// For how many days a link is good where nobody says otherwise.
const USUAL_DAYS: i64 = 14;

/// Share links of a request, and the forms that make and end them.
#[derive(Template)]
#[template(path = "contact/shares.html")]
pub struct SharesPart<'a> {
    /// The frame of the page that it is a part of.
    frame: &'a Frame,
    /// The form that makes one.
    form: FormState<'a>,
    /// Those that are good.
    shares: Vec<ShareSeen>,
    /// Today, in Asia/Seoul.
    today: NaiveDate,
}

impl<'a> SharesPart<'a> {
    /// The part of the page in `frame` on `today` that shows `shares`.
    pub fn new(frame: &'a Frame, shares: Vec<ShareSeen>, today: NaiveDate) -> SharesPart<'a> {
        let form = frame.act::<ShareWanted>("share").with("until", today + Duration::days(USUAL_DAYS)).unmarked();
        SharesPart { frame, form, shares, today }
    }

    /// Where a button of this part is sent to.
    fn here(&self) -> String {
        format!("{}#shares", self.frame.here())
    }

    /// The last day on which a link may be good.
    fn latest(&self) -> String {
        (self.today + Duration::days(LONGEST_DAYS)).to_string()
    }

    /// For whom a link is, or since when it is there.
    fn name_of(&self, share: &ShareSeen) -> String {
        if share.label.is_empty() { self.frame.when(&share.created_at) } else { share.label.clone() }
    }

    fn is_by_admin(&self, share: &ShareSeen) -> bool {
        share.by == ShareMaker::Admin
    }

    /// A day as people read it.
    fn day(&self, day: &NaiveDate) -> String {
        day.format(self.frame.say("%Y-%m-%d", "%-d %b %Y")).to_string()
    }
}

/// What one of these forms asks for.
pub enum ShareAct {
    /// To make a link.
    Share(NewShare),
    /// To end this one.
    End(String),
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct EndShare {
    share: String,
}

impl ShareAct {
    /// What `form` asks for, sent by `maker`.
    ///
    /// # Errors
    /// Those of [`Form::checked`]; `INVALID_INPUT` naming each refused field.
    pub fn of(form: &Form, maker: ShareMaker) -> Result<ShareAct> {
        match form.act() {
            "share" => form.checked().map(|wanted| ShareAct::Share(NewShare::of(wanted, maker))),
            "unshare" => form.checked().map(|EndShare { share }| ShareAct::End(share)),
            _ => Err(Error::field("act", validation_messages::KNOWN)),
        }
    }
}

//! The part of a page on which share links are made, listed and ended.

use askama::Template;
use chrono::{Duration, NaiveDate};
use serde::Deserialize;

use super::super::super::model::{ShareMaker, ShareWanted};
use super::super::super::work::shares::{LONGEST_DAYS, NewShare};
use super::super::shares::{ShareSeen, checked};
use crate::frame::{Faults, Frame};
use hanok_base::day::Day;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Sent, must};
use hanok_platform::http::{Form, Seal};

/// What the page of the form says itself when it is refused; any other error is a page of its own.
pub const TOLD: [Kind; 4] = [Kind::InvalidInput, Kind::Forbidden, Kind::RateLimited, Kind::Conflict];
/// For how many days a link is good where nobody says otherwise.
const USUAL_DAYS: i64 = 14;

/// Share links of a request, and the forms that make and end them.
#[derive(Template)]
#[template(path = "contact/shares.html")]
pub struct SharesPart<'a> {
    /// The frame of the page that it is a part of.
    pub frame: &'a Frame,
    /// The seal of its forms.
    pub seal: &'a Seal,
    /// Those that are good.
    pub shares: Vec<ShareSeen>,
    /// Today, in Asia/Seoul.
    pub today: NaiveDate,
    /// What was sent and refused.
    pub sent: Option<&'a Form>,
    /// Why.
    pub faults: Faults,
}

impl SharesPart<'_> {
    /// What was just done, in words.
    fn done(&self) -> &'static str {
        let (ko, en) = match self.frame.saved() {
            "share" => ("공유 링크를 만들었습니다.", "The share link is made."),
            "unshare" => ("공유 링크를 끝냈습니다.", "The share link has ended."),
            _ => ("", ""),
        };
        self.frame.say(ko, en)
    }

    /// What was typed into a field.
    fn typed(&self, field: &str) -> &str {
        self.sent.map_or("", |form| form.value(field))
    }

    /// The last day that stands in the form.
    fn until(&self) -> String {
        match self.typed("until") {
            "" => (self.today + Duration::days(USUAL_DAYS)).to_string(),
            typed => typed.to_owned(),
        }
    }

    fn latest(&self) -> NaiveDate {
        self.today + Duration::days(LONGEST_DAYS)
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Act {
    Share,
    Unshare,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActForm {
    act: Sent<Any<Act>>,
    until: Option<Sent<Day>>,
    label: Option<Sent<Text<0, 50>>>,
    share: Option<Sent<Any<String>>>,
}

impl ShareAct {
    /// What the customer asks for.
    ///
    /// # Errors
    /// Those of [`Form::read`]; `INVALID_INPUT` naming each refused field.
    pub fn of_customer(form: &Form) -> Result<ShareAct> {
        let ActForm { act, until, label, share } = form.read()?;
        match Check::of(|check| check.find("act", act))? {
            Some(Act::Share) => wanted(until, label, ShareMaker::Customer).map(ShareAct::Share),
            _ => {
                Check::of(|check| share.map(|share| check.take("share", share)).unwrap_or_default()).map(ShareAct::End)
            }
        }
    }
}

/// A link as a form asks for it.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field.
pub fn wanted(until: Option<Sent<Day>>, label: Option<Sent<Text<0, 50>>>, by: ShareMaker) -> Result<NewShare> {
    let until = until.ok_or_else(|| Error::field("until", must::PRESENT))?;
    checked(ShareWanted { until, label }, by)
}

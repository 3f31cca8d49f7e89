//! The page behind the link of the receipt.

use std::cmp::Ordering;

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::super::model::{Status, Tracked, TrackedMove};
use super::super::find_tracked;
use crate::frame::{Frame, Head};
use hanok_base::day;
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Anyone, Key, Page};

#[derive(Template)]
#[template(path = "contact/track.html")]
struct TrackPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    request: &'a Tracked,
    address: String,
    is_sent: bool,
}

/// A state on the way of a request.
struct Step {
    name: &'static str,
    /// `done`, `now`, or nothing where it is still ahead.
    standing: &'static str,
}

/// A state that the request was in.
struct Entered {
    name: &'static str,
    /// Since when, as people read it, in Asia/Seoul.
    at: String,
    /// The same as machines read it.
    instant: String,
}

/// The states of a request that goes well.
const WAY: [Status; 6] =
    [Status::Pending, Status::Reviewing, Status::Quoted, Status::Accepted, Status::InProgress, Status::Completed];

impl TrackPage<'_> {
    /// What a state is called from the customer's side.
    fn name_of(&self, status: Status) -> &'static str {
        let in_english = match status {
            Status::Pending => "Received",
            Status::Reviewing => "Under review",
            Status::Quoted => "Quote sent",
            Status::Accepted => "Quote accepted",
            Status::InProgress => "In progress",
            Status::OnHold => "On hold",
            Status::Completed => "Completed",
            Status::Cancelled => "Cancelled",
        };
        self.frame.say(status.in_korean(), in_english)
    }

    fn standing(&self) -> &'static str {
        self.name_of(self.request.status)
    }

    fn steps(&self) -> Vec<Step> {
        let place = |status: Status| WAY.iter().position(|known| *known == status);
        let reached = self.request.moves.iter().rev().find_map(|made| place(made.status)).unwrap_or(0);
        let standing = |at: usize| match at.cmp(&reached) {
            Ordering::Less => "done",
            Ordering::Equal if self.request.status == Status::Completed => "done",
            Ordering::Equal => "now",
            Ordering::Greater => "",
        };
        WAY.into_iter().enumerate().map(|(at, s)| Step { name: self.name_of(s), standing: standing(at) }).collect()
    }

    /// What is to be said of a request that does not go on; empty of one that does.
    fn pause(&self) -> &'static str {
        match self.request.status {
            Status::OnHold => self.frame.say("지금은 보류 중입니다.", "It is on hold at the moment."),
            Status::Cancelled => self.frame.say("이 의뢰는 취소되었습니다.", "This request was cancelled."),
            _ => "",
        }
    }

    /// What the customer chose, each with its label.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let said = [
            (self.frame.say("분야", "About"), self.request.service.as_str()),
            (self.frame.say("종류", "Kind"), &self.request.project_type),
            (self.frame.say("예산", "Budget"), &self.request.budget),
            (self.frame.say("일정", "Time"), &self.request.timeline),
        ];
        said.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Each state that it was in, the latest first.
    fn entered(&self) -> Vec<Entered> {
        let form = self.frame.say("%Y년 %-m월 %-d일 %H:%M", "%-d %B %Y, %H:%M");
        let entered = |made: &TrackedMove| Entered {
            name: self.name_of(made.status),
            at: made.at.with_timezone(&day::ZONE).format(form).to_string(),
            instant: made.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        self.request.moves.iter().rev().map(entered).collect()
    }
}

/// The page behind the link of the receipt, for whoever has it. Links to earlier requests stay where no more are taken.
#[endpoint]
pub async fn track(app: App, _caller: Anyone, frame: Frame, token: Key, req: &mut Request) -> Answer<Page> {
    let request = find_tracked(&app, token.0.clone()).await?;
    let page = TrackPage {
        frame: &frame,
        head: Head::unlisted(frame.say("의뢰 진행 상황", "Your request")),
        request: &request,
        address: frame.address_to(&format!("/contact/{}", token.0)),
        is_sent: req.uri().query() == Some("sent"),
    };
    Ok(frame.page(&page)?.kept_by_nobody())
}

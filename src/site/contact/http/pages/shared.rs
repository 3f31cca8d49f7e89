//! The page that a share link opens: how far the request is, for whoever has the link.

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::super::model::SharedRequest;
use super::super::super::work::ContactSettings;
use super::super::shares::find_shared;
use super::progress::Progress;
use crate::frame::{Frame, Head};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, HandlerResult, Key, Shown};

#[derive(Template)]
#[template(path = "contact/shared.html")]
struct SharedPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    settings: &'a ContactSettings,
    request: &'a SharedRequest,
    progress: Progress<'a>,
}

impl SharedPage<'_> {
    /// What the request is about, each with its label.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let SharedRequest { service, project_type, timeline, .. } = self.request;
        self.settings.choices().labelled(self.frame.language(), [service, project_type, "", timeline])
    }

    /// The last day on which this page is shown.
    fn until(&self) -> String {
        self.request.until.format(self.frame.say("%Y년 %-m월 %-d일", "%-d %B %Y")).to_string()
    }
}

/// The page that a share link opens. It shows, and changes nothing.
#[endpoint]
pub async fn show(app: App, _caller: Anyone, frame: Frame, token: Key, req: &mut Request) -> HandlerResult<Shown> {
    let request = find_shared(&app, token.0, req).await?;
    frame.show(&SharedPage {
        frame: &frame,
        head: Head::unlisted(frame.say("의뢰 진행 상황", "A request")),
        progress: Progress { frame: &frame, status: request.status, history: &request.history },
        settings: &app.config.section::<ContactSettings>(),
        request: &request,
    })
}

//! The page behind the link of the receipt, and of the mails that come later.

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::super::model::{ShareMaker, Tracked};
use super::super::super::work::{ContactSettings, by_link};
use super::super::find_tracked;
use super::super::shares::{PACE, ShareSeen, seen};
use super::progress::Progress;
use super::shares::{NOTICES, ShareAct, SharesPart};
use crate::frame::{Frame, Head, Notice};
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Form, HandlerResult, Key, Peer, Shown, already, site_origin, tx_op};
use hanok_platform::mail::Language;

#[derive(Template)]
#[template(path = "contact/track.html")]
struct TrackPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    settings: &'a ContactSettings,
    request: &'a Tracked,
    progress: Progress<'a>,
    address: String,
    is_sent: bool,
    shares: SharesPart<'a>,
}

impl TrackPage<'_> {
    /// What the customer chose, each with its label.
    fn details(&self) -> Vec<(&'static str, &str)> {
        let Tracked { service, project_type, budget, timeline, .. } = self.request;
        self.settings.choices().labelled(self.frame.language(), [service, project_type, budget, timeline])
    }
}

/// The page behind the link of the receipt, for whoever has it. Links to earlier requests stay where no more are taken.
#[endpoint]
pub async fn track(app: App, _caller: Anyone, frame: Frame, token: Key, req: &mut Request) -> HandlerResult<Shown> {
    page(&app, &frame, &token.0, req).await
}

/// Makes a share link of the request, or ends one. What is refused is said beside its field.
#[endpoint]
pub async fn change(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    token: Key,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    match act(&app, &caller, peer, &token.0, &form).await {
        Ok(()) => frame.done(&format!("/contact/{}", token.0), Notice::of(NOTICES, form.act())),
        Err(error) => page(&app, &frame.refused(form, error)?, &token.0, req).await,
    }
}

async fn act(app: &App, caller: &Anyone, peer: Peer, token: &str, form: &Form) -> Result<()> {
    let token = token.to_owned();
    match ShareAct::of(form, ShareMaker::Customer)? {
        ShareAct::Share(new) => {
            app.access.paces.admit(PACE, peer.0, app.clock.moment())?;
            // The key of the form makes one link of it, however often it is sent.
            let made = tx_op(move |tx| by_link::share(tx, &token, new).map(|(share, _)| share.id));
            form.key().once(app, caller, made).await.map(drop)
        }
        ShareAct::End(share) => already(app.data.store.write(move |tx| by_link::end_share(tx, &token, &share)).await),
    }
}

async fn page(app: &App, frame: &Frame, token: &str, req: &Request) -> HandlerResult<Shown> {
    let request = find_tracked(app, token.to_owned()).await?;
    let shares = shares_of(app, token.to_owned(), site_origin(app, req), frame.language()).await?;
    frame.show(&TrackPage {
        frame,
        head: Head::unlisted(frame.say("의뢰 진행 상황", "Your request")),
        settings: &app.config.section::<ContactSettings>(),
        request: &request,
        progress: Progress { frame, status: request.status, history: &request.history },
        address: frame.address_to(&format!("/contact/{token}")),
        is_sent: req.uri().query() == Some("sent"),
        shares: SharesPart::new(frame, shares, day::of(app.clock.now())),
    })
}

async fn shares_of(app: &App, token: String, origin: String, language: Language) -> Result<Vec<ShareSeen>> {
    let (shares, _) = app.data.store.read_inline(move |tx| by_link::shares(tx, &token)).await?;
    Ok(shares.into_iter().map(|share| seen(share, &origin, language)).collect())
}

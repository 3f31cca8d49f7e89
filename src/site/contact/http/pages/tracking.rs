//! The page behind the link of the receipt, and of the mails that come later.

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::super::model::{Tracked, choices};
use super::super::super::work::{decoys, follow, shares};
use super::super::find_tracked;
use super::super::shares::{PACE, ShareSeen, seen_of};
use super::progress::Progress;
use super::shares::{ShareAct, SharesPart, TOLD};
use crate::frame::{Faults, Frame, Head};
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::http::{
    Answer, Anyone, Form, Key, Page, Peer, Seal, SeeOther, Shown, already, site_origin, to_write,
};
use hanok_platform::mail::Language;

#[derive(Template)]
#[template(path = "contact/track.html")]
struct TrackPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
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
        choices::labelled(self.frame.language(), [service, project_type, budget, timeline])
    }
}

/// The page behind the link of the receipt, for whoever has it. Links to earlier requests stay where no more are taken.
#[endpoint]
pub async fn track(app: App, _caller: Anyone, frame: Frame, token: Key, req: &mut Request) -> Answer<Page> {
    let seal = Seal::new(&app, req);
    Ok(page(&app, &frame, &seal, &token.0, req, (None, Faults::default())).await?)
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
) -> Answer<Shown> {
    let error = match act(&app, &caller, peer, &token.0, &form).await {
        Ok(()) => {
            let saved = format!("/contact/{}?saved={}#shares", token.0, form.value("act"));
            return Ok(Shown::Elsewhere(SeeOther::to(frame.href(&saved))));
        }
        Err(error) if TOLD.contains(&error.kind) => error,
        Err(error) => return Err(error.into()),
    };
    let (seal, faults) = (Seal::again(&app, req, &form), Faults::of(&error, frame.language()));
    let shown = page(&app, &frame, &seal, &token.0, req, (Some(&form), faults)).await?;
    Ok(Shown::Here(shown.refusing(&error)))
}

async fn act(app: &App, caller: &Anyone, peer: Peer, token: &str, form: &Form) -> Result<()> {
    let token = token.to_owned();
    match ShareAct::of_customer(form)? {
        ShareAct::Share(new) => {
            app.access.paces.admit(PACE, peer.0, app.clock.moment())?;
            // The key of the form makes one link of it, however often it is sent.
            let made = to_write(move |tx| {
                let request = follow::find_by_token(tx, &token)?;
                shares::share(tx, &request, new).map(|share| share.id)
            });
            form.key().once(app, caller, made).await.map(drop)
        }
        ShareAct::End(share) => {
            let ended = app.data.store.write(move |tx| {
                let request = follow::find_by_token(tx, &token)?;
                shares::end_share(tx, &request, &share)
            });
            already(ended.await)
        }
    }
}

async fn page(
    app: &App,
    frame: &Frame,
    seal: &Seal,
    token: &str,
    req: &Request,
    (sent, faults): (Option<&Form>, Faults),
) -> Result<Page> {
    let request = find_tracked(app, token.to_owned()).await?;
    let shares = shares_of(app, token.to_owned(), site_origin(app, req), frame.language()).await?;
    let page = TrackPage {
        frame,
        head: Head::unlisted(frame.say("의뢰 진행 상황", "Your request")),
        request: &request,
        progress: Progress { frame, status: request.status, moves: &request.moves },
        address: frame.address_to(&format!("/contact/{token}")),
        is_sent: req.uri().query() == Some("sent"),
        shares: SharesPart { frame, seal, shares, today: day::of(app.clock.now()), sent, faults },
    };
    frame.page_with_form(&page, seal)
}

async fn shares_of(app: &App, token: String, origin: String, language: Language) -> Result<Vec<ShareSeen>> {
    if decoys::find(&token).is_some() {
        return Ok(Vec::new());
    }
    let found =
        app.data.store.read_inline(move |tx| seen_of(tx, &follow::find_by_token(tx, &token)?, &origin, language));
    found.await
}

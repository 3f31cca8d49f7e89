//! The routes of the pages of nobody in particular.

use askama::Template;
use salvo::http::header::REFERER;
use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};

use crate::frame::{Frame, Head, asks_for_english};
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Anyone, SeeOther, Shown, SiteCookie};

#[derive(Template)]
#[template(path = "front/home.html")]
struct HomePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
}

/// That the visitor has chosen Korean although the browser asks for English.
const KOREAN: SiteCookie = SiteCookie::new("__Host-hanok-korean", 365);

/// The first page. Whoever comes from elsewhere with a browser that asks for English is shown it in English; whoever then
/// chooses Korean is asked no more.
#[endpoint]
pub async fn home(app: App, _caller: Anyone, frame: Frame, req: &mut Request, res: &mut Response) -> Answer<Shown> {
    let has_chosen = KOREAN.sent(&app, req).is_some();
    let (in_english, from_here) = (asks_for_english(req.headers()), comes_from_here(&frame, req));
    if frame.is_korean() && in_english && !has_chosen && !from_here {
        return Ok(Shown::Elsewhere(SeeOther::to("/en")));
    }
    if from_here && in_english && frame.is_korean() != has_chosen {
        let chosen = if frame.is_korean() { "chosen" } else { "" };
        res.add_cookie(KOREAN.carrying(&app, req, chosen.to_owned()));
    }
    let head = Head::listed(frame.shop(), frame.lead());
    Ok(Shown::Here(frame.page(&HomePage { frame: &frame, head })?))
}

/// Whether a page of this site leads here.
fn comes_from_here(frame: &Frame, req: &Request) -> bool {
    let headers = req.headers();
    let page = headers.get(REFERER).and_then(|page| page.to_str().ok()).unwrap_or_default();
    let is_ours = page.strip_prefix(frame.origin()).is_some_and(|path| path.starts_with('/'));
    is_ours || headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin")
}

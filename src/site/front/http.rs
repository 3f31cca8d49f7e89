//! The routes of the pages of nobody in particular.

use askama::Template;
use salvo::http::header::REFERER;
use salvo::oapi::endpoint;
use salvo::{Request, Response, Writer};

use super::work::{self, LegalText};
use crate::frame::{Frame, Head, address_of, asks_for_english};
use hanok_base::Error;
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, HandlerResult, PlainText, SeeOther, Shown, SiteCookie};
use hanok_platform::mail::Language;

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
pub async fn home(
    app: App,
    _caller: Anyone,
    frame: Frame,
    req: &mut Request,
    res: &mut Response,
) -> HandlerResult<Shown> {
    let has_chosen = KOREAN.sent(&app, req).is_some();
    let (in_english, from_here) = (asks_for_english(req.headers()), comes_from_here(&frame, req));
    if frame.is_korean() && in_english && !has_chosen && !from_here {
        return Ok(Shown::Elsewhere(SeeOther::to(frame.in_the_other_language())));
    }
    if from_here && in_english && frame.is_korean() != has_chosen {
        let chosen = if frame.is_korean() { "chosen" } else { "" };
        res.add_cookie(KOREAN.carrying(&app, req, chosen.to_owned()));
    }
    let head = Head::listed(frame.shop(), frame.lead());
    frame.show(&HomePage { frame: &frame, head })
}

/// Whether a page of this site leads here.
fn comes_from_here(frame: &Frame, req: &Request) -> bool {
    let headers = req.headers();
    let page = headers.get(REFERER).and_then(|page| page.to_str().ok()).unwrap_or_default();
    let is_ours = page.strip_prefix(frame.origin()).is_some_and(|path| path.starts_with('/'));
    is_ours || headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin")
}

#[derive(Template)]
#[template(path = "front/legal.html")]
struct LegalPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    html: String,
    is_draft: bool,
}

/// What becomes of personal data.
#[endpoint]
pub async fn privacy(app: App, _caller: Anyone, frame: Frame) -> HandlerResult<Shown> {
    let title = frame.say("개인정보 처리방침", "Privacy policy");
    let said = frame.say(
        "개인정보를 무엇에 쓰고 언제 지우는지 적었습니다.",
        "What personal data is used for, and when it is deleted.",
    );
    legal(&app, &frame, "privacy", Head::listed(title, said)).await
}

/// On which terms the shop works.
#[endpoint]
pub async fn terms(app: App, _caller: Anyone, frame: Frame) -> HandlerResult<Shown> {
    let title = frame.say("이용약관", "Terms of use");
    let said =
        frame.say("이 사이트를 쓰고 일을 맡기는 조건입니다.", "On which terms this site is used and work is done.");
    legal(&app, &frame, "terms", Head::listed(title, said)).await
}

async fn legal(app: &App, frame: &Frame, name: &'static str, head: Head<'_>) -> HandlerResult<Shown> {
    let LegalText { html, is_draft } = work::legal_text(app, name, frame.language()).await?;
    frame.show(&LegalPage { frame, head, html, is_draft })
}

/// What search engines may ask for: every page but those of one pair of eyes.
#[endpoint]
pub async fn robots(_caller: Anyone, frame: Frame) -> PlainText {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /contact/\nDisallow: /en/contact/\nSitemap: {}/sitemap.xml\n",
        frame.origin()
    );
    PlainText::new("text/plain; charset=utf-8", text)
}

#[derive(Template)]
#[template(path = "front/sitemap.xml")]
struct Sitemap<'a> {
    /// Where the site is reached.
    origin: &'a str,
    /// The address of each page in Korean and in English.
    pages: Vec<[String; 2]>,
}

/// Every page that search engines may list, in both languages.
#[endpoint]
pub async fn sitemap(_caller: Anyone, frame: Frame) -> HandlerResult<PlainText> {
    let paths = ["/"].into_iter().chain(frame.offers().iter().map(|offer| offer.path)).chain(["/privacy", "/terms"]);
    let pages = paths.map(|path| [address_of(path, Language::Ko), address_of(path, Language::En)]).collect();
    let text = Sitemap { origin: frame.origin(), pages }.render().map_err(Error::internal)?;
    Ok(PlainText::new("application/xml; charset=utf-8", text))
}

//! The portfolio as whoever has a link sees it, and the page of the desk on which links are made and ended.

use askama::Template;
use salvo::http::Method;
use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use super::super::model::{NewPortfolioLink, PortfolioLink, USUAL_DAYS};
use super::super::work::{self, PortfolioText};
use super::{end_at_desk, origin, seen, share_at_desk};
use crate::frame::{FormState, Frame, Head, Notice, Pager};
use hanok_base::{Error, Page as Part, Result, validation_messages};
use hanok_platform::app::App;
use hanok_platform::auth::{self, Link};
use hanok_platform::http::{Admin, Anyone, Form, HandlerResult, Key, Page, Paging, Peer, Query, Shown, already, tx_op};

/// How many links stand on one page.
const ON_A_PAGE: u64 = 50;
/// The page of the desk.
const DESK: &str = "/admin/share";
const MADE: Notice = Notice::new("share", "링크를 만들었습니다.", "The link is made.").at("links");
const ENDED: Notice = Notice::new("end", "링크를 만료시켰습니다.", "The link has ended.").at("links");
/// The field of whom a link is for.
const FOR_WHOM: &str = "memo";
const NOTICES: &[Notice] = &[MADE, ENDED];

#[derive(Template)]
#[template(path = "share/portfolio.html")]
struct PortfolioPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    link: &'a Link,
    /// The owner's text as HTML; none where there is none.
    html: Option<String>,
}

#[derive(Template)]
#[template(path = "share/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    form: FormState<'a>,
    links: Vec<PortfolioLink>,
    pager: Pager,
    text: PortfolioText,
}

impl DeskPage<'_> {
    /// For whom a link is, or when it was made.
    fn name_of(&self, link: &PortfolioLink) -> String {
        if link.memo.is_empty() { self.frame.when(&link.created_at) } else { link.memo.clone() }
    }

    /// The name of the owner's file in the language of the page.
    fn file(&self) -> &'static str {
        self.frame.say("documents/portfolio.md", "documents/portfolio.en.md")
    }

    /// Where a button of the list is sent to.
    fn here(&self) -> String {
        format!("{}#links", self.frame.here())
    }
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct EndLink {
    link: String,
}

/// The portfolio, for whoever has a link that is good. That it was used is noted.
#[endpoint(operation_id = "portfolio_page", tags("share"))]
pub async fn show(app: App, _caller: Anyone, frame: Frame, token: Key, req: &mut Request) -> HandlerResult<Page> {
    let link = app.data.store.read_inline(move |tx| work::find(tx, &token.0)).await?;
    // Who asks for the head alone has not looked at it.
    if *req.method() != Method::HEAD && link.is_used_anew(app.clock.now()) {
        let id = link.id.clone();
        // On a full disk it is shown all the same; only the time of its last use stays old.
        let _ = app.data.store.write(move |tx| auth::note_use(tx, &id)).await;
    }
    let html = match work::text(&app, frame.language()).await? {
        PortfolioText::Written(html) => Some(html),
        PortfolioText::Missing | PortfolioText::Unreadable => None,
    };
    let head = Head::unlisted(frame.say("포트폴리오", "Portfolio"));
    match frame.show(&PortfolioPage { frame: &frame, head, link: &link, html })? {
        Shown::Here(page) => Ok(page),
        Shown::Elsewhere(_) => Err(Error::internal("a page that leads elsewhere").into()),
    }
}

/// The links that are good, and the form that makes one.
#[endpoint]
pub async fn desk(
    app: App,
    _caller: Admin,
    frame: Frame,
    paging: Query<Paging<ON_A_PAGE>>,
    req: &mut Request,
) -> HandlerResult<Shown> {
    desk_page(&app, &frame, paging.0.page()?, req).await
}

/// Makes a link or ends one.
#[endpoint]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    form: Form,
    req: &mut Request,
) -> HandlerResult<Shown> {
    match act(&app, &caller, peer, &form).await {
        Ok(()) => frame.done(DESK, Notice::of(NOTICES, form.act())),
        Err(error) => {
            let first = Part { limit: ON_A_PAGE as usize, offset: 0 };
            desk_page(&app, &frame.refused(form, error)?, first, req).await
        }
    }
}

/// Does what the form asks for, once.
async fn act(app: &App, caller: &Admin, peer: Peer, form: &Form) -> Result<()> {
    let by = caller.clone();
    match form.act() {
        "share" => {
            let new: NewPortfolioLink = form.checked()?;
            let made = tx_op(move |tx| share_at_desk(tx, (&by, peer), new).map(drop));
            form.key().once(app, caller, made).await
        }
        "end" => {
            let EndLink { link } = form.checked()?;
            let ended = tx_op(move |tx| already(end_at_desk(tx, (&by, peer), &link)));
            form.key().once(app, caller, ended).await
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

async fn desk_page(app: &App, frame: &Frame, page: Part, req: &Request) -> HandlerResult<Shown> {
    let (origin, language) = (origin(app, req), frame.language());
    let (links, total) = app.data.store.read(move |tx| work::links(tx, page)).await?;
    frame.show(&DeskPage {
        frame,
        head: Head::unlisted(frame.say("포트폴리오 공유", "Portfolio links")),
        form: frame.act::<NewPortfolioLink>("share").with("ttl_days", USUAL_DAYS).unmarked(),
        links: links.into_iter().map(|link| seen(link, &origin, language)).collect(),
        pager: frame.pager(total, page.limit, page.offset),
        text: work::text(app, language).await?,
    })
}

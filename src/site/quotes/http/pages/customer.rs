//! The page behind a customer's link: the quote, what can be chosen of it, and the decision.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::{Decide, Ids, Quote, QuoteStatus};
use super::super::super::work::links;
use super::super::decide_once;
use super::view::View;
use crate::frame::{FormState, Frame, Head, Notice, Particular};
use hanok_base::text::{Line, Text};
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::http::{Anyone, Form, HandlerResult, Key, Peer, Shown};
use hanok_platform::store::ReadTransaction;

/// What the forms of the page have done.
const NOTICES: &[Notice] = &[
    Notice::new("confirm", "견적을 수락했습니다. 고맙습니다.", "You accepted the quote. Thank you."),
    Notice::new(
        "decline",
        "견적을 거절했습니다. 알려 주셔서 고맙습니다.",
        "You declined the quote. Thank you for telling us.",
    ),
];

/// What the page lets its reader do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Lines and a plan can be chosen.
    Open,
    /// What was chosen is shown once more before it is accepted.
    Confirming,
    /// It is only looked at.
    Closed,
    /// The desk looks at what its customer will see.
    Preview,
}

/// The page of a quote.
#[derive(Template)]
#[template(path = "quotes/quote.html")]
pub struct QuotePage<'a> {
    /// The frame of the page.
    pub frame: &'a Frame,
    /// Its head.
    pub head: Head<'a>,
    /// What it shows.
    pub view: View<'a>,
    /// What can be done on it.
    pub stage: Stage,
    /// The word of the link; empty in a preview.
    pub token: &'a str,
    /// Whether whose page it is follows the quote already, or cannot.
    pub is_linked: bool,
    /// The form that chooses, as it was refused.
    pub form: FormState<'a>,
    /// The form that declines.
    pub decline: FormState<'a>,
}

impl QuotePage<'_> {
    fn is_open(&self) -> bool {
        self.stage == Stage::Open
    }

    fn is_confirming(&self) -> bool {
        self.stage == Stage::Confirming
    }

    fn is_preview(&self) -> bool {
        self.stage == Stage::Preview
    }

    fn state(&self) -> &'static str {
        self.view.state().0
    }

    fn tone(&self) -> &'static str {
        self.view.state().1
    }

    fn pdf(&self) -> String {
        self.frame.href(&format!("/quote/{}/pdf", self.token))
    }

    /// Whether requests are taken by the form.
    fn takes_requests(&self) -> bool {
        self.frame.offers().iter().any(|offer| offer.path == "/contact")
    }

    /// How the shop is written to or called.
    fn contacts(&self) -> Vec<Particular<'_>> {
        let is_way = |one: &Particular<'_>| one.link.starts_with("mailto:") || one.link.starts_with("tel:");
        self.frame.particulars().into_iter().filter(is_way).collect()
    }

    /// Whether who is signed in can follow the quote in their account.
    fn can_link(&self) -> bool {
        self.frame.customer().is_some() && !self.is_linked && !self.is_preview()
    }

    fn asks_to_sign_in(&self) -> bool {
        self.frame.customer().is_none() && !self.is_linked && !self.is_preview()
    }

    fn sign_in(&self) -> String {
        let back = self.frame.href(&format!("/quote/{}", self.token));
        format!("{}?next={back}", self.frame.href("/account/sign-in"))
    }
}

/// What is chosen of the quote that was shown.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct Chosen {
    #[field(Line<1, 64>)]
    hash: String,
    #[field(Ids, default)]
    selected_items: Vec<String>,
    #[field(Line<0, 40>)]
    selected_maintenance: Option<String>,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct Declined {
    #[field(Line<1, 64>)]
    hash: String,
    #[field(Text<0, 2000>, default)]
    reason: String,
}

/// What is ticked on the page, whether or not it can be.
#[derive(Default)]
struct Ticked {
    items: Vec<String>,
    plan: String,
}

impl Ticked {
    fn of(form: &Form) -> Ticked {
        let items = form.values().filter(|(name, _)| name.starts_with("selected_items[")).map(|(_, id)| id.to_owned());
        Ticked { items: items.collect(), plan: form.value("selected_maintenance").to_owned() }
    }
}

/// What became of a form.
enum Done {
    /// The quote is decided.
    Decided,
    /// The page is shown once more.
    Seen(Stage),
}

/// The quote that the link opens.
#[endpoint]
pub async fn show(app: App, _caller: Anyone, frame: Frame, token: Key) -> HandlerResult<Shown> {
    page(&app, &frame, &token.0, Ticked::default(), Stage::Open).await
}

/// Adds up what is ticked, asks once more, accepts or declines.
#[endpoint]
pub async fn change(
    app: App,
    caller: Anyone,
    peer: Peer,
    frame: Frame,
    token: Key,
    form: Form,
) -> HandlerResult<Shown> {
    let ticked = Ticked::of(&form);
    match act(&app, &caller, peer, &token.0, &form).await {
        Ok(Done::Decided) => frame.done(&format!("/quote/{}", token.0), Notice::of(NOTICES, form.act())),
        Ok(Done::Seen(stage)) => page(&app, &frame, &token.0, ticked, stage).await,
        Err(error) => page(&app, &frame.refused(form, error)?, &token.0, ticked, Stage::Open).await,
    }
}

async fn act(app: &App, caller: &Anyone, peer: Peer, token: &str, form: &Form) -> Result<Done> {
    let decide = match form.act() {
        "decline" => {
            let Declined { hash, reason } = form.checked()?;
            Decide { accept: false, hash, reason, selected_items: Vec::new(), selected_maintenance: None }
        }
        _ => {
            let Chosen { hash, selected_items, selected_maintenance } = form.nested()?;
            Decide { accept: true, hash, reason: String::new(), selected_items, selected_maintenance }
        }
    };
    match form.act() {
        "confirm" | "decline" => {
            decide_once(app, caller, (peer, form.key()), token.to_owned(), decide).await?;
            Ok(Done::Decided)
        }
        act => {
            let stage = if act == "accept" { Stage::Confirming } else { Stage::Open };
            could_be_accepted(app, token.to_owned(), decide).await?;
            Ok(Done::Seen(stage))
        }
    }
}

/// Refuses what could not be accepted now, and changes nothing.
async fn could_be_accepted(app: &App, token: String, decide: Decide) -> Result<()> {
    let now = app.clock.now();
    let tried = app
        .data
        .store
        .read_inline(move |tx| links::find_by_token(tx, &token)?.decided(&decide, day::of(now), now).map(drop));
    tried.await
}

async fn page(app: &App, frame: &Frame, token: &str, ticked: Ticked, stage: Stage) -> HandlerResult<Shown> {
    let word = token.to_owned();
    let account = frame.customer().map(|caller| caller.id.clone());
    let read = app.data.store.read_inline(move |tx| {
        let quote = links::find_by_token(tx, &word)?;
        let is_linked = is_linked(tx, &quote, account.as_deref())?;
        Ok((quote, is_linked))
    });
    let (quote, is_linked) = read.await?;
    let public = quote.public(day::of(app.clock.now()))?;
    let stage = if public.can_decide { stage } else { Stage::Closed };
    let title = format!("{}: {}", frame.say("견적", "Quote"), public.content.title);
    frame.show(&QuotePage {
        frame,
        head: Head::unlisted(&title),
        view: View::new(frame, public, ticked.items, ticked.plan)?,
        stage,
        token,
        is_linked,
        form: choosing(frame),
        decline: frame.act::<Declined>("decline"),
    })
}

/// Whether there is nothing to add to the projects of `account`; none is somebody who is not signed in.
fn is_linked(tx: &impl ReadTransaction, quote: &Quote, account: Option<&str>) -> Result<bool> {
    if quote.status == QuoteStatus::Rejected {
        return Ok(true);
    }
    Ok(match account {
        Some(id) if quote.user_id.as_deref() == Some(id) => true,
        Some(id) => !auth::find_customer(tx, id)?.is_some_and(|account| links::may_follow(quote, &account)),
        None => links::followed_by(tx, quote)?.is_some_and(|mail| links::is_of_client(quote, &mail)),
    })
}

/// The form that chooses, with what was refused of it whichever of its buttons sent it.
fn choosing(frame: &Frame) -> FormState<'_> {
    let act = ["accept", "confirm"].into_iter().find(|act| frame.is_refused(act)).unwrap_or("total");
    frame.act::<Chosen>(act)
}

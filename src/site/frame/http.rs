//! What every page of the site stands in, and how it is shown.

mod errors;
pub mod files;
mod form_state;
mod show;
pub mod theme;
mod visitor;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::{DateTime, Utc};
use salvo::extract::Metadata;
use salvo::http::header::{ACCEPT_LANGUAGE, HeaderMap};
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible, Request};

use super::model::{address_of, mailto, page_of, prefers_english};
use super::work::BusinessSettings;
use hanok_base::text::without_direction_marks;
use hanok_base::{Error, day};
use hanok_platform::app::App;
use hanok_platform::domain::{NavEntry, Offer, Offers};
use hanok_platform::http::{Admin, CsrfToken, Customer, HandlerResult, site_origin};
use hanok_platform::mail::Language;

pub use errors::error_pages;
pub use form_state::{FormRequest, FormState};
pub use show::{Confirm, Pager};
use show::{Marks, Refused};
pub use visitor::{NavLink, Visitor};

/// The frame of the page that is asked for. A handler names it among its arguments.
#[derive(Debug)]
pub struct Frame {
    language: Language,
    /// The page as it is addressed in Korean.
    path: String,
    /// What stands in its address after the question mark, with that.
    query: String,
    origin: String,
    theme: Option<&'static str>,
    sends_mail: bool,
    offers: Vec<&'static Offer>,
    /// The pages of who is signed in.
    own_pages: Vec<&'static NavEntry>,
    visitor: Visitor,
    csrf: CsrfToken,
    refused: Option<Refused>,
    marks: Marks,
    business: Arc<BusinessSettings>,
}

/// What stands in the head of a page.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// Its title, in the window and in what search engines show.
    pub title: &'a str,
    /// What it says, in a sentence.
    pub description: &'a str,
    /// Whether search engines may list it. Such a page has an address of its own in each language.
    pub is_listed: bool,
}

impl<'a> Head<'a> {
    /// Of a page for everybody.
    pub fn listed(title: &'a str, description: &'a str) -> Head<'a> {
        Head { title, description, is_listed: true }
    }

    /// Of a page for who has its address.
    pub fn unlisted(title: &'a str) -> Head<'a> {
        Head { title, description: "", is_listed: false }
    }

    /// Its title as the window shows it, without marks of direction: the name of the shop stands behind it.
    pub fn in_the_window(&self) -> Cow<'a, str> {
        without_direction_marks(self.title)
    }
}

/// What the footer shows of who runs the shop: a label, what it says, and where it leads.
#[derive(Debug)]
pub struct Particular<'a> {
    /// What it is.
    pub label: &'static str,
    /// What it says.
    pub text: &'a str,
    /// Where it leads; empty where it leads nowhere.
    pub link: String,
}

impl Frame {
    /// The frame of the page that `req` asks for, for a visitor who is not known.
    pub fn of(app: &App, offers: &Offers, req: &Request) -> Frame {
        let (language, path) = page_of(req.uri().path());
        let own_pages = offers.nav_of(is_below(path, "/admin"), &app.config);
        Frame {
            language,
            path: path.to_owned(),
            query: req.uri().query().map(|query| format!("?{query}")).unwrap_or_default(),
            origin: site_origin(app, req),
            theme: theme::chosen(app, req),
            sends_mail: !app.config.mail.host.is_empty(),
            offers: offers.on(&app.config).collect(),
            own_pages: own_pages.collect(),
            visitor: Visitor::Unknown,
            csrf: CsrfToken::new(app, req),
            refused: None,
            marks: Marks::default(),
            business: app.config.section(),
        }
    }

    /// The customer who is signed in.
    pub fn customer(&self) -> Option<&Customer> {
        match &self.visitor {
            Visitor::Customer { session, .. } => Some(session),
            _ => None,
        }
    }

    /// The admin who is signed in, on pages below `/admin`.
    pub fn admin(&self) -> Option<&Admin> {
        match &self.visitor {
            Visitor::Admin(admin) => Some(admin),
            _ => None,
        }
    }

    /// Who looks at the page with this `head`. A page for everybody says the same to all, so that browsers may keep it; one
    /// that asks here and is for somebody is kept by nobody.
    pub fn visitor(&self, head: &Head<'_>) -> &Visitor {
        if head.is_listed {
            return &Visitor::Unknown;
        }
        self.marks.is_own.store(true, Ordering::Relaxed);
        &self.visitor
    }

    /// The links of the navigation of the page with this `head`.
    pub fn links(&self, head: &Head<'_>) -> Vec<NavLink> {
        let offers = self.offers.iter().map(|offer| [offer.path, offer.name.ko, offer.name.en]);
        let pages: Vec<[&'static str; 3]> = match self.visitor(head) {
            Visitor::Admin(_) => self.own_pages(|entry| !entry.is_last),
            Visitor::Customer { .. } => offers.chain(self.own_pages(|_| true)).collect(),
            Visitor::Nobody => offers.chain([["/account/sign-in", "로그인", "Sign in"]]).collect(),
            Visitor::Unknown => offers.chain([["/account", "내 계정", "Account"]]).collect(),
        };
        self.nav_links(pages)
    }

    /// Those links of an admin that stand in a menu behind the others: what is not needed every day.
    pub fn more_links(&self, head: &Head<'_>) -> Vec<NavLink> {
        match self.visitor(head) {
            Visitor::Admin(_) => self.nav_links(self.own_pages(|entry| entry.is_last)),
            _ => Vec::new(),
        }
    }

    fn own_pages(&self, is_shown: fn(&NavEntry) -> bool) -> Vec<[&'static str; 3]> {
        let shown = self.own_pages.iter().filter(|entry| is_shown(entry));
        shown.map(|entry| [entry.path, entry.name.ko, entry.name.en]).collect()
    }

    fn nav_links(&self, pages: Vec<[&'static str; 3]>) -> Vec<NavLink> {
        let here = pages.iter().map(|page| page[0]).filter(|path| self.is_at(path)).max_by_key(|path| path.len());
        let link = |[path, ko, en]: [&'static str; 3]| NavLink {
            href: self.href(path),
            name: if self.is_korean() { ko } else { en },
            is_here: here == Some(path),
        };
        pages.into_iter().map(link).collect()
    }

    /// Where who looks at the page with this `head` signs out; empty where nobody is signed in.
    pub fn sign_out(&self, head: &Head<'_>) -> String {
        match self.visitor(head) {
            Visitor::Admin(_) => self.href("/admin/sign-out"),
            Visitor::Customer { .. } => self.href("/account/sign-out"),
            Visitor::Nobody | Visitor::Unknown => String::new(),
        }
    }

    /// The language of the page.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The tag of the language.
    pub fn tag(&self) -> &'static str {
        self.say("ko", "en")
    }

    /// Whether the page is in Korean.
    pub fn is_korean(&self) -> bool {
        self.language == Language::Ko
    }

    /// What is said in the language of the page.
    pub fn say<'s>(&self, ko: &'s str, en: &'s str) -> &'s str {
        if self.is_korean() { ko } else { en }
    }

    /// An instant as people read it, in Asia/Seoul.
    pub fn when(&self, at: &DateTime<Utc>) -> String {
        at.with_timezone(&day::ZONE).format(self.say("%Y-%m-%d %H:%M", "%-d %b %Y, %H:%M")).to_string()
    }

    /// The address of `path` in the language of the page.
    pub fn href(&self, path: &str) -> String {
        address_of(path, self.language)
    }

    /// The address of this page.
    pub fn here(&self) -> String {
        self.href(&self.path)
    }

    /// Whether `path` is this page, or one below it.
    pub fn is_at(&self, path: &str) -> bool {
        is_below(&self.path, path)
    }

    /// The address by which this page was opened.
    pub fn opened_at(&self) -> String {
        self.here() + &self.query
    }

    /// What was just done, as the way back to a page names it; empty where nothing was.
    fn saved(&self) -> &str {
        self.query.strip_prefix("?saved=").unwrap_or_default()
    }

    /// The same in the other language.
    pub fn in_the_other_language(&self) -> String {
        address_of(&self.path, if self.is_korean() { Language::En } else { Language::Ko }) + &self.query
    }

    /// The whole address of this page in the language `tag`.
    pub fn address_in(&self, tag: &str) -> String {
        let language = if tag == "en" { Language::En } else { Language::Ko };
        format!("{}{}", self.origin, address_of(&self.path, language))
    }

    /// The whole address of `path` in the language of the page.
    pub fn address_to(&self, path: &str) -> String {
        format!("{}{}", self.origin, self.href(path))
    }

    /// Where the site is reached, such as `https://shop.example`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The whole address of this page.
    pub fn canonical(&self) -> String {
        self.address_in(self.tag())
    }

    /// Light or dark, where the visitor has chosen.
    pub fn theme(&self) -> Option<&'static str> {
        self.theme
    }

    /// The name of the shop.
    pub fn shop(&self) -> &str {
        self.business.shop()
    }

    /// What the shop does, in one sentence.
    pub fn lead(&self) -> &str {
        let own = self.say(&self.business.lead, &self.business.lead_en);
        let any = self.say(
            "필요한 일을 함께 정리하고, 끝까지 만들어 드립니다.",
            "We sort out what you need, and build it to the end.",
        );
        if own.is_empty() { any } else { own }
    }

    /// Whether mail goes out, and not into a folder of the house.
    pub fn sends_mail(&self) -> bool {
        self.sends_mail
    }

    /// What is offered now.
    pub fn offers(&self) -> &[&'static Offer] {
        &self.offers
    }

    /// What an offer is called.
    pub fn name_of(&self, offer: &Offer) -> &'static str {
        if self.is_korean() { offer.name.ko } else { offer.name.en }
    }

    /// What an offer does for a customer.
    pub fn lead_of(&self, offer: &Offer) -> &'static str {
        if self.is_korean() { offer.lead.ko } else { offer.lead.en }
    }

    /// How it goes on from there, step by step.
    pub fn way_of(&self, offer: &Offer) -> Vec<&'static str> {
        offer.way.iter().map(|step| if self.is_korean() { step.ko } else { step.en }).collect()
    }

    /// What one does there.
    pub fn call_of(&self, offer: &Offer) -> &'static str {
        if self.is_korean() { offer.call.ko } else { offer.call.en }
    }

    /// What is known of who runs the shop, in the order in which the law names it.
    pub fn particulars(&self) -> Vec<Particular<'_>> {
        let business = &self.business;
        let digits: String = business.registration.chars().filter(char::is_ascii_digit).collect();
        let known = [
            (self.say("상호", "Trade name"), &business.name, String::new()),
            (self.say("대표", "Representative"), &business.representative, String::new()),
            (
                self.say("사업자등록번호", "Business registration number"),
                &business.registration,
                format!("https://www.ftc.go.kr/bizCommPop.do?wrkr_no={digits}"),
            ),
            (self.say("통신판매업 신고", "Mail-order number"), &business.mail_order, String::new()),
            (self.say("주소", "Address"), &business.address, String::new()),
            (self.say("전화", "Telephone"), &business.phone, format!("tel:{}", business.phone.replace(' ', ""))),
            (self.say("메일", "Mail"), &business.mail, mailto(&business.mail)),
            (self.say("개인정보 보호책임자", "Privacy officer"), &business.privacy_officer, String::new()),
            (self.say("호스팅", "Hosting"), &business.host, String::new()),
        ];
        let known = known.into_iter().filter(|(_, text, _)| !text.is_empty());
        known.map(|(label, text, link)| Particular { label, text, link }).collect()
    }

    /// The address of the style sheet.
    pub fn style(&self) -> &'static str {
        files::STYLE.address()
    }

    /// The address of the script of forms, for pages that say so.
    pub fn script(&self) -> &'static str {
        files::SCRIPT.address()
    }

    /// The address of the picture in the window's tab.
    pub fn icon(&self) -> &'static str {
        files::ICON.address()
    }
}

/// Whether `path` is the page `page`, or one below it.
fn is_below(path: &str, page: &str) -> bool {
    path.strip_prefix(page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether the visitor's browser asks for English rather than for Korean.
pub fn asks_for_english(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT_LANGUAGE).and_then(|accepted| accepted.to_str().ok()).is_some_and(prefers_english)
}

impl<'ex> Extractible<'ex> for Frame {
    fn metadata() -> &'static Metadata {
        App::metadata()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let app = depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))?;
        let offers = depot.get_typed::<Offers>().map_err(|_| Error::internal("no offers in this door"))?;
        let mut frame = Frame::of(app, offers, req);
        frame.visitor = Visitor::of(app, offers, req, frame.is_at("/admin")).await?;
        Ok(frame)
    }
}

impl EndpointArgRegister for Frame {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}

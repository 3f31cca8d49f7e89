//! The customer's own page: what is known of it, its password, the devices that are signed in, its data, and its end.

pub mod acts;

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{Account, Connected, ProfileChanges, device_name};
use super::super::super::work::by_provider::{Way, called, ways};
use super::super::super::work::chat::{OwnChat, OwnChatCode, own_chat};
use super::super::super::work::own_data::account_of;
use super::super::chat::CodeHere;
use super::super::{PasswordChange, devices_of};
use super::{OWN, by_provider};
use crate::frame::{FormState, Frame, Head, Notice};
use acts::{Connect, Remove};
use hanok_base::Validated;
use hanok_base::error::Check;
use hanok_base::validated::Unchecked;
use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Customer, Device, HandlerResult, Query, SeeOther, Shown};
use hanok_platform::mail::Language;

/// What the forms of this page do, each with the section that says so. A code stands there to be seen, and of who is gone there
/// is no page, so these say nothing.
pub(super) const NOTICES: &[Notice] = &[
    Notice::new("profile", "저장했습니다.", "Saved.").at("profile"),
    Notice::new(
        "password",
        "비밀번호를 정했습니다. 다른 기기에서는 로그아웃되었습니다.",
        "Your password is set. Other devices are signed out.",
    )
    .at("change"),
    Notice::new(
        "connect",
        "연결했습니다. 이제 그 계정으로도 로그인할 수 있습니다.",
        "Connected. You can sign in by it from now on.",
    )
    .at("ways"),
    Notice::new("disconnect", "연결을 해제했습니다.", "Disconnected.").at("ways"),
    Notice::new("device", "그 기기에서 로그아웃했습니다.", "That device is signed out.").at("devices"),
    Notice::new("devices", "다른 기기에서 모두 로그아웃했습니다.", "All other devices are signed out.").at("devices"),
    Notice::new("chat", "", "").at("chat"),
    Notice::new("unchat", "채팅의 연결을 해제했습니다.", "The chat is disconnected.").at("chat"),
    Notice::new("remove", "", "").at("data"),
];

#[derive(Template)]
#[template(path = "account/own.html")]
struct OwnPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    account: Account,
    devices: Vec<Device>,
    chat: OwnChat,
    /// The code that was made here and still is good.
    code: Option<OwnChatCode>,
    /// The providers that are set.
    known: Vec<Way>,
    /// Those by which the customer could sign in, too, each with the form that connects it.
    providers: Vec<(Way, FormState<'a>)>,
    profile: FormState<'a>,
    password: FormState<'a>,
    remove: FormState<'a>,
}

impl OwnPage<'_> {
    /// Sections that are not shown to this customer: what is told in them stands at the top.
    fn hidden_sections(&self) -> Vec<&'static str> {
        let sections =
            [("change", self.account.has_password), ("ways", self.shows_ways()), ("chat", self.shows_chat())];
        sections.into_iter().filter(|(_, is_shown)| !is_shown).map(|(section, _)| section).collect()
    }

    /// Whether there is anything to see or to choose of how one signs in.
    fn shows_ways(&self) -> bool {
        !self.known.is_empty() || !self.account.providers.is_empty() || !self.account.has_password
    }

    fn shows_chat(&self) -> bool {
        self.chat.offered || self.chat.connected_at.is_some()
    }

    /// Where a button in this section is sent to. A form with fields names no section: a browser that is led to one passes
    /// `autofocus` over.
    fn at(&self, section: &str) -> String {
        format!("{}#{section}", self.frame.href(OWN))
    }

    fn code_button(&self) -> &'static str {
        match self.code {
            Some(_) => self.frame.say("다른 코드 만들기", "Make another code"),
            None => self.frame.say("연결 코드 만들기", "Make a code"),
        }
    }

    /// What the provider of an account elsewhere is called.
    fn called(&self, known: &Connected) -> String {
        called(&self.known, &known.issuer)
    }

    /// A browser and its system, such as `Chrome · Windows`.
    fn name_of(&self, device: &Device) -> String {
        let name = device_name(&device.agent);
        if name.is_empty() { self.frame.say("알 수 없는 기기", "Unknown device").to_owned() } else { name }
    }
}

/// Why a provider was not connected, as the way back to this page says it.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Opened {
    /// Why.
    pub problem: Option<Validated<Unchecked<String>>>,
    /// That provider.
    pub by: Option<Validated<Unchecked<String>>>,
}

/// The customer's own page; who is not in is asked to sign in first.
#[endpoint]
pub async fn show(
    app: App,
    _caller: Anyone,
    frame: Frame,
    query: Query<Opened>,
    req: &mut Request,
) -> HandlerResult<Shown> {
    let Some(caller) = frame.customer().cloned() else { return to_sign_in(&app, &frame, "", req) };
    let Opened { problem, by } = query.0;
    let [problem, by] = Check::of(|check| {
        [("problem", problem), ("by", by)]
            .map(|(name, sent)| sent.map(|sent| check.take(name, sent)).unwrap_or_default())
    })?;
    page(&app, &by_provider::told(&app, frame, &problem, &by), caller, req).await
}

/// Leads to the file of the customer's data; who is not in any more signs in first, and is back where the file is asked for.
#[endpoint]
pub async fn export(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> HandlerResult<Shown> {
    match frame.customer() {
        Some(_) => Ok(Shown::Elsewhere(SeeOther::to("/api/account/export"))),
        None => to_sign_in(&app, &frame, "remove", req),
    }
}

/// To the entrance, and from there back to the form for `act`. A code that was made in a session goes with it.
fn to_sign_in(app: &App, frame: &Frame, act: &str, req: &Request) -> HandlerResult<Shown> {
    let back = match Notice::of(NOTICES, act).section {
        "" => OWN.to_owned(),
        section => format!("{OWN}#{section}"),
    };
    Ok(frame.sign_in_first(&back)?.with_cookie(CodeHere::of(app, req).end()))
}

/// The page. A code that connects nothing any more, such as one that was used, goes from the browser.
async fn page(app: &App, frame: &Frame, caller: Customer, req: &Request) -> HandlerResult<Shown> {
    let here = CodeHere::of(app, req);
    let (settings, code) = (app.outside.chat.settings().clone(), here.good(app, &caller).await?);
    let end = here.end().filter(|_| code.is_none());
    let found = app.data.store.read_inline(move |tx| {
        let chat = own_chat(tx, &settings, &caller.id)?;
        Ok((account_of(tx, &caller.id)?, devices_of(tx, &caller)?.sessions, chat))
    });
    let (account, devices, chat) = found.await?;
    let known = ways(&app.config);
    let is_new = |way: &&Way| !account.providers.iter().any(|own| way.is_of(&own.issuer));
    let providers = known.iter().filter(is_new).map(|way| (way.clone(), connecting(frame, way))).collect();
    let language = if account.profile.language == Language::Ko { "ko" } else { "en" };
    let own = OwnPage {
        frame,
        head: Head::unlisted(frame.say("내 계정", "Your account")),
        profile: frame.act::<ProfileChanges>("profile").with("name", &account.profile.name).with("language", language),
        password: frame.act::<PasswordChange>("password").unmarked(),
        remove: frame.act::<Remove>("remove").unmarked(),
        account,
        devices,
        chat,
        code,
        known,
        providers,
    };
    Ok(frame.show(&own)?.with_cookie(end))
}

/// The form that connects the provider `way`, which is one of several.
fn connecting<'f>(frame: &'f Frame, way: &Way) -> FormState<'f> {
    let form = frame.act::<Connect>("connect").unmarked();
    if form.is_chosen("provider", way.name) { form } else { FormState::new::<Connect>().unmarked() }
}

//! The customer's own page: what is known of it, its password, the devices that are signed in, its data, and its end.

pub mod acts;

use askama::Template;
use salvo::oapi::{ToParameters, endpoint};
use salvo::{Request, Writer};
use serde::Deserialize;

use super::super::super::model::{Account, Connected, device_name};
use super::super::super::work::by_provider::{Way, called, ways};
use super::super::super::work::chat::{OwnChat, OwnChatCode, own_chat};
use super::super::super::work::own_data::account_of;
use super::super::chat::CodeHere;
use super::super::devices_of;
use super::{OWN, by_provider};
use crate::frame::{Faults, Frame, Head};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::{Result, Sent};
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Anyone, Customer, Device, Page, Query, Seal, SeeOther, Shown};
use hanok_platform::mail::Language;

#[derive(Template)]
#[template(path = "account/own.html")]
struct OwnPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    seal: &'a Seal,
    account: Account,
    devices: Vec<Device>,
    chat: OwnChat,
    /// The code that was made here and still is good.
    code: Option<OwnChatCode>,
    /// The providers by which the customer could sign in, too.
    providers: Vec<Way>,
    /// The one that was not connected.
    connecting: &'a str,
    /// Those that are set.
    known: Vec<Way>,
    /// What was just done.
    saved: Option<Act>,
    /// What was refused, of which the faults are.
    refused: Option<Act>,
    faults: Faults,
}

/// What the page tells of what was done, or why it was not.
#[derive(Debug, Default)]
struct Told<'a> {
    /// What was just done.
    saved: Option<Act>,
    /// What was refused, of which the faults are.
    refused: Option<Act>,
    /// The provider that was not connected.
    connecting: &'a str,
    faults: Faults,
}

/// What a customer does here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Act {
    Profile,
    Password,
    Device,
    Devices,
    Connect,
    Disconnect,
    Chat,
    Unchat,
    Remove,
}

impl Act {
    /// The act of this name, as a form or the way back to the page gives it.
    fn named(name: &str) -> Option<Act> {
        serde_json::from_value(name.into()).ok()
    }

    /// The section of the page with its form.
    fn section(self) -> &'static str {
        match self {
            Act::Profile => "profile",
            Act::Password => "change",
            Act::Device | Act::Devices => "devices",
            Act::Connect | Act::Disconnect => "ways",
            Act::Chat | Act::Unchat => "chat",
            Act::Remove => "data",
        }
    }
}

impl OwnPage<'_> {
    /// The section in which is told what was done or refused; empty for the top of the page, also where the section is not shown.
    fn told_at(&self) -> &'static str {
        match self.refused.or(self.saved).map(Act::section) {
            Some("change") if !self.account.has_password => "",
            Some("ways") if !self.shows_ways() => "",
            Some("chat") if !self.chat.offered && self.chat.connected_at.is_none() => "",
            section => section.unwrap_or_default(),
        }
    }

    /// Whether there is anything to see or to choose of how one signs in.
    fn shows_ways(&self) -> bool {
        !self.known.is_empty() || !self.account.providers.is_empty() || !self.account.has_password
    }

    fn is_refused(&self, act: Act) -> bool {
        self.refused == Some(act)
    }

    /// What is wrong with the fields of the form for `act`.
    fn faults_of(&self, act: Act) -> Faults {
        if self.is_refused(act) { self.faults.clone() } else { Faults::default() }
    }

    /// Whether the visitor goes on at this field.
    fn begins(&self, act: Act, field: &str) -> bool {
        self.faults_of(act).begins_at(field, &["present", "password"])
    }

    /// What was done, in words.
    fn done(&self) -> &'static str {
        let (ko, en) = match self.saved {
            Some(Act::Profile) => ("저장했습니다.", "Saved."),
            Some(Act::Password) => (
                "비밀번호를 정했습니다. 다른 기기에서는 로그아웃되었습니다.",
                "Your password is set. Other devices are signed out.",
            ),
            Some(Act::Connect) => (
                "연결했습니다. 이제 그 계정으로도 로그인할 수 있습니다.",
                "Connected. You can sign in by it from now on.",
            ),
            Some(Act::Disconnect) => ("연결을 끊었습니다.", "Disconnected."),
            Some(Act::Unchat) => ("채팅의 연결을 끊었습니다.", "The chat is disconnected."),
            Some(Act::Device) => ("그 기기에서 로그아웃했습니다.", "That device is signed out."),
            Some(Act::Devices) => ("다른 기기에서 모두 로그아웃했습니다.", "All other devices are signed out."),
            // A code stands there to be seen, and of who is gone there is no page.
            Some(Act::Chat | Act::Remove) | None => ("", ""),
        };
        self.frame.say(ko, en)
    }

    fn is_written_in(&self, language: &str) -> bool {
        (language == "ko") == (self.account.profile.language == Language::Ko)
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

/// What was done, or why it was not, as the way back to this page says it.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Opened {
    /// What was done.
    pub saved: Option<Sent<Any<String>>>,
    /// Why a provider was not connected.
    pub problem: Option<Sent<Any<String>>>,
    /// That provider.
    pub by: Option<Sent<Any<String>>>,
}

/// The customer's own page; who is not in is asked to sign in first.
#[endpoint]
pub async fn show(app: App, _caller: Anyone, frame: Frame, query: Query<Opened>, req: &mut Request) -> Answer<Shown> {
    let Some(caller) = Customer::find(&app, req).await? else {
        return Ok(Shown::Elsewhere(to_sign_in(&app, &frame, None, req)));
    };
    let seal = Seal::new(&app, req);
    let Opened { saved, problem, by } = query.0;
    let [saved, problem, by] = Check::of(|check| {
        [("saved", saved), ("problem", problem), ("by", by)]
            .map(|(name, sent)| sent.map(|sent| check.take(name, sent)).unwrap_or_default())
    })?;
    let faults = by_provider::told(&app, &frame, &problem, &by);
    let told = Told { saved: Act::named(&saved), connecting: &by, faults, ..Told::default() };
    Ok(Shown::Here(page(&app, &frame, &seal, caller, CodeHere::of(&app, req), told).await?))
}

/// Leads to the file of the customer's data; who is not in any more signs in first, and is back where the file is asked for.
#[endpoint]
pub async fn export(app: App, _caller: Anyone, frame: Frame, req: &mut Request) -> Answer<SeeOther> {
    let is_in = Customer::find(&app, req).await?.is_some();
    Ok(if is_in { SeeOther::to("/api/account/export") } else { to_sign_in(&app, &frame, Some(Act::Remove), req) })
}

/// To the entrance, and from there back to the form for `act`. A code that was made in a session goes with it.
fn to_sign_in(app: &App, frame: &Frame, act: Option<Act>, req: &Request) -> SeeOther {
    let (entrance, own) = (frame.href("/account/sign-in"), frame.href(OWN));
    let entrance = SeeOther::to(match act.map(Act::section) {
        Some(section) => format!("{entrance}?next={own}%23{section}"),
        None => entrance,
    });
    match CodeHere::of(app, req).end() {
        Some(end) => entrance.with_cookie(end),
        None => entrance,
    }
}

/// The page with what is `told` in it. A code that connects nothing any more, such as one that was used, goes from the browser.
async fn page(app: &App, frame: &Frame, seal: &Seal, caller: Customer, here: CodeHere, told: Told<'_>) -> Result<Page> {
    let (settings, code) = (app.outside.chat.settings().clone(), here.good(app, &caller).await?);
    let end = here.end().filter(|_| code.is_none());
    let found = app.data.store.read_inline(move |tx| {
        let chat = own_chat(tx, &settings, &caller.id)?;
        Ok((account_of(tx, &caller.id)?, devices_of(tx, &caller)?.sessions, chat))
    });
    let (account, devices, chat) = found.await?;
    let head = Head::unlisted(frame.say("내 계정", "Your account"));
    let known = ways(&app.config);
    let is_new = |way: &&Way| !account.providers.iter().any(|own| way.is_of(&own.issuer));
    let providers = known.iter().filter(is_new).cloned().collect();
    let Told { saved, refused, connecting, faults } = told;
    let own = OwnPage {
        frame,
        head,
        seal,
        account,
        devices,
        chat,
        code,
        providers,
        connecting,
        known,
        saved,
        refused,
        faults,
    };
    Ok(frame.page_with_form(&own, seal)?.with_cookie(end))
}

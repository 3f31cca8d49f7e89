//! Signing in by a provider: the start that waits for its return, and whom the return lets in.
//!
//! The state that goes to the provider is the word of a link: sealed, of this purpose alone, good for ten minutes and once,
//! and only in the browser that began. Who comes back is known by provider and subject. A confirmed address makes a new account; where
//! there is one of that address already, nothing is taken for granted: its owner comes in by the password and connects
//! the provider there.

use std::net::IpAddr;

use chrono::Duration;
use serde::{Deserialize, Serialize};

use super::super::model::{Profile, within_the_site};
use super::super::store;
use super::{Device, begin};
use hanok_base::secret::fingerprint;
use hanok_base::{Error, Kind, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow, Identity, Purpose, RateLimit};
use hanok_platform::config::{Config, OpenIdProvider};
use hanok_platform::mail::Language;
use hanok_platform::openid::{Found, Proof, Told};
use hanok_platform::store::WriteTx;
use hanok_platform::upstream::Provider;

/// Starts that wait for their return. They lead to the browser; their note is the start.
const STATE: Purpose = Purpose::new("account_sign_in");
/// For how many minutes a start waits.
const MINUTES: i64 = 10;
/// How often one address may begin: each start is a question to the provider.
const STARTS: RateLimit = RateLimit { what: "account_sign_in", most: 60, within: Duration::minutes(1) };

const ONE: Provider = Provider {
    name: "sign_in",
    title_ko: "로그인 제공처",
    title_en: "the sign-in provider",
    setting: "sign_in.issuer",
};
const TWO: Provider = Provider {
    name: "sign_in_2",
    title_ko: "두 번째 로그인 제공처",
    title_en: "the second sign-in provider",
    setting: "sign_in_2.issuer",
};
const THREE: Provider = Provider {
    name: "sign_in_3",
    title_ko: "세 번째 로그인 제공처",
    title_en: "the third sign-in provider",
    setting: "sign_in_3.issuer",
};
const PROVIDERS: [&Provider; 3] = [&ONE, &TWO, &THREE];

const THE_LAST: MessageTemplate = MessageTemplate::new(
    "account.last_way",
    "this is the only way into the account; set a password or connect another one first",
);

/// The providers that are asked, and whether each is set.
pub fn providers(config: &Config) -> Vec<(&'static Provider, bool)> {
    PROVIDERS
        .into_iter()
        .zip(config.sign_in_providers())
        .map(|(provider, settings)| (provider, settings.is_set()))
        .collect()
}

/// A provider as customers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// By what a form names it.
    pub name: &'static str,
    /// What it is called.
    pub label: String,
    /// Its address.
    pub issuer: String,
}

impl Way {
    /// Whether it is the provider of this address. One host may have several.
    pub fn is_of(&self, issuer: &str) -> bool {
        self.issuer.trim_end_matches('/') == issuer.trim_end_matches('/')
    }
}

/// The providers by which customers can sign in.
pub fn ways(config: &Config) -> Vec<Way> {
    let set = config.sign_in_providers().into_iter().filter(OpenIdProvider::is_set);
    set.map(|provider| Way { name: provider.section, label: label_of(&provider), issuer: provider.issuer }).collect()
}

/// What the provider of this address is called, also where it is set no more.
pub fn called(ways: &[Way], issuer: &str) -> String {
    let known = ways.iter().find(|way| way.is_of(issuer));
    known.map_or_else(|| host_of(issuer).to_owned(), |way| way.label.clone())
}

fn label_of(provider: &OpenIdProvider) -> String {
    if provider.label.is_empty() { host_of(&provider.issuer).to_owned() } else { provider.label.clone() }
}

fn host_of(issuer: &str) -> &str {
    issuer.split_once("://").map_or(issuer, |(_, rest)| rest).split('/').next().unwrap_or_default()
}

/// The provider of this name, where it is set.
fn asked(config: &Config, name: &str) -> Option<(&'static Provider, OpenIdProvider)> {
    let mut all = PROVIDERS.into_iter().zip(config.sign_in_providers());
    all.find(|(provider, settings)| provider.name == name && settings.is_set())
}

/// A sign-in that has begun.
#[derive(Serialize, Deserialize)]
pub struct Start {
    /// The provider.
    pub provider: String,
    /// The page to go on with; empty where that is the customer's own.
    pub next: String,
    /// The language of the page where it began.
    pub language: Language,
    /// Who is in already, and has the provider connected to the account.
    pub connects: Option<String>,
    /// Where the provider sends back to.
    pub return_to: String,
}

/// What waits for the return.
#[derive(Serialize, Deserialize)]
struct Waiting {
    start: Start,
    proof: Proof,
}

/// Begins a sign-in in the browser of this word. Gives where the browser goes.
///
/// # Errors
/// `NOT_FOUND` without such a provider, `RATE_LIMITED`, and those of asking it.
pub async fn start(app: &App, from: IpAddr, browser: &str, start: Start) -> Result<String> {
    let (provider, settings) = asked(&app.config, &start.provider).ok_or_else(|| Error::not_found("provider"))?;
    app.access.paces.admit(STARTS, from, app.clock.moment())?;
    let found = Found::at(&app.outside.upstream, provider, &settings).await?;
    let (proof, return_to) = (Proof::new(), start.return_to.clone());
    let start = Start {
        next: if start.next.is_empty() { start.next } else { within_the_site(&start.next).to_owned() },
        ..start
    };
    let waiting = Waiting { start, proof: proof.clone() };
    let (about, note) = (fingerprint(browser), serde_json::to_string(&waiting).map_err(Error::internal)?);
    let written = app.data.store.write(move |tx| auth::add_link(tx, STATE, &about, &note, Duration::minutes(MINUTES)));
    let (_, state) = written.await?;
    found.way_there(&proof, state, &return_to)
}

/// What comes back from a provider.
#[derive(Debug, Default)]
pub struct Return {
    /// The word of the start.
    pub state: String,
    /// What is given for its word on the customer; empty where the customer did not agree.
    pub code: String,
    /// The address by which it calls itself; empty where it does not say.
    pub issuer: String,
}

/// Why nobody was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// No start waits for this return: it is too late, was used, or began in another browser.
    Ended,
    /// The customer did not agree, or the provider refused.
    Declined,
    /// The provider cannot be asked.
    Away,
    /// What the provider says does not hold.
    NotBelieved,
    /// There is an account of the confirmed address, which does not know the provider.
    HasAccount,
    /// Somebody else comes in by this account of the provider.
    AnotherS,
}

/// How a return ended.
pub struct Came {
    /// What began; none where nothing waits for this return.
    pub start: Option<Start>,
    /// The token of the session that begins, and none where a provider was connected; or why nobody was let in.
    pub outcome: Result<Option<String>, Problem>,
}

/// Takes what comes back to the browser of this word, and lets in whom the provider sends.
///
/// # Errors
/// Those of reading and writing. What a provider or a stranger does wrong is an outcome.
pub async fn finish(app: &App, browser: &str, back: Return, device: Device) -> Result<Came> {
    let (state, about) = (back.state.clone(), fingerprint(browser));
    let taken = app.data.store.write(move |tx| take(tx, &state, &about)).await?;
    let Some(Waiting { start, proof }) = taken else {
        return Ok(Came { start: None, outcome: Err(Problem::Ended) });
    };
    let (told, issuer) = match whom(app, &start, &proof, back).await? {
        Ok(told) => told,
        Err(problem) => return Ok(Came { start: Some(start), outcome: Err(problem) }),
    };
    let (connects, language) = (start.connects.clone(), start.language);
    let entered = app.data.store.write(move |tx| match connects {
        Some(id) => connect(tx, &id, &issuer, &told, device.before.as_deref()).map(|done| done.map(|()| None)),
        None => match known_or_new(tx, &issuer, &told, language)? {
            Ok(customer) => Ok(Ok(Some(begin(tx, &customer, &device)?))),
            Err(problem) => Ok(Err(problem)),
        },
    });
    Ok(Came { start: Some(start), outcome: entered.await? })
}

/// The start that waits for this word in this browser, which it does this once.
fn take(tx: &WriteTx, state: &str, browser: &str) -> Result<Option<Waiting>> {
    let found = auth::opened_link(tx, STATE, state)?.filter(|link| link.about == browser);
    let Some(link) = found else { return Ok(None) };
    auth::end_link(tx, STATE, &link.id)?;
    // One that another version wrote is begun anew.
    Ok(serde_json::from_str(&link.note).ok())
}

/// Whom the provider sends, and how it calls itself; or why that is not known.
async fn whom(app: &App, start: &Start, proof: &Proof, back: Return) -> Result<Result<(Told, String), Problem>> {
    if back.code.is_empty() {
        return Ok(Err(Problem::Declined));
    }
    // The owner may have taken it out of the settings since the start.
    let Some((provider, settings)) = asked(&app.config, &start.provider) else { return Ok(Err(Problem::Away)) };
    let told: Result<(Told, String)> = async {
        let found = Found::at(&app.outside.upstream, provider, &settings).await?;
        found.check_sender(&back.issuer)?;
        let told = found.whom(back.code, proof, &start.return_to, app.clock.now()).await?;
        Ok((told, found.issuer().to_owned()))
    }
    .await;
    match told {
        Ok(told) => Ok(Ok(told)),
        Err(error) => problem_of(error).map(Err),
    }
}

/// What `error` of asking a provider is to the customer; any other is a failure of the house.
fn problem_of(error: Error) -> Result<Problem> {
    match error.kind {
        Kind::UpstreamUnavailable | Kind::UpstreamTimeout => Ok(Problem::Away),
        Kind::Forbidden => Ok(Problem::NotBelieved),
        _ => Err(error),
    }
}

/// The customer whom this account lets in: the known one, or a new one.
fn known_or_new(tx: &WriteTx, issuer: &str, told: &Told, language: Language) -> Result<Result<CustomerRow, Problem>> {
    let known = match auth::find_identity(tx, issuer, &told.subject)? {
        Some(identity) => auth::find_customer(tx, &identity.customer)?,
        None => None,
    };
    if let Some(customer) = known {
        take_mail(tx, &customer, told)?;
        return Ok(Ok(customer));
    }
    let mail = told.confirmed_mail.as_deref().unwrap_or_default();
    if !mail.is_empty() && auth::find_customer_by_mail(tx, mail)?.is_some() {
        return Ok(Err(Problem::HasAccount));
    }
    let customer = auth::add_customer(tx, mail)?;
    store::put_profile(tx, &customer.id, &Profile { name: told.name.clone(), language })?;
    auth::add_identity(tx, &customer.id, issuer, &told.subject, &told.shown_as)?;
    Ok(Ok(customer))
}

/// Connects the account of the provider to the customer `id`, who still is in by the session of `token`.
fn connect(tx: &WriteTx, id: &str, issuer: &str, told: &Told, token: Option<&str>) -> Result<Result<(), Problem>> {
    let session = token.map(|token| CUSTOMERS.find(tx, token)).transpose()?.flatten();
    let customer = match session.filter(|session| session.whose == id) {
        Some(session) => auth::find_customer(tx, &session.whose)?,
        None => None,
    };
    let Some(customer) = customer else { return Ok(Err(Problem::Ended)) };
    if auth::find_identity(tx, issuer, &told.subject)?.is_some_and(|known| known.customer != id) {
        return Ok(Err(Problem::AnotherS));
    }
    auth::add_identity(tx, id, issuer, &told.subject, &told.shown_as)?;
    take_mail(tx, &customer, told)?;
    Ok(Ok(()))
}

/// A customer without a mail address has the confirmed one, unless it is another's. An address that is there stays,
/// whatever the provider says later.
fn take_mail(tx: &WriteTx, customer: &CustomerRow, told: &Told) -> Result<()> {
    match &told.confirmed_mail {
        Some(mail) if customer.mail.is_empty() && auth::find_customer_by_mail(tx, mail)?.is_none() => {
            auth::give_mail(tx, &customer.id, mail)
        }
        _ => Ok(()),
    }
}

/// Ends what connects the provider of this address with the customer `id`.
///
/// # Errors
/// `NOT_FOUND` where none is connected; `CONFLICT` where neither a password nor another account of one of the providers in
/// `ways` would lead in.
pub fn disconnect(tx: &WriteTx, id: &str, issuer: &str, ways: &[Way]) -> Result<()> {
    // One whose provider was taken out of the settings lets nobody in.
    let leads_in = |known: &Identity| known.issuer != issuer && ways.iter().any(|way| way.is_of(&known.issuer));
    let has_others = auth::list_identities(tx, id)?.iter().any(leads_in);
    if !has_others && auth::customer_password(tx, id)?.is_none() {
        return Err(Error::new(Kind::Conflict, THE_LAST));
    }
    if auth::end_identities(tx, id, issuer)? == 0 { Err(Error::not_found("provider")) } else { Ok(()) }
}

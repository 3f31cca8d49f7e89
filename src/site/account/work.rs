//! The mails and the links of an account, and signing in, which takes the time of a hash.

pub mod by_provider;
pub mod chat;
pub mod own_data;

use std::net::IpAddr;

use chrono::Duration;

use super::model::Profile;
use super::store;
use crate::frame::address_of;
use hanok_base::{Error, Kind, MessageTemplate, Result, Secret, validation_messages};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow, Link, Purpose, RateLimit};
use hanok_platform::mail::{self, EmailAddress, Language, Template};
use hanok_platform::own_data::OwnData;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Links by which an address is confirmed. They lead to the address as it is known ([`auth::known_as`]); their note is the
/// language and the address as it was written.
const REGISTRATION: Purpose = Purpose::new("account_registration");
/// Links by which a forgotten password is set anew. They lead to the customer.
const PASSWORD: Purpose = Purpose::new("account_password");
/// For how many hours an address can be confirmed.
const REGISTRATION_HOURS: i64 = 24;
/// For how many hours a password can be set anew.
const PASSWORD_HOURS: i64 = 1;

/// How often one address may ask for a mail to one account: in a day less often than one gets mails.
const ASKED_FOR_ONE: RateLimit = RateLimit { what: "account_mail", most: 5, within: Duration::hours(6) };
/// How often one address may ask for mails to whomever.
const ASKED_BY_ONE: RateLimit = RateLimit { what: "account_mails", most: 60, within: Duration::hours(1) };
/// How many mails that anybody may ask for one mail address gets.
const WRITTEN_TO_ONE: RateLimit = RateLimit { what: "account_mails_to", most: 30, within: Duration::days(1) };

const REGISTRATION_MAIL: Template = Template {
    kind: "account_registration",
    ko: include_str!("../../../assets/mail/account_registration.ko.txt"),
    en: include_str!("../../../assets/mail/account_registration.en.txt"),
};
const PASSWORD_MAIL: Template = Template {
    kind: "account_password",
    ko: include_str!("../../../assets/mail/account_password.ko.txt"),
    en: include_str!("../../../assets/mail/account_password.en.txt"),
};
const CHANGED_MAIL: Template = Template {
    kind: "account_password_changed",
    ko: include_str!("../../../assets/mail/account_password_changed.ko.txt"),
    en: include_str!("../../../assets/mail/account_password_changed.en.txt"),
};

const WRONG: MessageTemplate =
    MessageTemplate::new("account.wrong_password", "no account has this mail address and this password");
const NOT_THE_PRESENT: MessageTemplate =
    MessageTemplate::new("account.not_the_present_password", "this is not the present password");
const IS_THERE: MessageTemplate = MessageTemplate::new(
    "account.is_there",
    "this mail address has an account by now: sign in, or ask for a mail that sets its password anew",
);
const SIGN_IN_ANEW: MessageTemplate =
    MessageTemplate::new("account.sign_in_anew", "sign out, sign in once more and do it within ten minutes");
/// For so long after a sign-in who has no password is known to be at the device.
const JUST_SIGNED_IN: Duration = Duration::minutes(10);

/// Whether a mail is written to `to` now, for whom `address` asks. Beyond what one mail address gets in a day nobody hears that
/// none is: strangers have asked for those before. Whoever has come in from there gets one all the same.
///
/// # Errors
/// `RATE_LIMITED` where `address` asks too often, for this one or at all.
pub fn is_written(app: &App, address: IpAddr, to: &EmailAddress) -> Result<bool> {
    let (paces, now, account) = (&app.access.paces, app.clock.moment(), auth::known_as(to.as_str()));
    // First by the address alone, so that one address does not fill the memory of the pairs.
    paces.admit(ASKED_BY_ONE, address, now)?;
    paces.admit_both(ASKED_FOR_ONE, address, &account, now)?;
    let is_known = app.access.visitors.customers.knows(address, &account);
    Ok(is_known || paces.admit_to(WRITTEN_TO_ONE, &account, now).is_ok())
}

/// Writes to `to` how its account is opened: by a new one where there is none, else by another password. Either is one link
/// and one mail, so that nobody who asks can tell which.
pub fn write_to(tx: &WriteTx, to: &EmailAddress, language: Option<Language>, origin: &str) -> Result<()> {
    let there = auth::find_customer_by_mail(tx, to.as_str())?;
    let own = there.as_ref().map(|customer| store::profile(tx, &customer.id)).transpose()?;
    let language = own.map(|own| own.language).or(language).unwrap_or(Profile::default().language);
    let (template, hours, purpose, about, address) = match &there {
        // To the address that was confirmed, however it was written now.
        Some(customer) => (PASSWORD_MAIL, PASSWORD_HOURS, PASSWORD, customer.id.clone(), customer.mail.as_str()),
        None => (REGISTRATION_MAIL, REGISTRATION_HOURS, REGISTRATION, auth::known_as(to.as_str()), to.as_str()),
    };
    let note = format!("{} {address}", word_of(language));
    let (_, word) = auth::add_link(tx, purpose, &about, &note, Duration::hours(hours))?;
    let link = format!("{origin}{}?token={word}", address_of("/account/password", language));
    let in_english = if hours == 1 { "1 hour".to_owned() } else { format!("{hours} hours") };
    let hours = language.choose(hours.to_string(), in_english);
    let values = [("link", link.as_str()), ("hours", &hours), ("site", origin)];
    let to = EmailAddress::parse(address).map_err(|_| Error::internal("a customer without a mail address"))?;
    mail::queue(tx, &to, None, template.filled(language, &values)?.before_others()).map(drop)
}

fn word_of(language: Language) -> &'static str {
    match language {
        Language::Ko => "ko",
        Language::En => "en",
    }
}

/// The link of a mail that `word` opens.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` for one that confirms an address which has an account by now; those of reading.
pub fn find_link(tx: &impl ReadTransaction, word: &str) -> Result<Link> {
    match auth::opened_link(tx, REGISTRATION, word)? {
        Some(link) if auth::find_customer_by_mail(tx, &link.about)?.is_some() => Err(Error::conflict(IS_THERE)),
        Some(link) => Ok(link),
        None => auth::find_link(tx, PASSWORD, word),
    }
}

/// Uses up the link that `word` opens and sets the password of whom it leads to, who is told by mail; or begins the account of
/// the address that the link confirms. Every session there was ends, and so does every other link of that kind.
///
/// # Errors
/// Those of [`find_link`], which change nothing.
pub fn set_password_by_link(
    tx: &WriteTx,
    word: &str,
    hash: &String,
    name: Option<String>,
    site: &str,
) -> Result<CustomerRow> {
    let link = find_link(tx, word)?;
    let customer = match auth::opened_link(tx, REGISTRATION, word)? {
        Some(_) => registered(tx, &link)?,
        None => {
            let customer = auth::find_customer(tx, &link.about)?.ok_or_else(|| Error::not_found("link"))?;
            tell_of_change(tx, &customer, site)?;
            customer
        }
    };
    auth::end_links(tx, PASSWORD, &customer.id)?;
    auth::set_customer_password(tx, &customer.id, hash, None)?;
    if let Some(name) = name {
        let own = Profile { name, ..store::profile(tx, &customer.id)? };
        store::put_profile(tx, &customer.id, &own)?;
    }
    Ok(customer)
}

/// The customer whose address a link confirms. No link to it opens anything any more.
fn registered(tx: &WriteTx, link: &Link) -> Result<CustomerRow> {
    auth::end_links(tx, REGISTRATION, &link.about)?;
    // A note of an earlier version is the language alone.
    let (language, address) = link.note.split_once(' ').unwrap_or((link.note.as_str(), link.about.as_str()));
    let customer = auth::add_customer(tx, address)?;
    let language = if language == word_of(Language::En) { Language::En } else { Language::Ko };
    store::put_profile(tx, &customer.id, &Profile { language, ..Profile::default() })?;
    Ok(customer)
}

/// Sets another password of the customer `id`, tells it by mail, and ends every session but that of the token in `but`.
pub fn change_password(tx: &WriteTx, id: &str, hash: &String, but: &str, site: &str) -> Result<()> {
    let customer = auth::find_customer(tx, id)?.ok_or_else(|| Error::not_found("customer"))?;
    auth::end_links(tx, PASSWORD, id)?;
    auth::set_customer_password(tx, id, hash, Some(but))?;
    tell_of_change(tx, &customer, site)
}

/// Tells the customer by mail that the password was changed on what is called `site`.
fn tell_of_change(tx: &WriteTx, customer: &CustomerRow, site: &str) -> Result<()> {
    let to = EmailAddress::parse(&customer.mail).map_err(|_| Error::internal("a customer without a mail address"))?;
    let told = CHANGED_MAIL.filled(store::profile(tx, &customer.id)?.language, &[("site", site)])?;
    mail::queue(tx, &to, None, told.before_others()).map(drop)
}

/// Ends the account of the customer `id`: all that lets it in, and what each domain says of its end.
pub fn remove(tx: &WriteTx, own: &OwnData, id: &str) -> Result<()> {
    auth::find_customer(tx, id)?.map_or(Ok(()), |customer| own.end(tx, &customer))
}

/// The device that signs in.
pub struct Device {
    /// From where it comes.
    pub address: IpAddr,
    /// What it calls itself.
    pub agent: String,
    /// The session that it came with.
    pub before: Option<String>,
}

/// Signs the customer of this address in. It takes the same time whether there is none, or another password.
///
/// # Errors
/// `UNAUTHORIZED`, the same for both; `RATE_LIMITED` when too often tried.
pub async fn sign_in(app: &App, mail: &str, password: Secret, device: Device) -> Result<String> {
    let account = auth::known_as(mail);
    let visitors = &app.access.visitors;
    visitors.customers.admit(device.address, &account, app.clock.moment())?;
    let asked = account.clone();
    let known = app.data.store.read_inline(move |tx| {
        let Some(customer) = auth::find_customer_by_mail(tx, &asked)? else { return Ok(None) };
        Ok(auth::customer_password(tx, &customer.id)?.map(|hash| (customer, hash)))
    });
    let known = known.await?;
    let hash = known.as_ref().map(|(_, hash)| hash.clone());
    let is_right = visitors.is_right(password, hash).await?;
    let wrong = || Error::new(Kind::Unauthorized, WRONG);
    let (customer, hash) = known.filter(|_| is_right).ok_or_else(wrong)?;
    let address = device.address;
    let begun = app.data.store.write(move |tx| {
        // Another password may have been set, or the account removed, while this one was looked at.
        if auth::customer_password(tx, &customer.id)? != Some(hash) {
            return Err(wrong());
        }
        begin(tx, &customer, &device)
    });
    let token = begun.await?;
    visitors.customers.succeeded(address, &account);
    Ok(token)
}

/// Begins a session of `customer` on this device and gives its token.
pub fn begin(tx: &WriteTx, customer: &CustomerRow, device: &Device) -> Result<String> {
    CUSTOMERS.begin(tx, &customer.id, device.before.as_deref(), &device.agent, device.address)
}

/// Whether `password` is the present one of the customer `id`.
///
/// # Errors
/// `FORBIDDEN` when it is not; `RATE_LIMITED` when too often tried.
pub async fn check_present(app: &App, id: &str, password: Secret, address: IpAddr) -> Result<()> {
    let visitors = &app.access.visitors;
    visitors.customers.admit(address, id, app.clock.moment())?;
    let asked = id.to_owned();
    let hash = app.data.store.read_inline(move |tx| auth::customer_password(tx, &asked)).await?;
    if !visitors.is_right(password, hash).await? {
        return Err(Error::new(Kind::Forbidden, NOT_THE_PRESENT));
    }
    visitors.customers.succeeded(address, id);
    Ok(())
}

/// Whether it is the customer `id` who is at the device with the session of `token`: by the password, and where there is
/// none by a sign-in just now.
///
/// # Errors
/// `INVALID_INPUT` without a password where there is one; `FORBIDDEN`; `RATE_LIMITED` when too often tried.
pub async fn check_owner(
    app: &App,
    (id, token): (&str, &str),
    password: Option<Secret>,
    address: IpAddr,
) -> Result<()> {
    let (asked, of) = (id.to_owned(), token.to_owned());
    let known = app.data.store.read_inline(move |tx| {
        let session = CUSTOMERS.find(tx, &of)?;
        Ok((auth::customer_password(tx, &asked)?.is_some(), session.map(|session| session.created_at)))
    });
    match (known.await?, password) {
        ((true, _), Some(password)) => check_present(app, id, password, address).await,
        ((true, _), None) => Err(Error::field("password", validation_messages::PRESENT)),
        ((false, _), Some(_)) => Err(Error::new(Kind::Forbidden, NOT_THE_PRESENT)),
        ((false, Some(since)), None) if app.clock.now() - since <= JUST_SIGNED_IN => Ok(()),
        ((false, _), None) => Err(Error::new(Kind::Forbidden, SIGN_IN_ANEW)),
    }
}

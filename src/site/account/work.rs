//! The mails and the links of an account, and signing in, which takes the time of a hash.

use std::net::IpAddr;

use chrono::Duration;

use super::model::Profile;
use super::store;
use hanok_base::{Error, Kind, Result, Secret, Sentence};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow, Link, Purpose};
use hanok_platform::mail::{self, EmailAddress, Language, Template};
use hanok_platform::store::{Reads, WriteTx};

/// Links by which an address is confirmed. They lead to the address; their note is the language.
const REGISTRATION: Purpose = Purpose::new("account_registration");
/// Links by which a forgotten password is set anew. They lead to the customer.
const PASSWORD: Purpose = Purpose::new("account_password");
/// For how many hours an address can be confirmed.
const REGISTRATION_HOURS: i64 = 24;
/// For how many hours a password can be set anew.
const PASSWORD_HOURS: i64 = 1;

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

const WRONG: Sentence = Sentence::new("account.wrong_password", "no account has this mail address and this password");
const NOT_THE_PRESENT: Sentence = Sentence::new("account.not_the_present_password", "this is not the present password");

/// Writes to `to` how its account is opened: by a new one where there is none, else by another password. Either is one link
/// and one mail, so that nobody who asks can tell which.
pub fn write_to(tx: &WriteTx, to: &EmailAddress, language: Option<Language>, origin: &str) -> Result<()> {
    let there = auth::find_customer_by_mail(tx, to.as_str())?;
    let own = there.as_ref().map(|customer| store::profile(tx, &customer.id)).transpose()?;
    let language = own.map(|own| own.language).or(language).unwrap_or(Profile::default().language);
    let (template, hours, purpose, about, address) = match &there {
        // To the address that was confirmed, however it was written now.
        Some(customer) => (PASSWORD_MAIL, PASSWORD_HOURS, PASSWORD, customer.id.as_str(), customer.mail.as_str()),
        None => (REGISTRATION_MAIL, REGISTRATION_HOURS, REGISTRATION, to.as_str(), to.as_str()),
    };
    let (_, word) = auth::add_link(tx, purpose, about, word_of(language), Duration::hours(hours))?;
    let link = format!("{origin}/account/password?token={word}");
    let values = [("link", link.as_str()), ("hours", &hours.to_string()), ("site", origin)];
    let to = EmailAddress::parse(address).map_err(|_| Error::internal("a customer without a mail address"))?;
    mail::queue(tx, &to, None, template.filled(language, &values)?).map(drop)
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
/// `NOT_FOUND`.
pub fn find_link(tx: &impl Reads, word: &str) -> Result<Link> {
    auth::find_link(tx, REGISTRATION, word).or_else(|_| auth::find_link(tx, PASSWORD, word))
}

/// Uses up the link that `word` opens and sets the password of whom it leads to: a new customer where the link confirms an
/// address that has no account yet. Every session there was ends, and so does every other link of that kind.
pub fn set_password_by_link(tx: &WriteTx, word: &str, hash: &String, name: Option<String>) -> Result<CustomerRow> {
    let customer = match auth::take_link(tx, REGISTRATION, word) {
        Ok(link) => registered(tx, &link)?,
        Err(_) => {
            let link = auth::take_link(tx, PASSWORD, word)?;
            auth::find_customer(tx, &link.about)?.ok_or_else(|| Error::not_found("link"))?
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

/// The customer whose address a link confirms, also where another link to the same address was used meanwhile.
fn registered(tx: &WriteTx, link: &Link) -> Result<CustomerRow> {
    auth::end_links(tx, REGISTRATION, &link.about)?;
    if let Some(there) = auth::find_customer_by_mail(tx, &link.about)? {
        return Ok(there);
    }
    let customer = auth::add_customer(tx, &link.about)?;
    let language = if link.note == word_of(Language::En) { Language::En } else { Language::Ko };
    store::put_profile(tx, &customer.id, &Profile { language, ..Profile::default() })?;
    Ok(customer)
}

/// Sets another password of the customer `id`, tells it by mail, and ends every session but that of the token in `but`.
pub fn change_password(tx: &WriteTx, id: &str, hash: &String, but: &str, origin: &str) -> Result<()> {
    let customer = auth::find_customer(tx, id)?.ok_or_else(|| Error::not_found("customer"))?;
    auth::end_links(tx, PASSWORD, id)?;
    auth::set_customer_password(tx, id, hash, Some(but))?;
    let to = EmailAddress::parse(&customer.mail).map_err(|_| Error::internal("a customer without a mail address"))?;
    mail::queue(tx, &to, None, CHANGED_MAIL.filled(store::profile(tx, id)?.language, &[("site", origin)])?).map(drop)
}

/// Removes the account of the customer `id` with all that lets it in.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    auth::end_links(tx, PASSWORD, id)?;
    store::remove_profile(tx, id)?;
    auth::remove_customer(tx, id)
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

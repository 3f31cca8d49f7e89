//! The table of the accounts, and what the links of their mails do.

use chrono::Duration;

use super::model::{Profile, ProfileChanges};
use hanok_base::error::Check;
use hanok_base::{Error, Result};
use hanok_platform::auth::{self, CustomerRow, Link, Purpose};
use hanok_platform::mail::{self, EmailAddress, Language, Template};
use hanok_platform::store::{Declared, Reads, Table, WriteTx};

/// Table: what customers say of themselves. Key: id of the customer. Value: the profile.
const PROFILES: Table<&'static str, Profile> = Table::new("account_profiles-1");

/// Every table of the accounts.
pub const TABLES: &[&dyn Declared] = &[&PROFILES];

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

/// Writes to `to` how its account is opened: by a new one where there is none, else by another password. Either is one link
/// and one mail, so that nobody who asks can tell which.
pub fn write_to(tx: &WriteTx, to: &EmailAddress, language: Option<Language>, origin: &str) -> Result<()> {
    let there = auth::find_customer_by_mail(tx, to.as_str())?;
    let own = there.as_ref().map(|customer| profile(tx, &customer.id)).transpose()?;
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
        let own = Profile { name, ..profile(tx, &customer.id)? };
        tx.put(&PROFILES, customer.id.as_str(), &own)?;
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
    tx.put(&PROFILES, customer.id.as_str(), &Profile { language, ..Profile::default() })?;
    Ok(customer)
}

/// Sets another password of the customer `id`, tells it by mail, and ends every session but that of the token in `but`.
pub fn change_password(tx: &WriteTx, id: &str, hash: &String, but: &str, origin: &str) -> Result<()> {
    let customer = auth::find_customer(tx, id)?.ok_or_else(|| Error::not_found("customer"))?;
    auth::end_links(tx, PASSWORD, id)?;
    auth::set_customer_password(tx, id, hash, Some(but))?;
    let to = EmailAddress::parse(&customer.mail).map_err(|_| Error::internal("a customer without a mail address"))?;
    mail::queue(tx, &to, None, CHANGED_MAIL.filled(profile(tx, id)?.language, &[("site", origin)])?).map(drop)
}

/// What the customer `id` says of itself.
pub fn profile(tx: &impl Reads, id: &str) -> Result<Profile> {
    Ok(tx.get(&PROFILES, id)?.unwrap_or_default())
}

/// Changes the fields of the profile of the customer `id` that are sent.
pub fn change_profile(tx: &WriteTx, id: &str, changes: ProfileChanges) -> Result<Profile> {
    let mut own = profile(tx, id)?;
    Check::of(|check| {
        if let Some(name) = changes.name {
            own.name = check.take("name", name);
        }
        if let Some(language) = changes.language.and_then(|language| check.find("language", language)) {
            own.language = language;
        }
    })?;
    tx.put(&PROFILES, id, &own)?;
    Ok(own)
}

/// Removes the account of the customer `id` with all that lets it in.
pub fn remove(tx: &WriteTx, id: &str) -> Result<()> {
    auth::end_links(tx, PASSWORD, id)?;
    tx.remove(&PROFILES, id)?;
    auth::remove_customer(tx, id)
}

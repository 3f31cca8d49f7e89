//! What is held of a customer beside what other domains keep: who it is, how and where it is signed in, and the mails that went
//! to it.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::super::model::{Account, Connected};
use super::super::store;
use super::PASSWORD;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result};
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow, Identity, Session};
use hanok_platform::mail::{self, MailSeen, MailStatus};
use hanok_platform::own_data::OfCustomer;
use hanok_platform::store::{ReadTransaction, ReadTx, WriteTx};

/// Who the customer is.
pub enum Who {}

/// The accounts elsewhere by which it signs in.
pub enum Identities {}

/// Where it is signed in.
pub enum Devices {}

/// What was written to it.
pub enum Mails {}

/// An account elsewhere, as its customer is told.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnIdentity {
    /// The address of the provider.
    pub issuer: String,
    /// What the provider calls the account.
    pub subject: String,
    /// What the provider showed it as when it was connected; may be empty.
    pub shown_as: String,
    /// Since when it lets the customer in.
    pub added_at: DateTime<Utc>,
}

/// A device that is signed in, as its customer is told.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnDevice {
    /// A number to name it by.
    pub id: u64,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// From where it came last.
    pub address: IpAddr,
}

/// A mail that went to the customer's address. What it says may open something, and stands in the mail alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnMail {
    /// What it is, such as `contact_receipt`.
    pub kind: String,
    /// Its subject.
    pub subject: String,
    /// Where it stands.
    pub status: MailStatus,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// When it was sent; null while it was not.
    pub sent_at: Option<DateTime<Utc>>,
}

impl OfCustomer for Who {
    const FIELD: &'static str = "account";
    const TABLES: &'static [&'static str] = &["customers-1", "customer_passwords-1", "account_profiles-1"];
    type Told = Account;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Account> {
        account_of(tx, &customer.id)
    }

    fn end(tx: &WriteTx, customer: &CustomerRow) -> Result<()> {
        auth::end_links(tx, PASSWORD, &customer.id)?;
        store::remove_profile(tx, &customer.id)?;
        auth::remove_customer(tx, &customer.id)
    }
}

impl OfCustomer for Identities {
    const FIELD: &'static str = "identities";
    const TABLES: &'static [&'static str] = &["customer_identities-1"];
    type Told = Vec<OwnIdentity>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<OwnIdentity>> {
        let told = |identity: Identity| {
            let Identity { issuer, subject, shown_as, added_at, .. } = identity;
            OwnIdentity { issuer, subject, shown_as, added_at }
        };
        Ok(auth::list_identities(tx, &customer.id)?.into_iter().map(told).collect())
    }

    /// They go with the customer.
    fn end(_tx: &WriteTx, _customer: &CustomerRow) -> Result<()> {
        Ok(())
    }
}

impl OfCustomer for Devices {
    const FIELD: &'static str = "devices";
    const TABLES: &'static [&'static str] = &["customer_sessions-1"];
    type Told = Vec<OwnDevice>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<OwnDevice>> {
        let told = |session: Session| {
            let Session { id, created_at, last_seen_at, agent, address, .. } = session;
            OwnDevice { id, created_at, last_seen_at, agent, address }
        };
        Ok(CUSTOMERS.list(tx, &customer.id)?.into_iter().map(told).collect())
    }

    /// They go with the customer.
    fn end(_tx: &WriteTx, _customer: &CustomerRow) -> Result<()> {
        Ok(())
    }
}

impl OfCustomer for Mails {
    const FIELD: &'static str = "mails";
    const TABLES: &'static [&'static str] = &["mails-1", "mails_letters-1"];
    type Told = Vec<OwnMail>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<OwnMail>> {
        let told = |mail: MailSeen| {
            let MailSeen { kind, subject, status, created_at, sent_at, .. } = mail;
            OwnMail { kind, subject, status, created_at, sent_at }
        };
        Ok(mail::list_to(tx, &customer.mail)?.into_iter().map(told).collect())
    }

    /// What went out stays for as long as any mail (`mail.keep_days`), and says no more than its reader has.
    fn end(_tx: &WriteTx, _customer: &CustomerRow) -> Result<()> {
        Ok(())
    }
}

/// What the customer `id` is called: by the profile, or else the mail address; empty where neither says it.
///
/// # Errors
/// Those of reading.
pub fn name_of(tx: &ReadTx, id: &str) -> Result<String> {
    let named = store::profile(tx, id)?.name;
    if !named.is_empty() {
        return Ok(named);
    }
    Ok(auth::find_customer(tx, id)?.map(|customer| customer.mail).unwrap_or_default())
}

/// The account of the customer `id`.
///
/// # Errors
/// `NOT_FOUND`.
pub fn account_of(tx: &impl ReadTransaction, id: &str) -> Result<Account> {
    let customer = auth::find_customer(tx, id)?.ok_or_else(|| Error::not_found("customer"))?;
    let profile = store::profile(tx, &customer.id)?;
    let connected =
        |known: Identity| Connected { issuer: known.issuer, shown_as: known.shown_as, added_at: known.added_at };
    Ok(Account {
        mail: Some(customer.mail).filter(|mail| !mail.is_empty()),
        has_password: auth::customer_password(tx, id)?.is_some(),
        providers: auth::list_identities(tx, id)?.into_iter().map(connected).collect(),
        created_at: customer.created_at,
        id: customer.id,
        profile,
    })
}

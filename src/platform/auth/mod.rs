//! Who may come in. On loopback the household door asks nothing; anywhere else it asks for the household
//! passphrase, or stands open because the settings say so in so many words. At the other door customers, and those who keep
//! the shop, have sessions of their own: none of a kind is ever taken for another's.
//!
//! Passphrases are kept as Argon2id, session tokens only as their SHA-256. Guessing is slowed down.
//!
//! What is deliberately not here: the web. The permission of the household is in `http`, its routes in `appliance`.

mod admins;
mod customers;
mod guesses;
mod household;
mod identities;
mod lifetime;
mod links;
mod noted;
mod password;
mod rate_limit;
mod sessions;
mod setup;
#[cfg(test)]
mod tests;
mod tries;
mod unwritten;
mod visitors;
mod words;

use std::net::SocketAddr;
use std::sync::Arc;

pub use admins::{AdminRow, find_admin, list_admins, remove_admin, set_admin_password};
pub use customers::{
    CustomerRow, add_customer, customer_password, find_customer, find_customer_by_mail, give_mail, known_as,
    list_customers, remove_customer, set_customer_password, walk_customers,
};
pub use guesses::Guesses;
pub use household::{
    HouseholdSession, add_session, change_passphrase, end_all_sessions, end_session, end_session_by_id, find_session,
    list_sessions, purge_sessions, set_passphrase, touch_session,
};
pub use identities::{Identity, add_identity, end_identities, find_identity, list_identities};
pub use links::{
    Link, Purpose, add_link, end_link, end_links, find_link, list_links, note_use, opened_link, purge_links, take_link,
    word_of,
};
pub use noted::{note_passphrase, set_and_note};
pub use password::{Passphrase, hash, matches};
pub(crate) use rate_limit::TOO_OFTEN;
pub use rate_limit::{RateLimit, RateLimiter};
pub use sessions::{ADMINS, CUSTOMERS, Session, Sessions};
pub use setup::{SETUP_HOURS, SetupLinks};
pub use unwritten::Unwritten;
pub use visitors::{VisitorTries, Visitors};
pub use words::is_passphrase_set;

use crate::config::Config;
use crate::store::{Declared, PreservedOnRestore};
use hanok_base::{Error, Kind, Message, Result};

/// Every table of who may come in.
pub const TABLES: &[&dyn Declared] = &[
    household::TABLES[0],
    household::TABLES[1],
    customers::TABLES[0],
    customers::TABLES[1],
    identities::TABLES[0],
    admins::TABLES[0],
    CUSTOMERS.table,
    ADMINS.table,
    links::TABLES[0],
    links::TABLES[1],
];

/// Who may enter is what the present says, never what a snapshot says.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore {
    carry: |before, restored| {
        household::carry(&before, restored)?;
        customers::carry(&before, restored)?;
        identities::carry(&before, restored, |id| {
            Ok(find_customer(restored, id)?.is_none_or(|customer| !customer.mail.is_empty()))
        })?;
        admins::carry(&before, restored)?;
        CUSTOMERS.carry(&before, restored)?;
        ADMINS.carry(&before, restored)?;
        links::carry(&before, restored)
    },
    forget: |tx| {
        household::forget(tx)?;
        customers::forget(tx)?;
        identities::forget(tx)?;
        admins::forget(tx)?;
        CUSTOMERS.forget(tx)?;
        ADMINS.forget(tx)?;
        links::forget(tx)
    },
}];

/// How the household door is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// It listens on this machine only: nobody needs to sign in.
    Loopback,
    /// A passphrase is asked for.
    Passphrase,
    /// `ops.access = "open"`: everyone who reaches it may use it.
    Open,
}

/// How the door is kept, and who has been guessing.
#[derive(Clone)]
pub struct HouseholdAccess {
    /// How the door is kept.
    pub mode: AccessMode,
    /// Failed sign-ins.
    pub guesses: Arc<Guesses>,
    /// Sign-ins that wait for room on the disk.
    pub unwritten: Arc<Unwritten>,
    /// When the set-up link ends.
    pub setup: Arc<SetupLinks>,
}

impl HouseholdAccess {
    /// A door that is kept like this, of which nothing is known yet.
    pub fn new(mode: AccessMode) -> HouseholdAccess {
        HouseholdAccess { mode, guesses: Arc::default(), unwritten: Arc::default(), setup: Arc::default() }
    }

    /// How the door at `address` is to be kept.
    ///
    /// # Errors
    /// `CONFLICT` with the cure when it would listen beyond this machine without a passphrase.
    pub fn decide(config: &Config, address: SocketAddr, passphrase_set: bool) -> Result<HouseholdAccess> {
        let mode = if address.ip().is_loopback() {
            AccessMode::Loopback
        } else if !config.ops.asks_for_a_passphrase(address) {
            AccessMode::Open
        } else if passphrase_set {
            AccessMode::Passphrase
        } else {
            return Err(Error::new(
                Kind::Conflict,
                Message::english(format!(
                    "the household door would listen on {address} for everyone: set a passphrase first with \
                     `hanok household passphrase`, or with the set-up link that `serve` prints while it listens \
                     on this machine only, or write ops.access = \"open\" if that is what you want"
                )),
            ));
        };
        Ok(HouseholdAccess::new(mode))
    }
}

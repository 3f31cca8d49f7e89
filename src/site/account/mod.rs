//! Accounts of customers, by the provider that is built in: an address confirmed by mail, a password, the devices that are
//! signed in, and how an account ends.
//!
//! Used by the customer site's pages of the account. Table `account_profiles-1`; who a customer is and what lets it in
//! `platform/auth` keeps. Mails: `account_registration`, `account_password`, `account_password_changed`.
//! Whoever asks for a mail hears the same, and as soon, whether or not there is an account: the mail tells which.
//! Deliberately not here: those who keep the shop (`site/admin`), and what a customer has ordered.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::Domain;

pub use model::{Profile, within_the_site};

/// What the accounts say of themselves.
pub const DOMAIN: Domain = Domain { tables: store::TABLES, ..Domain::EMPTY };

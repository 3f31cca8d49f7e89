//! Accounts of customers: by what is built in, an address confirmed by mail and a password, and by providers elsewhere; the
//! devices that are signed in, and how an account ends.
//!
//! Providers: `sign_in`, `sign_in_2`, `sign_in_3`. Used by the customer site's pages of the account. Table `account_profiles-1`; who a customer is and what lets it in
//! `platform/auth` keeps. Mails: `account_registration`, `account_password`, `account_password_changed`.
//! A customer connects a chat by a code (`/start CODE`), and is told there what its mails tell.
//! Whoever asks for a mail hears the same, and as soon, whether or not there is an account: the mail tells which.
//! Deliberately not here: those who keep the shop (`site/admin`), and what a customer has ordered.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::{Domain, NavEntry};
use hanok_platform::own_data::OwnPart;

pub use model::{Profile, within_the_site};
pub use store::profile;

/// What the accounts say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    providers: work::by_provider::providers,
    of_customers: &[
        OwnPart::of::<work::own_data::Who>(),
        OwnPart::of::<work::own_data::Identities>(),
        OwnPart::of::<work::own_data::Devices>(),
        OwnPart::of::<work::own_data::Mails>(),
        OwnPart::of::<work::chat::Chats>(),
    ],
    nav: &[NavEntry::customer("/account", "내 계정", "Account").last()],
    customer_name: Some(work::own_data::name_of),
    ..Domain::EMPTY
};

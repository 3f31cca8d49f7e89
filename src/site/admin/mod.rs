//! Those who keep the shop: how they come in, on which devices, and what they have done.
//!
//! Used by the desk of the customer site and by `hanok admin`. Tables `admin_audit-1` with its counts `admin_audit_counts-1`;
//! `admin_second_steps-1` says of whom a sign-in asks for a code of the phone, too (TOTP); names, passwords and sessions
//! `platform/auth` keeps. A customer's session opens nothing here.
//! Deliberately not here: customers (`site/account`), and what is done at the desk, which each domain has for itself.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::{Domain, NavEntry};

pub use model::{AuditAction, AuditEntry};
pub use store::{list as list_notes, note, note_about};

/// What the desk says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    carried: store::PRESERVED_ON_RESTORE,
    command: Some(work::COMMAND),
    nav: &[NavEntry::admin("/admin/second-step", "2단계 로그인", "Second step").last()],
    ..Domain::EMPTY
};

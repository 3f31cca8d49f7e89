//! The admin's first page, and what belongs to no single domain: members, services, mails, the audit list.
//!
//! Used by the desk of the customer site. It has no tables: what waits is read from the domains that keep it, customers from
//! `platform/auth`, mails from `platform/mail`, deeds from `site/admin`. A service is switched by its setting
//! ([`Offer::setting`](hanok_platform::domain::Offer)), in the settings file as the household's page of settings does it, and holds at once.
//! Deliberately not here: any rule of the domains that are shown.

pub mod http;
mod model;
mod work;

use hanok_platform::domain::{Domain, NavEntry};

/// What the domain says of itself.
pub const DOMAIN: Domain = Domain {
    document_rules: http::document_rules,
    nav: &[
        NavEntry::admin("/admin/desk", "할 일", "Desk"),
        NavEntry::admin("/admin/members", "회원", "Members").last(),
        NavEntry::admin("/admin/services", "서비스", "Services").last(),
        NavEntry::admin("/admin/mails", "메일", "Mails").last(),
        NavEntry::admin("/admin/audit", "활동 기록", "Activity").last(),
    ],
    ..Domain::EMPTY
};

//! Share pages: the shop's portfolio for whoever has a link, which ends by itself or is ended at the desk.
//!
//! What it shows is the owner's text in the data folder, `documents/portfolio.md` and `documents/portfolio.en.md`; without it
//! what the site offers. The links are those of `platform/auth` with a purpose of their own: they open nothing else, and no
//! other link opens the portfolio. Making and ending one is noted in the audit list of `site/admin`.
//! Deliberately not here: requests that are shared (`site/contact`), and any page that search engines list.

pub mod http;
mod model;
mod work;

use hanok_platform::domain::{Domain, NavEntry};

pub use model::{NewPortfolioLink, PortfolioLink};
pub use work::{end, find, links, share};

/// What the share pages say of themselves.
pub const DOMAIN: Domain = Domain {
    nav: &[NavEntry::admin("/admin/share", "포트폴리오 공유", "Portfolio links").last()],
    ..Domain::EMPTY
};

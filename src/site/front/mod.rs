//! The pages of nobody in particular: the first one, which says what the shop offers; the legal ones; and what search engines
//! ask for.
//!
//! The legal pages are Markdown that the owner writes in the data folder, `pages/privacy.ko.md`, `pages/privacy.en.md`,
//! `pages/terms.ko.md` and `pages/terms.en.md`. Where a file is missing, a draft stands in its place that says that it is one.
//! What is offered is what the domains say of themselves: home page, navigation and sitemap show what is switched on.

pub mod http;
mod work;

use hanok_platform::domain::Domain;

/// What these pages say of themselves.
pub const DOMAIN: Domain = Domain::EMPTY;

//! Project documents: HTML files that the owner puts into `documents/` of the data folder, which admins open.
//!
//! A document is whatever somebody wrote, so it is shown in a sandbox: nothing in it is executed, and nothing outside of it is
//! asked for. Whatever cannot be opened (no such file, a link, another kind of file, a name that is none) is one and the same
//! `NOT_FOUND`. Opening is noted in the audit list of `site/admin`.
//! Deliberately not here: writing or uploading documents, and customers, who see none of them.

pub mod http;
mod model;
mod work;

use hanok_platform::domain::{Domain, NavEntry};

pub use model::DocumentFile;

/// What the documents say of themselves.
pub const DOMAIN: Domain =
    Domain { nav: &[NavEntry::admin("/admin/documents", "프로젝트 문서", "Documents").last()], ..Domain::EMPTY };

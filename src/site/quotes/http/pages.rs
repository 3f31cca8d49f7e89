//! The pages of the quotes: the one behind a customer's link, and the desk with its editor.

pub mod customer;
pub mod desk;
pub mod editor;
pub mod files;
pub mod list;
mod rows;
mod view;

/// The languages in which a customer is written to, as they are sent and as they are called.
const LANGUAGES: &[(&str, &str)] = &[("ko", "한국어"), ("en", "English")];

//! The frame of every page of the customer site: navigation, language, light and dark, the footer that the law asks for, and
//! the pages of errors.
//!
//! # How a domain adds a page
//!
//! 1. A template in `assets/site/DOMAIN/page.html` that begins with `{% extends "frame/frame.html" %}` and fills
//!    `{% block content %}`. What people read stands there in both languages: `{{ frame.say("한국어", "English") }}`.
//! 2. A struct beside the handler with the derive `askama::Template` and the fields `frame: &Frame` and `head: Head`, and
//!    whatever else the template shows.
//! 3. A handler in the domain's `http.rs` whose arguments name who may call it (`Anyone`, `Customer`, `Admin`) and `Frame`, and
//!    that answers `frame.page(&template)?`; a page for one pair of eyes adds `.kept_by_nobody()`.
//! 4. A line in `appliance/routes.rs` among the pages: each is reached in Korean at its path and in English below `/en`.
//!    Links are written `{{ frame.href("/path") }}`, so that a visitor keeps the language.
//!
//! A form posts to `{{ frame.href("/path") }}`; its template says `{{ frame.seal(seal)|safe }}` for what it carries unseen, and
//! is written by `frame.page_with_form(&template, seal)`. Its handler takes `Form`: it reads with `form.read::<T>()`, does its
//! work through `form.key().once(…)`, and answers `SeeOther`; what is refused is shown again with [`Faults`], the page answered
//! `.refusing(&error)`. `site/contact` is the model of it. Any other error is returned as it is: browsers are shown a page,
//! programs below `/api` JSON.
//!
//! What can be switched off says so with an [`Offer`](hanok_platform::domain::Offer) in its `DOMAIN`.
//!
//! Deliberately not here: any page of its own but those of errors. Those of nobody in particular are in `site/front`.

pub mod http;
mod model;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::Domain;

pub use http::{Frame, Head, asks_for_english, error_pages};
pub use model::{Faults, address_of, mailto, prefers_english};
pub use work::BusinessSettings;

/// What the frame says of itself.
pub const DOMAIN: Domain = Domain { settings: Some(SectionKind::of::<BusinessSettings>()), ..Domain::EMPTY };

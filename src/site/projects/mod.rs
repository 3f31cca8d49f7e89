//! Projects: the steps of work that was quoted, as the desk moves them and the customer follows them.
//!
//! Used by the customer site (the projects of an account), by the desk, and by the dashboard. A project is a quote that was sent
//! or accepted; its customer is the account that the quote is linked to, by whoever has its link first, until the account with
//! the address to which the quote was sent takes it over. Tables `milestones-1` with `milestones_of_quote-1`;
//! `project_notices-1` with `project_notices_due-1`: what customers have not been told yet. The job `project_notices` tells
//! them, some minutes after the first move, by mail to that address and in the chat of the account: what changed until then,
//! once, and nothing of what was moved back again. The request that the quote answers follows the steps.
//! Deliberately not here: quotes and who is linked to them (`site/quotes`), and payment.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, NavEntry};
use hanok_platform::own_data::OwnPart;

pub use model::{CurrentStep, Milestone, MilestoneStatus, Project};
pub use store::find as find_milestone;
pub use work::{ProjectSettings, project};

/// What the domain says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<ProjectSettings>()),
    jobs: work::notices::jobs,
    schedule: |_| work::notices::schedule(),
    document_rules: http::document_rules,
    of_customers: &[OwnPart::of::<work::own_data::Projects>()],
    nav: &[
        NavEntry::customer("/account/projects", "내 프로젝트", "Projects"),
        NavEntry::admin("/admin/projects", "프로젝트", "Projects"),
    ],
    ..Domain::EMPTY
};

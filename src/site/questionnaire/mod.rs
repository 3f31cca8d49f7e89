//! Questionnaires and surveys: kinds that are files, answers, and what the desk makes of them.
//!
//! Used by the customer site (a form for each questionnaire) and by the desk. Which questionnaires there are, files say: those
//! that come with the program (`assets/site/questionnaire/kinds`), and the owner's own in `questionnaires` below the data
//! folder, of which one of the same name takes the place of a shipped one. A file that cannot be used is told in the log and at
//! the desk, and leaves the others alone. The files are in no backup, but answers keep the questions as they were asked.
//! Tables `questionnaire_responses-1` with its order `questionnaire_responses_counts-1`, by id `questionnaire_responses_by_id-1`,
//! by state `questionnaire_responses_by_status-1`, by questionnaire `questionnaire_responses_by_type-1`, by both
//! `questionnaire_responses_by_type_and_status-1`, each with its counts (`…_counts-1`), how many there are of each,
//! `questionnaire_responses_in_type_and_status-1`, and the numbers of the questionnaires, `questionnaire_types-1`. Answers are
//! saved together with the mail to the owner and the thanks to who sent them. What the desk does is noted in the audit list.
//! Deliberately not here: an account. Whoever answers needs none, so nothing is kept of one, and nothing is told of it there.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, NavEntry};

pub use model::{Response, ResponseStatus, SubmittedResponse};
pub use store::{count, counts, find, list};
pub use work::QuestionnaireSettings;

/// What the domain says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    settings: Some(SectionKind::of::<QuestionnaireSettings>()),
    search: store::SEARCH,
    document_rules: http::document_rules,
    offer: Some(&work::OFFER),
    nav: &[NavEntry::admin("/admin/questionnaires", "질문지", "Questionnaires")],
    ..Domain::EMPTY
};

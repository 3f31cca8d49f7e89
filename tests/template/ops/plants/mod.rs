//! Plants: what the household waters, and when it is due. The template of a domain; copy the folder for the next one.
//!
//! Used by the household's page of plants and by Today. Table `plants-1` with its order `plants_order-1` and
//! the counts of each day, `plants_by_day-1`; `plants_diaries-1` holds what a job is to read.
//! Deliberately not here: pictures, and advice on what a plant needs.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, TodayPart};

/// What the plants say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    migrations: store::MIGRATIONS,
    derivations: store::DERIVATIONS,
    codes: &[model::ALREADY_WATERED],
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<work::PlantSettings>()),
    jobs: |jobs| jobs.with::<work::NewDay>().with::<work::ReadDiary>(),
    schedule: work::schedule,
    today: Some(TodayPart::of::<store::PlantsToday>()),
    search: store::SEARCH,
    command: Some(work::COMMAND),
    pages: &["plants"],
    ..Domain::EMPTY
};

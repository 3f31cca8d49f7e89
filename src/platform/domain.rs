//! What a domain says of itself, once. `appliance` gathers what the domains say; nothing below it names a domain.

use serde_json::{Value, json};

use crate::config::Config;
use crate::jobs::{Registry, ScheduleEntry};
use crate::store::{Declared, Migration, ShippedData};

/// One domain of the house. A domain names what it has; the rest stays as [`Domain::named`] leaves it.
pub struct Domain {
    /// The name of its folder.
    pub name: &'static str,
    /// Its tables, each with its indexes, counts and totals.
    pub tables: &'static [&'static dyn Declared],
    /// The steps that bring stores of earlier versions to its tables.
    pub migrations: &'static [Migration],
    /// Data that ships with the program and goes into its tables.
    pub shipped_data: &'static [ShippedData],
    /// Adds its kinds of job.
    pub jobs: fn(Registry) -> Registry,
    /// Its part of the schedule.
    pub schedule: fn(&Config) -> Vec<ScheduleEntry>,
    /// What the OpenAPI document says of its requests beyond their types.
    pub document_rules: fn() -> Value,
    /// First parts of the addresses of its pages in the app.
    pub pages: &'static [&'static str],
}

impl Domain {
    /// A domain that has nothing yet.
    pub const fn named(name: &'static str) -> Domain {
        Domain {
            name,
            tables: &[],
            migrations: &[],
            shipped_data: &[],
            jobs: |jobs| jobs,
            schedule: |_| Vec::new(),
            document_rules: || json!({}),
            pages: &[],
        }
    }
}

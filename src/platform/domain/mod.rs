//! What a domain says of itself, once. `appliance` gathers what the domains say; nothing below it names a domain.

mod command;
mod offer;
mod reach;
mod today;

use serde_json::{Value, json};

pub use command::{Column, Command, Form, Opened, Verb, View, Word, WordKind, WordPlace, Words};
pub use offer::{CustomerName, NavArea, NavEntry, Offer, Offers};
pub use reach::Reach;
pub use today::{Today, TodayPart, by_itself};

use crate::chat::QuestionKind;
use crate::compute::WorkKind;
use crate::config::{Config, SectionKind};
use crate::events::Change;
use crate::jobs::{Registry, ScheduleEntry};
use crate::own_data::OwnPart;
use crate::search::SearchKind;
use crate::store::{Declared, Derivation, Migration, PreservedOnRestore, ShippedData};
use crate::upstream::Provider;
use hanok_base::error::Code;

/// One domain of the house. A domain names what it has; the rest stays as in [`Domain::EMPTY`].
pub struct Domain {
    /// Its tables, each with its indexes, counts and totals.
    pub tables: &'static [&'static dyn Declared],
    /// The steps that bring rows of earlier versions to its tables.
    pub migrations: &'static [Migration],
    /// What is derived anew in stores of earlier versions once their rows are those of today.
    pub derivations: &'static [Derivation],
    /// Tables of earlier versions, which a step empties and nothing else reads.
    pub retired: &'static [&'static str],
    /// Data that ships with the program and goes into its tables.
    pub shipped_data: &'static [ShippedData],
    /// What of it a restore does not take back, and what a file that leaves the house goes without.
    pub carried: &'static [PreservedOnRestore],
    /// Its own error codes.
    pub codes: &'static [Code],
    /// What of it may change while a browser looks.
    pub changes: &'static [Change],
    /// Its section of the settings.
    pub settings: Option<SectionKind>,
    /// The providers it asks, and whether each is asked at all.
    pub providers: fn(&Config) -> Vec<(&'static Provider, bool)>,
    /// What it has the compute host do.
    pub compute: &'static [WorkKind],
    /// Adds its kinds of job.
    pub jobs: fn(Registry) -> Registry,
    /// Its part of the schedule.
    pub schedule: fn(&Config) -> Vec<ScheduleEntry>,
    /// What Today shows of it.
    pub today: Option<TodayPart>,
    /// What of it is found by words.
    pub search: &'static [SearchKind],
    /// What it asks people by chat.
    pub questions: &'static [QuestionKind],
    /// What can be asked of it on the command line.
    pub command: Option<Command>,
    /// What it needs from outside.
    pub reaches: &'static [Reach],
    /// What the OpenAPI document says of its requests beyond their types.
    pub document_rules: fn() -> Value,
    /// First parts of the addresses of its pages in the app.
    pub pages: &'static [&'static str],
    /// What it keeps of customers: how they are told, and what becomes of it when the account ends.
    pub of_customers: &'static [OwnPart],
    /// What of it is offered to customers, as a whole or not at all.
    pub offer: Option<&'static Offer>,
    /// Its pages in the navigation of customers and admins who are signed in.
    pub nav: &'static [NavEntry],
    /// Says what a customer is called, for the one domain that knows.
    pub customer_name: Option<CustomerName>,
}

impl Domain {
    /// A domain that has nothing yet.
    pub const EMPTY: Domain = Domain {
        tables: &[],
        migrations: &[],
        derivations: &[],
        retired: &[],
        shipped_data: &[],
        carried: &[],
        codes: &[],
        changes: &[],
        settings: None,
        providers: |_| Vec::new(),
        compute: &[],
        jobs: |jobs| jobs,
        schedule: |_| Vec::new(),
        today: None,
        search: &[],
        questions: &[],
        command: None,
        reaches: &[],
        document_rules: || json!({}),
        pages: &[],
        of_customers: &[],
        offer: None,
        nav: &[],
        customer_name: None,
    };
}

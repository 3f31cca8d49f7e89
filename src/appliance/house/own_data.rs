//! Everything that the house holds of a customer, as one file: what each domain declares of it ([`OwnPart`]).

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};

use crate::domains;
use hanok_base::schema::{Components, Object, RefOr, Schema, ToSchema, named};
use hanok_base::{Error, day};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::http::{Customer, HandlerResult, JsonFile};
use hanok_platform::own_data::{Gathered, OwnPart};

/// What is held of a customer: a field for each kind of things. No secret, and nothing of anybody else.
#[derive(Debug)]
pub struct AccountExport {
    /// When this was put together.
    made_at: DateTime<Utc>,
    parts: Vec<Gathered>,
}

/// Each part is written out when its turn comes, so that never more than one lies there in two forms.
impl Serialize for AccountExport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut file = serializer.serialize_map(Some(self.parts.len() + 1))?;
        file.serialize_entry("made_at", &self.made_at)?;
        for part in &self.parts {
            file.serialize_entry(part.field(), &part.written().map_err(S::Error::custom)?)?;
        }
        file.end()
    }
}

/// Everything that the house holds of the account, as a file to be taken along.
#[endpoint(operation_id = "account_export", tags("account"))]
pub async fn export(app: App, caller: Customer) -> HandlerResult<JsonFile<AccountExport>> {
    let (made_at, own) = (app.clock.now(), app.data.own.clone());
    let told = app.data.store.read_in_turn(move |tx| {
        let customer = auth::find_customer(tx, &caller.id)?.ok_or_else(|| Error::not_found("customer"))?;
        own.told(tx, &customer)
    });
    let value = AccountExport { made_at, parts: told.await? };
    Ok(JsonFile { name: format!("account-{}.json", day::of(made_at)), value })
}

impl ToSchema for AccountExport {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let made_at = DateTime::<Utc>::to_schema(components);
        let begun = Object::new().property("made_at", made_at).required("made_at");
        let with =
            |all: Object, part: OwnPart| all.property(part.field, (part.schema)(components)).required(part.field);
        let all = domains::of_customers().fold(begun, with);
        named::<AccountExport>(
            components,
            all.description("What is held of a customer, a field for each kind of things"),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schema::schema;
    use hanok_platform::domain::Domain;

    /// Tables that no customer is told of, and the reason.
    const NOT_TOLD: &[(&str, &[&str])] = &[
        (
            "how the store, its steps and its ids are",
            &["meta-1", "migrated-1", "shipped-1", "last_migration-1", "seal-1", "sequences-1", "canary-1"],
        ),
        (
            "work of the house, which names rows by their numbers",
            &[
                "tasks-1",
                "tasks_due-2",
                "tasks_running-1",
                "tasks_alone-1",
                "tasks_once-1",
                "tasks_last_ends-1",
                "schedule-1",
                "schedule-by-hand-1",
            ],
        ),
        ("the household's", &["household-1", "household_sessions-1"]),
        (
            "of who keeps the shop",
            &["admins-1", "admin_sessions-1", "admin_second_steps-1", "admin_audit-1", "contact_notes-1"],
        ),
        ("secrets that open something, and end by themselves", &["links-1", "link_keys-1", "contact_links-1"]),
        ("drawn from rows that are told where they stand", &["search_waiting-1", "search_state-1"]),
        ("files, which belong to the rows that name them", &["blobs-1", "blobs_named-1", "blob_uploads-1"]),
        ("first answers, for a day, to who has them already", &["idempotency-1", "idempotency_by_time-1"]),
        ("what providers are asked by the house", &["upstreams-1", "upstreams_answers-1", "writes-1", "tokens-1"]),
        ("answers to forms that ask for no account", &["questionnaire_responses-1", "questionnaire_types-1"]),
        (
            "visits, counted without anybody's name or address",
            &["analytics_days-1", "analytics_counts-1", "analytics_seen-1"],
        ),
        (
            "of the bot: codes, buttons and numbers of updates",
            &["chat_codes-1", "chat_questions-1", "chat_seen-1", "chat_offsets-1"],
        ),
    ];

    fn not_told() -> impl Iterator<Item = &'static str> {
        NOT_TOLD.iter().flat_map(|(_, tables)| *tables).copied()
    }

    /// The tables that hold rows and are none of the household's domains: any of them may be about a customer.
    fn tables() -> Vec<&'static str> {
        let of_the_household: BTreeSet<&str> = domains::OPS.iter().flat_map(|domain| rows_of(domain)).collect();
        let all = schema().tables().filter_map(|table| table.tables().first().copied()).collect::<Vec<_>>();
        all.into_iter().filter(|table| !of_the_household.contains(table)).collect()
    }

    fn rows_of(domain: &Domain) -> Vec<&'static str> {
        domain.tables.iter().filter_map(|table| table.tables().first().copied()).collect()
    }

    /// Tables of which nobody says whether they hold something of a customer.
    fn undecided<'t>(tables: &[&'t str], told: &[&str]) -> Vec<&'t str> {
        let is_decided = |table: &&str| told.contains(table) || not_told().any(|known| known == *table);
        tables.iter().copied().filter(|table| !is_decided(table)).collect()
    }

    #[test]
    fn every_table_is_told_to_its_customer_or_says_why_it_is_not() {
        let told: Vec<&str> = domains::of_customers().flat_map(|part| part.tables).copied().collect();
        let tables = tables();
        assert_eq!(undecided(&tables, &told), [""; 0], "declare an `OfCustomer`, or write down why not");
        let gone = |name: &&str| !tables.contains(name);
        assert_eq!(
            told.iter().copied().filter(gone).collect::<Vec<_>>(),
            [""; 0],
            "a part names a table that is not there"
        );
        assert_eq!(not_told().filter(gone).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(undecided(&["orders-1"], &told), ["orders-1"], "a new table is asked for");
    }

    #[test]
    fn no_two_parts_stand_under_one_name() {
        let fields: Vec<&str> = domains::of_customers().map(|part| part.field).chain(["made_at"]).collect();
        assert_eq!(fields.iter().collect::<BTreeSet<_>>().len(), fields.len(), "{fields:?}");
    }
}

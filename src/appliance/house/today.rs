//! Today: what needs the household now, from every domain.

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::folder::{damaged_snapshots, newest_snapshot};
use crate::domains;
use hanok_base::schema::{AllOf, Components, RefOr, Schema, ToSchema, named};
use hanok_base::{Error, Page, Result};
use hanok_platform::app::App;
use hanok_platform::domain::TodayPart;
use hanok_platform::http::{Answer, Household, Json};
use hanok_platform::jobs::{self, Task, TaskStatus};
use hanok_platform::store::{ReadTx, Snapshot, StorageState};
use hanok_platform::upstream::ProviderCondition;

/// What needs the household now, in the order in which the page asks it: each domain's part, in the order of the
/// domains and in it by name, then the house itself (running work, the last verified backup).
#[derive(Debug, Serialize)]
pub struct Today {
    #[serde(flatten)]
    domains: Parts,
    #[serde(flatten)]
    house: HouseToday,
}

/// The fields of every domain's part. No two have one of the same name, nor one of the house: a test sees to it.
#[derive(Debug)]
struct Parts(Vec<(String, Value)>);

impl Serialize for Parts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// What Today shows of the house itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseToday {
    /// Now.
    pub now: DateTime<Utc>,
    /// The newest tasks that are running.
    pub tasks: Vec<Task>,
    /// The newest verified snapshot.
    pub last_verified_backup: Option<Snapshot>,
    /// The names of the snapshots that a check has found damaged, newest first.
    pub damaged_backups: Vec<String>,
    /// Whether writes are taken.
    pub storage_state: StorageState,
    /// Outside providers that fail.
    pub providers_failing: usize,
}

/// What needs the household now.
#[endpoint(operation_id = "today", tags("house"))]
pub async fn today(app: App, _caller: Household) -> Answer<Json<Today>> {
    let read = app.data.store.read(|tx| Ok((parts(tx)?, jobs::list(tx, Page { limit: 20, offset: 0 })?.0)));
    let (domains, recent) = read.await?;
    let failing = |state: ProviderCondition| matches!(state, ProviderCondition::Failing | ProviderCondition::Open);
    let house = HouseToday {
        now: app.clock.now(),
        tasks: recent.into_iter().filter(|task| task.status == TaskStatus::Running).collect(),
        last_verified_backup: newest_snapshot(&app).await?,
        damaged_backups: damaged_snapshots(&app).await?,
        storage_state: app.data.store.state(),
        providers_failing: app.outside.upstream.report().iter().filter(|provider| failing(provider.state)).count(),
    };
    Ok(Json(Today { domains, house }))
}

fn parts(tx: &ReadTx) -> Result<Parts> {
    let mut fields = Vec::new();
    for part in declared() {
        match (part.read)(tx)? {
            Value::Object(own) => fields.extend(own),
            other => return Err(Error::internal(format!("a part of Today is no object: {other}"))),
        }
    }
    Ok(Parts(fields))
}

fn declared() -> impl Iterator<Item = TodayPart> {
    domains::all().filter_map(|domain| domain.today)
}

impl ToSchema for Today {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let parts = declared().fold(AllOf::new(), |all, part| all.item((part.schema)(components)));
        let all = parts.item(HouseToday::to_schema(components));
        named::<Today>(components, all)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The fields that more than one of `parts` has.
    fn claimed_twice(parts: &[Value]) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let fields = parts.iter().flat_map(|part| part["properties"].as_object().into_iter().flatten());
        fields.map(|(name, _)| name.as_str()).filter(|name| !seen.insert(*name)).collect()
    }

    /// A schema, as `register` describes it, with its reference followed.
    fn described(register: impl Fn(&mut Components) -> RefOr<Schema>) -> Value {
        let mut components = Components::new();
        let schema = serde_json::to_value(register(&mut components)).unwrap();
        let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/")) else {
            return schema;
        };
        let name = name.replace("~1", "/");
        serde_json::to_value(&components).unwrap()["schemas"][name].clone()
    }

    #[test]
    fn the_parts_stand_in_the_order_of_the_domains_and_before_the_house() {
        let field = |name: &str| (name.to_owned(), Value::Null);
        let domains = Parts(["next_draw", "due_todos", "approvals"].map(field).into());
        let house = HouseToday {
            now: "2026-10-10T12:30:00Z".parse().unwrap(),
            tasks: Vec::new(),
            last_verified_backup: None,
            damaged_backups: Vec::new(),
            storage_state: StorageState::Ok,
            providers_failing: 0,
        };
        let text = serde_json::to_string(&Today { domains, house }).unwrap();
        let begins = r#"{"next_draw":null,"due_todos":null,"approvals":null,"now":"2026-10-10T12:30:00Z","tasks":[]"#;
        assert!(text.starts_with(begins), "{text}");
    }

    #[test]
    fn no_two_parts_of_today_have_a_field_of_the_same_name() {
        let mut parts = vec![described(HouseToday::to_schema)];
        parts.extend(declared().map(|part| described(part.schema)));
        assert!(parts.iter().all(|part| part["properties"].is_object()), "{parts:?}");
        assert_eq!(claimed_twice(&parts), BTreeSet::new());
        let planted = serde_json::json!({"properties": {"tasks": {}, "plants": {}}});
        parts.push(planted);
        assert_eq!(claimed_twice(&parts), BTreeSet::from(["tasks"]));
    }
}

//! Today: what needs the household now, from every domain.

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tracing::error;

use super::folder;
use super::listed_snapshot::ListedSnapshot;
use super::settings_file;
use super::upkeep;
use crate::domains;
use hanok_base::said::Spoken;
use hanok_base::schema::{AllOf, Components, RefOr, Schema, ToSchema, named};
use hanok_base::{Error, Page, Result, Said};
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::domain::TodayPart;
use hanok_platform::http::{Anew, Answer, Household};
use hanok_platform::jobs::{self, Task, TaskStatus};
use hanok_platform::store::{ReadTx, StorageState};
use hanok_platform::upstream::{ProviderCondition, ProviderState};

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
    pub last_verified_backup: Option<ListedSnapshot>,
    /// The snapshots that a check has found damaged, newest first.
    pub damaged_backups: Vec<ListedSnapshot>,
    /// As of when no damage is known in the others: when the one was read that was read longest ago. Null when there is none.
    pub sound_backups_as_of: Option<DateTime<Utc>>,
    /// The minutes between the backups that are made by themselves when something changed; null where none is.
    pub backup_every_minutes: Option<u64>,
    /// The setting by which no backups are made by themselves; null where they are.
    pub backups_switched_off_by: Option<&'static str>,
    /// The flag or the variable that fixes the address of the household door; null where the settings can change it.
    pub address_fixed_by: Option<String>,
    /// Whether writes are taken.
    pub storage_state: StorageState,
    /// The outside providers that fail, each with what failed.
    pub failing_providers: Vec<ProviderState>,
    /// Why the next start cannot use the settings file; null when it can.
    pub settings_problem: Option<String>,
    /// How a browser says `settings_problem` in its language.
    pub settings_problem_spoken: Option<Spoken>,
    /// The fields of the domains that could not be read just now and are left out; none on an ordinary day.
    pub unread: Vec<String>,
}

/// What needs the household now.
#[endpoint(operation_id = "today", tags("house"))]
pub async fn today(app: App, _caller: Household) -> Answer<Anew<Today>> {
    // Rows, snapshots and settings in one way to another thread and back: it takes longer than to look at them.
    let (house, newest) = (app.clone(), Page { limit: 20, offset: 0 });
    let looked_at = app.data.store.read(move |tx| {
        let rows = (parts(tx, &house.config, declared())?, jobs::list(tx, newest)?.0);
        Ok((rows, folder::backups(&house)?, settings_file::problem(&house.config)))
    });
    let (((domains, unread), recent), backups, settings_problem) = looked_at.await?;
    let failing = |of: &ProviderState| matches!(of.state, ProviderCondition::Failing | ProviderCondition::Open);
    let (settings_problem, spoken) = settings_problem.map(Said::into_parts).unzip();
    let house = HouseToday {
        now: app.clock.now(),
        tasks: recent.into_iter().filter(|task| task.status == TaskStatus::Running).collect(),
        last_verified_backup: backups.newest.map(ListedSnapshot::from),
        damaged_backups: backups.damaged.into_iter().map(ListedSnapshot::from).collect(),
        sound_backups_as_of: backups.sound_as_of,
        backup_every_minutes: upkeep::backup_minutes(&app.config),
        backups_switched_off_by: upkeep::backups_switched_off_by(&app.config),
        address_fixed_by: app.config.fixed_by("ops.listen"),
        storage_state: app.data.store.state(),
        failing_providers: app.outside.upstream.report().into_iter().filter(failing).collect(),
        settings_problem,
        settings_problem_spoken: spoken.flatten(),
        unread,
    };
    Ok(Anew(Today { domains, house }))
}

/// What the parts have to show, and the fields of those that could not be read: one that fails takes no other with it.
/// Where none can be read it is no matter of theirs, and fails.
fn parts(tx: &ReadTx, config: &Config, declared: impl Iterator<Item = TodayPart>) -> Result<(Parts, Vec<String>)> {
    let (mut fields, mut unread) = (Vec::new(), Vec::new());
    let mut cause = None;
    for part in declared {
        match (part.read)(tx, config).and_then(object) {
            Ok(own) => fields.extend(own),
            Err(error) => {
                error!(%error, fields = ?part.fields(), "a part of Today could not be read");
                unread.extend(part.fields());
                cause = Some(error);
            }
        }
    }
    match cause {
        Some(error) if fields.is_empty() => Err(error),
        _ => Ok((Parts(fields), unread)),
    }
}

fn object(part: Value) -> Result<Map<String, Value>> {
    match part {
        Value::Object(own) => Ok(own),
        other => Err(Error::internal(format!("a part of Today is no object: {other}"))),
    }
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

    use serde_json::json;

    use super::*;
    use hanok_base::Clock;
    use hanok_platform::events::Events;
    use hanok_platform::store::Store;

    /// The names that stand in more than one of `parts`.
    fn claimed_twice(parts: &[Vec<String>]) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        parts.iter().flatten().map(String::as_str).filter(|name| !seen.insert(*name)).collect()
    }

    fn of_the_house() -> Vec<String> {
        TodayPart { read: |_, _| Ok(Value::Null), schema: HouseToday::to_schema }.fields()
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
            sound_backups_as_of: None,
            backup_every_minutes: None,
            backups_switched_off_by: None,
            address_fixed_by: None,
            storage_state: StorageState::Ok,
            failing_providers: Vec::new(),
            settings_problem: None,
            settings_problem_spoken: None,
            unread: Vec::new(),
        };
        let text = serde_json::to_string(&Today { domains, house }).unwrap();
        let begins = r#"{"next_draw":null,"due_todos":null,"approvals":null,"now":"2026-10-10T12:30:00Z","tasks":[]"#;
        assert!(text.starts_with(begins), "{text}");
    }

    #[test]
    fn no_two_parts_of_today_have_a_field_of_the_same_name() {
        let mut parts = vec![of_the_house()];
        parts.extend(declared().map(|part| part.fields()));
        assert!(parts.iter().all(|fields| !fields.is_empty()), "{parts:?}");
        assert_eq!(claimed_twice(&parts), BTreeSet::new());
        parts.push(vec!["tasks".to_owned(), "plants".to_owned()]);
        assert_eq!(claimed_twice(&parts), BTreeSet::from(["tasks"]));
    }

    #[test]
    fn a_part_that_cannot_be_read_is_left_out_and_named_and_takes_no_other_with_it() {
        let broken = TodayPart { read: |_, _| Err(Error::internal("planted")), schema: HouseToday::to_schema };
        let sound = TodayPart { read: |_, _| Ok(json!({"plants": 3})), schema: HouseToday::to_schema };
        let store = Store::memory(Clock::machine(), Events::default()).unwrap();
        let read = |declared: Vec<TodayPart>| store.read_now(|tx| parts(tx, &Config::default(), declared.into_iter()));

        let (shown, unread) = read(vec![broken, sound]).unwrap();
        assert_eq!(serde_json::to_value(shown).unwrap(), json!({"plants": 3}));
        assert_eq!(unread, of_the_house());
        assert_eq!(read(vec![sound]).unwrap().1, [""; 0]);
        assert!(read(vec![broken, broken]).is_err());
    }
}

//! Today: what needs the household now, from every domain.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use tracing::error;

use super::folder;
use super::listed_snapshot::ListedSnapshot;
use super::upkeep;
use crate::domains;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::{AllOf, Components, RefOr, Schema, ToSchema, named};
use hanok_base::{Error, Message, Page, Result};
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::domain::{TodayPart, by_itself};
use hanok_platform::http::{HandlerResult, Household, RequestId, UncachedJson};
use hanok_platform::jobs::{self, Task, TaskStatus};
use hanok_platform::mail;
use hanok_platform::settings_file;
use hanok_platform::store::{ReadTransaction, StorageState};
use hanok_platform::upstream::{ProviderCondition, ProviderState};

/// What needs the household now, in the order in which the page asks it: each domain's part, in the order of the
/// domains and in it by name, then the house itself (running work, the last verified backup). A part that could not be
/// read is left out and named in `unread`.
#[derive(Debug, Serialize)]
pub struct Today {
    #[serde(flatten)]
    parts: Parts,
    #[serde(flatten)]
    house: HouseToday,
}

/// The fields of every part that could be read. No two have one of the same name, nor one of the house:
/// a test sees to it.
#[derive(Debug)]
struct Parts(Vec<(String, Box<RawValue>)>);

impl Serialize for Parts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// What Today shows of the work of the house.
#[derive(Debug, Serialize, ToSchema)]
struct TasksToday {
    /// The newest tasks that are running.
    tasks: Vec<Task>,
    /// Mails that lie in the folder because no mail server is set; 0 where one is.
    mails_in_folder: u64,
}

impl TasksToday {
    fn read(tx: &impl ReadTransaction, config: &Config) -> Result<TasksToday> {
        let (newest, _) = jobs::list(tx, Page { limit: 20, offset: 0 })?;
        let tasks = newest.into_iter().filter(|task| task.status == TaskStatus::Running).collect();
        let mails_in_folder =
            if config.mail.host.is_empty() { mail::list(tx, Page { limit: 1, offset: 0 })?.1 } else { 0 };
        Ok(TasksToday { tasks, mails_in_folder })
    }
}

/// What Today shows of the backups.
#[derive(Debug, Serialize, ToSchema)]
struct BackupsToday {
    /// The newest verified snapshot.
    last_verified_backup: Option<ListedSnapshot>,
    /// The snapshots that a check has found damaged, newest first.
    damaged_backups: Vec<ListedSnapshot>,
    /// As of when no damage is known in the others: when the one was read that was read longest ago. Null when there is none.
    sound_backups_as_of: Option<DateTime<Utc>>,
}

impl BackupsToday {
    fn read(app: &App) -> Result<BackupsToday> {
        let folder::Backups { newest, damaged, sound_as_of } = folder::backups(app)?;
        Ok(BackupsToday {
            last_verified_backup: newest.map(ListedSnapshot::from),
            damaged_backups: damaged.into_iter().map(ListedSnapshot::from).collect(),
            sound_backups_as_of: sound_as_of,
        })
    }
}

/// What Today shows of the house itself, which is there in any case.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseToday {
    /// Now.
    pub now: DateTime<Utc>,
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
    pub settings_problem_localized: Option<LocalizedMessage>,
    /// The fields that could not be read just now: they are left out, whatever else stands here; none on an ordinary day.
    pub unread: Vec<String>,
}

/// What needs the household now.
#[endpoint(operation_id = "today", tags("house"))]
pub async fn today(app: App, _caller: Household, request: RequestId) -> HandlerResult<UncachedJson<Today>> {
    let house = app.clone();
    // Rows, snapshots and settings in one way to another thread and back: it takes longer than to look at them.
    let looked_at = app.data.store.read(move |tx| {
        let mut reading = Reading::default();
        for part in declared() {
            reading.part(part.schema, || (part.read)(tx, &house.config));
        }
        reading.part(TasksToday::to_schema, || as_json(&TasksToday::read(tx, &house.config)?));
        reading.part(BackupsToday::to_schema, || as_json(&BackupsToday::read(&house)?));
        Ok((reading.unless_all_failed()?, settings_file::problem(&house.config)))
    });
    let (reading, settings_problem) = looked_at.await?;
    for (fields, cause) in &reading.failed {
        error!(request_id = request.0, %cause, ?fields, "a part of Today could not be read");
    }
    let failing = |of: &ProviderState| matches!(of.state, ProviderCondition::Failing | ProviderCondition::Open);
    let (settings_problem, localized) = settings_problem.map(Message::into_parts).unzip();
    let house = HouseToday {
        now: app.clock.now(),
        backup_every_minutes: upkeep::backup_minutes(&app.config),
        backups_switched_off_by: upkeep::backups_switched_off_by(&app.config),
        address_fixed_by: app.config.fixed_by("ops.listen"),
        storage_state: app.data.store.state(),
        failing_providers: app.outside.upstream.report().into_iter().filter(failing).collect(),
        settings_problem,
        settings_problem_localized: localized.flatten(),
        unread: reading.failed.into_iter().flat_map(|(fields, _)| fields).collect(),
    };
    Ok(UncachedJson(Today { parts: Parts(reading.fields), house }))
}

/// How the fields of a part are described.
type SchemaOf = fn(&mut Components) -> RefOr<Schema>;

/// What the parts have to show: one that fails takes no other with it.
#[derive(Debug, Default)]
struct Reading {
    fields: Vec<(String, Box<RawValue>)>,
    /// The fields of each that could not be read, and why.
    failed: Vec<(Vec<String>, Error)>,
}

impl Reading {
    fn part(&mut self, schema: SchemaOf, read: impl FnOnce() -> Result<Box<RawValue>>) {
        match by_itself(read).and_then(|part| fields_in(&part)) {
            Ok(own) => self.fields.extend(own),
            Err(cause) => self.failed.push((fields_of(schema), cause)),
        }
    }

    /// Where none could be read it is no matter of the parts.
    fn unless_all_failed(mut self) -> Result<Reading> {
        match self.failed.pop() {
            Some((_, cause)) if self.fields.is_empty() => Err(cause),
            last => {
                self.failed.extend(last);
                Ok(self)
            }
        }
    }
}

fn fields_of(schema: SchemaOf) -> Vec<String> {
    TodayPart { read: |_, _| Ok(RawValue::NULL.to_owned()), schema }.fields()
}

fn as_json(part: &impl Serialize) -> Result<Box<RawValue>> {
    to_raw_value(part).map_err(Error::internal)
}

/// The fields of a part as they stand in it, by name.
fn fields_in(part: &RawValue) -> Result<BTreeMap<String, Box<RawValue>>> {
    serde_json::from_str(part.get()).map_err(|error| Error::internal(format!("a part of Today is no object: {error}")))
}

fn declared() -> impl Iterator<Item = TodayPart> {
    domains::all().filter_map(|domain| domain.today)
}

impl ToSchema for Today {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let parts = declared().fold(AllOf::new(), |all, part| all.item((part.schema)(components)));
        let parts = parts.item(TasksToday::to_schema(components)).item(BackupsToday::to_schema(components));
        let all = parts.item(HouseToday::to_schema(components));
        named::<Today>(components, all)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    /// The names that stand in more than one of `parts`.
    fn claimed_twice(parts: &[Vec<String>]) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        parts.iter().flatten().map(String::as_str).filter(|name| !seen.insert(*name)).collect()
    }

    /// The parts of the house itself.
    const OF_THE_HOUSE: [SchemaOf; 3] = [TasksToday::to_schema, BackupsToday::to_schema, HouseToday::to_schema];

    #[test]
    fn the_parts_stand_in_the_order_of_the_domains_and_before_the_house() {
        let field = |name: &str| (name.to_owned(), RawValue::NULL.to_owned());
        let parts = Parts(["next_draw", "due_todos", "approvals"].map(field).into());
        let house = HouseToday {
            now: "2026-10-10T12:30:00Z".parse().unwrap(),
            backup_every_minutes: None,
            backups_switched_off_by: None,
            address_fixed_by: None,
            storage_state: StorageState::Ok,
            failing_providers: Vec::new(),
            settings_problem: None,
            settings_problem_localized: None,
            unread: Vec::new(),
        };
        let text = serde_json::to_string(&Today { parts, house }).unwrap();
        let begins = r#"{"next_draw":null,"due_todos":null,"approvals":null,"now":"2026-10-10T12:30:00Z""#;
        assert!(text.starts_with(begins), "{text}");
    }

    #[test]
    fn no_two_parts_of_today_have_a_field_of_the_same_name() {
        let mut parts = OF_THE_HOUSE.map(fields_of).to_vec();
        parts.extend(declared().map(|part| part.fields()));
        assert!(parts.iter().all(|fields| !fields.is_empty()), "{parts:?}");
        assert_eq!(claimed_twice(&parts), BTreeSet::new());
        parts.push(vec!["tasks".to_owned(), "plants".to_owned()]);
        assert_eq!(claimed_twice(&parts), BTreeSet::from(["tasks"]));
    }

    #[test]
    fn a_part_that_cannot_be_read_is_left_out_and_named_and_takes_no_other_with_it() {
        let plants = |reading: &mut Reading| reading.part(HouseToday::to_schema, || as_json(&json!({"plants": 3})));
        let fails = |reading: &mut Reading| reading.part(TasksToday::to_schema, || Err(Error::internal("planted")));
        let panics = |reading: &mut Reading| reading.part(BackupsToday::to_schema, || panic!("planted"));
        let read = |parts: &[&dyn Fn(&mut Reading)]| {
            let mut reading = Reading::default();
            parts.iter().for_each(|part| part(&mut reading));
            reading.unless_all_failed()
        };

        let Reading { fields, failed } = read(&[&fails, &plants, &panics]).unwrap();
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.get())).collect();
        assert_eq!(fields, [("plants", "3")]);
        let told: Vec<_> =
            failed.into_iter().map(|(fields, cause)| (fields, cause.cause.unwrap_or_default())).collect();
        let unread = |schema: SchemaOf, why: &str| (fields_of(schema), why.to_owned());
        let panicked = unread(BackupsToday::to_schema, "it panicked: planted");
        assert_eq!(told, [unread(TasksToday::to_schema, "planted"), panicked]);
        assert!(read(&[&plants]).unwrap().failed.is_empty());
        assert!(read(&[&fails, &panics]).is_err());
    }
}

//! The tables of the plants and the verbs over a transaction.

use chrono::{Datelike, NaiveDate};
use serde::Serialize;
use serde_json::{Map, Value};

use super::model::{NewPlant, Plant, PlantChanges};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Page, Result, day};
use hanok_platform::events::Change;
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{
    CountedIndex, DayCounts, Declared, Derivation, IndexedTable, Migration, Order, ReadTransaction, Table, WriteTx,
};

/// The plants have changed.
pub const CHANGED: Change = Change::new("plants");

/// Table: plants. Key: id. Value: the plant.
const PLANTS: IndexedTable<u64, Plant> = IndexedTable::new("plants-1", |plant| plant.id, &[&IN_ORDER, &BY_DAY, &SEARCHED]);
/// Table: the order in which they need water, counted. Key: the day, counted from 1 January of the year 1, and the id.
/// Value: the id.
const IN_ORDER: CountedIndex<Plant, (u64, u64), u64> =
    CountedIndex::new("plants_order-1", "plants_order_counts-1", |plant| {
        Some(((day_number(plant.due), plant.id), plant.id))
    });
/// Table: the plants counted by the day on which they need water.
const BY_DAY: DayCounts<Plant> = DayCounts::new("plants_by_day-1", |plant| Some(day_number(plant.due)));

/// Table: diaries that are not read yet. Key: the id of the plant. Value: the text.
const DIARIES: Table<u64, String> = Table::new("plants_diaries-1");

/// Every table of the plants.
pub const TABLES: &[&dyn Declared] = &[&PLANTS, &DIARIES];

/// The steps from rows of earlier versions. Each brings their type: that of today asks for what had not come up yet.
pub const MIGRATIONS: &[Migration] = &[Migration {
    to: 3,
    name: "plants: a week between two waterings where none was said",
    title: ("간격이 없던 화분에 일주일을 적었습니다", "Plants without an interval are watered every week"),
    needed: |tx| Ok(!without_interval(tx)?.is_empty()),
    apply: |tx| {
        for (id, mut plant) in without_interval(tx)? {
            plant.insert("every_days".to_owned(), 7.into());
            tx.put(&EARLIER, id, &plant)?;
        }
        Ok(())
    },
}];
/// Table: the plants as an earlier version has left them, perhaps without `every_days`.
const EARLIER: Table<u64, Map<String, Value>> = Table::new(PLANTS.name());

/// What follows from the rows of earlier versions: derived when every step that changes rows has run.
pub const DERIVATIONS: &[Derivation] = &[Derivation::of(
    3,
    "plants: put in order and count",
    ("화분을 차례대로 세우고 셌습니다", "Plants were put in order and counted"),
    &[&PLANTS],
)];

fn without_interval(tx: &impl ReadTransaction) -> Result<Vec<(u64, Map<String, Value>)>> {
    let mut found = Vec::new();
    for entry in tx.entries(&EARLIER, 0.., Order::Ascending) {
        let entry = entry?;
        found.extend(Some((entry.key(), entry.value()?)).filter(|(_, plant)| !plant.contains_key("every_days")));
    }
    Ok(found)
}

/// Every plant is found by its name.
const SEARCHED: Searched<Plant> = Searched::new(|plant| Document {
    day: Some(plant.due),
    ..Document::of("plant", plant.id, &plant.title, format!("/plants/{}", plant.id))
});

/// What of the plants is found by words.
pub const SEARCH: &[SearchKind] = &[SearchKind { name: "plant", walk: |tx, visit| SEARCHED.walk(PLANTS.walk(tx), visit) }];

/// How many thirsty plants Today shows.
const THIRSTY_TODAY: usize = 10;

/// The plants' part of Today.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlantsToday {
    /// Those that need water today or needed it before, the driest first; at most ten.
    pub thirsty_plants: Vec<Plant>,
    /// How many need water today or needed it before.
    pub thirsty_count: u64,
}

/// What Today shows of it.
pub fn today(tx: &impl ReadTransaction) -> Result<PlantsToday> {
    let (thirsty_plants, thirsty_count) = thirsty(tx, THIRSTY_TODAY)?;
    Ok(PlantsToday { thirsty_plants, thirsty_count })
}

/// Plants in the order in which they need water; and how many there are.
pub fn list(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Plant>, u64)> {
    let places = IN_ORDER.page(tx, (0, 0)..=(u64::MAX, u64::MAX), Order::Ascending, page)?;
    Ok((tx.rows(&PLANTS, places.into_iter().map(|(_, id)| id))?, tx.count(&PLANTS)?))
}

/// At most `most` plants that need water today or needed it before, the driest first; and how many there are.
pub fn thirsty(tx: &impl ReadTransaction, most: usize) -> Result<(Vec<Plant>, u64)> {
    let tomorrow = day_number(day::of(tx.now())) + 1;
    let ids = tx.values(&IN_ORDER, (0, 0)..(tomorrow, 0), Order::Ascending, 0, most)?;
    Ok((tx.rows(&PLANTS, ids)?, BY_DAY.before(tx, tomorrow)?))
}

/// Adds a plant.
pub fn add(tx: &WriteTx, new: NewPlant) -> Result<Plant> {
    write(tx, new.into_plant(tx.next_id("plants")?, day::of(tx.now())))
}

/// Changes the fields that are sent.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT`.
pub fn change(tx: &WriteTx, id: u64, changes: PlantChanges) -> Result<Plant> {
    write(tx, changes.apply(find(tx, id)?))
}

/// Notes that it was watered today.
///
/// # Errors
/// `NOT_FOUND`; `ALREADY_WATERED`.
pub fn water(tx: &WriteTx, id: u64) -> Result<Plant> {
    write(tx, find(tx, id)?.watered(day::of(tx.now()))?)
}

/// Keeps the diary of a plant until it is read; one that waits gives way.
///
/// # Errors
/// `NOT_FOUND`.
pub fn keep_diary(tx: &WriteTx, id: u64, diary: &String) -> Result<()> {
    find(tx, id)?;
    tx.put(&DIARIES, id, diary)
}

/// Reads the diary of a plant that waits for it, if there is any.
pub fn read_diary(tx: &WriteTx, id: u64) -> Result<()> {
    let Some(diary) = tx.remove(&DIARIES, id)? else { return Ok(()) };
    write(tx, find(tx, id)?.after_diary(&diary, day::of(tx.now()))).map(drop)
}

/// Removes a plant.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    PLANTS.remove(tx, id)?.ok_or_else(|| Error::not_found("plant"))?;
    tx.remove(&DIARIES, id)?;
    tx.announce(CHANGED);
    Ok(())
}

pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<Plant> {
    tx.get(&PLANTS, id)?.ok_or_else(|| Error::not_found("plant"))
}

fn write(tx: &WriteTx, plant: Plant) -> Result<Plant> {
    PLANTS.put(tx, &plant)?;
    tx.announce(CHANGED);
    Ok(plant)
}

fn day_number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::runtime::Runtime;

    use super::*;
    use hanok_base::Clock;
    use hanok_platform::events::Events;
    use hanok_platform::store::{Schema, Store};

    #[test]
    fn plants_of_an_earlier_version_get_their_interval_and_then_their_place_in_the_order() {
        let runtime = Runtime::new().unwrap();
        let _inside = runtime.enter();
        let sunday = "2026-10-11T03:00:00Z".parse().unwrap();
        let store = Store::memory(Clock::fixed(sunday), Events::default()).unwrap();
        let dry = json!({"id": 1, "title": "고사리", "watered_on": null, "due": "2026-10-09"});
        let watered =
            json!({"id": 2, "title": "선인장", "every_days": 30, "watered_on": "2026-10-10", "due": "2026-11-09"});
        let earlier = [watered, dry].map(|plant| plant.as_object().unwrap().clone());
        let put = move |tx: &WriteTx| {
            earlier.iter().try_for_each(|plant| tx.put(&EARLIER, plant["id"].as_u64().unwrap(), plant))
        };
        runtime.block_on(store.write(put)).unwrap();

        let schema = Schema::default().with(TABLES, MIGRATIONS, &[]).deriving(DERIVATIONS);
        assert_eq!(schema.steps().len(), 2);
        for &step in schema.steps() {
            assert!(store.read_now(|tx| step.is_needed(tx)).unwrap(), "{}", step.name);
            runtime.block_on(store.write(move |tx| step.apply(tx))).unwrap();
            assert!(!store.read_now(|tx| step.is_needed(tx)).unwrap(), "{}", step.name);
        }

        let (plants, total) = store.read_now(|tx| list(tx, Page { limit: 10, offset: 0 })).unwrap();
        let intervals: Vec<(&str, u64)> = plants.iter().map(|plant| (plant.title.as_str(), plant.every_days)).collect();
        assert_eq!((intervals, total), (vec![("고사리", 7), ("선인장", 30)], 2));
        assert_eq!(store.read_now(|tx| thirsty(tx, 10)).unwrap(), (plants[..1].to_vec(), 1));
        assert_eq!(store.read_now(|tx| schema.flaws(tx)).unwrap().all(), [""; 0]);
    }
}

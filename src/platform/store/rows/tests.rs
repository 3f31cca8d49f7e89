//! Rows of a made-up table with one of everything that can be derived, whatever happens to them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;
use crate::events::Events;
use crate::store::Store;
use hanok_base::{Clock, Error, Kind, Message, Page, Result};

/// A parcel on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Parcel {
    id: String,
    street: u64,
    number: u64,
    label: Option<String>,
    day: u64,
    grams: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Load {
    parcels: u64,
    grams: u64,
}

const PARCELS: IndexedTable<&'static str, Parcel> = IndexedTable::new(
    "test_parcels-1",
    |parcel| &parcel.id,
    &[&BY_LABEL, &BY_HOUSE, &BY_WEIGHT, &COUNTED, &BY_DAY, &OF_STREET],
);
const BY_LABEL: Index<Parcel, &'static str, String> = Index::unique(
    "test_parcels_by_label-1",
    |parcel| parcel.label.as_deref().map(|label| (label, parcel.id.clone())),
    |_| Error::conflict(Message::english("another parcel has this label")),
);
const BY_HOUSE: Index<Parcel, (u64, &'static str), u64> =
    Index::new("test_parcels_by_house-1", |parcel| Some(((parcel.street, &parcel.id), parcel.number)));
const BY_WEIGHT: CountedIndex<Parcel, (u64, u64), ()> =
    CountedIndex::new("test_parcels_by_weight-1", "test_parcels_by_weight_counts-1", |parcel| {
        (parcel.grams > 0).then_some(((parcel.grams, id_of(parcel)), ()))
    });
const COUNTED: DayCounts<Parcel> = DayCounts::new("test_parcels_counted-1", |parcel| Some(parcel.day * 500));
const BY_DAY: DayCounts<Parcel> =
    DayCounts::new("test_parcels_by_day-1", |parcel| (parcel.day > 2).then_some(parcel.day));
const OF_STREET: RunningTotals<Parcel, u64, Load> = RunningTotals::new(
    "test_parcels_of_street-1",
    |parcel| parcel.street,
    |load, parcel, with| (load.parcels, load.grams) = (with(load.parcels, 1), with(load.grams, parcel.grams)),
    |load| load.parcels == 0,
);

/// Rows that are counted by their own key.
const LETTERS: IndexedTable<u64, u64> = IndexedTable::new("test_letters-1", |letter| *letter, &[&LETTERS_COUNTED]);
const LETTERS_COUNTED: CountedRows<u64, u64> =
    CountedRows::new("test_letters-1", "test_letters_counts-1", |letter| *letter);

fn id_of(parcel: &Parcel) -> u64 {
    parcel.id.len() as u64
}

fn store() -> Store {
    Store::memory(Clock::system(), Events::default()).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn parcel() -> impl Strategy<Value = Parcel> {
    let label = prop::option::of("[ab]");
    ("x{1,8}", 0u64..3, 0u64..3, label, 0u64..6, 0u64..4).prop_map(|(id, street, number, label, day, grams)| Parcel {
        id,
        street,
        number,
        label,
        day,
        grams,
    })
}

proptest! {
    #[test]
    fn whatever_happens_to_the_rows_everything_derived_is_what_deriving_it_anew_gives(
        happenings in prop::collection::vec((parcel(), prop::bool::weighted(0.7)), 1..40),
    ) {
        let store = store();
        let mut expected: BTreeMap<String, Parcel> = BTreeMap::new();
        for (parcel, is_put) in happenings {
            let id = parcel.id.clone();
            let label_is_taken =
                parcel.label.is_some() && expected.values().any(|other| other.id != id && other.label == parcel.label);
            let happens = parcel.clone();
            let outcome = runtime().block_on(store.write(move |tx| match is_put {
                true => PARCELS.put(tx, &happens),
                false => PARCELS.remove(tx, happens.id.as_str()).map(drop),
            }));
            match (is_put, label_is_taken) {
                (true, true) => prop_assert_eq!(outcome.as_ref().unwrap_err().kind, Kind::Conflict),
                (true, false) => drop(expected.insert(id, parcel)),
                (false, _) => drop(expected.remove(&id)),
            }
            prop_assert_eq!(outcome.is_err(), is_put && label_is_taken);
            prop_assert_eq!(store.read_now(|tx| PARCELS.flaws(tx)).unwrap().all(), [""; 0]);
        }
        let rows = store.read_now(|tx| tx.values(&PARCELS, "".., Order::Ascending, 0, usize::MAX)).unwrap();
        prop_assert_eq!(rows, expected.values().cloned().collect::<Vec<_>>());
        let labelled = expected.values().filter(|parcel| parcel.label.is_some()).count() as u64;
        let early = expected.values().filter(|parcel| (3..5).contains(&parcel.day)).count() as u64;
        let grams = expected.values().filter(|parcel| parcel.street == 1).map(|parcel| parcel.grams).sum::<u64>();
        let found = store.read_now(|tx| {
            let load = tx.get(&OF_STREET, 1)?.unwrap_or_default();
            Ok((tx.count(&BY_LABEL)?, BY_DAY.before(tx, 5)?, load.grams))
        });
        prop_assert_eq!(found.unwrap(), (labelled, early, grams));
    }

    #[test]
    fn a_walk_meets_what_the_range_holds_however_it_is_cut_into_portions(
        keys in prop::collection::btree_set(0u64..3_000, 0..400),
        (from, to) in (0u64..3_000, 0u64..3_000),
        descending in any::<bool>(),
        inclusive in any::<bool>(),
    ) {
        const NUMBERS: Table<u64, u64> = Table::new("test_numbers-1");
        let store = store();
        let (all, to) = (keys.clone(), to.max(from));
        runtime().block_on(store.write(move |tx| all.iter().try_for_each(|key| tx.put(&NUMBERS, key, &(key * 2))))).unwrap();
        let order = if descending { Order::Descending } else { Order::Ascending };
        let walked: Result<Vec<_>> = store.read_now(|tx| {
            let entries = match inclusive {
                true => tx.entries(&NUMBERS, from..=to, order),
                false => tx.entries(&NUMBERS, from..to, order),
            };
            Ok(entries.map(|entry| entry.and_then(|entry| Ok((entry.key(), entry.value()?)))).collect())
        }).unwrap();
        let mut expected: Vec<_> = keys.range(from..=to).filter(|key| inclusive || **key < to).map(|key| (*key, key * 2)).collect();
        if descending {
            expected.reverse();
        }
        prop_assert_eq!(walked.unwrap(), expected);
    }
}

#[test]
fn what_does_not_fit_the_rows_is_named_and_a_rebuild_mends_it() {
    type Damage = fn(&WriteTx) -> Result<()>;
    const HOUSES: Table<(u64, &'static str), u64> = Table::new("test_parcels_by_house-1");
    const WEIGHT_COUNTS: Table<(u64, u64, u64, u64), u64> = Table::new("test_parcels_by_weight_counts-1");
    const DAYS: Table<(u64, u64), u64> = Table::new("test_parcels_by_day-1");
    const COUNTS: Table<(u64, u64), u64> = Table::new("test_parcels_counted-1");
    const STREETS: Table<u64, Load> = Table::new("test_parcels_of_street-1");
    const LABELS: Table<&'static str, String> = Table::new("test_parcels_by_label-1");
    let store = store();
    let write = |write: Damage| runtime().block_on(store.write(write)).unwrap();
    let flaws = || store.read_now(|tx| PARCELS.flaws(tx)).unwrap().all();
    write(|tx| {
        for number in 1..5u64 {
            let id = "x".repeat(number as usize);
            let label = Some(format!("label {number}"));
            PARCELS.put(tx, &Parcel { id, street: 1, number, label, day: 4, grams: number })?;
        }
        Ok(())
    });
    assert_eq!(flaws(), [""; 0]);
    let damages: [(&str, Damage); 7] = [
        ("test_parcels_by_house-1: rows that are not in the index: 1 (1, \"xx\": expected is ", |tx| {
            tx.remove(&HOUSES, (1, "xx")).map(drop)
        }),
        (
            "test_parcels_by_house-1: entries without a row: 1 (9, \"nobody\": expected is nothing, but found is 1)",
            |tx| tx.put(&HOUSES, (9, "nobody"), &1),
        ),
        ("test_parcels_by_label-1: rows that are not in the index: 1", |tx| {
            tx.put(&LABELS, "label 2", &"x".to_owned())
        }),
        (
            "test_parcels_by_weight_counts-1: the entries do not add up: in the block from 0, 0 expected is 4, but found is 7",
            |tx| tx.put(&WEIGHT_COUNTS, (1, 0, 0, 0), &7),
        ),
        ("test_parcels_by_day-1: for day 4 expected are 4 rows, but found are 5", |tx| tx.put(&DAYS, (0, 4), &5)),
        ("test_parcels_counted-1: for the 512 days from day 1536 expected are 4 rows, but found are 9", |tx| {
            tx.put(&COUNTS, (1, 3), &9)
        }),
        (
            "test_parcels_of_street-1: for the rows of 1 expected is grams 10, parcels 4, but found is grams 0, parcels 0",
            |tx| tx.put(&STREETS, 1, &Load::default()),
        ),
    ];
    for (named, damage) in damages {
        write(damage);
        let found = flaws();
        assert!(found.len() == 1 && found[0].starts_with(named), "{named}: {found:?}");
        write(|tx| PARCELS.rebuild(tx));
        assert_eq!(flaws(), [""; 0], "{named}");
    }
    const ROWS: Table<&'static str, Parcel> = Table::new("test_parcels-1");
    const BYTES: Table<&'static str, u64> = Table::new("test_parcels-1");
    write(|tx| {
        let parcel = tx.get(&ROWS, "x")?.unwrap();
        tx.put(&ROWS, "moved", &parcel)
    });
    assert!(flaws()[0].contains("\"moved\" lies a row with another key"), "{:?}", flaws());
    write(|tx| tx.put(&BYTES, "moved", &7));
    assert!(flaws()[0].contains("\"moved\" cannot be read"), "{:?}", flaws());
    let [_, not_compared] = &flaws()[..] else { panic!("what is derived is not compared: {:?}", flaws()) };
    let derived = PARCELS.tables()[1..].join(", ");
    assert_eq!(*not_compared, format!("test_parcels-1: so these cannot be compared with it: {derived}"));
}

#[test]
fn what_cannot_be_read_is_named_and_hides_nothing_else_that_is_wrong() {
    const HOUSES: Table<(u64, &'static str), String> = Table::new("test_parcels_by_house-1");
    const LABELS: Table<&'static str, u64> = Table::new("test_parcels_by_label-1");
    const WEIGHT_COUNTS: Table<(u64, u64, u64, u64), String> = Table::new("test_parcels_by_weight_counts-1");
    const DAYS: Table<(u64, u64), String> = Table::new("test_parcels_by_day-1");
    const STREETS: Table<u64, String> = Table::new("test_parcels_of_street-1");
    const BYTES: Table<&'static str, u64> = Table::new("test_parcels-1");
    let store = store();
    let write = |write: fn(&WriteTx) -> Result<()>| runtime().block_on(store.write(write)).unwrap();
    let flaws = || store.read_now(|tx| PARCELS.flaws(tx)).unwrap().all();
    write(|tx| {
        let label = Some("label".to_owned());
        PARCELS.put(tx, &Parcel { id: "x".to_owned(), street: 1, number: 1, label, day: 4, grams: 1 })?;
        let rot = "rot".to_owned();
        tx.put(&LABELS, "label", &7)?;
        tx.put(&HOUSES, (1, "x"), &rot)?;
        tx.put(&WEIGHT_COUNTS, (1, 0, 0, 0), &rot)?;
        tx.put(&DAYS, (0, 4), &rot)?;
        tx.put(&STREETS, 1, &rot)
    });
    let derived = ["by_label-1", "by_house-1", "by_weight_counts-1", "by_day-1", "of_street-1"];
    let found = flaws();
    for (named, table) in found.iter().zip(derived) {
        assert!(named.starts_with(&format!("test_parcels_{table}")) && named.contains("cannot be read"), "{found:?}");
    }
    assert_eq!(found.len(), derived.len(), "{found:?}");
    write(|tx| PARCELS.rebuild(tx));
    assert_eq!(flaws(), [""; 0]);
    write(|tx| ["a", "b", "c", "d", "e"].into_iter().try_for_each(|key| tx.put(&BYTES, key, &7)));
    let found = flaws();
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(found[3], "test_parcels-1: 2 more like these");
    assert!(derived.iter().all(|table| found[4].contains(&format!("test_parcels_{table}"))), "{found:?}");
}

#[test]
fn a_refused_row_leaves_nothing_of_itself_even_when_the_closure_goes_on() {
    let store = store();
    let parcel = |id: &str| {
        let label = Some("the same".to_owned());
        Parcel { id: id.to_owned(), street: 1, number: 1, label, day: 1, grams: 1 }
    };
    let (first, second) = (parcel("first"), parcel("second"));
    let went_on = store.write(move |tx| {
        PARCELS.put(tx, &first)?;
        assert_eq!(PARCELS.put(tx, &second).unwrap_err().kind, Kind::Conflict);
        // Its own label stands in nobody's way.
        PARCELS.put(tx, &Parcel { grams: 2, ..first })
    });
    runtime().block_on(went_on).unwrap();
    let (rows, flaws) = store.read_now(|tx| Ok((tx.count(&PARCELS)?, PARCELS.flaws(tx)?.all()))).unwrap();
    assert_eq!((rows, flaws), (1, Vec::new()));
}

#[test]
fn while_a_range_is_walked_the_same_table_and_others_are_read_and_written() {
    const QUEUE: Table<u64, u64> = Table::new("test_queue-1");
    const DONE: Table<u64, u64> = Table::new("test_done-1");
    fn walk(tx: &impl ReadTransaction, mut visit: impl FnMut(u64, u64) -> Result<()>) -> Result<u64> {
        let mut met = 0;
        for entry in tx.entries(&QUEUE, 0u64.., Order::Ascending) {
            let entry = entry?;
            met += 1;
            assert_eq!(tx.get(&QUEUE, entry.key())?, Some(entry.value()?));
            assert_eq!(tx.first(&QUEUE, entry.key().., Order::Ascending)?.map(|entry| entry.key()), Some(entry.key()));
            tx.count(&DONE)?;
            for inner in tx.entries(&QUEUE, 0u64.., Order::Descending).take(2) {
                inner?.value()?;
            }
            visit(entry.key(), entry.value()?)?;
        }
        Ok(met)
    }
    let store = store();
    let met = runtime().block_on(store.write(|tx| {
        (0..100).try_for_each(|key| tx.put(&QUEUE, key, &(key * 3)))?;
        walk(tx, |key, value| {
            tx.remove(&QUEUE, key)?;
            tx.put(&DONE, key, &value)
        })
    }));
    assert_eq!(met.unwrap(), 100);
    assert_eq!(store.read_now(|tx| Ok((tx.count(&QUEUE)?, tx.count(&DONE)?))).unwrap(), (0, 100));
    runtime().block_on(store.write(|tx| (0..100).try_for_each(|key| tx.put(&QUEUE, key, &key)))).unwrap();
    assert_eq!(store.read_now(|tx| walk(tx, |_, _| Ok(()))).unwrap(), 100);
}

#[test]
fn rows_that_are_counted_by_their_key_are_found_by_their_position() {
    let store = store();
    let written = store.write(|tx| {
        (1..=2_000).try_for_each(|letter| LETTERS.put(tx, &letter))?;
        (1..=2_000).step_by(3).try_for_each(|letter| LETTERS.remove(tx, letter).map(drop))
    });
    runtime().block_on(written).unwrap();
    let page = Page { limit: 3, offset: 1_000 };
    let found = store.read_now(|tx| {
        assert_eq!(LETTERS.flaws(tx)?.all(), [""; 0]);
        LETTERS_COUNTED.page(tx, 0..=u64::MAX, Order::Ascending, page)
    });
    let expected: Vec<u64> = (1..=2_000).filter(|letter| letter % 3 != 1).skip(1_000).take(3).collect();
    assert_eq!(found.unwrap(), expected);
    runtime().block_on(store.write(|tx| LETTERS.rebuild(tx))).unwrap();
    assert_eq!(store.read_now(|tx| LETTERS.flaws(tx)).unwrap().all(), [""; 0]);
}

#[test]
fn a_row_that_moves_to_where_a_block_begins_is_counted_once() {
    let store = store();
    let parcel = |grams| Parcel { id: "x".to_owned(), street: 0, number: 0, label: None, day: 0, grams };
    for grams in 1..1_000 {
        let parcel = parcel(grams);
        runtime().block_on(store.write(move |tx| PARCELS.put(tx, &parcel))).unwrap();
        assert_eq!(store.read_now(|tx| PARCELS.flaws(tx)).unwrap().all(), [""; 0], "{grams} grams");
    }
}

#[tokio::test]
async fn rows_counted_in_another_table_than_their_own_are_a_flaw() {
    const STRAYED: IndexedTable<u64, u64> = IndexedTable::new("test_strayed-1", |row| *row, &[&LETTERS_COUNTED]);
    let store = store();
    let flaws = store.read(|tx| STRAYED.flaws(tx)).await.unwrap().all();
    assert_eq!(flaws, ["test_strayed-1: what is derived from it reads the rows of test_letters-1"]);
}

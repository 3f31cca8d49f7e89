use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::events::Events;
use crate::store::Store;
use hanok_base::Clock;

const ROWS: Table<(u64, u64), u64> = Table::new("test_rows-1");

fn counts(tx: &impl ReadTransaction, positions: &Positions<(u64, u64)>) -> Vec<(Block, u64)> {
    let all = all(tx, &positions.counts).map(|count| count.and_then(|count| Ok((count.key(), count.value()?))));
    all.filter(|count| count.as_ref().is_ok_and(|(_, rows)| *rows > 0)).collect::<Result<_>>().unwrap()
}

proptest! {
    #[test]
    fn every_page_is_what_walking_gives_whatever_was_added_and_removed(
        // Far more blocks than in life, so that few rows have many.
        bits in 1u32..3,
        changes in prop::collection::vec((any::<bool>(), 0u64..6, 0u64..40), 0..300),
        asked in (0u64..7, 0u64..7, 0usize..200, 1usize..30, any::<bool>()),
    ) {
        let positions = Positions { bits, near: 0, ..Positions::new("test_counts-1") };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let store = Store::memory(Clock::system(), Events::default()).unwrap();
        let (from, to, offset, limit, ascending) = asked;
        let written = runtime.block_on(store.write(move |tx| {
            let mut expected = BTreeSet::new();
            for (adds, first, second) in changes {
                let key = (first, second);
                if !adds && expected.remove(&key) {
                    tx.remove(&ROWS, key)?;
                    positions.remove(tx, key)?;
                } else if adds && expected.insert(key) {
                    positions.add(tx, &ROWS, key)?;
                    tx.put(&ROWS, key, &(first * 100 + second))?;
                }
            }
            let range = (from, 0)..=(to, u64::MAX);
            let in_range = expected.iter().copied().filter(|key| range.contains(key));
            let wanted: Vec<_> = if ascending {
                in_range.skip(offset).take(limit).collect()
            } else {
                in_range.rev().skip(offset).take(limit).collect()
            };
            let order = if ascending { Order::Ascending } else { Order::Descending };
            let found = positions.page(tx, &ROWS, range, order, Page { limit, offset })?;
            let places: Vec<_> = (0..=expected.len() as u64).map(|place| positions.at(tx, &ROWS, place).unwrap()).collect();
            let kept = counts(tx, &positions);
            let flaws = positions.flaws(tx, &ROWS)?;
            positions.rebuild(tx, &ROWS)?;
            Ok((expected, wanted, found, places, flaws, kept, counts(tx, &positions)))
        }));
        let (expected, wanted, found, places, flaws, kept, counted) = written.unwrap();
        prop_assert!(found.iter().all(|((first, second), value)| first * 100 + second == *value));
        prop_assert_eq!(found.into_iter().map(|(key, _)| key).collect::<Vec<_>>(), wanted);
        prop_assert_eq!(places, expected.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
        prop_assert_eq!(flaws, [""; 0]);
        prop_assert_eq!(counted, kept, "counting anew gives what was kept");
    }
}

//! Taking back what one closure wrote, while what its neighbours wrote in the same transaction stays.

use super::table::Table;

/// What a closure has replaced so far, oldest first.
#[derive(Default)]
pub(in crate::store) struct Undo(Vec<Step>);

struct Step {
    table: &'static str,
    key: Vec<u8>,
    before: Option<Vec<u8>>,
    put_back: PutBack,
}

/// Puts the value back under its key, or removes what is there when there was none.
type PutBack = fn(&redb::WriteTransaction, &Step) -> Result<(), redb::Error>;

impl Undo {
    /// Takes note that `before` stood under `key` until now.
    pub fn note<K: redb::Key + 'static, V>(
        &mut self,
        table: &Table<K, V>,
        key: &K::SelfType<'_>,
        before: Option<&[u8]>,
    ) {
        self.0.push(Step {
            table: table.name(),
            key: K::as_bytes(key).as_ref().to_vec(),
            before: before.map(<[u8]>::to_vec),
            put_back: put_back::<K>,
        });
    }

    /// Puts back everything, newest first.
    pub fn take_back(self, transaction: &redb::WriteTransaction) -> Result<(), redb::Error> {
        self.0.iter().rev().try_for_each(|step| (step.put_back)(transaction, step))
    }
}

fn put_back<K: redb::Key + 'static>(transaction: &redb::WriteTransaction, step: &Step) -> Result<(), redb::Error> {
    let mut table = transaction.open_table(Table::<K, ()>::new(step.table).definition())?;
    let key = K::from_bytes(&step.key);
    match &step.before {
        Some(before) => drop(table.insert(key, before.as_slice())?),
        None => drop(table.remove(key)?),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::mpsc;

    use proptest::prelude::*;

    use super::super::{Order, ReadTransaction};
    use super::*;
    use crate::events::Events;
    use crate::store::Store;
    use hanok_base::{Clock, Error, Message};

    const LEFT: Table<u64, u32> = Table::new("test_left-1");
    const RIGHT: Table<(u64, u64), u32> = Table::new("test_right-1");

    /// What a closure does, and whether it fails after it has done so.
    #[derive(Debug, Clone)]
    struct Turn {
        steps: Vec<(bool, u64, Option<u32>)>,
        fails: bool,
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let step = (any::<bool>(), 0u64..4, proptest::option::of(0u32..9));
        let turn = (prop::collection::vec(step, 0..6), any::<bool>()).prop_map(|(steps, fails)| Turn { steps, fails });
        prop::collection::vec(turn, 1..12)
    }

    proptest! {
        #[test]
        fn in_a_shared_transaction_only_what_did_not_fail_stays(turns in turns()) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let clock = Clock::fixed("2026-10-10T12:00:00Z".parse().unwrap());
            let store = Store::memory(clock, Events::default()).unwrap();
            let mut expected = BTreeMap::new();
            for turn in turns.iter().filter(|turn| !turn.fails) {
                for (left, key, value) in &turn.steps {
                    match value {
                        Some(value) => drop(expected.insert((*left, *key), *value)),
                        None => drop(expected.remove(&(*left, *key))),
                    }
                }
            }
            runtime.block_on(async {
                // All of them wait behind this one, and so come into one batch.
                let (go, wait) = mpsc::channel();
                let held = store.writer.alone(move |_| wait.recv().map_err(Error::internal));
                let all = turns.into_iter().map(|turn| store.write(move |tx| {
                    for (left, key, value) in turn.steps {
                        match (left, value) {
                            (true, Some(value)) => tx.put(&LEFT, key, &value)?,
                            (true, None) => drop(tx.remove(&LEFT, key)?),
                            (false, Some(value)) => tx.put(&RIGHT, (key, 1), &value)?,
                            (false, None) => drop(tx.remove(&RIGHT, (key, 1))?),
                        }
                    }
                    if turn.fails { Err(Error::conflict(Message::english("on purpose"))) } else { Ok(()) }
                }));
                let all = futures_util::future::join_all(all);
                let release = async move { go.send(()).unwrap() };
                tokio::join!(biased; held, all, release).0.unwrap();
            });
            let found = store.read_now(|tx| {
                let mut found = BTreeMap::new();
                for entry in tx.entries(&LEFT, 0u64.., Order::Ascending) {
                    let entry = entry?;
                    found.insert((true, entry.key()), entry.value()?);
                }
                for entry in tx.entries(&RIGHT, (0, 0).., Order::Ascending) {
                    let entry = entry?;
                    found.insert((false, entry.key().0), entry.value()?);
                }
                Ok(found)
            }).unwrap();
            prop_assert_eq!(found, expected);
        }
    }
}

//! An import that is torn, by the end of the process or by another hand, ends as in one go.

use std::collections::BTreeMap;

use hanok_platform::store::{Order, Schema, Table};

use super::super::super::super::model::{Finished, TableLine, compare};
use super::super::super::super::store::DERIVATIONS;
use super::*;

const TAKEN: Table<u64, BTreeSet<u64>> = Table::new("lottery_table_import_taken-1");

/// Lines that all say the same, but for prizes and tickets.
fn line() -> impl Strategy<Value = String> {
    (select(vec!["", "5000", "5000", "7"]), 0..6).prop_map(|(prize, ticket)| {
        let ticket = if ticket < 3 { String::new() } else { format!("1240-128876033{ticket}") };
        format!("1240,5,{prize},{ticket},\n")
    })
}

/// Mostly the one in which most is at stake.
fn of_repeated() -> impl Strategy<Value = OfRepeated> {
    select(vec![OfRepeated::Add, OfRepeated::LeaveOut, OfRepeated::TakePrizes, OfRepeated::TakePrizes])
}

pub(super) fn alike(most: usize) -> impl Strategy<Value = String> {
    table_of(line(), most)
}

#[tokio::test]
async fn a_purchase_that_a_finished_line_went_with_goes_with_no_other_line() {
    let house = House::open();
    house.import(&format!("{HEADER}1240,5,5000,1240-1288760331,\n1240,5,,,\n"), OfRepeated::Add, 250).await;
    let text = format!("{HEADER}1240,5,5000,1240-1288760339,\n1240,5,5000,,\n1240,5,7,,\n");
    let id = house.begin(&text, OfRepeated::TakePrizes).await;
    // The second purchase takes the prize of the first line; the process ends.
    house.write_lines(id, 1).await;
    write_down(&house.0, id, 250).await.unwrap();
    let prizes: Vec<_> = house.purchases().await.iter().map(Purchase::entered_prize).collect();
    assert_eq!(prizes, [Some(5000), Some(5000), Some(7)]);
}

#[tokio::test]
async fn a_table_that_gives_way_to_another_one_leaves_its_purchases_to_that() {
    let house = House::open();
    let text = format!("{HEADER}1240,5,,,\n1240,5,7,,\n");
    let given_up = house.begin(&text, OfRepeated::LeaveOut).await;
    house.write_lines(given_up, 1).await;
    assert_eq!(house.import(&text, OfRepeated::LeaveOut, 250).await, (1, 1, 0));
    assert_eq!(house.import(&text, OfRepeated::LeaveOut, 250).await, (0, 2, 0));
}

#[tokio::test]
async fn a_table_that_an_earlier_program_has_begun_loses_no_line() {
    let house = House::open();
    let id = house.begin("draw_no,count,id\n1240,5,7\n1240,5,8\n1240,5,9\n", OfRepeated::LeaveOut).await;
    let schema = Schema::default().deriving(DERIVATIONS);
    let step = schema.steps().iter().find(|step| step.name.contains("lines of a table")).copied().unwrap();
    let store = &house.0.data.store;
    assert!(!store.read(move |tx| step.is_needed(tx)).await.unwrap(), "nothing is written down yet");
    house.write_lines(id, 2).await;
    assert!(!store.read(move |tx| step.is_needed(tx)).await.unwrap());
    store.write(|tx| tx.clear(&TAKEN)).await.unwrap();
    assert!(store.read(move |tx| step.is_needed(tx)).await.unwrap());
    store.write(move |tx| step.apply(tx)).await.unwrap();
    assert!(!store.read(move |tx| step.is_needed(tx)).await.unwrap());
    write_down(&house.0, id, 250).await.unwrap();
    assert_eq!(house.rows().await.len(), 3);
    assert_eq!(store.read(|tx| tx.count(&TAKEN)).await.unwrap(), 0, "kept no longer than it is needed");
}

/// What another hand does between two lines.
#[derive(Debug, Clone, Copy)]
enum Hand {
    Adds,
    Removes,
    Rests,
}

/// Mostly it rests: what it removes may have been that of any line.
const HANDS: [Hand; 6] = [Hand::Adds, Hand::Adds, Hand::Removes, Hand::Rests, Hand::Rests, Hand::Rests];

impl House {
    /// Another hand writes down what a line says. A ticket that is written down already is not taken.
    pub(super) async fn add(&self, line: &str) -> Option<Purchase> {
        let line = read_table(&format!("{HEADER}{line}"), testing::draw_night()).purchases.remove(0);
        let _ = self.0.data.store.write(move |tx| purchases::add(tx, line.purchase)).await;
        None
    }

    /// Another hand removes a purchase. Gives it.
    async fn remove(&self, place: usize) -> Option<Purchase> {
        let id = self.purchases().await.get(place)?.id;
        Some(self.0.data.store.write(move |tx| purchases::remove(tx, id)).await.unwrap())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_table_that_is_torn_after_whichever_line_gives_the_same_rows_as_in_one_go(
        before in alike(4),
        text in alike(6),
        of_repeated in of_repeated(),
    ) {
        run(async {
            let whole = House::open();
            whole.import(&before, OfRepeated::Add, 250).await;
            let done = whole.import(&text, of_repeated, 250).await;
            let lines = text.lines().count() - 1;
            for torn_after in 0..=lines {
                let torn = House::open();
                torn.import(&before, OfRepeated::Add, 250).await;
                let id = torn.begin(&text, of_repeated).await;
                torn.write_lines(id, torn_after).await;
                let Import { added, left_out, prizes, .. } = write_down(&torn.0, id, 250).await.unwrap();
                prop_assert_eq!((added, left_out, prizes), done, "torn after {}", torn_after);
                prop_assert_eq!(torn.rows().await, whole.rows().await, "torn after {}", torn_after);
            }
            Ok(())
        })?;
    }

    #[test]
    fn no_line_is_lost_and_no_prize_overwritten_while_another_hand_adds_and_removes_purchases(
        before in alike(4),
        text in alike(6),
        hands in proptest::collection::vec((select(HANDS.to_vec()), 0..4usize, line()), 6),
        of_repeated in of_repeated(),
    ) {
        run(async {
            let house = House::open();
            house.import(&before, OfRepeated::Add, 250).await;
            let lines = compare(read_table(&text, testing::draw_night()).purchases, [], &Finished::default()).0;
            let id = house.begin(&text, of_repeated).await;
            let (mut removed, mut written, mut went_with) = (Vec::new(), 0, BTreeMap::new());
            for ((hand, place, other), line) in hands.into_iter().zip(&lines) {
                let before = house.purchases().await.len();
                house.write_lines(id, 1).await;
                let more = house.purchases().await.len() - before;
                prop_assert!(more <= 1, "a line is written once");
                written += more as u64;
                let taken = house.0.data.store.read(|tx| tx.values(&TAKEN, 0.., Order::Descending, 0, 1)).await.unwrap();
                for purchase in taken.into_iter().flatten() {
                    let other = went_with.insert(purchase, line);
                    prop_assert!(other.is_none(), "{} goes with {:?} and {:?}", purchase, other, line);
                }
                removed.extend(match hand {
                    Hand::Adds => house.add(&other).await,
                    Hand::Removes => house.remove(place).await,
                    Hand::Rests => None,
                });
            }
            let Import { done, added, left_out, prizes, .. } = write_down(&house.0, id, 250).await.unwrap();
            prop_assert_eq!((done, added + left_out), (lines.len() as u64, lines.len() as u64));
            prop_assert!(written <= added && prizes <= left_out);
            let names_prize = |line: &TableLine| {
                line.purchase.entered_prize().filter(|_| of_repeated == OfRepeated::TakePrizes)
            };
            for purchase in house.purchases().await {
                let prize = went_with.get(&purchase.id).and_then(|line| names_prize(line));
                prop_assert!(prize.is_none() || purchase.entered_prize() == prize, "{:?}", purchase);
            }
            // What was removed may have been a line's.
            let mut found: Vec<_> = house.purchases().await.iter().chain(&removed).map(Purchase::entered_prize).collect();
            let mut prizes: Vec<_> = lines.iter().filter(|line| line.same_as_line.is_none()).collect();
            prizes.sort_by_key(|line| line.purchase.entered_prize().is_none());
            for line in prizes {
                let prize = names_prize(line);
                let place = found.iter().position(|found| prize.is_none() || *found == prize);
                prop_assert!(place.is_some(), "{:?} of {}", line, text);
                found.remove(place.unwrap());
            }
            Ok(())
        })?;
    }
}

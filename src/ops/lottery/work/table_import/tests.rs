use proptest::prelude::*;
use proptest::sample::select;

use super::super::super::model::{Purchase, read_table};
use super::super::purchase_table;
use super::*;
use hanok_base::Clock;
use hanok_platform::jobs::Jobs;
use hanok_platform::store::ReadTransaction;
use hanok_platform::testing;

const HEADER: &str = "draw_no,count,prize,ticket,note\n";

/// What a purchase says, without its id and the time at which it was written down.
type Row = (u32, u64, u64, Option<u64>, Option<String>, String);

struct House(App);

impl House {
    fn open() -> House {
        House(testing::app(&Clock::fixed(testing::draw_night()), Jobs::default()))
    }

    /// Begins to write a table down. Gives the number of the import.
    async fn begin(&self, text: &str, of_repeated: OfRepeated) -> u64 {
        let lines = purchase_table::check(&self.0, text.to_owned().into(), Some(of_repeated)).await.unwrap();
        let text = text.to_owned();
        let begin = move |tx: &WriteTx| {
            let newest = imports::newest(tx)?.map_or(0, |import| import.id);
            let import = Import { id: newest + 1, lines, of_repeated: Some(of_repeated), ..Import::default() };
            imports::keep(tx, &import, &text).map(|()| import.id)
        };
        self.0.data.store.write(begin).await.unwrap()
    }

    async fn import(&self, text: &str, of_repeated: OfRepeated, at_once: usize) -> (u64, u64, u64) {
        let id = self.begin(text, of_repeated).await;
        let Import { added, left_out, prizes, .. } = write_down(&self.0, id, at_once).await.unwrap();
        (added, left_out, prizes)
    }

    /// Writes the next lines down and no more, as where the process ends behind them.
    async fn write_lines(&self, id: u64, lines: usize) {
        let (import, table) = self.0.data.store.read(move |tx| KeptTable::read(tx, id)).await.unwrap();
        if lines == 0 || import.is_whole() {
            return;
        }
        let write = move |tx: &WriteTx| {
            let (import, part) = table.plan_few(tx, lines)?;
            write_part(tx, import, part)
        };
        self.0.data.store.write(write).await.unwrap();
    }

    async fn purchases(&self) -> Vec<Purchase> {
        self.0.data.store.read(|tx| purchases::all(tx)).await.unwrap()
    }

    async fn rows(&self) -> Vec<Row> {
        let row = |one: Purchase| (one.draw_no, one.count, one.amount, one.entered_prize(), one.ticket, one.note);
        self.purchases().await.into_iter().map(row).collect()
    }

    async fn sorted(&self) -> Vec<Row> {
        let mut rows = self.rows().await;
        rows.sort();
        rows
    }

    async fn export(&self) -> String {
        purchase_table::exported(&self.0, true).await.unwrap().1
    }
}

/// Writes down what is left of a table, at most `at_once` lines at a time.
async fn write_down(app: &App, id: u64, at_once: usize) -> Result<Import> {
    Writing::begin(app, id, at_once).await?.finish(None).await
}

/// A table of lines that may repeat each other, with tickets and prizes; none of them is refused.
fn table(most: usize) -> impl Strategy<Value = String> {
    let cells =
        (select(vec![1239, 1240]), select(vec![1, 5]), select(vec!["", "0", "5000"]), 0..4, select(vec!["", "n"]));
    let line = cells.prop_map(|(draw, count, prize, ticket, note)| {
        let ticket = if ticket < 2 { String::new() } else { format!("{draw}-128876033{ticket}") };
        format!("{draw},{count},{prize},{ticket},{note}\n")
    });
    table_of(line, most)
}

/// A table of at most so many of these lines; none of them is refused.
fn table_of(line: impl Strategy<Value = String>, most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(line, 0..most).prop_map(|lines| {
        let is_taken = |table: &str| read_table(table, testing::draw_night()).refused.is_empty();
        lines.into_iter().fold(HEADER.to_owned(), |table, line| {
            let longer = format!("{table}{line}");
            if is_taken(&longer) { longer } else { table }
        })
    })
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_table_gives_the_same_rows_in_whatever_parts_it_is_written(
        before in table(6),
        text in table(14),
        of_repeated in select(vec![OfRepeated::Add, OfRepeated::LeaveOut, OfRepeated::TakePrizes]),
    ) {
        run(async {
            let mut whole = None;
            for at_once in [usize::MAX, 1, 2, 250] {
                let house = House::open();
                house.import(&before, OfRepeated::Add, 250).await;
                let done = house.import(&text, of_repeated, at_once).await;
                let found = (done, house.rows().await);
                let first = whole.get_or_insert_with(|| found.clone());
                prop_assert_eq!(&*first, &found, "{} at once", at_once);
            }
            Ok(())
        })?;
    }

    #[test]
    fn what_was_written_before_the_process_ended_is_not_written_again(
        before in table(6),
        text in table(14),
        parts in 0..6usize,
        of_repeated in select(vec![OfRepeated::Add, OfRepeated::LeaveOut, OfRepeated::TakePrizes]),
    ) {
        run(async {
            let (whole, torn) = (House::open(), House::open());
            for house in [&whole, &torn] {
                house.import(&before, OfRepeated::Add, 250).await;
            }
            let done = whole.import(&text, of_repeated, 250).await;
            let id = torn.begin(&text, of_repeated).await;
            for _ in 0..parts {
                // Planned anew for each line, as after a start.
                torn.write_lines(id, 1).await;
            }
            let Import { added, left_out, prizes, .. } = write_down(&torn.0, id, 2).await.unwrap();
            prop_assert_eq!((added, left_out, prizes), done);
            prop_assert_eq!(torn.rows().await, whole.rows().await);
            Ok(())
        })?;
    }

    #[test]
    fn an_export_gives_the_same_purchases_elsewhere_and_brings_back_here_what_is_missing(
        text in table(14),
        removed in proptest::collection::vec(any::<bool>(), 14),
    ) {
        run(async {
            let (house, other) = (House::open(), House::open());
            house.import(&text, OfRepeated::Add, 250).await;
            let export = house.export().await;
            other.import(&export, OfRepeated::LeaveOut, 2).await;
            prop_assert_eq!(other.rows().await, house.rows().await);
            let all = house.sorted().await;
            for of_repeated in [OfRepeated::LeaveOut, OfRepeated::TakePrizes] {
                let (added, _, prizes) = house.import(&export, of_repeated, 2).await;
                prop_assert_eq!((added, prizes), (0, 0));
            }
            for (purchase, _) in house.purchases().await.iter().zip(&removed).filter(|(_, removed)| **removed) {
                let id = purchase.id;
                house.0.data.store.write(move |tx| purchases::remove(tx, id)).await.unwrap();
            }
            house.import(&export, OfRepeated::TakePrizes, 2).await;
            prop_assert_eq!(house.sorted().await, all);
            Ok(())
        })?;
    }

    #[test]
    fn no_prize_of_a_table_disappears(before in table(6), text in table(14)) {
        run(async {
            let house = House::open();
            house.import(&before, OfRepeated::Add, 250).await;
            let first_new = house.purchases().await.last().map_or(0, |newest| newest.id) + 1;
            let (lines, _) = house.0.data.store.read({
                let text = text.clone();
                move |tx| imports::compared_anew(tx, read_table(&text, tx.now()).purchases)
            }).await.unwrap();
            house.import(&text, OfRepeated::TakePrizes, 2).await;
            let mut kept = house.purchases().await;
            for line in lines.iter().filter(|line| line.same_as_line.is_none()) {
                let Some(prize) = line.purchase.entered_prize() else { continue };
                let has_it = |one: &Purchase| {
                    // A line with no purchase beside it is one of its own, with its own ticket.
                    let is_meant = match line.written {
                        Some(written) => one.id == written.id,
                        None => {
                            one.id >= first_new
                                && one.says() == line.purchase.says()
                                && one.ticket == line.purchase.ticket
                        }
                    };
                    is_meant && one.entered_prize() == Some(prize)
                };
                let place = kept.iter().position(has_it);
                prop_assert!(place.is_some(), "{:?} of {}", line, text);
                kept.remove(place.unwrap());
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn what_another_hand_has_changed_meanwhile_is_seen_before_the_next_part_is_written() {
    let house = House::open();
    house.import(&format!("{HEADER}1240,5,,,\n"), OfRepeated::Add, 250).await;
    let id = house.begin(&format!("{HEADER}1240,1,,1240-1288760331,\n1240,5,5000,,\n"), OfRepeated::TakePrizes).await;
    let store = &house.0.data.store;
    let mut writing = Writing::begin(&house.0, id, 1).await.unwrap();
    writing.step().await.unwrap();
    store.write(|tx| purchases::complete(tx, 1, Some(0), None)).await.unwrap();
    writing.step().await.unwrap();
    assert_eq!((writing.import.done, house.rows().await.len()), (0, 1), "nothing was written");
    let import = writing.finish(None).await.unwrap();
    assert_eq!((import.added, import.left_out, import.prizes), (1, 1, 1));
    // Its text is not kept longer than it is needed; done again, it has nothing to do.
    assert_eq!(store.read(|tx| imports::text(tx)).await.unwrap(), None);
    assert_eq!(write_down(&house.0, id, 1).await.unwrap(), import);
    assert!(write_down(&house.0, id + 1, 1).await.is_err());
}

#[test]
fn what_became_of_a_table_is_said_without_what_did_not_happen() {
    let said = |added, left_out, prizes| {
        let lines = added + left_out;
        sentence(&Import { lines, done: lines, added, left_out, prizes, ..Import::default() })
    };
    assert_eq!(said(2, 0, 0), "2 written down");
    assert_eq!(said(2, 1, 0), "2 written down; 1 that says the same left out");
    assert_eq!(said(0, 3, 0), "3 that say the same left out");
    assert_eq!(said(0, 3, 1), "3 that say the same left out; 1 prize taken over");
    assert_eq!(said(1, 3, 2), "1 written down; 3 that say the same left out; 2 prizes taken over");
    assert_eq!(said(0, 0, 0), "0 written down");
    assert_eq!(said(1, 3, 2).localized().map(|localized| localized.key.as_str()), Some("house.all"));
    assert_eq!(
        sentence(&Import { lines: 3, done: 2, added: 1, ..Import::default() }),
        "2 of 3 lines are dealt with, 1 written down"
    );
}

mod again;
mod kept;
mod others;
mod torn;

//! A table of which some is written down already.

use super::torn::alike;
use super::*;

impl House {
    async fn prizes(&self) -> Vec<Option<u64>> {
        self.purchases().await.iter().map(Purchase::entered_prize).collect()
    }
}

#[tokio::test]
async fn a_prize_changes_only_when_it_is_chosen_that_prizes_are_taken() {
    let text = |prize: u64| format!("{HEADER}1240,5,{prize},1240-1288760331,\n1240,1,{prize},,\n");
    for (of_repeated, done, prizes) in [
        (OfRepeated::Add, (1, 1, 0), vec![Some(5000), Some(5000), Some(7)]),
        (OfRepeated::LeaveOut, (0, 2, 0), vec![Some(5000), Some(5000)]),
        (OfRepeated::TakePrizes, (0, 2, 2), vec![Some(7), Some(7)]),
    ] {
        let house = House::open();
        house.import(&text(5000), OfRepeated::Add, 250).await;
        assert_eq!(house.import(&text(7), of_repeated, 250).await, done, "{of_repeated:?}");
        assert_eq!(house.prizes().await, prizes, "{of_repeated:?}");
    }
}

#[tokio::test]
async fn a_purchase_that_took_the_prize_of_a_ticket_is_of_that_ticket_from_then_on() {
    let house = House::open();
    let before = "1240,5,7,,\n1240,5,,1240-1288760332,\n1240,5,,,\n1240,5,7,,\n";
    house.import(&format!("{HEADER}{before}"), OfRepeated::Add, 250).await;
    let lines = "1240,5,5000,,\n1240,5,5000,,\n1240,5,5000,1240-1288760330,\n1240,5,7,1240-1288760331,\n";
    let text = format!("{HEADER}{lines}");
    assert_eq!(house.import(&text, OfRepeated::TakePrizes, 250).await, (0, 4, 3));
    let rows = house.rows().await;
    let tickets: BTreeSet<_> = rows.iter().filter_map(|(.., ticket, _)| ticket.as_deref()).collect();
    assert_eq!(tickets.into_iter().collect::<Vec<_>>(), ["1240-1288760330", "1240-1288760331", "1240-1288760332"]);
    assert_eq!(house.import(&text, OfRepeated::TakePrizes, 250).await, (0, 4, 0));
    assert_eq!(house.rows().await, rows);
}

#[tokio::test]
async fn a_ticket_is_given_without_a_prize_and_only_when_it_is_chosen_that_something_is_taken() {
    for (of_repeated, is_given) in [(OfRepeated::LeaveOut, false), (OfRepeated::TakePrizes, true)] {
        let house = House::open();
        house.import(&format!("{HEADER}1240,5,,,\n"), OfRepeated::Add, 250).await;
        let text = format!("{HEADER}1240,5,,1240-1288760331,\n");
        assert_eq!(house.import(&text, of_repeated, 250).await, (0, 1, 0));
        let ticket = house.purchases().await.remove(0).ticket;
        assert_eq!(ticket.as_deref(), is_given.then_some("1240-1288760331"), "{of_repeated:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_table_whose_prizes_were_taken_has_nothing_to_give_a_second_time(before in alike(6), text in alike(8)) {
        run(async {
            let house = House::open();
            house.import(&before, OfRepeated::Add, 250).await;
            house.import(&text, OfRepeated::TakePrizes, 250).await;
            let rows = house.rows().await;
            let (added, _, prizes) = house.import(&text, OfRepeated::TakePrizes, 250).await;
            prop_assert_eq!((added, prizes), (0, 0));
            prop_assert_eq!(house.rows().await, rows);
            Ok(())
        })?;
    }
}

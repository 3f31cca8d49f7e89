//! A table that is written down while others write purchases.

use super::*;

const PART: usize = 10;

#[tokio::test]
async fn an_import_goes_on_while_somebody_writes_a_purchase_between_each_of_its_steps() {
    let house = House::open();
    let lines: String = (0..60).map(|line| format!("1240,1,,,{line}\n")).collect();
    let id = house.begin(&format!("{HEADER}{lines}"), OfRepeated::LeaveOut).await;
    let mut writing = Writing::begin(&house.0, id, PART).await.unwrap();
    let mut steps = 0;
    while !writing.import.is_whole() {
        // What a line says that is not dealt with yet.
        house.add(&format!("1240,1,,,{}\n", 59 - steps)).await;
        writing.step().await.unwrap();
        steps += 1;
        assert!(steps <= 2 + 60 / PART, "it gets on with each step but for a plan and its loss: {:?}", writing.import);
    }
    assert_eq!((writing.import.added, writing.import.left_out), (52, 8));
    let notes: BTreeSet<String> = house.purchases().await.into_iter().map(|purchase| purchase.note).collect();
    assert_eq!((notes.len(), house.rows().await.len()), (60, 60), "each is written once");
}

#[tokio::test]
async fn when_the_others_rest_many_lines_are_planned_at_a_time_again() {
    let house = House::open();
    let lines: String = (0..60).map(|line| format!("1240,1,,,{line}\n")).collect();
    let id = house.begin(&format!("{HEADER}{lines}"), OfRepeated::LeaveOut).await;
    let mut writing = Writing::begin(&house.0, id, PART).await.unwrap();
    writing.step().await.unwrap();
    house.add("1240,5,,,\n").await;
    for is_beside_others in [true, true, false] {
        writing.step().await.unwrap();
        assert_eq!(matches!(writing.next, Step::PlanAndWrite { .. }), is_beside_others, "{:?}", writing.import);
    }
    assert_eq!(writing.import.done, 2 * PART as u64);
    assert_eq!(writing.finish(None).await.unwrap().added, 60);
}

#[tokio::test]
async fn beside_others_no_more_lines_are_planned_than_have_few_purchases_in_their_draws() {
    let house = House::open();
    let of_draw = |draw: u32, count: u32| (0..count).map(|line| format!("{draw},1,,,{line}\n")).collect::<String>();
    house.import(&format!("{HEADER}{}", of_draw(1239, 400)), OfRepeated::Add, 250).await;
    // Both draws together have more lines and purchases than are looked at, and without the purchases they have not.
    let text = format!("{HEADER}1239,5,,,\n{}{}", of_draw(1240, 1_900), of_draw(1239, 1_800));
    let id = house.begin(&text, OfRepeated::LeaveOut).await;
    let done = async || house.0.data.store.read(|tx| imports::newest(tx)).await.unwrap().unwrap().done;
    for dealt_with in [1, 251] {
        house.write_lines(id, 250).await;
        assert_eq!(done().await, dealt_with, "first the line before the next draw");
    }
}

use chrono::{DateTime, Utc};

use super::super::read_table;
use super::*;

fn now() -> DateTime<Utc> {
    "2026-10-17T03:00:00Z".parse().unwrap()
}

fn lines(text: &str) -> Vec<ReadLine> {
    let table = read_table(text, now());
    assert_eq!(table.refused, []);
    table.purchases
}

/// The id of the purchase that goes with each line, and the line before it that says the same. The purchases are those of
/// `written`, with ids from 1 on.
fn compared(written: &str, text: &str) -> Vec<(Option<u64>, Option<u64>)> {
    let written = lines(written).into_iter().zip(1..).map(|(line, id)| Purchase { id, ..line.purchase });
    let found = compare(lines(text), written.collect::<Vec<_>>(), &Finished::default()).0;
    found.into_iter().map(|line| (line.written.map(|written| written.id), line.same_as_line)).collect()
}

#[test]
fn two_bundles_of_which_one_won_are_two() {
    let text = "draw_no,count,amount,prize\n1240,5,5000,\n1240,5,5000,5000\n";
    let none = "draw_no,count\n";
    assert_eq!(compared(none, text), [(None, None), (None, None)]);
    assert_eq!(compared(text, text), [(Some(1), None), (Some(2), None)]);
    assert_eq!(compared("draw_no,count,prize\n1240,5,0\n", text), [(Some(1), None), (None, None)]);
}

#[test]
fn two_tickets_are_two_and_beside_one_without_a_ticket_what_else_is_said_decides() {
    let text =
        "draw_no,count,ticket\n1241,5,\n1241,5,1241-1288760331\n1241,5,1241-1288760332\n1241,5,1241-1288760332\n";
    assert_eq!(compared("draw_no,count\n", text), [(None, None), (None, None), (None, None), (None, Some(4))]);
    let one = "draw_no,count,ticket\n1241,5,1241-1288760332\n";
    assert_eq!(compared(one, text), [(None, None), (None, None), (Some(1), None), (None, Some(4))]);
    assert_eq!(compared("draw_no,count\n1241,5\n", one), [(Some(1), None)]);
    assert_eq!(compared(one, "draw_no,count\n1241,5\n"), [(Some(1), None)]);
}

#[test]
fn lines_with_numbers_of_their_own_are_as_many_purchases() {
    let none = "draw_no,count\n";
    let numbered = |second: u64| format!("draw_no,count,id\n1241,5,7\n1241,5,{second}\n");
    assert_eq!(compared(none, &numbered(8)), [(None, None), (None, None)]);
    assert_eq!(compared(none, &numbered(7)), [(None, None), (None, Some(2))]);
    assert_eq!(compared("draw_no,count\n1241,5\n", &numbered(8)), [(Some(1), None), (None, None)]);
    assert_eq!(compared(none, "draw_no,count\n1241,5\n1241,5\n"), [(None, None), (None, Some(2))]);
}

#[test]
fn a_prize_goes_to_the_purchase_that_has_it_before_one_that_has_none_or_another() {
    let written = "draw_no,count,prize\n1240,5,0\n1240,5,\n1240,5,5000\n";
    assert_eq!(
        compared(written, "draw_no,count,prize\n1240,5,5000\n1240,5,50000\n1240,5,7\n1240,5,8\n"),
        [(Some(3), None), (Some(2), None), (Some(1), None), (None, None)]
    );
    assert_eq!(compared(written, "draw_no,count,prize\n1240,5,7\n1240,5,\n"), [(Some(1), None), (Some(2), None)]);
}

use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn repeat(json: &str, due: &str) -> Repeat {
    let sent: Validated<Repeat> = serde_json::from_str(json).unwrap();
    sent.checked().unwrap().fixed_on(day(due))
}

/// The days that follow when each is done on its day.
fn days(json: &str, due: &str, most: usize) -> Vec<String> {
    let repeat = repeat(json, due);
    let mut last = day(due);
    let mut days = Vec::new();
    while days.len() < most {
        let Some(next) = repeat.next(last, last, last) else { break };
        days.push(next.to_string());
        last = next;
    }
    days
}

#[test]
fn each_unit_counts_from_the_due_day() {
    assert_eq!(days(r#"{"every":"day"}"#, "2026-12-30", 3), ["2026-12-31", "2027-01-01", "2027-01-02"]);
    assert_eq!(days(r#"{"every":"day","interval":3}"#, "2026-11-21", 2), ["2026-11-24", "2026-11-27"]);
    let weekdays = r#"{"every":"week","weekdays":["fri","mon","tue","wed","thu","mon"]}"#;
    assert_eq!(days(weekdays, "2026-11-19", 3), ["2026-11-20", "2026-11-23", "2026-11-24"]);
    assert_eq!(days(r#"{"every":"week"}"#, "2026-11-21", 2), ["2026-11-28", "2026-12-05"]);
    let fortnight = r#"{"every":"week","interval":2,"weekdays":["tue","thu"]}"#;
    assert_eq!(days(fortnight, "2026-11-24", 3), ["2026-11-26", "2026-12-08", "2026-12-10"]);
    assert_eq!(days(r#"{"every":"month"}"#, "2026-11-21", 2), ["2026-12-21", "2027-01-21"]);
    assert_eq!(days(r#"{"every":"year"}"#, "2026-11-21", 2), ["2027-11-21", "2028-11-21"]);
}

#[test]
fn short_months_have_it_on_their_last_day_and_the_others_on_its_own() {
    let last = days(r#"{"every":"month","day":31}"#, "2027-01-31", 4);
    assert_eq!(last, ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]);
    assert_eq!(days(r#"{"every":"month"}"#, "2027-12-30", 3), ["2028-01-30", "2028-02-29", "2028-03-30"]);
    let leap = days(r#"{"every":"year"}"#, "2028-02-29", 4);
    assert_eq!(leap, ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]);
}

#[test]
fn a_week_of_the_month_is_found_and_five_is_the_last() {
    let third = r#"{"every":"month","week":3,"weekdays":["sat"]}"#;
    assert_eq!(days(third, "2026-11-21", 2), ["2026-12-19", "2027-01-16"]);
    let last = r#"{"every":"month","week":5,"weekdays":["fri"]}"#;
    assert_eq!(days(last, "2026-11-21", 3), ["2026-11-27", "2026-12-25", "2027-01-29"]);
    let second = r#"{"every":"year","month":5,"week":2,"weekdays":["mon"]}"#;
    assert_eq!(days(second, "2026-11-21", 2), ["2027-05-10", "2028-05-08"]);
}

#[test]
fn after_a_month_away_one_comes_and_not_before_the_day_it_was_done() {
    let next =
        |json: &str, due: &str, done: &str| repeat(json, due).next(day(due), day(due), day(done)).unwrap().to_string();
    assert_eq!(next(r#"{"every":"day"}"#, "2026-10-20", "2026-11-21"), "2026-11-21");
    assert_eq!(next(r#"{"every":"day","interval":3}"#, "2026-11-01", "2026-11-20"), "2026-11-22");
    assert_eq!(next(r#"{"every":"week","weekdays":["mon"]}"#, "2026-10-19", "2026-11-21"), "2026-11-23");
    assert_eq!(next(r#"{"every":"week","interval":2}"#, "2026-10-05", "2026-11-21"), "2026-11-30");
    assert_eq!(next(r#"{"every":"month"}"#, "2026-01-31", "2026-11-21"), "2026-11-30");
    assert_eq!(next(r#"{"every":"year"}"#, "2020-12-24", "2026-11-21"), "2026-12-24");
    // Done before its day: the next one is not the same again.
    assert_eq!(next(r#"{"every":"week"}"#, "2026-11-27", "2026-11-21"), "2026-12-04");
}

#[test]
fn one_that_is_moved_neither_moves_those_that_follow_nor_comes_twice() {
    let next = |json: &str, own: &str, moved: &str, done: &str| {
        repeat(json, own).next(day(own), day(moved), day(done)).unwrap().to_string()
    };
    let weekly = r#"{"every":"week"}"#;
    // Onto the day of the next one, and behind it: those that were passed over come no more.
    assert_eq!(next(weekly, "2026-11-27", "2026-12-04", "2026-12-04"), "2026-12-11");
    assert_eq!(next(weekly, "2026-11-27", "2026-12-07", "2026-11-28"), "2026-12-11");
    assert_eq!(next(weekly, "2026-11-27", "2026-11-30", "2026-12-04"), "2026-12-04");
    assert_eq!(next(r#"{"every":"month","from":"done"}"#, "2026-11-01", "2026-11-05", "2026-11-10"), "2026-12-10");
}

#[test]
fn from_doing_it_is_counted_from_the_day_it_was_done() {
    let first = day("2026-11-01");
    let next = |json: &str, done: &str| repeat(json, "2026-11-01").next(first, first, day(done)).unwrap();
    assert_eq!(next(r#"{"every":"day","interval":10,"from":"done"}"#, "2026-11-21"), day("2026-12-01"));
    assert_eq!(next(r#"{"every":"month","from":"done"}"#, "2027-01-31"), day("2027-02-28"));
    assert_eq!(next(r#"{"every":"week","interval":2,"from":"done"}"#, "2026-11-21"), day("2026-12-05"));
}

#[test]
fn what_does_not_belong_to_its_unit_says_nothing() {
    let odd = repeat(r#"{"every":"day","weekdays":["mon"],"day":3,"week":2,"month":5}"#, "2026-11-21");
    assert_eq!(odd, repeat(r#"{"every":"day"}"#, "2026-11-21"));
}

#[test]
fn a_week_has_seven_days() {
    let weekdays = |count: usize| format!(r#"{{"every":"week","weekdays":{:?}}}"#, vec!["mon"; count]);
    assert_eq!(repeat(&weekdays(7), "2026-11-23").weekdays, [Weekday::Mon]);
    let sent: Validated<Repeat> = serde_json::from_str(&weekdays(8)).unwrap();
    let refused = sent.checked().unwrap_err();
    let refused: Vec<(String, String)> =
        refused.at("repeat").map(|(path, must)| (path, must.text().to_owned())).collect();
    assert_eq!(refused, [("repeat.weekdays".to_owned(), "must be at most 7 weekdays".to_owned())]);
}

#[test]
fn every_refused_part_is_named() {
    let sent: Validated<Repeat> =
        serde_json::from_str(r#"{"every":"moon","interval":0,"day":32,"week":6,"month":13,"from":"x"}"#).unwrap();
    let refused = sent.checked().unwrap_err();
    let parts: Vec<String> = refused.at("repeat").map(|(path, _)| path).collect();
    let expected = ["repeat.day", "repeat.every", "repeat.from", "repeat.interval", "repeat.month", "repeat.week"];
    assert_eq!(parts, expected);
}

#[test]
fn the_last_day_there_is_has_no_next_one() {
    assert_eq!(days(r#"{"every":"year","interval":99}"#, "9950-12-31", 3), Vec::<String>::new());
    assert_eq!(days(r#"{"every":"day"}"#, "9999-12-30", 3), ["9999-12-31"]);
}

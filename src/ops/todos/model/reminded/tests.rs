use super::super::{NewTodo, TodoChanges};
use super::*;
use hanok_base::Request as _;

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// Eight in the evening of Saturday in Seoul.
fn evening() -> DateTime<Utc> {
    instant("2026-10-10T20:00:00+09:00")
}

fn new(rest: &str) -> Todo {
    let sent = format!(r#"{{"title":"약","time":"07:00","remind_before":0,{rest}}}"#);
    NewTodo::check(serde_json::from_str(&sent).unwrap()).unwrap().into_todo(evening())
}

fn changed(todo: Todo, changes: &str, now: DateTime<Utc>) -> Todo {
    TodoChanges::check(serde_json::from_str(changes).unwrap()).unwrap().apply(todo, now)
}

/// When it comes to mind next, in Seoul.
fn next(todo: &Todo) -> String {
    todo.remind_at.map_or("-".to_owned(), |at| at.with_timezone(&day::ZONE).format("%m-%d %H:%M").to_string())
}

/// When it is brought to mind as long as nobody does it, the first `times`.
fn left_open(mut todo: Todo, times: usize) -> Vec<String> {
    let mut all = Vec::new();
    for _ in 0..times {
        all.push(next(&todo));
        let Some(at) = todo.remind_at else { break };
        todo = todo.reminded(at);
    }
    all
}

#[test]
fn one_that_repeats_and_is_left_open_is_brought_to_mind_on_each_of_its_days() {
    for (rest, days) in [
        (r#""repeat":{"every":"day"}"#, ["10-11 07:00", "10-12 07:00", "10-13 07:00"]),
        (r#""due":"2026-10-12","repeat":{"every":"day","interval":3}"#, ["10-12 07:00", "10-15 07:00", "10-18 07:00"]),
        (r#""repeat":{"every":"week","weekdays":["mon","thu"]}"#, ["10-12 07:00", "10-15 07:00", "10-19 07:00"]),
        (r#""repeat":{"every":"month","day":10}"#, ["11-10 07:00", "12-10 07:00", "01-10 07:00"]),
        (r#""repeat":{"every":"day","interval":2,"from":"done"}"#, ["10-12 07:00", "10-14 07:00", "10-16 07:00"]),
    ] {
        assert_eq!(left_open(new(rest), 3), days, "{rest}");
    }
    let once = new(r#""due":"2026-10-12""#);
    assert_eq!(left_open(once, 2), ["10-12 07:00", "-"], "one that does not repeat comes once");
}

#[test]
fn what_is_counted_from_the_evening_before_has_the_first_evening_that_is_still_to_come() {
    let todo = new(r#""repeat":{"every":"day"}"#);
    let before = changed(todo, r#"{"remind_before":660}"#, instant("2026-10-10T20:00:00+09:00"));
    // Eleven hours before seven: that evening at eight has just passed, the next has not.
    assert_eq!(left_open(before, 2), ["10-11 20:00", "10-12 20:00"]);
}

#[test]
fn after_days_of_a_machine_that_was_off_it_comes_once_and_then_on_its_next_day() {
    let todo = new(r#""repeat":{"every":"day"}"#);
    let reminded = todo.reminded(instant("2026-10-14T09:00:00+09:00"));
    assert_eq!(reminded.reminded_for, Some(instant("2026-10-11T07:00:00+09:00")));
    assert_eq!(next(&reminded), "10-15 07:00");
}

#[test]
fn put_off_it_comes_then_and_after_it_on_its_days_again() {
    let (at, later) = (instant("2026-10-11T07:00:00+09:00"), instant("2026-10-11T08:00:00+09:00"));
    let reminded = new(r#""repeat":{"every":"day"}"#).reminded(at);
    let put_off = changed(reminded.clone(), r#"{"remind_at":"2026-10-11T08:00:00+09:00"}"#, at);
    assert_eq!(
        (put_off.reminded_at, left_open(put_off.clone(), 2)),
        (None, ["10-11 08:00", "10-12 07:00"].map(String::from).to_vec())
    );
    let weekly = changed(put_off, r#"{"repeat":{"every":"week"}}"#, at);
    assert_eq!(weekly.remind_at, Some(later), "another repetition leaves what was put off");
    let never = changed(reminded, r#"{"remind_at":null}"#, at);
    assert_eq!(next(&never), "-");
}

#[test]
fn without_its_repetition_it_comes_no_more_and_with_another_on_the_days_of_that() {
    let now = instant("2026-10-11T07:00:00+09:00");
    let reminded = new(r#""repeat":{"every":"day"}"#).reminded(now);
    assert_eq!(next(&changed(reminded.clone(), r#"{"repeat":null}"#, now)), "-");
    assert_eq!(next(&reminded.clone().open_this_once(now)), "-");
    let weekly = changed(reminded.clone(), r#"{"repeat":{"every":"week"}}"#, now);
    assert_eq!((next(&weekly), weekly.reminded_at), ("10-17 07:00".to_owned(), reminded.reminded_at));
    let renamed = changed(reminded.clone(), r#"{"title":"비타민"}"#, now);
    assert_eq!((renamed.remind_at, renamed.reminded_at), (reminded.remind_at, reminded.reminded_at));
}

#[test]
fn a_clock_that_ran_years_ahead_takes_no_day_from_it() {
    let todo = new(r#""repeat":{"every":"day"}"#);
    let planned = todo.remind_at;
    let ahead = todo.reminded(instant("2036-01-01T09:00:00+09:00")).reminded(instant("2036-01-02T09:00:00+09:00"));
    assert_eq!(ahead.still_to_remind(evening()).remind_at, planned);
}

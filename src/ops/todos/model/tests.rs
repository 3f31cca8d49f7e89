use super::*;

fn now() -> DateTime<Utc> {
    "2026-10-10T12:00:00Z".parse().unwrap()
}

fn new(json: &str) -> Todo {
    Todo { id: 1, ..NewTodo::check(serde_json::from_str(json).unwrap()).unwrap().into_todo(now()) }
}

fn changed(todo: &Todo, json: &str) -> Todo {
    TodoChanges::check(serde_json::from_str(json).unwrap()).unwrap().apply(todo.clone(), now())
}

fn milk() -> Todo {
    new(r#"{"title": " 우유 사기 "}"#)
}

#[test]
fn the_time_it_was_done_is_set_and_cleared_with_it() {
    let finish = |done| TodoChanges { done: Some(done), ..TodoChanges::default() };
    let done = finish(true).apply(milk(), now());
    assert_eq!((done.title.as_str(), done.done_at), ("우유 사기", Some(now())));
    let open = finish(false).apply(done, now());
    assert_eq!(open.done_at, None);
}

#[test]
fn every_refused_field_is_named() {
    let sent = serde_json::json!({
        "title": "  ", "note": "x".repeat(10_001), "time": "25:00", "remind_before": -1, "remind_at": "soon",
        "repeat": {"every": "moon"},
    });
    let error = NewTodo::check(serde_json::from_value(sent).unwrap()).unwrap_err();
    let fields: Vec<&str> = error.fields.keys().map(String::as_str).collect();
    assert_eq!(fields, ["note", "remind_at", "remind_before", "repeat.every", "time", "title"]);
}

#[test]
fn an_absent_day_stays_and_null_clears_it() {
    let mut todo = milk();
    todo.due = NaiveDate::from_ymd_opt(2026, 11, 20);
    let stays = TodoChanges::check(serde_json::from_str("{}").unwrap()).unwrap();
    assert_eq!(stays.apply(todo.clone(), now()).due, todo.due);
    let clears = TodoChanges::check(serde_json::from_str(r#"{"due": null}"#).unwrap()).unwrap();
    assert_eq!(clears.apply(todo, now()).due, None);
}
#[test]
fn a_todo_of_an_earlier_version_is_read_as_it_was() {
    let stored = r#"{"id":7,"title":"우유","note":"","due":"2026-11-20","done":false,
        "created_at":"2026-10-10T12:00:00Z","done_at":null}"#;
    let todo: Todo = serde_json::from_str(stored).unwrap();
    assert_eq!((todo.repeat, todo.time, todo.remind_at), (None, None, None));
}

#[test]
fn what_needs_a_day_has_that_of_today() {
    for part in [r#""time":"23:00""#, r#""remind_before":0"#, r#""repeat":{"every":"day"}"#] {
        let todo = new(&format!(r#"{{"title":"물",{part}}}"#));
        assert_eq!(todo.due.unwrap().to_string(), "2026-10-10", "{part}");
    }
}

#[test]
fn it_is_brought_to_mind_before_its_time_or_before_nine_of_its_day() {
    let at = |json: &str| new(json).remind_at.map(|at| at.to_rfc3339());
    let due = r#"{"title":"치과","due":"2026-10-12","#;
    assert_eq!(at(&format!(r#"{due}"time":"15:00","remind_before":30}}"#)), Some("2026-10-12T05:30:00+00:00".into()));
    assert_eq!(at(&format!(r#"{due}"remind_before":0}}"#)), Some("2026-10-12T00:00:00+00:00".into()));
    assert_eq!(at(&format!(r#"{due}"remind_before":1440}}"#)), Some("2026-10-11T00:00:00+00:00".into()));
    assert_eq!(at(&format!(r#"{due}"remind_at":"2026-10-11T11:00:00Z"}}"#)), Some("2026-10-11T11:00:00+00:00".into()));
    // What has passed is not brought to mind.
    assert_eq!(at(r#"{"title":"치과","due":"2026-10-10","time":"20:00","remind_before":0}"#), None);
}

#[test]
fn moving_it_moves_the_reminder_and_clearing_its_day_ends_it() {
    let todo =
        new(r#"{"title":"치과","due":"2026-10-12","time":"15:00","remind_before":30,"repeat":{"every":"week"}}"#);
    let moved = changed(&todo, r#"{"due":"2026-10-13"}"#);
    assert_eq!(moved.remind_at.unwrap().to_rfc3339(), "2026-10-13T05:30:00+00:00");
    assert_eq!(changed(&todo, r#"{"title":"병원"}"#).remind_at, todo.remind_at);
    let later = changed(&todo, r#"{"remind_at":"2026-10-12T06:00:00Z"}"#);
    assert_eq!(later.remind_at.unwrap().to_rfc3339(), "2026-10-12T06:00:00+00:00");
    let cleared = changed(&todo, r#"{"due":null}"#);
    assert_eq!((cleared.time, cleared.remind_before, cleared.remind_at, cleared.repeat), (None, None, None, None));
}

#[test]
fn a_reminder_that_was_named_stays_when_the_day_comes_or_goes_unless_it_is_counted_from_it() {
    let named = new(r#"{"title":"치과","remind_at":"2026-10-11T11:00:00Z"}"#);
    let at = named.remind_at;
    let dated = changed(&named, r#"{"due":"2026-10-13"}"#);
    let moved = changed(&dated, r#"{"due":"2026-10-14","time":"15:00"}"#);
    let cleared = changed(&moved, r#"{"due":null}"#);
    assert_eq!([dated.remind_at, moved.remind_at, cleared.remind_at], [at; 3]);
    let counted = changed(&moved, r#"{"remind_before":60}"#);
    assert_eq!(counted.remind_at.unwrap().to_rfc3339(), "2026-10-14T05:00:00+00:00");
    assert_eq!(changed(&counted, r#"{"remind_before":null}"#).remind_at, None, "it was counted from its day");
    // Brought to mind once and put off to another day, it waits for nobody any more.
    let reminded = Todo { remind_at: None, reminded_at: at, ..dated };
    assert_eq!(changed(&reminded, r#"{"due":"2026-10-15"}"#).reminded_at, None);
}

#[test]
fn one_that_is_moved_goes_on_from_its_own_day_and_one_that_repeats_otherwise_begins_anew() {
    let day = |day: u32| NaiveDate::from_ymd_opt(2026, 10, day);
    let todo = new(r#"{"title":"물 주기","due":"2026-10-12","repeat":{"every":"day","interval":3}}"#);
    let moved = changed(&todo, r#"{"due":"2026-10-13"}"#);
    assert_eq!((moved.due, moved.repeat_day), (day(13), day(12)));
    let done = changed(&moved, r#"{"done":true}"#);
    assert_eq!(done.following(2, now()).unwrap().due, day(15));
    let otherwise = changed(&moved, r#"{"repeat":{"every":"day","interval":2}}"#);
    assert_eq!(otherwise.repeat_day, day(13));
    let anew = changed(&todo, r#"{"due":"2026-10-13","repeat":{"every":"day","interval":3}}"#);
    assert_eq!(anew.repeat_day, day(13));
}

#[test]
fn the_one_that_follows_is_the_same_on_its_next_day() {
    let todo = new(r#"{"title":"물 주기","note":"베란다","due":"2026-10-12","time":"20:00","remind_before":30,
            "repeat":{"every":"week"}}"#);
    let next = changed(&todo, r#"{"done":true}"#).following(2, now()).unwrap();
    assert_eq!((next.id, next.follows, next.title.as_str(), next.note.as_str()), (2, Some(1), "물 주기", "베란다"));
    assert_eq!((next.due, next.done, next.done_at), (NaiveDate::from_ymd_opt(2026, 10, 19), false, None));
    assert_eq!(next.remind_at.unwrap().to_rfc3339(), "2026-10-19T10:30:00+00:00");
    assert_eq!((next.time, next.repeat), (todo.time, todo.repeat));
}

#[test]
fn an_absent_note_stays_and_null_clears_it_as_an_empty_one_does() {
    let noted = Todo { note: "저지방".to_owned(), ..milk() };
    let changed = |sent: &str| {
        let changes = TodoChanges::check(serde_json::from_str(sent).unwrap());
        changes.map(|changes| changes.apply(noted.clone(), now()).note)
    };
    assert_eq!(changed("{}").unwrap(), "저지방");
    assert_eq!(changed(r#"{"note": " 두 개 "}"#).unwrap(), "두 개");
    for clears in [r#"{"note": null}"#, r#"{"note": ""}"#] {
        assert_eq!(changed(clears).unwrap(), "", "{clears}");
    }
    assert!(changed(r#"{"note": 3}"#).unwrap_err().fields.contains_key("note"));
}

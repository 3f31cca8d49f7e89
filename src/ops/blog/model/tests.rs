use serde_json::{Value, json};

use super::*;

fn now() -> DateTime<Utc> {
    "2026-10-10T12:30:00Z".parse().unwrap()
}

fn new(sent: Value) -> Result<Row> {
    NewPost::check(serde_json::from_value(sent).unwrap())?.into_row(now())
}

fn changed(row: &Row, sent: Value) -> Result<Row> {
    PostChanges::check(serde_json::from_value(sent).unwrap())
        .unwrap()
        .apply(row.clone(), now() + chrono::Duration::minutes(1))
}

#[test]
fn a_post_has_today_as_its_day_and_begins_as_its_excerpt_says() {
    let Row { post, plain, .. } =
        new(json!({"title": " 김장 ", "body": "# 김장\n\n배추 **스무** 포기를 절였다.\n"})).unwrap();
    assert_eq!((post.title.as_str(), post.date.to_string().as_str()), ("김장", "2026-10-10"));
    assert_eq!((post.excerpt.as_str(), post.excerpt_given), ("배추 스무 포기를 절였다.", false));
    assert_eq!((post.words, post.minutes, post.version, post.status), (5, 1, 1, Status::Published));
    assert_eq!(plain, "김장\n배추 스무 포기를 절였다.");
}

#[test]
fn an_excerpt_that_was_given_stays_until_it_is_cleared() {
    let row = new(json!({"title": "김장", "body": "배추를 절였다.", "excerpt": "올해 김장"})).unwrap();
    assert_eq!((row.post.excerpt.as_str(), row.post.excerpt_given), ("올해 김장", true));
    let row = changed(&row, json!({"body": "무를 채 썰었다."})).unwrap();
    assert_eq!(row.post.excerpt, "올해 김장");
    for cleared in [json!({"excerpt": null}), json!({"excerpt": " "})] {
        let row = changed(&row, cleared).unwrap();
        assert_eq!((row.post.excerpt.as_str(), row.post.excerpt_given), ("무를 채 썰었다.", false));
        assert_eq!(changed(&row, json!({"body": "끝났다."})).unwrap().post.excerpt, "끝났다.");
    }
}

#[test]
fn only_a_draft_may_have_no_title() {
    assert!(new(json!({"status": "draft"})).is_ok());
    for sent in [json!({}), json!({"title": " "}), json!({"title": "", "status": "published"})] {
        assert!(new(sent).unwrap_err().fields.contains_key("title"));
    }
    let draft = new(json!({"status": "draft", "body": "아직"})).unwrap();
    assert!(changed(&draft, json!({"status": "published"})).unwrap_err().fields.contains_key("title"));
    let post = changed(&draft, json!({"status": "published", "title": "드디어"})).unwrap();
    assert!(changed(&post, json!({"title": ""})).unwrap_err().fields.contains_key("title"));
    // What needs no post to be refused is refused without one.
    let checked = |sent| PostChanges::check(serde_json::from_value(sent).unwrap());
    assert!(checked(json!({"status": "published"})).is_ok() && checked(json!({"title": ""})).is_ok());
    let refused = checked(json!({"tags": [""], "version": 0, "body": "\u{1b}"})).unwrap_err();
    assert_eq!(refused.fields.keys().collect::<Vec<_>>(), ["body", "tags[0]", "version"]);
}

#[test]
fn what_somebody_else_has_written_meanwhile_is_not_written_over() {
    let first = new(json!({"title": "김장", "body": "배추"})).unwrap();
    let theirs = changed(&first, json!({"body": "배추와 무", "version": 1})).unwrap();
    assert_eq!((theirs.post.version, theirs.post.updated_at), (2, now() + chrono::Duration::minutes(1)));
    let refused = changed(&theirs, json!({"body": "배추만", "version": 1})).unwrap_err();
    assert_eq!((refused.code(), refused.kind.status()), ("NEWER_VERSION", 409));
    assert_eq!(refused.message, "version 2 of this post is there; this change was made on version 1");
    assert!(changed(&theirs, json!({"body": "배추만", "version": 3})).is_err(), "nor what a restore has taken back");
    assert_eq!(changed(&theirs, json!({"body": "배추만"})).unwrap().post.version, 3, "who names none means any");
    // Whoever did not hear that the change was made sends it again.
    assert_eq!(changed(&theirs, json!({"body": "배추와 무", "version": 1})).unwrap(), theirs);
}

#[test]
fn a_text_is_kept_to_its_last_space() {
    let row = new(json!({"title": "글", "body": "\n 쓰는 중 \n\n"})).unwrap();
    assert_eq!(row.post.body, "\n 쓰는 중 \n\n");
    for refused in ["가".repeat(200_001), "\u{0}".to_owned(), "\u{1b}[0m".to_owned()] {
        assert!(new(json!({"title": "글", "body": refused})).unwrap_err().fields.contains_key("body"));
    }
    assert!(new(json!({"title": "글", "body": "가".repeat(200_000)})).is_ok());
}

#[test]
fn a_tag_that_is_said_twice_counts_once() {
    let tags = |tags: Value| new(json!({"title": "글", "tags": tags})).map(|row| row.post.tags);
    assert_eq!(tags(json!([" 여행", "Jeju", "여행 ", "JEJU"])).unwrap(), ["여행", "Jeju"]);
    assert!(tags(json!((0..30).map(|n| n.to_string()).collect::<Vec<_>>())).is_ok());
    assert!(tags(json!((0..31).map(|n| n.to_string()).collect::<Vec<_>>())).unwrap_err().fields.contains_key("tags"));
    let refused = tags(json!(["가", "", "나".repeat(51)])).unwrap_err();
    assert_eq!(refused.fields.keys().collect::<Vec<_>>(), ["tags[1]", "tags[2]"]);
}

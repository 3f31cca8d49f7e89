//! A post as a file in Markdown: fields between `---`, and what it says.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};

use super::sent::{Excerpt, Tags, Title};
use super::{Markdown, Post, Row, Status};
use hanok_base::day;
use hanok_base::error::Check;
use hanok_base::sent::Constraint;
use hanok_base::{Result, Sent, Sentence};
use hanok_calc::markdown::{Field, FieldValue, Fronted, front, in_marks};

const DAY: Sentence = Sentence::new("blog.must.begin_with_day", "must begin with a day such as 2026-10-10");
const SHORTER: Sentence =
    Sentence::new("blog.must.shorter_front", "must leave other fields of at most {most} characters");

/// So much of fields that a post does not have is kept for the next file.
const MOST_OTHERS: usize = 10_000;
/// How long the name of a file is before its end, in characters.
const LONGEST_NAME: usize = 60;

/// `row` as a file.
pub fn to_file(row: &Row) -> String {
    let Post { title, tags, body, date, excerpt, excerpt_given, status, created_at, updated_at, .. } = &row.post;
    let tags: Vec<String> = tags.iter().map(|tag| in_marks(tag)).collect();
    let mut file = format!("---\ntitle: {}\ndate: {date}\ntags: [{}]\n", in_marks(title), tags.join(", "));
    if *excerpt_given {
        file.push_str(&format!("excerpt: {}\n", in_marks(excerpt)));
    }
    if *status == Status::Draft {
        file.push_str("draft: true\n");
    }
    file.push_str(&format!("created: {}\nupdated: {}\n", written(*created_at), written(*updated_at)));
    file + &row.others + "---\n\n" + body
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
}

/// The post in the file of this `name`, brought at `now`. Where the fields say nothing, its title is the first heading or the
/// name, and its day that of the name or today.
///
/// # Errors
/// `INVALID_INPUT` naming each field that no post can have.
pub fn from_file(name: &str, file: &str, now: DateTime<Utc>) -> Result<Row> {
    let Fronted { fields, body } = front(file);
    let (of_name, day_of_name) = in_name(name);
    let mut row = Row::at(now);
    let mut heading = None;
    Check::of(|check| {
        let post = &mut row.post;
        post.date = day_of_name.unwrap_or(post.date);
        let mut titled = None;
        for Field { name, value, written } in fields {
            match (name.to_lowercase().as_str(), value) {
                ("title", FieldValue::Text(text)) => titled = Some(text),
                ("date", FieldValue::Text(text)) => match day_in(&text) {
                    Some(day) => post.date = day,
                    None => drop(check.require(text.is_empty(), "date", DAY)),
                },
                ("tags", FieldValue::List(tags)) => post.tags = check.take("tags", sent(tags)),
                ("tags", FieldValue::Text(tags)) => {
                    let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned);
                    post.tags = check.take("tags", sent(tags.collect()));
                }
                ("excerpt", FieldValue::Text(text)) => {
                    post.excerpt = check.take("excerpt", Sent::<Excerpt>::of(text));
                    post.excerpt_given = !post.excerpt.is_empty();
                }
                ("draft", FieldValue::Text(text)) => post.status = status(text == "true"),
                ("published", FieldValue::Text(text)) => post.status = status(text == "false"),
                ("created", FieldValue::Text(text)) => post.created_at = text.parse().unwrap_or(now).min(now),
                ("updated", FieldValue::Text(text)) => post.updated_at = text.parse().unwrap_or(now).min(now),
                _ => row.others.push_str(&written),
            }
        }
        if row.others.len() > MOST_OTHERS {
            check.require(false, "fields", SHORTER.with([("most", MOST_OTHERS.into())]));
        }
        post.body = check.take("body", Sent::<Markdown>::of(body.to_owned()));
        heading = body.lines().find_map(|line| line.strip_prefix("# ")).map(|line| line.trim().to_owned());
        let fallback = || heading.clone().filter(|heading| !heading.is_empty()).unwrap_or(of_name);
        // A draft that has said so may have no title.
        let is_nameless = titled.as_deref() == Some("") && post.status == Status::Draft;
        let title = titled.filter(|title| !title.is_empty() || is_nameless).unwrap_or_else(fallback);
        post.title = check.take("title", Sent::<Title>::of(title));
        check.require(!post.title.is_empty() || is_nameless, "title", hanok_base::must::NOT_EMPTY);
    })?;
    Ok(row.read())
}

fn sent(tags: Vec<String>) -> Sent<Tags> {
    Sent::<Tags>::of(<Tags as Constraint>::Sent::from_iter(tags))
}

fn status(is_draft: bool) -> Status {
    if is_draft { Status::Draft } else { Status::Published }
}

/// The day with which `text` begins, among those that a post may have.
fn day_in(text: &str) -> Option<NaiveDate> {
    day::parse(text.get(..10)?)
}

/// The title that the name of a file gives, and its day: `2026-10-10-김장.md`.
fn in_name(path: &str) -> (String, Option<NaiveDate>) {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let day = day_in(name);
    let name = if day.is_some() { name[10..].trim_start_matches(['-', '_', ' ']) } else { name };
    let visible: String = name.chars().filter(|c| !c.is_control()).take(300).collect();
    (visible.replace(['-', '_'], " ").trim().to_owned(), day)
}

/// A name for the file of `post`, without its end, that no other one in `taken` has.
pub fn name_of(post: &Post, taken: &mut BTreeSet<String>) -> String {
    let mut slug = String::new();
    for c in post.title.chars().take(LONGEST_NAME) {
        match c {
            c if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    let name = if slug.is_empty() { post.date.to_string() } else { format!("{}-{slug}", post.date) };
    // One that another post has gets the id, which no other has.
    let name = if taken.contains(&name) { format!("{name}-{}", post.id) } else { name };
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::NewPost;
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-10-10T12:30:00Z".parse().unwrap()
    }

    #[test]
    fn a_post_as_a_file_can_be_read_by_people_and_other_programs() {
        let new = json!({
            "title": "김장: \"스무\" 포기", "tags": ["부엌", "겨울, 집"], "body": "# 배추\n", "date": "2026-10-01",
            "excerpt": "올해", "status": "draft",
        });
        let row = serde_json::from_value::<NewPost>(new).unwrap().into_row(now()).unwrap();
        let file = to_file(&row);
        assert_eq!(
            file,
            "---\ntitle: \"김장: \\\"스무\\\" 포기\"\ndate: 2026-10-01\ntags: [\"부엌\", \"겨울, 집\"]\nexcerpt: \"올해\"\n\
             draft: true\ncreated: 2026-10-10T12:30:00Z\nupdated: 2026-10-10T12:30:00Z\n---\n\n# 배추\n"
        );
        assert_eq!(from_file("any.md", &file, now()).unwrap(), row);
        let mut taken = BTreeSet::new();
        let names: Vec<String> = (0..2).map(|_| name_of(&row.post, &mut taken)).collect();
        assert_eq!(names, ["2026-10-01-김장-스무-포기", "2026-10-01-김장-스무-포기-0"]);
    }

    #[test]
    fn a_file_of_another_program_is_a_post_and_keeps_what_posts_do_not_have() {
        let file = "---\nlayout: post\ntitle: 첫 글\ndate: 2024-03-01 09:00:00 +0900\ntags: 여행, 섬\npublished: false\n\
                    cover:\n  image: a.jpg\n---\n본문\n";
        let Row { post, others, .. } = from_file("posts/a.md", file, now()).unwrap();
        assert_eq!((post.title.as_str(), post.date.to_string().as_str()), ("첫 글", "2024-03-01"));
        assert_eq!(
            (post.tags, post.status, post.body.as_str()),
            (vec!["여행".into(), "섬".into()], Status::Draft, "본문\n")
        );
        assert_eq!(others, "layout: post\ncover:\n  image: a.jpg\n");
        let of = |name: &str, file: &str| {
            from_file(name, file, now()).map(|row| (row.post.title, row.post.date.to_string()))
        };
        let is = |title: &str, day: &str| Ok((title.to_owned(), day.to_owned()));
        let said =
            |found: Result<(String, String)>| found.map_err(|error| error.fields.into_keys().collect::<Vec<_>>());
        assert_eq!(said(of("a/2025-05-05-어린이_날.md", "본문")), is("어린이 날", "2025-05-05"));
        assert_eq!(said(of("메모.md", "글\n# 봄\n")), is("봄", "2026-10-10"));
        assert_eq!(said(of("메모.md", "---\ntitle:\ndate:\n---\n")), is("메모", "2026-10-10"));
        assert_eq!(said(of("메모.md", "---\ndate: 어제\n---\n\u{0}")), Err(vec!["body".to_owned(), "date".to_owned()]));
        assert_eq!(said(of("-.md", "")), Err(vec!["title".to_owned()]));
    }

    proptest! {
        #[test]
        fn a_post_that_becomes_a_file_is_read_from_it_as_it_was(
            title in "\\PC{0,20}",
            tags in prop::collection::vec("\\PC{0,9}", 0..4),
            body in "(\\PC|[\n\t\r-]){0,40}",
            excerpt in "(\\PC|[\n\"\\\\]){0,20}",
            is_draft in any::<bool>(),
            seconds in 0i64..1_000_000,
        ) {
            let status = if is_draft { "draft" } else { "published" };
            let sent = json!({"title": title, "tags": tags, "body": body, "excerpt": excerpt, "status": status});
            let new = serde_json::from_value::<NewPost>(sent).unwrap().into_row(now());
            prop_assume!(new.is_ok());
            let mut row = new.unwrap();
            row.post.created_at -= chrono::Duration::seconds(seconds);
            row.others = "layout: post\nmenu:\n  - a\n".to_owned();
            let read = from_file("other.md", &to_file(&row), now()).unwrap();
            prop_assert_eq!(read, row);
        }
    }
}

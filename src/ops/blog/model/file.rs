//! A post as a file in Markdown: fields between `---`, and what it says.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};

use super::readers::{Readers, day_in, is_of_ours, keeps_within, lies_among_drafts, may_be_kept, said_by};
use super::sent::{Excerpt, Tags, Title};
use super::{Markdown, Post, Row, Status};
use hanok_base::day;
use hanok_base::error::Check;
use hanok_base::text::composed;
use hanok_base::validated::Constraint;
use hanok_base::{MessageTemplate, Result, Validated};
use hanok_calc::markdown::{Field, FieldValue, Fronted, front, in_marks};

const DAY: MessageTemplate =
    MessageTemplate::new("blog.must.begin_with_day", "must begin with a day such as 2026-10-10");
const SHORTER: MessageTemplate =
    MessageTemplate::new("blog.must.shorter_front", "must leave other fields of at most {most} characters");
const READABLE: MessageTemplate = MessageTemplate::new("blog.must.readable_front", "must be fields that can be read");

/// The fields that a post has: what cannot be read of them is not kept with others, but said.
const OWN: [&str; 6] = ["title", "date", "tags", "excerpt", "created", "updated"];
/// So much of fields that a post does not have is kept for the next file.
const MOST_OTHERS: usize = 10_000;
/// How long the name of a file is before its end, in characters.
const LONGEST_NAME: usize = 60;
/// And after how many bytes of it nothing is added.
const MOST_OF_NAME: usize = 200;

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
    let Fronted { fields, body, unread } = front(file);
    let (of_name, day_of_name) = in_name(name);
    let mut row = Row::at(now);
    Check::of(|check| {
        let post = &mut row.post;
        let today = post.date;
        let (mut titled, mut dated, mut published_on) = (None, None, None);
        let (mut tags, mut categories) = (Vec::new(), Vec::new());
        let mut is_draft = lies_among_drafts(name);
        // Fields of another kind, or lines between them, may say that it is not for readers.
        check.require(!may_be_kept(&unread, today), "front", READABLE);
        for Field { name, value, written } in fields {
            if let Some(readers) = said_by(&name, &value, today) {
                check.require(readers != Readers::Unknown, "front", READABLE);
                is_draft |= readers == Readers::Nobody;
                if let (FieldValue::Text(text), Readers::Everybody) = (&value, readers) {
                    published_on = published_on.or(day_in(text));
                }
                continue;
            }
            // Such a field is kept, for what else stands in it.
            is_draft |= keeps_within(&name, &value, &written, today);
            match (name.to_lowercase().as_str(), value) {
                ("title", FieldValue::Text(text)) => titled = Some(text),
                ("date", FieldValue::Text(text)) => match day_in(&text) {
                    Some(day) => dated = Some(day),
                    None => drop(check.require(text.is_empty(), "date", DAY)),
                },
                ("tags" | "taxonomies.tags", FieldValue::List(named)) => tags.extend(named),
                ("tags" | "taxonomies.tags", FieldValue::Text(named)) => tags.extend(between_commas(&named)),
                // What other programs sort posts by, beside their tags.
                ("categories" | "category" | "taxonomies.categories", FieldValue::List(named)) => {
                    categories.extend(named)
                }
                ("categories" | "category", FieldValue::Text(named)) => categories.extend(between_commas(&named)),
                ("excerpt", FieldValue::Text(text)) => {
                    post.excerpt = check.take("excerpt", Validated::<Excerpt>::of(text));
                    post.excerpt_given = !post.excerpt.is_empty();
                }
                ("created", FieldValue::Text(text)) => post.created_at = instant_in(check, "created", &text, now),
                ("updated", FieldValue::Text(text)) => post.updated_at = instant_in(check, "updated", &text, now),
                (own, _) if OWN.contains(&own) => {
                    check.require(false, "front", READABLE);
                }
                _ => row.others.push_str(&written),
            }
        }
        tags.extend(categories.into_iter().filter(|name| !name.trim().is_empty()));
        post.tags = check.take("tags", sent(tags));
        post.date = dated.or(published_on).or(day_of_name).unwrap_or(today);
        post.status = if is_draft { Status::Draft } else { Status::Published };
        if row.others.len() > MOST_OTHERS {
            check.require(false, "fields", SHORTER.with([("most", MOST_OTHERS.into())]));
        }
        post.body = check.take("body", Validated::<Markdown>::of(body.to_owned()));
        let heading = body.lines().find_map(|line| line.strip_prefix("# ")).map(|line| line.trim().to_owned());
        let fallback = || heading.filter(|heading| !heading.is_empty()).unwrap_or(of_name);
        // A draft that has said so may have no title.
        let is_nameless = titled.as_deref() == Some("") && post.status == Status::Draft;
        let title = titled.filter(|title| !title.is_empty() || is_nameless).unwrap_or_else(fallback);
        post.title = check.take("title", Validated::<Title>::of(title));
        check.require(!post.title.is_empty() || is_nameless, "title", hanok_base::validation_messages::NOT_EMPTY);
    })?;
    Ok(row.read())
}

fn between_commas(names: &str) -> impl Iterator<Item = String> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

fn sent(tags: Vec<String>) -> Validated<Tags> {
    Validated::<Tags>::of(<Tags as Constraint>::Input::from_iter(tags))
}

/// The instant that a field says, and none that is yet to come; `now` where it says none.
fn instant_in(check: &mut Check, field: &str, text: &str, now: DateTime<Utc>) -> DateTime<Utc> {
    let said: Option<DateTime<Utc>> = text.parse().ok().or_else(|| day_in(text).map(day::start));
    let at = said.unwrap_or(now).min(now);
    check.require(is_of_ours(&at.date_naive()), field, hanok_base::validation_messages::DAY_OF_OURS);
    at
}

/// The title that the name of a file gives, and its day: `2026-10-10-김장.md`.
fn in_name(path: &str) -> (String, Option<NaiveDate>) {
    let path = &*composed(path);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let day = day_in(name);
    let name = if day.is_some() { name[10..].trim_start_matches(['-', '_', ' ']) } else { name };
    let visible: String = name.chars().filter(|c| !c.is_control()).take(300).collect();
    (visible.replace(['-', '_'], " ").trim().to_owned(), day)
}

/// A name for the page of `post`, without its end, that no other one in `taken` has. Where others are added later, it stays.
pub fn name_of(post: &Post, taken: &mut BTreeSet<String>) -> String {
    let mut name = first_name_of(post);
    // One that another post has gets the id, which no other has; what it makes may be the title of one.
    while taken.contains(&name) {
        name = format!("{name}-{}", post.id);
    }
    taken.insert(name.clone());
    name
}

/// A name for the file of `post`, without its end, that no other one in `taken` has, where each stands with the last number
/// behind it. It says nothing of the house: in another one posts have other ids, and their files the same names.
pub fn name_in_order(post: &Post, taken: &mut BTreeMap<String, u64>) -> String {
    let first = first_name_of(post);
    let mut number = taken.get(&first).copied().unwrap_or_default();
    let name = loop {
        number += 1;
        let name = if number == 1 { first.clone() } else { format!("{first}-{number}") };
        if !taken.contains_key(&name) {
            break name;
        }
    };
    taken.insert(name.clone(), 1);
    taken.insert(first, number);
    name
}

/// The name of the file of `post`, without its end, where no other one has it.
pub fn first_name_of(post: &Post) -> String {
    let mut slug = String::new();
    for c in post.title.chars().take(LONGEST_NAME) {
        match c {
            // A folder takes no name of more than 255 bytes.
            _ if slug.len() >= MOST_OF_NAME => break,
            c if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { post.date.to_string() } else { format!("{}-{slug}", post.date) }
}

#[cfg(test)]
mod tests;

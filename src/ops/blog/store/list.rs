//! Lists of posts.

use std::collections::BTreeMap;

use super::super::model::{Head, Row, Status};
use super::{BY_STATUS, HEADS, IN_ORDER, OF_STATUS, POSTS, TAGGED, number};
use hanok_base::{Page, Result};
use hanok_platform::store::{Order, ReadTransaction};

/// Which posts are wanted.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only of this status.
    pub status: Option<Status>,
    /// Whether with what they say.
    pub with_bodies: bool,
    /// Which part of them.
    pub page: Page,
}

/// Posts and how many there are.
#[derive(Debug)]
pub struct Listed {
    /// The posts, each with what it says where that is wanted.
    pub posts: Vec<(Head, Option<String>)>,
    /// How many there are on all pages.
    pub total: u64,
}

/// A list with what its posts say ends, beyond its first post, when that is longer, in bytes: the page is shorter then.
const MOST_OF_BODIES: usize = 8 << 20;

/// The posts that are wanted, the newest first.
pub fn list(tx: &impl ReadTransaction, wanted: &Wanted) -> Result<Listed> {
    let Wanted { tag, status, with_bodies, page } = wanted;
    let (ids, total) = match (tag, status) {
        (Some(tag), status) => tagged(tx, tag, *status, *page)?,
        (None, None) => {
            let found = IN_ORDER.page(tx, (0, 0)..=(u64::MAX, u64::MAX), Order::Descending, *page)?;
            (found.into_iter().map(|(_, id)| id).collect(), count(tx, None)?)
        }
        (None, Some(status)) => {
            let of = number(*status);
            let range = (of, 0, 0)..=(of, u64::MAX, u64::MAX);
            let found = OF_STATUS.page(tx, range, Order::Descending, *page)?;
            (found.into_iter().map(|(_, id)| id).collect(), count(tx, Some(*status))?)
        }
    };
    Ok(Listed { posts: posts(tx, ids, *with_bodies)?, total })
}

/// Those of `ids` that are there, in their order: what an index of words names may be gone.
pub fn found(tx: &impl ReadTransaction, ids: Vec<u64>, with_bodies: bool) -> Result<Vec<(Head, Option<String>)>> {
    let mut there = Vec::with_capacity(ids.len());
    for id in ids {
        if tx.contains(&HEADS, id)? {
            there.push(id);
        }
    }
    posts(tx, there, with_bodies)
}

fn posts(tx: &impl ReadTransaction, ids: Vec<u64>, with_bodies: bool) -> Result<Vec<(Head, Option<String>)>> {
    if !with_bodies {
        return Ok(tx.rows(&HEADS, ids)?.into_iter().map(|head| (head, None)).collect());
    }
    let (mut posts, mut bytes) = (Vec::new(), 0);
    for id in ids {
        let Some(row) = tx.get(&POSTS, id)? else { continue };
        bytes += row.post.body.len();
        if bytes > MOST_OF_BODIES && !posts.is_empty() {
            break;
        }
        posts.push((row.head(), Some(row.post.body)));
    }
    Ok(posts)
}

/// Gives every post of this status, or at all, to `visit`, the newest first.
pub fn each(tx: &impl ReadTransaction, status: Option<Status>, visit: &mut dyn FnMut(Row) -> Result<()>) -> Result<()> {
    for entry in tx.entries(&IN_ORDER, (0, 0).., Order::Descending) {
        let id = entry?.value()?;
        let Some(row) = tx.get(&POSTS, id)? else { continue };
        if status.is_none_or(|status| status == row.post.status) {
            visit(row)?;
        }
    }
    Ok(())
}

/// The last `most` posts that are published, the newest first.
pub fn newest(tx: &impl ReadTransaction, most: usize) -> Result<Vec<Row>> {
    let published = number(Status::Published);
    let range = (published, 0, 0)..=(published, u64::MAX, u64::MAX);
    tx.rows(&POSTS, tx.values(&OF_STATUS, range, Order::Descending, 0, most)?)
}

/// How many posts there are of this status, or at all.
pub fn count(tx: &impl ReadTransaction, status: Option<Status>) -> Result<u64> {
    match status {
        None => tx.count(&POSTS),
        Some(status) => {
            let of = number(status);
            Ok(BY_STATUS.before(tx, of + 1)? - BY_STATUS.before(tx, of)?)
        }
    }
}

/// Ids of posts with this tag on `page`, and how many there are: a tag has as many entries as somebody has given it.
fn tagged(tx: &impl ReadTransaction, tag: &str, status: Option<Status>, page: Page) -> Result<(Vec<u64>, u64)> {
    let (mut ids, mut total) = (Vec::new(), 0);
    for entry in tx.entries(&TAGGED, (tag, 0, 0)..=(tag, u64::MAX, u64::MAX), Order::Descending) {
        let entry = entry?;
        if status.is_some() && status != Some(entry.value()?) {
            continue;
        }
        if total >= page.offset && ids.len() < page.limit {
            ids.push(entry.key().2);
        }
        total += 1;
    }
    Ok((ids, total as u64))
}

/// Every tag with how many posts bear it, the most frequent first.
pub fn tags(tx: &impl ReadTransaction) -> Result<Vec<(String, u64)>> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for entry in tx.entries(&TAGGED, ("", 0, 0).., Order::Ascending) {
        let entry = entry?;
        let (tag, ..) = entry.key();
        match counts.get_mut(tag) {
            Some(count) => *count += 1,
            None => drop(counts.insert(tag.to_owned(), 1)),
        }
    }
    let mut tags: Vec<(String, u64)> = counts.into_iter().collect();
    tags.sort_by(|(one, ones), (other, others)| others.cmp(ones).then_with(|| one.cmp(other)));
    Ok(tags)
}

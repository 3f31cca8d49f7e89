//! The news that are kept: table `market_news-1` with what they are found by, and `market_feeds-1` with what is known of each
//! feed.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::super::model::feeds::{FeedItem, FeedSetting};
use super::prices::CHANGED;
use hanok_base::schema::ToSchema;
use hanok_base::{Page, Result, day};
use hanok_platform::search::{Document, SearchKind, Searched};
use hanok_platform::store::{CountedIndex, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx};

/// For how long news are kept.
const KEPT_FOR: TimeDelta = TimeDelta::days(90);
/// How many are kept at most.
const MOST_KEPT: u64 = 5000;

/// A piece of news.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Article {
    /// Ever increasing, never reused.
    pub id: u64,
    /// Its title, as text.
    pub title: String,
    /// How it begins, as text; may be empty.
    pub summary: String,
    /// Where it is read: `http` or `https`.
    pub link: String,
    /// Who has written it.
    pub source: String,
    /// What it is about, as the settings say of its feed.
    pub category: String,
    /// When it came out.
    pub published_at: DateTime<Utc>,
    /// When it was fetched.
    pub fetched_at: DateTime<Utc>,
}

/// An article as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    #[serde(flatten)]
    article: Article,
    /// Its day and its title, by which the same piece of another feed is known.
    same: String,
}

/// Table: news. Key: id.
pub const NEWS: IndexedTable<u64, Row> =
    IndexedTable::new("market_news-1", |row| row.article.id, &[&BY_LINK, &BY_TITLE, &IN_ORDER, &SEARCHED]);
/// Table: news by their address.
const BY_LINK: Index<Row, &str, u64> =
    Index::new("market_news_by_link-1", |row| Some((row.article.link.as_str(), row.article.id)));
/// Table: news by day and title.
const BY_TITLE: Index<Row, &str, u64> =
    Index::new("market_news_by_title-1", |row| Some((row.same.as_str(), row.article.id)));
/// Table: news in the order in which they came out, counted. Key: milliseconds and id.
const IN_ORDER: CountedIndex<Row, (u64, u64)> =
    CountedIndex::new("market_news_order-1", "market_news_order_counts-1", |row| Some((place(row), ())));
/// Table: what is known of each feed. Key: its address. Value: by what it tells whether it has changed.
pub const FEEDS: Table<&str, Value> = Table::new("market_feeds-1");

/// News are found by title and summary, and bear their category.
const SEARCHED: Searched<Row> = Searched::new(|row| {
    let Article { id, title, summary, category, published_at, .. } = &row.article;
    Document {
        text: summary.clone(),
        tags: vec![category.clone()],
        day: Some(day::of(*published_at)),
        ..Document::of("news", *id, title, format!("/market?news={id}"))
    }
});

/// What of the markets is found by words.
pub const SEARCH: &[SearchKind] = &[SearchKind { name: "news", walk: |tx, visit| SEARCHED.walk(NEWS.walk(tx), visit) }];

fn place(row: &Row) -> (u64, u64) {
    (day::millis(row.article.published_at), row.article.id)
}

/// News by the instant at which they came out, the newest first, and how many there are; of one category only, if that is
/// wanted.
pub fn list(tx: &impl ReadTransaction, category: Option<&str>, page: Page) -> Result<(Vec<Article>, u64)> {
    let Some(category) = category else {
        let places = IN_ORDER.page(tx, (0, 0)..=(u64::MAX, u64::MAX), Order::Descending, page)?;
        let rows = tx.rows(&NEWS, places.into_iter().map(|((_, id), ())| id))?;
        return Ok((rows.into_iter().map(|row| row.article).collect(), tx.count(&NEWS)?));
    };
    let (mut found, mut total) = (Vec::new(), 0);
    for entry in tx.entries(&IN_ORDER, (0, 0).., Order::Descending) {
        let (_, id) = entry?.key();
        let Some(row) = tx.get(&NEWS, id)?.filter(|row| row.article.category == category) else { continue };
        if total >= page.offset && found.len() < page.limit {
            found.push(row.article);
        }
        total += 1;
    }
    Ok((found, total as u64))
}

/// Those of `ids` that are there, in their order.
pub fn found(tx: &impl ReadTransaction, ids: Vec<u64>) -> Result<Vec<Article>> {
    let rows = ids.into_iter().map(|id| Ok(tx.get(&NEWS, id)?.map(|row| row.article)));
    Ok(rows.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// By what a feed tells whether it has changed, as it was kept last.
pub fn known_of(tx: &impl ReadTransaction, address: &str) -> Result<Value> {
    Ok(tx.get(&FEEDS, address)?.unwrap_or_default())
}

/// Keeps what a feed has brought, each address once, and the same title once a day; what is old makes room. How many are new.
pub fn take(tx: &WriteTx, feed: &FeedSetting, items: Vec<FeedItem>, known: &Value) -> Result<usize> {
    tx.quiet();
    tx.put(&FEEDS, feed.address.as_str(), known)?;
    let oldest = tx.now() - KEPT_FOR;
    let mut added = 0;
    for item in items {
        // Nothing comes out tomorrow.
        let published_at = item.published_at.unwrap_or(tx.now()).min(tx.now());
        let same = same_as(&item.title, published_at);
        let is_known = tx.contains(&BY_LINK, item.link.as_str())? || tx.contains(&BY_TITLE, same.as_str())?;
        if is_known || published_at < oldest {
            continue;
        }
        let FeedItem { title, summary, link, .. } = item;
        let (source, category) = (feed.name.clone(), feed.category.clone());
        let (id, fetched_at) = (tx.next_id("news")?, tx.now());
        let article = Article { id, title, summary, link, source, category, published_at, fetched_at };
        NEWS.put(tx, &Row { article, same })?;
        added += 1;
    }
    if added > 0 {
        make_room(tx, oldest)?;
        tx.announce(CHANGED);
    }
    Ok(added)
}

fn make_room(tx: &WriteTx, oldest: DateTime<Utc>) -> Result<()> {
    while let Some(entry) = tx.first(&IN_ORDER, (0, 0).., Order::Ascending)? {
        let (published_at, id) = entry.key();
        if published_at >= day::millis(oldest) && tx.count(&NEWS)? <= MOST_KEPT {
            break;
        }
        NEWS.remove(tx, id)?;
    }
    Ok(())
}

/// Day and title, by which the same news of two feeds are known.
fn same_as(title: &str, published_at: DateTime<Utc>) -> String {
    let title: String = title.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    format!("{} {title}", day::of(published_at))
}

//! Everything that can be found by words, of every domain: done things, notes and histories as well as open ones.

use chrono::NaiveDate;
use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use crate::domains;
use hanok_base::error::Check;
use hanok_base::expected::one_of;
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::text::Text;
use hanok_base::validated::{Constraint, Unchecked, ValidationErrors};
use hanok_base::{Page, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{HandlerResult, Household, Query, UncachedJson};
use hanok_platform::search::{self as index, Document, Piece, SearchTerms};

/// How many are given when nobody says otherwise.
const USUAL: u64 = 20;

/// What is looked for.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct SearchQuery {
    /// Words or parts of words, in any order; initial consonants find Korean words.
    pub q: Validated<Text<1, 200>>,
    /// Only this kind of things; left out it is all of them.
    pub kind: Option<Validated<KindName>>,
    /// Only what bears this tag.
    pub tag: Option<Validated<Text<1, 100>>>,
    /// Only what is done, or only what is not; left out it is both.
    pub done: Option<Validated<Unchecked<bool>>>,
    /// How many; left out it is 20.
    pub limit: Option<Validated<Limit>>,
    /// How many to pass over first.
    pub offset: Option<Validated<Offset>>,
}

/// The name of a kind of things that can be found.
pub enum KindName {}

impl Constraint for KindName {
    type Input = String;
    type Value = &'static str;

    fn check(sent: String) -> Result<&'static str, ValidationErrors> {
        let names = kind_names();
        names.iter().find(|name| **name == sent).copied().ok_or_else(|| one_of(&names).into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).enum_values(kind_names()).into()
    }
}

fn kind_names() -> Vec<&'static str> {
    domains::found_by_the_household().map(|kind| kind.name).collect()
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchAnswer {
    /// The best first: what says it in the title before what says it in the text, of two alike the newer one.
    pub results: Vec<Hit>,
    /// How many were found.
    pub total: u64,
    /// How many of each kind were found.
    pub kinds: Vec<Named>,
    /// The most frequent tags of what was found.
    pub tags: Vec<Named>,
    /// Whether everything that was written before this was asked has been looked at; otherwise the index is behind, or is
    /// being made anew.
    pub complete: bool,
    /// Whether some of these say only most of the words; they stand behind those that say all of them.
    pub near: bool,
}

/// Something that was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Hit {
    /// What it is, such as `todo`.
    pub kind: String,
    /// Its id.
    pub id: u64,
    /// Its title, note or numbers; empty where it has none of them.
    pub title: String,
    /// The title, with what was looked for in it.
    pub marked: Vec<Piece>,
    /// Where in its text it was found; empty where it has none.
    pub excerpt: Vec<Piece>,
    /// Where it is seen: an address of the app.
    pub leads_to: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// The day that it is of; null where it has none.
    pub day: Option<NaiveDate>,
    /// How many there are of what it is made of, such as the games of a purchase; null where it is one thing.
    pub count: Option<u64>,
    /// Whether it is done with.
    pub done: bool,
    /// The number of the thing that it belongs to, such as a draw; null where there is none.
    pub number: Option<u64>,
}

/// So many of what bears this name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// The kind or the tag.
    pub name: String,
    /// How many.
    pub count: u64,
}

/// What can be found by words.
#[endpoint(operation_id = "search", tags("house"))]
pub async fn search(
    app: App,
    _caller: Household,
    asked: Query<SearchQuery>,
) -> HandlerResult<UncachedJson<SearchAnswer>> {
    let SearchQuery { q, kind, tag, done, limit, offset } = asked.0;
    let (q, kind, tag, done, page) = Check::of(|check| {
        let kind = kind.map(|kind| check.take("kind", kind));
        let tag = tag.map(|tag| check.take("tag", tag));
        let done = done.map(|done| check.take("done", done));
        (check.take("q", q), kind, tag, done, Page::take(check, limit, offset, USUAL))
    })?;
    let kind = kind.map(str::to_owned);
    let found = app
        .data
        .search
        .find(index::SearchRequest {
            words: SearchTerms::of(&q),
            kind,
            but: domains::kept_from_the_household(),
            tag,
            done,
            page,
        })
        .await?;
    Ok(UncachedJson(found.into()))
}

impl From<index::SearchResults> for SearchAnswer {
    fn from(found: index::SearchResults) -> SearchAnswer {
        let named = |(name, count)| Named { name, count };
        SearchAnswer {
            results: found.hits.into_iter().map(Hit::from).collect(),
            total: found.total,
            kinds: found.kinds.into_iter().map(named).collect(),
            tags: found.tags.into_iter().map(named).collect(),
            complete: found.is_fresh,
            near: found.is_near,
        }
    }
}

impl From<index::Hit> for Hit {
    fn from(index::Hit { document, title: marked, excerpt }: index::Hit) -> Hit {
        let Document { kind, id, title, tags, day, leads_to, done, count, number, .. } = document;
        Hit { kind, id, title, marked, excerpt, leads_to, tags, day, count, done, number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_kinds_have_one_name() {
        let mut names: Vec<&str> = domains::searched().map(|kind| kind.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}

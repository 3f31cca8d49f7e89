//! Everything that can be found by words, of every domain: done things, notes and histories as well as open ones.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::domains;
use hanok_base::error::Check;
use hanok_base::expected::one_of;
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::sent::{Any, Constraint, Refused};
use hanok_base::text::Text;
use hanok_base::{Error, Page, Result, Sent};
use hanok_platform::app::App;
use hanok_platform::domain::{Hit, SearchKind, SearchWords, Walk};
use hanok_platform::http::{Anew, Answer, Household, Query};
use hanok_platform::store::ReadTx;

/// How many are given when nobody says otherwise.
const USUAL: u64 = 20;

/// Searches that look at the same time: each reads every row that there is, and the others wait for their turn.
const AT_ONCE: usize = 2;
static LOOKING: Semaphore = Semaphore::const_new(AT_ONCE);

/// What is looked for.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Asked {
    /// Words or parts of words, in any order; initial consonants find Korean words.
    pub q: Sent<Text<1, 200>>,
    /// Only this kind of things; left out it is all of them.
    pub kind: Option<Sent<KindName>>,
    /// Only what bears this tag. No kind of things has tags, so with one nothing is found.
    pub tag: Option<Sent<Text<1, 100>>>,
    /// Only what is done, or only what is not; left out it is both.
    pub done: Option<Sent<Any<bool>>>,
    /// How many; left out it is 20.
    pub limit: Option<Sent<Limit>>,
    /// How many to pass over first.
    pub offset: Option<Sent<Offset>>,
}

/// The name of a kind of things that can be found.
pub enum KindName {}

impl Constraint for KindName {
    type Sent = String;
    type Value = &'static str;

    fn check(sent: String) -> Result<&'static str, Refused> {
        let names = kind_names();
        names.iter().find(|name| **name == sent).copied().ok_or_else(|| one_of(&names).into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).enum_values(kind_names()).into()
    }
}

fn kind_names() -> Vec<&'static str> {
    domains::searched().map(|kind| kind.name).collect()
}

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Found {
    /// By kind, and in each as its domain orders them.
    pub results: Vec<Hit>,
    /// How many were found.
    pub total: u64,
    /// Whether everything was looked at: of each kind it is only so many rows, and only so much text.
    pub complete: bool,
}

/// What can be found by words.
#[endpoint(operation_id = "search", tags("house"))]
pub async fn search(app: App, _caller: Household, asked: Query<Asked>) -> Answer<Anew<Found>> {
    let Asked { q, kind, tag, done, limit, offset } = asked.0;
    let (q, kind, tag, done, page) = Check::of(|check| {
        let kind = kind.map(|kind| check.take("kind", kind));
        let tag = tag.map(|tag| check.take("tag", tag));
        let done = done.map(|done| check.take("done", done));
        (check.take("q", q), kind, tag, done, Page::take(check, limit, offset, USUAL))
    })?;
    let kinds: Vec<SearchKind> =
        domains::searched().filter(|known| tag.is_none() && kind.is_none_or(|kind| kind == known.name)).collect();
    Ok(Anew(looked(&app, kinds, SearchWords::of(&q), done, page).await?))
}

/// What is found when the turn has come.
async fn looked(
    app: &App,
    kinds: Vec<SearchKind>,
    words: SearchWords,
    done: Option<bool>,
    page: Page,
) -> Result<Found> {
    let turn = LOOKING.acquire().await.map_err(Error::internal)?;
    let look = move |tx: &ReadTx| {
        // Kept to the end of the walk, also when whoever asked has gone.
        let _turn = turn;
        found(tx, &kinds, &words, done, page)
    };
    app.data.store.read(look).await
}

fn found(tx: &ReadTx, kinds: &[SearchKind], words: &SearchWords, done: Option<bool>, page: Page) -> Result<Found> {
    let (mut all, mut complete) = (Vec::new(), true);
    for kind in kinds {
        let mut walk = Walk::for_words(words, done);
        (kind.walk)(tx, &mut walk)?;
        let (hits, whole) = walk.found();
        all.extend(hits);
        complete &= whole;
    }
    let total = all.len() as u64;
    Ok(Found { results: all.into_iter().skip(page.offset).take(page.limit).collect(), total, complete })
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;

    use hanok_base::Clock;
    use hanok_platform::jobs::Jobs;
    use hanok_platform::testing;

    use super::*;

    #[tokio::test]
    async fn only_so_many_searches_look_at_once_and_the_others_wait_for_their_turn() {
        let app = testing::app(&Clock::held(testing::draw_night()), Jobs::default());
        let turns = LOOKING.acquire_many(AT_ONCE as u32).await.unwrap();
        let mut waiting = JoinSet::new();
        for _ in 0..5 {
            let app = app.clone();
            waiting.spawn(async move {
                let page = Page { offset: 0, limit: 1 };
                looked(&app, domains::searched().collect(), SearchWords::of("x"), None, page).await
            });
        }
        // Whoever only reads goes on meanwhile.
        for _ in 0..50 {
            app.data.store.read(|_| Ok(())).await.unwrap();
        }
        assert!(waiting.try_join_next().is_none(), "none has looked");
        drop(turns);
        for one in waiting.join_all().await {
            assert!(one.unwrap().complete);
        }
        assert_eq!(LOOKING.available_permits(), AT_ONCE);
    }

    #[test]
    fn no_two_kinds_have_one_name() {
        let mut names: Vec<&str> = domains::searched().map(|kind| kind.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}

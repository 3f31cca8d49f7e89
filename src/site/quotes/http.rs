//! The routes of the quotes: what the link of a quote opens, and the desk.

pub mod desk;
pub mod pages;

use chrono::Duration;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::model::{Decide, PublicQuote, Totals};
use super::work;
use crate::contact::Owner;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::text::Line;
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::auth::RateLimit;
use hanok_platform::http::{Anyone, Checked, CheckedQuery, HandlerResult, IdempotencyKey, Json, Key, Peer, tx_op};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How often one address may decide a quote, or try to.
pub const PACE: RateLimit = RateLimit { what: "quote_decide", most: 20, within: Duration::minutes(1) };

/// Which optional lines are added up.
#[derive(Debug, hanok_base::Request)]
#[request(query)]
#[serde(deny_unknown_fields)]
pub struct ChosenLines {
    /// The ids of the optional lines that are chosen, separated by commas; left out it is none.
    #[field(IdList, default)]
    pub selected_items: Vec<String>,
}

/// At most 100 ids, separated by commas.
#[derive(Debug)]
pub enum IdList {}

/// The longest such list: 100 ids of 40 characters and the commas between them.
const LONGEST_LIST: usize = 4_099;

impl Constraint for IdList {
    type Input = String;
    type Value = Vec<String>;

    fn check(sent: String) -> Result<Vec<String>, ValidationErrors> {
        let text = Line::<0, LONGEST_LIST>::check(sent)?;
        Ok(text.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).collect())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(LONGEST_LIST).examples([""]).into()
    }
}

/// A quote as who has its link sees it.
#[endpoint(operation_id = "quote", tags("quotes"))]
pub async fn find(app: App, _caller: Anyone, token: Key) -> HandlerResult<Json<PublicQuote>> {
    Ok(Json(app.data.store.read_inline(move |tx| public(tx, &token.0)).await?))
}

/// What a quote adds up to with the chosen optional lines.
#[endpoint(operation_id = "quote_total", tags("quotes"))]
pub async fn total(
    app: App,
    _caller: Anyone,
    token: Key,
    chosen: CheckedQuery<ChosenLines>,
) -> HandlerResult<Json<Totals>> {
    let chosen = chosen.0.selected_items;
    let totals =
        app.data.store.read_inline(move |tx| public(tx, &token.0)?.content.totals_with(&chosen, "selected_items"));
    Ok(Json(totals.await?))
}

/// Accepts or declines a quote, once. What is decided is exactly what `hash` stands for: where the quote was changed since it was
/// shown, nothing is (409).
#[endpoint(operation_id = "quote_decide", tags("quotes"))]
pub async fn decide(
    app: App,
    caller: Anyone,
    peer: Peer,
    key: IdempotencyKey,
    token: Key,
    body: Checked<Decide>,
) -> HandlerResult<Json<PublicQuote>> {
    Ok(Json(decide_once(&app, &caller, (peer, key), token.0, body.0).await?))
}

/// Decides the quote that the word opens, once for each key.
///
/// # Errors
/// `RATE_LIMITED`; those of [`work::decide`].
pub async fn decide_once(
    app: &App,
    caller: &Anyone,
    (peer, key): (Peer, IdempotencyKey),
    token: String,
    sent: Decide,
) -> Result<PublicQuote> {
    app.access.paces.admit(PACE, peer.0, app.clock.moment())?;
    let (owner, origin) = (Owner::of(&app.config)?, work::links::origin(app));
    let decided =
        move |tx: &WriteTx| work::decide(tx, &token, &sent, (&owner, origin.as_deref()))?.public(day::of(tx.now()));
    key.once(app, caller, tx_op(decided)).await
}

/// The quote that the word opens, as who has it sees it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn public(tx: &impl ReadTransaction, token: &str) -> Result<PublicQuote> {
    work::links::find_by_token(tx, token)?.public(day::of(tx.now()))
}

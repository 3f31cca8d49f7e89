//! The routes of the writes to providers: what was asked for and what became of it, and a decision about what nobody else can
//! tell.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Result, Validated, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Body, Done, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, tx_op};
use hanok_platform::writes::{self, Decision, WriteCounts, WriteSeen};

/// Writes to providers.
#[derive(Debug, Serialize, ToSchema)]
pub struct Writes {
    /// How many are open, or need somebody.
    pub counts: WriteCounts,
    /// Newest first.
    pub writes: Vec<WriteSeen>,
    /// How many there are.
    pub total: u64,
}

/// What is said about a write.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Decided {
    /// What is known of it, or is to be done about it.
    pub decision: Validated<Unchecked<Decision>>,
}

/// Writes to providers, newest first.
#[endpoint(operation_id = "writes_list", tags("system"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<50>>) -> HandlerResult<Json<Writes>> {
    let page = paging.0.page()?;
    let (counts, (writes, total)) =
        app.data.store.read(move |tx| Ok((writes::counts(tx)?, writes::list(tx, page)?))).await?;
    Ok(Json(Writes { counts, writes, total }))
}

/// Decides about a write that nothing happens to by itself. One that is sent again is asked for a second time.
#[endpoint(operation_id = "writes_decide", tags("system"))]
pub async fn decide(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    id: Id,
    sent: Body<Decided>,
) -> HandlerResult<Done> {
    let decision = decision(sent.0)?;
    let house = app.clone();
    let write = tx_op(move |tx| writes::resolve(&house, tx, id.0, decision).map(|()| Done::default()));
    Ok(key.once(&app, &caller, write).await?)
}

fn decision(sent: Decided) -> Result<Decision> {
    Check::of(|check| check.find("decision", sent.decision))?
        .ok_or_else(|| Error::field("decision", validation_messages::PRESENT))
}

/// Removes a write that nothing happens to by itself.
#[endpoint(operation_id = "writes_remove", tags("system"))]
pub async fn remove(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Done> {
    let write = tx_op(move |tx| writes::remove(tx, id.0).map(|()| Done::default()));
    Ok(key.once(&app, &caller, write).await?)
}

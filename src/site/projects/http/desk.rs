//! The desk: steps of quotes as those see them who keep the shop.

pub mod pages;

use salvo::oapi::endpoint;
use salvo::{Request, Writer};
use serde::{Deserialize, Serialize};

use super::super::model::{Milestone, MilestoneChanges, NewMilestone};
use super::super::store;
use super::super::work::{self, Added, Desk};
use crate::quotes;
use hanok_base::schema::ToSchema;
use hanok_base::text::Line;
use hanok_platform::app::App;
use hanok_platform::http::{
    Admin, Checked, CheckedQuery, Created, Deleted, HandlerResult, IdempotencyKey, Json, Key, Peer, link_origin, tx_op,
};

/// Whose steps are wanted.
#[derive(Debug, hanok_base::Request)]
#[request(query)]
pub struct MilestonesWanted {
    /// The quote.
    #[serde(alias = "quoteId")]
    #[field(Line<1, 64>)]
    pub quote_id: String,
}

/// The steps of a quote.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Milestones {
    /// In order.
    pub milestones: Vec<Milestone>,
    /// How many there are.
    pub total: usize,
}

/// The steps that were added: the usual ones, or the one.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum AddedMilestones {
    /// The usual ones.
    Usual(Milestones),
    /// One.
    Step(Milestone),
}

impl From<Vec<Milestone>> for Milestones {
    fn from(milestones: Vec<Milestone>) -> Milestones {
        Milestones { total: milestones.len(), milestones }
    }
}

/// The steps of a quote.
#[endpoint(operation_id = "admin_milestones", tags("admin"))]
pub async fn list(app: App, _caller: Admin, wanted: CheckedQuery<MilestonesWanted>) -> HandlerResult<Json<Milestones>> {
    let quote = wanted.0.quote_id;
    let listed = app.data.store.read(move |tx| store::list(tx, &quotes::find(tx, &quote)?.id));
    Ok(Json(listed.await?.into()))
}

/// Adds the seven usual steps to a quote that has none, or one step at its place.
#[endpoint(operation_id = "admin_add_milestones", tags("admin"))]
pub async fn add(
    app: App,
    caller: Admin,
    peer: Peer,
    key: IdempotencyKey,
    body: Checked<NewMilestone>,
    req: &mut Request,
) -> HandlerResult<Created<AddedMilestones>> {
    let (quote, what) = body.0.parts()?;
    let desk = desk(&app, &caller, peer, req);
    let added = tx_op(move |tx| {
        Ok(match work::add(tx, &desk, &quote, what)? {
            Added::Usual(steps) => AddedMilestones::Usual(steps.into()),
            Added::Step(step) => AddedMilestones::Step(step),
        })
    });
    Ok(Created(key.once(&app, &caller, added).await?))
}

/// Changes a step: its words, its place, or how far it is, one state at a time. Of what is moved the customer is told some
/// minutes later, all at once.
#[endpoint(operation_id = "admin_change_milestone", tags("admin"))]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    id: Key,
    body: Checked<MilestoneChanges>,
    req: &mut Request,
) -> HandlerResult<Json<Milestone>> {
    let desk = desk(&app, &caller, peer, req);
    Ok(Json(app.data.store.write(move |tx| work::change(tx, &desk, &id.0, body.0)).await?))
}

/// Removes a step; those behind it close up.
#[endpoint(operation_id = "admin_remove_milestone", tags("admin"))]
pub async fn remove(app: App, caller: Admin, peer: Peer, id: Key, req: &mut Request) -> HandlerResult<Deleted> {
    let desk = desk(&app, &caller, peer, req);
    app.data.store.write(move |tx| work::remove(tx, &desk, &id.0)).await?;
    Ok(Deleted::default())
}

/// The desk at which the caller sits.
pub fn desk(app: &App, caller: &Admin, peer: Peer, req: &Request) -> Desk {
    Desk::of(app, &caller.name, peer.0, link_origin(app, req).ok())
}

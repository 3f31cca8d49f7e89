//! The six routes of the plants.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::model::{NewDiary, NewPlant, Plant, PlantChanges};
use super::{store, work};
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::http::{
    Accepted, Answer, Body, Created, Deleted, Household, Id, IdempotencyKey, Json, Paging, Query, TaskBegun, to_write,
};
use hanok_platform::store::WriteTx;

/// The list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Plants {
    /// In the order in which they need water.
    pub plants: Vec<Plant>,
    /// How many there are.
    pub total: u64,
}

/// The plants.
#[endpoint(operation_id = "plants_list", tags("plants"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<100>>) -> Answer<Json<Plants>> {
    let page = paging.0.page()?;
    let (plants, total) = app.data.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Plants { plants, total }))
}

/// Adds a plant.
#[endpoint(operation_id = "plants_add", tags("plants"))]
pub async fn add(app: App, caller: Household, key: IdempotencyKey, body: Body<NewPlant>) -> Answer<Created<Plant>> {
    Ok(Created(key.once(&app, &caller, to_write(|tx| store::add(tx, body.0))).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "plants_change", tags("plants"))]
pub async fn change(app: App, _caller: Household, id: Id, body: Body<PlantChanges>) -> Answer<Json<Plant>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, body.0)).await?))
}

/// Notes that it was watered today.
#[endpoint(operation_id = "plants_water", tags("plants"))]
pub async fn water(app: App, caller: Household, key: IdempotencyKey, id: Id) -> Answer<Json<Plant>> {
    Ok(Json(key.once(&app, &caller, to_write(move |tx| store::water(tx, id.0))).await?))
}

/// Two million characters, with what JSON adds to them.
const LARGEST_DIARY: u64 = 8 << 20;

/// Takes a diary that was kept elsewhere; a task reads in it when the plant was watered last.
#[endpoint(operation_id = "plants_bring_diary", tags("plants"))]
pub async fn bring_diary(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    id: Id,
    body: Body<NewDiary, LARGEST_DIARY>,
) -> Answer<Accepted<TaskBegun>> {
    let diary = Check::of(|check| check.take("text", body.0.text))?;
    let begin = move |tx: &WriteTx| Ok(TaskBegun { task_id: work::bring_diary(tx, id.0, &diary)? });
    Ok(Accepted(key.once(&app, &caller, to_write(begin)).await?))
}

/// Removes a plant.
#[endpoint(operation_id = "plants_remove", tags("plants"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> Answer<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

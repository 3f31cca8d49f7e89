//! The seven routes of the plants.

use salvo::Writer;
use salvo::oapi::endpoint;

use super::model::{NewDiary, NewPlant, Plant, PlantChanges};
use super::{store, work};
use hanok_base::page::Paged;
use hanok_platform::app::App;
use hanok_platform::http::{
    Accepted, Checked, Created, Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, TaskBegun, tx_op,
};
use hanok_platform::store::WriteTx;

/// The plants.
#[endpoint(operation_id = "plants_list", tags("plants"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<100>>) -> HandlerResult<Json<Paged<Plant>>> {
    let page = paging.0.page()?;
    Ok(Json(app.data.store.page(page, move |tx| store::list(tx, page)).await?.into()))
}

/// Adds a plant.
#[endpoint(operation_id = "plants_add", tags("plants"))]
pub async fn add(app: App, caller: Household, key: IdempotencyKey, new: Checked<NewPlant>) -> HandlerResult<Created<Plant>> {
    Ok(Created(key.once(&app, &caller, tx_op(|tx| store::add(tx, new.0))).await?))
}

/// One plant.
#[endpoint(operation_id = "plants_show", tags("plants"))]
pub async fn show(app: App, _caller: Household, id: Id) -> HandlerResult<Json<Plant>> {
    Ok(Json(app.data.store.read_inline(move |tx| store::find(tx, id.0)).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "plants_change", tags("plants"))]
pub async fn change(app: App, _caller: Household, id: Id, changes: Checked<PlantChanges>) -> HandlerResult<Json<Plant>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, changes.0)).await?))
}

/// Notes that it was watered today.
#[endpoint(operation_id = "plants_water", tags("plants"))]
pub async fn water(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Json<Plant>> {
    Ok(Json(key.once(&app, &caller, tx_op(move |tx| store::water(tx, id.0))).await?))
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
    diary: Checked<NewDiary, LARGEST_DIARY>,
) -> HandlerResult<Accepted<TaskBegun>> {
    let begin = move |tx: &WriteTx| Ok(TaskBegun { task_id: work::bring_diary(tx, id.0, &diary.0.text)? });
    Ok(Accepted(key.once(&app, &caller, tx_op(begin)).await?))
}

/// Removes a plant.
#[endpoint(operation_id = "plants_remove", tags("plants"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

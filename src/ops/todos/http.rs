//! The routes of the todos.

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::model::{NewTodo, Todo, TodoChanges};
use super::store;
use hanok_base::Request;
use hanok_base::instant::Timestamp;
use hanok_base::page::Paged;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::http::{
    Checked, CheckedQuery, Created, Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, tx_op,
};
use hanok_platform::store::ReadTransaction as _;

/// Todos that were brought to mind.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reminders {
    /// Open ones, the last that was brought to mind first; at most twenty.
    pub todos: Vec<Todo>,
}

/// Which finished ones to clear.
#[derive(Debug, Request)]
#[request(query)]
pub struct ClearDoneQuery {
    /// Only those that were done at this instant or before; left out it is all of them.
    #[field(Timestamp)]
    pub until: Option<DateTime<Utc>>,
}

/// How many finished ones were cleared.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cleared {
    /// Always true.
    pub ok: bool,
    /// How many were removed.
    pub removed: u64,
}

/// The todos.
#[endpoint(operation_id = "todos_list", tags("todos"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<500>>) -> HandlerResult<Json<Paged<Todo>>> {
    let page = paging.0.page()?;
    Ok(Json(app.data.store.page(page, move |tx| store::list(tx, page)).await?.into()))
}

/// What was brought to mind and is still open.
#[endpoint(operation_id = "todos_reminded", tags("todos"))]
pub async fn reminded(app: App, _caller: Household) -> HandlerResult<Json<Reminders>> {
    Ok(Json(Reminders { todos: app.data.store.read_inline(|tx| store::reminded(tx)).await? }))
}

/// Adds a todo.
#[endpoint(operation_id = "todos_add", tags("todos"))]
pub async fn add(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: Checked<NewTodo>,
) -> HandlerResult<Created<Todo>> {
    let write = tx_op(move |tx| store::add(tx, new.0.into_todo(tx.now())));
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "todos_change", tags("todos"))]
pub async fn change(app: App, _caller: Household, id: Id, changes: Checked<TodoChanges>) -> HandlerResult<Json<Todo>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, changes.0)).await?))
}

/// Removes a todo.
#[endpoint(operation_id = "todos_remove", tags("todos"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// Clears the finished todos.
#[endpoint(operation_id = "todos_remove_done", tags("todos"))]
pub async fn remove_done(
    app: App,
    _caller: Household,
    which: CheckedQuery<ClearDoneQuery>,
) -> HandlerResult<Json<Cleared>> {
    let removed = app.data.store.write(move |tx| store::remove_done(tx, which.0.until)).await?;
    Ok(Json(Cleared { ok: true, removed }))
}

//! The routes of the todos.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::model::{NewTodo, Todo, TodoChanges};
use super::store;
use hanok_base::Sent;
use hanok_base::error::Check;
use hanok_base::instant::Instant;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::http::{
    Answer, Body, Created, Deleted, Household, Id, IdempotencyKey, Json, Paging, Query, to_write_checked,
};
use hanok_platform::store::WriteTx;

/// The list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Todos {
    /// Open ones by the day they are due, then done ones, newest first.
    pub todos: Vec<Todo>,
    /// How many there are.
    pub total: u64,
}

/// Todos that were brought to mind.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reminded {
    /// Open ones, the last that was brought to mind first; at most twenty.
    pub todos: Vec<Todo>,
}

/// Which finished ones to clear.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct WhichDone {
    /// Only those that were done at this instant or before; left out it is all of them.
    pub until: Option<Sent<Instant>>,
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
pub async fn list(app: App, _caller: Household, paging: Query<Paging<500>>) -> Answer<Json<Todos>> {
    let page = paging.0.page()?;
    let (todos, total) = app.data.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Todos { todos, total }))
}

/// What was brought to mind and is still open.
#[endpoint(operation_id = "todos_reminded", tags("todos"))]
pub async fn reminded(app: App, _caller: Household) -> Answer<Json<Reminded>> {
    Ok(Json(Reminded { todos: app.data.store.read_inline(|tx| store::reminded(tx)).await? }))
}

/// Adds a todo.
#[endpoint(operation_id = "todos_add", tags("todos"))]
pub async fn add(app: App, caller: Household, key: IdempotencyKey, body: Body<NewTodo>) -> Answer<Created<Todo>> {
    let write = to_write_checked(|now| {
        let todo = body.0.into_todo(now)?;
        Ok(|tx: &WriteTx| store::add(tx, todo))
    });
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "todos_change", tags("todos"))]
pub async fn change(app: App, _caller: Household, id: Id, body: Body<TodoChanges>) -> Answer<Json<Todo>> {
    let changes = body.0.checked(app.clock.now())?;
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, changes)).await?))
}

/// Removes a todo.
#[endpoint(operation_id = "todos_remove", tags("todos"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> Answer<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// Clears the finished todos.
#[endpoint(operation_id = "todos_remove_done", tags("todos"))]
pub async fn remove_done(app: App, _caller: Household, which: Query<WhichDone>) -> Answer<Json<Cleared>> {
    let until = Check::of(|check| which.0.until.map(|until| check.take("until", until)))?;
    let removed = app.data.store.write(move |tx| store::remove_done(tx, until)).await?;
    Ok(Json(Cleared { ok: true, removed }))
}

//! The five routes of the todos.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::model::{LONGEST_NOTE, LONGEST_TITLE, NewTodo, Todo, TodoChanges};
use super::store;
use hanok_base::Page;
use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::http::{
    Answer, Body, Created, Deleted, Household, Id, IdempotencyKey, Json, Query, openapi, to_write,
};

/// Which part of the list.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct Part {
    /// How many, at most 500; left out it is 500.
    #[salvo(parameter(minimum = 1, maximum = 500))]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[salvo(parameter(maximum = 4294967295_f64))]
    pub offset: Option<u64>,
}

/// The list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Todos {
    /// Open ones by the day they are due, then done ones, newest first.
    pub todos: Vec<Todo>,
    /// How many there are.
    pub total: u64,
}

/// How many finished ones were cleared.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cleared {
    /// Always true.
    pub ok: bool,
    /// How many were removed.
    pub removed: u64,
}

/// What the document says of requests beyond their types.
pub fn document_rules() -> Value {
    let title = json!({"minLength": 1, "maxLength": LONGEST_TITLE, "pattern": openapi::SAID});
    let note = json!({"maxLength": LONGEST_NOTE, "pattern": openapi::TEXT});
    let due = json!({"pattern": "^(19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}$"});
    let properties = json!({"properties": {"title": title, "note": note, "due": due}});
    json!({"NewTodo": properties, "TodoChanges": properties})
}

/// The todos.
#[endpoint(operation_id = "todos_list", tags("todos"))]
pub async fn list(app: App, _caller: Household, part: Query<Part>) -> Answer<Json<Todos>> {
    let page = Page::parse(part.0.limit, part.0.offset, 500)?;
    let (todos, total) = app.data.store.page(page, move |tx| store::list(tx, page)).await?;
    Ok(Json(Todos { todos, total }))
}

/// Adds a todo.
#[endpoint(operation_id = "todos_add", tags("todos"))]
pub async fn add(app: App, caller: Household, key: IdempotencyKey, body: Body<NewTodo>) -> Answer<Created<Todo>> {
    Ok(Created(key.once(&app, &caller, to_write(|tx| store::add(tx, body.0))).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "todos_change", tags("todos"))]
pub async fn change(app: App, _caller: Household, id: Id, body: Body<TodoChanges>) -> Answer<Json<Todo>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, body.0)).await?))
}

/// Removes a todo.
#[endpoint(operation_id = "todos_remove", tags("todos"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> Answer<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// Clears the finished todos.
#[endpoint(operation_id = "todos_remove_done", tags("todos"))]
pub async fn remove_done(app: App, _caller: Household) -> Answer<Json<Cleared>> {
    let removed = app.data.store.write(store::remove_done).await?;
    Ok(Json(Cleared { ok: true, removed }))
}

//! What is held, and cash.

use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::model::{Cash, CashChange, Item, ItemChanges, NewItem, Portfolio, SellOrder, Sold};
use super::super::store::{cash, items, sales};
use hanok_platform::app::App;
use hanok_platform::http::{Checked, Created, Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, Key, tx_op};

/// What is held, with what it is worth now.
#[endpoint(operation_id = "portfolio_show", tags("portfolio"))]
pub async fn show(app: App, _caller: Household) -> HandlerResult<Json<Portfolio>> {
    Ok(Json(app.data.store.read(|tx| items::portfolio(tx)).await?))
}

/// Adds an item.
#[endpoint(operation_id = "portfolio_add", tags("portfolio"))]
pub async fn add(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: Checked<NewItem>,
) -> HandlerResult<Created<Item>> {
    Ok(Created(key.once(&app, &caller, tx_op(|tx| items::add(tx, new.0))).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "portfolio_change", tags("portfolio"))]
pub async fn change(app: App, _caller: Household, id: Id, changes: Checked<ItemChanges>) -> HandlerResult<Json<Item>> {
    Ok(Json(app.data.store.write(move |tx| items::change(tx, id.0, changes.0)).await?))
}

/// Removes an item; its sales stay.
#[endpoint(operation_id = "portfolio_remove", tags("portfolio"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| items::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// Sells shares of an item: adds the sale record, reduces the item, and adds the net proceeds to the broker's cash, in one
/// transaction.
#[endpoint(operation_id = "portfolio_sell", tags("portfolio"))]
pub async fn sell(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    id: Id,
    order: Checked<SellOrder>,
) -> HandlerResult<Created<Sold>> {
    Ok(Created(key.once(&app, &caller, tx_op(move |tx| sales::sell(tx, id.0, order.0))).await?))
}

/// Sets the cash of a broker.
#[endpoint(operation_id = "portfolio_cash_change", tags("portfolio"))]
pub async fn set_cash(app: App, _caller: Household, sent: Checked<CashChange>) -> HandlerResult<Json<Cash>> {
    let CashChange { broker, cash } = sent.0;
    Ok(Json(app.data.store.write(move |tx| cash::set(tx, broker, cash)).await?))
}

/// Removes the cash of a broker, whose name stands in the address as any text does there: encoded.
#[endpoint(operation_id = "portfolio_cash_remove", tags("portfolio"))]
pub async fn remove_cash(app: App, _caller: Household, broker: Key) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| cash::remove(tx, &broker.0)).await?;
    Ok(Deleted::default())
}

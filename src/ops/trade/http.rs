//! The routes of the orders.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::model::{Balance, NewAccount, NewOrder, Order, OrderStatus, Preview, StopChange};
use super::store::{self, paper};
use super::work;
use super::work::TradeSettings;
use hanok_base::page::{Limit, Offset, Paged};
use hanok_base::schema::ToSchema;
use hanok_base::{Krw, Page, Request};
use hanok_platform::app::App;
use hanok_platform::http::{Checked, CheckedQuery, Created, HandlerResult, Household, Id, IdempotencyKey, Json};
use hanok_platform::store::WriteTx;

/// What the document says beyond the types.
pub fn document_rules() -> Value {
    let example = json!({"symbol": "005930", "side": "buy", "quantity": 1, "price": 70_000, "order_type": "limit"});
    json!({
        "trade.NewOrder": {"examples": [example]},
        "trade.StopChange": {"examples": [{"stopped": false}]},
        "trade.NewAccount": {"examples": [{"cash": 100_000_000}]},
    })
}

/// Which orders.
#[derive(Debug, Request)]
#[request(query)]
pub struct OrderQuery {
    /// Only those that stand there; left out it is all.
    pub status: Option<OrderStatus>,
    /// How many, at most 500; left out it is 100.
    #[field(Limit)]
    pub limit: Option<u64>,
    /// How many to pass over first.
    #[field(Offset)]
    pub offset: Option<u64>,
}

/// Whether new orders are refused.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Stopped {
    /// Whether they are.
    pub stopped: bool,
}

/// What the account holds and is worth.
#[endpoint(operation_id = "trade_balance", tags("trade"))]
pub async fn balance(app: App, _caller: Household) -> HandlerResult<Json<Balance>> {
    Ok(Json(work::balance(&app).await?))
}

/// Gives an order.
#[endpoint(operation_id = "trade_order", tags("trade"))]
pub async fn order(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: Checked<NewOrder>,
) -> HandlerResult<Created<Order>> {
    work::must_be_configured(&app)?;
    let place = |app: App| async move {
        work::look_at_price(&app, &new.0).await;
        let settings = app.config.section::<TradeSettings>();
        Ok(move |tx: &WriteTx| work::place(tx, &new.0, &settings))
    };
    Ok(Created(key.once(&app, &caller, place).await?))
}

/// What an order would come to. Takes no Idempotency-Key: nothing is written.
#[endpoint(operation_id = "trade_order_preview", tags("trade"))]
pub async fn preview(app: App, _caller: Household, new: Checked<NewOrder>) -> HandlerResult<Json<Preview>> {
    let settings = app.config.section::<TradeSettings>();
    Ok(Json(app.data.store.read(move |tx| work::preview(tx, &new.0, &settings)).await?))
}

/// The orders, newest first.
#[endpoint(operation_id = "trade_orders", tags("trade"))]
pub async fn list(app: App, _caller: Household, which: CheckedQuery<OrderQuery>) -> HandlerResult<Json<Paged<Order>>> {
    let OrderQuery { status, limit, offset } = which.0;
    let page = Page { limit: limit.unwrap_or(100) as usize, offset: offset.unwrap_or(0) as usize };
    Ok(Json(app.data.store.page(page, move |tx| store::list(tx, status, page)).await?.into()))
}

/// Cancels an open order.
#[endpoint(operation_id = "trade_order_cancel", tags("trade"))]
pub async fn cancel(app: App, _caller: Household, id: Id) -> HandlerResult<Json<Order>> {
    Ok(Json(app.data.store.write(move |tx| work::cancel(tx, id.0)).await?))
}

/// Refuses every new order, or lets them go on.
#[endpoint(operation_id = "trade_stop", tags("trade"))]
pub async fn stop(app: App, _caller: Household, change: Checked<StopChange>) -> HandlerResult<Json<Stopped>> {
    let stopped = change.0.stopped;
    app.data.store.write(move |tx| store::stop(tx, stopped)).await?;
    Ok(Json(Stopped { stopped }))
}

/// Begins the paper account anew with this cash: nothing is held then, and open orders are cancelled.
#[endpoint(operation_id = "trade_paper_restart", tags("trade"))]
pub async fn restart(app: App, _caller: Household, new: Checked<NewAccount>) -> HandlerResult<Json<Balance>> {
    work::must_be_paper(&app)?;
    let (rules, cash) = (work::rules(&app), i64::try_from(new.0.cash).ok().and_then(Krw::new).unwrap_or_default());
    let write = move |tx: &WriteTx| {
        paper::restart(tx, cash)?;
        paper::read(tx, rules)
    };
    Ok(Json(app.data.store.write(write).await?))
}

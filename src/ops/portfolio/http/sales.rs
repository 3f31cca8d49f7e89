//! What was sold, and what was earned with it.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::{NewSale, ProfitReport, SaleChanges, SellRecord, SoldTotals};
use super::super::store::sales as store;
use super::DaysBack;
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::{Text, composed};
use hanok_base::{Page, Request};
use hanok_platform::app::App;
use hanok_platform::http::{
    Checked, CheckedQuery, Created, Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, tx_op,
};

/// What stands for all brokers.
const ALL: &str = "ALL";
/// How many sales a list gives when nobody says otherwise.
const USUAL: usize = 100;

/// Which sales.
#[derive(Debug, Request)]
#[request(query)]
pub struct SaleQuery {
    /// Only those of this broker; left out, empty or `ALL` it is all of them.
    #[field(Text<0, 50>, default)]
    pub broker: String,
    /// Only those of the last so many days, today among them; left out or empty it is all of them.
    #[field(DaysBack, default)]
    pub days: Option<u64>,
    /// How many; left out it is 100.
    #[field(Limit)]
    pub limit: Option<usize>,
    /// How many to pass over first.
    #[field(Offset, default)]
    pub offset: usize,
}

/// Sales.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaleHistory {
    /// The page that was asked for, the newest day first.
    pub records: Vec<SellRecord>,
    /// How many pass.
    pub total: u64,
    /// What all that pass come to.
    pub totals: SoldTotals,
}

impl SaleQuery {
    fn filter(self) -> store::Filter {
        let broker = Some(composed(&self.broker).into_owned()).filter(|broker| !broker.is_empty() && broker != ALL);
        store::Filter { broker, days: self.days }
    }
}

/// What was sold.
#[endpoint(operation_id = "portfolio_sales", tags("portfolio"))]
pub async fn list(app: App, _caller: Household, which: CheckedQuery<SaleQuery>) -> HandlerResult<Json<SaleHistory>> {
    let page = Page { limit: which.0.limit.unwrap_or(USUAL), offset: which.0.offset };
    let filter = which.0.filter();
    let (records, totals) = app.data.store.read(move |tx| store::list(tx, &filter, page)).await?;
    Ok(Json(SaleHistory { records, total: totals.count, totals: totals.said() }))
}

/// Adds a sale record; no item changes.
#[endpoint(operation_id = "portfolio_sale_add", tags("portfolio"))]
pub async fn add(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    new: Checked<NewSale>,
) -> HandlerResult<Created<SellRecord>> {
    Ok(Created(key.once(&app, &caller, tx_op(|tx| store::add(tx, new.0))).await?))
}

/// Changes the fields of a sale record that are sent and computes it again; no item changes.
#[endpoint(operation_id = "portfolio_sale_change", tags("portfolio"))]
pub async fn change(
    app: App,
    _caller: Household,
    id: Id,
    changes: Checked<SaleChanges>,
) -> HandlerResult<Json<SellRecord>> {
    Ok(Json(app.data.store.write(move |tx| store::change(tx, id.0, changes.0)).await?))
}

/// Removes a sale record; no item changes.
#[endpoint(operation_id = "portfolio_sale_remove", tags("portfolio"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| store::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// What was earned with sales, by month and by year.
#[endpoint(operation_id = "portfolio_profit", tags("portfolio"))]
pub async fn profit(app: App, _caller: Household) -> HandlerResult<Json<ProfitReport>> {
    Ok(Json(app.data.store.read(|tx| store::profit(tx)).await?))
}

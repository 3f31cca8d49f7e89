//! Purchases, what they came to, and what the household's own sets look like.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{
    DrawNo, MonthStatistics, NewBulk, NewPurchase, Purchase, PurchaseChanges, PurchaseStatistics, ThisMonth, TierMode,
};
use super::super::store::purchases::{self as store, Filter};
use super::super::work::purchases as work;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::IntRange;
use hanok_base::{Page, Result, Validated};
use hanok_calc::lottery::personal::Personal;
use hanok_platform::app::App;
use hanok_platform::http::{
    Body, Created, Deleted, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, validated_tx_op,
};
use hanok_platform::store::{ReadTx, WriteTx};

/// Which purchases.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct WhichPurchases {
    /// Only those of this draw.
    pub draw_no: Option<Validated<DrawNo>>,
    /// Only those of draws of the last so many days, today among them, and of draws to come.
    pub days: Option<Validated<IntRange<1, 36_500>>>,
}

/// Purchases, those of the newest draw first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Purchases {
    /// The purchases of this page.
    pub purchases: Vec<Purchase>,
    /// How many there are.
    pub total: u64,
}

/// The games of several tiers, written down as one purchase.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Bulk {
    /// The purchase.
    pub purchases: Vec<Purchase>,
    /// How many games.
    pub count: u64,
    /// Won paid.
    pub amount: u64,
    /// Which tiers.
    pub tier_mode: TierMode,
}

/// What the months cost and won.
#[derive(Debug, Serialize, ToSchema)]
pub struct PurchaseMonths {
    /// The months of this page, newest first: every one from the first purchase on, also those without any.
    pub months: Vec<MonthStatistics>,
    /// How many there are.
    pub total: u64,
    /// What was spent this month.
    pub this_month: ThisMonth,
}

impl WhichPurchases {
    fn check(self, paging: Paging<100>) -> Result<(Filter, Page)> {
        Check::of(|check| {
            let draw_no = self.draw_no.map(|draw_no| check.take("draw_no", draw_no));
            let days = self.days.map(|days| check.take("days", days) as u32);
            let page = check.keep(paging.page()).unwrap_or(Page { limit: 0, offset: 0 });
            (Filter { draw_no, days }, page)
        })
    }
}

/// The purchases.
#[endpoint(operation_id = "lottery_purchases", tags("lottery"))]
pub async fn list(
    app: App,
    _caller: Household,
    which: Query<WhichPurchases>,
    paging: Query<Paging<100>>,
) -> HandlerResult<Json<Purchases>> {
    let (filter, page) = which.0.check(paging.0)?;
    let read = move |tx: &ReadTx| store::list(tx, filter, page);
    let listed =
        if filter.days.is_none() { app.data.store.page(page, read).await } else { app.data.store.read(read).await };
    let (purchases, total) = listed?;
    Ok(Json(Purchases { purchases, total }))
}

/// What the purchases came to, next to chance.
#[endpoint(operation_id = "lottery_purchase_statistics", tags("lottery"))]
pub async fn statistics(app: App, _caller: Household) -> HandlerResult<Json<PurchaseStatistics>> {
    Ok(Json(work::statistics(&app).await?))
}

/// What was spent and won month by month. A purchase counts in the month in which it was written down, or in that of its
/// draw where it was written down later; a prize in the month of its draw.
#[endpoint(operation_id = "lottery_purchase_months", tags("lottery"))]
pub async fn months(app: App, _caller: Household, paging: Query<Paging<24>>) -> HandlerResult<Json<PurchaseMonths>> {
    let (listed, total, this_month) = work::months(&app, paging.0.page()?).await?;
    Ok(Json(PurchaseMonths { months: listed, total, this_month }))
}

/// Writes a purchase down.
#[endpoint(operation_id = "lottery_purchase_add", tags("lottery"))]
pub async fn add(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    body: Body<NewPurchase>,
) -> HandlerResult<Created<Purchase>> {
    let write = validated_tx_op(|now| {
        let purchase = body.0.into_purchase(now)?;
        Ok(|tx: &WriteTx| work::add(tx, purchase))
    });
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Writes the games of several tiers down at once.
#[endpoint(operation_id = "lottery_purchase_bulk", tags("lottery"))]
pub async fn add_bulk(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    body: Body<NewBulk>,
) -> HandlerResult<Created<Bulk>> {
    let write = validated_tx_op(|now| {
        let bulk = body.0.checked(now)?;
        Ok(|tx: &WriteTx| {
            let added = work::add_bulk(tx, bulk)?;
            let tier_mode = added.tier_mode.unwrap_or_default();
            Ok(Bulk { count: added.count, amount: added.amount, tier_mode, purchases: vec![added] })
        })
    });
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Changes the fields that are sent.
#[endpoint(operation_id = "lottery_purchase_change", tags("lottery"))]
pub async fn change(
    app: App,
    _caller: Household,
    id: Id,
    body: Body<PurchaseChanges>,
) -> HandlerResult<Json<Purchase>> {
    let changes = body.0.checked(app.clock.now())?;
    Ok(Json(app.data.store.write(move |tx| work::change(tx, id.0, changes)).await?))
}

/// Removes a purchase.
#[endpoint(operation_id = "lottery_purchase_remove", tags("lottery"))]
pub async fn remove(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| work::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// What the household's own sets look like.
#[endpoint(operation_id = "lottery_own_pattern", tags("lottery"))]
pub async fn own_pattern(app: App, _caller: Household) -> HandlerResult<Json<Personal>> {
    Ok(Json(work::own_pattern(&app).await?))
}

//! Purchases with what they need of the draws, and the review that follows from a change.

use super::super::model::{
    MonthStatistics, NewBulk, Purchase, PurchaseChanges, PurchaseStatistics, ThisMonth, newest_drawn,
};
use super::super::store::{draws, purchases, reports};
use super::fitted_draws::{kept_statistics, with_fitted_draws};
use super::settings::LotterySettings;
use super::tasks::ReviewDraw;
use hanok_base::{Page, Result};
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::personal::{Personal, SETS, personal};
use hanok_platform::app::App;
use hanok_platform::jobs::enqueue_once;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// How many played draws the statistics list.
const DRAWS_LISTED: usize = 52;

/// Writes a purchase down.
///
/// # Errors
/// `CONFLICT` for a ticket that is written down already.
pub fn add(tx: &WriteTx, new: Purchase) -> Result<Purchase> {
    let added = purchases::add(tx, new)?;
    review_again(tx, added.draw_no)?;
    Ok(added)
}

/// Writes the games of several tiers down as one purchase. For a count the picks of the briefing for this
/// draw are taken when there is one.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field, `sets` when there are not as many as the tiers have.
pub fn add_bulk(tx: &WriteTx, new: NewBulk) -> Result<Purchase> {
    let through = new.tier_mode.value().map(|mode| mode.through());
    let draw_no = match &new.draw_no {
        Some(sent) => sent.value().map(|draw_no| *draw_no as u32),
        None => Some(draws::coming(tx)?),
    };
    let briefing = draw_no.map(|draw_no| reports::find_briefing(tx, draw_no)).transpose()?.flatten();
    let picks: Vec<Numbers> = briefing
        .iter()
        .zip(through)
        .flat_map(|(briefing, through)| briefing.picks_through(through))
        .map(|pick| pick.numbers)
        .collect();
    add(tx, new.into_purchase(&picks, tx.now())?)
}

/// Changes the fields that are sent.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT`.
pub fn change(tx: &WriteTx, id: u64, changes: PurchaseChanges) -> Result<Purchase> {
    let before = purchases::find(tx, id)?.draw_no;
    let after = purchases::change(tx, id, changes)?;
    review_again(tx, after.draw_no)?;
    if after.draw_no != before {
        review_again(tx, before)?;
    }
    Ok(after)
}

/// Removes a purchase.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<()> {
    let removed = purchases::remove(tx, id)?;
    review_again(tx, removed.draw_no)
}

/// What the purchases came to, next to chance.
pub async fn statistics(app: &App) -> Result<PurchaseStatistics> {
    let keep = app.data.derived.clone();
    app.data
        .store
        .read(move |tx| {
            let payback = kept_statistics(tx, &keep)?.payback.ratio;
            let by_draw = purchases::newest_draw_totals(tx, DRAWS_LISTED)?;
            Ok(purchases::totals(tx)?.statistics(purchases::largest_prize(tx)?, payback, &by_draw))
        })
        .await
}

/// A page of what the months cost and won, newest first; how many there are; and what was spent this month.
pub async fn months(app: &App, page: Page) -> Result<(Vec<MonthStatistics>, u64, ThisMonth)> {
    let limit = app.config.section::<LotterySettings>().monthly_limit;
    app.data
        .store
        .read(move |tx| {
            let all = purchases::months(tx)?;
            let total = all.len() as u64;
            let shown = all.into_iter().skip(page.offset).take(page.limit).collect();
            Ok((shown, total, purchases::spent_this_month(tx, limit)?))
        })
        .await
}

/// What the household's own sets look like.
pub async fn own_pattern(app: &App) -> Result<Personal> {
    with_fitted_draws(app, |tx, fitted| {
        Ok(personal(&purchases::newest_sets(tx, SETS + 1)?, &fitted.co_winners, &fitted.draws))
    })
    .await
}

/// Of so many of the last draws a review is made for purchases that are written down after the draw.
const REVIEWED_LATE: u32 = 5;

/// A draw that was reviewed, or was held of late, is reviewed when its purchases have changed, once for all that change until
/// then.
pub(super) fn review_again(tx: &WriteTx, draw_no: u32) -> Result<()> {
    let is_of_late = || Ok(draw_no + REVIEWED_LATE > newest_drawn(tx.now()) && draws::find(tx, draw_no)?.is_some());
    if reports::is_reviewed(tx, draw_no)? || is_of_late()? {
        enqueue_once(tx, &ReviewDraw { draw_no: Some(draw_no) })?;
    }
    Ok(())
}

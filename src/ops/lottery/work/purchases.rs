//! Purchases with what they need of the draws.

use super::super::model::PurchaseStatistics;
use super::super::store::purchases;
use super::desk::{at_desk, kept_statistics};
use crate::base::Result;
use crate::calc::lottery::personal::{Personal, SETS, personal};
use crate::platform::app::App;

/// How many played draws the statistics list.
const DRAWS_LISTED: usize = 52;

/// What the purchases came to, next to chance.
pub async fn statistics(app: &App) -> Result<PurchaseStatistics> {
    let keep = app.keep.clone();
    app.store
        .read(move |tx| {
            let payback = kept_statistics(tx, &keep)?.payback.ratio;
            let by_draw = purchases::newest_draw_totals(tx, DRAWS_LISTED)?;
            Ok(purchases::totals(tx)?.statistics(purchases::largest_prize(tx)?, payback, &by_draw))
        })
        .await
}

/// What the household's own sets look like.
pub async fn own_pattern(app: &App) -> Result<Personal> {
    at_desk(app, |tx, desk| Ok(personal(&purchases::newest_sets(tx, SETS)?, &desk.co_winners))).await
}

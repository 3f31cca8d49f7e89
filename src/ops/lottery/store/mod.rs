//! The tables of the lottery and the verbs over a transaction.

pub mod corrections;
pub mod draws;
pub mod picks;
pub mod purchases;
pub mod reports;
mod stored_draws;

use super::model::{DrawToday, LotteryToday, WaitingPurchases, next_draw};
use hanok_base::{Page, Result};
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::store::{Declared, Derivation, ReadTx, Reads};

/// What the browsers hear of.
pub const CHANGES: [Change; 4] = [draws::CHANGED, picks::CHANGED, purchases::CHANGED, reports::CHANGED];

/// Every table of the lottery.
pub const TABLES: &[&dyn Declared] = &[
    &stored_draws::DRAWS,
    &stored_draws::STATE,
    &corrections::CONFLICTS,
    &corrections::KEPT_ASIDE,
    &corrections::CORRECTIONS,
    &purchases::PURCHASES,
    &picks::HISTORY,
    &picks::COMBINED,
    &picks::RUNS,
    &picks::BEST,
    &reports::REPORTS,
    &reports::BRIEFINGS,
    &reports::REVIEWS,
    &reports::CHECKED,
    &reports::WRITTEN_FROM,
    &reports::USAGE,
];

/// Tables of earlier versions.
pub const RETIRED: &[&str] = &purchases::RETIRED;

/// What follows from the rows of earlier versions.
pub const DERIVATIONS: &[Derivation] = &[
    Derivation::of(2, "lottery: count purchases that were not counted", &[&purchases::PURCHASES]),
    Derivation::of(2, "lottery: count recommendations that were not counted", &[&picks::HISTORY, &picks::COMBINED]),
    Derivation::by(
        3,
        "lottery: settled games, fixed prizes and tax",
        |tx| Ok(tx.count(&purchases::PURCHASES)? > 0),
        purchases::check_all,
    ),
    Derivation::by(
        3,
        "lottery: reviews with the exact spread of their sets",
        |tx| Ok(tx.count(&reports::REVIEWS)? > 0),
        reports::review_all_again,
    ),
];

/// How many picks Today shows.
const PICKS_TODAY: Page = Page { limit: 3, offset: 0 };

impl Today for LotteryToday {
    fn read(tx: &ReadTx) -> Result<LotteryToday> {
        let latest = draws::newest(tx)?.map(|stored| stored.draw);
        let newest_no = latest.as_ref().map_or(0, |draw| draw.draw_no);
        let waiting = purchases::first_played_after(tx, newest_no)?;
        let purchases_waiting = waiting.map(|totals| WaitingPurchases {
            draw_no: totals.draw_no,
            games: totals.games,
            amount: totals.invested,
        });
        let draw = DrawToday {
            latest,
            next_draw: next_draw(tx.now())?,
            picks: picks::best(tx, PICKS_TODAY)?.0,
            missing: draws::missing(tx)?,
            undecided: corrections::decisions(&corrections::conflicts(tx)?).len() as u64,
        };
        Ok(LotteryToday { draw, purchases_waiting })
    }
}

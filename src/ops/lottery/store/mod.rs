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
use hanok_platform::store::{Declared, Migration, ReadTx, Reads};

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

/// The steps from stores of earlier versions.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        to: 2,
        name: "lottery: count purchases that were not counted",
        needed: |tx| Ok(!purchases::PURCHASES.flaws(tx)?.is_empty()),
        apply: |tx| purchases::PURCHASES.rebuild(tx),
    },
    Migration {
        to: 2,
        name: "lottery: count recommendations that were not counted",
        needed: |tx| Ok(!picks::HISTORY.flaws(tx)?.is_empty() || !picks::COMBINED.flaws(tx)?.is_empty()),
        apply: |tx| picks::HISTORY.rebuild(tx).and_then(|()| picks::COMBINED.rebuild(tx)),
    },
    Migration {
        to: 3,
        name: "lottery: settled games, fixed prizes and tax",
        needed: |tx| Ok(tx.count(&purchases::PURCHASES)? > 0),
        apply: purchases::check_all,
    },
    Migration {
        to: 3,
        name: "lottery: reviews with the exact spread of their sets",
        needed: |tx| Ok(tx.count(&reports::REVIEWS)? > 0),
        apply: reports::review_all_again,
    },
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

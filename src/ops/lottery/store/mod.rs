//! The tables of the lottery desk and the verbs over a transaction.

pub mod draws;
pub mod picks;
pub mod purchases;
pub mod reports;

use super::model::{DrawToday, LotteryToday, WaitingPurchases, next_draw};
use hanok_base::{Page, Result};
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::store::{ReadTx, Reads};

/// What the browsers hear of.
pub const CHANGES: [Change; 4] = [draws::CHANGED, picks::CHANGED, purchases::CHANGED, reports::CHANGED];

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
        };
        Ok(LotteryToday { draw, purchases_waiting })
    }
}

//! The tables of the lottery desk and the verbs over a transaction.

pub mod draws;
pub mod picks;
pub mod purchases;
pub mod reports;

use super::model::{DrawToday, WaitingPurchases, next_draw};
use hanok_base::{Page, Result};
use hanok_platform::store::Reads;

/// How many picks Today shows.
const PICKS_TODAY: Page = Page { limit: 3, offset: 0 };

/// What Today shows of the desk.
pub fn today(tx: &impl Reads) -> Result<(DrawToday, Option<WaitingPurchases>)> {
    let latest = draws::newest(tx)?.map(|stored| stored.draw);
    let newest_no = latest.as_ref().map_or(0, |draw| draw.draw_no);
    let waiting = purchases::first_played_after(tx, newest_no)?;
    let waiting = waiting.map(|totals| WaitingPurchases {
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
    Ok((draw, waiting))
}

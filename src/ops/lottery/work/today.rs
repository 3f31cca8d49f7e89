//! What Today shows of the lottery: the draws and picks that are kept, and the month beside the limit of the settings.

use super::super::model::{DrawToday, LotteryToday, WaitingPurchases, next_draw};
use super::super::store::{corrections, draws, picks, purchases};
use super::settings::LotterySettings;
use hanok_base::{Page, Result};
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::store::ReadTx;

/// How many picks Today shows.
const PICKS_TODAY: Page = Page { limit: 3, offset: 0 };

impl Today for LotteryToday {
    fn read(tx: &ReadTx, config: &Config) -> Result<LotteryToday> {
        let latest = draws::newest(tx)?.map(|stored| stored.draw);
        let next_draw = next_draw(draws::coming(tx)?)?;
        let of_the_coming = purchases::totals_of(tx, next_draw.draw_no)?;
        let purchases_waiting = of_the_coming.map(|totals| WaitingPurchases {
            draw_no: totals.draw_no,
            games: totals.games,
            amount: totals.paid.invested,
        });
        let draw = DrawToday {
            latest,
            next_draw,
            picks: picks::best(tx, PICKS_TODAY)?.0,
            missing: draws::missing(tx)?,
            undecided: corrections::count_decisions(tx)?,
        };
        let this_month = purchases::spent_this_month(tx, config.section::<LotterySettings>().monthly_limit)?;
        let purchases_over_limit = Some(this_month).filter(|month| month.is_over());
        Ok(LotteryToday { draw, purchases_waiting, purchases_over_limit })
    }
}

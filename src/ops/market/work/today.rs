//! What Today shows of the markets: what was fetched last, asking nobody.

use super::super::store::indices::{MarketToday, today};
use hanok_base::Result;
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::store::ReadTx;

impl Today for MarketToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<MarketToday> {
        today(tx)
    }
}

//! The account at the broker.

use std::collections::HashSet;

use hanok_base::{Krw, Result};
use hanok_platform::app::App;
use tracing::warn;

use super::super::super::model::{Balance, Broker, Mode, Position, balance};
use super::super::super::store;
use super::{Call, Kis, answers, unreadable};
use crate::market;

/// What the account holds and is worth; while the broker does not answer, what it said last, marked as stale.
///
/// # Errors
/// `NOT_CONFIGURED`; those of the provider where it has never answered.
pub async fn read(app: &App, mode: Mode) -> Result<Balance> {
    let kis = Kis::of(app)?;
    match asked(app, &kis, mode).await {
        Ok(seen) => {
            let kept = seen.clone();
            app.data.store.write(move |tx| store::keep_balance(tx, &kept)).await?;
            Ok(seen)
        }
        Err(error) => {
            warn!(%error, "the balance is the last one that the broker told");
            let (last, stopped) =
                app.data.store.read(move |tx| Ok((store::last_balance(tx)?, store::is_stopped(tx)?))).await?;
            let last = last.filter(|last| last.mode == mode).ok_or(error)?;
            Ok(Balance { stale: true, stopped, ..last })
        }
    }
}

async fn asked(app: &App, kis: &Kis, mode: Mode) -> Result<Balance> {
    let parameters = [
        ("AFHR_FLPR_YN", "N"),
        ("OFL_YN", ""),
        ("INQR_DVSN", "02"),
        ("UNPR_DVSN", "01"),
        ("FUND_STTL_ICLD_YN", "N"),
        ("FNCG_AMT_AUTO_RDPT_YN", "N"),
        ("PRCS_DVSN", "00"),
    ];
    let parameters = parameters.map(|(name, value)| (name, value.to_owned())).into();
    let path = "/uapi/domestic-stock/v1/trading/inquire-balance";
    let pages = kis.pages(app, &Call { path, number: "TTTC8434R", parameters }).await?;
    let now = app.clock.now();
    let listed =
        |held: Position| Position { market: market::listing(&held.symbol).map(|listing| listing.market), ..held };
    let mut holdings: Vec<Position> = Vec::new();
    for page in &pages {
        holdings.extend(answers::holdings(page, now).ok_or_else(unreadable)?.into_iter().map(listed));
    }
    let symbols: HashSet<&str> = holdings.iter().map(|held| held.symbol.as_str()).collect();
    if symbols.len() < holdings.len() {
        return Err(unreadable());
    }
    // An account that was never used has none.
    let none = holdings.is_empty().then_some(Krw::ZERO);
    let cash = pages.first().and_then(answers::cash).or(none).ok_or_else(unreadable)?;
    let stopped = app.data.store.read(|tx| store::is_stopped(tx)).await?;
    Ok(balance((mode, Broker::Kis, stopped), (cash, cash), holdings, now))
}

//! The games of several tiers, as one purchase.

use chrono::{DateTime, Utc};

use super::super::said;
use super::{Games, NewBulk, NewPurchase, Purchase};
use hanok_base::error::Check;
use hanok_base::{Result, Validated};
use hanok_calc::lottery::Numbers;

impl NewBulk {
    /// The same, when nothing of it is refused at `now`, whatever the briefing has picked.
    ///
    /// # Errors
    /// Those of [`NewBulk::into_purchase`].
    pub fn checked(self, now: DateTime<Utc>) -> Result<NewBulk> {
        self.clone().into_purchase(&[], now)?;
        Ok(self)
    }

    /// The purchase as it is written down at `now`, without an id yet; `picks` are the briefing's for this draw and mode.
    ///
    /// # Errors
    /// As those of [`NewPurchase::into_purchase`]; `sets` is refused, too, when there are not as many as the tiers have.
    pub fn into_purchase(self, picks: &[Numbers], now: DateTime<Utc>) -> Result<Purchase> {
        let Self { draw_no, tier_mode, sets, amount, note } = self;
        let purchase = Check::of(|check| {
            let tier_mode = check.take("tier_mode", tier_mode);
            let wanted = tier_mode.games() as u64;
            let games = sets.unwrap_or_else(|| Validated::taken(Games::counted(wanted)));
            let fits = games.value().is_none_or(|games| games.count() == wanted);
            check.require(fits, "sets", said::AS_TIERS.with([("count", wanted.into())]));
            let games = match games.value() {
                Some(games) if !games.are_known() && picks.len() as u64 == wanted => {
                    Validated::taken(Games::known(picks.to_vec()))
                }
                _ => games,
            };
            let new = NewPurchase { draw_no, sets: Some(games), amount, note, ..NewPurchase::default() };
            Purchase { tier_mode: Some(tier_mode), ..new.read(check, now) }
        });
        purchase?.possible(now)
    }
}

//! What everything was worth on a day.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::money::MOST_WON;
use hanok_base::schema::ToSchema;
use hanok_base::validated::KrwRange;
use hanok_base::{Krw, Request};

/// How a snapshot was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotSource {
    /// Computed on request.
    Computed,
    /// Entered by hand.
    Manual,
    /// Computed by the schedule, after the exchange has closed.
    Scheduled,
}

/// What everything was worth on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// The day in Asia/Seoul.
    pub date: NaiveDate,
    /// Items and cash, in won.
    pub total_assets: Krw,
    /// How it was made.
    pub source: SnapshotSource,
    /// Whether the value of some item was not known.
    pub partial: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// A snapshot to be made; a body may be left out.
#[derive(Debug, Request)]
pub struct NewSnapshot {
    /// How much everything was worth, in whole won; left out it is computed.
    #[field(KrwRange<{ MOST_WON.unsigned_abs() }>)]
    pub total_assets: Option<u64>,
}

/// What everything is worth, beside the snapshot before.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NetWorth {
    /// Items and cash, in won; null where that is beyond what can be said.
    pub total_assets: Option<Krw>,
    /// More than in the last snapshot before today, in won; null without any, and where the value of some item
    /// is not known now or was not then.
    pub change: Option<Krw>,
    /// That in percent, to two decimals.
    pub change_pct: Option<f64>,
    /// When the oldest price that took part was of; null without any.
    pub as_of: Option<DateTime<Utc>>,
    /// Whether the value of some item is not known.
    pub partial: bool,
}

/// The portfolio's part of Today.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PortfolioToday {
    /// What everything is worth; null where nothing is held.
    pub net_worth: Option<NetWorth>,
}

impl NetWorth {
    /// What is worth `total` now, beside what it was `before`: parts of either are not beside each other.
    pub fn of(total: Option<Krw>, before: Option<&Snapshot>, as_of: Option<DateTime<Utc>>, partial: bool) -> NetWorth {
        let before = before.filter(|before| !partial && !before.partial).map(|before| before.total_assets);
        let change = total.zip(before).and_then(|(total, before)| total.minus(before));
        let share = |(change, before): (Krw, Krw)| super::valuation::percent(change.get().into(), before.get().into());
        NetWorth { total_assets: total, change, change_pct: change.zip(before).and_then(share), as_of, partial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(total_assets: Krw, partial: bool) -> Snapshot {
        let (date, created_at) = ("2026-10-10".parse().unwrap(), "2026-10-10T12:30:00Z".parse().unwrap());
        Snapshot { date, total_assets, source: SnapshotSource::Computed, partial, created_at }
    }

    #[test]
    fn what_is_known_in_part_has_no_change() {
        let ten = Krw::new(10).unwrap();
        for (then, now) in [(true, false), (false, true), (true, true)] {
            let worth = NetWorth::of(Some(ten), Some(&snapshot(ten, then)), None, now);
            assert_eq!((worth.total_assets, worth.change, worth.change_pct), (Some(ten), None, None));
        }
        assert_eq!(NetWorth::of(Some(ten), Some(&snapshot(ten, false)), None, false).change, Some(Krw::ZERO));
    }

    #[test]
    fn a_change_is_told_beside_what_was_before_and_in_percent_where_that_was_something() {
        let won = |won| Krw::new(won);
        // By hand: 1,050,000 − 1,000,000 = 50,000 = 5 %; −1 of 3 = −33.333… %.
        let told = |now, before: Option<Krw>| {
            let worth = NetWorth::of(won(now), before.map(|total| snapshot(total, false)).as_ref(), None, false);
            (worth.change.map(Krw::get), worth.change_pct)
        };
        assert_eq!(told(1_050_000, won(1_000_000)), (Some(50_000), Some(5.0)));
        assert_eq!(told(2, won(3)), (Some(-1), Some(-33.33)));
        assert_eq!(told(5, won(0)), (Some(5), None));
        assert_eq!(told(5, None), (None, None));
    }
}

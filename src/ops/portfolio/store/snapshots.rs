//! What everything was worth, one row a day.

use chrono::{Datelike, Days, NaiveDate};

use super::super::model::{NetWorth, PortfolioToday, Snapshot, SnapshotSource};
use super::{CHANGED, items};
use hanok_base::{Error, Krw, Result, day, validation_messages};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: snapshots. Key: the day, counted from 1 January of the year 1. Value: the snapshot.
pub const SNAPSHOTS: Table<u64, Snapshot> = Table::new("portfolio_snapshots-1");

/// The snapshots of the last so many days, today among them, oldest first.
pub fn history(tx: &impl ReadTransaction, days: u64) -> Result<Vec<Snapshot>> {
    let today = day::of(tx.now());
    let first = today.checked_sub_days(Days::new(days.saturating_sub(1))).unwrap_or(NaiveDate::MIN);
    tx.values(&SNAPSHOTS, number(first)..=number(today), Order::Ascending, 0, usize::MAX)
}

/// Makes the snapshot of today, in the place of an earlier one: of what is said, else of what everything is worth now.
///
/// # Errors
/// `INVALID_INPUT` when everything is worth more than can be said.
pub fn make(tx: &WriteTx, said: Option<Krw>, source: SnapshotSource) -> Result<Snapshot> {
    let (total_assets, partial) = match said {
        Some(total) => (total, false),
        None => {
            let totals = items::portfolio(tx)?.totals;
            let total =
                totals.total_assets.ok_or_else(|| Error::field("total_assets", validation_messages::SMALLER))?;
            (total, totals.partial)
        }
    };
    let date = day::of(tx.now());
    let snapshot = Snapshot { date, total_assets, source, partial, created_at: tx.now() };
    tx.put(&SNAPSHOTS, number(date), &snapshot)?;
    tx.announce(CHANGED);
    Ok(snapshot)
}

/// Makes the snapshot of the schedule, unless nothing is held, or somebody has said today how much it is.
pub fn make_by_schedule(tx: &WriteTx) -> Result<Option<Snapshot>> {
    let today = tx.get(&SNAPSHOTS, number(day::of(tx.now())))?;
    let is_said = today.is_some_and(|snapshot| snapshot.source == SnapshotSource::Manual);
    if is_said || is_empty(tx)? {
        return Ok(None);
    }
    make(tx, None, SnapshotSource::Scheduled).map(Some)
}

/// Removes the snapshot of a day.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, date: NaiveDate) -> Result<()> {
    tx.remove(&SNAPSHOTS, number(date))?.ok_or_else(|| Error::not_found("snapshot"))?;
    tx.announce(CHANGED);
    Ok(())
}

/// What Today shows: what everything is worth, beside the last snapshot before today.
pub fn today(tx: &impl ReadTransaction) -> Result<PortfolioToday> {
    if is_empty(tx)? {
        return Ok(PortfolioToday { net_worth: None });
    }
    let totals = items::portfolio(tx)?.totals;
    let before = tx.first(&SNAPSHOTS, ..number(day::of(tx.now())), Order::Descending)?;
    let before = before.map(|entry| entry.value()).transpose()?;
    let worth = NetWorth::of(totals.total_assets, before.as_ref(), totals.as_of, totals.partial);
    Ok(PortfolioToday { net_worth: Some(worth) })
}

/// Whether there is neither an item nor cash.
fn is_empty(tx: &impl ReadTransaction) -> Result<bool> {
    Ok(tx.count(&items::ITEMS)? == 0 && tx.count(&super::cash::CASH)? == 0)
}

fn number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

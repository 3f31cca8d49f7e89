//! The purchases, their order, and their running totals.

use std::ops::RangeInclusive;

use chrono::{DateTime, Duration, Utc};

use super::super::model::{DrawTotals, NewBulk, NewPurchase, Purchase, PurchaseChanges, Totals};
use super::draws;
use hanok_base::{Error, Page, Result, day};
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{CountedIndex, DayCounts, Index, IndexedTable, Order, Reads, RunningTotals, WriteTx};

/// Purchases have changed.
pub const CHANGED: Change = Change::new("purchases");
/// Table: purchases. Key: id. Value: the purchase.
pub(super) const PURCHASES: IndexedTable<u64, Purchase> = IndexedTable::new(
    "lottery_purchases-1",
    |purchase| purchase.id,
    &[&BY_DRAW, &BY_TIME, &BY_DAY, &BY_PRIZE, &TOTALS, &DRAW_TOTALS],
);
/// Table: purchases by draw. Key: number of the draw and id. Value: when it was written down.
const BY_DRAW: CountedIndex<Purchase, (u64, u64), DateTime<Utc>> =
    CountedIndex::new("lottery_purchases_by_draw-1", "lottery_purchases_by_draw_counts-1", |purchase| {
        Some(((purchase.draw_no.into(), purchase.id), purchase.created_at))
    });
/// Table: purchases by age. Key: milliseconds since 1970 and id. Value: number of the draw.
const BY_TIME: Index<Purchase, (u64, u64), u32> = Index::new("lottery_purchases_by_time-1", |purchase| {
    Some(((day::millis(purchase.created_at), purchase.id), purchase.draw_no))
});
/// Table: purchases counted by the day on which they were written down.
const BY_DAY: DayCounts<Purchase> =
    DayCounts::new("lottery_purchases_by_day-1", |purchase| Some(day::millis(purchase.created_at) / MILLIS_A_DAY));
/// Table: purchases that won something. Key: won and id. Value: nothing.
const BY_PRIZE: Index<Purchase, (u64, u64)> = Index::new("lottery_purchases_by_prize-1", |purchase| {
    purchase.prize.filter(|prize| *prize > 0).map(|prize| ((prize, purchase.id), ()))
});
/// Table: totals over all purchases. Key: `all`. Value: the totals.
const TOTALS: RunningTotals<Purchase, &'static str, Totals> =
    RunningTotals::new("lottery_purchase_totals-1", |_| ALL, Totals::add, Totals::subtract, Totals::is_empty);
/// Table: totals of each draw that was played. Key: number of the draw. Value: the totals.
const DRAW_TOTALS: RunningTotals<Purchase, u64, DrawTotals> = RunningTotals::new(
    "lottery_purchase_draw_totals-1",
    |purchase| purchase.draw_no.into(),
    DrawTotals::add,
    DrawTotals::subtract,
    DrawTotals::is_empty,
);

const ALL: &str = "all";
/// How many purchases are looked at for their sets: some may have none that were kept.
const LOOKED_AT: usize = 2_000;
const MILLIS_A_DAY: u64 = 86_400_000;

/// Which purchases are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those of this draw.
    pub draw_no: Option<u64>,
    /// Only those written down in the last so many days.
    pub days: Option<u32>,
}

/// Writes a purchase down; checks it at once when its draw is known.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field.
pub fn add(tx: &WriteTx, new: NewPurchase) -> Result<Purchase> {
    put_checked(tx, new.into_purchase(tx.next_id("lottery_purchases")?, tx.now())?)
}

/// [`add`] for games of the briefing's tiers, whose `picks` are these.
///
/// # Errors
/// As [`add`].
pub fn add_bulk(tx: &WriteTx, new: NewBulk, picks: &[Numbers]) -> Result<Purchase> {
    put_checked(tx, new.into_purchase(picks, tx.next_id("lottery_purchases")?, tx.now())?)
}

/// The purchase with this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl Reads, id: u64) -> Result<Purchase> {
    tx.get(&PURCHASES, id)?.ok_or_else(|| Error::not_found("purchase"))
}

/// Changes the fields that are sent, and checks the purchase again.
///
/// # Errors
/// `NOT_FOUND`; `INVALID_INPUT`.
pub fn change(tx: &WriteTx, id: u64, changes: PurchaseChanges) -> Result<Purchase> {
    let changed = changes.apply(find(tx, id)?, tx.now())?;
    put_checked(tx, changed)
}

/// Removes a purchase and gives it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<Purchase> {
    let purchase = PURCHASES.remove(tx, id)?.ok_or_else(|| Error::not_found("purchase"))?;
    tx.announce(CHANGED);
    Ok(purchase)
}

/// Checks every purchase of `draw` again. Gives how many changed.
pub fn check_against(tx: &WriteTx, draw: &Draw) -> Result<u64> {
    let mut changed = 0;
    for before in of_draw(tx, draw.draw_no)? {
        let mut after = before.clone();
        after.check(Some(draw));
        if after != before {
            put(tx, &after)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// Purchases by draw and age, newest first, and how many there are.
pub fn list(tx: &impl Reads, filter: Filter, page: Page) -> Result<(Vec<Purchase>, u64)> {
    let (ids, total) = match filter {
        Filter { days: None, draw_no } => by_draw(tx, draw_no, page)?,
        Filter { days: Some(days), draw_no: None } => of_last_days(tx, days, page)?,
        Filter { days: Some(days), draw_no: Some(draw_no) } => of_draw_and_days(tx, draw_no, days, page)?,
    };
    Ok((tx.rows(&PURCHASES, ids)?, total))
}

/// The purchases of one draw, oldest first.
pub fn of_draw(tx: &impl Reads, draw_no: u32) -> Result<Vec<Purchase>> {
    let draw_no = u64::from(draw_no);
    let entries = tx.entries(&BY_DRAW, (draw_no, 0)..=(draw_no, u64::MAX), Order::Ascending);
    entries.map(|entry| find(tx, entry?.key().1)).collect()
}

/// The newest sets that were kept, newest first, at most `most`, from the newest [`LOOKED_AT`] purchases.
pub fn newest_sets(tx: &impl Reads, most: usize) -> Result<Vec<Numbers>> {
    let mut sets = Vec::new();
    for purchase in tx.entries(&PURCHASES, 0.., Order::Descending).take(LOOKED_AT) {
        sets.extend(purchase?.value()?.sets);
        if sets.len() >= most {
            break;
        }
    }
    sets.truncate(most);
    Ok(sets)
}

/// The totals over all purchases.
pub fn totals(tx: &impl Reads) -> Result<Totals> {
    Ok(tx.get(&TOTALS, ALL)?.unwrap_or_default())
}

/// The largest prize of one purchase, 0 without any.
pub fn largest_prize(tx: &impl Reads) -> Result<u64> {
    Ok(tx.first(&BY_PRIZE, (0, 0).., Order::Descending)?.map_or(0, |entry| entry.key().0))
}

/// The totals of the newest `most` draws that were played, newest first.
pub fn newest_draw_totals(tx: &impl Reads, most: usize) -> Result<Vec<DrawTotals>> {
    tx.values(&DRAW_TOTALS, 0.., Order::Descending, 0, most)
}

/// The totals of the first draw after `draw_no` that was played.
pub fn first_played_after(tx: &impl Reads, draw_no: u32) -> Result<Option<DrawTotals>> {
    Ok(tx.values(&DRAW_TOTALS, u64::from(draw_no) + 1.., Order::Ascending, 0, 1)?.pop())
}

fn by_draw(tx: &impl Reads, draw_no: Option<u64>, page: Page) -> Result<(Vec<u64>, u64)> {
    let (range, total) = match draw_no {
        Some(draw_no) => ((draw_no, 0)..=(draw_no, u64::MAX), tx.get(&DRAW_TOTALS, draw_no)?.map_or(0, |t| t.records)),
        None => ((0, 0)..=(u64::MAX, u64::MAX), tx.count(&PURCHASES)?),
    };
    let found = BY_DRAW.page(tx, range, Order::Descending, page)?;
    Ok((found.into_iter().map(|((_, id), _)| id).collect(), total))
}

/// The ids of a page in the order of the list, without purchases older than `since`.
fn young_in_order(tx: &impl Reads, range: RangeInclusive<(u64, u64)>, since: u64, page: Page) -> Result<Vec<u64>> {
    let mut young = 0;
    let mut ids = Vec::new();
    for entry in tx.entries(&BY_DRAW, range, Order::Descending) {
        let entry = entry?;
        if day::millis(entry.value()?) < since {
            continue;
        }
        young += 1;
        if young > page.offset {
            ids.push(entry.key().1);
        }
        if ids.len() == page.limit {
            break;
        }
    }
    Ok(ids)
}

/// The purchases of the last days, counted by day. Two ways lead to the page, and the one that walks fewer
/// keys is taken: all of those days, put in order; or the order of the list, past those that are older.
fn of_last_days(tx: &impl Reads, days: u32, page: Page) -> Result<(Vec<u64>, u64)> {
    let since = day::millis(tx.now() - Duration::days(i64::from(days)));
    let total = count_since(tx, since)?;
    let wanted = (page.offset + page.limit) as u64;
    // Of every `all / total` purchases in order one is young enough.
    if total.saturating_mul(total) > wanted.saturating_mul(tx.count(&PURCHASES)?) {
        return Ok((young_in_order(tx, (0, 0)..=(u64::MAX, u64::MAX), since, page)?, total));
    }
    let entries = tx.entries(&BY_TIME, (since, 0).., Order::Ascending);
    let found: Result<Vec<_>> =
        entries.map(|entry| entry.and_then(|entry| Ok((entry.value()?, entry.key().1)))).collect();
    let mut found = found?;
    found.sort_unstable_by(|one, other| other.cmp(one));
    Ok((found.into_iter().skip(page.offset).take(page.limit).map(|(_, id)| id).collect(), total))
}

/// The purchases of one draw in the last days.
fn of_draw_and_days(tx: &impl Reads, draw_no: u64, days: u32, page: Page) -> Result<(Vec<u64>, u64)> {
    let since = day::millis(tx.now() - Duration::days(i64::from(days)));
    let everything = Page { limit: usize::MAX, offset: 0 };
    let ids = young_in_order(tx, (draw_no, 0)..=(draw_no, u64::MAX), since, everything)?;
    let total = ids.len() as u64;
    Ok((ids.into_iter().skip(page.offset).take(page.limit).collect(), total))
}

/// How many purchases were written down since then: the rest of that day by rows, the later days by their counts.
fn count_since(tx: &impl Reads, since: u64) -> Result<u64> {
    let next_day = since / MILLIS_A_DAY + 1;
    let later = BY_DAY.total(tx)?.saturating_sub(BY_DAY.before(tx, next_day)?);
    let mut of_that_day = tx.entries(&BY_TIME, (since, 0)..(next_day * MILLIS_A_DAY, 0), Order::Ascending);
    of_that_day.try_fold(later, |count, entry| entry.map(|_| count + 1))
}

fn put_checked(tx: &WriteTx, mut purchase: Purchase) -> Result<Purchase> {
    purchase.check(draws::find(tx, purchase.draw_no)?.as_ref());
    put(tx, &purchase)?;
    Ok(purchase)
}

fn put(tx: &WriteTx, purchase: &Purchase) -> Result<()> {
    PURCHASES.put(tx, purchase)?;
    tx.announce(CHANGED);
    Ok(())
}

#[cfg(test)]
mod tests;

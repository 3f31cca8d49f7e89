//! The purchases, their order, and their running totals.

use std::ops::{ControlFlow, RangeInclusive};

use chrono::{DateTime, Duration, Utc};

use super::super::model::{DrawTotals, NewPurchase, Purchase, PurchaseChanges, TierMode, Totals};
use super::draws;
use hanok_base::{Error, Page, Result};
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{Order, Ranked, Reads, Table, Tally, WriteTx};

/// Table: purchases. Key: id. Value: the purchase.
const PURCHASES: Table<u64, Purchase> = Table::new("lottery_purchases-1");
/// Table: purchases by draw. Key: number of the draw and id. Value: when it was written down. Counted, so that every
/// page of the list is found at once.
const BY_DRAW: Ranked<(u64, u64), DateTime<Utc>> =
    Ranked::new(Table::new("lottery_purchases_by_draw-1"), Table::new("lottery_purchases_by_draw_counts-1"));
/// Table: purchases by age. Key: milliseconds since 1970 and id. Value: number of the draw.
const BY_TIME: Table<(u64, u64), u32> = Table::new("lottery_purchases_by_time-1");
/// Table: purchases counted by the day on which they were written down. Key and value: those of a tally.
const BY_DAY: Tally = Tally::on(Table::new("lottery_purchases_by_day-1"));
/// Table: purchases that won something. Key: won and id. Value: nothing.
const BY_PRIZE: Table<(u64, u64), ()> = Table::new("lottery_purchases_by_prize-1");
/// Table: totals over all purchases. Key: `all`. Value: the totals.
const TOTALS: Table<&'static str, Totals> = Table::new("lottery_purchase_totals-1");
/// Table: totals of each draw that was played. Key: number of the draw. Value: the totals.
const DRAW_TOTALS: Table<u64, DrawTotals> = Table::new("lottery_purchase_draw_totals-1");

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
    add_as(tx, new, None)
}

/// [`add`] for games of the briefing's tiers.
///
/// # Errors
/// As [`add`].
pub fn add_as(tx: &WriteTx, new: NewPurchase, tier_mode: Option<TierMode>) -> Result<Purchase> {
    let purchase = new.into_purchase(tx.next_id("lottery_purchases")?, tx.now())?;
    put_checked(tx, Purchase { tier_mode, ..purchase })
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
    let before = take_out(tx, id)?;
    let after = changes.apply(before, tx.now())?;
    put_checked(tx, after)
}

/// Removes a purchase and gives it.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, id: u64) -> Result<Purchase> {
    let purchase = take_out(tx, id)?;
    tx.announce(Change::Purchases);
    Ok(purchase)
}

/// Checks every purchase of `draw` again. Gives how many changed.
pub fn check_against(tx: &WriteTx, draw: &Draw) -> Result<u64> {
    let mut changed = 0;
    for before in of_draw(tx, draw.draw_no)? {
        let mut after = before.clone();
        after.check(Some(draw));
        if after != before {
            take_out(tx, before.id)?;
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

/// Counts the purchases of a store that was written before that was done.
pub fn prepare(tx: &WriteTx) -> Result<()> {
    BY_DRAW.prepare(tx)?;
    if BY_DAY.total(tx)? > 0 {
        return Ok(());
    }
    let mut days = Vec::new();
    tx.each(&BY_TIME, (0, 0).., Order::Ascending, |(at, _), _| {
        days.push(at / MILLIS_A_DAY);
        Ok(ControlFlow::Continue(()))
    })?;
    days.iter().try_for_each(|day| BY_DAY.add(tx, *day))
}

/// The purchases of one draw, oldest first.
pub fn of_draw(tx: &impl Reads, draw_no: u32) -> Result<Vec<Purchase>> {
    let draw_no = u64::from(draw_no);
    let mut purchases = Vec::new();
    tx.each(BY_DRAW.rows(), (draw_no, 0)..=(draw_no, u64::MAX), Order::Ascending, |(_, id), _| {
        purchases.push(find(tx, id)?);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(purchases)
}

/// The newest sets that were kept, newest first, at most `most`, from the newest [`LOOKED_AT`] purchases.
pub fn newest_sets(tx: &impl Reads, most: usize) -> Result<Vec<Numbers>> {
    let mut sets = Vec::new();
    let mut looked_at = 0;
    tx.each(&PURCHASES, 0.., Order::Descending, |_, purchase| {
        sets.extend(purchase.decode()?.sets);
        looked_at += 1;
        let enough = sets.len() >= most || looked_at == LOOKED_AT;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    sets.truncate(most);
    Ok(sets)
}

/// The totals over all purchases.
pub fn totals(tx: &impl Reads) -> Result<Totals> {
    Ok(tx.get(&TOTALS, ALL)?.unwrap_or_default())
}

/// The largest prize of one purchase, 0 without any.
pub fn largest_prize(tx: &impl Reads) -> Result<u64> {
    let mut largest = 0;
    tx.each(&BY_PRIZE, (0, 0).., Order::Descending, |(prize, _), _| {
        largest = prize;
        Ok(ControlFlow::Break(()))
    })?;
    Ok(largest)
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
    let mut ids = Vec::new();
    let mut position = 0;
    tx.each(BY_DRAW.rows(), range, Order::Descending, |(_, id), at| {
        let wanted = millis(at.decode()?) >= since;
        position += usize::from(wanted);
        if wanted && position > page.offset {
            ids.push(id);
        }
        Ok(if ids.len() < page.limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(ids)
}

/// The purchases of the last days, counted by day. Two ways lead to the page, and the one that walks fewer
/// keys is taken: all of those days, put in order; or the order of the list, past those that are older.
fn of_last_days(tx: &impl Reads, days: u32, page: Page) -> Result<(Vec<u64>, u64)> {
    let since = millis(tx.now() - Duration::days(i64::from(days)));
    let total = count_since(tx, since)?;
    let wanted = (page.offset + page.limit) as u64;
    // Of every `all / total` purchases in order one is young enough.
    if total.saturating_mul(total) > wanted.saturating_mul(tx.count(&PURCHASES)?) {
        return Ok((young_in_order(tx, (0, 0)..=(u64::MAX, u64::MAX), since, page)?, total));
    }
    let mut found = Vec::new();
    tx.each(&BY_TIME, (since, 0).., Order::Ascending, |(_, id), of_draw| {
        found.push((of_draw.decode()?, id));
        Ok(ControlFlow::Continue(()))
    })?;
    found.sort_unstable_by(|one, other| other.cmp(one));
    Ok((found.into_iter().skip(page.offset).take(page.limit).map(|(_, id)| id).collect(), total))
}

/// The purchases of one draw in the last days.
fn of_draw_and_days(tx: &impl Reads, draw_no: u64, days: u32, page: Page) -> Result<(Vec<u64>, u64)> {
    let since = millis(tx.now() - Duration::days(i64::from(days)));
    let everything = Page { limit: usize::MAX, offset: 0 };
    let ids = young_in_order(tx, (draw_no, 0)..=(draw_no, u64::MAX), since, everything)?;
    let total = ids.len() as u64;
    Ok((ids.into_iter().skip(page.offset).take(page.limit).collect(), total))
}

/// How many purchases were written down since then: the rest of that day by rows, the later days by their counts.
fn count_since(tx: &impl Reads, since: u64) -> Result<u64> {
    let next_day = since / MILLIS_A_DAY + 1;
    let mut count = BY_DAY.total(tx)?.saturating_sub(BY_DAY.before(tx, next_day)?);
    tx.each(&BY_TIME, (since, 0)..(next_day * MILLIS_A_DAY, 0), Order::Ascending, |_, _| {
        count += 1;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(count)
}

fn put_checked(tx: &WriteTx, mut purchase: Purchase) -> Result<Purchase> {
    purchase.check(draws::find(tx, purchase.draw_no)?.as_ref());
    put(tx, &purchase)?;
    Ok(purchase)
}

fn put(tx: &WriteTx, purchase: &Purchase) -> Result<()> {
    let Purchase { id, draw_no, created_at, prize, .. } = purchase;
    let of_draw = u64::from(*draw_no);
    tx.put(&PURCHASES, *id, purchase)?;
    BY_DRAW.add(tx, (of_draw, *id), created_at)?;
    tx.put(&BY_TIME, (millis(*created_at), *id), draw_no)?;
    BY_DAY.add(tx, millis(*created_at) / MILLIS_A_DAY)?;
    if let Some(prize @ 1..) = prize {
        tx.put(&BY_PRIZE, (*prize, *id), &())?;
    }
    let mut all = totals(tx)?;
    all.add(purchase);
    tx.put(&TOTALS, ALL, &all)?;
    let mut draw = tx.get(&DRAW_TOTALS, of_draw)?.unwrap_or_default();
    draw.add(purchase);
    tx.put(&DRAW_TOTALS, of_draw, &draw)?;
    tx.announce(Change::Purchases);
    Ok(())
}

/// Takes a purchase out of every table and out of the totals, and gives it.
fn take_out(tx: &WriteTx, id: u64) -> Result<Purchase> {
    let purchase: Purchase = tx.remove(&PURCHASES, id)?.ok_or_else(|| Error::not_found("purchase"))?;
    let of_draw = u64::from(purchase.draw_no);
    BY_DRAW.remove(tx, (of_draw, id))?;
    tx.remove(&BY_TIME, (millis(purchase.created_at), id))?;
    BY_DAY.subtract(tx, millis(purchase.created_at) / MILLIS_A_DAY)?;
    if let Some(prize @ 1..) = purchase.prize {
        tx.remove(&BY_PRIZE, (prize, id))?;
    }
    let mut all = totals(tx)?;
    all.subtract(&purchase);
    tx.put(&TOTALS, ALL, &all)?;
    let mut draw = tx.get(&DRAW_TOTALS, of_draw)?.unwrap_or_default();
    draw.subtract(&purchase);
    if draw.records > 0 {
        tx.put(&DRAW_TOTALS, of_draw, &draw)?;
    } else {
        tx.remove(&DRAW_TOTALS, of_draw)?;
    }
    Ok(purchase)
}

fn millis(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis()).unwrap_or(0)
}

#[cfg(test)]
mod tests;

//! The purchases, their order, and their running totals.

use chrono::{DateTime, Duration, Utc};

use super::super::model::{
    DrawTotals, MonthStatistics, Paid, Purchase, PurchaseChanges, ThisMonth, Totals, month_now, month_of,
    month_statistics, said, this_month,
};
use super::{draws, found};
use hanok_base::{Error, Page, Result, day};
use hanok_calc::lottery::draw::newest_on;
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Change;
use hanok_platform::store::{
    CountedIndex, Declared, Index, IndexedTable, Order, ReadTransaction, RunningTotals, Table, WriteTx, last_id,
};

/// Purchases have changed.
pub const CHANGED: Change = Change::new("purchases");
/// Table: purchases. Key: id. Value: the purchase.
pub(super) const PURCHASES: IndexedTable<u64, Purchase> = IndexedTable::new(
    "lottery_purchases-1",
    |purchase| purchase.id,
    &[&BY_TICKET, &BY_DRAW, &BY_PRIZE, &TOTALS, &DRAW_TOTALS, &MONTH_TOTALS, &found::PURCHASES],
);
/// Table: purchases by draw. Key: number of the draw and id. Value: when it was written down.
const BY_DRAW: CountedIndex<Purchase, (u64, u64), DateTime<Utc>> =
    CountedIndex::new("lottery_purchases_by_draw-1", "lottery_purchases_by_draw_counts-1", |purchase| {
        Some(((purchase.draw_no.into(), purchase.id), purchase.created_at))
    });
/// Table: purchases by the ticket that they were read from. Key: the ticket. Value: nothing.
const BY_TICKET: Index<Purchase, &'static str> = Index::unique(
    "lottery_purchases_by_ticket-1",
    |purchase| purchase.ticket.as_deref().map(|ticket| (ticket, ())),
    |_| Error::conflict(said::TICKET_KNOWN),
);
/// Table: settled purchases that won something. Key: won and id. Value: nothing.
const BY_PRIZE: Index<Purchase, (u64, u64)> = Index::new("lottery_purchases_by_prize-1", |purchase| {
    purchase.prize.filter(|prize| *prize > 0).map(|prize| ((prize, purchase.id), ()))
});
/// Table: totals over all purchases. Key: `all`. Value: the totals.
const TOTALS: RunningTotals<Purchase, &'static str, Totals> =
    RunningTotals::new("lottery_purchase_totals-1", |_| ALL, Totals::count, |totals| totals.paid.is_empty());
/// Table: totals of each draw that was played. Key: number of the draw. Value: the totals.
const DRAW_TOTALS: RunningTotals<Purchase, u64, DrawTotals> = RunningTotals::new(
    "lottery_purchase_draw_totals-1",
    |purchase| purchase.draw_no.into(),
    DrawTotals::count,
    |totals| totals.paid.is_empty(),
);
/// Table: totals of what was bought in each month. Key: the month, counted from the year 0. Value: the totals.
const MONTH_TOTALS: RunningTotals<Purchase, u64, Paid> =
    RunningTotals::new("lottery_purchase_month_totals-1", |purchase| month_of(purchase), Paid::count, Paid::is_empty);

const ALL: &str = "all";
/// Counts what has changed the purchases, by the numbers that were given: no restore gives one twice.
const REVISIONS: &str = "lottery_purchases_revision";
/// How many purchases are looked at for their sets: some may have none that were kept.
const LOOKED_AT: usize = 2_000;

/// Which purchases are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those of this draw.
    pub draw_no: Option<u64>,
    /// Only those of draws of the last so many days, today among them, and of draws to come.
    pub days: Option<u32>,
}

impl Filter {
    /// The first and the last number of the draws that pass.
    fn draws(self, now: DateTime<Utc>) -> (u64, u64) {
        let since = self.days.map_or(0, |days| newest_on(day::of(now) - Duration::days(i64::from(days))) + 1);
        let (first, last) = self.draw_no.map_or((0, u64::MAX), |draw_no| (draw_no, draw_no));
        (first.max(u64::from(since)), last)
    }
}

/// Writes a purchase down and gives it its id; checks it at once when its draw is known.
///
/// # Errors
/// `CONFLICT` for a ticket that is written down already.
pub fn add(tx: &WriteTx, new: Purchase) -> Result<Purchase> {
    put_checked(tx, Purchase { id: tx.next_id("lottery_purchases")?, ..new })
}

/// Enters what was read from a table for one: the prize where its numbers were not kept, the ticket where it had none.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` for a ticket that is written down already.
pub fn complete(tx: &WriteTx, id: u64, prize: Option<u64>, ticket: Option<String>) -> Result<Purchase> {
    let before = find(tx, id)?;
    put_checked(tx, Purchase { prize: prize.or(before.prize), ticket: ticket.or(before.ticket), ..before })
}

/// Every purchase, oldest first.
pub fn all(tx: &impl ReadTransaction) -> Result<Vec<Purchase>> {
    tx.entries(&PURCHASES, 0.., Order::Ascending).map(|entry| entry?.value()).collect()
}

/// The purchase with this id.
///
/// # Errors
/// `NOT_FOUND`.
pub fn find(tx: &impl ReadTransaction, id: u64) -> Result<Purchase> {
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
    note_change(tx)?;
    Ok(purchase)
}

/// Checks every purchase of `draw` again. Gives how many changed.
pub fn check_against(tx: &WriteTx, draw: &Draw) -> Result<u64> {
    let mut changed = 0;
    for before in of_draw(tx, draw.draw_no)? {
        let mut after = before.clone();
        after.check(Some(draw));
        if after != before {
            PURCHASES.put(tx, &after)?;
            changed += 1;
        }
    }
    if changed > 0 {
        note_change(tx)?;
    }
    Ok(changed)
}

/// Purchases, the newest draw first, and how many there are.
pub fn list(tx: &impl ReadTransaction, filter: Filter, page: Page) -> Result<(Vec<Purchase>, u64)> {
    let (first, last) = filter.draws(tx.now());
    if first > last {
        return Ok((Vec::new(), 0));
    }
    let total = match filter {
        Filter { days: None, draw_no: None } => tx.count(&PURCHASES)?,
        _ => {
            let of_draws = tx.values(&DRAW_TOTALS, first..=last, Order::Ascending, 0, usize::MAX)?;
            of_draws.iter().map(|one| one.paid.records).sum()
        }
    };
    let range = (first, 0)..=(last, u64::MAX);
    let found = BY_DRAW.page(tx, range, Order::Descending, page)?;
    let ids: Vec<u64> = found.into_iter().map(|((_, id), _)| id).collect();
    Ok((tx.rows(&PURCHASES, ids)?, total))
}

/// Table, of earlier programs: purchases by the time at which they were written down, before days counted draws. Key: the
/// time and the id. Value: their games.
const BY_TIME: Table<(u64, u64), u32> = Table::new("lottery_purchases_by_time-1");
/// Table, of earlier programs: purchases by their day. Key: the day and the id. Value: the id.
const BY_DAY: Table<(u64, u64), u64> = Table::new("lottery_purchases_by_day-1");
/// The lists by age, which [`check_all`] empties.
pub const RETIRED: [&str; 2] = [BY_TIME.name(), BY_DAY.name()];

/// Checks every purchase again by the rules of this program, and adds all of them up anew. The lists by age are of
/// earlier programs and are emptied.
pub fn check_all(tx: &WriteTx) -> Result<()> {
    tx.clear(&BY_TIME)?;
    tx.clear(&BY_DAY)?;
    // First by themselves: to change a row its old totals must be right.
    PURCHASES.rebuild(tx)?;
    for entry in tx.entries(&PURCHASES, 0.., Order::Ascending) {
        let before: Purchase = entry?.value()?;
        let mut after = before.clone();
        after.check(draws::find(tx, before.draw_no)?.as_ref());
        if after != before {
            PURCHASES.put(tx, &after)?;
        }
    }
    Ok(())
}

/// The purchases of one draw, oldest first.
pub fn of_draw(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<Purchase>> {
    let draw_no = u64::from(draw_no);
    let entries = tx.entries(&BY_DRAW, (draw_no, 0)..=(draw_no, u64::MAX), Order::Ascending);
    entries.map(|entry| find(tx, entry?.key().1)).collect()
}

/// The newest sets that were kept, newest first, at most `most`, from the newest [`LOOKED_AT`] purchases.
pub fn newest_sets(tx: &impl ReadTransaction, most: usize) -> Result<Vec<Numbers>> {
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
pub fn totals(tx: &impl ReadTransaction) -> Result<Totals> {
    Ok(tx.get(&TOTALS, ALL)?.unwrap_or_default())
}

/// The largest prize of one settled purchase, 0 without any.
pub fn largest_prize(tx: &impl ReadTransaction) -> Result<u64> {
    Ok(tx.first(&BY_PRIZE, (0, 0).., Order::Descending)?.map_or(0, |entry| entry.key().0))
}

/// The totals of the newest `most` draws that were played, newest first.
pub fn newest_draw_totals(tx: &impl ReadTransaction, most: usize) -> Result<Vec<DrawTotals>> {
    tx.values(&DRAW_TOTALS, 0.., Order::Descending, 0, most)
}

/// The totals of a draw, if it was played.
pub fn totals_of(tx: &impl ReadTransaction, draw_no: u32) -> Result<Option<DrawTotals>> {
    tx.get(&DRAW_TOTALS, u64::from(draw_no))
}

/// What every month cost and won, newest first.
pub fn months(tx: &impl ReadTransaction) -> Result<Vec<MonthStatistics>> {
    let entries = tx.entries(&MONTH_TOTALS, 0.., Order::Ascending);
    let bought = entries.map(|entry| entry.and_then(|entry| Ok((entry.key(), entry.value()?))));
    let draws = newest_draw_totals(tx, usize::MAX)?;
    Ok(month_statistics(&bought.collect::<Result<_>>()?, &draws, tx.now()))
}

/// What was spent this month, beside the `limit` of the settings.
pub fn spent_this_month(tx: &impl ReadTransaction, limit: u64) -> Result<ThisMonth> {
    let now = tx.now();
    Ok(this_month(tx.get(&MONTH_TOTALS, month_now(now))?, limit, now))
}

fn put_checked(tx: &WriteTx, mut purchase: Purchase) -> Result<Purchase> {
    purchase.check(draws::find(tx, purchase.draw_no)?.as_ref());
    PURCHASES.put(tx, &purchase)?;
    note_change(tx)?;
    Ok(purchase)
}

fn note_change(tx: &WriteTx) -> Result<()> {
    tx.announce(CHANGED);
    tx.next_id(REVISIONS).map(drop)
}

/// Another number after each change of a purchase.
pub fn revision(tx: &impl ReadTransaction) -> Result<u64> {
    last_id(tx, REVISIONS)
}

#[cfg(test)]
mod tests;

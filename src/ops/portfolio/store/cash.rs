//! Cash at each broker.

use super::super::model::{Cash, MOST, MOST_BROKERS};
use super::CHANGED;
use hanok_base::text::composed;
use hanok_base::{Error, Krw, Result};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: cash. Key: the broker. Value: how much it is.
pub const CASH: Table<&str, Cash> = Table::new("portfolio_cash-1");

/// All cash, by broker.
pub fn all(tx: &impl ReadTransaction) -> Result<Vec<Cash>> {
    tx.values(&CASH, ""..="\u{10ffff}", Order::Ascending, 0, usize::MAX)
}

/// The cash of a broker, if any is kept.
pub fn find(tx: &impl ReadTransaction, broker: &str) -> Result<Option<Cash>> {
    tx.get(&CASH, broker)
}

/// Sets the cash of a broker.
///
/// # Errors
/// `CONFLICT` when no more brokers can be kept.
pub fn set(tx: &WriteTx, broker: String, cash: Krw) -> Result<Cash> {
    if !tx.contains(&CASH, broker.as_str())? && tx.count(&CASH)? >= MOST_BROKERS {
        return Err(Error::conflict(MOST.with([("most", MOST_BROKERS.into())])));
    }
    let cash = Cash { broker, cash, updated_at: tx.now() };
    tx.put(&CASH, cash.broker.as_str(), &cash)?;
    tx.announce(CHANGED);
    Ok(cash)
}

/// Removes the cash of a broker.
///
/// # Errors
/// `NOT_FOUND`.
pub fn remove(tx: &WriteTx, broker: &str) -> Result<()> {
    tx.remove(&CASH, composed(broker).as_ref())?.ok_or_else(|| Error::not_found("broker"))?;
    tx.announce(CHANGED);
    Ok(())
}

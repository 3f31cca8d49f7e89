//! Items, cash, sales and snapshots with their rules; no IO and no clock.

mod item;
mod said;
mod sale;
mod snapshot;
mod table;
mod totals;
pub mod valuation;

pub use item::{
    Cash, CashChange, Holding, Item, ItemChanges, MOST_BROKERS, MOST_ITEMS, NewItem, Portfolio, PortfolioTotals,
};
pub use said::{
    ALREADY_CHANGED, CODES, IMPORT_CHANGED, MOST, MUST_BE_DAYS, NOT_ENOUGH, NOT_ENOUGH_SHARES, NOTHING_TO_UNDO,
    ROWS_REFUSED, TABLE_TOO_LARGE,
};
pub use sale::{NewSale, SaleChanges, SellOrder, SellRecord, Sold};
pub use snapshot::{NetWorth, NewSnapshot, PortfolioToday, Snapshot, SnapshotSource};
pub use table::{ReadRow, ReadTable, RefusedRow, TableReason, decode, read_table, write_table};
pub use totals::{ProfitPeriod, ProfitReport, SaleTotals, SoldTotals, month_in_words, month_of};

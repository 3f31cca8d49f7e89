//! The types and rules of the lottery desk, pure.

mod calendar;
mod draws;
mod merging;
mod operator;
mod picks;
mod purchases;
mod reports;
mod today;
mod totals;

pub use calendar::{coming_draw, newest_drawn, next_draw};
pub use draws::{Conflict, DrawSource, DrawsState, LatestDraw, StoredDraw};
pub use merging::{Contradiction, merge};
pub use operator::{ReceivedDraw, read_answer};
pub use picks::{HistoryEntry, Pick, PickResult, ScoredSet, Simulation, SimulationOrder, check_seed};
pub use purchases::{NewBulk, NewPurchase, Purchase, PurchaseChanges, TierMode, limits as purchase_limits};
pub use reports::{CheckedPicks, CuratorUsage, DayUsage, ReportEntry};
pub use today::{DrawToday, WaitingPurchases};
pub use totals::{DrawTotals, PurchaseStatistics, Totals};

#[cfg(test)]
pub use purchases::Games;

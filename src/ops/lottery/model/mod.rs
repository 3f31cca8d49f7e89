//! The types and rules of the lottery desk, pure.

mod calendar;
mod draws;
mod merging;
mod operator;
mod papers;
mod picks;
mod purchases;
mod today;
mod totals;

pub use calendar::{coming_draw, newest_drawn, next_draw};
pub use draws::{Conflict, DrawsState, LatestDraw, Source, StoredDraw};
pub use merging::{Contradiction, merge};
pub use operator::{ReceivedDraw, read_answer};
pub use papers::{CheckedPicks, CuratorUsage, DayUsage, ReportEntry};
pub use picks::{HistoryEntry, Pick, PickResult, ScoredSet, Simulation, SimulationOrder, check_seed};
pub use purchases::{NewBulk, NewPurchase, Purchase, PurchaseChanges, TierMode, limits as purchase_limits};
pub use today::{DrawToday, WaitingPurchases};
pub use totals::{DrawTotals, PurchaseStatistics, Totals};

#[cfg(test)]
pub use purchases::Games;

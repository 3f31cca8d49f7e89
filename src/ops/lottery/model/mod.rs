//! The types and rules of the lottery, pure.

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
pub use draws::{
    Conflict, CorrectedBy, Correction, Decision, DrawSource, DrawsState, KeptAside, LatestDraw, NamedSource,
    StoredDraw, Undecided,
};
pub use merging::{Contradiction, Merged, in_place_of, merge};
pub use operator::{Received, ReceivedDraw, read_answer};
pub use picks::{
    BestCount, Candidates, HistoryEntry, Pick, PickResult, ScoredSet, Seed, Simulation, SimulationOrder, SixNumbers,
    TopCount, check_seed,
};
pub use purchases::{DrawNo, NewBulk, NewPurchase, Purchase, PurchaseChanges, TierMode};
pub use reports::{CheckedPicks, CuratorUsage, DayUsage, ReportEntry};
pub use today::{DrawToday, LotteryToday, WaitingPurchases};
pub use totals::{DrawTotals, PurchaseStatistics, Totals};

#[cfg(test)]
pub use purchases::SentGames;

//! The types and rules of the lottery, pure.

mod calendar;
mod draws;
mod merging;
mod months;
mod operator;
mod picks;
mod purchases;
mod reports;
pub mod said;
mod today;
mod totals;

pub use calendar::{coming_draw, newest_drawn, next_draw};
pub use draws::{
    AsideBefore, AskingFailed, Conflict, CorrectedBy, Correction, CorrectionId, Decision, Decisions, DrawRange,
    DrawSource, DrawsState, KeptAside, LatestDraw, StoredDraw, Undecided,
};
pub use merging::{Contradiction, Merged, in_place_of, merge, since};
pub use months::{MonthStatistics, ThisMonth, month_now, month_of, month_statistics, this_month};
pub use operator::{Received, ReceivedDraw, read_answer};
pub use picks::{
    BestCount, Candidates, HistoryEntry, Pick, PickResult, ScoredSet, Seed, Simulation, SimulationOrder, SixNumbers,
    TopCount, check_seed,
};
pub use purchases::{
    DrawNo, Finished, ImportAction, MOST_CHARACTERS, NewBulk, NewPurchase, OfRepeated, Purchase, PurchaseChanges,
    ReadLine, ReadTable, RefusedLine, TableLine, Tickets, TierMode, compare, known_games, read_table, read_table_while,
    write_table,
};
pub use reports::{
    CheckedPicks, CuratorUsage, DayUsage, Replaced, ReplacedId, ReplacedSets, ReplacedText, ReportEntry, ShownBriefing,
    ShownReport,
};
pub use today::{DrawToday, LotteryToday, WaitingPurchases};
pub use totals::{DrawTotals, Paid, PurchaseStatistics, Totals};

#[cfg(test)]
pub use purchases::{PurchaseStatus, SentGames};

//! The types and rules of the lottery desk, pure.

mod calendar;
mod draws;
mod merging;
mod operator;
mod purchases;
mod totals;

pub use calendar::{NextDraw, newest_drawn, next_draw};
pub use draws::{Conflict, DrawsState, LatestDraw, Source, StoredDraw};
pub use merging::{Contradiction, merge};
pub use operator::{ReceivedDraw, read_answer};
pub use purchases::{Games, NewBulk, NewPurchase, Purchase, PurchaseChanges};
pub use totals::{DrawTotals, PurchaseStatistics, Totals};

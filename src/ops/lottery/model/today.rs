//! What Today shows of the lottery.

use serde::Serialize;

use super::calendar::NextDraw;
use super::months::ThisMonth;
use super::picks::Pick;
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::Draw;

/// The lottery's part of Today.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct LotteryToday {
    /// The newest and the coming draw, and the best picks.
    pub draw: DrawToday,
    /// What is bought for the draw that comes next; null when nothing is.
    pub purchases_waiting: Option<WaitingPurchases>,
    /// What was spent this month, when that is more than the limit that the household has set; null otherwise.
    pub purchases_over_limit: Option<ThisMonth>,
}

/// The draws and picks on Today.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DrawToday {
    /// The newest stored draw.
    pub latest: Option<Draw>,
    /// The draw that comes next by the calendar.
    pub next_draw: NextDraw,
    /// The three best picks of the newest simulation.
    pub picks: Vec<Pick>,
    /// How many draws have been held but are not stored.
    pub missing: u64,
    /// How many received draws contradict stored ones and wait for the household's decision.
    pub undecided: u64,
}

/// What is bought for a draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WaitingPurchases {
    /// The draw.
    pub draw_no: u32,
    /// Games.
    pub games: u64,
    /// Won paid.
    pub amount: u64,
}

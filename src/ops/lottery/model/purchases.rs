//! A purchase: games played in one draw, and what they won.

mod games;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use games::{Games, TierMode};
use games::{Kept, MOST_GAMES};

/// The ranges of what may be sent.
pub mod limits {
    pub use super::games::{MOST_GAMES, MOST_SETS};
    pub use super::{LAST_DRAW, LONGEST_NOTE, MOST_AMOUNT, MOST_PRIZE};
}

use super::calendar::coming_draw;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result, patch, text};
use hanok_calc::lottery::{Draw, Numbers, SetResult};

/// Games played in one draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Purchase {
    /// Ever increasing, never reused.
    pub id: u64,
    /// The draw they were played in.
    pub draw_no: u32,
    /// The sets; empty when the numbers were not kept.
    pub sets: Vec<Numbers>,
    /// How many games.
    pub count: u64,
    /// Whether the numbers were kept.
    pub numbers_known: bool,
    /// Won paid for all of them.
    pub amount: u64,
    /// A note, at most 500 characters.
    pub note: String,
    /// When it was written down.
    pub created_at: DateTime<Utc>,
    /// Which tiers of the briefing were bought, for a purchase of several at once.
    pub tier_mode: Option<TierMode>,
    /// Whether the draw is known.
    pub status: PurchaseStatus,
    /// How each set fared; empty while waiting and when the numbers were not kept.
    pub results: Vec<SetResult>,
    /// Won in all; null while it is not known.
    pub prize: Option<u64>,
    /// Prize minus amount; null while the prize is not known.
    pub net: Option<i64>,
}

/// Whether a purchase has been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PurchaseStatus {
    /// The draw is not known yet.
    Waiting,
    /// Every set was compared with the draw.
    Checked,
    /// The draw is known but the numbers are not: the prize is entered by hand.
    Manual,
}

/// A purchase to be written down.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewPurchase {
    /// The draw; left out it is the coming one.
    #[serde(default)]
    pub draw_no: Option<i64>,
    /// The sets, or how many games when the numbers were not kept.
    #[serde(default)]
    pub sets: Option<Games>,
    /// One set, instead of `sets`.
    #[serde(default)]
    pub numbers: Option<Vec<i64>>,
    /// How many games, instead of `sets`.
    #[serde(default)]
    pub count: Option<i64>,
    /// Won paid; left out it is 1,000 a game.
    #[serde(default)]
    pub amount: Option<i64>,
    /// A note.
    #[serde(default)]
    pub note: Option<String>,
    /// Won, only when the numbers were not kept.
    #[serde(default)]
    pub prize: Option<i64>,
}

/// The fields that change; the others stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PurchaseChanges {
    /// The draw.
    #[serde(default)]
    pub draw_no: Option<i64>,
    /// The sets, or how many games when the numbers were not kept.
    #[serde(default)]
    pub sets: Option<Games>,
    /// One set, instead of `sets`.
    #[serde(default)]
    pub numbers: Option<Vec<i64>>,
    /// How many games, instead of `sets`.
    #[serde(default)]
    pub count: Option<i64>,
    /// Won paid.
    #[serde(default)]
    pub amount: Option<i64>,
    /// A note.
    #[serde(default)]
    pub note: Option<String>,
    /// Won, only when the numbers were not kept; null clears it.
    #[serde(default, deserialize_with = "patch::present")]
    pub prize: Option<Option<i64>>,
}

/// The games of several tiers at once, written down as one purchase.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewBulk {
    /// The draw; left out it is the coming one.
    #[serde(default)]
    pub draw_no: Option<i64>,
    /// Which tiers of the briefing.
    pub tier_mode: TierMode,
    /// The sets, or how many games; left out it is as many as the tiers have. For a count the picks of the
    /// briefing for this draw are taken when there is one.
    #[serde(default)]
    pub sets: Option<Games>,
    /// Won paid; left out it is 1,000 a game.
    #[serde(default)]
    pub amount: Option<i64>,
    /// A note.
    #[serde(default)]
    pub note: Option<String>,
}

/// Won for one game.
const GAME: u64 = 1_000;
/// The most that one purchase may cost, in won.
pub const MOST_AMOUNT: i64 = 10_000_000;
/// The most that may be entered as a prize, in won: twenty times the largest there ever was.
pub const MOST_PRIZE: i64 = 1_000_000_000_000;
/// How many draws ahead of the coming one may be bought.
const DRAWS_AHEAD: u32 = 52;
/// The last draw that can be named at all: of the year 2194.
pub const LAST_DRAW: u32 = 9_999;
/// Characters of the longest note.
pub const LONGEST_NOTE: usize = 500;

impl NewPurchase {
    /// The purchase with this id, written down at `now` and still waiting for its draw.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field; `CONFLICT` for a draw that is too far ahead.
    pub fn into_purchase(self, id: u64, now: DateTime<Utc>) -> Result<Purchase> {
        let mut check = Check::new();
        let draw_no = match self.draw_no {
            Some(draw_no) => check_draw_no(&mut check, draw_no),
            None => coming_draw(now),
        };
        let games = Kept::of(self.sets, self.numbers, self.count);
        let games = check.keep(games.and_then(|games| games.ok_or_else(games::required))).unwrap_or_default();
        let amount = check_amount(&mut check, self.amount).unwrap_or(GAME * games.count());
        let note = check.keep(text::bounded("note", &self.note.unwrap_or_default(), 0, LONGEST_NOTE));
        let prize = self.prize.map(|prize| check_prize(&mut check, prize, games.are_known()));
        check.done()?;
        check_sold(draw_no, now)?;
        Ok(Purchase {
            id,
            draw_no,
            count: games.count(),
            numbers_known: games.are_known(),
            sets: games.into_sets(),
            amount,
            note: note.unwrap_or_default(),
            created_at: now,
            tier_mode: None,
            status: PurchaseStatus::Waiting,
            results: Vec::new(),
            prize,
            net: None,
        })
    }
}

impl PurchaseChanges {
    /// `purchase` with the changes; check it against its draw again.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field; `CONFLICT` for a draw that is too far ahead, and for a prize
    /// of games whose numbers were kept before.
    pub fn apply(self, mut purchase: Purchase, now: DateTime<Utc>) -> Result<Purchase> {
        let mut check = Check::new();
        if let Some(draw_no) = self.draw_no {
            purchase.draw_no = check_draw_no(&mut check, draw_no);
        }
        let sends_games = self.sets.is_some() || self.numbers.is_some() || self.count.is_some();
        let mut contradicts = false;
        if let Some(Some(games)) = check.keep(Kept::of(self.sets, self.numbers, self.count)) {
            if games.are_known() != purchase.numbers_known {
                purchase.prize = None;
            }
            purchase.count = games.count();
            purchase.numbers_known = games.are_known();
            purchase.sets = games.into_sets();
        }
        if let Some(amount) = check_amount(&mut check, self.amount) {
            purchase.amount = amount;
        }
        if let Some(note) = self.note {
            purchase.note = check.keep(text::bounded("note", &note, 0, LONGEST_NOTE)).unwrap_or_default();
        }
        if let Some(prize) = self.prize {
            contradicts = prize.is_some() && purchase.numbers_known && !sends_games;
            let sends_numbers = purchase.numbers_known && sends_games;
            purchase.prize = prize.map(|prize| check_prize(&mut check, prize, sends_numbers));
        }
        check.done()?;
        if contradicts {
            return Err(Error::conflict("the prize of numbers that were kept is worked out from the draw"));
        }
        if self.draw_no.is_some() {
            check_sold(purchase.draw_no, now)?;
        }
        Ok(purchase)
    }
}

impl NewBulk {
    /// The purchase to be written down, when `picks` are the briefing's for this draw and mode.
    pub fn into_new_purchase(self, picks: &[Numbers]) -> NewPurchase {
        let games = self.sets.unwrap_or(Games::Count(self.tier_mode.games() as i64));
        let games = match games {
            Games::Count(count) if (1..=picks.len() as i64).contains(&count) => {
                let set = |numbers: &Numbers| numbers.iter().map(i64::from).collect();
                Games::Sets(picks.iter().take(count as usize).map(set).collect())
            }
            games => games,
        };
        let Self { draw_no, amount, note, .. } = self;
        NewPurchase { draw_no, sets: Some(games), amount, note, ..NewPurchase::default() }
    }
}

impl Purchase {
    /// Compares the sets with the draw, as far as it is known.
    pub fn check(&mut self, draw: Option<&Draw>) {
        let by_hand = if self.numbers_known { None } else { self.prize };
        (self.status, self.results, self.prize) = match draw {
            None => (PurchaseStatus::Waiting, Vec::new(), by_hand),
            Some(_) if !self.numbers_known => (PurchaseStatus::Manual, Vec::new(), by_hand),
            Some(draw) => {
                let results: Vec<SetResult> = self.sets.iter().map(|set| draw.result(set)).collect();
                let prize = results.iter().map(|result| result.prize).sum();
                (PurchaseStatus::Checked, results, prize)
            }
        };
        self.net = self.prize.map(|prize| prize as i64 - self.amount as i64);
    }
}

fn check_draw_no(check: &mut Check, draw_no: i64) -> u32 {
    let fits = (1..=i64::from(LAST_DRAW)).contains(&draw_no);
    check.require(fits, "draw_no", format!("must be between 1 and {LAST_DRAW}"));
    u32::try_from(draw_no).unwrap_or(1)
}

/// How far ahead one may buy depends on the day, so it is no matter of the field's form.
fn check_sold(draw_no: u32, now: DateTime<Utc>) -> Result<()> {
    let coming = coming_draw(now);
    if draw_no > coming + DRAWS_AHEAD {
        return Err(Error::conflict(format!("draw {draw_no} is not sold yet; the coming one is {coming}")));
    }
    Ok(())
}

fn check_amount(check: &mut Check, amount: Option<i64>) -> Option<u64> {
    let amount = amount?;
    check.require((0..=MOST_AMOUNT).contains(&amount), "amount", "must be between 0 and 10000000 won");
    u64::try_from(amount).ok()
}

fn check_prize(check: &mut Check, prize: i64, sends_numbers: bool) -> u64 {
    check.require(!sends_numbers, "prize", "must be left out: it is worked out from the sets");
    check.require((0..=MOST_PRIZE).contains(&prize), "prize", "must be between 0 and 1000000000000 won");
    u64::try_from(prize).unwrap_or(0)
}

const _: () = assert!(MOST_GAMES * GAME as i64 <= MOST_AMOUNT, "as many games as may be bought may also be paid");

#[cfg(test)]
mod tests;

//! A purchase: games played in one draw, and what they won.

mod bulk;
mod games;
mod matching;
mod table;
mod ticket;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use games::MOST_GAMES;
#[cfg(test)]
pub use games::SentGames;
pub use games::{GameCount, Games, TierMode};
pub use matching::{Finished, ImportAction, OfRepeated, TableLine, Tickets, compare, known_games};
pub use table::{MOST_CHARACTERS, ReadLine, ReadTable, RefusedLine, read_table, read_table_while, write_table};
pub use ticket::TicketNo;

use super::calendar::{coming_draw, newest_drawn};
use super::said;
use hanok_base::error::Check;
use hanok_base::patch::{NullablePatch, Patch};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::{IntRange, KrwRange, Unchecked};
use hanok_base::{Error, Result, Validated};
use hanok_calc::lottery::draw::{date_of, ticket_price};
use hanok_calc::lottery::tax::tax;
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
    /// Won in all, before tax; null while it is not known.
    pub prize: Option<u64>,
    /// Prize minus amount; null while the prize is not known.
    pub net: Option<i64>,
    /// The tax on the prizes, in won, each by itself. A sum that was entered by hand counts as one prize, which is the most
    /// that it can bear. Null while the prize is not known.
    #[serde(default)]
    pub tax: Option<u64>,
    /// Whether `tax` is only the most it can be: of several games one sum is known, which may be several prizes, each of
    /// them taxed by itself.
    #[serde(default)]
    pub tax_at_most: bool,
    /// The draw and the own number of the ticket that it was read from.
    #[serde(default)]
    pub ticket: Option<String>,
}

/// Whether a purchase has been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PurchaseStatus {
    /// The draw is not known yet, and neither is the prize.
    Waiting,
    /// Every set was compared with the draw.
    Checked,
    /// The numbers are not known, but the draw is, or the prize that was entered by hand: such a prize is known before its
    /// draw is fetched.
    Manual,
}

/// A purchase to be written down.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewPurchase {
    /// The draw; left out it is the coming one.
    #[serde(default)]
    pub draw_no: Option<Validated<DrawNo>>,
    /// The sets, or how many games when the numbers were not kept.
    #[serde(default)]
    pub sets: Option<Validated<Games>>,
    /// One set, instead of `sets`.
    #[serde(default)]
    pub numbers: Option<Validated<Numbers>>,
    /// How many games, instead of `sets`.
    #[serde(default)]
    pub count: Option<Validated<GameCount>>,
    /// Won paid; left out it is 1,000 a game (2,000 up to draw 87).
    #[serde(default)]
    pub amount: Option<Validated<Amount>>,
    /// A note.
    #[serde(default)]
    pub note: Option<Validated<Note>>,
    /// Won, only when the numbers were not kept and the draw has been held.
    #[serde(default)]
    pub prize: Option<Validated<EnteredPrize>>,
    /// The draw and the own number of the ticket that it is read from, such as `1246-1288760331`. A ticket is written down
    /// once.
    #[serde(default)]
    pub ticket: Option<Validated<TicketNo>>,
}

/// The fields that change; the others stay.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct PurchaseChanges {
    /// The draw. That of a ticket stays.
    #[serde(default)]
    pub draw_no: Patch<DrawNo>,
    /// The sets, or how many games when the numbers were not kept.
    #[serde(default)]
    pub sets: Patch<Games>,
    /// One set, instead of `sets`.
    #[serde(default)]
    pub numbers: Patch<Numbers>,
    /// How many games, instead of `sets`.
    #[serde(default)]
    pub count: Patch<GameCount>,
    /// Won paid.
    #[serde(default)]
    pub amount: Patch<Amount>,
    /// A note; null clears it.
    #[serde(default)]
    pub note: NullablePatch<Note>,
    /// Won, only when the numbers were not kept and the draw has been held; null clears it.
    #[serde(default)]
    pub prize: NullablePatch<EnteredPrize>,
}

/// The games of several tiers at once, written down as one purchase.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewBulk {
    /// The draw; left out it is the coming one.
    #[serde(default)]
    pub draw_no: Option<Validated<DrawNo>>,
    /// Which tiers of the briefing.
    pub tier_mode: Validated<Unchecked<TierMode>>,
    /// The sets, or how many games: as many as the tiers have, which it is when it is left out. For a count the picks
    /// of the briefing for this draw are taken when there is one.
    #[serde(default)]
    pub sets: Option<Validated<Games>>,
    /// Won paid; left out it is 1,000 a game (2,000 up to draw 87).
    #[serde(default)]
    pub amount: Option<Validated<Amount>>,
    /// A note.
    #[serde(default)]
    pub note: Option<Validated<Note>>,
}

/// A draw that can be named: the last one is of the year 2194.
pub type DrawNo = IntRange<1, 9_999>;
/// What one purchase may cost.
pub type Amount = KrwRange<MOST_AMOUNT>;
/// What may be entered as a prize: twenty times the largest there ever was.
pub type EnteredPrize = KrwRange<1_000_000_000_000>;
/// A note on a purchase.
pub type Note = Text<0, 500>;

/// Won for the dearest game there ever was.
const DEAREST_GAME: u64 = 2_000;
/// The most that one purchase may cost, in won.
const MOST_AMOUNT: u64 = 10_000_000;
/// How many draws ahead of the coming one may be bought.
const DRAWS_AHEAD: u32 = 52;

impl NewPurchase {
    /// The purchase as it is written down at `now`, still waiting for its draw; it has no id yet.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field; `CONFLICT` for a draw that is too far ahead, and for a prize of one
    /// that has not been held.
    pub fn into_purchase(self, now: DateTime<Utc>) -> Result<Purchase> {
        Check::of(|check| self.read(check, now))?.possible(now)
    }

    /// The purchase as its fields say, once `check` has refused none of them.
    fn read(self, check: &mut Check, now: DateTime<Utc>) -> Purchase {
        let draw_no = self.draw_no.map_or(coming_draw(now), |draw_no| check.take("draw_no", draw_no) as u32);
        let games = Games::of(self.sets, self.numbers, self.count);
        let games = check.keep(games.and_then(|games| games.ok_or_else(games::required))).unwrap_or_default();
        let usual = ticket_price(draw_no) * games.count();
        let amount = self.amount.map_or(usual, |amount| check.take("amount", amount));
        let note = self.note.map(|note| check.take("note", note)).unwrap_or_default();
        let prize = self.prize.map(|prize| check_prize(check, prize, games.are_known()));
        let ticket = self.ticket.and_then(|ticket| check.find("ticket", ticket));
        Purchase {
            id: 0,
            draw_no,
            count: games.count(),
            numbers_known: games.are_known(),
            sets: games.into_sets(),
            amount,
            note,
            created_at: now,
            tier_mode: None,
            status: PurchaseStatus::Waiting,
            results: Vec::new(),
            prize,
            net: None,
            tax: None,
            tax_at_most: false,
            ticket,
        }
    }
}

impl PurchaseChanges {
    /// The same, when nothing of it is refused at `now`, whatever purchase it changes: one of a game of the first draw, whose
    /// numbers were not kept, takes whatever any takes.
    ///
    /// # Errors
    /// Those of [`PurchaseChanges::apply`].
    pub fn checked(self, now: DateTime<Utc>) -> Result<PurchaseChanges> {
        let (draw_no, sets) = (Some(Validated::taken(1)), Some(Validated::taken(Games::counted(1))));
        let any = NewPurchase { draw_no, sets, ..NewPurchase::default() }.into_purchase(now)?;
        self.clone().apply(any, now)?;
        Ok(self)
    }

    /// `purchase` with the changes; check it against its draw again. A prize that was entered belongs to its draw: it is sent
    /// with another draw, or given up in so many words (`null`).
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field; `CONFLICT` for a draw that is too far ahead or not that of its ticket, for a prize of one that
    /// has not been held, for a prize of games whose numbers were kept before, and for another draw under an entered prize.
    pub fn apply(self, mut purchase: Purchase, now: DateTime<Utc>) -> Result<Purchase> {
        let names_draw = self.draw_no.is_sent();
        let (before, entered, leaves_prize) = (purchase.draw_no, purchase.entered_prize(), !self.prize.is_sent());
        let names_prize = self.prize.is_set();
        let sends_games = self.sets.is_sent() || self.numbers.is_sent() || self.count.is_sent();
        Check::of(|check| {
            if let Some(draw_no) = self.draw_no.into_sent() {
                purchase.draw_no = check.take("draw_no", draw_no) as u32;
            }
            let games = Games::of(self.sets.into_sent(), self.numbers.into_sent(), self.count.into_sent());
            if let Some(Some(games)) = check.keep(games) {
                purchase.play(games);
            }
            check.change("amount", self.amount, &mut purchase.amount);
            check.change_or_empty("note", self.note, &mut purchase.note);
            if let Some(prize) = self.prize.into_sent() {
                let sends_numbers = purchase.numbers_known && sends_games;
                purchase.prize = prize.map(|prize| check_prize(check, prize, sends_numbers));
            }
        })?;
        if names_prize && purchase.numbers_known && !sends_games {
            return Err(Error::conflict(said::PRIZE_IS_WORKED_OUT));
        }
        if let Some(entered) = entered.filter(|_| leaves_prize && purchase.draw_no != before && !purchase.numbers_known)
        {
            let values = [("prize", entered.into()), ("draw", before.into())];
            return Err(Error::conflict(said::PRIZE_OF_ITS_DRAW.with(values)));
        }
        if names_draw {
            purchase.check_ticket()?;
            check_sold(purchase.draw_no, now)?;
        }
        check_held(purchase.prize.filter(|_| names_prize), purchase.draw_no, now)?;
        Ok(purchase)
    }
}

impl Purchase {
    /// The same, when its draw is sold at `now`, and held where a prize is named.
    fn possible(self, now: DateTime<Utc>) -> Result<Purchase> {
        self.check_ticket()?;
        check_sold(self.draw_no, now)?;
        check_held(self.prize, self.draw_no, now)?;
        Ok(self)
    }

    /// A ticket says which draw it is of.
    fn check_ticket(&self) -> Result<()> {
        match &self.ticket {
            Some(ticket) if !ticket::is_of_draw(ticket, self.draw_no) => {
                Err(Error::conflict(said::TICKET_OF_ANOTHER_DRAW.with([("draw", self.draw_no.into())])))
            }
            _ => Ok(()),
        }
    }

    /// Other games; a prize that was entered by hand is not theirs when only one of them has its numbers, and neither
    /// are the tiers of the briefing when they are not as many or have other numbers.
    fn play(&mut self, games: Games) {
        let has_other_numbers = games.are_known() && self.numbers_known && games.sets() != self.sets;
        if games.count() != self.count || has_other_numbers {
            self.tier_mode = None;
        }
        if games.are_known() != self.numbers_known {
            self.prize = None;
        }
        self.count = games.count();
        self.numbers_known = games.are_known();
        self.sets = games.into_sets();
    }

    /// Compares the sets with the draw, as far as it is known.
    pub fn check(&mut self, draw: Option<&Draw>) {
        let by_hand = if self.numbers_known { None } else { self.prize };
        (self.status, self.results, self.prize) = match draw {
            _ if by_hand.is_some() => (PurchaseStatus::Manual, Vec::new(), by_hand),
            None => (PurchaseStatus::Waiting, Vec::new(), None),
            Some(_) if !self.numbers_known => (PurchaseStatus::Manual, Vec::new(), None),
            Some(draw) => {
                let results: Vec<SetResult> = self.sets.iter().map(|set| draw.result(set)).collect();
                let prize = results.iter().map(|result| result.prize).sum();
                (PurchaseStatus::Checked, results, prize)
            }
        };
        self.net = self.prize.map(|prize| prize as i64 - self.amount as i64);
        self.tax = match self.status {
            PurchaseStatus::Waiting => None,
            PurchaseStatus::Manual => self.prize.and_then(|prize| tax_on(prize, self.draw_no)),
            PurchaseStatus::Checked => self.results.iter().map(|result| result.tax).sum(),
        };
        let is_one_sum = self.status == PurchaseStatus::Manual && self.count > 1;
        self.tax_at_most = is_one_sum && self.tax.is_some_and(|tax| tax > 0);
    }

    /// What it says. Another that says the same has the same games of the same draw for the same sum, and the same note.
    pub fn says(&self) -> PurchaseContent {
        let mut sets: Vec<u64> = self.sets.iter().map(|set| set.mask()).collect();
        sets.sort_unstable();
        PurchaseContent { draw_no: self.draw_no, count: self.count, amount: self.amount, note: self.note.clone(), sets }
    }

    /// The prize that was entered by hand; that of games whose numbers were kept follows from the draw.
    pub fn entered_prize(&self) -> Option<u64> {
        self.prize.filter(|_| !self.numbers_known)
    }

    /// Whether its games are settled: the draw is held and what they won is known. Until then they are no loss.
    pub fn is_settled(&self) -> bool {
        self.prize.is_some()
    }
}

/// What a purchase says: see [`Purchase::says`].
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PurchaseContent {
    draw_no: u32,
    count: u64,
    amount: u64,
    note: String,
    sets: Vec<u64>,
}

/// Won of tax on one prize of draw `draw_no`, whose numbers need not be known.
fn tax_on(prize: u64, draw_no: u32) -> Option<u64> {
    date_of(draw_no).ok().map(|drawn| tax(prize, ticket_price(draw_no), drawn))
}

/// How far ahead one may buy depends on the day, so it is no matter of the field's form.
fn check_sold(draw_no: u32, now: DateTime<Utc>) -> Result<()> {
    let coming = coming_draw(now);
    if draw_no > coming + DRAWS_AHEAD {
        return Err(Error::conflict(said::NOT_SOLD.with([("draw", draw_no.into()), ("coming", coming.into())])));
    }
    Ok(())
}

/// Nothing can have been won in a draw that has not been held, which depends on the day.
fn check_held(prize: Option<u64>, draw_no: u32, now: DateTime<Utc>) -> Result<()> {
    match prize {
        Some(_) if draw_no > newest_drawn(now) => Err(Error::conflict(said::NOT_HELD.with([("draw", draw_no.into())]))),
        _ => Ok(()),
    }
}

fn check_prize(check: &mut Check, prize: Validated<EnteredPrize>, sends_numbers: bool) -> u64 {
    check.require(!sends_numbers, "prize", said::PRIZE_FOLLOWS);
    check.take("prize", prize)
}

const _: () = assert!(MOST_GAMES * DEAREST_GAME <= MOST_AMOUNT, "as many games as may be bought may also be paid");

#[cfg(test)]
mod tests;

//! Which lines of a table say the same as a purchase that is written down, or as a line before them.
//!
//! It is found out of the whole table at once, and each purchase goes with one line, for good: so it matters neither in
//! which parts a table is written nor whether a part of it was written before. A purchase without a ticket that took what
//! a line says takes the line's ticket as well, or it would go with another line when the table is read again.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::table::ReadLine;
use super::{Purchase, PurchaseContent};
use hanok_calc::lottery::Numbers;

/// A line of a table, and what it repeats.
#[derive(Debug, Clone)]
pub struct TableLine {
    /// Its number in the file.
    pub line: u64,
    /// What it says; it has no id yet.
    pub purchase: Purchase,
    /// The purchase that says the same already. No other line goes with it.
    pub written: Option<Written>,
    /// The line before it that says the same.
    pub same_as_line: Option<u64>,
}

/// A purchase that says the same as a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Which.
    pub id: u64,
    /// The prize that was entered for it.
    pub prize: Option<u64>,
    /// Whether a prize can be entered for it: its numbers were not kept.
    pub takes_prize: bool,
    /// Whether a ticket can be entered for it: it was read from none.
    pub takes_ticket: bool,
}

/// What becomes of lines that say the same as a purchase or as a line before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfRepeated {
    /// They are written down all the same, but for tickets that are written down already, which stay as they are.
    Add,
    /// They are left out.
    LeaveOut,
    /// They are left out, and the prizes and tickets that they name are entered for the purchases that say the same.
    TakePrizes,
}

/// What is to be done with a line.
#[derive(Debug, Clone, PartialEq)]
pub enum ImportAction {
    /// It is written down.
    Add(Purchase),
    /// It is left out, for the purchase that says the same or for the line before it.
    LeaveOut(Option<Written>),
    /// It is left out, and what it knows more is entered for the purchase that says the same.
    Complete {
        /// The purchase.
        written: Written,
        /// The prize, where that is another.
        prize: Option<u64>,
        /// The ticket, where the purchase has none.
        ticket: Option<String>,
    },
}

/// The lines at the beginning of a table that are dealt with.
#[derive(Debug, Clone, Default)]
pub struct Finished {
    /// How many.
    pub lines: usize,
    /// The purchases that they went with or became.
    pub purchases: BTreeSet<u64>,
}

impl TableLine {
    /// Whether it says the same as a purchase or as a line before it.
    pub fn is_repeated(&self) -> bool {
        self.written.is_some() || self.same_as_line.is_some()
    }

    /// The prize that it names and the purchase that says the same does not have.
    pub fn other_prize(&self) -> Option<(Written, u64)> {
        let written = self.written.filter(|written| written.takes_prize)?;
        let prize = self.purchase.entered_prize().filter(|prize| Some(*prize) != written.prize)?;
        Some((written, prize))
    }

    /// What is to be done with it.
    pub fn action(self, tickets: &Tickets, of_repeated: OfRepeated) -> ImportAction {
        if !self.is_repeated() || (of_repeated == OfRepeated::Add && !self.is_known_ticket(tickets)) {
            return ImportAction::Add(self.purchase);
        }
        let prize = self.other_prize().map(|(_, prize)| prize);
        let Some(written) = self.written.filter(|_| of_repeated == OfRepeated::TakePrizes) else {
            return ImportAction::LeaveOut(self.written);
        };
        match self.purchase.ticket.filter(|_| written.takes_ticket) {
            None if prize.is_none() => ImportAction::LeaveOut(self.written),
            ticket => ImportAction::Complete { written, prize, ticket },
        }
    }

    /// A ticket is written down once.
    pub fn is_known_ticket(&self, tickets: &Tickets) -> bool {
        self.purchase.ticket.as_ref().is_some_and(|ticket| self.same_as_line.is_some() || tickets.contains(ticket))
    }
}

/// The tickets that are written down.
pub type Tickets = BTreeSet<String>;

/// What the lines of a table repeat of what is `written` down, and of each other; and the tickets that are written down.
///
/// Two tickets are two, whatever else they say; beside a purchase without a ticket what else is said decides. Each line
/// goes with a purchase of its own: one that has the prize that it names before one that has none, and that before one that
/// has another. Within the table a line says the same as another when it names the same prize and the same ticket or none,
/// and has no number of its own. A line that is `finished` goes with no purchase any more, and no line with its purchase.
pub fn compare(
    lines: Vec<ReadLine>,
    written: impl IntoIterator<Item = Purchase>,
    finished: &Finished,
) -> (Vec<TableLine>, Tickets) {
    let mut known = Unmatched::default();
    for purchase in written {
        known.note(&purchase, !finished.purchases.contains(&purchase.id));
    }
    let said: Vec<PurchaseContent> = lines.iter().map(|line| line.purchase.says()).collect();
    // A ticket goes with itself; only the first line of one that is not written down may go with a purchase without.
    let mut tickets = BTreeSet::new();
    let is_free = |line: &ReadLine, tickets: &mut BTreeSet<String>| {
        let ticket = line.purchase.ticket.as_ref();
        ticket.is_none_or(|ticket| !known.tickets.contains_key(ticket) && tickets.insert(ticket.clone()))
    };
    let free: Vec<bool> = lines.iter().map(|line| is_free(line, &mut tickets)).collect();
    let mut found: Vec<Option<Written>> = vec![None; lines.len()];
    for (place, line) in lines.iter().enumerate().skip(finished.lines) {
        found[place] = line.purchase.ticket.as_deref().and_then(|ticket| known.take_ticket(ticket));
    }
    for way in WAYS {
        for (place, line) in lines.iter().enumerate().skip(finished.lines) {
            if free[place] && found[place].is_none() {
                found[place] = known.take(&said[place], &line.purchase, way);
            }
        }
    }
    let mut before = Before::default();
    let mut compared = Vec::with_capacity(lines.len());
    for ((line, said), written) in lines.into_iter().zip(said).zip(found) {
        let same = before.note(said, &line);
        let same_as_line = same.filter(|_| written.is_none());
        compared.push(TableLine { line: line.line, purchase: line.purchase, written, same_as_line });
    }
    (compared, known.tickets.into_keys().collect())
}

/// How many games of each line have numbers that are `written` down for their draw, or stand before them in the table. Those
/// of lines that say the same as another are not counted: that is said of the whole line.
pub fn known_games(lines: &[TableLine], written: &[Purchase]) -> Vec<u64> {
    let mut known: BTreeSet<(u32, Numbers)> =
        written.iter().flat_map(|purchase| purchase.sets.iter().map(|set| (purchase.draw_no, *set))).collect();
    let mut counted = Vec::with_capacity(lines.len());
    for line in lines {
        let (draw_no, sets) = (line.purchase.draw_no, &line.purchase.sets);
        let again = sets.iter().filter(|set| !known.insert((draw_no, **set))).count() as u64;
        counted.push(if line.is_repeated() { 0 } else { again });
    }
    counted
}

/// How a line and a purchase that say the same come together, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The same prize or none, and no ticket.
    Exact,
    /// The same prize or none, and one of them has a ticket.
    BesideTicket,
    /// The line names no prize.
    NoPrizeNamed,
    /// The purchase has no prize.
    NoPrizeYet,
    /// The purchase has another prize.
    OtherPrize,
}

const WAYS: [Way; 5] = [Way::Exact, Way::BesideTicket, Way::NoPrizeNamed, Way::NoPrizeYet, Way::OtherPrize];

/// Places of purchases that say the same, by whether they have a ticket, and their prize.
type OfSame = BTreeMap<(bool, Option<u64>), Vec<usize>>;

/// The purchases that no line goes with yet.
#[derive(Default)]
struct Unmatched {
    purchases: Vec<Option<Written>>,
    tickets: BTreeMap<String, usize>,
    by_said: BTreeMap<PurchaseContent, OfSame>,
}

impl Unmatched {
    /// Notes a purchase, which a line may go with unless one does already.
    fn note(&mut self, purchase: &Purchase, is_free: bool) {
        let place = self.purchases.len();
        let prize = purchase.entered_prize();
        let (takes_prize, takes_ticket) = (!purchase.numbers_known, purchase.ticket.is_none());
        let written = Written { id: purchase.id, prize, takes_prize, takes_ticket };
        self.purchases.push(is_free.then_some(written));
        if let Some(ticket) = &purchase.ticket {
            self.tickets.insert(ticket.clone(), place);
        }
        let key = (purchase.ticket.is_some(), prize);
        self.by_said.entry(purchase.says()).or_default().entry(key).or_default().push(place);
    }

    fn take_ticket(&mut self, ticket: &str) -> Option<Written> {
        let place = *self.tickets.get(ticket)?;
        self.purchases.get_mut(place)?.take()
    }

    fn take(&mut self, said: &PurchaseContent, line: &Purchase, way: Way) -> Option<Written> {
        let same = self.by_said.get_mut(said)?;
        let prize = line.entered_prize();
        let (none, some) = ((None, None), (Some(0), Some(u64::MAX)));
        let prizes = match way {
            Way::Exact if line.ticket.is_some() => return None,
            Way::Exact | Way::BesideTicket => (prize, prize),
            Way::NoPrizeNamed => prize.map_or(Some(some), |_| None)?,
            Way::NoPrizeYet => prize.and(Some(none))?,
            Way::OtherPrize => prize.and(Some(some))?,
        };
        let beside: &[bool] = match (way, line.ticket.is_some()) {
            (Way::Exact, _) | (_, true) => &[false],
            (Way::BesideTicket, false) => &[true],
            _ => &[false, true],
        };
        for has_ticket in beside {
            let range = (*has_ticket, prizes.0)..=(*has_ticket, prizes.1);
            while let Some(key) = same.range(range.clone()).next().map(|(key, _)| *key) {
                let Entry::Occupied(mut places) = same.entry(key) else { break };
                let place = places.get_mut().pop();
                if places.get().is_empty() {
                    places.remove();
                }
                // It may have gone with another line already: one with a ticket with its own, others with a finished one.
                if let Some(written) = place.and_then(|place| self.purchases.get_mut(place)?.take()) {
                    return Some(written);
                }
            }
        }
        None
    }
}

/// The lines before, by what they say, their prize and their ticket.
#[derive(Default)]
struct Before(BTreeMap<(PurchaseContent, Option<u64>, Option<String>), Alike>);

/// Lines that say the same.
#[derive(Default)]
struct Alike {
    first: Option<u64>,
    /// The first that has no number of its own, or a ticket.
    unnumbered: Option<u64>,
    numbered: BTreeMap<u64, u64>,
}

impl Before {
    /// Notes a line. Gives the one before it that says the same.
    fn note(&mut self, said: PurchaseContent, line: &ReadLine) -> Option<u64> {
        let key = (said, line.purchase.entered_prize(), line.purchase.ticket.clone());
        let number = line.number.filter(|_| line.purchase.ticket.is_none());
        let alike = self.0.entry(key).or_default();
        let same = match number {
            None => alike.first,
            Some(number) => alike.numbered.get(&number).copied().or(alike.unnumbered),
        };
        alike.first.get_or_insert(line.line);
        match number {
            None => _ = alike.unnumbered.get_or_insert(line.line),
            Some(number) => _ = alike.numbered.entry(number).or_insert(line.line),
        }
        same
    }
}

#[cfg(test)]
mod tests;

//! The replay itself: one pass over the draws, learning them one by one.

use super::super::co_winners::CoWinners;
use super::super::draw::Draw;
use super::super::history::History;
use super::super::methods::{Method, MethodInputs};

/// The first draw for which the methods choose: a hundred are known by then.
pub const FIRST_REPLAYED: u32 = 101;
/// After how many draws the co-winner model is fitted again.
const REFIT_EVERY: usize = 52;

/// What the methods did in every replayed draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The first replayed draw, 0 without any.
    pub from_draw: u32,
    /// The last replayed draw, 0 without any.
    pub to_draw: u32,
    pub(super) tallies: Vec<Tally>,
    /// For each draw the mean over all methods but `random`.
    pub(super) matched_by_draw: Vec<f64>,
    /// For each draw the share of all methods but `random` with three or more.
    pub(super) three_plus_by_draw: Vec<f64>,
}

/// What one method did.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tally {
    pub method: Method,
    pub checked: u64,
    pub matched: Vec<f64>,
    pub prizes: u64,
    pub won: u64,
    pub spent: u64,
}

/// Replays every method over `draws` (ascending). Before each draw from [`FIRST_REPLAYED`] on, a
/// method sees the earlier draws and a seed, the draw's own number; prizes come from the draw's own
/// table (a first prize as it was paid, although one more winner would have made it smaller; nothing
/// while it is not published).
pub fn replay(draws: &[Draw]) -> Replay {
    let tally = |method| Tally { method, checked: 0, matched: Vec::new(), prizes: 0, won: 0, spent: 0 };
    let mut replay = Replay {
        from_draw: 0,
        to_draw: 0,
        tallies: Method::ALL.map(tally).into(),
        matched_by_draw: Vec::new(),
        three_plus_by_draw: Vec::new(),
    };
    let mut history = History::before_all(draws);
    let mut co_winners: Option<CoWinners> = None;
    for (index, draw) in draws.iter().enumerate() {
        if draw.draw_no >= FIRST_REPLAYED {
            let due = replay.matched_by_draw.len().is_multiple_of(REFIT_EVERY);
            let model = co_winners.take().filter(|_| !due).unwrap_or_else(|| CoWinners::fit(&draws[..index]));
            replay.play(draw, &MethodInputs::new(&history, &model));
            co_winners = Some(model);
        }
        history.learn();
    }
    replay
}

impl Replay {
    fn play(&mut self, draw: &Draw, inputs: &MethodInputs) {
        if self.from_draw == 0 {
            self.from_draw = draw.draw_no;
        }
        self.to_draw = draw.draw_no;
        let (mut matched, mut three_plus, mut methods) = (0.0, 0.0, 0.0);
        for tally in &mut self.tallies {
            let numbers = tally.method.choose(inputs, u64::from(draw.draw_no));
            let hits = f64::from(draw.matched(&numbers));
            let rank = draw.rank(&numbers);
            tally.checked += 1;
            tally.matched.push(hits);
            tally.prizes += u64::from(rank.is_some());
            tally.won += rank.and_then(|rank| draw.prize_of(rank)).unwrap_or(0);
            tally.spent += draw.ticket_price();
            if tally.method != Method::Random {
                matched += hits;
                three_plus += f64::from(u8::from(rank.is_some()));
                methods += 1.0;
            }
        }
        self.matched_by_draw.push(matched / methods);
        self.three_plus_by_draw.push(three_plus / methods);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::super::super::numbers::Numbers;
    use super::*;

    #[test]
    fn what_comes_later_changes_nothing_before() {
        let draws = &built_in()[..160];
        let mut changed = draws.to_vec();
        for draw in &mut changed[150..] {
            draw.numbers = Numbers::new([1, 2, 3, 4, 5, 6]).unwrap();
            draw.bonus = 7;
        }
        let (real, other) = (replay(draws), replay(&changed));
        assert_eq!(real.matched_by_draw[..50], other.matched_by_draw[..50]);
        assert_ne!(real.matched_by_draw[50..], other.matched_by_draw[50..]);
        for (one, two) in real.tallies.iter().zip(&other.tallies) {
            assert_eq!(one.matched[..50], two.matched[..50]);
        }
    }

    #[test]
    fn a_replay_gives_the_same_every_time_and_grows_without_changing() {
        let (short, long) = (replay(&built_in()[..130]), replay(&built_in()[..150]));
        assert_eq!(short, replay(&built_in()[..130]));
        assert_eq!(short.matched_by_draw[..], long.matched_by_draw[..30]);
        assert_eq!((long.from_draw, long.to_draw), (101, 150));
    }
}

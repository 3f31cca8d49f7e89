//! The replay itself: one pass over the draws, learning them one by one.

use super::super::co_winners::CoWinners;
use super::super::draw::{Draw, Published};
use super::super::history::History;
use super::super::methods::{Method, MethodInputs};
use super::super::numbers::Numbers;
use super::super::odds::{TOTAL_COMBINATIONS, rank_combinations};
use super::super::spread::Usage;

/// The first draw for which the methods choose: a hundred are known by then.
pub const FIRST_REPLAYED: u32 = 101;
/// After how many draws the co-winner model is fitted again.
const REFIT_EVERY: usize = 52;

/// With how many seeds each method chooses for a draw: what one seed would add by luck is averaged away.
pub const SEEDS: u64 = 4;

/// What the methods did in every replayed draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The first replayed draw, 0 without any.
    pub from_draw: u32,
    /// The last replayed draw, 0 without any.
    pub to_draw: u32,
    pub(super) tallies: Vec<Tally>,
    /// All methods but `random` together.
    pub(super) together: Track,
    /// One game of any set in each replayed draw whose prizes are published.
    pub(super) by_chance: ByChance,
}

/// What games of any set cost, and what they win by chance: the mean over all 8,145,060 sets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ByChance {
    won: f64,
    spent: u64,
}

/// What one method did.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tally {
    pub method: Method,
    pub track: Track,
    /// Sets that won any prize.
    pub prizes: u64,
    pub won: u64,
    pub spent: u64,
}

/// The sets of one method, or of several, draw by draw: each figure is a mean over the sets of a draw.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Track {
    /// How many sets there were in all.
    pub sets: u64,
    /// Mean number of winning numbers.
    pub matched: Vec<f64>,
    /// The share of sets with three or more.
    pub three_plus: Vec<f64>,
    /// The variance that `matched` has over all possible draws, by how often each number was used.
    pub variance: f64,
}

/// Replays every method over `draws` (ascending). Before each draw from [`FIRST_REPLAYED`] on, a
/// method sees the earlier draws and [`SEEDS`] seeds, which follow from the draw's own number; prizes come from the
/// draw's own table (a first prize as it was paid, although one more winner would have made it smaller). While they are not
/// published its games count neither as won nor as spent.
pub fn replay(draws: &[Draw]) -> Replay {
    let tally = |method| Tally { method, track: Track::default(), prizes: 0, won: 0, spent: 0 };
    let tallies = Method::ALL.map(tally).into();
    let mut replay =
        Replay { from_draw: 0, to_draw: 0, tallies, together: Track::default(), by_chance: ByChance::default() };
    let mut history = History::before_all(draws);
    let mut co_winners: Option<CoWinners> = None;
    for (index, draw) in draws.iter().enumerate() {
        if draw.draw_no >= FIRST_REPLAYED {
            let due = replay.together.matched.len().is_multiple_of(REFIT_EVERY);
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
        let is_paid = draw.published >= Published::Prizes;
        if is_paid {
            self.by_chance.add(draw);
        }
        let mut of_all = Vec::new();
        for tally in &mut self.tallies {
            let choose = |place| tally.method.choose(inputs, u64::from(draw.draw_no) | place << 32);
            let sets: Vec<Numbers> = (0..SEEDS).map(choose).collect();
            for set in &sets {
                let rank = draw.rank(set);
                tally.prizes += u64::from(rank.is_some());
                if is_paid {
                    tally.won += rank.and_then(|rank| draw.prize_of(rank)).unwrap_or(0);
                    tally.spent += draw.ticket_price();
                }
            }
            tally.track.add(draw, &sets);
            if tally.method != Method::Random {
                of_all.extend(sets);
            }
        }
        self.together.add(draw, &of_all);
    }
}

impl ByChance {
    fn add(&mut self, draw: &Draw) {
        let part = |rank| rank_combinations(rank) as f64 * draw.prize_of(rank).unwrap_or(0) as f64;
        self.won += (1..=5).map(part).sum::<f64>() / TOTAL_COMBINATIONS as f64;
        self.spent += draw.ticket_price();
    }

    /// What is won, as a share of what is spent; 0 without any game.
    pub fn share(self) -> f64 {
        self.won / self.spent.max(1) as f64
    }
}

impl Track {
    fn add(&mut self, draw: &Draw, sets: &[Numbers]) {
        let count = sets.len() as f64;
        let matched: u32 = sets.iter().map(|set| u32::from(draw.matched(set))).sum();
        let three_plus = sets.iter().filter(|set| draw.rank(set).is_some()).count();
        self.sets += sets.len() as u64;
        self.matched.push(f64::from(matched) / count);
        self.three_plus.push(three_plus as f64 / count);
        self.variance += Usage::of(sets).variance() / (count * count);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
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
        assert_eq!(real.together.matched[..50], other.together.matched[..50]);
        assert_ne!(real.together.matched[50..], other.together.matched[50..]);
        for (one, two) in real.tallies.iter().zip(&other.tallies) {
            assert_eq!(one.track.matched[..50], two.track.matched[..50]);
        }
    }

    #[test]
    fn what_is_expected_of_a_game_is_what_all_sets_win_together() {
        let expected = |draws: &[Draw]| {
            let mut by_chance = ByChance::default();
            draws.iter().for_each(|draw| by_chance.add(draw));
            by_chance.share()
        };
        // By another program over the same file of draws: 101 to 1245, and two of which one cost 2,000 won.
        assert!(
            (expected(&built_in()[100..1_245]) - 0.560_092_6).abs() < 1e-7,
            "{}",
            expected(&built_in()[100..1_245])
        );
        let two = &built_in()[86..88];
        let all_sets = |draw: &Draw| -> u64 {
            let prizes = draw.prizes.map(|prize| prize.prize_each.unwrap());
            prizes.iter().zip([1, 6, 228, 11_115, 182_780]).map(|(prize, sets)| prize * sets).sum()
        };
        let won = two.iter().map(all_sets).sum::<u64>() as f64 / 8_145_060.0;
        assert!((expected(two) - won / 3_000.0).abs() < 1e-12, "{}", expected(two));
        assert_eq!(expected(&[]), 0.0);
    }

    #[test]
    fn a_draw_whose_prizes_are_not_published_counts_neither_as_won_nor_as_spent() {
        let mut draws = built_in()[..102].to_vec();
        let money = |draws: &[Draw]| {
            let replay = replay(draws);
            let of_methods: Vec<_> = replay.tallies.iter().map(|tally| (tally.won, tally.spent)).collect();
            (of_methods, replay.by_chance, replay.together.sets)
        };
        let (of_first, by_chance, sets) = money(&draws[..101]);
        draws[101] = Draw::with_numbers_only(102, draws[101].numbers, draws[101].bonus).unwrap();
        assert_eq!(money(&draws), (of_first, by_chance, 2 * sets), "what was right in it counts all the same");
    }

    #[test]
    fn a_replay_gives_the_same_every_time_and_grows_without_changing() {
        let (short, long) = (replay(&built_in()[..130]), replay(&built_in()[..150]));
        assert_eq!(short, replay(&built_in()[..130]));
        assert_eq!(short.together.matched[..], long.together.matched[..30]);
        assert_eq!((long.from_draw, long.to_draw), (101, 150));
    }
}

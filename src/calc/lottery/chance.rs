//! One player next to random players of as many games.
//!
//! Games of random sets are independent, so the number of winning games is binomial, and what they win together has
//! a compound distribution. Both are summed exactly by De Pril's recursion for the power of a polynomial (N. De Pril,
//! "Recursions for convolutions of arithmetic distributions", ASTIN Bulletin 15, 1985, 135–139): for
//! g = f^n with f(0) > 0, g(0) = f(0)^n and g(k) = Σ_j (j (n + 1) / k − 1) f(j) g(k − j) / f(0).

use super::draw::{FIRST_DRAW_AT_1000_WON, ticket_price};
use super::odds::{ANY_PRIZE, TOTAL_COMBINATIONS, rank_combinations};

/// Games of random sets, by what one costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Played {
    /// Those of draws up to 87, at 2,000 won.
    pub early: u64,
    /// All later ones, at 1,000 won.
    pub later: u64,
}

impl Played {
    /// How many there are.
    pub fn games(&self) -> u64 {
        self.early + self.later
    }

    /// Won paid for them.
    fn paid(&self) -> u64 {
        self.early * ticket_price(FIRST_DRAW_AT_1000_WON - 1) + self.later * ticket_price(FIRST_DRAW_AT_1000_WON)
    }
}

/// What random players of as many games have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomPlayers {
    /// Their mean number of winning games.
    pub expected_prizes: f64,
    /// Where the player stands among them; none without games and beyond [`MOST_GAMES`].
    pub standing: Option<Rank>,
    /// What half of them get back at most, as a share of what they paid; none without games and beyond
    /// [`MOST_GAMES`].
    pub median_return: Option<f64>,
}

/// One player among random players of as many games, by the number of winning games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rank {
    /// The share of them with fewer winning games.
    pub fewer: f64,
    /// The share of them with as many: most of them, where all have few games.
    pub as_many: f64,
}

impl Rank {
    /// The share with fewer winning games, those with as many counted half.
    pub fn percentile(&self) -> f64 {
        (self.fewer + 0.5 * self.as_many).clamp(0.0, 1.0)
    }
}

/// Games up to which the recursion starts from a number that a float can hold.
const MOST_GAMES: u64 = 20_000;
/// The unit in which prizes are counted, in won: the fifth.
const UNIT: u64 = 5_000;
/// The prizes of the fifth, fourth and third rank in units, as they are paid today: 5,000, 50,000 and on average
/// 1,500,000 won. The third has no part in the median below some ten thousand games.
const TODAY: [usize; 3] = [1, 10, 300];
/// The same through draw 87: 10,000 won, and means of 101,195 and 2,635,943 won.
const EARLY: [usize; 3] = [2, 20, 527];

/// Random players who `played` as many games next to one of whose games `prizes` won something.
pub fn random_players(played: Played, prizes: u64) -> RandomPlayers {
    let games = played.games();
    let expected_prizes = games as f64 * ANY_PRIZE;
    if games == 0 {
        return RandomPlayers { expected_prizes, standing: None, median_return: None };
    }
    let is_countable = games <= MOST_GAMES;
    RandomPlayers {
        expected_prizes,
        standing: is_countable.then(|| standing(games, prizes)),
        median_return: is_countable.then(|| median_won(played) as f64 / played.paid() as f64),
    }
}

/// The shares of players with fewer winning games than `prizes` and with as many.
fn standing(games: u64, prizes: u64) -> Rank {
    let mut chances = Power::new(&[(1, ANY_PRIZE)], games);
    let fewer: f64 = chances.by_ref().take(prizes as usize).sum();
    Rank { fewer: fewer.clamp(0.0, 1.0), as_many: chances.next().unwrap_or(0.0).clamp(0.0, 1.0) }
}

/// Won that half of the players win at most. A first or second prize is beyond every median here.
fn median_won(played: Played) -> u64 {
    let chance = |rank: u8| rank_combinations(rank) as f64 / TOTAL_COMBINATIONS as f64;
    let chances = [5, 4, 3].map(chance);
    let won = |units: [usize; 3], games: u64| Power::new(&[0, 1, 2].map(|place| (units[place], chances[place])), games);
    let (mut early, mut later) = (won(EARLY, played.early), won(TODAY, played.later));
    let (mut within, mut units, mut of_early) = (0.0, 0, 0.0);
    loop {
        // Most players have no early games at all, which win nothing and no more.
        if of_early < 1.0 {
            of_early += early.next().unwrap_or(0.0);
        }
        later.next();
        // What the early games do not win of these units the later ones do.
        within += early.known.iter().zip(later.known.iter().rev()).map(|(one, other)| one * other).sum::<f64>();
        if within >= 0.5 {
            return units * UNIT;
        }
        units += 1;
    }
}

/// The distribution of a sum over `games` games, of which each adds a few steps with given chances and nothing
/// otherwise; from 0 on, without end.
struct Power {
    games: f64,
    nothing: f64,
    steps: Vec<(usize, f64)>,
    known: Vec<f64>,
}

impl Power {
    fn new(steps: &[(usize, f64)], games: u64) -> Power {
        // The chance of any prize is taken off whole, also where a rank is left out of the steps: a game with it would
        // lie beyond what is looked at.
        let nothing = 1.0 - ANY_PRIZE;
        Power { games: games as f64, nothing, steps: steps.to_vec(), known: Vec::new() }
    }
}

impl Iterator for Power {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let sum = self.known.len();
        let chance = match sum {
            0 => self.nothing.powf(self.games),
            _ => {
                let part = |&(step, chance): &(usize, f64)| {
                    let before = sum.checked_sub(step).map_or(0.0, |rest| self.known[rest]);
                    (step as f64 * (self.games + 1.0) / sum as f64 - 1.0) * chance * before
                };
                self.steps.iter().map(part).sum::<f64>() / self.nothing
            }
        };
        self.known.push(chance);
        Some(chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_of_five_games_a_week_gives_most_players_little() {
        // By adding one game after the other, apart from this code: 35,000 won of 260,000, and 175,000 of a million.
        let median = |later| median_won(Played { early: 0, later });
        assert_eq!((median(260), median(1_000)), (35_000, 175_000));
        assert_eq!(random_players(of(260), 0).median_return.map(|share| (share * 1_000.0).round()), Some(135.0));
        assert_eq!((median(1), median(20)), (0, 0));
    }

    #[test]
    fn games_that_cost_twice_as_much_are_compared_with_their_own_price_and_prizes() {
        // One game after the other, apart from this code, with the mean prizes of draws 1 to 87.
        for (early, later, won) in
            [(260, 0, 70_000), (130, 130, 55_000), (1, 0, 0), (100, 0, 20_000), (50, 100, 25_000), (29, 1, 10_000)]
        {
            assert_eq!(median_won(Played { early, later }), won, "{early} {later}");
        }
        let median = |early, later| random_players(Played { early, later }, 0).median_return.unwrap();
        assert_eq!((median(100, 0), median(50, 100)), (0.1, 0.125), "of 200,000 won each");
    }

    fn of(later: u64) -> Played {
        Played { early: 0, later }
    }

    #[test]
    fn the_place_among_players_counts_those_with_as_many_half() {
        // One game: 97.6 % have none.
        let none = standing(1, 0);
        assert_eq!((none.fewer, (none.as_many * 1_000.0).round()), (0.0, 976.0), "nobody has fewer than none");
        let percentile = |games, prizes| standing(games, prizes).percentile();
        assert!((percentile(1, 0) - (1.0 - ANY_PRIZE) / 2.0).abs() < 1e-12);
        assert!((percentile(1, 1) - (1.0 - ANY_PRIZE / 2.0)).abs() < 1e-12);
        assert!((percentile(1, 2) - 1.0).abs() < 1e-12);
        // By fractions.
        assert!((percentile(260, 7) - 0.646_095_497).abs() < 1e-9 && (percentile(260, 6) - 0.493_349_577).abs() < 1e-9);
        let whole: f64 = Power::new(&[(1, ANY_PRIZE)], 260).take(261).sum();
        assert!((whole - 1.0).abs() < 1e-9);
        assert!((random_players(of(260), 7).expected_prizes - 6.196_860).abs() < 1e-6, "260 × 194,130 / 8,145,060");
        assert_eq!(random_players(of(0), 0).standing, None);
        // By a sum over exact binomial chances, apart from this code.
        let most = random_players(of(20_000), 500);
        assert!((most.standing.unwrap().percentile() - 0.859_835_512).abs() < 1e-8, "{most:?}");
        assert!(most.median_return.is_some());
        let beyond = random_players(of(20_001), 500);
        assert_eq!((beyond.standing, beyond.median_return), (None, None));
    }
}

//! What is known of the draws up to a moment: counts, pairs and gaps, kept up draw by draw.
//!
//! It reads only the draws that it has been told to learn, which is what makes a replay of the past
//! honest: [`History::learn`] is the only way forward. Between two known draws others may lie that are not known:
//! which are the last is counted in draws that were held, by their numbers; how long a number has been away, in known
//! draws, as it may have come up in any other.

use super::draw::Draw;
use super::numbers::HIGHEST;

/// Room for the numbers 1..=45 by their own index; index 0 stays unused.
pub(crate) const SLOTS: usize = HIGHEST as usize + 1;

/// Counts, pairs and gaps of the draws that are known so far.
#[derive(Debug, Clone)]
pub struct History<'a> {
    all: &'a [Draw],
    known: usize,
    counts: [u32; SLOTS],
    pairs: Box<[[u32; SLOTS]; SLOTS]>,
    last_seen: [Option<usize>; SLOTS],
}

impl<'a> History<'a> {
    /// Everything that `draws` (ascending) tell.
    pub fn of(draws: &'a [Draw]) -> Self {
        let mut history = Self::before_all(draws);
        while history.learn().is_some() {}
        history
    }

    /// Nothing known yet; `draws` (ascending) are learned one by one.
    pub fn before_all(draws: &'a [Draw]) -> Self {
        let pairs = Box::new([[0; SLOTS]; SLOTS]);
        History { all: draws, known: 0, counts: [0; SLOTS], pairs, last_seen: [None; SLOTS] }
    }

    /// Learns the next draw and gives it; none when all are known.
    pub fn learn(&mut self) -> Option<&'a Draw> {
        let draw = self.all.get(self.known)?;
        let numbers = draw.numbers.as_array();
        for (place, &number) in numbers.iter().enumerate() {
            self.counts[usize::from(number)] += 1;
            self.last_seen[usize::from(number)] = Some(self.known);
            for &higher in &numbers[place + 1..] {
                self.pairs[usize::from(number)][usize::from(higher)] += 1;
            }
        }
        self.known += 1;
        Some(draw)
    }

    /// The draws that are known, ascending.
    pub fn draws(&self) -> &'a [Draw] {
        &self.all[..self.known]
    }

    /// The newest known draw.
    pub fn latest(&self) -> Option<&'a Draw> {
        self.draws().last()
    }

    /// What is known of the last `window` draws that were held, the latest known one being the last of them: fewer than
    /// `window` when some of them are not known.
    pub fn recent(&self, window: usize) -> &'a [Draw] {
        let draws = self.draws();
        let Some(latest) = draws.last() else { return draws };
        let before = latest.draw_no.saturating_sub(u32::try_from(window).unwrap_or(u32::MAX));
        &draws[draws.partition_point(|draw| draw.draw_no <= before)..]
    }

    /// How many the last `window` draws are: fewer than `window` soon after the first known one.
    pub fn held(&self, window: usize) -> usize {
        window.min(self.held_since(None) as usize)
    }

    /// The last `window` draws in words of both languages, of which `known` were looked at.
    pub fn in_words(&self, window: usize, known: usize) -> (String, String) {
        let held = self.held(window);
        if held == known {
            return (format!("최근 {held}회"), format!("the last {held} draws"));
        }
        (format!("최근 {held}회 가운데 알려진 {known}회"), format!("the {known} known of the last {held} draws"))
    }

    /// In how many known draws `number` came up.
    pub fn count(&self, number: u8) -> u32 {
        self.counts[usize::from(number)]
    }

    /// In how many known draws `lower` and `higher` came up together; 0 unless lower < higher.
    pub fn pair_count(&self, lower: u8, higher: u8) -> u32 {
        self.pairs[usize::from(lower)][usize::from(higher)]
    }

    /// In how many known draws `number` has not been since it came up last in one: 0 when it is in the latest. One that
    /// never came up has been away for all of them.
    pub fn gap(&self, number: u8) -> u32 {
        self.last_seen[usize::from(number)].map_or(self.known, |place| self.known - 1 - place) as u32
    }

    /// Whether each of `numbers` has been away for its gap whatever the draws were that are not known: none of those
    /// was held within it.
    pub fn gaps_are_certain(&self, numbers: &[u8]) -> bool {
        numbers.iter().all(|&number| {
            let seen = self.last_seen[usize::from(number)].map(|place| self.all[place].draw_no);
            self.gap(number) == self.held_since(seen)
        })
    }

    /// How many draws were held after draw `draw_no` up to the latest known one, or from the first known one on.
    fn held_since(&self, draw_no: Option<u32>) -> u32 {
        let [Some(first), Some(latest)] = [self.draws().first(), self.latest()] else { return 0 };
        draw_no.map_or(latest.draw_no - first.draw_no + 1, |seen| latest.draw_no - seen)
    }
}

/// How often each number comes up in `draws`, by its own index.
pub(crate) fn count_numbers(draws: &[Draw]) -> [u32; SLOTS] {
    let mut counts = [0; SLOTS];
    for number in draws.iter().flat_map(|draw| *draw.numbers.as_array()) {
        counts[usize::from(number)] += 1;
    }
    counts
}

/// The standard score of `count` successes in `trials` of chance `probability`; 0 without trials.
pub(crate) fn standard_score(count: u32, trials: usize, probability: f64) -> f64 {
    if trials == 0 {
        return 0.0;
    }
    let trials = trials as f64;
    (f64::from(count) - trials * probability) / (trials * probability * (1.0 - probability)).sqrt()
}

/// The chance that one number is among the six of a draw.
pub(crate) const NUMBER_IN_DRAW: f64 = 6.0 / 45.0;
/// The chance that two given numbers are among the six of a draw: 15 of 990 pairs.
pub(crate) const PAIR_IN_DRAW: f64 = 15.0 / 990.0;

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    #[test]
    fn learning_draw_by_draw_ends_where_knowing_them_all_does() {
        let draws = &built_in()[..200];
        let mut growing = History::before_all(draws);
        let mut learned = 0;
        while let Some(draw) = growing.learn() {
            learned += 1;
            assert_eq!(draw.draw_no, learned);
            assert!(draw.numbers.iter().all(|number| growing.gap(number) == 0));
        }
        let whole = History::of(draws);
        assert!((1..=45).all(|number| growing.count(number) == whole.count(number)));
        assert_eq!((1..=45).map(|number| whole.count(number)).sum::<u32>(), 6 * 200);
        assert_eq!(count_numbers(draws)[7], whole.count(7));
    }

    #[test]
    fn draws_that_are_not_known_are_held_all_the_same_but_no_number_is_away_from_them() {
        // Draws 1 to 40 without 35 to 38.
        let draws: Vec<Draw> =
            built_in()[..40].iter().filter(|draw| !(35..=38).contains(&draw.draw_no)).cloned().collect();
        let history = History::of(&draws);
        for number in 1..=45 {
            let away = draws.iter().rev().take_while(|draw| !draw.numbers.contains(number)).count();
            assert_eq!(history.gap(number) as usize, away, "{number}");
            assert_eq!(history.gaps_are_certain(&[number]), away < 2, "{number}: only 39 and 40 lie behind the hole");
        }
        assert!((1..=45).any(|number| history.gap(number) > 5), "one of them was away over the hole");
        assert!(History::of(built_in()).gaps_are_certain(&(1..=45).collect::<Vec<_>>()));
        let numbers = |window| history.recent(window).iter().map(|draw| draw.draw_no).collect::<Vec<_>>();
        assert_eq!((numbers(2), numbers(5), numbers(7)), (vec![39, 40], vec![39, 40], vec![34, 39, 40]));
        assert_eq!((history.recent(0).len(), history.recent(40).len(), history.recent(99).len()), (0, 36, 36));
        assert_eq!(history.in_words(7, 3).1, "the 3 known of the last 7 draws");
        assert_eq!(history.in_words(2, 2).0, "최근 2회");
        assert_eq!(history.in_words(99, 36).0, "최근 40회 가운데 알려진 36회");
        // Known are draws 31 to 34, 39 and 40: what never came up in them has been away for six known draws.
        let later = History::of(&draws[30..]);
        let never = (1..=45).find(|number| later.count(*number) == 0).unwrap();
        assert_eq!((later.draws().len(), later.gap(never)), (6, 6));
        assert!(!later.gaps_are_certain(&[never]));
        assert_eq!(History::of(&[]).gap(7), 0);
    }

    #[test]
    fn counts_of_the_first_1238_draws_are_the_published_ones() {
        let history = History::of(&built_in()[..1238]);
        assert_eq!((history.count(9), history.count(34)), (136, 186));
        assert!((1..=45).all(|number| (136..=186).contains(&history.count(number))));
    }
}

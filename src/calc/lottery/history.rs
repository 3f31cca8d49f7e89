//! What is known of the draws up to a moment: counts, pairs and gaps, kept up draw by draw.
//!
//! It reads only the draws that it has been told to learn, which is what makes a replay of the past
//! honest: [`History::learn`] is the only way forward.

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

    /// The newest `window` known draws, or all when there are fewer.
    pub fn recent(&self, window: usize) -> &'a [Draw] {
        &self.all[self.known.saturating_sub(window)..self.known]
    }

    /// In how many known draws `number` came up.
    pub fn count(&self, number: u8) -> u32 {
        self.counts[usize::from(number)]
    }

    /// In how many known draws `lower` and `higher` came up together; 0 unless lower < higher.
    pub fn pair_count(&self, lower: u8, higher: u8) -> u32 {
        self.pairs[usize::from(lower)][usize::from(higher)]
    }

    /// Known draws since `number` came up last: 0 when it is in the latest one, the number of known
    /// draws when it never did.
    pub fn gap(&self, number: u8) -> u32 {
        match self.last_seen[usize::from(number)] {
            Some(index) => (self.known - 1 - index) as u32,
            None => self.known as u32,
        }
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
    fn counts_of_the_first_1238_draws_are_the_published_ones() {
        let history = History::of(&built_in()[..1238]);
        assert_eq!((history.count(9), history.count(34)), (136, 186));
        assert!((1..=45).all(|number| (136..=186).contains(&history.count(number))));
    }
}

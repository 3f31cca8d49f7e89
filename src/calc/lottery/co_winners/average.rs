//! The mean of the model over all 8,145,060 combinations, exactly.
//!
//! The number of co-winners is a product over the numbers and over neighbouring numbers only, so the
//! sum over all combinations is built number by number, keeping for each (second last, last) the sum
//! over all beginnings (a transfer matrix; Stanley, Enumerative Combinatorics I, section 4.7).

use libm::{exp, log};
use serde::{Deserialize, Serialize};

use super::super::history::SLOTS;
use super::super::numbers::{HIGHEST, SET_SIZE};
use super::super::odds::TOTAL_COMBINATIONS;
use super::dot;
use super::terms::{CONSECUTIVE, EVEN_STEPS, Features, number_features};

/// Where the average combination lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Average {
    /// ln of the mean of exp(Σ b x) over all combinations.
    pub log_mean: f64,
    /// The mean terms over all combinations, each weighted by exp(Σ b x).
    pub terms: Features,
}

/// The average over all combinations for these coefficients. The mean terms are the derivative of
/// `log_mean`, taken as a central difference.
pub(super) fn over_all_combinations(coefficients: &Features) -> Average {
    const STEP: f64 = 1e-4;
    let terms = std::array::from_fn(|term| {
        let moved = |by: f64| {
            let mut moved = *coefficients;
            moved[term] += by;
            log_mean(&moved)
        };
        (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
    });
    Average { log_mean: log_mean(coefficients), terms }
}

fn log_mean(coefficients: &Features) -> f64 {
    let weight: [f64; SLOTS] = std::array::from_fn(|number| exp(dot(coefficients, &number_features(number as u8))));
    let neighbours = exp(coefficients[CONSECUTIVE]);
    let even = exp(coefficients[EVEN_STEPS]);
    let highest = usize::from(HIGHEST);
    let step_weight = |step: usize| if step == 1 { neighbours } else { 1.0 };

    let mut sums = vec![[0.0; SLOTS]; SLOTS];
    for (before, row) in sums.iter_mut().enumerate().skip(1) {
        for last in before + 1..=highest {
            row[last] = weight[before] * weight[last] * step_weight(last - before);
        }
    }
    for _ in 2..SET_SIZE {
        let mut longer = vec![[0.0; SLOTS]; SLOTS];
        for (before, row) in sums.iter().enumerate().skip(1) {
            for last in before + 1..highest {
                let so_far = row[last];
                for next in last + 1..=highest {
                    let even_step = if next - last == last - before { even } else { 1.0 };
                    longer[last][next] += so_far * weight[next] * step_weight(next - last) * even_step;
                }
            }
        }
        sums = longer;
    }
    log(sums.iter().flatten().sum::<f64>() / TOTAL_COMBINATIONS as f64)
}

#[cfg(test)]
mod tests {
    use super::super::TERMS;
    use super::*;

    #[test]
    fn without_effects_the_mean_is_one_and_the_mean_terms_are_the_plain_ones() {
        let average = over_all_combinations(&[0.0; TERMS.len()]);
        assert!(average.log_mean.abs() < 1e-12);
        // Six times the share of the numbers, and 15 of 990 for each of the 44 pairs of neighbours.
        let expected = [0.0, 6.0 * 12.0 / 45.0, 6.0 * 31.0 / 45.0, 6.0 * 6.0 / 45.0, 15.0 * 44.0 / 990.0];
        for (term, expected) in average.terms.iter().zip(expected) {
            assert!((term - expected).abs() < 1e-6, "{term} is not {expected}");
        }
    }
}

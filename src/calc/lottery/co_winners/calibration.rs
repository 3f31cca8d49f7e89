//! What the model is worth on draws that it has not seen.
//!
//! It is fitted again every 52 draws on what was known then, and asked for the next 52. How far its differences came
//! true decides how far they are believed (the slope of a recalibration: Cox, "Two further applications of a model for
//! binary regression", Biometrika 45, 1958, 562–565).

use libm::{exp, lgamma, log};
use serde::{Deserialize, Serialize};

use super::super::interval::Z_95;
use super::fit::{Observation, fit, pearson_dispersion};
use super::linear::invert;
use super::terms::{dot, over_all_combinations};
use hanok_base::schema::ToSchema;

/// The first draws, of which a first fit is made.
const FIRST_FITTED: usize = 104;
/// After how many draws the model is fitted again.
const REFIT_EVERY: usize = 52;
/// Into how many groups the held-out draws are cut.
const GROUPS: usize = 5;

/// One draw that the model was asked for before it saw it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeldOut {
    /// ln of the predicted hand-picked winners relative to an average combination.
    log_by_hand: f64,
    /// The predicted winners relative to an average combination.
    ratio: f64,
    /// The hand-picked winners of an average combination.
    level_by_hand: f64,
    /// The winners of an average combination.
    level: f64,
    by_hand: f64,
    winners: f64,
}

/// Held-out draws with a similar prediction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CalibrationGroup {
    /// How many draws.
    pub draws: usize,
    /// Their predicted winners relative to the average combination.
    pub predicted: f64,
    /// Their real winners relative to the average combination.
    pub came_out: f64,
    /// Lower end of the 95 % interval of what came out.
    pub low: f64,
    /// Upper end of the 95 % interval of what came out.
    pub high: f64,
}

/// How far winners lie from what was predicted for draws that were held out; less is better.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Deviance {
    /// The Poisson deviance when every combination counts as average.
    pub constant: f64,
    /// The same with the model's predictions.
    pub model: f64,
}

/// Asks the model for each draw before it sees it: all that goes into a prediction, also how many of the winners choose by
/// hand, is what was known then.
pub(super) fn hold_out(observations: &[Observation]) -> Vec<HeldOut> {
    let mut held_out = Vec::new();
    for start in (FIRST_FITTED..observations.len()).step_by(REFIT_EVERY) {
        let (known, next) = observations.split_at(start);
        let [_, coefficients @ ..] = fit(known).coefficients;
        let average = over_all_combinations(&coefficients);
        let expected: f64 = known.iter().map(|one| one.expected).sum();
        let share_of = |winners: fn(&Observation) -> f64| known.iter().map(winners).sum::<f64>() / expected;
        let (by_hand, winners) = (share_of(|one| one.by_hand), share_of(|one| one.winners));
        let share = by_hand / winners;
        held_out.extend(next.iter().take(REFIT_EVERY).map(|one| {
            let log_by_hand = dot(&coefficients, &one.terms) - average.log_mean;
            HeldOut {
                log_by_hand,
                ratio: 1.0 - share + share * exp(log_by_hand),
                level_by_hand: by_hand * one.expected,
                level: winners * one.expected,
                by_hand: one.by_hand,
                winners: one.winners,
            }
        }));
    }
    held_out
}

/// How far the predicted differences among hand-picked winners came true: the slope b of
/// ln E(winners) = ln(level) + a + b × prediction, from 0 (not at all) to 1 (as predicted, or more); 0 without draws.
pub(super) fn shrinkage(held_out: &[HeldOut]) -> f64 {
    let mut line = [0.0, 1.0];
    for _ in 0..50 {
        let (mut information, mut slope) = ([[1e-9, 0.0], [0.0, 1e-9]], [0.0; 2]);
        for one in held_out {
            let terms = [1.0, one.log_by_hand];
            let mean = one.level_by_hand * exp((line[0] + line[1] * one.log_by_hand).clamp(-3.0, 3.0));
            for row in 0..2 {
                slope[row] += (one.by_hand - mean) * terms[row];
                information[row].iter_mut().zip(terms).for_each(|(entry, term)| *entry += mean * terms[row] * term);
            }
        }
        let Some(inverse) = invert(information) else { return 0.0 };
        let step: [f64; 2] = std::array::from_fn(|row| inverse[row][0] * slope[0] + inverse[row][1] * slope[1]);
        line.iter_mut().zip(step).for_each(|(value, step)| *value += step);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    if held_out.is_empty() { 0.0 } else { line[1].clamp(0.0, 1.0) }
}

/// The held-out draws in five groups, those with the fewest predicted winners first.
pub(super) fn groups(held_out: &[HeldOut]) -> Vec<CalibrationGroup> {
    let mut held_out: Vec<&HeldOut> = held_out.iter().collect();
    held_out.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
    let level = sum(&held_out, |one| one.winners) / sum(&held_out, |one| one.level).max(f64::MIN_POSITIVE);
    let dispersion = pearson_dispersion(held_out.iter().map(|one| (one.winners, one.level * one.ratio)), 1);
    let size = held_out.len().div_ceil(GROUPS).max(1);
    let group = |draws: &[&HeldOut]| {
        let expected = level * sum(draws, |one| one.level);
        let came_out = sum(draws, |one| one.winners) / expected;
        let half_width = Z_95 * (dispersion * came_out / expected).sqrt();
        CalibrationGroup {
            draws: draws.len(),
            predicted: sum(draws, |one| one.level * one.ratio) / sum(draws, |one| one.level),
            came_out,
            low: came_out - half_width,
            high: came_out + half_width,
        }
    };
    held_out.chunks(size).map(group).collect()
}

/// How far the winners lie from the predictions, and from the same average for every combination.
pub(super) fn deviance(held_out: &[HeldOut]) -> Deviance {
    let of = |mean: fn(&HeldOut) -> f64| held_out.iter().map(|one| poisson_deviance(one.winners, mean(one))).sum();
    if held_out.is_empty() {
        return Deviance::default();
    }
    Deviance { constant: of(|one| one.level), model: of(|one| one.level * one.ratio) }
}

/// By what share the co-winners of a single combination stray from those of its kind, as a standard deviation: √τ of
/// negative binomial winners with mean μ and variance μ + τ μ² (Lawless, "Negative binomial and mixed Poisson
/// regression", Canadian Journal of Statistics 15, 1987, 209–225), at its maximum likelihood; 0 without draws.
pub(super) fn single_set_spread(winners_and_means: &[(f64, f64)]) -> f64 {
    if winners_and_means.is_empty() {
        return 0.0;
    }
    let log_likelihood = |log_variance: f64| -> f64 {
        let size = exp(-log_variance);
        let one = |&(winners, mean): &(f64, f64)| {
            lgamma(winners + size) - lgamma(size)
                + size * log(size / (size + mean))
                + winners * log(mean / (size + mean))
        };
        winners_and_means.iter().map(one).sum()
    };
    // The likelihood has one maximum in this range; each third that cannot hold it is cut off.
    let (mut low, mut high) = (log(1e-4), log(4.0));
    for _ in 0..60 {
        let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if log_likelihood(first) < log_likelihood(second) {
            low = first;
        } else {
            high = second;
        }
    }
    exp((low + high) / 4.0)
}

fn poisson_deviance(observed: f64, mean: f64) -> f64 {
    let surprise = if observed > 0.0 { observed * log(observed / mean) } else { 0.0 };
    2.0 * (surprise - (observed - mean))
}

fn sum(held_out: &[&HeldOut], figure: fn(&HeldOut) -> f64) -> f64 {
    held_out.iter().map(|one| figure(one)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::super::fit::observations;
    use super::*;

    fn held_out() -> Vec<HeldOut> {
        hold_out(&observations(built_in()))
    }

    #[test]
    fn draws_that_it_has_not_seen_lie_nearer_to_the_model_than_to_the_average() {
        let deviance = deviance(&held_out());
        assert!(deviance.model < deviance.constant - 20.0, "{deviance:?}");
        let half = |part: &[HeldOut]| super::deviance(part);
        let all = held_out();
        for part in all.chunks(all.len() / 2) {
            assert!(half(part).model < half(part).constant, "in each half of the draws");
        }
    }

    #[test]
    fn what_is_predicted_of_a_draw_depends_on_no_later_one() {
        let all = observations(built_in());
        // From the 104th on every winner has chosen by hand: the first 104 know nothing of it.
        let mut changed = all.clone();
        changed[FIRST_FITTED..].iter_mut().for_each(|one| one.by_hand = one.winners);
        let first = |observations: &[Observation]| -> Vec<f64> {
            hold_out(observations).iter().take(REFIT_EVERY).map(|one| one.ratio).collect()
        };
        assert_eq!(first(&all), first(&changed));
        assert_ne!(hold_out(&all)[REFIT_EVERY].ratio, hold_out(&changed)[REFIT_EVERY].ratio);
    }

    #[test]
    fn what_is_predicted_comes_true_as_far_as_the_interval_tells() {
        let groups = groups(&held_out());
        assert_eq!(groups.len(), 5);
        assert!(groups.is_sorted_by(|one, other| one.predicted < other.predicted));
        assert_eq!(groups.iter().map(|group| group.draws).sum::<usize>(), held_out().len());
        let fewest = groups[0];
        assert!((0.90..0.95).contains(&fewest.predicted) && (fewest.low..fewest.high).contains(&fewest.predicted));
        assert!(fewest.high < 1.0, "{fewest:?}");
    }

    #[test]
    fn the_interval_of_a_group_is_as_wide_as_the_winners_stray() {
        // Five kinds of combinations, two draws of each: ten winners times the prediction, six less and six more.
        let one = |ratio: f64, more: f64| HeldOut {
            log_by_hand: 0.0,
            ratio,
            level_by_hand: 3.0,
            level: 10.0,
            by_hand: 3.0,
            winners: 10.0 * ratio + more,
        };
        let held_out: Vec<HeldOut> =
            [0.8, 0.9, 1.0, 1.1, 1.2].into_iter().flat_map(|ratio| [one(ratio, -6.0), one(ratio, 6.0)]).collect();
        let groups = groups(&held_out);
        // Σ 36 / (10 r) over the ten is 36.7455, by nine 4.08283. Of 20 expected 16 came out in the first group, 24 in
        // the last: 1.959964 √(4.08283 × 0.8 / 20) = 0.79206 and 1.959964 √(4.08283 × 1.2 / 20) = 0.97007.
        for (group, (came_out, half_width)) in [(groups[0], (0.8, 0.792_06)), (groups[4], (1.2, 0.970_07))] {
            assert_eq!(group.draws, 2);
            assert!((group.predicted - came_out).abs() < 1e-9 && (group.came_out - came_out).abs() < 1e-9, "{group:?}");
            assert!((group.high - came_out - half_width).abs() < 1e-5, "{group:?}");
            assert!((came_out - group.low - half_width).abs() < 1e-5, "{group:?}");
        }
    }

    #[test]
    fn predictions_that_come_true_by_two_fifths_are_believed_as_far() {
        // Winners on the line 0.2 + 0.4 x themselves: no other line is nearer to them.
        let on_the_line = |log_by_hand: f64| HeldOut {
            log_by_hand,
            ratio: 1.0,
            level_by_hand: 3.0,
            level: 10.0,
            by_hand: 3.0 * exp(0.2 + 0.4 * log_by_hand),
            winners: 10.0,
        };
        let held_out = [-0.3, -0.1, 0.0, 0.2, 0.5].map(on_the_line);
        assert!((shrinkage(&held_out) - 0.4).abs() < 1e-6, "{}", shrinkage(&held_out));
    }

    #[test]
    fn a_model_that_predicts_noise_is_not_believed() {
        let mut noise = held_out();
        assert!(shrinkage(&noise) > 0.8, "{}", shrinkage(&noise));
        let turned: Vec<f64> = noise.iter().rev().map(|one| -one.log_by_hand).collect();
        noise.iter_mut().zip(turned).for_each(|(one, turned)| one.log_by_hand = turned);
        assert!(shrinkage(&noise) < 0.5, "{}", shrinkage(&noise));
        assert_eq!(shrinkage(&[]), 0.0);
    }

    #[test]
    fn the_spread_of_negative_binomial_winners_is_found() {
        // A Poisson count has none.
        let poisson: Vec<(f64, f64)> =
            (0..2_000).map(|place| ([7.0, 9.0, 10.0, 11.0, 13.0][place % 5], 10.0)).collect();
        assert!(single_set_spread(&poisson) < 0.05);
        // Half of the combinations at 6 and half at 14 where 10 are expected: a share of 0.4.
        let twofold: Vec<(f64, f64)> = (0..2_000).map(|place| ([6.0, 14.0][place % 2], 10.0)).collect();
        assert!((single_set_spread(&twofold) - 0.25).abs() < 0.03, "{}", single_set_spread(&twofold));
    }
}

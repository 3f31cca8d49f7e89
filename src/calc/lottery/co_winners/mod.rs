//! With how many others a first prize would be shared: the one thing about a combination that its
//! player can influence.
//!
//! Every combination wins equally often, but popular ones are played by more people. About two thirds of the winners
//! let the machine choose; they vary as a Poisson count does (1.05 times), so no combination is popular with them. The
//! others choose by hand, and vary three and a half times as much. The model explains the hand-picked winners of past draws by
//! their winning numbers:
//!
//! ln E(hand-picked winners) = ln(games sold / 8,145,060) + b0 + Σ b_j x_j
//!
//! a Poisson regression with over-dispersion (quasi-likelihood: McCullagh and Nelder, Generalized Linear Models, 2nd
//! ed., sections 6.2 and 9.2). The two terms x_j are in [`terms`]. Each coefficient has a weak normal prior around "no
//! effect" (standard deviation 0.1 a unit). Its differences are believed as far as they came true in draws that it had
//! not seen ([`calibration`]). With a share s of the winners who choose by hand, the co-winners of a combination
//! relative to an average one are
//!
//! ratio = 1 − s + s exp(λ Σ b_j x_j) / mean of the same over all combinations.
//!
//! That is the mean of all combinations of its kind. A single one strays from it by some 24 %, for reasons that two
//! terms do not know. Draws of which it was not published how the winners chose (before 262) are left out.
//!
//! It says nothing about the chance of winning, which no model can raise.

mod calibration;
mod fit;
mod linear;
mod patterns;
mod terms;
mod value;

use libm::exp;
use serde::{Deserialize, Serialize};

pub use calibration::{CalibrationGroup, Deviance};
use fit::{Observation, pearson_dispersion};
pub use patterns::popular_patterns;
use terms::{Average, Features, TERMS, dot, features, number_features, over_all_combinations};
pub use value::GameValue;

use super::draw::Draw;
use super::interval::{Interval, Z_95};
use super::numbers::Numbers;
use super::reason::Reason;
use hanok_base::schema::ToSchema;

/// The expected co-winners of a combination relative to an average one: 1.0 is average, 0.9 means
/// ten percent fewer to share with. `low` and `high` bound the 95 % interval of the mean of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Ratio {
    /// The estimate.
    pub ratio: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Where a single combination of this kind lies two times out of three; `null` for a mean of several.
    #[serde(default)]
    pub single_set: Option<Interval>,
}

/// A fitted model; cheap to ask, small to store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoWinners {
    /// How many draws it was fitted on.
    pub draws: usize,
    /// The newest of them, 0 without any.
    pub fitted_through_draw: u32,
    /// How many times more than a Poisson count the hand-picked winners vary around their average (at least 1), before
    /// the model explains any of it.
    pub dispersion: f64,
    /// The same of the machine's winners.
    pub machine_dispersion: f64,
    /// The share of the winners who chose by hand.
    pub hand_share: f64,
    /// How far the differences are believed: 0 to 1.
    pub shrinkage: f64,
    /// By what share a single combination strays from its kind, as a standard deviation.
    pub single_set_spread: f64,
    /// What came back of the games that were sold.
    pub value: GameValue,
    coefficients: Features,
    covariance: [Features; TERMS],
    average: Average,
    calibration: Vec<CalibrationGroup>,
    deviance: Deviance,
}

/// The model as a person reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoWinnerSummary {
    /// How many draws it was fitted on.
    pub draws: usize,
    /// The newest draw it was fitted on.
    pub fitted_through_draw: u32,
    /// How many times more than a Poisson count the hand-picked winners vary around their average, before the model
    /// explains any of it: 1 is no effect.
    pub dispersion: f64,
    /// The same of the machine's winners.
    pub machine_dispersion: f64,
    /// The share of the winners who chose by hand, 0 to 1.
    pub hand_share: f64,
    /// How far its differences came true in draws that it had not seen, and are believed: 0 to 1.
    pub shrinkage: f64,
    /// By what share a single combination strays from its kind, as a standard deviation (0.24 = 24 %).
    pub single_set_spread: f64,
    /// Draws that it had not seen in five groups, those with the fewest predicted co-winners first.
    pub calibration: Vec<CalibrationGroup>,
    /// How far these draws lie from its predictions, and from the same average for every combination.
    pub deviance: Deviance,
    /// What came back of the games that were sold.
    pub value: GameValue,
    /// What comes back of a further game of any kind on average, as a share of its price: what the other figures are to be
    /// compared with.
    pub average_payback: f64,
    /// What comes back of a game of the combinations with the fewest predicted co-winners (the first group), as a
    /// share of its price.
    pub best_payback: f64,
}

/// What the model says of one set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoWinnerCheck {
    /// The set.
    pub numbers: Numbers,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
    /// What comes back of a game with it on average, as a share of its price, before tax; null as `co_winners` is.
    pub payback: Option<f64>,
    /// What comes back of a further game of any kind on average, the same way.
    pub average_payback: f64,
    /// The popular patterns that it has on the ticket: with any of them the estimate does not hold.
    pub patterns: Vec<Reason>,
}

impl CoWinners {
    /// Fits the model on `draws`; without usable draws every combination is average.
    pub fn fit(draws: &[Draw]) -> Self {
        let observations = fit::observations(draws);
        let fit = fit::fit(&observations);
        let [_, coefficients @ ..] = fit.coefficients;
        let hand_share = share(&observations, |one| one.by_hand, |one| one.winners);
        let held_out = calibration::hold_out(&observations);
        let shrinkage = calibration::shrinkage(&held_out);
        let coefficients = coefficients.map(|coefficient| shrinkage * coefficient + 0.0);
        let covariance = std::array::from_fn(|row| {
            std::array::from_fn(|column| fit.covariance[row + 1][column + 1] * shrinkage * shrinkage)
        });
        let mut model = CoWinners {
            draws: observations.len(),
            fitted_through_draw: observations.last().map_or(0, |one| one.draw_no),
            dispersion: dispersion(&observations, |one| one.by_hand),
            machine_dispersion: dispersion(&observations, |one| one.by_machine),
            hand_share,
            shrinkage,
            single_set_spread: 0.0,
            value: GameValue::of(draws),
            coefficients,
            covariance,
            average: over_all_combinations(&coefficients),
            calibration: calibration::groups(&held_out),
            deviance: calibration::deviance(&held_out),
        };
        model.single_set_spread = model.spread_of_single_sets(&observations);
        model
    }

    /// The expected co-winners of `numbers` relative to the mean over all 8,145,060 combinations,
    /// which is exactly 1. The interval follows from the covariance of the coefficients by the delta
    /// method: the variance of ln(hand-picked) is (x − m)ᵀ V (x − m), where m are the mean terms over all
    /// combinations, weighted by how often each is played.
    pub fn ratio(&self, numbers: &Numbers) -> Ratio {
        let terms = features(numbers);
        let log_by_hand = dot(&self.coefficients, &terms) - self.average.log_mean;
        let away: Features = std::array::from_fn(|term| terms[term] - self.average.terms[term]);
        let variance: f64 = (0..TERMS).map(|row| away[row] * dot(&self.covariance[row], &away)).sum();
        let half_width = Z_95 * variance.max(0.0).sqrt();
        let whole = |log_by_hand: f64| 1.0 - self.hand_share + self.hand_share * exp(log_by_hand);
        let ratio = whole(log_by_hand);
        let spread = self.single_set_spread;
        let single_set =
            (self.draws > 0).then_some(Interval { low: ratio * (1.0 - spread), high: ratio * (1.0 + spread) });
        Ratio { ratio, low: whole(log_by_hand - half_width), high: whole(log_by_hand + half_width), single_set }
    }

    /// The same, and nothing of a set with a popular pattern, or that once won in `draws`: it is played far more often than
    /// its kind.
    pub fn estimate(&self, numbers: &Numbers, draws: &[Draw]) -> Option<Ratio> {
        popular_patterns(numbers, draws).is_empty().then(|| self.ratio(numbers))
    }

    /// What the model says of `numbers`, with the patterns that many people play and whether they once won in `draws`.
    pub fn check(&self, numbers: &Numbers, draws: &[Draw]) -> CoWinnerCheck {
        let patterns = popular_patterns(numbers, draws);
        let co_winners = self.estimate(numbers, draws);
        CoWinnerCheck {
            numbers: *numbers,
            co_winners,
            payback: co_winners.map(|co_winners| self.payback(co_winners.ratio)),
            average_payback: self.payback(1.0),
            patterns,
        }
    }

    /// What comes back of a further game of a kind that is shared with `ratio` times the average number of people.
    fn payback(&self, ratio: f64) -> f64 {
        self.value.with(ratio, self.single_set_spread)
    }

    /// Whether it tells no combinations apart: nothing it predicted has come true yet.
    pub fn is_flat(&self) -> bool {
        self.coefficients == [0.0; TERMS]
    }

    /// The part that one number adds to the logarithm of the co-winners of a combination near the average, for tables.
    pub fn number(&self, number: u8) -> f64 {
        self.hand_share * dot(&self.coefficients, &number_features(number))
    }

    /// The model as a person reads it.
    pub fn summary(&self) -> CoWinnerSummary {
        let best = self.calibration.first().map_or(1.0, |group| group.predicted);
        CoWinnerSummary {
            draws: self.draws,
            fitted_through_draw: self.fitted_through_draw,
            dispersion: self.dispersion,
            machine_dispersion: self.machine_dispersion,
            hand_share: self.hand_share,
            shrinkage: self.shrinkage,
            single_set_spread: self.single_set_spread,
            calibration: self.calibration.clone(),
            deviance: self.deviance,
            value: self.value,
            average_payback: self.payback(1.0),
            best_payback: self.payback(best),
        }
    }

    fn spread_of_single_sets(&self, observations: &[Observation]) -> f64 {
        let ratio = |one: &Observation| {
            let log_by_hand = dot(&self.coefficients, &one.terms) - self.average.log_mean;
            1.0 - self.hand_share + self.hand_share * exp(log_by_hand)
        };
        let level = share(observations, |one| one.winners, |one| one.expected);
        let pairs: Vec<(f64, f64)> =
            observations.iter().map(|one| (one.winners, level * one.expected * ratio(one))).collect();
        calibration::single_set_spread(&pairs)
    }
}

/// How many times more than a Poisson count these winners vary around their average of the games sold.
fn dispersion(observations: &[Observation], winners: fn(&Observation) -> f64) -> f64 {
    let level = share(observations, winners, |one| one.expected);
    pearson_dispersion(observations.iter().map(|one| (winners(one), level * one.expected)), 1)
}

/// The sum of one figure by the sum of another; 0 without any.
fn share(observations: &[Observation], part: fn(&Observation) -> f64, whole: fn(&Observation) -> f64) -> f64 {
    let sum = |figure: fn(&Observation) -> f64| observations.iter().map(figure).sum::<f64>();
    if observations.is_empty() { 0.0 } else { sum(part) / sum(whole) }
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::super::random::SplitMix64;
    use super::*;

    /// Mean ratio of random combinations whose sum lies in `sums`.
    fn mean_ratio(model: &CoWinners, sums: std::ops::RangeInclusive<u16>) -> f64 {
        let mut generator = SplitMix64::new(1);
        let ratios: Vec<f64> = (0..20_000)
            .map(|_| generator.numbers())
            .filter(|numbers| sums.contains(&numbers.iter().map(u16::from).sum()))
            .map(|numbers| model.ratio(&numbers).ratio)
            .collect();
        ratios.iter().sum::<f64>() / ratios.len() as f64
    }

    #[test]
    fn it_reproduces_the_measured_winners_by_sum() {
        // Measured on draws 88 to 1238, winners by expectation: sum below 123 1.042 ± 0.018,
        // 123-152 1.028 ± 0.016, 153-182 0.942 ± 0.020, 183 and more 0.895 ± 0.036.
        let model = CoWinners::fit(built_in());
        assert!((mean_ratio(&model, 21..=122) - 1.042).abs() < 0.036);
        assert!((mean_ratio(&model, 123..=152) - 1.028).abs() < 0.048);
        assert!((mean_ratio(&model, 153..=182) - 0.942).abs() < 0.040);
        assert!((mean_ratio(&model, 183..=255) - 0.895).abs() < 0.072);
    }

    #[test]
    fn the_mean_over_all_combinations_is_one() {
        let model = CoWinners::fit(built_in());
        assert!((mean_ratio(&model, 21..=255) - 1.0).abs() < 0.003, "{}", mean_ratio(&model, 21..=255));
    }

    #[test]
    fn without_draws_every_combination_is_average() {
        let model = CoWinners::fit(&built_in()[..261]);
        let ratio = model.ratio(&Numbers::new([1, 2, 3, 4, 5, 6]).unwrap());
        assert_eq!((model.draws, ratio.ratio, ratio.single_set), (0, 1.0, None));
        assert!(model.is_flat() && model.summary().calibration.is_empty());
        assert!(CoWinners::fit(&built_in()[..300]).is_flat(), "nothing that it predicted has come true yet");
    }

    #[test]
    fn what_it_claims_is_no_more_than_what_held() {
        let model = CoWinners::fit(built_in());
        let mut generator = SplitMix64::new(2);
        let least = (0..20_000).map(|_| model.ratio(&generator.numbers()).ratio).fold(1.0, f64::min);
        assert!((0.88..0.91).contains(&least), "{least}");
        let summary = model.summary();
        let best = &summary.calibration[0];
        assert!((0.92..0.95).contains(&best.predicted), "5 to 8 % fewer: {best:?}");
        assert!((0.525..0.54).contains(&summary.best_payback), "{}", summary.best_payback);
    }

    #[test]
    fn one_set_is_told_with_the_range_of_its_kind_its_own_and_its_patterns() {
        let model = CoWinners::fit(built_in());
        let check = |numbers: [u8; 6]| model.check(&Numbers::new(numbers).unwrap(), built_in());
        let far = check([14, 21, 27, 33, 41, 44]);
        let Ratio { ratio, low, high, single_set } = far.co_winners.unwrap();
        assert!(low < ratio && ratio < high && high < 0.95, "{far:?}");
        let single = single_set.unwrap();
        assert!((single.low - 0.76 * ratio).abs() < 0.01 && (single.high - 1.24 * ratio).abs() < 0.01, "{far:?}");
        assert!(far.payback.unwrap() > far.average_payback + 0.02 && far.patterns.is_empty());
    }

    #[test]
    fn what_is_shared_with_more_than_average_brings_back_less_than_average() {
        let model = CoWinners::fit(built_in());
        let mut generator = SplitMix64::new(3);
        let (mut more, mut fewer) = (0, 0);
        for numbers in (0..200).map(|_| generator.numbers()) {
            let CoWinnerCheck { co_winners, payback, average_payback, .. } = model.check(&numbers, &[]);
            let (Some(Ratio { ratio, .. }), Some(payback)) = (co_winners, payback) else { continue };
            assert_eq!(ratio > 1.0, payback < average_payback, "{numbers}: {ratio}, {payback} of {average_payback}");
            *(if ratio > 1.0 { &mut more } else { &mut fewer }) += 1;
        }
        assert!(more > 50 && fewer > 50, "{more} and {fewer}");
        let CoWinnerSummary { calibration, average_payback, best_payback, value, .. } = model.summary();
        assert!(calibration[0].predicted < 1.0 && best_payback > average_payback);
        // The mean of 1/x of a kind whose sets differ by 24.48 %: 0.5000 + 0.2387 × 0.2448².
        assert!((average_payback - 0.5143).abs() < 2e-4 && average_payback > value.payback, "{average_payback}");
    }

    #[test]
    fn nothing_is_estimated_of_a_set_that_is_played_far_more_often_than_its_kind() {
        let model = CoWinners::fit(built_in());
        // Thousands of tickets in every draw, which the model would call shared with fewer than average.
        let column = Numbers::new([7, 14, 21, 28, 35, 42]).unwrap();
        assert!(model.ratio(&column).ratio < 1.0);
        for numbers in [column, Numbers::new([1, 2, 3, 4, 5, 6]).unwrap(), built_in()[1244].numbers] {
            let CoWinnerCheck { co_winners, payback, patterns, .. } = model.check(&numbers, built_in());
            assert_eq!((co_winners, payback), (None, None), "{numbers}");
            assert!(!patterns.is_empty(), "{numbers}");
        }
    }

    #[test]
    fn its_figures_are_those_of_another_program() {
        // The same model, written a second time in another language over the same draws.
        let CoWinnerSummary { draws, fitted_through_draw, calibration, deviance, .. } =
            CoWinners::fit(built_in()).summary();
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 6e-5, "{value} is not {expected}");
        let model = CoWinners::fit(built_in());
        assert_eq!((draws, fitted_through_draw), (977, 1_243));
        near(model.dispersion, 3.543_79);
        near(model.machine_dispersion, 1.052_33);
        near(model.hand_share, 0.309_75);
        near(model.shrinkage, 1.0);
        assert!((model.single_set_spread - 0.2448).abs() < 3e-4, "{}", model.single_set_spread);
        near(deviance.constant, 1_460.141_93);
        near(deviance.model, 1_423.852_35);
        let predicted = [0.9352, 0.9690, 0.9950, 1.0199, 1.0723];
        let came_out = [0.9392, 0.9462, 0.9741, 1.0391, 1.1012];
        for (group, (predicted, came_out)) in calibration.iter().zip(predicted.into_iter().zip(came_out)) {
            near(group.predicted, predicted);
            near(group.came_out, came_out);
        }
        for (numbers, expected) in [
            ([13, 20, 27, 33, 38, 39], 0.949_94),
            ([13, 20, 27, 33, 40, 45], 0.891_97),
            ([12, 20, 27, 33, 39, 40], 0.958_52),
            ([1, 2, 3, 4, 5, 13], 1.180_4),
        ] {
            near(model.ratio(&Numbers::new(numbers).unwrap()).ratio, expected);
        }
    }

    #[test]
    fn a_model_survives_being_stored() {
        let model = CoWinners::fit(built_in());
        let stored = serde_json::to_string(&model).unwrap();
        let numbers = Numbers::new([38, 39, 40, 43, 44, 45]).unwrap();
        let read: CoWinners = serde_json::from_str(&stored).unwrap();
        assert!((read.ratio(&numbers).ratio - model.ratio(&numbers).ratio).abs() < 1e-12);
    }
}

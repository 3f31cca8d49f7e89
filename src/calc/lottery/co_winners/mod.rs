//! With how many others a first prize would be shared: the one thing about a combination that its
//! player can influence.
//!
//! Every combination wins equally often, but popular ones are played by more people. The model
//! explains the first-prize winners of past draws by their winning numbers:
//!
//! ln E(winners) = ln(games sold / 8,145,060) + b0 + Σ b_j x_j
//!
//! a Poisson regression with over-dispersion (quasi-likelihood: McCullagh and Nelder, Generalized
//! Linear Models, 2nd ed., sections 6.2 and 9.2), since winners vary about 1.7 times as much as a
//! Poisson count. The terms x_j are in [`terms`]. Each coefficient has a weak normal prior around
//! "no effect" (standard deviation 0.1 a unit), which keeps early fits of a replay sane. Draws before
//! 88 are left out (another price and the rush of the first months), as are draws whose prizes are
//! not published.
//!
//! It says nothing about the chance of winning, which no model can raise.

mod average;
mod fit;
mod linear;
mod terms;

use libm::exp;
use serde::{Deserialize, Serialize};

pub use terms::TERMS;
use terms::{Features, features, number_features};

use super::draw::Draw;
use super::numbers::Numbers;
use hanok_base::schema::ToSchema;

/// The expected co-winners of a combination relative to an average one: 1.0 is average, 0.9 means
/// ten percent fewer to share with. `low` and `high` bound the 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Ratio {
    /// The estimate.
    pub ratio: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// A fitted model; cheap to ask, small to store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoWinners {
    /// How many draws it was fitted on.
    pub draws: usize,
    /// The newest of them, 0 without any.
    pub fitted_through_draw: u32,
    /// How many times more than a Poisson count the winners vary (at least 1).
    pub dispersion: f64,
    /// b0: the level at an average combination's terms.
    pub intercept: f64,
    coefficients: Features,
    covariance: [Features; TERMS.len()],
    average: average::Average,
}

/// One term of the model as a person reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoWinnerTerm {
    /// Its name.
    pub term: String,
    /// What it counts, in Korean.
    pub text_ko: String,
    /// What it counts, in English.
    pub text_en: String,
    /// Its coefficient b on the logarithmic scale.
    pub coefficient: f64,
    /// Lower end of the 95 % interval of b.
    pub low: f64,
    /// Upper end of the 95 % interval of b.
    pub high: f64,
    /// exp(b): by what the co-winners are multiplied per unit.
    pub effect: f64,
}

/// The model as a person reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoWinnerSummary {
    /// How many draws it was fitted on.
    pub draws: usize,
    /// How many times more than a Poisson count the winners vary.
    pub dispersion: f64,
    /// Its terms.
    pub terms: Vec<CoWinnerTerm>,
    /// The newest draw it was fitted on.
    pub fitted_through_draw: u32,
}

/// The half width of a 95 % interval in standard errors.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

impl CoWinners {
    /// Fits the model on `draws`; without usable draws every combination is average, with the wide
    /// interval of the prior.
    pub fn fit(draws: &[Draw]) -> Self {
        let fit = fit::fit(&fit::observations(draws));
        let coefficients: Features = std::array::from_fn(|term| fit.coefficients[term + 1]);
        CoWinners {
            draws: fit.draws,
            fitted_through_draw: fit.through_draw,
            dispersion: fit.dispersion,
            intercept: fit.coefficients[0],
            coefficients,
            covariance: std::array::from_fn(|row| std::array::from_fn(|column| fit.covariance[row + 1][column + 1])),
            average: average::over_all_combinations(&coefficients),
        }
    }

    /// The expected co-winners of `numbers` relative to the mean over all 8,145,060 combinations,
    /// which is exactly 1. The interval follows from the covariance of the coefficients by the delta
    /// method: the variance of ln ratio is (x − m)ᵀ V (x − m), where m are the mean terms over all
    /// combinations, weighted by how often each is played.
    pub fn ratio(&self, numbers: &Numbers) -> Ratio {
        let terms = features(numbers);
        let log_ratio = dot(&self.coefficients, &terms) - self.average.log_mean;
        let away: Features = std::array::from_fn(|term| terms[term] - self.average.terms[term]);
        let variance: f64 = (0..TERMS.len()).map(|row| away[row] * dot(&self.covariance[row], &away)).sum();
        let half_width = Z_95 * variance.max(0.0).sqrt();
        Ratio { ratio: exp(log_ratio), low: exp(log_ratio - half_width), high: exp(log_ratio + half_width) }
    }

    /// The part of ln ratio that one number adds, for tables; `ln ratio` is the sum of these over the
    /// six numbers, [`CoWinners::neighbours`] for each pair of neighbours, the small term of even
    /// steps, and a constant.
    pub fn number(&self, number: u8) -> f64 {
        dot(&self.coefficients, &number_features(number))
    }

    /// The part of ln ratio that one pair of neighbours such as 7 and 8 adds.
    pub fn neighbours(&self) -> f64 {
        self.coefficients[terms::CONSECUTIVE]
    }

    /// The model as a person reads it.
    pub fn summary(&self) -> CoWinnerSummary {
        let term = |place: usize| {
            let coefficient = self.coefficients[place];
            let half_width = Z_95 * self.covariance[place][place].max(0.0).sqrt();
            CoWinnerTerm {
                term: TERMS[place].name.into(),
                text_ko: TERMS[place].text_ko.into(),
                text_en: TERMS[place].text_en.into(),
                coefficient,
                low: coefficient - half_width,
                high: coefficient + half_width,
                effect: exp(coefficient),
            }
        };
        CoWinnerSummary {
            draws: self.draws,
            dispersion: self.dispersion,
            terms: (0..TERMS.len()).map(term).collect(),
            fitted_through_draw: self.fitted_through_draw,
        }
    }
}

fn dot(left: &Features, right: &Features) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
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
        assert!((mean_ratio(&model, 123..=152) - 1.028).abs() < 0.032);
        assert!((mean_ratio(&model, 153..=182) - 0.942).abs() < 0.040);
        assert!((mean_ratio(&model, 183..=255) - 0.895).abs() < 0.072);
    }

    #[test]
    fn the_winners_are_over_dispersed() {
        let model = CoWinners::fit(built_in());
        assert_eq!((model.draws, model.fitted_through_draw), (1158, 1245));
        assert!((1.5..1.9).contains(&model.dispersion), "{}", model.dispersion);
        assert!(model.intercept.abs() < 0.5);
    }

    #[test]
    fn the_mean_over_all_combinations_is_one() {
        let model = CoWinners::fit(built_in());
        assert!((mean_ratio(&model, 21..=255) - 1.0).abs() < 0.003, "{}", mean_ratio(&model, 21..=255));
    }

    #[test]
    fn without_draws_every_combination_is_average_and_uncertain() {
        let model = CoWinners::fit(&built_in()[..87]);
        let ratio = model.ratio(&Numbers::new([1, 2, 3, 4, 5, 6]).unwrap());
        assert_eq!((model.draws, ratio.ratio), (0, 1.0));
        assert!(ratio.low < 0.9 && ratio.high > 1.1);
    }

    #[test]
    fn a_model_survives_being_stored() {
        let model = CoWinners::fit(built_in());
        let stored = serde_json::to_string(&model).unwrap();
        let numbers = Numbers::new([38, 39, 40, 43, 44, 45]).unwrap();
        let read: CoWinners = serde_json::from_str(&stored).unwrap();
        assert!((read.ratio(&numbers).ratio - model.ratio(&numbers).ratio).abs() < 1e-12);
        let ratio = model.ratio(&numbers);
        assert!(ratio.low < ratio.ratio && ratio.ratio < ratio.high && ratio.ratio < 0.9);
    }
}

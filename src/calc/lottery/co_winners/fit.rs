//! Fitting the coefficients: iteratively reweighted least squares with a weak prior.

use libm::exp;

use super::super::draw::{Draw, FIRST_DRAW_AT_1000_WON, Published};
use super::super::odds::TOTAL_COMBINATIONS;
use super::linear::invert;
use super::terms::{Features, TERMS, features};

/// The intercept and the terms.
const SIZE: usize = TERMS + 1;
/// Standard deviation of the prior of each coefficient, per unit of its term.
const PRIOR_DEVIATION: f64 = 0.1;
/// Standard deviation of the prior of the intercept: practically free.
const INTERCEPT_DEVIATION: f64 = 1.0;

/// One draw as the regression sees it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observation {
    pub draw_no: u32,
    /// First-prize winners, however they chose.
    pub winners: f64,
    /// Those whose numbers were chosen by hand.
    pub by_hand: f64,
    /// Those whose numbers were chosen by the machine.
    pub by_machine: f64,
    /// Winners if every combination were equally popular: games sold / 8,145,060.
    pub expected: f64,
    pub terms: Features,
}

/// What a fit gives: the intercept first, then the terms.
pub(super) struct Fit {
    pub coefficients: [f64; SIZE],
    pub covariance: [[f64; SIZE]; SIZE],
}

/// The usable ones of `draws`: those of which it was published how the winners chose.
pub(super) fn observations(draws: &[Draw]) -> Vec<Observation> {
    let usable =
        draws.iter().filter(|draw| draw.draw_no >= FIRST_DRAW_AT_1000_WON && draw.published == Published::Complete);
    usable
        .filter_map(|draw| {
            let methods = draw.first_prize_methods?;
            Some(Observation {
                draw_no: draw.draw_no,
                winners: draw.first_prize_winners()? as f64,
                by_hand: f64::from(methods.manual),
                by_machine: f64::from(methods.auto),
                expected: draw.games_sold().filter(|&games| games > 0)? as f64 / TOTAL_COMBINATIONS as f64,
                terms: features(&draw.numbers),
            })
        })
        .collect()
}

/// Maximises the penalised quasi-likelihood of the hand-picked winners by Newton steps, which for the logarithmic link
/// are those of iteratively reweighted least squares (McCullagh and Nelder, section 2.5). The dispersion is Pearson's
/// statistic by its degrees of freedom, at least 1.
pub(super) fn fit(observations: &[Observation]) -> Fit {
    let mut coefficients = [0.0; SIZE];
    let mut dispersion = 1.0;
    for _ in 0..50 {
        let (step, _) = newton_step(observations, &coefficients, dispersion);
        coefficients.iter_mut().zip(step).for_each(|(value, step)| *value += step);
        dispersion = dispersion_around(&coefficients, observations);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let (_, covariance) = newton_step(observations, &coefficients, dispersion);
    Fit { coefficients, covariance }
}

/// How many times more than a Poisson count the hand-picked winners vary around what is fitted.
fn dispersion_around(coefficients: &[f64; SIZE], observations: &[Observation]) -> f64 {
    pearson_dispersion(observations.iter().map(|one| (one.by_hand, fitted(one, coefficients))), SIZE)
}

/// How many times more than a Poisson count observed values vary around their means, at least 1: Pearson's statistic
/// by its degrees of freedom.
pub(super) fn pearson_dispersion(pairs: impl Iterator<Item = (f64, f64)> + Clone, coefficients: usize) -> f64 {
    let freedom = pairs.clone().count().saturating_sub(coefficients);
    if freedom == 0 {
        return 1.0;
    }
    let pearson: f64 = pairs.map(|(observed, mean)| (observed - mean).powi(2) / mean).sum();
    (pearson / freedom as f64).max(1.0)
}

/// The step towards the maximum, and the covariance of the coefficients at the present point:
/// the inverse of XᵀWX / dispersion + prior precision.
fn newton_step(
    observations: &[Observation],
    coefficients: &[f64; SIZE],
    dispersion: f64,
) -> ([f64; SIZE], [[f64; SIZE]; SIZE]) {
    let mut information = [[0.0; SIZE]; SIZE];
    let mut slope = [0.0; SIZE];
    for one in observations {
        let mean = fitted(one, coefficients);
        let terms = with_intercept(one);
        for row in 0..SIZE {
            slope[row] += (one.by_hand - mean) * terms[row] / dispersion;
            let weight = mean * terms[row] / dispersion;
            information[row].iter_mut().zip(terms).for_each(|(entry, term)| *entry += weight * term);
        }
    }
    for place in 0..SIZE {
        let deviation = if place == 0 { INTERCEPT_DEVIATION } else { PRIOR_DEVIATION };
        information[place][place] += deviation.powi(-2);
        slope[place] -= coefficients[place] * deviation.powi(-2);
    }
    let covariance = invert(information).unwrap_or([[0.0; SIZE]; SIZE]);
    let step = std::array::from_fn(|row| (0..SIZE).map(|column| covariance[row][column] * slope[column]).sum());
    (step, covariance)
}

fn fitted(one: &Observation, coefficients: &[f64; SIZE]) -> f64 {
    let terms: f64 = with_intercept(one).iter().zip(coefficients).map(|(term, coefficient)| term * coefficient).sum();
    // Bounded, so that a wild step on few draws cannot run to infinity.
    one.expected * exp(terms.clamp(-3.0, 3.0))
}

fn with_intercept(one: &Observation) -> [f64; SIZE] {
    std::array::from_fn(|place| if place == 0 { 1.0 } else { one.terms[place - 1] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_coefficients_that_made_the_data() {
        let truth = [-1.2, 0.16, -0.12];
        let mut observations = observations(super::super::super::import::built_in());
        observations.iter_mut().for_each(|one| one.by_hand = fitted(one, &truth));
        let fit = fit(&observations);
        assert_eq!(dispersion_around(&fit.coefficients, &observations), 1.0);
        for (found, truth) in fit.coefficients.iter().zip(truth) {
            assert!((found - truth).abs() < 0.01, "{found} is not {truth}");
        }
    }

    #[test]
    fn what_it_leaves_unexplained_is_that_of_another_program() {
        let observations = observations(super::super::super::import::built_in());
        let left = dispersion_around(&fit(&observations).coefficients, &observations);
        assert!((left - 3.223_65).abs() < 6e-5, "{left}");
    }

    #[test]
    fn few_draws_stay_near_no_effect() {
        let draws = super::super::super::import::built_in();
        let observations = observations(&draws[..275]);
        assert_eq!((observations.len(), observations[0].draw_no), (14, 262));
        let fit = fit(&observations);
        assert!(fit.coefficients[1..].iter().all(|coefficient| coefficient.abs() < 0.2), "{:?}", fit.coefficients);
    }
}

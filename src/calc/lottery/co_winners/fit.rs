//! Fitting the coefficients: iteratively reweighted least squares with a weak prior.

use libm::exp;

use super::super::draw::{Draw, FIRST_DRAW_AT_1000_WON, Published};
use super::super::odds::TOTAL_COMBINATIONS;
use super::TERMS;
use super::linear::invert;
use super::terms::features;

/// The intercept and the terms.
const SIZE: usize = TERMS.len() + 1;
/// Standard deviation of the prior of each coefficient, per unit of its term.
const PRIOR_DEVIATION: f64 = 0.1;
/// Standard deviation of the prior of the intercept: practically free.
const INTERCEPT_DEVIATION: f64 = 1.0;

/// One draw as the regression sees it.
pub(super) struct Observation {
    draw_no: u32,
    winners: f64,
    /// Winners if every combination were equally popular: games sold / 8,145,060.
    expected: f64,
    terms: [f64; SIZE],
}

/// What a fit gives.
pub(super) struct Fit {
    pub draws: usize,
    pub through_draw: u32,
    pub dispersion: f64,
    pub coefficients: [f64; SIZE],
    pub covariance: [[f64; SIZE]; SIZE],
}

/// The usable ones of `draws`: from 88 on, with prizes and sales published.
pub(super) fn observations(draws: &[Draw]) -> Vec<Observation> {
    let usable =
        draws.iter().filter(|draw| draw.draw_no >= FIRST_DRAW_AT_1000_WON && draw.published > Published::Numbers);
    usable
        .filter_map(|draw| {
            let expected = draw.games_sold().filter(|&games| games > 0)? as f64 / TOTAL_COMBINATIONS as f64;
            let winners = draw.first_prize_winners()? as f64;
            let own = features(&draw.numbers);
            let terms = std::array::from_fn(|place| if place == 0 { 1.0 } else { own[place - 1] });
            Some(Observation { draw_no: draw.draw_no, winners, expected, terms })
        })
        .collect()
}

/// Maximises the penalised quasi-likelihood by Newton steps, which for the logarithmic link are
/// those of iteratively reweighted least squares (McCullagh and Nelder, section 2.5). The dispersion
/// is Pearson's statistic by its degrees of freedom, at least 1.
pub(super) fn fit(observations: &[Observation]) -> Fit {
    let mut coefficients = [0.0; SIZE];
    let mut dispersion = 1.0;
    for _ in 0..50 {
        let (step, _) = newton_step(observations, &coefficients, dispersion);
        coefficients.iter_mut().zip(step).for_each(|(value, step)| *value += step);
        dispersion = pearson_dispersion(observations, &coefficients);
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let (_, covariance) = newton_step(observations, &coefficients, dispersion);
    Fit {
        draws: observations.len(),
        through_draw: observations.iter().map(|one| one.draw_no).max().unwrap_or(0),
        dispersion,
        coefficients,
        covariance,
    }
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
        for row in 0..SIZE {
            slope[row] += (one.winners - mean) * one.terms[row] / dispersion;
            let weight = mean * one.terms[row] / dispersion;
            information[row].iter_mut().zip(one.terms).for_each(|(entry, term)| *entry += weight * term);
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

fn pearson_dispersion(observations: &[Observation], coefficients: &[f64; SIZE]) -> f64 {
    let freedom = observations.len().saturating_sub(SIZE);
    if freedom == 0 {
        return 1.0;
    }
    let pearson: f64 = observations
        .iter()
        .map(|one| {
            let mean = fitted(one, coefficients);
            (one.winners - mean).powi(2) / mean
        })
        .sum();
    (pearson / freedom as f64).max(1.0)
}

fn fitted(one: &Observation, coefficients: &[f64; SIZE]) -> f64 {
    let terms: f64 = one.terms.iter().zip(coefficients).map(|(term, coefficient)| term * coefficient).sum();
    // Bounded, so that a wild step on few draws cannot run to infinity.
    one.expected * exp(terms.clamp(-3.0, 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_coefficients_that_made_the_data() {
        let truth = [0.05, -0.04, 0.03, -0.02, -0.06, 0.02, 0.05];
        let mut observations = observations(super::super::super::import::built_in());
        observations.iter_mut().for_each(|one| one.winners = fitted(one, &truth));
        let fit = fit(&observations);
        assert_eq!(fit.dispersion, 1.0);
        for (found, truth) in fit.coefficients.iter().zip(truth) {
            assert!((found - truth).abs() < 0.01, "{found} is not {truth}");
        }
    }

    #[test]
    fn few_draws_stay_near_no_effect() {
        let draws = super::super::super::import::built_in();
        let fit = fit(&observations(&draws[..100]));
        assert_eq!((fit.draws, fit.through_draw), (13, 100));
        assert!(fit.coefficients[1..].iter().all(|coefficient| coefficient.abs() < 0.2), "{:?}", fit.coefficients);
    }
}

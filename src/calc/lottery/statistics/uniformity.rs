//! Whether the counts of the numbers look like chance.

use serde::{Deserialize, Serialize};
use statrs::function::gamma::gamma_ur;

use super::super::history::{History, NUMBER_IN_DRAW};
use hanok_base::schema::ToSchema;

/// The test of uniform counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Uniformity {
    /// The statistic, adjusted for drawing without replacement.
    pub chi_square: f64,
    /// Always 44.
    pub degrees_of_freedom: u32,
    /// The chance of a statistic at least as large if all numbers are equally likely.
    pub p_value: f64,
    /// `suspicious` when the p-value is below 0.01.
    pub verdict: Verdict,
}

/// What the test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing speaks against equally likely numbers.
    Uniform,
    /// So uneven a count would be rare.
    Suspicious,
}

const DEGREES_OF_FREEDOM: u32 = 44;

/// Pearson's statistic of the 45 counts times 44/39: the six numbers of a draw are drawn without
/// replacement, which makes counts vary by (45 − 6)/(45 − 1) less than independent ones
/// (H. Joe, "Tests of uniformity for sets of lotto numbers", Statistics & Probability Letters 16,
/// 1993, 181–188). Its p-value is the upper tail of chi-square with 44 degrees of freedom, the
/// regularised incomplete gamma function Q(22, x/2).
pub fn uniformity(history: &History) -> Uniformity {
    let expected = history.draws().len() as f64 * NUMBER_IN_DRAW;
    let pearson: f64 = match expected > 0.0 {
        true => (1..=45).map(|number| (f64::from(history.count(number)) - expected).powi(2) / expected).sum(),
        false => 0.0,
    };
    let chi_square = pearson * 44.0 / 39.0;
    let p_value = chi_square_tail(chi_square, DEGREES_OF_FREEDOM);
    let verdict = if p_value < 0.01 { Verdict::Suspicious } else { Verdict::Uniform };
    Uniformity { chi_square, degrees_of_freedom: DEGREES_OF_FREEDOM, p_value, verdict }
}

fn chi_square_tail(statistic: f64, degrees_of_freedom: u32) -> f64 {
    if statistic <= 0.0 { 1.0 } else { gamma_ur(f64::from(degrees_of_freedom) / 2.0, statistic / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::super::super::draw::Draw;
    use super::super::super::import::built_in;
    use super::super::super::numbers::Numbers;
    use super::*;

    #[test]
    fn the_published_figures_come_out() {
        let until_1238 = uniformity(&History::of(&built_in()[..1238]));
        assert_eq!(format!("{:.1}", until_1238.chi_square), "33.2");
        assert_eq!(format!("{:.2}", until_1238.p_value), "0.88");
        assert_eq!(until_1238.verdict, Verdict::Uniform);
        let all = uniformity(&History::of(built_in()));
        assert_eq!(format!("{:.3}", all.chi_square), "33.058");
    }

    #[test]
    fn the_tail_agrees_with_the_tables() {
        // Upper 5 % and 1 % points of chi-square with 44 degrees of freedom: 60.481 and 68.710.
        assert!((chi_square_tail(60.481, 44) - 0.05).abs() < 1e-5);
        assert!((chi_square_tail(68.710, 44) - 0.01).abs() < 1e-5);
    }

    #[test]
    fn a_machine_that_likes_one_set_is_suspicious() {
        let numbers = Numbers::new([1, 2, 3, 4, 5, 6]).unwrap();
        let draws: Vec<Draw> = (1..=50).map(|draw_no| Draw::with_numbers_only(draw_no, numbers, 7).unwrap()).collect();
        assert_eq!(uniformity(&History::of(&draws)).verdict, Verdict::Suspicious);
    }
}

//! What a household may turn on the scoring model.

use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::{Fraction, IntRange};
use hanok_base::{Result, Validated};

/// What a household may turn on the scoring model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Parameters {
    /// How many of the newest draws count as recent.
    pub recent_window: u32,
    /// How much the recent draws count against the long run.
    pub recent_weight: f64,
    /// Numbers of the last so many draws are avoided.
    pub avoid_recent_k: u32,
}

/// How many of the newest draws may count as recent.
pub type RecentWindow = IntRange<5, 500>;
/// How much the recent draws may count against the long run.
pub type RecentWeight = Fraction;
/// Of how many of the last draws the numbers may be avoided.
pub type AvoidedDraws = IntRange<0, 10>;

impl Default for Parameters {
    fn default() -> Self {
        Parameters { recent_window: 50, recent_weight: 0.5, avoid_recent_k: 3 }
    }
}

impl Parameters {
    /// Checks what was sent; what was left out is as usual.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn parse(
        recent_window: Option<Validated<RecentWindow>>,
        recent_weight: Option<Validated<RecentWeight>>,
        avoid_recent_k: Option<Validated<AvoidedDraws>>,
    ) -> Result<Parameters> {
        let usual = Parameters::default();
        // What is sent as -0 is 0: it counts the same, and is kept and told as such.
        let without_sign = |weight: f64| weight + 0.0;
        Check::of(|check| Parameters {
            recent_window: recent_window.map_or(usual.recent_window, |sent| check.take("recent_window", sent) as u32),
            recent_weight: recent_weight
                .map_or(usual.recent_weight, |sent| without_sign(check.take("recent_weight", sent))),
            avoid_recent_k: avoid_recent_k
                .map_or(usual.avoid_recent_k, |sent| check.take("avoid_recent_k", sent) as u32),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::validated::Integer;

    #[test]
    fn what_is_out_of_range_is_named() {
        let parse = |window: u64, weight: f64, avoided: u64| {
            let (window, avoided) = (Integer::from(window), Integer::from(avoided));
            Parameters::parse(Some(Validated::of(window)), Some(Validated::of(weight)), Some(Validated::of(avoided)))
        };
        assert_eq!(Parameters::parse(None, None, None).unwrap(), Parameters::default());
        let widest = Parameters { recent_window: 500, recent_weight: 1.0, avoid_recent_k: 10 };
        assert_eq!(parse(500, 1.0, 10).unwrap(), widest);
        for error in [parse(4, f64::NAN, 11), parse(501, 1.1, 11)].map(Result::unwrap_err) {
            assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["avoid_recent_k", "recent_weight", "recent_window"]);
        }
    }
}

//! What a household may turn on the scoring model.

use serde::{Deserialize, Serialize};

use hanok_base::Result;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;

/// What a household may turn on the scoring model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Parameters {
    /// How many of the newest draws count as recent, 5 to 500.
    pub recent_window: u32,
    /// How much the recent draws count against the long run, 0 to 1.
    pub recent_weight: f64,
    /// Numbers of the last so many draws are avoided, 0 to 10.
    pub avoid_recent_k: u32,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { recent_window: 50, recent_weight: 0.5, avoid_recent_k: 3 }
    }
}

impl Parameters {
    /// Refuses what is out of range, naming each field.
    pub fn check(&self) -> Result<()> {
        let mut check = Check::new();
        check.require((5..=500).contains(&self.recent_window), "recent_window", "must be between 5 and 500");
        check.require((0.0..=1.0).contains(&self.recent_weight), "recent_weight", "must be between 0 and 1");
        check.require(self.avoid_recent_k <= 10, "avoid_recent_k", "must be between 0 and 10");
        check.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named() {
        Parameters::default().check().unwrap();
        let wrong = Parameters { recent_window: 4, recent_weight: f64::NAN, avoid_recent_k: 11 };
        let error = wrong.check().unwrap_err();
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["avoid_recent_k", "recent_weight", "recent_window"]);
    }
}

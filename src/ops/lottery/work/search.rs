//! The search for the best sets as work of the compute host.

use serde::{Deserialize, Serialize};

use hanok_base::Result;
use hanok_calc::lottery::search::{Search, Top};
use hanok_platform::compute::Work;

/// A search that the compute host can do; between two machines it is written as the search itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SearchWork(pub Search);

impl Work for SearchWork {
    const NAME: &'static str = "lottery_search";
    type Part = Top;
    type Answer = Top;

    fn check(&self) -> Result<()> {
        self.0.check()
    }

    fn parts(&self) -> usize {
        self.0.parts()
    }

    fn part(&self, part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Top> {
        self.0.run_part(part, &|| cancelled())
    }

    fn join(&self, parts: Vec<Top>) -> Top {
        self.0.merge(parts)
    }

    fn admits(&self, answer: &Top) -> bool {
        self.0.admits(answer)
    }
}

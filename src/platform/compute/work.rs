//! What the compute host can do: each kind of work, divided into parts.

use serde::Serialize;
use serde::de::DeserializeOwned;

use hanok_base::Result;
use hanok_calc::lottery::search::{Search, Top};

/// A piece of pure work that can be divided.
pub trait Work: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Its name between two machines.
    const NAME: &'static str;
    /// What one part gives.
    type Part: Send;
    /// What all of it gives.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Refuses what must not be computed.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming the fields.
    fn check(&self) -> Result<()>;

    /// How many parts there are.
    fn parts(&self) -> usize;

    /// Does one part; none when `cancelled` said so meanwhile.
    fn part(&self, part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Self::Part>;

    /// Joins the parts, which come in order.
    fn join(&self, parts: Vec<Self::Part>) -> Self::Answer;

    /// Whether `answer`, which another machine gave, can be the answer to this work.
    fn admits(&self, answer: &Self::Answer) -> bool;
}

impl Work for Search {
    const NAME: &'static str = "lottery_search";
    type Part = Top;
    type Answer = Top;

    fn check(&self) -> Result<()> {
        Search::check(self)
    }

    fn parts(&self) -> usize {
        Search::parts(self)
    }

    fn part(&self, part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<Top> {
        self.run_part(part, &|| cancelled())
    }

    fn join(&self, parts: Vec<Top>) -> Top {
        self.merge(parts)
    }

    fn admits(&self, answer: &Top) -> bool {
        Search::admits(self, answer)
    }
}

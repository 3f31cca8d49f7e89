//! Knowledge about the lottery 6/45: pure functions over draws, sets of numbers and a seed.
//!
//! | part | what it knows |
//! |---|---|
//! | [`numbers`], [`draw`], [`metrics`] | a set of six, a draw with its prizes and rules, the figures of a set |
//! | [`tax`] | what the state keeps of a prize |
//! | [`import`] | the draws that ship with the program, and tables that are brought by hand |
//! | [`odds`], [`statistics`] | exact chances; what the draws look like next to chance |
//! | [`spread`], [`chance`] | how far several sets stray together; one player among random ones |
//! | [`history`] | what was known at a moment: counts, pairs, gaps, learned draw by draw |
//! | [`co_winners`] | with how many others a first prize would be shared: the one real lever |
//! | [`scoring`], [`search`] | points for every combination; the best of all 8,145,060 or of a seeded sample |
//! | [`diverse`] | a few of the best that differ from each other |
//! | [`methods`], [`combined`], [`recommend`] | sets with their reasons: by method, merged, and by the scoring model |
//! | [`performance`] | every method replayed causally, next to chance |
//! | [`analysis`], [`report`], [`briefing`], [`review`], [`personal`] | what a household reads |
//! | [`random`] | the seeded sources of chance, the same for ever |
//! | [`interval`], [`reason`] | how sure, and why, in words |
//! | [`versions`], [`honesty`] | what an answer was computed with, and what it cannot do |
//!
//! Used by `ops/lottery`, `site/lottery` and the compute host (which runs a [`search::Search`]).
//!
//! Deliberately not here: fetching draws, storing anything, the time, threads. And no claim that any
//! combination wins more often than another, for none does.

pub mod analysis;
pub mod briefing;
pub mod chance;
pub mod co_winners;
pub mod combined;
pub mod diverse;
pub mod draw;
pub mod history;
pub mod honesty;
pub mod import;
pub mod interval;
pub mod methods;
pub mod metrics;
pub mod numbers;
pub mod odds;
pub mod performance;
pub mod personal;
pub mod random;
pub mod reason;
pub mod recommend;
pub mod report;
pub mod review;
mod said;
pub mod scoring;
pub mod search;
pub mod spread;
pub mod statistics;
pub mod tax;
pub mod versions;

pub use co_winners::{CoWinners, Ratio};
pub use draw::{Draw, Prize, Published, SetResult};
pub use history::History;
pub use metrics::Metrics;
pub use numbers::Numbers;
pub use reason::Reason;
pub use scoring::{Parameters, Scoring};
pub use search::{Search, Top};

//! Floor 1: pure knowledge. No IO, no clock, and no randomness except as a seed in the arguments.

pub mod exchange;
pub mod indicators;
pub mod lottery;
pub mod markdown;
pub mod zip;

//! Rungs that take longer than a check of every change may: `tests/prove durability`.

pub mod cancel;
mod checks;
mod clock;
mod entering;
mod failing;
mod full;
mod large;
mod last_write;
mod money;
mod neighbours;
mod packing;
mod places;
mod power;
mod progress;
mod quotes;
mod restores;
pub mod rot;
mod signals;
mod snapshots;
mod sync;
mod uploads;

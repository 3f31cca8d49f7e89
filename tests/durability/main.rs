//! The durability ladder: what the house promises about power cuts, full disks, copies, rot and restores, tried on
//! the real binary and real files. `README.md` beside this file says what each rung proves, how to run the long
//! form, and what the last runs found.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where something is wrong")]
#![allow(clippy::disallowed_methods, reason = "what only the product must not do")]

mod appliance;
mod ballast;
mod copies;
mod derived;
mod dice;
mod disk;
mod endless;
mod household;
mod http;
mod installation;
mod kill;
mod load;
mod long;
#[path = "../api/operator.rs"]
#[allow(dead_code, reason = "the operator is played for other tests, too")]
mod operator;
mod requests;
mod series;
mod simulated;
mod small_disk;
mod tables;
mod upgrade;

/// Whether the long form is wanted: `HANOK_LONG=1`.
pub fn is_long() -> bool {
    std::env::var("HANOK_LONG").is_ok_and(|word| word == "1")
}

/// How many rounds a rung runs: the short form beside all other tests, the long form by itself.
pub fn rounds(short: usize, long: usize) -> usize {
    let asked = std::env::var("HANOK_ROUNDS").ok().and_then(|word| word.parse().ok());
    asked.unwrap_or(if is_long() { long } else { short })
}

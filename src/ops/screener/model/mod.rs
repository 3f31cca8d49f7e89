//! What the screener knows: days of stocks, their adjusted series, the rules, and what a run says.

pub mod adjust;
pub mod chart;
pub mod day;
pub mod demo;
pub mod described;
pub mod krx;
pub mod nodes;
pub mod runs;
pub mod said;
pub mod settings;
pub mod table;
pub mod universe;

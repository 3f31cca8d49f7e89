#![doc = include_str!("ARCHITECTURE.md")]

pub mod cli;

pub use hanok_appliance as appliance;
pub use hanok_base as base;
pub use hanok_calc as calc;
pub use hanok_ops as ops;
pub use hanok_platform as platform;
pub use hanok_site as site;

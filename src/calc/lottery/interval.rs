//! An interval, and how wide one of 95 % is.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The half width of a 95 % interval in standard errors.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

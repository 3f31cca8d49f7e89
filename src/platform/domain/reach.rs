//! What a domain needs from outside, for `hanok doctor`.

use crate::config::Config;

/// A service outside that the doctor tries to reach.
pub struct Reach {
    /// What the doctor calls it.
    pub check: &'static str,
    /// The setting that holds its address.
    pub setting: &'static str,
    /// Its web address, or why it is never asked.
    pub address: fn(&Config) -> Result<String, &'static str>,
    /// What holds while it is away.
    pub meanwhile: &'static str,
    /// What to do then.
    pub cure: &'static str,
}

//! Every domain of the house.

use hanok_ops::{lottery, todos};
use hanok_platform::domain::Domain;

/// The domains, in the order in which people meet them.
pub const DOMAINS: [&Domain; 2] = [&lottery::DOMAIN, &todos::DOMAIN];

//! Every domain of the house.

use hanok_ops::{lottery, todos};
use hanok_platform::domain::Domain;
use hanok_platform::store::Schema;

/// The domains, in the order in which people meet them.
pub const DOMAINS: [&Domain; 2] = [&lottery::DOMAIN, &todos::DOMAIN];

/// What is declared of the tables of the whole house.
pub fn schema() -> Schema {
    let none = Schema::default();
    DOMAINS.iter().fold(none, |all, domain| all.with(domain.tables, domain.migrations, domain.shipped_data))
}

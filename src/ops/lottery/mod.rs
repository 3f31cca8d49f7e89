//! The lottery desk: draws, statistics, recommendations, purchases, weekly report, briefing and review.
//!
//! Used by the household's lottery pages and by Today. The knowledge is in `calc/lottery`; here is what is kept,
//! when it is fetched, and who asks. The operator's interface is the one upstream.
//!
//! Deliberately not here: buying games, and any claim that a combination wins more often than another.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::Domain;

pub use model::{DrawToday, LatestDraw, WaitingPurchases};
pub use store::draws::latest;
pub use store::today;
pub use work::{OPERATOR, Outcome, import_csv, register, sync};

/// What the lottery desk says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    migrations: store::MIGRATIONS,
    shipped_data: &[work::BUILT_IN],
    jobs: work::jobs,
    schedule: |_| work::schedule(),
    document_rules: http::document_rules,
    pages: &["lottery"],
    ..Domain::named("lottery")
};

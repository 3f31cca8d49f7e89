//! The lottery: draws, statistics, recommendations, purchases, weekly report, briefing and review.
//!
//! Used by the household's lottery pages and by Today. The knowledge is in `calc/lottery`; here is what is kept,
//! when it is fetched, and who asks. The operator's interface is the one upstream.
//!
//! Deliberately not here: buying games, and any claim that a combination wins more often than another.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::compute::WorkKind;
use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, TodayPart};

pub use model::LotteryToday;
pub use work::settings::LotterySettings;
pub use work::{OPERATOR, SearchWork, sync};

/// What the lottery says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    derivations: store::DERIVATIONS,
    retired: store::RETIRED,
    shipped_data: &[work::BUILT_IN],
    changes: &store::CHANGES,
    settings: Some(SectionKind::of::<LotterySettings>()),
    providers: work::providers,
    compute: &[WorkKind::of::<SearchWork>()],
    jobs: work::jobs,
    schedule: |_| work::schedule(),
    today: Some(TodayPart::of::<LotteryToday>()),
    search: store::search::SEARCH,
    command: Some(work::command::COMMAND),
    reaches: &[work::command::OPERATOR_IN_REACH],
    document_rules: http::document_rules,
    pages: &["lottery"],
    ..Domain::EMPTY
};

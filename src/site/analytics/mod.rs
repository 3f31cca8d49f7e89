//! Visits of the customer site: counted by day, without cookies and without anybody's address.
//!
//! Used by those who keep the shop. A hoop behind the pages of customers ([`http::CountViews`]) looks at each finished answer and
//! gives what is counted of it to the [`Recorder`], which keeps it in memory and writes it every 15 seconds and at the end of
//! the process: a page never waits for that, a clean stop loses nothing, a kill the views of the last 15 seconds.
//! Tables `analytics_days-1`, `analytics_counts-1` and `analytics_seen-1`: sums of days, sums by channel, device, page and
//! referrer, and the visitors of today as hashes. The salt of a day lies in `run/analytics.salt` beside the store, so that no
//! snapshot holds it, and is removed when the day of Seoul is over, with the hashes.
//! Not counted: programs, who is signed in as an admin, whose browser sends `DNT: 1` or `Sec-GPC: 1`, what is fetched ahead, and
//! everything but pages that were shown.
//! Deliberately not here: single views, addresses, names of campaigns, paths and words of other sites.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, NavEntry};

pub use model::{
    Analytics, Channel, ChannelCount, Compared, DayCount, Device, DeviceCount, PageCount, Period, ReferrerCount,
};
pub use work::{AnalyticsSettings, Recorder, report};

/// What the domain says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    carried: store::PRESERVED_ON_RESTORE,
    settings: Some(SectionKind::of::<AnalyticsSettings>()),
    nav: &[NavEntry::admin("/admin/analytics", "방문 통계", "Analytics")],
    ..Domain::EMPTY
};

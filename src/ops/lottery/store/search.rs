//! Every kind of thing of the lottery that is found by words.

use super::found::{BRIEFINGS, PURCHASES, RECOMMENDATIONS, REPORTS, REVIEWS};
use super::{picks, purchases, reports};
use hanok_platform::search::SearchKind;

/// The kinds, each with the walk over all there is of it.
pub const SEARCH: &[SearchKind] = &[
    SearchKind { name: "purchase", walk: |tx, visit| PURCHASES.walk(purchases::PURCHASES.walk(tx), visit) },
    SearchKind { name: "recommendation", walk: |tx, visit| RECOMMENDATIONS.walk(picks::HISTORY.walk(tx), visit) },
    SearchKind { name: "lottery_report", walk: |tx, visit| REPORTS.walk(reports::REPORTS.walk(tx), visit) },
    SearchKind { name: "lottery_briefing", walk: |tx, visit| BRIEFINGS.walk(reports::BRIEFINGS.walk(tx), visit) },
    SearchKind { name: "lottery_review", walk: |tx, visit| REVIEWS.walk(reports::REVIEWS.walk(tx), visit) },
];

//! Quotes: what a piece of work would cost, as the shop offers it and the customer accepts or declines it.
//!
//! Used by the customer site (the page behind the link of a quote), by the desk, and by projects and the dashboard.
//! Tables `quotes-1` with its order `quotes_counts-1`, by id `quotes_by_id-1`, by state `quotes_by_status-1` with its counts
//! `quotes_by_status_counts-1`, how many are in each state, `quotes_in_status-1`, by the request that they answer
//! `quotes_by_request-1`, by account `quotes_by_user-1`; `quote_revisions-1`, what customers were shown; and
//! `quote_reminders-1`, of which last day they were reminded. The links are those of `platform/auth`, of a purpose of their
//! own: made when a quote is sent first, shown again at the desk, and made anew for another address.
//! What the customer sees has a revision and a hash, and who decides says which one was shown: a quote that was changed
//! meanwhile is not decided. A decision keeps what was decided upon, with a hash of its own, and nothing changes it.
//! State, link, mails, the state of the request and what was sent are written in one transaction.
//! Deliberately not here: the steps of the work, which projects keep, and payment.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, NavEntry};
use hanok_platform::own_data::OwnPart;

pub use model::{
    ALREADY_DECIDED, Category, Decide, Decision, Item, NewItem, NewPhase, NewPlan, NewQuote, NewTask, Phase, Plan,
    PublicDecision, PublicQuote, QUOTE_CHANGED, QUOTE_EXPIRED, Quote, QuoteChanges, QuoteContent, QuoteStatus, Task,
    Totals, Vat, line_amount, totals,
};
pub use store::{
    Counts, Revision, SentRevision, accepted, counts, find, link_customer, linked_to, list, numbered, of_customer,
    of_request, revision, revisions, unlink_customer, waiting,
};
pub use work::links::{find_by_token, followed_by, is_of_client, may_follow, page_at, token_of, url_of};
pub use work::pdf;
pub use work::reminder::QuoteSettings;
pub use work::{Sender, change, create, decide, duplicate, remove, renew_link, search, send};

/// What the quotes say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    codes: model::CODES,
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<QuoteSettings>()),
    jobs: work::reminder::jobs,
    schedule: |_| work::reminder::schedule(),
    search: store::SEARCH,
    of_customers: &[OwnPart::of::<work::own_data::Quotes>()],
    nav: &[NavEntry::admin("/admin/quotes", "견적", "Quotes")],
    ..Domain::EMPTY
};

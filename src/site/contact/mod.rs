//! Requests: what somebody asks the shop to do, from the form to the end of the work.
//!
//! Used by the customer site (the form, the page behind the link of the receipt) and by the desk of who keeps the shop.
//! Tables `contact_requests-1` with its order `contact_requests_counts-1`, by id `contact_requests_by_id-1`, by who
//! sent them `contact_requests_by_mail-1`, by state
//! `contact_requests_by_status-1` with its counts `contact_requests_by_status_counts-1`, and how many are in each state,
//! `contact_requests_in_status-1`; `contact_notes-1`; `contact_moves-1`; the links, `contact_links-1` with
//! `contact_links_by_hash-1`; share links, by which others see how far a request is, `platform/auth` keeps. A request is saved
//! together with its mails: the receipt with its link, and the notice to the owner, who is told by chat, too. A move of the
//! desk goes with a mail to the customer, who is told in a connected chat, too, with a link that ends with the receipt's.
//! The latest step can be taken back ([`undo`]): that is a change of its own in `contact_moves-1`, with the mail of the step that
//! still waits taken out of the queue, and a mail of its own only where there is something to say.
//! What the form offers to choose, and for how long requests are kept, the settings say.
//! What the desk does is noted in the audit list of `site/admin` in the same transaction.
//! Deliberately not here: quotes, and who may sit at the desk.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, NavEntry};
use hanok_platform::own_data::OwnPart;

pub use model::{
    Address, MoveText, NewNote, NewRequest, Note, NoteText, Phone, Received, Request, RequestChange, RequestDetails,
    Share, ShareMaker, ShareWanted, SharedRequest, Status, StatusChange, Tracked,
};
pub use store::{
    Counts, add_note, change_status, counts, find, has_link, history, list, list_by_mail, notes, numbered, remove_note,
};
pub use work::shares::{NewShare, end_link, end_share, find_shared, remove, renew_link, share, shares};
pub use work::{ContactSettings, Desk, Owner, Visit, move_on, search, undo};

/// What the requests say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    carried: store::PRESERVED_ON_RESTORE,
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<ContactSettings>()),
    search: store::SEARCH,
    of_customers: &[OwnPart::of::<work::own_data::Requests>()],
    offer: Some(&work::OFFER),
    nav: &[NavEntry::admin("/admin/contacts", "의뢰 관리", "Requests")],
    ..Domain::EMPTY
};

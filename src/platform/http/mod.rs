//! The web: what a handler gets, what it gives, and what every request passes on its way.
//!
//! A handler's arguments are taken left to right: `App`, the permission as a type ([`Household`], [`Customer`], [`Admin`]), then
//! path, query and body. Whatever is refused leaves as the one error shape of the contract. The hoops of a
//! door are assembled in [`door`].

mod answer;
mod assets;
mod bodies;
mod body_limits;
mod branches;
mod checked;
mod clocked;
mod devices;
mod documented;
mod door;
mod door_kind;
mod file;
mod form;
mod from_chat;
mod guard;
mod headers;
mod household;
mod idempotency;
mod input;
mod json;
mod json_file;
mod no_metadata;
mod no_request;
mod numbers;
pub mod openapi;
mod own_page;
mod owner;
mod packed;
mod page;
mod paging;
mod parts;
mod parts_of_file;
mod path;
mod peer;
mod permission;
mod ranges;
mod refusal;
mod request_id;
mod shares;
mod site_cookie;
mod soon;
mod stored_file;
mod visitors;
mod watch;
pub mod watchdog;
mod whole_file;
mod wire;
mod written;

pub use answer::{Accepted, Created, Deleted, Done, Json, JsonText, TaskBegun, UncachedJson, WithStatus};
pub use assets::{asset, page, shown_the_way};
pub use checked::{Checked, CheckedQuery};
pub use devices::{Device, Devices};
pub use door::{Door, guarded, service, site_is_known_as};
pub use door_kind::DoorKind;
pub use file::{FileSoon, Incoming};
pub use form::{CsrfToken, Form, already};
pub use from_chat::FromChat;
pub use household::{HOUSEHOLD_COOKIE, Household};
pub use idempotency::{
    IdempotencyKey, MIGRATIONS, TABLES, forget_about as forget_answers_about, purge as purge_answers, tx_op,
    validated_tx_op,
};
pub use input::{Body, Id, Key, Query};
pub use json_file::JsonFile;
pub use own_page::SameOrigin;
pub use page::{Page, PlainText, SeeOther, Shown};
pub use paging::{ListQuery, Paging};
pub use parts_of_file::{IncomingPart, NoContent, TusVersion, UploadCreate, UploadOffset};
pub use peer::{Peer, agent_of};
pub use permission::{Anyone, Permission, check_permissions};
pub use refusal::{ApiError, ErrorBody, ErrorPages, HandlerResult};
pub use request_id::RequestId;
pub use shares::Balancer;
pub use site_cookie::SiteCookie;
pub use soon::{Deferred, InProgress, wait_timeout};
pub use stored_file::StoredFile;
pub use visitors::{Admin, Customer, SentSession, link_origin, site_origin};
pub use whole_file::{Atom, FileBody, FileKind, FileResponse, Streamed, Zip};
pub use wire::{Acceptor, ConnectionLimits};

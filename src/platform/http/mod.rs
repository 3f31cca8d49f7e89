//! The web: what a handler gets, what it gives, and what every request passes on its way.
//!
//! A handler's arguments are taken left to right: `App`, the permission as a type ([`Household`], [`Customer`], [`Admin`]), then
//! path, query and body. Whatever is refused leaves as the one error shape of the contract. The hoops of a
//! door are assembled in [`door`].

mod answer;
mod api_error;
mod assets;
mod balancer;
mod bodies;
mod body_limits;
mod branches;
mod checked;
mod clocked;
mod connection;
mod deferred;
mod devices;
mod documented;
mod door;
mod door_kind;
mod file;
mod file_response;
mod form;
mod from_chat;
mod guard;
mod headers;
mod household;
mod idempotency;
mod input;
mod json;
mod json_file;
mod nested;
mod no_metadata;
mod no_request;
mod numbers;
pub mod openapi;
mod operations;
mod owner;
mod packed;
mod page;
mod paging;
mod parts;
mod path;
mod peer;
mod permission;
mod ranges;
mod request_id;
mod same_origin;
mod site_cookie;
mod stored_file;
mod upload_parts;
mod visitors;
mod watch;
pub mod watchdog;
mod written;

pub use answer::{Accepted, Created, Deleted, Done, Json, JsonText, TaskBegun, UncachedJson, WithStatus};
pub use api_error::{ApiError, ErrorBody, ErrorPages, HandlerResult};
pub use assets::{asset, page, shown_the_way};
pub use balancer::Balancer;
pub use checked::{Checked, CheckedOrEmpty, CheckedQuery};
pub use connection::{Acceptor, ConnectionLimits};
pub use deferred::{Deferred, InProgress, wait_timeout};
pub use devices::{Device, Devices};
pub use door::{Door, guarded, service, site_is_known_as};
pub use door_kind::DoorKind;
pub use file::{FileSoon, Incoming};
pub use file_response::{Atom, FileBody, FileKind, FileResponse, Pdf, Streamed, Zip};
pub use form::{CsrfToken, Form, already};
pub use from_chat::FromChat;
pub use household::{HOUSEHOLD_COOKIE, Household};
pub use idempotency::{
    IdempotencyKey, MIGRATIONS, PRESERVED_ON_RESTORE, TABLES, forget_about as forget_answers_about,
    purge as purge_answers, tx_op, validated_tx_op,
};
pub use input::{Body, Id, Key, Query};
pub use json_file::JsonFile;
pub use page::{Page, PlainText, SeeOther, Shown};
pub use paging::{ListQuery, Paging};
pub use peer::{Peer, agent_of};
pub use permission::{Anyone, Permission};
pub use request_id::RequestId;
pub use same_origin::SameOrigin;
pub use site_cookie::SiteCookie;
pub use stored_file::StoredFile;
pub use upload_parts::{IncomingPart, NoContent, TusVersion, UploadCreate, UploadOffset};
pub use visitors::{Admin, Customer, SentSession, link_origin, site_origin};

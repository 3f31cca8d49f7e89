//! The handle that every handler and job gets: the parts of the house, and nothing that a domain does.

use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::auth::{HouseholdAccess, RateLimiter, Visitors};
use crate::blobs::Blobs;
use crate::chat::Chat;
use crate::compute::Compute;
use crate::config::Config;
use crate::derived::DerivedCache;
use crate::events::Events;
use crate::jobs::Jobs;
use crate::own_data::OwnData;
use crate::sealing::Sealing;
use crate::search::Search;
use crate::single_flight::SingleFlight;
use crate::store::{Restores, Store};
use crate::tokens::Tokens;
use crate::upstream::Upstreams;
use hanok_base::{Clock, Shared};

/// A handle to the parts of the house; clones share them.
#[derive(Clone)]
pub struct App(Shared<Parts>);

/// The parts of the house; those that belong together share a group.
pub struct Parts {
    /// The settings in force.
    pub config: Arc<Config>,
    /// The time.
    pub clock: Clock,
    /// Live state for the browsers.
    pub events: Events,
    /// What is kept.
    pub data: Data,
    /// Who does what takes time.
    pub workers: Workers,
    /// Who speaks with the world outside.
    pub outside: Outside,
    /// Who may come in.
    pub access: Access,
}

/// What is kept.
pub struct Data {
    /// Every record.
    pub store: Store,
    /// What seals secrets among them that must be read again.
    pub sealing: Sealing,
    /// Large files that records name.
    pub blobs: Blobs,
    /// What puts another state of them in place.
    pub restores: Restores,
    /// What finds them by words.
    pub search: Search,
    /// Which of them are of a customer.
    pub own: OwnData,
    /// Values computed from the records.
    pub derived: DerivedCache,
}

/// Who does what takes time.
pub struct Workers {
    /// Durable jobs and the schedule.
    pub jobs: Jobs,
    /// Heavy pure work.
    pub compute: Compute,
    /// Requests that must be done once, while they are under way.
    pub claims: SingleFlight,
}

/// Who speaks with the world outside.
pub struct Outside {
    /// Outside providers.
    pub upstream: Upstreams,
    /// The chat with people.
    pub chat: Chat,
    /// What gives access to outside providers.
    pub tokens: Tokens,
}

/// Who may come in.
pub struct Access {
    /// Who may use the household door.
    pub household: HouseholdAccess,
    /// Who tries to come in at the customer door.
    pub visitors: Visitors,
    /// How often each address has done what it may do only so often.
    pub paces: RateLimiter,
    /// Where the customer door listens, once it does: the settings may leave the port to the machine.
    pub site_address: OnceLock<SocketAddr>,
}

impl App {
    /// The handle to these parts.
    pub fn new(parts: Parts) -> App {
        App(Shared::new(parts))
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

//! Which door a request came in at, and what holds there for every request.

use std::sync::Arc;

use salvo::Depot;

use super::body_limits::BodyLimits;
use crate::config::Network;
use hanok_base::{Error, Result};

/// Which door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorKind {
    /// The household's.
    Ops,
    /// The customers'.
    Site,
    /// The compute host's, for appliances on other machines.
    Compute,
}

impl DoorKind {
    /// Its name in logs, metrics and idempotency keys.
    pub fn name(self) -> &'static str {
        match self {
            DoorKind::Ops => "ops",
            DoorKind::Site => "site",
            DoorKind::Compute => "compute",
        }
    }
}

/// The door of a request: each door puts its own into the depot, behind an [`Arc`].
#[derive(Debug)]
pub(super) struct ThisDoor {
    pub kind: DoorKind,
    pub body_limits: BodyLimits,
    /// Proxies that are believed when they say for whom they call.
    pub trusted_proxies: Vec<Network>,
}

impl ThisDoor {
    pub fn of(depot: &Depot) -> Result<&ThisDoor> {
        depot
            .get_typed::<Arc<ThisDoor>>()
            .map(Arc::as_ref)
            .map_err(|_| Error::internal("a request that came in at no door"))
    }
}

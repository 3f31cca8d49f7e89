//! The devices on which somebody is signed in, as every door lists them.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::auth::Session;
use hanok_base::schema::ToSchema;

/// The devices that are signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Devices {
    /// Newest first.
    pub sessions: Vec<Device>,
}

/// A device that is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub struct Device {
    /// A number to name it by.
    pub id: u64,
    /// When it signed in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    pub last_seen_at: DateTime<Utc>,
    /// What the browser calls itself.
    pub agent: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

impl Devices {
    /// Those of the customer door's sessions in `all`; `current` is the id of the one that asks.
    pub fn of(all: Vec<Session>, current: Option<u64>) -> Devices {
        let device = |session: Session| Device {
            current: Some(session.id) == current,
            id: session.id,
            created_at: session.created_at,
            last_seen_at: session.last_seen_at,
            agent: session.agent,
        };
        Devices { sessions: all.into_iter().map(device).collect() }
    }
}

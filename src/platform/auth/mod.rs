//! Who may come in. On loopback the household door asks nothing; anywhere else it asks for the household
//! passphrase, or stands open because the settings say so in so many words.
//!
//! Passphrases are kept as Argon2id, session tokens only as their SHA-256. Guessing is slowed down.
//!
//! What is deliberately not here: the web. The permission of the household is in `http`, its routes in `appliance`.

mod guesses;
mod household;
mod noted;
mod paces;
mod password;
mod setup;
#[cfg(test)]
mod tests;
mod unwritten;
mod words;

use std::net::SocketAddr;
use std::sync::Arc;

pub use guesses::Guesses;
pub use household::{
    CARRIED, HouseholdSession, TABLES, add_session, change_passphrase, end_all_sessions, end_session,
    end_session_by_id, find_session, list_sessions, purge_sessions, set_passphrase, touch_session,
};
pub use noted::{note_passphrase, set_and_note};
pub(crate) use paces::TOO_OFTEN;
pub use paces::{Pace, Paces};
pub use password::{Passphrase, hash, matches};
pub use setup::{SETUP_HOURS, SetupLinks};
pub use unwritten::Unwritten;
pub use words::is_passphrase_set;

use crate::config::Config;
use hanok_base::{Error, Kind, Result, Said};

/// How the household door is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// It listens on this machine only: nobody needs to sign in.
    Loopback,
    /// A passphrase is asked for.
    Passphrase,
    /// `ops.access = "open"`: everyone who reaches it may use it.
    Open,
}

/// How the door is kept, and who has been guessing.
#[derive(Clone)]
pub struct HouseholdAccess {
    /// How the door is kept.
    pub mode: AccessMode,
    /// Failed sign-ins.
    pub guesses: Arc<Guesses>,
    /// Sign-ins that wait for room on the disk.
    pub unwritten: Arc<Unwritten>,
    /// When the set-up link ends.
    pub setup: Arc<SetupLinks>,
}

impl HouseholdAccess {
    /// A door that is kept like this, of which nothing is known yet.
    pub fn new(mode: AccessMode) -> HouseholdAccess {
        HouseholdAccess { mode, guesses: Arc::default(), unwritten: Arc::default(), setup: Arc::default() }
    }

    /// How the door at `address` is to be kept.
    ///
    /// # Errors
    /// `CONFLICT` with the cure when it would listen beyond this machine without a passphrase.
    pub fn decide(config: &Config, address: SocketAddr, passphrase_set: bool) -> Result<HouseholdAccess> {
        let mode = if address.ip().is_loopback() {
            AccessMode::Loopback
        } else if !config.ops.asks_for_a_passphrase(address) {
            AccessMode::Open
        } else if passphrase_set {
            AccessMode::Passphrase
        } else {
            return Err(Error::new(
                Kind::Conflict,
                Said::english(format!(
                    "the household door would listen on {address} for everyone: set a passphrase first with \
                     `hanok household passphrase`, or with the set-up link that `serve` prints while it listens \
                     on this machine only, or write ops.access = \"open\" if that is what you want"
                )),
            ));
        };
        Ok(HouseholdAccess::new(mode))
    }
}

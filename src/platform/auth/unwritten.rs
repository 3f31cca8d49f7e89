//! Sign-ins on a full disk: they count from the moment of the sign-in and are written down when there is room again.
//! Until then a restart ends them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use super::household::{self, HouseholdSession, NewSession};
use crate::store::Store;
use hanok_base::Result;

/// Sessions that the store does not know yet, by the hash of their token.
#[derive(Debug, Default)]
pub struct Unwritten(Mutex<HashMap<String, HouseholdSession>>);

/// So many at most; who signs in more often on a full disk ends the oldest of them.
const MOST: usize = 100;

impl Unwritten {
    /// Signs a device in; gives the token that its cookie carries.
    pub fn add(&self, agent: &str, address: IpAddr, now: DateTime<Utc>) -> String {
        let NewSession { token, key, session } = household::new_session(agent, address, now);
        let mut waiting = self.0.lock();
        if waiting.len() >= MOST {
            let oldest = waiting.iter().min_by_key(|(_, session)| session.created_at).map(|(key, _)| key.clone());
            oldest.and_then(|key| waiting.remove(&key));
        }
        waiting.insert(key, session);
        token
    }

    /// The session of `token`.
    pub fn find(&self, token: &str) -> Option<HouseholdSession> {
        self.0.lock().get(&household::session_key(token)).cloned()
    }

    /// Ends the session of `token`. False when it is not one of these.
    pub fn end(&self, token: &str) -> bool {
        self.0.lock().remove(&household::session_key(token)).is_some()
    }

    /// Ends all of them. Gives how many.
    pub fn end_all(&self) -> usize {
        std::mem::take(&mut *self.0.lock()).len()
    }

    /// Whether any waits to be written.
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Writes them down.
    ///
    /// # Errors
    /// `STORAGE_FULL` or `STORAGE_AWAY` while there is still no room or place; they wait on then.
    pub async fn write_down(self: &Arc<Self>, store: &Store) -> Result<()> {
        let unwritten = Arc::clone(self);
        let written = store.write(move |tx| {
            // Looked at only now: who has signed out before this moment is not written down.
            let waiting = unwritten.0.lock().clone();
            let keys: Vec<String> = waiting.keys().cloned().collect();
            waiting.into_iter().try_for_each(|(key, session)| household::put(tx, &key, session))?;
            Ok(keys)
        });
        let written = written.await?;
        self.0.lock().retain(|key, _| !written.contains(key));
        Ok(())
    }
}

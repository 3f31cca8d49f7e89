//! What is done with the open store from time to time: every page checked, unused room given back, a snapshot made when it
//! is worth one.

use std::sync::atomic::Ordering;

use redb::Database;
use tokio_util::sync::CancellationToken;

use super::super::fault;
use super::super::source::{self, Torn};
use super::super::versions;
use super::OpenStore;
use crate::blocking;
use hanok_base::Result;

impl OpenStore {
    /// Reads every page of the live file from the disk and compares checksums, without changing a byte of it.
    /// Writers stand still meanwhile; readers do not. Ends at the next page once it is `abandoned`. What lies in the place of the
    /// file that is open says nothing of it.
    pub(in crate::store) fn check(&self, abandoned: &CancellationToken) -> Result<()> {
        self.read(|database| {
            self.must_be_in_place()?;
            let hold = database.begin_write().map_err(|error| self.fault(error))?;
            // Opened only to be read, it may have left out a commit that failed: that one still stands in the file.
            let torn = if self.is_read_only() { Torn::IsCutOff } else { Torn::IsDamage };
            let sound = source::check_live(&self.source, self.known(), torn, abandoned);
            hold.abort().map_err(|error| self.fault(error))?;
            blocking::go_on(abandoned)?;
            self.must_be_in_place()?;
            sound.map_err(|broken| self.refusal(broken))
        })
    }

    pub(in crate::store) fn compact(&self) -> Result<()> {
        self.must_be_in_place()?;
        self.write(|_| Ok(()))?;
        self.alone(|database| {
            let Some(open) = database else { return Err(fault::unavailable("closed")) };
            open.compact().map_err(|error| self.fault(error))?;
            Ok(())
        })
    }

    /// The version that wrote the store; none in a store that was just created.
    pub(in crate::store) fn version(&self, database: &Database) -> Result<Option<versions::Version>> {
        versions::found(&self.direct(database))
    }

    pub(in crate::store) fn note_change(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Forgets the changes: a snapshot that holds them was made.
    pub(in crate::store) fn note_snapshot(&self) {
        self.changed.store(false, Ordering::Release);
    }

    pub(in crate::store) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Acquire)
    }
}

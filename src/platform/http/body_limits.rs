//! How large a body may be, how long it may take to arrive, and how much room all large ones have together.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use hanok_base::{Error, Result};

/// How large a body may be, how long it may take to arrive, and how much room all large ones have together.
#[derive(Debug, Clone)]
pub(super) struct BodyLimits {
    pub bytes: u64,
    pub seconds: u64,
    room: Arc<Semaphore>,
}

impl BodyLimits {
    /// Bodies of at most `bytes`, whole within `seconds`.
    pub fn new(bytes: u64, seconds: u64) -> Self {
        let room = usize::try_from(bytes.max(ROOM) / KIBIBYTE + 1).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        BodyLimits { bytes, seconds, room: Arc::new(Semaphore::new(room)) }
    }

    /// A place for a body of so many bytes. Small ones never wait, so that whoever fills the room with large
    /// ones holds up nobody else.
    pub async fn place(&self, bytes: u64) -> Result<Option<Arc<OwnedSemaphorePermit>>> {
        if bytes <= SMALL as u64 {
            return Ok(None);
        }
        let size = u32::try_from(bytes / KIBIBYTE + 1).unwrap_or(u32::MAX);
        self.room.clone().acquire_many_owned(size).await.map(|place| Some(Arc::new(place))).map_err(Error::internal)
    }
}

const KIBIBYTE: u64 = 1024;
/// The size up to which a body is small, what a person types: it waits for no room, and is read where it came in.
pub(super) const SMALL: usize = 16 * 1024;
/// Memory for all larger bodies that come in at the same time.
const ROOM: u64 = 64 * 1024 * KIBIBYTE;

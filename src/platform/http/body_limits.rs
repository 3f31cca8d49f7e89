//! How large a body may be, how long it may take to arrive, and how much room large ones have together: whoever is known
//! has a room that no stranger fills, and in either one caller leaves some to the others. Those that may be larger than
//! others have a room of their own: they become many times as large, and nobody else waits for them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::one_caller;
use hanok_base::{Error, Kind, MessageTemplate, Result};

const NO_ROOM: MessageTemplate = MessageTemplate::new(
    "house.body_no_room",
    "there is no room now for another body so large; try again in {seconds} s",
);
/// Seconds after which whoever found no room may try again: a large body is rarely worked on for longer.
const AGAIN: u64 = 5;

/// How large a body may be, how long it may take to arrive, and how much room all large ones have together.
#[derive(Debug, Clone)]
pub(super) struct BodyLimits {
    pub bytes: u64,
    pub seconds: u64,
    known: Arc<Room>,
    larger: Arc<Room>,
    strangers: Arc<Room>,
}

/// Whose body it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sender {
    pub address: IpAddr,
    /// Whether the door has let the caller in.
    pub is_known: bool,
}

/// Marks a request whose caller the door has let in.
#[derive(Debug, Clone, Copy)]
pub(super) struct LetIn;

/// Marks a request that may bring so many bytes, more than others.
#[derive(Debug, Clone, Copy)]
pub(super) struct LargerBody(pub u64);

impl BodyLimits {
    /// Bodies of at most `bytes`, whole within `seconds`.
    pub fn new(bytes: u64, seconds: u64) -> Self {
        let room = |all: u64, shares: u64| Arc::new(Room::new(all.max(bytes), (all / shares).max(bytes)));
        let (known, larger, strangers) = (room(ROOM, 2), room(ROOM_FOR_LARGER, 2), room(ROOM_FOR_STRANGERS, 4));
        BodyLimits { bytes, seconds, known, larger, strangers }
    }

    /// A [`BodyLimits::place`] for which a body waits half as long as it may then take to arrive.
    ///
    /// # Errors
    /// `RATE_LIMITED` when none has become free.
    pub async fn place_in_time(&self, sender: Sender, bytes: u64) -> Result<Option<Arc<TakenRoom>>> {
        let wait_timeout = Duration::from_secs(self.seconds.div_ceil(2));
        let place = tokio::time::timeout(wait_timeout, self.place(sender, bytes)).await;
        let no_room = || Error::new(Kind::RateLimited, NO_ROOM.with([("seconds", AGAIN.into())])).retry_after(AGAIN);
        place.unwrap_or_else(|_| Err(no_room()))
    }

    /// A place for a body of so many bytes. Small ones never wait, so that whoever fills the room with large
    /// ones holds up nobody else.
    async fn place(&self, sender: Sender, bytes: u64) -> Result<Option<Arc<TakenRoom>>> {
        if bytes <= SMALL as u64 {
            return Ok(None);
        }
        let room = match sender.is_known {
            false => &self.strangers,
            true if bytes > self.bytes => &self.larger,
            true => &self.known,
        };
        room.place(one_caller(sender.address), bytes).await.map(|place| Some(Arc::new(place)))
    }
}

/// Room for the bodies of one kind of callers.
#[derive(Debug)]
struct Room {
    all: Arc<Semaphore>,
    /// How much of it one caller takes at most.
    share: usize,
    callers: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
}

/// Room that a body has taken.
#[derive(Debug)]
pub(super) struct TakenRoom {
    _of_caller: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Room {
    fn new(bytes: u64, share: u64) -> Room {
        let all = Arc::new(Semaphore::new(permits(bytes)));
        Room { all, share: permits(share), callers: Mutex::default() }
    }

    async fn place(&self, caller: IpAddr, bytes: u64) -> Result<TakenRoom> {
        // One that is larger than the share of its caller takes all of that.
        let size = u32::try_from(permits(bytes).min(self.share)).unwrap_or(u32::MAX);
        // First of its own: who has none left waits without taking from the others.
        let of_caller = self.of(caller).acquire_many_owned(size).await.map_err(Error::internal)?;
        let of_all = self.all.clone().acquire_many_owned(size).await.map_err(Error::internal)?;
        Ok(TakenRoom { _of_caller: of_caller, _of_all: of_all })
    }

    fn of(&self, caller: IpAddr) -> Arc<Semaphore> {
        let mut callers = self.callers.lock();
        if callers.len() >= REMEMBERED {
            // A place that is taken or waited for holds it, too.
            callers.retain(|_, room| Arc::strong_count(room) > 1);
        }
        callers.entry(caller).or_insert_with(|| Arc::new(Semaphore::new(self.share))).clone()
    }
}

fn permits(bytes: u64) -> usize {
    usize::try_from(bytes / KIBIBYTE + 1).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}

const KIBIBYTE: u64 = 1024;
/// The size up to which a body is small, what a person types: it waits for no room, and is read where it came in.
pub(super) const SMALL: usize = 16 * 1024;
/// Memory for all larger bodies that come in at the same time from callers whom the door has let in.
const ROOM: u64 = 64 * 1024 * KIBIBYTE;
/// And for those of them that are larger than others may be: two of the largest, of two callers.
const ROOM_FOR_LARGER: u64 = 33 * 1024 * KIBIBYTE;
/// And from all others, of whom nothing large is expected.
const ROOM_FOR_STRANGERS: u64 = 16 * 1024 * KIBIBYTE;
/// Callers remembered before those without a body under way are forgotten.
const REMEMBERED: usize = 256;

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const MEBIBYTE: u64 = 1024 * KIBIBYTE;

    #[test]
    fn large_bodies_of_one_caller_or_of_strangers_leave_room_for_those_of_others() {
        let limits = BodyLimits::new(MEBIBYTE, 60);
        let place = |is_known: bool, address: &str, bytes: u64| {
            let sender = Sender { address: address.parse().unwrap(), is_known };
            limits.place(sender, bytes).now_or_never().map(Result::unwrap)
        };
        let fill = |is_known: bool, address: &str| {
            let places: Vec<_> = std::iter::from_fn(|| place(is_known, address, MEBIBYTE)).collect();
            (places.len(), places)
        };
        let (first, _held) = fill(false, "203.0.113.7");
        let (second, _held_too) = fill(false, "2001:db8::1");
        assert_eq!((first, second), (3, 3), "a quarter each, in whole bodies");
        assert!(place(false, "2001:db8::2", MEBIBYTE).is_none(), "the same network");
        let strangers: Vec<_> = (1..9).map(|number| fill(false, &format!("198.51.100.{number}"))).collect();
        assert!(strangers.iter().map(|(count, _)| count).sum::<usize>() < 16);
        let (device, _held) = fill(true, "192.168.0.7");
        assert_eq!(device, 31, "half of what the household has");
        assert!(place(true, "192.168.0.8", MEBIBYTE).is_some(), "another device of the household");
        assert!(place(false, "203.0.113.7", SMALL as u64).is_some(), "what a person types never waits");
    }

    #[test]
    fn bodies_that_are_larger_than_others_are_few_and_fill_no_room_but_their_own() {
        let limits = BodyLimits::new(MEBIBYTE, 60);
        let place = |address: &str, bytes: u64| {
            let sender = Sender { address: address.parse().unwrap(), is_known: true };
            limits.place(sender, bytes).now_or_never().map(Result::unwrap)
        };
        let first = place("192.168.0.7", 16 * MEBIBYTE).unwrap();
        assert!(place("192.168.0.7", 2 * MEBIBYTE).is_none(), "one of a caller");
        let _second = place("192.168.0.8", 100 * MEBIBYTE).expect("however large, it has the share of its caller");
        assert!(place("192.168.0.9", 2 * MEBIBYTE).is_none(), "two in all");
        assert!(place("192.168.0.7", MEBIBYTE).is_some(), "others are not held up");
        drop(first);
        assert!(place("192.168.0.9", 2 * MEBIBYTE).is_some());
    }

    #[tokio::test]
    async fn a_body_that_finds_no_room_is_told_so_and_when_to_try_again() {
        let limits = BodyLimits::new(MEBIBYTE, 1);
        let sender = Sender { address: IpAddr::from([192, 168, 0, 7]), is_known: true };
        let mut held: Vec<_> = std::iter::from_fn(|| limits.place(sender, MEBIBYTE).now_or_never()).collect();
        let refused = limits.place_in_time(sender, MEBIBYTE).await.unwrap_err();
        assert_eq!((refused.kind, refused.retry_after), (Kind::RateLimited, Some(AGAIN)));
        held.pop();
        assert!(limits.place_in_time(sender, MEBIBYTE).await.unwrap().is_some());
    }

    #[test]
    fn nothing_is_remembered_of_callers_without_a_body_under_way() {
        let room = Room::new(ROOM, ROOM);
        let _held = room.place(IpAddr::from([10, 0, 0, 1]), MEBIBYTE).now_or_never().unwrap().unwrap();
        for number in 0..10_000u32 {
            drop(room.place(IpAddr::from(number.to_be_bytes()), MEBIBYTE).now_or_never().unwrap().unwrap());
        }
        assert!(room.callers.lock().len() <= REMEMBERED);
        assert!(room.callers.lock().contains_key(&IpAddr::from([10, 0, 0, 1])));
    }
}

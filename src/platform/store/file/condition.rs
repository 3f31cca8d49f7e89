//! How the open store is: one value, and the named steps from one to the next.

use std::sync::atomic::{AtomicU8, Ordering};

use super::space::StorageState;

/// What the last write heard of the place that it was to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Room {
    Enough,
    Full,
    /// A hand has taken the file out of its place, put another one there, or written over it.
    Away,
}

/// How the open store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Condition {
    /// It is read and written.
    Writable(Room),
    /// It is only read: what redb would write stays in memory. The next write tries to open it to write.
    ReadOnly(Room),
    /// It is not open, or its handle met an I/O error: whoever comes next opens the file again.
    Faulted(Room),
    /// A page is not what was written. Nothing is served until a restore puts another file in place.
    Damaged,
}

use Condition::{Damaged, Faulted, ReadOnly, Writable};
use Room::{Away, Enough, Full};

/// Every condition there is; the place of one in it is its code.
const ALL: [Condition; 10] = [
    Writable(Enough),
    Writable(Full),
    Writable(Away),
    ReadOnly(Enough),
    ReadOnly(Full),
    ReadOnly(Away),
    Faulted(Enough),
    Faulted(Full),
    Faulted(Away),
    Damaged,
];

impl Condition {
    fn room(self) -> Room {
        match self {
            Writable(room) | ReadOnly(room) | Faulted(room) => room,
            Damaged => Enough,
        }
    }

    /// The same, where a write has just heard this of its place.
    fn with(self, room: Room) -> Condition {
        match self {
            Writable(_) => Writable(room),
            ReadOnly(_) => ReadOnly(room),
            Faulted(_) => Faulted(room),
            Damaged => Damaged,
        }
    }

    pub fn is_full(self) -> bool {
        self.room() == Full
    }

    pub fn is_read_only(self) -> bool {
        matches!(self, ReadOnly(_))
    }

    /// Whether the file must be opened again before it can be read, or written.
    pub fn must_be_opened(self, tx_op: bool) -> bool {
        matches!(self, Faulted(_)) || tx_op && self.is_read_only()
    }

    /// What callers are told.
    pub fn state(self) -> StorageState {
        match self {
            Writable(Enough) => StorageState::Ok,
            Writable(Full) | ReadOnly(Full) | Faulted(Full) => StorageState::Full,
            Writable(Away) | ReadOnly(Away) | Faulted(Away) => StorageState::Away,
            ReadOnly(Enough) | Faulted(Enough) => StorageState::Recovering,
            Damaged => StorageState::Damaged,
        }
    }
}

/// The condition of one open store, which many threads ask for and change. Only another file in its place ends damage.
pub(in crate::store) struct Current(AtomicU8);

impl Default for Current {
    fn default() -> Self {
        Current(AtomicU8::new(code(Faulted(Enough))))
    }
}

impl Current {
    pub fn get(&self) -> Condition {
        condition(self.0.load(Ordering::Acquire))
    }

    /// The file was opened to be written.
    pub fn opened_to_write(&self) {
        self.step(|before| if before == Damaged { Damaged } else { Writable(before.room()) });
    }

    /// The file was opened to be read only.
    pub fn opened_read_only(&self) {
        self.step(|before| if before == Damaged { Damaged } else { ReadOnly(before.room()) });
    }

    /// The handle met an I/O error, or is about to be closed.
    pub fn faulted(&self) {
        self.step(|before| if before == Damaged { Damaged } else { Faulted(before.room()) });
    }

    /// A page is not what was written. Says whether that is new.
    pub fn damaged(&self) -> bool {
        self.step(|_| Damaged) != Damaged
    }

    /// A write found no room. Says whether that is new.
    pub fn found_no_room(&self) -> bool {
        self.hear(Full)
    }

    /// A write found the file out of its place. Says whether that is new.
    pub fn found_away(&self) -> bool {
        self.hear(Away)
    }

    /// A write has reached the disk. Says whether the last one had not, for want of its place.
    pub fn written(&self) -> bool {
        self.hear(Enough)
    }

    fn hear(&self, room: Room) -> bool {
        let before = self.step(|before| before.with(room));
        before != before.with(room)
    }

    /// Another file stands in the place of the one that was open.
    pub fn another_file(&self) {
        self.step(|before| Faulted(before.room()));
    }

    /// Goes to what `next` says. Gives what was before.
    fn step(&self, next: impl Fn(Condition) -> Condition) -> Condition {
        let mut before = self.0.load(Ordering::Acquire);
        loop {
            let after = code(next(condition(before)));
            match self.0.compare_exchange_weak(before, after, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return condition(before),
                Err(now) => before = now,
            }
        }
    }
}

fn code(condition: Condition) -> u8 {
    ALL.iter().position(|known| *known == condition).map_or(u8::MAX, |place| place as u8)
}

fn condition(code: u8) -> Condition {
    ALL.get(usize::from(code)).copied().unwrap_or(Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(condition: Condition) -> Current {
        Current(AtomicU8::new(code(condition)))
    }

    #[test]
    fn only_another_file_ends_damage() {
        let steps: [fn(&Current); 7] = [
            Current::opened_to_write,
            Current::opened_read_only,
            Current::faulted,
            |current| assert!(!current.damaged(), "it is not new"),
            |current| assert!(!current.found_no_room()),
            |current| assert!(!current.found_away()),
            |current| assert!(!current.written()),
        ];
        for step in steps {
            let current = at(Damaged);
            step(&current);
            assert_eq!(current.get(), Damaged);
        }
        let current = at(Damaged);
        current.another_file();
        assert_eq!(current.get(), Faulted(Enough));
    }

    #[test]
    fn lack_of_room_outlives_every_opening_until_a_write_has_reached_the_disk() {
        for before in ALL.into_iter().filter(|condition| *condition != Damaged) {
            let current = at(before);
            assert_eq!(current.found_no_room(), !before.is_full(), "{before:?}");
            for step in [Current::faulted, Current::opened_read_only, Current::opened_to_write, Current::another_file] {
                step(&current);
                assert_eq!(current.get().state(), StorageState::Full, "{before:?}");
            }
            assert!(current.written());
            assert!(!current.get().is_full());
        }
    }

    #[test]
    fn a_file_that_is_out_of_its_place_is_no_damage_and_back_in_it_is_written_again() {
        let current = at(Writable(Enough));
        assert!(current.found_away());
        assert!(!current.found_away(), "it is not new");
        assert_eq!((current.get(), current.get().state()), (Writable(Away), StorageState::Away));
        assert!(current.written());
        assert_eq!(current.get(), Writable(Enough));
    }

    #[test]
    fn what_must_be_opened_again_depends_on_what_is_wanted() {
        let opened = |tx_op| ALL.into_iter().filter(|one| one.must_be_opened(tx_op)).collect::<Vec<_>>();
        let faulted = [Faulted(Enough), Faulted(Full), Faulted(Away)];
        assert_eq!(opened(false), faulted);
        assert_eq!(opened(true), [&[ReadOnly(Enough), ReadOnly(Full), ReadOnly(Away)][..], &faulted].concat());
    }
}

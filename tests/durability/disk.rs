//! A disk for tests: it remembers every write and every sync in their order, so that any state that a power cut could
//! have left can be made from it; and it can be full.

use std::io::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex};

use redb::StorageBackend;

use crate::dice::Dice;

/// A disk in memory.
#[derive(Debug, Default)]
pub struct Disk(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    log: Vec<Entry>,
    /// How many more writes find room; none when the disk is not going to be full.
    room: Option<usize>,
    /// How many more syncs work.
    syncs: Option<usize>,
    /// Whether it fails for another reason than room, and how often it has.
    broken: Option<usize>,
}

/// One thing that was asked of the disk.
#[derive(Debug, Clone)]
pub enum Entry {
    Write(usize, Vec<u8>),
    Length(usize),
    Sync,
}

/// What a power cut can tear a write into.
const SECTOR: usize = 512;

impl Disk {
    /// A disk with these bytes on it.
    pub fn with(bytes: Vec<u8>) -> Arc<Disk> {
        Arc::new(Disk(Mutex::new(State { bytes, ..State::default() })))
    }

    /// How much was asked of it so far.
    pub fn position(&self) -> usize {
        self.0.lock().unwrap().log.len()
    }

    /// What was asked of it.
    pub fn log(&self) -> Vec<Entry> {
        self.0.lock().unwrap().log.clone()
    }

    /// Takes `writes` more writes and then has no room.
    pub fn is_full_after(&self, writes: usize) {
        self.0.lock().unwrap().room = Some(writes);
    }

    /// Takes writes, but finds out at a sync that there is no room for them, after `syncs` that work.
    pub fn cannot_sync_after(&self, syncs: usize) {
        self.0.lock().unwrap().syncs = Some(syncs);
    }

    /// Fails at every write and sync from now on, and not for lack of room.
    pub fn is_broken(&self) {
        self.0.lock().unwrap().broken = Some(0);
    }

    /// Works and has room again.
    pub fn has_room(&self) {
        let mut state = self.0.lock().unwrap();
        (state.room, state.syncs, state.broken) = (None, None, None);
    }

    /// Whether it has refused anything since it was said to be full or broken.
    pub fn has_refused(&self) -> bool {
        let state = self.0.lock().unwrap();
        state.room == Some(0) || state.syncs == Some(0) || state.broken.is_some_and(|times| times > 0)
    }
}

fn take_one(left: &mut Option<usize>) -> Result<()> {
    match left {
        Some(0) => Err(ErrorKind::StorageFull.into()),
        Some(left) => {
            *left -= 1;
            Ok(())
        }
        None => Ok(()),
    }
}

impl State {
    fn works(&mut self) -> Result<()> {
        let Some(times) = &mut self.broken else { return Ok(()) };
        *times += 1;
        Err(Error::other("it does not answer"))
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64> {
        Ok(self.0.lock().unwrap().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let state = self.0.lock().unwrap();
        let offset = offset as usize;
        let bytes = state.bytes.get(offset..offset + out.len()).ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?;
        out.copy_from_slice(bytes);
        Ok(())
    }

    fn set_len(&self, length: u64) -> Result<()> {
        let mut state = self.0.lock().unwrap();
        state.works()?;
        take_one(&mut state.room)?;
        let entry = Entry::Length(length as usize);
        entry.apply(&mut state.bytes);
        state.log.push(entry);
        Ok(())
    }

    fn sync_data(&self) -> Result<()> {
        let mut state = self.0.lock().unwrap();
        state.works()?;
        take_one(&mut state.syncs)?;
        state.log.push(Entry::Sync);
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<()> {
        let mut state = self.0.lock().unwrap();
        state.works()?;
        take_one(&mut state.room)?;
        let entry = Entry::Write(offset as usize, data.to_vec());
        entry.apply(&mut state.bytes);
        state.log.push(entry);
        Ok(())
    }
}

impl Entry {
    /// Does it to `bytes`.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Entry::Write(offset, data) => write(bytes, *offset, data),
            Entry::Length(length) => bytes.resize(*length, 0),
            Entry::Sync => {}
        }
    }

    /// Does a part of it, sector by sector, as chance will have it.
    fn apply_torn(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        let Entry::Write(offset, data) = self else { return self.apply(bytes) };
        for (number, sector) in data.chunks(SECTOR).enumerate() {
            if dice.chance(50) {
                write(bytes, offset + number * SECTOR, sector);
            }
        }
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, data: &[u8]) {
    if bytes.len() < offset + data.len() {
        bytes.resize(offset + data.len(), 0);
    }
    bytes[offset..offset + data.len()].copy_from_slice(data);
}

/// What a power cut can leave of writes that were not synced yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// None of them reached the disk.
    Nothing,
    /// All of them did.
    All,
    /// Some did, in another order, some of them in part.
    Some,
}

/// `durable` after a power cut at which `unsynced` were under way.
pub fn after_power_cut(durable: &[u8], unsynced: &[Entry], luck: Luck, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = durable.to_vec();
    match luck {
        Luck::Nothing => {}
        Luck::All => unsynced.iter().for_each(|entry| entry.apply(&mut bytes)),
        Luck::Some => {
            let mut entries: Vec<&Entry> = unsynced.iter().filter(|_| dice.chance(70)).collect();
            dice.shuffle(&mut entries);
            for entry in entries {
                if dice.chance(20) { entry.apply_torn(&mut bytes, dice) } else { entry.apply(&mut bytes) }
            }
        }
    }
    bytes
}

/// A moment at which the power may be cut: what the last sync had made durable, and what was asked for since.
pub struct Moment {
    pub position: usize,
    pub durable: Vec<u8>,
    pub unsynced: Vec<Entry>,
}

/// Every sync of `log` from `first` on, and the end, one moment each. `bytes` is what was on the disk before the log.
pub fn moments(mut bytes: Vec<u8>, log: &[Entry], first: usize) -> Vec<Moment> {
    let mut moments = Vec::new();
    let mut pending: Vec<Entry> = Vec::new();
    let mut position = 0;
    for (at, entry) in log.iter().enumerate() {
        match entry {
            Entry::Sync => {
                if at >= first {
                    moments.push(Moment { position, durable: bytes.clone(), unsynced: pending.clone() });
                }
                pending.drain(..).for_each(|entry| entry.apply(&mut bytes));
                position = at + 1;
            }
            other => pending.push(other.clone()),
        }
    }
    moments.push(Moment { position, durable: bytes, unsynced: pending });
    moments
}

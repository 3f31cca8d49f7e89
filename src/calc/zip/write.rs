//! Packing.

use std::io::{self, Read, Write};

use chrono::{Datelike, NaiveDateTime, Timelike};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::{CENTRAL, DEFLATED, END, LOCAL, STORED, UNICODE};

/// The version of the format that whoever opens it must know: directories and deflating.
const NEEDED: u16 = 20;
/// What a file takes in an archive beside its bytes and its name, which stands there twice.
const BESIDE: u64 = 30 + 46;
/// And what stands at the end.
const AT_END: u64 = 22;

/// Files that are packed into one. What is packed can be taken on the way ([`Archive::take`]), so that of a large archive
/// only a part is held.
#[derive(Default)]
pub struct Archive {
    bytes: Vec<u8>,
    /// How many bytes stand before those, taken already or given out by whoever announced them.
    before: u64,
    directory: Vec<u8>,
    files: u16,
}

/// A file that is packed as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Its length.
    pub size: u64,
    /// Its checksum.
    pub crc: u32,
}

impl Stored {
    /// What all that `from` gives is.
    ///
    /// # Errors
    /// Those of reading.
    pub fn of(mut from: impl Read) -> io::Result<Stored> {
        let (mut crc, mut piece) = (Crc::new(), vec![0; 256 << 10]);
        let mut size = 0;
        loop {
            match from.read(&mut piece)? {
                0 => return Ok(Stored { size, crc: crc.sum() }),
                read => {
                    crc.update(&piece[..read]);
                    size += read as u64;
                }
            }
        }
    }
}

impl Archive {
    /// Adds a file that was changed at `at`, in whatever zone. Gives whether there was room for it.
    pub fn add(&mut self, name: &str, at: NaiveDateTime, bytes: &[u8]) -> bool {
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut packing = DeflateEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::default());
        // Writing into memory cannot fail.
        let Ok(packed) = packing.write_all(bytes).and_then(|()| packing.finish()) else { return false };
        let file = Stored { size: bytes.len() as u64, crc: crc.sum() };
        let has_room = self.entry(name, at, DEFLATED, file, packed.len() as u64);
        if has_room {
            self.bytes.extend(packed);
        }
        has_room
    }

    /// Adds a file that was changed at `at` and is packed as it is: its bytes follow those that [`Archive::take`] gives next,
    /// and whoever announces it gives them out. Gives whether there was room for it.
    pub fn announce(&mut self, name: &str, at: NaiveDateTime, file: Stored) -> bool {
        let has_room = self.entry(name, at, STORED, file, file.size);
        if has_room {
            self.before += file.size;
        }
        has_room
    }

    /// What is packed by now and was not taken yet.
    pub fn take(&mut self) -> Vec<u8> {
        let bytes = std::mem::take(&mut self.bytes);
        self.before += bytes.len() as u64;
        bytes
    }

    /// How long it is with these files as well, of which the names and sizes are known; none where there is no room for them.
    pub fn length_with<'n>(&self, files: impl IntoIterator<Item = (&'n str, u64)>) -> Option<u64> {
        let (mut length, mut count) = (self.length(), self.files);
        for (name, size) in files {
            length = length.checked_add(BESIDE + 2 * name.len() as u64)?.checked_add(size)?;
            count = count.checked_add(1)?;
        }
        u32::try_from(length).is_ok().then_some(length)
    }

    fn length(&self) -> u64 {
        self.before + self.bytes.len() as u64 + self.directory.len() as u64 + AT_END
    }

    /// Writes what stands before a file, and its line in the list.
    fn entry(&mut self, name: &str, at: NaiveDateTime, method: u16, file: Stored, packed: u64) -> bool {
        let has_room = self.length_with([(name, packed)]).is_some();
        let (Ok(length), Ok(size), Ok(packed)) =
            (u16::try_from(name.len()), u32::try_from(file.size), u32::try_from(packed))
        else {
            return false;
        };
        let (Ok(offset), Some(files), true) =
            (u32::try_from(self.before + self.bytes.len() as u64), self.files.checked_add(1), has_room)
        else {
            return false;
        };
        let mut shared = Vec::new();
        for number in [NEEDED, UNICODE, method, time(at), date(at)] {
            shared.extend(number.to_le_bytes());
        }
        for number in [file.crc, packed, size] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(length.to_le_bytes());
        shared.extend([0; 2]);

        self.bytes.extend(LOCAL.to_le_bytes());
        self.bytes.extend(&shared);
        self.bytes.extend(name.as_bytes());

        self.directory.extend(CENTRAL.to_le_bytes());
        self.directory.extend(NEEDED.to_le_bytes());
        self.directory.extend(&shared);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files = files;
        true
    }

    /// The one file, or what of it was not taken yet.
    pub fn finish(mut self) -> Vec<u8> {
        let begin = (self.before + self.bytes.len() as u64) as u32;
        let Archive { bytes, directory, files, .. } = &mut self;
        bytes.extend(&*directory);
        bytes.extend(END.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend([files.to_le_bytes(), files.to_le_bytes()].concat());
        bytes.extend((directory.len() as u32).to_le_bytes());
        bytes.extend(begin.to_le_bytes());
        bytes.extend([0; 2]);
        self.bytes
    }
}

/// Hours, minutes and every second second.
fn time(at: NaiveDateTime) -> u16 {
    (at.hour() * 2048 + at.minute() * 32 + at.second() / 2) as u16
}

/// Years since 1980, months and days.
fn date(at: NaiveDateTime) -> u16 {
    let years = at.year().clamp(1980, 2107) - 1980;
    (years as u32 * 512 + at.month() * 32 + at.day()) as u16
}

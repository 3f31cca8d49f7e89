//! Packing.

use std::io::Write;

use chrono::{Datelike, NaiveDateTime, Timelike};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::{CENTRAL, DEFLATED, END, LOCAL, UNICODE};

/// The version of the format that whoever opens it must know: directories and deflating.
const NEEDED: u16 = 20;

/// Files that are packed into one.
#[derive(Default)]
pub struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Archive {
    /// Adds a file that was changed at `at`, in whatever zone. Gives whether there was room for it.
    pub fn add(&mut self, name: &str, at: NaiveDateTime, bytes: &[u8]) -> bool {
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut packing = DeflateEncoder::new(Vec::with_capacity(bytes.len() / 2), Compression::default());
        // Writing into memory cannot fail.
        let Ok(packed) = packing.write_all(bytes).and_then(|()| packing.finish()) else { return false };
        let (Ok(length), Ok(size), Ok(packed_size)) =
            (u16::try_from(name.len()), u32::try_from(bytes.len()), u32::try_from(packed.len()))
        else {
            return false;
        };
        let end = self.bytes.len() + self.directory.len() + packed.len() + 2 * name.len() + 200;
        let (Ok(offset), Some(files), true) =
            (u32::try_from(self.bytes.len()), self.files.checked_add(1), u32::try_from(end).is_ok())
        else {
            return false;
        };
        let mut shared = Vec::new();
        for number in [NEEDED, UNICODE, DEFLATED, time(at), date(at)] {
            shared.extend(number.to_le_bytes());
        }
        for number in [crc.sum(), packed_size, size] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(length.to_le_bytes());
        shared.extend([0; 2]);

        self.bytes.extend(LOCAL.to_le_bytes());
        self.bytes.extend(&shared);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(packed);

        self.directory.extend(CENTRAL.to_le_bytes());
        self.directory.extend(NEEDED.to_le_bytes());
        self.directory.extend(&shared);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.files = files;
        true
    }

    /// The one file.
    pub fn finish(self) -> Vec<u8> {
        let Archive { mut bytes, directory, files } = self;
        let begin = bytes.len() as u32;
        bytes.extend(&directory);
        bytes.extend(END.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend([files.to_le_bytes(), files.to_le_bytes()].concat());
        bytes.extend((directory.len() as u32).to_le_bytes());
        bytes.extend(begin.to_le_bytes());
        bytes.extend([0; 2]);
        bytes
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

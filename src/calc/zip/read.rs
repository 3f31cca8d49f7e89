//! Opening.

use std::io::Read;
use std::ops::Range;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::{CENTRAL, DEFLATED, END, LOCAL, LOCKED, STORED, UNICODE};

/// Why nothing is given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// It is no archive, or its end is missing.
    NoArchive,
    /// The file needs a password, or was packed in another way.
    NotRead,
    /// The file is larger than is wanted.
    TooLarge,
    /// The file is another than was packed.
    Damaged,
}

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its name with its folders. What is not in Unicode is shown as well as it can be.
    pub name: String,
    header: usize,
    packed: usize,
    size: usize,
    crc: u32,
    method: u16,
    flags: u16,
}

/// The length of what stands at the end, without its remark.
const END_LENGTH: usize = 22;
/// The longest remark.
const REMARK: usize = 65_535;

/// The files in an archive, folders left out.
///
/// # Errors
/// [`Flaw::NoArchive`].
pub fn files(archive: &[u8]) -> Result<Vec<Packed>, Flaw> {
    let last = archive.len().checked_sub(END_LENGTH).ok_or(Flaw::NoArchive)?;
    let is_end = |at: &usize| {
        long(archive, *at) == Some(END)
            && short(archive, at + 20).is_some_and(|remark| at + END_LENGTH + usize::from(remark) == archive.len())
    };
    let end = (last.saturating_sub(REMARK)..=last).rev().find(is_end).ok_or(Flaw::NoArchive)?;
    let count = short(archive, end + 10).ok_or(Flaw::NoArchive)?;
    let mut at = long(archive, end + 16).ok_or(Flaw::NoArchive)? as usize;
    let mut files = Vec::new();
    for _ in 0..count {
        let (file, next) = entry(archive, at).ok_or(Flaw::NoArchive)?;
        files.extend(Some(file).filter(|file| !file.name.ends_with('/')));
        at = next;
    }
    Ok(files)
}

fn entry(archive: &[u8], at: usize) -> Option<(Packed, usize)> {
    if long(archive, at)? != CENTRAL {
        return None;
    }
    let (name, extra, remark) = (short(archive, at + 28)?, short(archive, at + 30)?, short(archive, at + 32)?);
    let begin = at + 46;
    let end = begin + usize::from(name);
    let flags = short(archive, at + 8)?;
    let bytes = archive.get(begin..end)?;
    // Many programs write UTF-8 without saying so.
    let name = match std::str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) if flags & UNICODE != 0 => return None,
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let file = Packed {
        name,
        header: long(archive, at + 42)? as usize,
        packed: long(archive, at + 20)? as usize,
        size: long(archive, at + 24)? as usize,
        crc: long(archive, at + 16)?,
        method: short(archive, at + 10)?,
        flags,
    };
    Some((file, end + usize::from(extra) + usize::from(remark)))
}

impl Packed {
    /// Its bytes, of which there may be `most`.
    ///
    /// # Errors
    /// Why it is not given out.
    pub fn open(&self, archive: &[u8], most: usize) -> Result<Vec<u8>, Flaw> {
        if self.flags & LOCKED != 0 || ![STORED, DEFLATED].contains(&self.method) {
            return Err(Flaw::NotRead);
        }
        if self.size > most {
            return Err(Flaw::TooLarge);
        }
        let packed = self.place(archive).and_then(|place| archive.get(place)).ok_or(Flaw::Damaged)?;
        let mut bytes = Vec::new();
        // One byte more than it says to have tells that it has more.
        let read = match self.method {
            STORED => packed.take(self.size as u64 + 1).read_to_end(&mut bytes),
            _ => DeflateDecoder::new(packed).take(self.size as u64 + 1).read_to_end(&mut bytes),
        };
        let mut crc = Crc::new();
        crc.update(&bytes);
        let is_whole = read.is_ok() && bytes.len() == self.size && crc.sum() == self.crc;
        if is_whole { Ok(bytes) } else { Err(Flaw::Damaged) }
    }

    /// Where its bytes lie.
    fn place(&self, archive: &[u8]) -> Option<Range<usize>> {
        if long(archive, self.header)? != LOCAL {
            return None;
        }
        let (name, extra) = (short(archive, self.header + 26)?, short(archive, self.header + 28)?);
        let begin = self.header + 30 + usize::from(name) + usize::from(extra);
        Some(begin..begin.checked_add(self.packed)?)
    }
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

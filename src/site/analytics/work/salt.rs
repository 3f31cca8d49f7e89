//! The random word of a day that makes visitors unknown: without it nobody finds out of which address a hash is.

use std::fs;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use hanok_base::secret::random_bytes;
use hanok_base::{Error, Result};
use hanok_platform::blocking;
use hanok_platform::config::one_caller;
use hanok_platform::store::folder::replace_whole;

/// The name of its file in `run/`.
pub const FILE: &str = "analytics.salt";

/// How many bytes of the file say the day; the word follows.
const OF_DAY: usize = 8;
const OF_WORD: usize = 32;

/// The salt of a day.
#[derive(Clone)]
pub struct Salt {
    /// The day, counted since the year 1.
    pub day: u64,
    word: [u8; OF_WORD],
}

impl Salt {
    /// A fresh one.
    pub fn new(day: u64) -> Salt {
        Salt { day, word: random_bytes() }
    }

    /// The hash of a visitor of this day: of the address (the network, for IPv6) and what the browser calls itself.
    pub fn visitor(&self, address: IpAddr, agent: &str) -> u64 {
        let hash = Sha256::new().chain_update(self.word);
        let hash = hash.chain_update(format!("{} {agent}", one_caller(address))).finalize();
        let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(hash);
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    fn bytes(&self) -> Vec<u8> {
        [&self.day.to_be_bytes()[..], &self.word].concat()
    }

    fn of(bytes: &[u8]) -> Option<Salt> {
        let (day, word) = bytes.split_at_checked(OF_DAY)?;
        Some(Salt { day: u64::from_be_bytes(day.try_into().ok()?), word: word.try_into().ok()? })
    }
}

/// The salt of `today` from its file; one of another day, or what is none, is removed.
///
/// # Errors
/// `INTERNAL` where the file cannot be read or removed.
pub async fn read(file: PathBuf, today: u64) -> Result<Option<Salt>> {
    let found = blocking::run(move |_| match fs::read(&file) {
        Ok(bytes) => match Salt::of(&bytes).filter(|salt| salt.day == today) {
            Some(salt) => Ok(Some(salt)),
            None => remove(&file).map(|()| None),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::internal(error)),
    });
    found.await
}

/// Puts `salt` into its file, or removes the file where there is none.
///
/// # Errors
/// `INTERNAL` where the file cannot be written or removed.
pub async fn keep(file: PathBuf, salt: Option<Salt>) -> Result<()> {
    let kept = blocking::run(move |_| match &salt {
        Some(salt) => replace_whole(&file, &salt.bytes()),
        None => remove(&file),
    });
    kept.await
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_is_the_same_by_one_salt_and_somebody_else_by_another() {
        let (today, address) = (Salt::new(739_900), IpAddr::from([203, 0, 113, 9]));
        let again = Salt::of(&today.bytes()).unwrap();
        assert_eq!(today.visitor(address, "a browser"), again.visitor(address, "a browser"));
        let others = [
            today.visitor(address, "another browser"),
            today.visitor(IpAddr::from([203, 0, 113, 10]), "a browser"),
            Salt::new(739_900).visitor(address, "a browser"),
        ];
        assert!(others.iter().all(|other| *other != today.visitor(address, "a browser")));
        assert!(Salt::of(b"short").is_none());
    }
}

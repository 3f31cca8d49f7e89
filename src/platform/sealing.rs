//! Secrets that the house must be able to read again, sealed: ChaCha20-Poly1305 (RFC 8439) under a random key that lies in
//! the data folder beside the store, is for its owner alone, and goes into no backup file. A seal covers the name of what is
//! sealed, so that no row passes for another's.
//!
//! Deliberately not here: where the sealed words are kept, and what is done where they open no more.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use tokio::sync::OnceCell;
use tracing::{info, warn};

use crate::blocking;
use crate::store::Store;
use crate::store::folder::replace_whole;
use hanok_base::{Error, Result, Shared};

/// The name of the file with the key in `run/`.
const KEY_FILE: &str = "tokens.key";

/// The handle to the key of this data folder; clones share it.
#[derive(Clone)]
pub struct Sealing(Shared<Inner>);

struct Inner {
    store: Store,
    key: OnceCell<Key>,
}

impl Sealing {
    /// What seals for the data folder of `store`; a store in memory has a key of its own.
    pub fn new(store: Store) -> Sealing {
        Sealing(Shared::new(Inner { store, key: OnceCell::default() }))
    }

    /// Seals `text` as what is called `name`, unique in the house. The first time it makes the key.
    ///
    /// # Errors
    /// `INTERNAL` where the key cannot be read or written.
    pub async fn seal(&self, name: &str, text: &[u8]) -> Result<String> {
        self.key().await?.seal(name, text)
    }

    /// What `sealed` holds. None where it was sealed under another key, under another name, or changed since, and where the
    /// key is gone: that another takes its place is for who seals.
    ///
    /// # Errors
    /// `INTERNAL` where the key cannot be read.
    pub async fn open(&self, name: &str, sealed: &str) -> Result<Option<Vec<u8>>> {
        if let Some(key) = self.0.key.get() {
            return Ok(key.open(name, sealed));
        }
        let Some(path) = self.path() else { return Ok(None) };
        match blocking::run(move |_| read(&path)).await? {
            Found::Key(bytes) => {
                let key = self.0.key.get_or_try_init(|| async { Key::of(&bytes) }).await?;
                Ok(key.open(name, sealed))
            }
            Found::Odd | Found::Nothing => Ok(None),
        }
    }

    /// The key by which is sealed; made where there is none.
    async fn key(&self) -> Result<&Key> {
        let make = || async {
            let Some(path) = self.path() else { return fresh().and_then(|bytes| Key::of(&bytes)) };
            let bytes = blocking::run(move |_| match read(&path)? {
                Found::Key(bytes) => Ok(bytes),
                Found::Odd => {
                    let aside = path.with_extension("key.before");
                    warn!(file = %path.display(), aside = %aside.display(), "this is no key: another takes its place");
                    fs::rename(&path, aside).map_err(Error::internal)?;
                    write(&path)
                }
                Found::Nothing => {
                    info!(file = %path.display(), "a key for secrets is made");
                    write(&path)
                }
            });
            bytes.await.and_then(|bytes| Key::of(&bytes))
        };
        self.0.key.get_or_try_init(make).await
    }

    /// Where the key lies; nowhere for a store in memory.
    fn path(&self) -> Option<PathBuf> {
        self.0.store.folder().map(|folder| folder.run().join(KEY_FILE))
    }
}

/// What lies where the key does.
enum Found {
    Key(Vec<u8>),
    /// Something that is no key.
    Odd,
    Nothing,
}

fn read(path: &Path) -> Result<Found> {
    match fs::read(path) {
        Ok(bytes) if bytes.len() == CHACHA20_POLY1305.key_len() => Ok(Found::Key(bytes)),
        Ok(_) => Ok(Found::Odd),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) => Err(Error::internal(error)),
    }
}

struct Key(LessSafeKey);

impl Key {
    fn of(bytes: &[u8]) -> Result<Key> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, bytes).map_err(|_| Error::internal("a key of another length"))?;
        Ok(Key(LessSafeKey::new(key)))
    }

    fn seal(&self, name: &str, text: &[u8]) -> Result<String> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        let mut sealed = text.to_vec();
        let outcome =
            self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(name), &mut sealed);
        outcome.map_err(|_| Error::internal("a secret could not be sealed"))?;
        Ok(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    fn open(&self, name: &str, sealed: &str) -> Option<Vec<u8>> {
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        self.0.open_in_place(nonce, Aad::from(name), sealed).ok().map(|text| text.to_vec())
    }
}

fn write(path: &Path) -> Result<Vec<u8>> {
    let bytes = fresh()?;
    replace_whole(path, &bytes)?;
    Ok(bytes)
}

fn fresh() -> Result<Vec<u8>> {
    let mut bytes = vec![0; CHACHA20_POLY1305.key_len()];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_under_its_key_by_its_name_and_unchanged_alone() {
        let (key, other) = (Key::of(&[7; 32]).unwrap(), Key::of(&[8; 32]).unwrap());
        let sealed = key.seal("videos", b"secret").unwrap();
        assert_ne!(key.seal("videos", b"secret").unwrap(), sealed, "no two seals are alike");
        assert_eq!(key.open("videos", &sealed).unwrap(), b"secret");
        assert_eq!((key.open("broker", &sealed), other.open("videos", &sealed)), (None, None));
        let mut bytes = URL_SAFE_NO_PAD.decode(&sealed).unwrap();
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            assert_eq!(key.open("videos", &URL_SAFE_NO_PAD.encode(&bytes)), None, "byte {at}");
            bytes[at] ^= 1;
        }
        for odd in ["", "AAAA", "no base64!"] {
            assert_eq!(key.open("videos", odd), None);
        }
    }
}

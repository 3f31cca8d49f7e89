//! Passphrases: Argon2id with the library's recommended cost (19 MiB, 2 passes), one at a time, off the async threads.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::blocking;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::sent::{Constraint, Refused};
use hanok_base::text::ONE_LINE;
use hanok_base::{Error, Result, Secret};

/// The fewest characters of a passphrase.
const SHORTEST: usize = 8;
/// The most characters of a passphrase.
const LONGEST: usize = 200;

/// Each hash takes 19 MiB: a NAS is not filled by callers who sign in at the same time.
static TURN: Semaphore = Semaphore::const_new(1);

/// The hash of `passphrase`, with its parameters and salt, as it is stored.
pub async fn hash(passphrase: Secret) -> Result<String> {
    let _turn = TURN.acquire().await.map_err(Error::internal)?;
    let hashed = blocking::run(move |_| {
        let hash = Argon2::default().hash_password(passphrase.reveal().as_bytes()).map_err(Error::internal)?;
        Ok(hash.to_string())
    });
    hashed.await
}

/// Whether `passphrase` is the one that was hashed.
pub async fn matches(passphrase: Secret, stored: String) -> Result<bool> {
    let _turn = TURN.acquire().await.map_err(Error::internal)?;
    let compared = blocking::run(move |_| {
        let hash = PasswordHash::new(&stored).map_err(Error::internal)?;
        Ok(Argon2::default().verify_password(passphrase.reveal().as_bytes(), &hash).is_ok())
    });
    compared.await
}

/// A new passphrase: neither too short nor too long, and such that it can be typed. Every character counts, also
/// a space at an end.
pub enum Passphrase {}

impl Constraint for Passphrase {
    type Sent = String;
    type Value = Secret;

    fn check(sent: String) -> Result<Secret, Refused> {
        let length = sent.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            return Err(format!("must be {SHORTEST} to {LONGEST} characters, has {length}").into());
        }
        if sent.trim().is_empty() || sent.chars().any(char::is_control) {
            return Err("must be letters, digits, signs and spaces, and not spaces alone".into());
        }
        Ok(Secret::new(sent))
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).min_length(SHORTEST).max_length(LONGEST);
        text.pattern(ONE_LINE).into()
    }
}

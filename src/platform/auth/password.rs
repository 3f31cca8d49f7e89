//! Passphrases: Argon2id with the library's recommended cost (19 MiB, 2 passes), one at a time, off the async threads.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::blocking;
use hanok_base::error::Check;
use hanok_base::{Error, Result, Secret};

/// The fewest characters of a passphrase.
pub const SHORTEST_PASSPHRASE: usize = 8;
/// The most characters of a passphrase.
pub const LONGEST_PASSPHRASE: usize = 200;

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

/// Refuses a passphrase that is too short or too long, or that nobody could type. Every character counts, also
/// a space at an end.
pub fn check_passphrase(passphrase: &str) -> Result<()> {
    let length = passphrase.chars().count();
    let mut check = Check::new();
    check.require(
        (SHORTEST_PASSPHRASE..=LONGEST_PASSPHRASE).contains(&length),
        "passphrase",
        format!("must be {SHORTEST_PASSPHRASE} to {LONGEST_PASSPHRASE} characters, has {length}"),
    );
    let typed = !passphrase.trim().is_empty() && !passphrase.chars().any(char::is_control);
    check.require(typed, "passphrase", "must be letters, digits, signs and spaces, and not spaces alone");
    check.done()
}

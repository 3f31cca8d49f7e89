//! Passphrases: Argon2id with the library's recommended cost (19 MiB, 2 passes), one at a time, off the async threads.

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::{Mutex, MutexGuard};

use crate::blocking;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::text::ONE_LINE;
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_base::{Error, Kind, MessageTemplate, Result, Secret, validation_messages};

/// The fewest characters of a passphrase.
const SHORTEST: usize = 8;
/// The most characters of a passphrase.
const LONGEST: usize = 200;
/// The most that a stored hash may ask for: 64 MiB, ten passes, four lanes. More would be a way to stop the machine.
const COSTLIEST: (u32, u32, u32) = (64 << 10, 10, 4);

/// The memory of a hash, kept from one to the next: freed, each would stay with the thread it was done on. A NAS is not
/// filled by callers who sign in at the same time, also when they do not wait for their answer.
static MEMORY: Mutex<Memory> = Mutex::const_new(Memory(Vec::new()));

struct Memory(Vec<Block>);

impl Memory {
    /// What comes of `passphrase`. Nothing of it stays in memory.
    fn hash(&mut self, argon2: &Argon2<'_>, passphrase: &Secret, salt: &[u8]) -> Result<Output> {
        let usual = Params::default().block_count();
        let blocks = argon2.params().block_count();
        self.0.resize(blocks.max(usual), Block::new());
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        let hashed =
            argon2.hash_password_into_with_memory(passphrase.reveal().as_bytes(), salt, &mut output, &mut self.0);
        self.0.fill(Block::new());
        if self.0.len() > usual {
            self.0.truncate(usual);
            self.0.shrink_to_fit();
        }
        hashed.map_err(Error::internal)?;
        Output::new(&output).map_err(Error::internal)
    }
}

/// The hash of `passphrase`, with its parameters and salt, as it is stored.
pub async fn hash(passphrase: Secret) -> Result<String> {
    in_turn(move |memory| {
        let (argon2, salt) = (Argon2::default(), Salt::generate());
        let output = memory.hash(&argon2, &passphrase, &salt)?;
        let hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::default().into()),
            params: argon2.params().try_into().map_err(Error::internal)?,
            salt: Some(salt),
            hash: Some(output),
        };
        Ok(hash.to_string())
    })
    .await
}

/// Whether `passphrase` is the one that was hashed.
///
/// # Errors
/// `INTERNAL` when `stored` is no hash; `CONFLICT` when it asks for more than this machine should give.
pub async fn matches(passphrase: Secret, stored: String) -> Result<bool> {
    in_turn(move |memory| {
        let hash = PasswordHash::new(&stored).map_err(Error::internal)?;
        let (Some(salt), Some(known)) = (&hash.salt, &hash.hash) else { return Err(Error::internal("no whole hash")) };
        let params = Params::try_from(&hash).map_err(Error::internal)?;
        let (memory_kib, passes, lanes) = COSTLIEST;
        if params.m_cost() > memory_kib || params.t_cost() > passes || params.p_cost() > lanes {
            return Err(Error::new(Kind::Conflict, TOO_COSTLY).because(hash.params));
        }
        let algorithm = Algorithm::try_from(hash.algorithm.as_str()).map_err(Error::internal)?;
        let version = hash.version.map_or(Ok(Version::default()), Version::try_from).map_err(Error::internal)?;
        // Compared in the same time whatever they have in common.
        Ok(memory.hash(&Argon2::new(algorithm, version, params), &passphrase, salt)? == *known)
    })
    .await
}

/// Whether `stored` can be the hash of a passphrase.
pub(super) fn is_hash(stored: &str) -> bool {
    PasswordHash::new(stored).is_ok_and(|hash| hash.salt.is_some() && hash.hash.is_some())
}

/// Does `work` with the one memory, also when nobody waits for it any more: until then it is not given to the next.
async fn in_turn<T: Send + 'static>(work: impl FnOnce(&mut Memory) -> Result<T> + Send + 'static) -> Result<T> {
    let mut memory: MutexGuard<'static, Memory> = MEMORY.lock().await;
    blocking::run(move |_| work(&mut memory)).await
}

const TYPEABLE: MessageTemplate =
    MessageTemplate::new("house.must.typeable", "must be letters, digits, signs and spaces, and not spaces alone");
const TOO_COSTLY: MessageTemplate = MessageTemplate::new(
    "house.passphrase_too_costly",
    "the stored passphrase asks for more work than any that hanok has set; set it anew with `hanok household passphrase --data-dir DIR`",
);

/// A new passphrase: neither too short nor too long, and such that it can be typed. Every character counts, also
/// a space at an end.
pub enum Passphrase {}

impl Constraint for Passphrase {
    type Input = String;
    type Value = Secret;

    fn check(sent: String) -> Result<Secret, ValidationErrors> {
        let length = sent.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            return Err(validation_messages::LENGTH
                .with([("least", SHORTEST.into()), ("most", LONGEST.into()), ("length", length.into())])
                .into());
        }
        if sent.trim().is_empty() || sent.chars().any(char::is_control) {
            return Err(TYPEABLE.into());
        }
        Ok(Secret::new(sent))
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).min_length(SHORTEST).max_length(LONGEST);
        text.pattern(ONE_LINE).into()
    }
}

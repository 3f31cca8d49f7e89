//! Slows down guessing at the customer door, where everybody may come: by the address that tries and by the account that
//! is tried, so that neither one address with many accounts nor many addresses with one get far. Whoever has come in from
//! an address before does not wait there for strangers who guess at the account.

use std::collections::{HashSet, VecDeque};
use std::net::IpAddr;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::password::matches;
use super::tries::Tries;
use crate::config::one_caller;
use hanok_base::secret::fingerprint;
use hanok_base::{Error, Kind, Moment, Result, Secret, Sentence};

/// Addresses and accounts that are counted apart at the same time.
const MOST: usize = 50_000;
/// Pairs of address and account that are remembered for their last success.
const KNOWN: usize = 10_000;
/// Passwords that wait to be hashed, one after the other.
const WAITING: usize = 16;

/// Somebody tries too often.
const TOO_MANY_TRIES: Sentence = Sentence::new("house.too_many_tries", "too many tries; try again in {seconds} s");

/// Who tries to come in at the customer door.
pub struct Visitors {
    /// Sign-ins of customers.
    pub customers: VisitorTries,
    /// Sign-ins of those who keep the shop.
    pub admins: VisitorTries,
    /// Mails that somebody asks for.
    pub letters: VisitorTries,
    waiting: Semaphore,
}

impl Default for Visitors {
    fn default() -> Self {
        Visitors {
            customers: VisitorTries::default(),
            admins: VisitorTries::default(),
            letters: VisitorTries::default(),
            waiting: Semaphore::new(WAITING),
        }
    }
}

impl Visitors {
    /// Whether `password` is the one of `hash`. Without one, because there is no such account, it takes as long to say no.
    ///
    /// # Errors
    /// `RATE_LIMITED` when too many wait; those of [`matches`].
    pub async fn is_right(&self, password: Secret, hash: Option<String>) -> Result<bool> {
        let _place = self.place()?;
        match hash {
            Some(hash) => matches(password, hash).await,
            None => super::password::hash(password).await.map(|_| false),
        }
    }

    /// The hash of a new password.
    ///
    /// # Errors
    /// `RATE_LIMITED` when too many wait.
    pub async fn hash(&self, password: Secret) -> Result<String> {
        let _place = self.place()?;
        super::password::hash(password).await
    }

    /// A place among those whose passwords are hashed: the memory and the time of the machine are not for strangers alone.
    fn place(&self) -> Result<SemaphorePermit<'_>> {
        self.waiting.try_acquire().map_err(|_| wait_for(WAITING as i64 / 4))
    }
}

/// Tries by the address that they come from and by the account that they are about.
#[derive(Debug, Default)]
pub struct VisitorTries(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    by_address: Tries<IpAddr>,
    by_account: Tries<String>,
    known: HashSet<(IpAddr, String)>,
    in_order: VecDeque<(IpAddr, String)>,
}

impl VisitorTries {
    /// Whether `address` may try `account` now. A try counts as a failure until [`VisitorTries::succeeded`] says otherwise.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait, whether or not there is such an account.
    pub fn admit(&self, address: IpAddr, account: &str, now: Moment) -> Result<()> {
        let (caller, account) = (one_caller(address), fingerprint(account));
        let mut counted = self.0.lock();
        let is_known = counted.known.contains(&(caller, account.clone()));
        let of_address = counted.by_address.left(&caller, now);
        let of_account = counted.by_account.left(&account, now).filter(|_| !is_known);
        if let Some(left) = of_address.max(of_account) {
            return Err(wait_for(left));
        }
        if counted.by_address.len().max(counted.by_account.len()) >= MOST && !is_known {
            return Err(wait_for(60));
        }
        counted.by_address.count(caller, now);
        counted.by_account.count(account, now);
        Ok(())
    }

    /// The last try of `address` at `account` was none to be held back. Its other tries, at other accounts, stay counted.
    pub fn succeeded(&self, address: IpAddr, account: &str) {
        let (caller, account) = (one_caller(address), fingerprint(account));
        let mut counted = self.0.lock();
        counted.by_address.forgive_one(&caller);
        counted.by_account.forget(&account);
        if counted.known.insert((caller, account.clone())) {
            counted.in_order.push_back((caller, account));
        }
        if counted.in_order.len() > KNOWN
            && let Some(oldest) = counted.in_order.pop_front()
        {
            counted.known.remove(&oldest);
        }
    }
}

fn wait_for(seconds: i64) -> Error {
    let seconds = seconds.unsigned_abs();
    Error::new(Kind::RateLimited, TOO_MANY_TRIES.with([("seconds", seconds.into())])).retry_after(seconds)
}

//! Slows down guessing at the customer door, where everybody may come: first of all by the address that tries and the account
//! that is tried, together, so that a stranger keeps nobody else out of an account, and a customer nobody else behind the same
//! address. Much later by the one and by the other alone, so that neither one address with many accounts nor many addresses
//! with one get far. Whoever has come in from an address before does not wait there for strangers who guess at the account.

use std::collections::{HashSet, VecDeque};
use std::net::IpAddr;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::password::matches;
use super::tries::Tries;
use crate::config::one_caller;
use hanok_base::secret::fingerprint;
use hanok_base::{Error, Kind, MessageTemplate, Moment, Result, Secret};

/// Addresses and accounts that are counted apart at the same time.
const MOST: usize = 50_000;
/// Failures of one address at whatever accounts that cost nothing: many people may come from it.
const FREE_OF_ADDRESS: u32 = 60;
/// Failures at one account from whatever addresses that cost nothing.
const FREE_OF_ACCOUNT: u32 = 100;
/// Pairs of address and account that are remembered for their last success.
const KNOWN: usize = 10_000;
/// Passwords that wait to be hashed, one after the other.
const WAITING: usize = 16;

/// Somebody tries too often.
const TOO_MANY_TRIES: MessageTemplate =
    MessageTemplate::new("house.too_many_tries", "too many tries; try again in {seconds} s");

/// Who tries to come in at the customer door.
pub struct Visitors {
    /// Sign-ins of customers.
    pub customers: VisitorTries,
    /// Sign-ins of those who keep the shop.
    pub admins: VisitorTries,
    /// Codes of the second step, of who has the password of one who keeps the shop.
    pub codes: VisitorTries,
    waiting: Semaphore,
}

impl Default for Visitors {
    fn default() -> Self {
        Visitors {
            customers: VisitorTries::default(),
            admins: VisitorTries::default(),
            codes: VisitorTries::default(),
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

#[derive(Debug)]
struct Counted {
    by_both: Tries<(IpAddr, String)>,
    by_address: Tries<IpAddr>,
    by_account: Tries<String>,
    known: HashSet<(IpAddr, String)>,
    in_order: VecDeque<(IpAddr, String)>,
}

impl Default for Counted {
    fn default() -> Self {
        Counted {
            by_both: Tries::default(),
            by_address: Tries::after(FREE_OF_ADDRESS),
            by_account: Tries::after(FREE_OF_ACCOUNT),
            known: HashSet::new(),
            in_order: VecDeque::new(),
        }
    }
}

impl VisitorTries {
    /// Whether `address` may try `account` now. A try counts as a failure until [`VisitorTries::succeeded`] says otherwise.
    ///
    /// # Errors
    /// `RATE_LIMITED` with the seconds to wait, whether or not there is such an account.
    pub fn admit(&self, address: IpAddr, account: &str, now: Moment) -> Result<()> {
        let both = (one_caller(address), fingerprint(account));
        let mut counted = self.0.lock();
        let is_known = counted.known.contains(&both);
        let of_account = counted.by_account.left(&both.1, now).filter(|_| !is_known);
        let of_address = counted.by_address.left(&both.0, now).filter(|_| !is_known);
        let left = counted.by_both.left(&both, now).max(of_address).max(of_account);
        if let Some(left) = left {
            return Err(wait_for(left));
        }
        if counted.by_both.len().max(counted.by_account.len()) >= MOST && !is_known {
            return Err(wait_for(60));
        }
        counted.by_address.count(both.0, now);
        counted.by_account.count(both.1.clone(), now);
        counted.by_both.count(both, now);
        Ok(())
    }

    /// Whether somebody came in from `address` to `account` before.
    pub fn knows(&self, address: IpAddr, account: &str) -> bool {
        self.0.lock().known.contains(&(one_caller(address), fingerprint(account)))
    }

    /// The last try of `address` at `account` was none to be held back. Its other tries, at other accounts, stay counted.
    pub fn succeeded(&self, address: IpAddr, account: &str) {
        let (caller, account) = (one_caller(address), fingerprint(account));
        let mut counted = self.0.lock();
        counted.by_both.forget(&(caller, account.clone()));
        counted.by_address.forgive_one(&caller);
        counted.by_account.forgive_one(&account);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        [203, 0, 113, number].into()
    }

    #[test]
    fn a_stranger_keeps_nobody_out_of_an_account_and_a_customer_nobody_behind_the_same_address() {
        let (tries, now) = (VisitorTries::default(), Moment::BEGIN);
        let tried = |from: u8, account: &str| tries.admit(address(from), account, now).is_ok();
        assert!((0..5).all(|_| tried(1, "jiwoo")));
        assert!(!tried(1, "jiwoo"), "who guesses waits");
        assert!(tried(2, "jiwoo") && tried(1, "hajun"), "and nobody else does");
    }

    #[test]
    fn neither_one_address_with_many_accounts_nor_many_addresses_with_one_get_far() {
        let (tries, now) = (VisitorTries::default(), Moment::BEGIN);
        let tried = |from: u8, account: &str| tries.admit(address(from), account, now).is_ok();
        assert!(tried(250, "jiwoo"));
        tries.succeeded(address(250), "jiwoo");
        assert_eq!((0..200).filter(|number| tried(1, &number.to_string())).count(), FREE_OF_ADDRESS as usize);
        tries.succeeded(address(1), "0");
        assert!((0..200).filter(|number| tried(1, &number.to_string())).count() <= 2, "others wait there");
        assert!(tried(1, "0"), "and not who has come in from there before");
        assert_eq!((2..=200).filter(|from| tried(*from, "jiwoo")).count(), FREE_OF_ACCOUNT as usize);
        assert!(tried(250, "jiwoo"), "who has come in before does not wait for strangers");
        assert!(tries.knows(address(250), "jiwoo") && !tries.knows(address(2), "jiwoo"));
    }
}

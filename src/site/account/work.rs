//! Signing in: what takes the time of a hash.

use std::net::IpAddr;

use hanok_base::{Error, Kind, Result, Secret, Sentence};
use hanok_platform::app::App;
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow};
use hanok_platform::store::WriteTx;

const WRONG: Sentence = Sentence::new("account.wrong_password", "no account has this mail address and this password");
const NOT_THE_PRESENT: Sentence = Sentence::new("account.not_the_present_password", "this is not the present password");

/// The device that signs in.
pub struct Device {
    /// From where it comes.
    pub address: IpAddr,
    /// What it calls itself.
    pub agent: String,
    /// The session that it came with.
    pub before: Option<String>,
}

/// Signs the customer of this address in. It takes the same time whether there is none, or another password.
///
/// # Errors
/// `UNAUTHORIZED`, the same for both; `RATE_LIMITED` when too often tried.
pub async fn sign_in(app: &App, mail: &str, password: Secret, device: Device) -> Result<String> {
    let account = auth::known_as(mail);
    let visitors = &app.access.visitors;
    visitors.customers.admit(device.address, &account, app.clock.moment())?;
    let asked = account.clone();
    let known = app.data.store.read_inline(move |tx| {
        let Some(customer) = auth::find_customer_by_mail(tx, &asked)? else { return Ok(None) };
        Ok(auth::customer_password(tx, &customer.id)?.map(|hash| (customer, hash)))
    });
    let known = known.await?;
    let hash = known.as_ref().map(|(_, hash)| hash.clone());
    let is_right = visitors.is_right(password, hash).await?;
    let wrong = || Error::new(Kind::Unauthorized, WRONG);
    let (customer, hash) = known.filter(|_| is_right).ok_or_else(wrong)?;
    let address = device.address;
    let begun = app.data.store.write(move |tx| {
        // Another password may have been set, or the account removed, while this one was looked at.
        if auth::customer_password(tx, &customer.id)? != Some(hash) {
            return Err(wrong());
        }
        begin(tx, &customer, &device)
    });
    let token = begun.await?;
    visitors.customers.succeeded(address, &account);
    Ok(token)
}

/// Begins a session of `customer` on this device and gives its token.
pub fn begin(tx: &WriteTx, customer: &CustomerRow, device: &Device) -> Result<String> {
    CUSTOMERS.begin(tx, &customer.id, device.before.as_deref(), &device.agent, device.address)
}

/// Whether `password` is the present one of the customer `id`.
///
/// # Errors
/// `FORBIDDEN` when it is not; `RATE_LIMITED` when too often tried.
pub async fn check_present(app: &App, id: &str, password: Secret, address: IpAddr) -> Result<()> {
    let visitors = &app.access.visitors;
    visitors.customers.admit(address, id, app.clock.moment())?;
    let asked = id.to_owned();
    let hash = app.data.store.read_inline(move |tx| auth::customer_password(tx, &asked)).await?;
    if !visitors.is_right(password, hash).await? {
        return Err(Error::new(Kind::Forbidden, NOT_THE_PRESENT));
    }
    visitors.customers.succeeded(address, id);
    Ok(())
}

//! Customers at the desk: listed, found by name or mail address, and one with what belongs to the account.

use super::super::model::{Member, MemberAtDesk, is_found};
use crate::{account, contact, quotes};
use hanok_base::{Error, Page, Result};
use hanok_platform::auth::{self, CUSTOMERS, CustomerRow};
use hanok_platform::store::ReadTransaction;

/// Customers, newest first, those of `words` where there are some, and how many these are. With words every customer is looked at.
///
/// # Errors
/// Those of reading.
pub fn list(tx: &impl ReadTransaction, words: &str, page: Page) -> Result<(Vec<Member>, u64)> {
    let (rows, total) = if words.trim().is_empty() { auth::list_customers(tx, page)? } else { find(tx, words, page)? };
    let members = rows.into_iter().map(|row| member(tx, row)).collect::<Result<_>>()?;
    Ok((members, total))
}

fn find(tx: &impl ReadTransaction, words: &str, page: Page) -> Result<(Vec<CustomerRow>, u64)> {
    let (mut found, mut total) = (Vec::new(), 0);
    for customer in auth::walk_customers(tx) {
        let customer = customer?;
        if !is_found(words, &customer.mail, &account::profile(tx, &customer.id)?.name) {
            continue;
        }
        if total >= page.offset && found.len() < page.limit {
            found.push(customer);
        }
        total += 1;
    }
    Ok((found, total as u64))
}

fn member(tx: &impl ReadTransaction, customer: CustomerRow) -> Result<Member> {
    let id = customer.id;
    Ok(Member {
        name: account::profile(tx, &id)?.name,
        last_seen_at: CUSTOMERS.list(tx, &id)?.iter().map(|session| session.last_seen_at).max(),
        has_password: auth::customer_password(tx, &id)?.is_some(),
        providers: auth::list_identities(tx, &id)?.into_iter().map(|identity| identity.issuer).collect(),
        mail: Some(customer.mail).filter(|mail| !mail.is_empty()),
        created_at: customer.created_at,
        quotes: quotes::linked_to(tx, &id)?.len() as u64,
        id,
    })
}

/// The customer `id` with what belongs to the account.
///
/// # Errors
/// `NOT_FOUND`.
pub fn one(tx: &impl ReadTransaction, id: &str) -> Result<MemberAtDesk> {
    let customer = auth::find_customer(tx, id)?.ok_or_else(|| Error::not_found("customer"))?;
    let requests = match customer.mail.as_str() {
        "" => Vec::new(),
        mail => contact::list_by_mail(tx, mail)?,
    };
    Ok(MemberAtDesk {
        sessions: CUSTOMERS.list(tx, id)?.len() as u64,
        requests: requests.into_iter().map(Into::into).collect(),
        linked_quotes: quotes::linked_to(tx, id)?.into_iter().map(Into::into).collect(),
        member: member(tx, customer)?,
    })
}

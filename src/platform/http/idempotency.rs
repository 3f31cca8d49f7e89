//! `Idempotency-Key`: the same key with the same body gives the first answer again for 24 hours, also after
//! a restart. The answer is written in the transaction of the change itself, so that there is never one
//! without the other.

use std::ops::ControlFlow;

use chrono::{DateTime, Duration, Utc};
use salvo::extract::Metadata;
use salvo::http::HeaderValue;
use salvo::oapi::{BasicType, Components, EndpointArgRegister, Object, Operation, Parameter, ParameterIn};
use salvo::{Depot, Extractible, Request};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::answer::Answer;
use super::input::{none, raw_body};
use crate::app::App;
use crate::store::{Order, Reads, Table, WriteTx};
use hanok_base::secret::hex;
use hanok_base::{Error, Kind, Result};

/// Table: first answers. Key: method, path and idempotency key. Value: the answer and what it answered.
const ANSWERS: Table<&'static str, FirstAnswer> = Table::new("idempotency-1");
/// Table: first answers by age. Key: milliseconds since 1970 and the key above. Value: nothing.
const BY_TIME: Table<(u64, &'static str), ()> = Table::new("idempotency_by_time-1");

/// How long a first answer is given again.
const KEPT: Duration = Duration::hours(24);
/// The longest key that is taken.
const LONGEST_KEY: usize = 200;

/// The caller's wish that this request happens once.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    scope: Option<String>,
    body_sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct FirstAnswer {
    body_sha256: String,
    answer: serde_json::Value,
    at: DateTime<Utc>,
}

impl IdempotencyKey {
    /// Runs `write` and keeps its answer; with a key that was used before gives that answer instead.
    ///
    /// # Errors
    /// Those of `write`, which are not kept; `IDEMPOTENCY_CONFLICT` when the key came with another body.
    pub async fn write<T, F>(self, app: &App, write: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
    {
        app.data
            .store
            .write(move |tx| {
                let Some(scope) = &self.scope else { return write(tx) };
                if let Some(first) = self.first_in(tx)? {
                    return Ok(first);
                }
                let value = write(tx)?;
                let answer = serde_json::to_value(&value).map_err(Error::internal)?;
                let first = FirstAnswer { body_sha256: self.body_sha256.clone(), answer, at: tx.now() };
                tx.put(&ANSWERS, scope.as_str(), &first)?;
                tx.put(&BY_TIME, (millis(tx.now()), scope.as_str()), &())?;
                Ok(value)
            })
            .await
    }

    /// The first answer, if this request was answered before: for work that is more than a transaction, which
    /// asks first and ends with [`IdempotencyKey::write`].
    ///
    /// # Errors
    /// `IDEMPOTENCY_CONFLICT` when the key came with another body.
    pub async fn first<T: DeserializeOwned + Send + 'static>(&self, app: &App) -> Result<Option<T>> {
        if self.scope.is_none() {
            return Ok(None);
        }
        let once = self.clone();
        app.data.store.read(move |tx| once.first_in(tx)).await
    }

    fn first_in<T: DeserializeOwned>(&self, tx: &impl Reads) -> Result<Option<T>> {
        let Some(scope) = &self.scope else { return Ok(None) };
        let first = tx.get(&ANSWERS, scope.as_str())?.filter(|first| tx.now() - first.at < KEPT);
        let Some(first) = first else { return Ok(None) };
        if first.body_sha256 != self.body_sha256 {
            let message = "this Idempotency-Key was used before with another body";
            return Err(Error::new(Kind::IdempotencyConflict, message));
        }
        serde_json::from_value(first.answer).map(Some).map_err(Error::internal)
    }
}

/// Removes first answers that are no longer given. Gives how many.
pub fn purge(tx: &WriteTx) -> Result<usize> {
    let oldest = millis(tx.now() - KEPT);
    let mut old = Vec::new();
    tx.each(&BY_TIME, (0u64, "")..(oldest, ""), Order::Ascending, |(at, scope), _| {
        old.push((at, scope.to_owned()));
        Ok(ControlFlow::Continue(()))
    })?;
    for (at, scope) in &old {
        tx.remove(&BY_TIME, (*at, scope.as_str()))?;
        if tx.get(&ANSWERS, scope.as_str())?.is_some_and(|first| millis(first.at) == *at) {
            tx.remove(&ANSWERS, scope.as_str())?;
        }
    }
    Ok(old.len())
}

fn millis(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_millis()).unwrap_or(0)
}

impl<'ex> Extractible<'ex> for IdempotencyKey {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Answer<Self> {
        let Some(key) = key_of(req.headers().get_all("idempotency-key"))? else {
            return Ok(IdempotencyKey { scope: None, body_sha256: String::new() });
        };
        let target = req.uri().path_and_query().map(|target| target.as_str()).unwrap_or_default();
        let scope = Some(format!("{} {} {key}", req.method(), target));
        let body = raw_body(req, depot).await?;
        Ok(IdempotencyKey { scope, body_sha256: hex(&Sha256::digest(body)) })
    }
}

/// The one key of a request, if it has one.
fn key_of<'h>(sent: impl IntoIterator<Item = &'h HeaderValue>) -> Result<Option<&'h str>> {
    let refused = |must: &str| Error::field("Idempotency-Key", must);
    let mut sent = sent.into_iter();
    let Some(key) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(refused("must be there once"));
    }
    let is_key = |key: &&str| (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = key.to_str().ok().filter(is_key);
    key.map(Some).ok_or_else(|| refused("must be 1 to 200 visible ASCII characters without spaces"))
}

impl EndpointArgRegister for IdempotencyKey {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        let parameter = Parameter::new("Idempotency-Key")
            .location(ParameterIn::Header)
            .required(false)
            .description("The same key with the same body gives the first answer again for 24 hours")
            .schema(Object::with_type(BasicType::String).min_length(1).max_length(LONGEST_KEY).pattern("^[!-~]+$"));
        operation.parameters.insert(parameter);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_header_is_a_key_as_it_was_sent_or_refused_by_its_name(
            value in prop_oneof![prop::collection::vec(any::<u8>(), 0..40), "[!-~]{1,210}".prop_map(String::into_bytes)],
        ) {
            let Ok(header) = HeaderValue::from_bytes(&value) else { return Ok(()) };
            let is_key = (1..=200).contains(&value.len()) && value.iter().all(|byte| (b'!'..=b'~').contains(byte));
            match key_of([&header]) {
                Ok(key) => prop_assert!(is_key && key.map(str::as_bytes) == Some(&value)),
                Err(error) => {
                    prop_assert!(!is_key && error.kind == Kind::InvalidInput);
                    prop_assert!(error.fields.contains_key("Idempotency-Key"));
                }
            }
            prop_assert!(key_of([&header, &header]).is_err(), "which of two it is, nobody can say");
        }
    }

    #[test]
    fn without_the_header_there_is_no_key() {
        assert_eq!(key_of([]).unwrap(), None);
    }
}

//! `Idempotency-Key`: the same request with the same key is done once, and its answer is given again for 24 hours, also
//! after a restart.
//!
//! A key belongs to the door, the caller, the method, the route with its parameters, and the query, however they were
//! spelled: whatever reaches the same handler with the same wishes is the same request. It is claimed before work begins
//! ([`Claims`](crate::claims::Claims)), so that requests at the same time do the work once; what the work gives to be
//! written and the answer are written in one transaction, so that there is never one without the other. A failure is
//! not kept: the next request works anew.
//!
//! A crash in between frees the key. Nothing else could be right: whether the work was done shows in what it wrote, and
//! that is written together with the answer. Work that reaches outside the store before it writes may so be done again
//! after a crash. What must not be, the request only queues, as a job whose
//! [`RESUME`](crate::jobs::Job::RESUME) is off: a restart does not ask it again.

use std::future::{Future, Ready, ready};

use chrono::{DateTime, Duration, Utc};
use form_urlencoded::byte_serialize;
use salvo::extract::Metadata;
use salvo::http::HeaderValue;
use salvo::oapi::{BasicType, Components, EndpointArgRegister, Object, Operation, Parameter, ParameterIn};
use salvo::{Depot, Extractible, Request};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::input::{none, of_body, raw_body};
use super::permission::Permission;
use super::refusal::Answer;
use crate::app::App;
use crate::claims::used_for_another_request;
use crate::store::{Declared, Migration, Order, Reads, Table, WriteTx};
use hanok_base::secret::hex;
use hanok_base::{Error, Result, day};

/// Table: first answers. Key: door, caller, method, target as [`target`] spells it, and idempotency key. Value: the
/// answer and what it answered.
const ANSWERS: Table<&'static str, FirstAnswer> = Table::new("idempotency-1");
/// Table: first answers by age. Key: milliseconds since 1970 and the key above. Value: nothing.
const BY_TIME: Table<(u64, &'static str), ()> = Table::new("idempotency_by_time-1");

/// Every table of the first answers.
pub const TABLES: &[&dyn Declared] = &[&ANSWERS, &BY_TIME];

/// Keys of store version 1 begin with their method, and all of them are the household's: no other door gave answers.
pub const MIGRATIONS: &[Migration] = &[Migration {
    to: 2,
    name: "idempotency: first answers belong to the household",
    needed: |tx| Ok(tx.first(&ANSWERS, OF_NOBODY.0..OF_NOBODY.1, Order::Ascending)?.is_some()),
    apply: give_to_the_household,
}];
/// Where keys lie that begin with a method: doors have names in small letters.
const OF_NOBODY: (&str, &str) = ("A", "[");

/// A first answer as that step found it; what else is said there stays as it is.
#[derive(Serialize, Deserialize)]
struct OfNobody {
    at: DateTime<Utc>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

fn give_to_the_household(tx: &WriteTx) -> Result<()> {
    const ANSWERS: Table<&'static str, OfNobody> = Table::new(super::idempotency::ANSWERS.name());
    for entry in tx.entries(&ANSWERS, OF_NOBODY.0..OF_NOBODY.1, Order::Ascending) {
        let entry = entry?;
        let (before, first) = (entry.key(), entry.value()?);
        let after = format!("ops household {before}");
        let at = day::millis(first.at);
        tx.put(&ANSWERS, after.as_str(), &first)?;
        tx.put(&BY_TIME, (at, after.as_str()), &())?;
        tx.remove(&ANSWERS, before)?;
        tx.remove(&BY_TIME, (at, before))?;
    }
    Ok(())
}

/// How long a first answer is given again.
const KEPT: Duration = Duration::hours(24);
/// The longest key that is taken.
const LONGEST_KEY: usize = 200;

/// The caller's wish that this request happens once.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(Option<Keyed>);

/// A request that came with a key.
#[derive(Debug, Clone)]
struct Keyed {
    /// Method, target and key.
    request: String,
    body_sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct FirstAnswer {
    body_sha256: String,
    answer: Value,
    at: DateTime<Utc>,
}

impl IdempotencyKey {
    /// Does `work`, writes what it gives, and answers with what was written. When `caller` has used the key before,
    /// gives that answer instead; while that is under way, waits for it.
    ///
    /// # Errors
    /// Those of the work and of the write, which are not kept; `IDEMPOTENCY_CONFLICT` when the key came with another
    /// body.
    pub async fn once<T, Work, Worked, Write>(self, app: &App, caller: &impl Permission, work: Work) -> Result<T>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        Work: FnOnce(App) -> Worked,
        Worked: Future<Output = Result<Write>> + Send + 'static,
        Write: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
    {
        let worked = work(app.clone());
        let Some(Keyed { request, body_sha256 }) = self.0 else {
            return app.data.store.write(worked.await?).await;
        };
        let caller = format!("{} {}", caller.door().name(), caller.caller());
        let scope = format!("{caller} {request}");
        let store = app.data.store.clone();
        let answered = {
            let (scope, body_sha256) = (scope.clone(), body_sha256.clone());
            async move {
                let asked = (scope.clone(), body_sha256.clone());
                if let Some(first) = store.read_inline(move |tx| find(tx, &asked.0, &asked.1)).await? {
                    return Ok(first);
                }
                let write = worked.await?;
                store.write(move |tx| keep(tx, &scope, body_sha256, &write(tx)?)).await
            }
        };
        let answer = app.workers.claims.run(&caller, &request, &body_sha256, answered).await?;
        serde_json::from_value(answer).map_err(Error::internal)
    }
}

/// Work that is nothing but a write.
pub fn to_write<T, Write>(write: Write) -> impl FnOnce(App) -> Ready<Result<Write>>
where
    Write: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
{
    |_| ready(Ok(write))
}

fn find(tx: &impl Reads, scope: &str, body_sha256: &str) -> Result<Option<Value>> {
    let first = tx.get(&ANSWERS, scope)?.filter(|first| tx.now() - first.at < KEPT);
    let Some(first) = first else { return Ok(None) };
    if first.body_sha256 == body_sha256 { Ok(Some(first.answer)) } else { Err(used_for_another_request()) }
}

fn keep(tx: &WriteTx, scope: &str, body_sha256: String, value: &impl Serialize) -> Result<Value> {
    let answer = serde_json::to_value(value).map_err(Error::internal)?;
    tx.put(&ANSWERS, scope, &FirstAnswer { body_sha256, answer: answer.clone(), at: tx.now() })?;
    tx.put(&BY_TIME, (day::millis(tx.now()), scope), &())?;
    Ok(answer)
}

/// Removes first answers that are no longer given. Gives how many.
pub fn purge(tx: &WriteTx) -> Result<usize> {
    let oldest = day::millis(tx.now() - KEPT);
    let mut removed = 0;
    for entry in tx.entries(&BY_TIME, (0u64, "")..(oldest, ""), Order::Ascending) {
        let entry = entry?;
        let (at, scope) = entry.key();
        tx.remove(&BY_TIME, (at, scope))?;
        if tx.get(&ANSWERS, scope)?.is_some_and(|first| day::millis(first.at) == at) {
            tx.remove(&ANSWERS, scope)?;
        }
        removed += 1;
    }
    Ok(removed)
}

impl<'ex> Extractible<'ex> for IdempotencyKey {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Answer<Self> {
        let Some(key) = key_of(req.headers().get_all("idempotency-key"))? else { return Ok(IdempotencyKey(None)) };
        let request = format!("{} {} {key}", req.method(), target(req));
        let body = raw_body(req, depot).await?;
        let body_sha256 = of_body(body, |body| hex(&Sha256::digest(body))).await?;
        Ok(IdempotencyKey(Some(Keyed { request, body_sha256 })))
    }
}

/// What a request is sent to, in one spelling: the route that matched with its parameters in their places, then the
/// query in order. A path has many spellings that match (`/api/todos/`, `/api/%74odos`), and so has a query.
fn target(req: &Request) -> String {
    let mut target = String::new();
    for (number, part) in req.matched_path().split('{').enumerate() {
        let (parameter, literal) = if number == 0 { ("", part) } else { part.split_once('}').unwrap_or((part, "")) };
        let value = req.params().get(parameter.trim_start_matches(['*', '+', '?']));
        target.extend(value.into_iter().flat_map(|value| byte_serialize(value.as_bytes())));
        target.push_str(literal);
    }
    let mut query: Vec<_> = form_urlencoded::parse(req.uri().query().unwrap_or_default().as_bytes()).collect();
    query.sort();
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    format!("/{target}{}{query}", if query.is_empty() { "" } else { "?" })
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
    use std::borrow::Cow;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::http::DoorKind;
    use crate::jobs::Jobs;
    use crate::testing::{app, draw_night};
    use hanok_base::{Clock, Kind};

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

    /// Whoever a permission of some door let in.
    struct Caller(DoorKind, &'static str);

    impl Permission for Caller {
        fn door(&self) -> DoorKind {
            self.0
        }

        fn caller(&self) -> Cow<'static, str> {
            self.1.into()
        }
    }

    const HOUSEHOLD: Caller = Caller(DoorKind::Ops, "household");

    /// Asks for something in the name of `caller`; gives which time it is that this is done.
    async fn ask(app: &App, caller: &Caller, request: &str, body: &str) -> Result<u64> {
        let key = IdempotencyKey(Some(Keyed { request: request.to_owned(), body_sha256: body.to_owned() }));
        key.once(app, caller, to_write(|tx| tx.next_id("times"))).await
    }

    #[tokio::test]
    async fn a_key_belongs_to_its_door_its_caller_and_its_request() {
        let app = app(&Clock::held(draw_night()), Jobs::default());
        let stranger = Caller(DoorKind::Site, "address:203.0.113.9");
        let at_the_other_door = Caller(DoorKind::Site, "household");
        let another = Caller(DoorKind::Site, "address:203.0.113.10");
        let mut times = Vec::new();
        for caller in [&HOUSEHOLD, &stranger, &at_the_other_door, &another] {
            times.push(ask(&app, caller, "POST /api/contact key", "body").await.unwrap());
        }
        times.push(ask(&app, &HOUSEHOLD, "POST /api/todos key", "body").await.unwrap());
        assert_eq!(times, [1, 2, 3, 4, 5]);
        for (caller, time) in [(&HOUSEHOLD, 1), (&stranger, 2), (&at_the_other_door, 3), (&another, 4)] {
            assert_eq!(ask(&app, caller, "POST /api/contact key", "body").await.unwrap(), time);
            let refused = ask(&app, caller, "POST /api/contact key", "another body").await.unwrap_err();
            assert_eq!(refused.kind, Kind::IdempotencyConflict);
        }
    }

    #[tokio::test]
    async fn an_answer_of_an_earlier_version_is_given_to_the_household_again_and_runs_out() {
        let clock = Clock::held(draw_night());
        let app = app(&clock, Jobs::default());
        let written = app.data.store.write(|tx| {
            let first = FirstAnswer { body_sha256: "body".to_owned(), answer: 99.into(), at: tx.now() };
            tx.put(&ANSWERS, "POST /api/todos key", &first)?;
            tx.put(&BY_TIME, (day::millis(tx.now()), "POST /api/todos key"), &())
        });
        written.await.unwrap();
        assert!(app.data.store.read(MIGRATIONS[0].needed).await.unwrap());
        app.data.store.write(MIGRATIONS[0].apply).await.unwrap();
        assert!(!app.data.store.read(MIGRATIONS[0].needed).await.unwrap());
        assert_eq!(ask(&app, &HOUSEHOLD, "POST /api/todos key", "body").await.unwrap(), 99);
        clock.set(draw_night() + KEPT + Duration::seconds(1));
        assert_eq!(app.data.store.write(purge).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_failed_attempt_is_not_kept_and_an_answer_only_for_a_day() {
        let clock = Clock::held(draw_night());
        let app = app(&clock, Jobs::default());
        let key = || IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new() }));
        let fails = key().once(&app, &HOUSEHOLD, to_write(|_| Err::<u64, _>(Error::conflict("not now"))));
        assert_eq!(fails.await.unwrap_err().kind, Kind::Conflict);
        assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 1);
        clock.set(draw_night() + KEPT - Duration::seconds(1));
        assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 1);
        clock.set(draw_night() + KEPT);
        assert_eq!(ask(&app, &HOUSEHOLD, "POST /x key", "").await.unwrap(), 2);
    }

    #[tokio::test]
    async fn work_is_done_once_and_what_it_gives_is_written_with_the_answer() {
        let app = app(&Clock::held(draw_night()), Jobs::default());
        let worked = Arc::new(AtomicUsize::new(0));
        let ask = || {
            let worked = worked.clone();
            let key = IdempotencyKey(Some(Keyed { request: "POST /x key".to_owned(), body_sha256: String::new() }));
            key.once(&app, &HOUSEHOLD, |_| async move {
                worked.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                Ok(|tx: &WriteTx| tx.next_id("times"))
            })
        };
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        assert_eq!([first.unwrap(), second.unwrap(), third.unwrap()], [1, 1, 1]);
        assert_eq!((ask().await.unwrap(), worked.load(Ordering::Relaxed)), (1, 1));
    }
}

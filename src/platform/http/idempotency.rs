//! `Idempotency-Key`: the same request with the same key is done once, and its answer is given again for 24 hours, also
//! after a restart.
//!
//! A key belongs to the door, the caller, the method, the route with its parameters, and the query, however they were
//! spelled: whatever reaches the same handler with the same wishes is the same request. It is claimed before work begins
//! ([`SingleFlight`](crate::single_flight::SingleFlight)), so that requests at the same time do the work once; what the work gives to be
//! written and the answer are written in one transaction, so that there is never one without the other
//! ([`IdempotencyKey::once`]). Work that changes by itself what no transaction takes back is done to its end, and what it
//! did is the answer ([`IdempotencyKey::once_for_good`]). A failure is not kept, unless
//! somebody was told that the work goes on: the next request works anew.
//!
//! A crash in between frees the key. Nothing else could be right: whether the work was done shows in what it wrote, and
//! that is written together with the answer. Work that reaches outside the store before it writes may so be done again
//! after a crash. What must not be, the request only queues, as a job whose
//! [`RESUME`](crate::jobs::Job::RESUME) is off: a restart does not ask it again.

use std::future::{Future, Ready, ready};
use std::sync::Arc;

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
use tracing::warn;

use super::api_error::HandlerResult;
use super::body_limits::TakenRoom;
use super::input::{none, of_body, raw_body};
use super::permission::Permission;
use crate::app::App;
use crate::single_flight::{KeepOutcome, used_for_another_request};
use crate::store::{
    Declared, Migration, Order, PreservedOnRestore, ReadTransaction, StorageState, Store, Table, WriteTx,
};
use hanok_base::secret::hex;
use hanok_base::{Error, Kind, Message, MessageTemplate, Result, day};

const KEY_ONCE: MessageTemplate = MessageTemplate::new("house.must.key_once", "must be there once");
const KEY_FORM: MessageTemplate =
    MessageTemplate::new("house.must.key_form", "must be 1 to {most} visible ASCII characters without spaces");

/// Table: first answers. Key: door, caller, method, target as [`target`] spells it, and idempotency key. Value: the
/// answer and what it answered.
const ANSWERS: Table<&'static str, FirstAnswer> = Table::new("idempotency-1");
/// Table: first answers by age. Key: milliseconds since 1970 and the key above. Value: nothing.
const BY_TIME: Table<(u64, &'static str), ()> = Table::new("idempotency_by_time-1");

/// Every table of the first answers.
pub const TABLES: &[&dyn Declared] = &[&ANSWERS, &BY_TIME];

/// No first answer is in a file that leaves the house: some hold links.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore {
    carry: |_, _| Ok(()),
    forget: |tx| {
        tx.clear(&ANSWERS)?;
        tx.clear(&BY_TIME)
    },
}];

/// Keys of store version 1 begin with their method, and all of them are the household's: no other door gave answers.
pub const MIGRATIONS: &[Migration] = &[Migration {
    to: 2,
    name: "idempotency: first answers belong to the household",
    title: (
        "되풀이된 요청에 줄 답을 집 것으로 옮겼습니다",
        "Answers kept for repeated requests belong to the household",
    ),
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
    /// The room of its body, which the work holds, whoever goes away meanwhile.
    room: Option<Arc<TakenRoom>>,
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
        let Some(Keyed { request, body_sha256, room }) = self.0 else {
            return app.data.store.write(worked.await?).await;
        };
        let caller = name_of(caller);
        let scope = format!("{caller} {request}");
        let store = app.data.store.clone();
        let answered = {
            let body_sha256 = body_sha256.clone();
            async move {
                let _room = room;
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

    /// Does `work`, which changes what no transaction takes back, to its end, with a key or without one and whoever
    /// waits for it. What it gives is the answer, also where that cannot be kept: nothing that comes after it may say
    /// that nothing was changed. The first answer under a key is given again as [`IdempotencyKey::once`] does. None where
    /// the work takes longer than `wait_timeout` and goes on: who asks again under the key hears what came of it.
    ///
    /// # Errors
    /// Those of the work, which are kept for some minutes where somebody was told that it goes on, and else not;
    /// `IDEMPOTENCY_CONFLICT` when the key came with another body.
    pub async fn once_for_good<T, Worked>(
        self,
        app: &App,
        caller: &impl Permission,
        wait_timeout: std::time::Duration,
        work: impl FnOnce(App) -> Worked,
    ) -> Result<Option<T>>
    where
        T: Serialize + DeserializeOwned,
        Worked: Future<Output = Result<T>> + Send + 'static,
    {
        let (worked, caller) = (work(app.clone()), name_of(caller));
        let worked = async move { serde_json::to_value(worked.await?).map_err(Error::internal) };
        let answer = match self.0 {
            None => {
                let heard =
                    tokio::time::timeout(wait_timeout, app.workers.claims.run_without_key(&caller, worked)).await;
                heard.ok().transpose()
            }
            Some(Keyed { request, body_sha256, room }) => {
                let (store, scope, sha256) =
                    (app.data.store.clone(), format!("{caller} {request}"), body_sha256.clone());
                let answered = async move {
                    let _room = room;
                    if let Some(first) = first_answer(&store, &scope, &sha256).await? {
                        return Ok(first);
                    }
                    let answer = worked.await?;
                    let to_keep = answer.clone();
                    if let Err(error) = store.write(move |tx| keep(tx, &scope, sha256, &to_keep)).await {
                        warn!(%error, "what was done cannot be kept as the first answer under its key");
                    }
                    Ok(answer)
                };
                let claims = &app.workers.claims;
                claims.run_soon(&caller, &request, &body_sha256, answered, wait_timeout, KeepOutcome::Minutes).await
            }
        };
        answer?.map(serde_json::from_value).transpose().map_err(Error::internal)
    }
}

impl IdempotencyKey {
    /// That of a form whose fields have the digest `body_sha256`. The digest belongs to the key, too: who goes back, types
    /// something else and sends it again asks for something else. A form without a key is done each time that it is sent.
    pub(super) fn of_form(req: &Request, key: &str, body_sha256: String, room: Option<Arc<TakenRoom>>) -> Self {
        if !is_key(key) {
            return IdempotencyKey(None);
        }
        let request = format!("{} {} {key}-{body_sha256}", req.method(), target(req));
        IdempotencyKey(Some(Keyed { request, body_sha256, room }))
    }
}

/// The first answer, if there is one. A store that is damaged or away does not say: what is asked for may be what puts it
/// right.
async fn first_answer(store: &Store, scope: &str, body_sha256: &str) -> Result<Option<Value>> {
    let (scope, body_sha256) = (scope.to_owned(), body_sha256.to_owned());
    let found = store.read_inline(move |tx| find(tx, &scope, &body_sha256)).await;
    found.or_else(|error| match (store.state(), error.kind) {
        (StorageState::Damaged, _) | (_, Kind::StorageAway) => Ok(None),
        _ => Err(error),
    })
}

/// Who claims a key.
fn name_of(caller: &impl Permission) -> String {
    format!("{} {}", caller.door().name(), caller.caller())
}

/// Work that is nothing but a write.
pub fn tx_op<T, Write>(write: Write) -> impl FnOnce(App) -> Ready<Result<Write>>
where
    Write: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
{
    |_| ready(Ok(write))
}

/// Work that is a write of what `check` lets pass at this instant: what it refuses does not wait for the writer.
pub fn validated_tx_op<T, Write>(
    check: impl FnOnce(DateTime<Utc>) -> Result<Write>,
) -> impl FnOnce(App) -> Ready<Result<Write>>
where
    Write: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
{
    |app| ready(check(app.clock.now()))
}

fn find(tx: &impl ReadTransaction, scope: &str, body_sha256: &str) -> Result<Option<Value>> {
    let first = tx.get(&ANSWERS, scope)?.filter(|first| (tx.now() - first.at).abs() < KEPT);
    let Some(first) = first else { return Ok(None) };
    if first.body_sha256 == body_sha256 { Ok(Some(first.answer)) } else { Err(used_for_another_request()) }
}

fn keep(tx: &WriteTx, scope: &str, body_sha256: String, value: &impl Serialize) -> Result<Value> {
    let answer = serde_json::to_value(value).map_err(Error::internal)?;
    tx.put(&ANSWERS, scope, &FirstAnswer { body_sha256, answer: answer.clone(), at: tx.now() })?;
    tx.put(&BY_TIME, (day::millis(tx.now()), scope), &())?;
    Ok(answer)
}

/// Forgets the first answers about the thing of this id: those that give it as theirs, and those to what was asked of it.
///
/// # Errors
/// Those of writing.
pub fn forget_about(tx: &WriteTx, id: &str) -> Result<()> {
    for entry in tx.entries(&ANSWERS, "".., Order::Ascending) {
        let entry = entry?;
        // One of another version is purged by its age.
        let Ok(first) = entry.value() else { continue };
        if first.answer.get("id").and_then(Value::as_str) == Some(id) || entry.key().contains(id) {
            tx.remove(&ANSWERS, entry.key())?;
            tx.remove(&BY_TIME, (day::millis(first.at), entry.key()))?;
        }
    }
    Ok(())
}

/// Removes first answers that are no longer given. Gives how many.
pub fn purge(tx: &WriteTx) -> Result<usize> {
    let (oldest, newest) = (day::millis(tx.now() - KEPT), day::millis(tx.now() + KEPT));
    let old = tx.entries(&BY_TIME, (0u64, "")..(oldest, ""), Order::Ascending);
    let of_a_clock_ahead = tx.entries(&BY_TIME, (newest, "").., Order::Ascending);
    let mut removed = 0;
    for entry in old.chain(of_a_clock_ahead) {
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
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let Some(key) = key_of(req.headers().get_all("idempotency-key"))? else { return Ok(IdempotencyKey(None)) };
        let request = format!("{} {} {key}", req.method(), target(req));
        let body = raw_body(req, depot).await?;
        let body_sha256 = of_body(body, |body| hex(&Sha256::digest(body))).await?;
        let room = req.extensions().get::<Arc<TakenRoom>>().cloned();
        Ok(IdempotencyKey(Some(Keyed { request, body_sha256, room })))
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
    let refused = |must: Message| Error::field("Idempotency-Key", must);
    let mut sent = sent.into_iter();
    let Some(key) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(refused(KEY_ONCE.into()));
    }
    let key = key.to_str().ok().filter(|key| is_key(key));
    key.map(Some).ok_or_else(|| refused(KEY_FORM.with([("most", LONGEST_KEY.into())])))
}

fn is_key(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
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
mod tests;

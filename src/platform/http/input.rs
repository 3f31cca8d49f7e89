//! What a handler takes: a JSON body, query parameters, ids in the path. Each is checked before the handler
//! begins, and a refusal names every field it can.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use salvo::extract::Metadata;
use salvo::http::ParseError;
use salvo::http::header::CONTENT_LENGTH;
use salvo::hyper::body::Bytes;
use salvo::oapi::{
    Components, Content, EndpointArgRegister, Operation, Parameter, ParameterIn, RequestBody, Required, ToParameters,
    ToSchema,
};
use salvo::{Depot, Extractible, Request};
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use tokio::sync::Semaphore;

use super::api_error::HandlerResult;
use super::body_limits::{BodyLimits, LargerBody, LetIn, SMALL, Sender, TakenRoom};
use super::door_kind::ThisDoor;
use super::json;
pub(super) use super::no_metadata::none;
use super::parts::{parameters, unfit};
use super::peer::Peer;
use super::request_id::RequestId;
use crate::app::App;
use crate::blocking;
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// A JSON body. `Body<T, { 16 << 20 }>` may be as large as that where other bodies may not.
#[derive(Debug)]
pub struct Body<T, const MOST: u64 = LIKE_OTHERS>(pub T);

/// As large as the setting of the door allows.
const LIKE_OTHERS: u64 = 0;

/// Query parameters. A parameter that cannot be read is refused, never taken for absent.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// A whole number in the path, named like the argument. Anything else is 404.
#[derive(Debug, Clone, Copy)]
pub struct Id(pub u64);

/// A text in the path, named like the argument.
#[derive(Debug, Clone)]
pub struct Key(pub String);

pub(super) const LARGER_THAN: MessageTemplate =
    MessageTemplate::new("house.body_larger", "the body is larger than {bytes} bytes");
const TOO_SLOW: MessageTemplate = MessageTemplate::new("house.body_too_slow", "the body did not arrive in time");
const NOT_WHOLE: MessageTemplate = MessageTemplate::new("house.body_not_whole", "the body did not arrive whole");

/// The raw body within the limits of the door.
pub(super) async fn raw_body(req: &mut Request, depot: &Depot) -> Result<Bytes> {
    let door = ThisDoor::of(depot)?;
    let limits = &door.body_limits;
    let BodyLimits { bytes, seconds, .. } = *limits;
    let bytes = req.extensions().get::<LargerBody>().map_or(bytes, |larger| larger.0);
    let sender =
        Sender { address: Peer::of(req, &door.trusted_proxies).0, is_known: req.extensions().get::<LetIn>().is_some() };
    let declared = req.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let expected = declared.unwrap_or(bytes).min(bytes);
    if req.extensions().get::<Arc<TakenRoom>>().is_none()
        && let Some(place) = limits.place_in_time(sender, expected).await?
    {
        // It stays taken as long as the request and its body live.
        req.extensions_mut().insert(place);
    }
    // For as long as there is no room for it, nobody reads what its sender has sent: that is no slowness of theirs.
    let read = req.payload_with_max_size(usize::try_from(bytes).unwrap_or(usize::MAX));
    match tokio::time::timeout(Duration::from_secs(seconds), read).await {
        Err(_) => Err(Error::new(Kind::InvalidJson, TOO_SLOW)),
        Ok(Ok(body)) => Ok(body.clone()),
        Ok(Err(ParseError::PayloadTooLarge)) => {
            Err(Error::new(Kind::TooLarge, LARGER_THAN.with([("bytes", bytes.into())])))
        }
        Ok(Err(error)) => Err(Error::new(Kind::InvalidJson, NOT_WHOLE).because(error)),
    }
}

/// Large bodies that are read at the same time: what each becomes lies in memory meanwhile.
const LARGE_AT_ONCE: usize = 4;
static LARGE: Semaphore = Semaphore::const_new(LARGE_AT_ONCE);

/// The size up to which other bodies come: of one beyond it, what it becomes is large, too.
const LIKE_MANY: usize = 1 << 20;

/// What `work` makes of a body. A large one is worked on off the threads that answer, and few at a time; a larger one than
/// others are when its turn has come.
pub(super) async fn of_body<T: Send + 'static>(body: Bytes, work: fn(&[u8]) -> T) -> Result<T> {
    if body.len() <= SMALL {
        return Ok(work(&body));
    }
    if body.len() > LIKE_MANY {
        return blocking::run_in_turn(move |_| Ok(work(&body))).await;
    }
    let turn = LARGE.acquire().await.map_err(Error::internal)?;
    let worked = blocking::run(move |_| {
        let _turn = turn;
        Ok(work(&body))
    });
    worked.await
}

impl<'ex, T: DeserializeOwned + Send + Debug + 'static, const MOST: u64> Extractible<'ex> for Body<T, MOST> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let body = raw_body(req, depot).await?;
        Ok(Body(of_body(body, json::read).await??))
    }
}

impl<'ex, T: DeserializeOwned + Send + Debug> Extractible<'ex> for Query<T> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
        let query = req.uri().query().unwrap_or_default();
        let fields = MapDeserializer::new(parameters(query).into_iter());
        Ok(Query(serde_path_to_error::deserialize(fields).map_err(|error| unfit("query", error))?))
    }
}

impl<'ex> Extractible<'ex> for Id {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Self::extract_with_arg(req, depot, "id").await
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract_with_arg(req: &'ex mut Request, _depot: &'ex mut Depot, arg: &str) -> HandlerResult<Self> {
        let text = req.params().get(arg).map(String::as_str).unwrap_or_default();
        Ok(Id(number(text).ok_or_else(|| Error::not_found("entry"))?))
    }
}

/// A number of digits alone: a sign or white space names nothing.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl<'ex> Extractible<'ex> for Key {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Self::extract_with_arg(req, depot, "id").await
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract_with_arg(req: &'ex mut Request, _depot: &'ex mut Depot, arg: &str) -> HandlerResult<Self> {
        Ok(Key(req.params().get(arg).cloned().ok_or_else(|| Error::not_found("entry"))?))
    }
}

impl<'ex> Extractible<'ex> for App {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(_req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Ok(depot.get_typed::<App>().cloned().map_err(|_| Error::internal("no app in this door"))?)
    }
}

impl<'ex> Extractible<'ex> for RequestId {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
        Ok(req.extensions().get::<RequestId>().cloned().ok_or_else(|| Error::internal("a request without an id"))?)
    }
}

/// How many bytes a body may have that may have more than others, in the document: by this a door finds the routes that
/// take one.
pub(super) const MOST_BYTES: &str = "x-most-bytes";

impl<T: ToSchema, const MOST: u64> EndpointArgRegister for Body<T, MOST> {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        let content = Content::new(T::to_schema(components));
        let mut body = RequestBody::new().add_content("application/json", content).required(Required::True);
        if MOST != LIKE_OTHERS {
            body.extensions.insert(MOST_BYTES.to_owned(), MOST.into());
        }
        operation.request_body = Some(body);
    }
}

impl<T: for<'de> ToParameters<'de>> EndpointArgRegister for Query<T> {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        for parameter in T::to_parameters(components) {
            operation.parameters.insert(parameter);
        }
    }
}

impl EndpointArgRegister for Id {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        document_path::<u64>(components, operation, arg);
    }
}

impl EndpointArgRegister for Key {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        document_path::<String>(components, operation, arg);
    }
}

impl EndpointArgRegister for App {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}

impl EndpointArgRegister for RequestId {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}

fn document_path<T: ToSchema>(components: &mut Components, operation: &mut Operation, arg: &str) {
    let schema = T::to_schema(components);
    operation.parameters.insert(Parameter::new(arg).location(ParameterIn::Path).schema(schema));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_is_the_number_that_its_digits_write_or_none(text in "[0-9]{0,22}|[+-]?[0-9]{1,3}[ .e]?|\\PC{0,6}") {
            match number(&text) {
                Some(number) => prop_assert_eq!(format!("{number:0>width$}", width = text.len()), text),
                None => prop_assert!(text.is_empty() || text.len() > 19 || !text.bytes().all(|byte| byte.is_ascii_digit())),
            }
        }

        #[test]
        fn any_number_is_read_as_it_is_written(id in any::<u64>()) {
            prop_assert_eq!(number(&id.to_string()), Some(id));
        }
    }
}

//! Reads that write: a handler that names [`SameOrigin`] is reached neither by what a page of another site embeds nor by `HEAD`,
//! which asks for nothing to be done.

use salvo::extract::Metadata;
use salvo::http::header::{ORIGIN, REFERER, USER_AGENT};
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible, Handler, Request};

use super::api_error::HandlerResult;
use super::input::none;
use super::operations::Operations;
use hanok_base::{Error, Kind, MessageTemplate};

const NO_PAGE: MessageTemplate =
    MessageTemplate::new("house.no_page_named", "a browser must say which page asks for this");

/// The request comes from a page of ours, from an address that a person typed, or from no browser. Whatever tells of
/// another site the guard has refused before; a browser that tells nothing at all, as over plain http about pictures of a
/// page that hides itself, is refused here.
#[derive(Debug, Clone, Copy)]
pub struct SameOrigin;

impl<'ex> Extractible<'ex> for SameOrigin {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, _depot: &'ex mut Depot) -> HandlerResult<Self> {
        let headers = req.headers();
        let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        // Every browser calls itself so.
        let is_browser = agent.starts_with("Mozilla/");
        let tells =
            headers.contains_key("sec-fetch-site") || headers.contains_key(ORIGIN) || headers.contains_key(REFERER);
        if is_browser && !tells {
            return Err(Error::new(Kind::ForeignOrigin, NO_PAGE).into());
        }
        Ok(SameOrigin)
    }
}

impl EndpointArgRegister for SameOrigin {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        operation.extensions.insert(WRITES.to_owned(), true.into());
    }
}

/// How an operation stands in the document that writes although it is a read: by this a door finds them.
const WRITES: &str = "x-writes";

/// Whether `handler`, one of those whose `operations` are known, answers a read that writes.
pub(super) fn writes(handler: &dyn Handler, operations: &Operations) -> bool {
    operations.get(handler).is_some_and(|operation| operation.extensions.contains_key(WRITES))
}

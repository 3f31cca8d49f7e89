//! Requests that are checked before a handler sees them: what each field must be is said at the field
//! ([`hanok_base::request`]).

use salvo::extract::Metadata;
use salvo::oapi::{Components, EndpointArgRegister, Operation, Required, ToParameters, ToSchema};
use salvo::{Depot, Extractible};

use super::api_error::HandlerResult;
use super::input::{Body, Query, none, of_body, raw_body};
use super::json;
use hanok_base::Request;

/// A JSON body whose fields are checked. `Checked<T, { 16 << 20 }>` may be as large as that where others may not.
#[derive(Debug)]
pub struct Checked<T, const MOST: u64 = 0>(pub T);

/// A JSON body whose fields are checked, and which may be left out: then it says nothing, as `{}` does.
#[derive(Debug)]
pub struct CheckedOrEmpty<T>(pub T);

/// Query parameters that are checked.
#[derive(Debug)]
pub struct CheckedQuery<T>(pub T);

impl<'ex, T: Request + Send + 'static, const MOST: u64> Extractible<'ex> for Checked<T, MOST> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut salvo::Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let Body(wire) = Body::<T::Wire, MOST>::extract(req, depot).await?;
        Ok(Checked(T::check(wire)?))
    }
}

impl<'ex, T: Request + Send + 'static> Extractible<'ex> for CheckedOrEmpty<T> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut salvo::Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let body = raw_body(req, depot).await?;
        let wire = if body.is_empty() { json::read(b"{}")? } else { of_body(body, json::read::<T::Wire>).await?? };
        Ok(CheckedOrEmpty(T::check(wire)?))
    }
}

impl<'ex, T: Request + Send> Extractible<'ex> for CheckedQuery<T> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut salvo::Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let Query(wire) = Query::<T::Wire>::extract(req, depot).await?;
        Ok(CheckedQuery(T::check(wire)?))
    }
}

impl<T: Request<Wire: ToSchema>, const MOST: u64> EndpointArgRegister for Checked<T, MOST> {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        Body::<T::Wire, MOST>::register(components, operation, arg);
    }
}

impl<T: Request<Wire: ToSchema>> EndpointArgRegister for CheckedOrEmpty<T> {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        Body::<T::Wire>::register(components, operation, arg);
        operation.request_body = operation.request_body.take().map(|body| body.required(Required::False));
    }
}

impl<T: Request<Wire: for<'de> ToParameters<'de>>> EndpointArgRegister for CheckedQuery<T> {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        Query::<T::Wire>::register(components, operation, arg);
    }
}

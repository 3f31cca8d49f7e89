//! Requests that are checked before a handler sees them: what each field must be is said at the field
//! ([`hanok_base::request`]).

use salvo::extract::Metadata;
use salvo::oapi::{Components, EndpointArgRegister, Operation, ToParameters, ToSchema};
use salvo::{Depot, Extractible};

use super::input::{Body, Query, none};
use super::refusal::HandlerResult;
use hanok_base::Request;

/// A JSON body whose fields are checked. `Checked<T, { 16 << 20 }>` may be as large as that where others may not.
#[derive(Debug)]
pub struct Checked<T, const MOST: u64 = 0>(pub T);

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

impl<T: Request<Wire: for<'de> ToParameters<'de>>> EndpointArgRegister for CheckedQuery<T> {
    fn register(components: &mut Components, operation: &mut Operation, arg: &str) {
        Query::<T::Wire>::register(components, operation, arg);
    }
}

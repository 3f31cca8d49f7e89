//! Which part of a list a caller wants: `limit` and `offset`, and the words that it is searched by.

use salvo::extract::Metadata;
use salvo::oapi::{
    Components, EndpointArgRegister, Operation, Parameter, ParameterIn, Parameters, RefOr, Required, Schema,
    ToParameters,
};
use salvo::{Depot, Extractible, Request};
use serde::Deserialize;

use super::api_error::HandlerResult;
use super::input::{Query, none};
use hanok_base::error::Check;
use hanok_base::page::{Limit, MOST, Offset};
use hanok_base::text::Text;
use hanok_base::validated::Constraint;
use hanok_base::{Page, Result, Validated};

/// Which part of a list; without `limit` it is the first `USUAL` of it. Stands in a [`Query`].
#[derive(Debug, Deserialize)]
pub struct Paging<const USUAL: u64> {
    limit: Option<Validated<Limit>>,
    offset: Option<Validated<Offset>>,
}

impl<const USUAL: u64> Paging<USUAL> {
    /// The page.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming what is out of range.
    pub fn page(self) -> Result<Page> {
        Page::parse(self.limit, self.offset, USUAL)
    }
}

impl<'ex, const USUAL: u64> Extractible<'ex> for Paging<USUAL> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Ok(Query::<Self>::extract(req, depot).await?.0)
    }
}

impl<const USUAL: u64> ToParameters<'_> for Paging<USUAL> {
    fn to_parameters(components: &mut Components) -> Parameters {
        let number = |name: &str, about: String, schema: RefOr<Schema>| {
            Parameter::new(name)
                .location(ParameterIn::Query)
                .required(Required::False)
                .description(about)
                .schema(schema)
        };
        Parameters::new()
            .parameter(number(
                "limit",
                format!("How many, at most {MOST}; left out it is {USUAL}."),
                Limit::schema(components),
            ))
            .parameter(number("offset", "How many to pass over first.".to_owned(), Offset::schema(components)))
    }
}

/// Words that a list is searched by, in at most 200 characters.
pub type SearchText = Text<0, 200>;

/// Which part of a list, and the words that it is searched by: `limit`, `offset` and `q`. Stands by itself among the arguments
/// of a handler; without `limit` it is the first `USUAL`.
#[derive(Debug)]
pub struct ListQuery<const USUAL: u64> {
    /// Which part.
    pub page: Page,
    /// What is looked for; empty for the whole list.
    pub q: String,
}

/// It as it is sent.
#[derive(Debug, Deserialize)]
struct SentListQuery {
    limit: Option<Validated<Limit>>,
    offset: Option<Validated<Offset>>,
    q: Option<Validated<SearchText>>,
}

impl<'ex, const USUAL: u64> Extractible<'ex> for ListQuery<USUAL> {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let SentListQuery { limit, offset, q } = Query::<SentListQuery>::extract(req, depot).await?.0;
        Ok(Check::of(|check| ListQuery {
            page: Page::take(check, limit, offset, USUAL),
            q: q.map(|q| check.take("q", q)).unwrap_or_default(),
        })?)
    }
}

impl<const USUAL: u64> EndpointArgRegister for ListQuery<USUAL> {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        let words = Parameter::new("q")
            .location(ParameterIn::Query)
            .required(Required::False)
            .description("Words to search by; left out it is the whole list.")
            .schema(SearchText::schema(components));
        for parameter in Paging::<USUAL>::to_parameters(components).into_iter().chain([RefOr::Type(words)]) {
            operation.parameters.insert(parameter);
        }
    }
}

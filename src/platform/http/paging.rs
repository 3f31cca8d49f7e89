//! Which part of a list a caller wants: `limit` and `offset`.

use salvo::extract::Metadata;
use salvo::oapi::{Components, Parameter, ParameterIn, Parameters, RefOr, Required, Schema, ToParameters};
use salvo::{Depot, Extractible, Request};
use serde::Deserialize;

use super::input::{Query, none};
use super::refusal::Answer;
use hanok_base::page::{Limit, MOST, Offset};
use hanok_base::sent::Constraint;
use hanok_base::{Page, Result, Sent};

/// Which part of a list; without `limit` it is the first `USUAL` of it. Stands in a [`Query`].
#[derive(Debug, Deserialize)]
pub struct Paging<const USUAL: u64> {
    limit: Option<Sent<Limit>>,
    offset: Option<Sent<Offset>>,
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
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Answer<Self> {
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

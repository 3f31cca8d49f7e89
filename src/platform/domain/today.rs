//! What Today shows of a domain.

use serde::Serialize;
use serde_json::Value;

use crate::store::ReadTx;
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::{Error, Result};

/// What Today shows of a domain: an object whose fields stand in the answer beside those of the other domains.
pub trait Today: Serialize + ToSchema + 'static {
    /// What there is to show now. Short: Today waits for it.
    fn read(tx: &ReadTx) -> Result<Self>
    where
        Self: Sized;
}

/// A domain's [`Today`] without its type.
#[derive(Clone, Copy)]
pub struct TodayPart {
    /// The fields.
    pub read: fn(&ReadTx) -> Result<Value>,
    /// How they are described.
    pub schema: fn(&mut Components) -> RefOr<Schema>,
}

impl TodayPart {
    /// The part `T`.
    pub const fn of<T: Today>() -> TodayPart {
        TodayPart { read: |tx| serde_json::to_value(T::read(tx)?).map_err(Error::internal), schema: T::to_schema }
    }
}

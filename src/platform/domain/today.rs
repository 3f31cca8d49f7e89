//! What Today shows of a domain.

use serde::Serialize;
use serde_json::Value;

use crate::config::Config;
use crate::store::ReadTx;
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::{Error, Result};

/// What Today shows of a domain: an object whose fields stand in the answer beside those of the other domains.
pub trait Today: Serialize + ToSchema + 'static {
    /// What there is to show now, with the settings that are in force. Short: Today waits for it.
    fn read(tx: &ReadTx, config: &Config) -> Result<Self>
    where
        Self: Sized;
}

/// A domain's [`Today`] without its type.
#[derive(Clone, Copy)]
pub struct TodayPart {
    /// The fields.
    pub read: fn(&ReadTx, &Config) -> Result<Value>,
    /// How they are described.
    pub schema: fn(&mut Components) -> RefOr<Schema>,
}

impl TodayPart {
    /// The part `T`.
    pub const fn of<T: Today>() -> TodayPart {
        TodayPart {
            read: |tx, config| serde_json::to_value(T::read(tx, config)?).map_err(Error::internal),
            schema: T::to_schema,
        }
    }

    /// The names of its fields, as they are described.
    pub fn fields(&self) -> Vec<String> {
        let mut components = Components::new();
        let described = serde_json::to_value((self.schema)(&mut components)).unwrap_or_default();
        let name = described["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/"));
        let all = name.map(|_| serde_json::to_value(&components).unwrap_or_default()).unwrap_or_default();
        let schema = name.map_or(&described, |name| &all["schemas"][name.replace("~1", "/")]);
        schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
    }
}

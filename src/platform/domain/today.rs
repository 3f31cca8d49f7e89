//! What Today shows of a domain.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::config::Config;
use crate::store::{ReadTx, panic_text};
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::{Error, Result};

/// What Today shows of a domain: an object whose fields stand in the answer beside those of the other domains.
pub trait Today: Serialize + ToSchema + 'static {
    /// What there is to show now, with the settings that are in force. Short: Today waits for it.
    fn read(tx: &ReadTx, config: &Config) -> Result<Self>
    where
        Self: Sized;
}

/// What `read` gives; a panic in it is a failure like any other, and ends nothing else.
///
/// # Errors
/// Those of `read`; `INTERNAL` when it panics.
pub fn by_itself<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|panic| Err(Error::internal(format!("it panicked: {}", panic_text(&panic)))))
}

/// A domain's [`Today`] without its type.
#[derive(Clone, Copy)]
pub struct TodayPart {
    /// The fields, as an object in JSON.
    pub read: fn(&ReadTx, &Config) -> Result<Box<RawValue>>,
    /// How they are described.
    pub schema: fn(&mut Components) -> RefOr<Schema>,
}

impl TodayPart {
    /// The part `T`.
    pub const fn of<T: Today>() -> TodayPart {
        TodayPart {
            read: |tx, config| to_raw_value(&T::read(tx, config)?).map_err(Error::internal),
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

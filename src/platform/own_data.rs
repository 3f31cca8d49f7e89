//! What the house holds of a customer: each domain that keeps some of it says so once ([`OfCustomer`]), and that is how the
//! customer is told all of it, and how it ends with the account.
//!
//! Every table of the house is either named here or in the list of those that hold nothing of a customer (`house/own_data.rs`).

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::auth::CustomerRow;
use crate::store::{ReadTx, WriteTx};
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::{Error, Result};

/// What a domain keeps of a customer.
pub trait OfCustomer {
    /// The field of the file in which the customer is told. No other has it.
    const FIELD: &'static str;
    /// The tables in which it is kept, by their names.
    const TABLES: &'static [&'static str];
    /// What the customer is told: all of it but secrets, and nothing of anybody else.
    type Told: Serialize + ToSchema + Send + 'static;

    /// What there is of `customer`.
    ///
    /// # Errors
    /// Those of reading.
    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Self::Told>;

    /// Does what the end of the account of `customer` asks for, in its transaction.
    ///
    /// # Errors
    /// Those of writing.
    fn end(tx: &WriteTx, customer: &CustomerRow) -> Result<()>;
}

/// An [`OfCustomer`] without its type.
#[derive(Clone, Copy)]
pub struct OwnPart {
    /// Its field.
    pub field: &'static str,
    /// The tables in which it is kept.
    pub tables: &'static [&'static str],
    /// Gathers what there is of a customer.
    pub told: fn(&ReadTx, &CustomerRow) -> Result<Gathered>,
    /// How that is described.
    pub schema: fn(&mut Components) -> RefOr<Schema>,
    /// Does what the end of the account asks for.
    pub end: fn(&WriteTx, &CustomerRow) -> Result<()>,
}

impl OwnPart {
    /// The part `T`.
    pub const fn of<T: OfCustomer>() -> OwnPart {
        OwnPart {
            field: T::FIELD,
            tables: T::TABLES,
            told: |tx, customer| {
                let told = T::told(tx, customer)?;
                Ok(Gathered { field: T::FIELD, written: Box::new(move || serde_json::to_value(&told)) })
            },
            schema: T::Told::to_schema,
            end: T::end,
        }
    }
}

/// What there is of a customer in one part, gathered and not yet written out: that needs no transaction, and where one part
/// follows the other only the memory of one.
pub struct Gathered {
    field: &'static str,
    written: Box<dyn Fn() -> serde_json::Result<Value> + Send>,
}

impl Gathered {
    /// Its field.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// It as it is told.
    ///
    /// # Errors
    /// `INTERNAL` where it cannot be written as JSON.
    pub fn written(&self) -> Result<Value> {
        (self.written)().map_err(Error::internal)
    }
}

impl fmt::Debug for Gathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gathered").field("field", &self.field).finish_non_exhaustive()
    }
}

/// Everything that the house holds of customers, in the order in which they are told; clones share it.
#[derive(Clone, Default)]
pub struct OwnData(Arc<[OwnPart]>);

impl OwnData {
    /// Gathers what there is of `customer`, part by part.
    ///
    /// # Errors
    /// Those of the parts: who asks gets all of it or nothing.
    pub fn told(&self, tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<Gathered>> {
        self.0.iter().map(|part| (part.told)(tx, customer)).collect()
    }

    /// Ends the account of `customer` in every part.
    ///
    /// # Errors
    /// Those of the parts; nothing is written then.
    pub fn end(&self, tx: &WriteTx, customer: &CustomerRow) -> Result<()> {
        self.0.iter().try_for_each(|part| (part.end)(tx, customer))
    }
}

impl FromIterator<OwnPart> for OwnData {
    fn from_iter<I: IntoIterator<Item = OwnPart>>(parts: I) -> Self {
        OwnData(parts.into_iter().collect())
    }
}

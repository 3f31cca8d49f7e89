//! The projects of a customer, as they are told: the quotes that are linked to the account, with their steps.

use super::super::model::Project;
use super::projects;
use hanok_base::Result;
use hanok_platform::auth::CustomerRow;
use hanok_platform::own_data::OfCustomer;
use hanok_platform::store::{ReadTx, WriteTx};

/// The projects of a customer.
pub enum Projects {}

impl OfCustomer for Projects {
    const FIELD: &'static str = "projects";
    const TABLES: &'static [&'static str] = &["milestones-1", "project_notices-1"];
    type Told = Vec<Project>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<Project>> {
        projects(tx, &customer.id)
    }

    /// Steps belong to the quote, which is taken off the account by the room that keeps it.
    fn end(_tx: &WriteTx, _customer: &CustomerRow) -> Result<()> {
        Ok(())
    }
}

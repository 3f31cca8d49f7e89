//! `hanok verify`

use clap::Args;

use super::print::{self, Column};
use super::{Place, ask};
use crate::appliance::control::Command;
use crate::base::{Error, Kind, Result};

/// Check the store and every snapshot
///
/// Every page of the store is read, and every snapshot is compared with its description.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok verify --data-dir /srv/hanok")]
pub(super) struct Verify {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub async fn run(self, place: Place) -> Result<()> {
        let config = place.load()?;
        let answer = ask::perform(&config, Command::Verify).await?;
        if self.json {
            print::json(&answer)?;
        } else {
            print::thing(
                &answer,
                &[
                    Column::text("sound", "/ok"),
                    Column::count("tables", "/tables"),
                    Column::count("rows", "/rows"),
                    Column::bytes("size", "/bytes"),
                ],
            )?;
            let columns =
                [Column::text("snapshot", "/name"), Column::text("sound", "/ok"), Column::text("problem", "/message")];
            print::table(print::list(&answer, "snapshots"), &columns)?;
        }
        match answer.get("ok").and_then(serde_json::Value::as_bool) {
            Some(true) => Ok(()),
            _ => Err(Error::new(
                Kind::Internal,
                "something is damaged; `hanok restore --latest` goes back to what is sound",
            )),
        }
    }
}

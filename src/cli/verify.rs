//! `hanok verify`

use clap::Args;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;

/// Check the store and every snapshot
///
/// Every page of the store is read, every index, count and total is compared with its rows, and every snapshot with its
/// description; what is wrong is named at the end, all of it. Exit code 1 when something is.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok verify --data-dir /srv/hanok")]
pub(super) struct Verify {
    /// Derive every index, count and total anew from the rows first
    #[arg(long)]
    rebuild: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let answer = ask::perform(&config, Command::Verify { rebuild: self.rebuild }).await?;
        if self.json {
            return print::json(&answer);
        }
        print::thing(&answer, &[Column::text("sound", "/ok"), Column::count("snapshots checked", "/snapshots")])
    }
}

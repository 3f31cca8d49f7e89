//! `hanok reindex`

use clap::Args;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;

/// Make the search index anew from the records
///
/// The index holds nothing of its own, and one that is damaged or gone is made anew without being asked. A running
/// appliance goes on meanwhile; where none runs, the next start makes it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok reindex")]
pub(super) struct Reindex {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Reindex {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let answer = ask::perform(&config, Command::Reindex).await?;
        if self.json {
            return print::json(&answer);
        }
        if answer.is_null() {
            return print::text("the next start makes the search index anew\n");
        }
        print::thing(&answer, &[Column::count("found by words", "/documents"), Column::bytes("index", "/bytes")])
    }
}

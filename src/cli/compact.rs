//! `hanok compact`

use clap::Args;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;

/// Give unused room of the store back to the disk
///
/// Readers and writers wait meanwhile.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok compact")]
pub(super) struct Compact {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Compact {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let answer = ask::perform(&config, Command::Compact).await?;
        if self.json {
            return print::json(&answer);
        }
        print::thing(&answer, &[Column::bytes("before", "/before_bytes"), Column::bytes("after", "/after_bytes")])
    }
}

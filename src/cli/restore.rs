//! `hanok restore`

use std::path::PathBuf;

use clap::Args;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;

/// Go back to a snapshot, or take over a backup file
///
/// The source is checked before anything changes, and what was there before is kept aside.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok restore --latest\n  hanok restore --from /mnt/usb/hanok.tar.gz\n\n\
                        `hanok backup --list` shows the snapshots.")]
pub(super) struct Restore {
    #[command(flatten)]
    source: RestoreSource,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct RestoreSource {
    /// The snapshot of this name
    name: Option<String>,
    /// The newest verified snapshot that is still sound
    #[arg(long)]
    latest: bool,
    /// A file that `hanok backup --to` wrote
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

impl Restore {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let command = match self.source.from {
            Some(file) => Command::RestoreFrom(ask::absolute(file)?),
            None => Command::Restore(self.source.name),
        };
        let answer = ask::perform(&config, command).await?;
        if self.json {
            return print::json(&answer);
        }
        print::thing(
            &answer,
            &[
                Column::text("restored", "/restored"),
                Column::count("rows", "/rows"),
                Column::text("kept aside", "/kept_aside"),
            ],
        )
    }
}

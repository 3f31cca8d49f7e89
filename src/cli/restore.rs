//! `hanok restore`

use std::path::PathBuf;

use clap::Args;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;

/// Go back to a snapshot, or take over a backup file
///
/// The source is checked before anything changes. What was there before is kept as a snapshot, to which --undo returns.
/// Who may enter stays as it is: passphrase, sessions and set-up links are never brought back.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok restore --latest\n  hanok restore --from /mnt/usb/hanok.tar.gz\n  \
                        hanok restore --undo\n\n\
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
    /// What was there before the last restore
    #[arg(long)]
    undo: bool,
    /// The store file that lies here, copied or moved after a crash with nothing running
    #[arg(long)]
    adopt: bool,
    /// A file that `hanok backup --to` wrote
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

impl Restore {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let command = match self.source.from {
            Some(file) => Command::RestoreFrom(ask::absolute(file)?),
            None if self.source.undo => Command::UndoRestore,
            None if self.source.adopt => Command::Adopt,
            None => Command::Restore(self.source.name),
        };
        let answer = ask::perform(&config, command).await?;
        if self.json {
            return print::json(&answer);
        }
        let shown = [
            Column::text("restored", "/restored"),
            Column::count("rows", "/rows"),
            Column::text("kept aside", "/kept_aside"),
        ];
        let has_settings = answer.get("settings").is_some_and(|settings| settings.is_string());
        let settings = has_settings.then(|| Column::text("settings", "/settings"));
        let has_cleared = answer.get("cleared").is_some_and(|cleared| cleared != 0);
        let cleared = has_cleared.then(|| Column::count("cleared", "/cleared"));
        print::thing(&answer, &shown.into_iter().chain(settings).chain(cleared).collect::<Vec<_>>())
    }
}

//! `hanok completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, print};
use hanok_base::Result;

/// Print the completions of a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok completions bash > /etc/bash_completion.d/hanok")]
pub(super) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "hanok", &mut script);
        print::text(&String::from_utf8_lossy(&script))
    }
}

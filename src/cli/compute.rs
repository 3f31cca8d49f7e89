//! `hanok compute`

use clap::Args;

use super::{GlobalOptions, print};
use hanok_appliance::{compute_host, domains, log, start};
use hanok_base::{Clock, Result};
use hanok_platform::config::{Environment, Flags};

/// Run only the compute host, for an appliance on another machine
///
/// The appliance on the other machine names this one in compute.address; both know the same compute.token.
/// When it is ready, one line stands on standard output: `compute http://HOST:PORT`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  HANOK_COMPUTE__TOKEN_FILE=/etc/hanok/token hanok compute --listen 0.0.0.0:8430")]
pub(super) struct Compute {
    /// The address to listen on [default: 127.0.0.1:8430]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// How a line of the log is written: text or json [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
}

impl Compute {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let flags = Flags { compute_listen: self.listen, log_format: self.log_format, ..options.flags() };
        let config = domains::settings(&flags, &Environment::of_process())?;
        log::begin(&config.log, &config.data.dir);
        let signal = start::stop_signal()?;
        let host = compute_host::open(&config, Clock::system()).await?;
        print::line(&format!("compute http://{}", host.address()))?;
        host.serve_until(signal).await;
        Ok(())
    }
}

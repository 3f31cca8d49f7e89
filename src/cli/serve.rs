//! `hanok serve`

use clap::Args;
use tracing::warn;

use super::{GlobalOptions, memory, print};
use hanok_appliance::{domains, log, start};
use hanok_base::{Clock, Result};
use hanok_platform::config::{Environment, Flags};

/// Run the appliance: the household app and the customer site
///
/// It runs until it gets SIGINT or SIGTERM. When both accept connections, two lines stand on standard output: `household http://HOST:PORT`
/// and `customers http://HOST:PORT`. The log goes to standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok serve\n  hanok serve --data-dir /srv/hanok --ops-listen 0.0.0.0:8420")]
pub(super) struct Serve {
    /// The address of the household app [default: 127.0.0.1:8420]
    #[arg(long, value_name = "ADDR")]
    ops_listen: Option<String>,
    /// The address of the customer site [default: 127.0.0.1:8421]
    #[arg(long, value_name = "ADDR")]
    site_listen: Option<String>,
    /// How a line of the log is written: text or json [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
}

impl Serve {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let flags = Flags {
            ops_listen: self.ops_listen,
            site_listen: self.site_listen,
            log_format: self.log_format,
            ..options.flags()
        };
        let config = domains::settings(&flags, &Environment::of_process())?;
        log::begin(&config.log, &config.data.dir);
        if config.site.lacks_address() {
            warn!(
                "others reach the customer site and site.address is not set: new accounts, forgotten passwords and requests \
                 are refused until it is, because their mails need a link"
            );
        }
        let signal = start::stop_signal()?;
        let appliance = start::start(config, Clock::system()).await?;
        let addresses =
            format!("household http://{}\ncustomers http://{}", appliance.ops_address(), appliance.site_address());
        // Where standard output is a file on a full disk, the house is open all the same.
        if let Err(error) = print::line(&addresses) {
            warn!(%error, "the addresses could not be printed");
        }
        tokio::select! {
            ended = appliance.run_until(signal) => ended,
            never = memory::give_back_at_rest() => match never {},
        }
    }
}

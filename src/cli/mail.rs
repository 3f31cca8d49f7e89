//! `hanok mail`

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::Value;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::{self, Command};
use hanok_base::{Error, Message, Result};
use hanok_platform::config::Config;

/// How often to look what became of a test, and how many times.
const LOOK_EVERY: Duration = Duration::from_millis(250);
const LOOKS: usize = 120;

/// Mail that goes out, and what became of it
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok mail test jiwoo@example.com\n  hanok mail list")]
pub(super) struct Mail {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Send a mail to see whether it arrives
    #[command(after_help = "Example:\n  hanok mail test jiwoo@example.com")]
    Test {
        /// Where it goes
        address: String,
    },
    /// List the newest mails
    #[command(after_help = "Example:\n  hanok mail list --limit 20")]
    List {
        /// How many
        #[arg(long, default_value_t = 50, value_parser = limit)]
        limit: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Send a mail again that was not sent, or that may have been
    #[command(after_help = "Example:\n  hanok mail send 42")]
    Send {
        /// Its number, as `hanok mail list` shows it
        id: u64,
    },
    /// Remove a mail that is not on its way
    #[command(after_help = "Example:\n  hanok mail remove 42")]
    Remove {
        /// Its number
        id: u64,
    },
}

impl Mail {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        match self.what {
            What::Test { address } => test(&config, address).await,
            What::List { limit, json } => {
                let answer = ask::perform(&config, Command::MailList { limit }).await?;
                if json { print::json(&answer) } else { list(&answer) }
            }
            What::Send { id } => {
                ask::perform_on_one(&config, Command::MailSend(id), "mail", "mail list").await?;
                print::line(&format!("mail {id} is queued again"))
            }
            What::Remove { id } => {
                ask::perform_on_one(&config, Command::MailRemove(id), "mail", "mail list").await?;
                print::line(&format!("mail {id} is removed"))
            }
        }
    }
}

/// Queues a test and, where the appliance runs, waits for what becomes of it.
async fn test(config: &Config, address: String) -> Result<()> {
    let queued = ask::perform(config, Command::MailTest(address)).await?;
    let id = queued["id"].as_u64().unwrap_or_default();
    if control::running(config).await?.is_none() {
        return print::line(&format!("mail {id} is queued and goes out when the appliance runs"));
    }
    for _ in 0..LOOKS {
        let mail = ask::perform(config, Command::MailShow(id)).await?;
        let why =
            || Error::conflict(Message::english(mail["message"].as_str().unwrap_or("it was not sent").to_owned()));
        match mail["status"].as_str() {
            Some("sent") if mail["way"] == "folder" => {
                return print::line(&format!("mail {id} lies in the folder mail of the data folder"));
            }
            Some("sent") => return print::line(&format!("mail {id} is sent")),
            Some("failed" | "delivery_unknown" | "held") => return Err(why()),
            _ if mail["message"].is_string() => return Err(why()),
            _ => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
    print::line(&format!("mail {id} still waits; `hanok mail list` says what becomes of it"))
}

fn list(answer: &Value) -> Result<()> {
    print::table_or(
        "no mail yet",
        print::list(answer, "mails"),
        &[
            Column::count("mail", "/id"),
            Column::text("to", "/to"),
            Column::text("subject", "/subject"),
            Column::text("status", "/status"),
            Column::count("tried", "/attempts"),
            Column::instant("queued", "/created_at"),
            Column::instant("sent", "/sent_at"),
            Column::text("why not", "/message"),
        ],
    )
}

/// A page holds at most 500.
fn limit(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|limit| (1..=500).contains(limit)).ok_or_else(|| "must be 1 to 500".to_owned())
}

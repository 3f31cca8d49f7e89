//! `hanok household`

use std::io::{BufRead, IsTerminal};

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::doctor::address_to_open;
use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::{Command, Needs, check_place};
use hanok_base::{Error, Message, Result};
use hanok_platform::auth::SETUP_HOURS;

/// The passphrase of the household app and who is signed in
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok household passphrase")]
pub(super) struct Household {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Set or change the passphrase: asked for on a terminal, else read as one line from standard input
    #[command(
        after_help = "Examples:\n  hanok household passphrase\n  pass show hanok | hanok household passphrase\n  \
                            hanok household passphrase --new --data-dir /srv/hanok"
    )]
    Passphrase {
        /// Begin a new house with it, in a data folder that holds none
        #[arg(long)]
        new: bool,
    },
    /// List the sign-ins
    #[command(after_help = "Example:\n  hanok household sessions")]
    Sessions {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End every sign-in
    #[command(after_help = "Example:\n  hanok household sign-out-all")]
    SignOutAll,
    /// Print a one-time link on which the passphrase can be set in a browser, within 24 hours
    #[command(after_help = "Example:\n  hanok household setup-link")]
    SetupLink {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Household {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        match self.what {
            What::Passphrase { new } => {
                // Before anybody types one for nothing.
                check_place(&config, if new { Needs::NewPlace } else { Needs::Store })?;
                let passphrase = ask_passphrase()?;
                let answer = ask::perform(&config, Command::HouseholdPassphrase { passphrase, new }).await?;
                match answer.get("new_house").and_then(Value::as_str) {
                    Some(place) => print::line(&format!("a new house is in {place}; its passphrase is set")),
                    None => print::line("the passphrase is set"),
                }
            }
            What::Sessions { json } => {
                let answer = ask::perform(&config, Command::HouseholdSessions).await?;
                if json {
                    return print::json(&answer);
                }
                print::table_or(
                    "nobody is signed in",
                    print::rows(&answer),
                    &[
                        Column::text("sign-in", "/id"),
                        Column::instant("since", "/created_at"),
                        Column::instant("last seen", "/last_seen_at"),
                        Column::text("browser", "/agent"),
                    ],
                )
            }
            What::SignOutAll => {
                let answer = ask::perform(&config, Command::HouseholdSignOutAll).await?;
                print::thing(&answer, &[Column::count("ended", "/ended")])
            }
            What::SetupLink { json: as_json } => {
                let answer = ask::perform(&config, Command::HouseholdSetupLink).await?;
                let token = answer.get("token").and_then(Value::as_str).unwrap_or_default();
                let listen = answer.get("listen").and_then(|listen| listen.as_str()?.parse().ok());
                let link = format!("http://{}/setup#{token}", address_to_open(listen.unwrap_or(config.ops.listen)));
                if as_json {
                    return print::json(&json!({ "link": link, "good_for_hours": SETUP_HOURS }));
                }
                print::line(&link)?;
                print::note(&format!("it works once, within {SETUP_HOURS} hours"));
                Ok(())
            }
        }
    }
}

fn ask_passphrase() -> Result<String> {
    if !std::io::stdin().is_terminal() {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map_err(Error::internal)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let first = rpassword::prompt_password("New passphrase: ").map_err(Error::internal)?;
    let again = rpassword::prompt_password("Once more: ").map_err(Error::internal)?;
    match first == again {
        true => Ok(first),
        false => Err(Error::field("passphrase", Message::english("must be the same both times"))),
    }
}

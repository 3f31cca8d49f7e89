//! `hanok lotto`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::Value;

use super::print::{self, Column};
use super::{Place, ask};
use hanok_appliance::control::Command;
use hanok_base::{Error, Kind, Result};
use hanok_platform::config::Config;

/// The largest file of draws that is read; all draws since 2002 take a hundredth of it.
const LARGEST_IMPORT: u64 = 16 << 20;

/// Lottery draws: fetch, import, show
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok lotto latest")]
pub(super) struct Lotto {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Fetch the draws that are missing from the operator
    #[command(after_help = "Example:\n  hanok lotto sync")]
    Sync(Json),
    /// Take draws from a CSV file; one that contradicts a stored draw is kept aside
    #[command(after_help = "Example:\n  hanok lotto import draws.csv")]
    Import {
        /// A file whose first line names the columns: draw_no,date,n1,n2,n3,n4,n5,n6,bonus,first_winners,first_prize_each,total_sales
        file: PathBuf,
        #[command(flatten)]
        json: Json,
    },
    /// Show the newest draw
    #[command(after_help = "Example:\n  hanok lotto latest --json")]
    Latest(Json),
    /// Show how old the draws are, what is missing and what contradicts
    #[command(after_help = "Example:\n  hanok lotto status")]
    Status(Json),
}

#[derive(Debug, Args)]
struct Json {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Lotto {
    pub async fn run(self, place: Place) -> Result<()> {
        let config = place.load()?;
        match self.what {
            What::Sync(Json { json }) => show(&config, Command::LottoSync, json, changes).await,
            What::Import { file, json: Json { json } } => {
                show(&config, Command::LottoImport { csv: read(&file)? }, json, changes).await
            }
            What::Latest(Json { json }) => show(&config, Command::LottoLatest, json, latest).await,
            What::Status(Json { json }) => show(&config, Command::LottoLatest, json, status).await,
        }
    }
}

async fn show(config: &Config, command: Command, json: bool, people: fn(&Value) -> Result<()>) -> Result<()> {
    let answer = ask::perform(config, command).await?;
    if json { print::json(&answer) } else { people(&answer) }
}

fn changes(answer: &Value) -> Result<()> {
    print::thing(
        answer,
        &[
            Column::count("added", "/added"),
            Column::count("completed", "/completed"),
            Column::count("unchanged", "/unchanged"),
            Column::count("kept aside", "/conflicts"),
        ],
    )
}

fn latest(answer: &Value) -> Result<()> {
    print::thing(
        answer,
        &[
            Column::text("draw", "/draw_no"),
            Column::text("date", "/date"),
            Column::text("numbers", "/numbers"),
            Column::text("bonus", "/bonus"),
            Column::count("sales (won)", "/total_sales"),
        ],
    )?;
    print::table(
        print::list(answer, "prizes"),
        &[
            Column::count("rank", "/rank"),
            Column::count("winners", "/winners"),
            Column::count("each (won)", "/prize_each"),
        ],
    )
}

fn status(answer: &Value) -> Result<()> {
    print::thing(
        answer,
        &[
            Column::text("newest draw", "/draw_no"),
            Column::text("date", "/date"),
            Column::count("age (days)", "/age_days"),
            Column::count("missing", "/missing"),
            Column::text("source", "/source"),
            Column::instant("operator asked", "/as_of"),
            Column::text("next draw", "/next_draw/draw_no"),
            Column::instant("drawn at", "/next_draw/at"),
        ],
    )?;
    match print::list(answer, "conflicts") {
        [] => Ok(()),
        conflicts => print::table(
            conflicts,
            &[
                Column::text("draw", "/draw_no"),
                Column::text("contradicts in", "/field"),
                Column::text("stored", "/stored"),
                Column::text("received", "/received"),
                Column::text("from", "/source"),
                Column::instant("seen", "/seen_at"),
            ],
        ),
    }
}

fn read(file: &std::path::Path) -> Result<String> {
    let refused = |problem: String| Error::new(Kind::InvalidInput, format!("{}: {problem}", file.display()));
    let length = std::fs::metadata(file).map_err(|error| refused(error.to_string()))?.len();
    if length > LARGEST_IMPORT {
        return Err(refused(format!("is larger than {}", print::bytes(LARGEST_IMPORT))));
    }
    std::fs::read_to_string(file).map_err(|error| refused(error.to_string()))
}

//! `hanok job`

use clap::{Args, Subcommand};
use serde_json::Value;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::Result;
use hanok_platform::jobs::timing_in_words;

/// Background jobs and the schedule
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok job list\n  hanok job run backup")]
pub(super) struct Job {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the newest jobs and the schedule
    #[command(after_help = "Example:\n  hanok job list --limit 20")]
    List {
        /// How many jobs
        #[arg(long, default_value_t = 50, value_parser = limit)]
        limit: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one job
    #[command(after_help = "Example:\n  hanok job show 01998d2e-7f3a-7c51-8f6e-0d6a5b1c2e3f")]
    Show {
        /// The job's id, as `hanok job list` shows it
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Queue a failed or cancelled job again
    #[command(after_help = "Example:\n  hanok job retry 01998d2e-7f3a-7c51-8f6e-0d6a5b1c2e3f")]
    Retry {
        /// The job's id
        id: String,
    },
    /// Cancel a job that is queued or running
    #[command(after_help = "Example:\n  hanok job cancel 01998d2e-7f3a-7c51-8f6e-0d6a5b1c2e3f")]
    Cancel {
        /// The job's id
        id: String,
    },
    /// Start an entry of the schedule now
    #[command(after_help = "Example:\n  hanok job run backup\n\n`hanok job list` shows the names.")]
    Run {
        /// The entry's name
        name: String,
    },
}

impl Job {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        match self.what {
            What::List { limit, json } => {
                let answer = ask::perform(&config, Command::JobList { limit }).await?;
                if json { print::json(&answer) } else { list(&answer) }
            }
            What::Show { id, json } => {
                let answer = ask::perform_on_one(&config, Command::JobShow(id), "job", "job list").await?;
                if json { print::json(&answer) } else { show(&answer) }
            }
            What::Retry { id } => {
                ask::perform_on_one(&config, Command::JobRetry(id.clone()), "job", "job list").await?;
                print::line(&format!("job {id} is queued again"))
            }
            What::Cancel { id } => {
                ask::perform_on_one(&config, Command::JobCancel(id.clone()), "job", "job list").await?;
                print::line(&format!("job {id} is cancelled"))
            }
            What::Run { name } => {
                let answer =
                    ask::perform_on_one(&config, Command::JobRun(name), "entry of the schedule", "job list").await?;
                print::thing(&answer, &[Column::text("job", "/task_id")])
            }
        }
    }
}

fn list(answer: &Value) -> Result<()> {
    print::table_or(
        "no jobs yet",
        print::list(answer, "jobs"),
        &[
            Column::text("job", "/id"),
            Column::text("what", "/title_en"),
            Column::text("status", "/status"),
            Column::count("%", "/progress"),
            Column::instant("created", "/created_at"),
            Column::text("now", "/message"),
        ],
    )?;
    print::line("")?;
    print::table(
        &in_words(print::list(answer, "schedule")),
        &[
            Column::text("schedule", "/name"),
            Column::text("what", "/title_en"),
            Column::text("when (Asia/Seoul)", "/cron"),
            Column::instant("last run", "/last_run_at"),
            Column::instant("next run", "/next_run_at"),
        ],
    )
}

/// The lines of the schedule, with what is a cron expression said in words.
fn in_words(schedule: &[Value]) -> Vec<Value> {
    let worded = |line: &Value| {
        let mut line = line.clone();
        line["cron"] = timing_in_words(line["cron"].as_str().unwrap_or_default()).into();
        line
    };
    schedule.iter().map(worded).collect()
}

fn show(answer: &Value) -> Result<()> {
    print::thing(
        answer,
        &[
            Column::text("job", "/id"),
            Column::text("kind", "/kind"),
            Column::text("what", "/title_en"),
            Column::text("status", "/status"),
            Column::count("progress (%)", "/progress"),
            Column::text("now", "/message"),
            Column::text("error", "/error"),
            Column::count("attempts", "/attempts"),
            Column::instant("created", "/created_at"),
            Column::instant("started", "/started_at"),
            Column::instant("finished", "/finished_at"),
        ],
    )
}

/// A page holds at most 500.
fn limit(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|limit| (1..=500).contains(limit)).ok_or_else(|| "must be 1 to 500".to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schedule_is_said_in_words_whatever_its_timing() {
        let lines = ["45,55 20 * * 6", "20 3 * * *", "every 60 minutes", "when due"].map(|cron| json!({"cron": cron}));
        let said: Vec<_> = in_words(&lines).into_iter().map(|line| line["cron"].clone()).collect();
        assert_eq!(said, ["At minute 45 and 55, of hour 20, on Saturday", "At 03:20", "every 60 minutes", "when due"]);
    }
}

//! Floor 5: the command line. One file a command; each turns its arguments into one call and prints the answer.
//!
//! Exit code 0 on success, 1 on failure, 2 on wrong usage (also a refused setting). Data goes to standard
//! output, everything else to standard error. What touches the store goes through
//! [`hanok_appliance::control`], which talks to the running appliance or opens the store itself.

mod ask;
mod backup;
mod compact;
mod completions;
mod compute;
mod config;
mod doctor;
mod domain;
mod household;
mod job;
mod mail;
mod memory;
mod openapi;
mod print;
mod reindex;
mod restore;
mod serve;
#[cfg(test)]
mod tests;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use rustix::fs::Mode;

use hanok_appliance::{domains, files};
use hanok_base::{Error, Kind, Result, command};
use hanok_platform::config::{Config, Environment, Flags};

/// Runs the command line of this process and gives its exit code.
pub fn main() -> ExitCode {
    memory::give_back_what_is_freed();
    // Whatever is written from here on is for the user who runs this, wherever it lies.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let Cli { options, command } = Cli::parse();
    let asked = options.clone();
    // Without room for its threads, or files for itself, the runtime does not begin, and says nothing that helps.
    let room = if matches!(command, Command::Serve(_)) { hanok_appliance::memory::check() } else { Ok(()) };
    if let Err(error) = room.and_then(|()| files::check(files::Use::Beginning)) {
        return failed(&error, asked.place().as_deref());
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&Error::internal(error), None),
    };
    let outcome = runtime.block_on(run(options, command));
    // What still waits now is a question to a name server that nobody wants answered any more.
    runtime.shutdown_timeout(Duration::from_millis(100));
    outcome.unwrap_or_else(|error| failed(&error, asked.place().as_deref()))
}

async fn run(options: GlobalOptions, command: Command) -> Result<ExitCode> {
    let done = match command {
        Command::Serve(serve) => serve.run(options).await,
        Command::Compute(compute) => compute.run(options).await,
        Command::Config(config) => config.run(options),
        Command::Doctor(doctor) => return doctor.run(options).await,
        Command::Backup(backup) => backup.run(options).await,
        Command::Restore(restore) => restore.run(options).await,
        Command::Verify(verify) => verify.run(options).await,
        Command::Compact(compact) => compact.run(options).await,
        Command::Reindex(reindex) => reindex.run(options).await,
        Command::Household(household) => household.run(options).await,
        Command::Domain(domain) => domain.run(options).await,
        Command::Job(job) => job.run(options).await,
        Command::Mail(mail) => mail.run(options).await,
        Command::Openapi(openapi) => openapi.run(),
        Command::Completions(completions) => completions.run(),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Says what went wrong in the data folder at `place`. The person at the command line may also see the technical cause.
fn failed(error: &Error, place: Option<&Path>) -> ExitCode {
    let placed = |said: &str| place.map_or_else(|| said.to_owned(), |place| command::placed(place, said));
    let cause = error.cause.as_deref().filter(|cause| !cause.is_empty());
    let cause = cause.map(|cause| format!("  cause: {}\n", placed(cause))).unwrap_or_default();
    // There is nowhere to say that standard error is closed.
    let _ = write!(std::io::stderr(), "{}", print::shown(&format!("hanok: {}\n{cause}", placed(&error.message))));
    ExitCode::from(if error.kind == Kind::InvalidInput { 2 } else { 1 })
}

/// A household's operations desk and a small business's customer site in one binary.
#[derive(Debug, Parser)]
#[command(
    name = "hanok",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "Example:\n  hanok serve --data-dir /srv/hanok\n\nEvery command has --help with an example."
)]
struct Cli {
    #[command(flatten)]
    options: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

/// Which settings and which data folder.
#[derive(Debug, Default, Clone, Args)]
struct GlobalOptions {
    /// The settings file [default: appliance.toml in the data folder, or else here]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl GlobalOptions {
    /// These options as flags, for a command to add its own.
    fn flags(self) -> Flags {
        Flags { config: self.config, data_dir: self.data_dir, ..Flags::default() }
    }

    /// The data folder, where it can be told.
    fn place(self) -> Option<PathBuf> {
        let given = self.data_dir.clone();
        self.load().map(|config| config.data.dir).ok().or(given)
    }

    /// The settings in force.
    fn load(self) -> Result<Config> {
        domains::settings(&self.flags(), &Environment::of_process())
    }
}

/// What each command does stands at its struct.
#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Compute(compute::Compute),
    Config(config::ShowConfig),
    Doctor(doctor::Doctor),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Verify(verify::Verify),
    Compact(compact::Compact),
    Reindex(reindex::Reindex),
    Household(household::Household),
    #[command(flatten)]
    Domain(domain::DomainCommand),
    Job(job::Job),
    Mail(mail::Mail),
    Openapi(openapi::Openapi),
    Completions(completions::Completions),
}

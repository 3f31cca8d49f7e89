//! `hanok backup`

use std::path::PathBuf;

use clap::Args;

use serde_json::json;

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::{Command, Needs, check_place};
use hanok_base::Result;
use hanok_platform::config::Config;
use hanok_platform::store::open::LAST_WRITE_LEFT_OUT;
use hanok_platform::store::{DataFolder, snapshot};

/// Make a verified snapshot, or one file with everything in it
///
/// The snapshot lies in the data folder and is verified before it counts. Works while the appliance runs
/// and while it does not.
///
/// With --to it writes one file with everything in it (records, large files, settings without secrets),
/// which `hanok restore --from` takes on any machine. Passphrase, sessions, links of customers, texts of mails,
/// admins and connected chats stay here unless --with-access is given.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok backup\n  hanok backup --to /mnt/usb/hanok.tar.gz\n  hanok backup --list")]
pub(super) struct Backup {
    /// Write one file with everything in it
    #[arg(long, value_name = "PATH")]
    to: Option<PathBuf>,
    /// Put the passphrase (its hash), sessions, links of customers, texts of mails, admins and chats into the file, too
    #[arg(long, requires = "to")]
    with_access: bool,
    /// List the snapshots instead of making one
    #[arg(long, conflicts_with = "to")]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is shown of a snapshot.
const SNAPSHOT: [Column; 8] = [
    Column::text("snapshot", "/name"),
    Column::text("kind", "/kind"),
    Column::text("state", "/state"),
    Column::instant("verified at", "/verified_at"),
    Column::bytes("size", "/bytes"),
    Column::count("rows", "/rows"),
    Column::text("version", "/app_version"),
    Column::text("store version", "/store_version"),
];

impl Backup {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        if self.list {
            return list(&config, self.json);
        }
        let command = match self.to {
            Some(path) => Command::BackupTo { path: ask::absolute(path)?, with_access: self.with_access },
            None => Command::Backup,
        };
        let answer = ask::perform(&config, command).await?;
        if self.json {
            return print::json(&answer);
        }
        match answer.get("snapshot") {
            None => print::thing(&answer, &SNAPSHOT),
            Some(snapshot) => {
                print::thing(&answer, &[Column::text("written to", "/path"), Column::bytes("size", "/bytes")])?;
                print::thing(snapshot, &SNAPSHOT)
            }
        }
    }
}

/// Snapshots are finished files: they can be listed whether the appliance runs or not.
fn list(config: &Config, as_json: bool) -> Result<()> {
    check_place(config, Needs::Snapshots)?;
    let folder = DataFolder::at(&config.data.dir);
    let backups = snapshot::list(&folder)?;
    let answer = json!({ "total": backups.len(), "backups": backups });
    if as_json {
        return print::json(&answer);
    }
    // Said of those few of which it is so.
    let in_part = Column::text("last write left out", "/last_write_left_out");
    let is_any_in_part = backups.iter().any(|snapshot| snapshot.last_write_left_out);
    let columns: Vec<Column> = SNAPSHOT.into_iter().chain(is_any_in_part.then_some(in_part)).collect();
    print::table_or("no backups yet", print::list(&answer, "backups"), &columns)?;
    if is_any_in_part {
        print::note(&format!("a state without its last write is that before it, {LAST_WRITE_LEFT_OUT}"));
    }
    Ok(())
}

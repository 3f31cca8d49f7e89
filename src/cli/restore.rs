//! `hanok restore`

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::print::{self, Column};
use super::{GlobalOptions, ask};
use hanok_appliance::control::Command;
use hanok_base::{Result, command};
use hanok_platform::config::Config;
use hanok_platform::store::open::LAST_WRITE_LEFT_OUT;
use hanok_platform::store::{DataFolder, Snapshot, snapshot};

/// Go back to a snapshot, or take over a backup file
///
/// The source is checked before anything changes. What was there before is kept as a snapshot, to which --undo returns.
/// Who may enter stays as it is: passphrase, sessions and set-up links are never brought back. With --from, a data folder
/// that holds no house gets a new one.
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
    /// The newest snapshot that is sound; those that restores have made come last, as they hold what was left on purpose
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
        let is_latest = self.source.latest;
        let command = match self.source.from {
            Some(file) => Command::RestoreFrom(ask::absolute(file)?),
            None if self.source.undo => Command::UndoRestore,
            None if self.source.adopt => Command::Adopt,
            None => Command::Restore(self.source.name),
        };
        let answer = ask::perform_on_one(&config, command, "snapshot", "backup --list").await?;
        if self.json {
            return print::json(&answer);
        }
        let from = came_from(&config, &answer);
        let answer = with(answer, "state_of", from.as_ref().map(|from| json!(from.created_at)));
        let told = |name: &str| answer.get(name).is_some_and(|value| !value.is_null() && *value != 0);
        let always = ["restored", "rows", "pre_restore"];
        let shown: Vec<Column> = [
            Column::text("new house in", "/new_house"),
            Column::text("restored", "/restored"),
            Column::instant("state of", "/state_of"),
            Column::count("rows", "/rows"),
            Column::text("state before", "/pre_restore"),
            Column::text("settings", "/settings"),
            Column::count("described anew", "/described"),
            Column::count("cleared", "/cleared"),
        ]
        .into_iter()
        .filter(|column| always.contains(&&column.pointer[1..]) || told(&column.pointer[1..]))
        .collect();
        print::thing(&answer, &shown)?;
        if answer["last_write_left_out"] == true {
            print::note(&format!("this is the state before its last write, {LAST_WRITE_LEFT_OUT}"));
        }
        if let Some(put_back) = texts_put_back(&answer) {
            print::note(&put_back);
        }
        let offer = |words: &str| command::on(&config.data.dir, words);
        if answer["signed_out"] == true {
            print::note(&format!(
                "the state before could not be read, so everyone signs in again; if the passphrase is not taken any more, set \
                 it anew: `{}`",
                offer("household passphrase")
            ));
        }
        if let (true, Some(from)) = (is_latest, &from) {
            let others = snapshot::list(&DataFolder::at(&config.data.dir)).unwrap_or_default();
            for other in passed_over(from, &others, answer["undo"].as_str()) {
                print::note(&match other.is_sound() {
                    true => format!(
                        "{} is newer and was passed over, as it was kept aside and is none of the backups; `{}` goes to it",
                        other.name,
                        offer(&format!("restore {}", other.name))
                    ),
                    false => format!("{} is newer, damaged, and was passed over", other.name),
                });
            }
        }
        if answer["undo"].is_string() {
            print::note(&format!("`{}` takes this back", offer("restore --undo")));
        }
        Ok(())
    }
}

/// `answer` with a field more.
fn with(mut answer: Value, name: &str, value: Option<Value>) -> Value {
    if let Some(value) = value {
        answer[name] = value;
    }
    answer
}

/// Which of the owner's texts came with the state, if any did.
fn texts_put_back(answer: &Value) -> Option<String> {
    let names: Vec<&str> = answer["texts"].as_array()?.iter().filter_map(Value::as_str).collect();
    let note = "put in their places in pages/, where another text that lay there stays beside, with .before or .before-2 and \
                so on at its end";
    (!names.is_empty()).then(|| format!("your own texts for the customer site were {note}: {}", names.join(", ")))
}

/// The snapshot that was put in place. None for a file that was taken over.
fn came_from(config: &Config, answer: &Value) -> Option<Snapshot> {
    snapshot::find(&DataFolder::at(&config.data.dir), answer["restored"].as_str()?).ok()
}

/// Which of the snapshots `others` are newer than the one restored, but for that of the state before.
fn passed_over<'s>(from: &Snapshot, others: &'s [Snapshot], before: Option<&str>) -> Vec<&'s Snapshot> {
    others.iter().filter(|other| other.number > from.number && Some(other.name.as_str()) != before).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_that_a_file_brought_are_named_and_where_none_came_nothing_is_said() {
        let told = texts_put_back(&json!({"texts": ["privacy.ko.md", "terms.en.md"]})).unwrap();
        assert!(told.ends_with(": privacy.ko.md, terms.en.md") && told.contains("pages/"), "{told}");
        assert_eq!([json!({"texts": []}), json!({})].map(|answer| texts_put_back(&answer)), [None, None]);
    }
}

//! The domains' commands, such as `hanok lotto`: each says in its folder what it can be asked.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Error as ValidationErrors, FromArgMatches, Subcommand, ValueHint};
use serde_json::Value;

use super::{GlobalOptions, ask, print};
use hanok_appliance::control::{Command as Control, Needs, check_place};
use hanok_appliance::domains;
use hanok_base::{Error, Kind, Message, Result};
use hanok_platform::domain::{Command, Opened, Verb, View, Word, WordKind, WordPlace, Words};
use hanok_platform::store::unpack;

/// A verb of a domain as it was typed.
#[derive(Debug)]
pub(super) struct DomainCommand {
    command: &'static str,
    verb: &'static str,
    typed: Vec<(&'static Word, String)>,
    json: bool,
}

impl DomainCommand {
    pub async fn run(self, options: GlobalOptions) -> Result<()> {
        let config = options.load()?;
        let verb = domains::verb(self.command, self.verb).ok_or_else(|| Error::not_found("verb"))?;
        // Where no house is, nothing is opened for it.
        check_place(&config, Needs::Store)?;
        let mut opened = None;
        let words = self.typed.into_iter().map(|(word, typed)| match word.kind {
            WordKind::File(largest) => Ok((word.name, read(Path::new(&typed), largest)?)),
            WordKind::Path(open) => {
                opened = Some(open(Path::new(&typed), &config)?);
                Ok((word.name, typed))
            }
            _ => Ok((word.name, typed)),
        });
        let words = words.collect::<Result<Words>>()?;
        let command = Control::Verb { command: self.command.to_owned(), verb: self.verb.to_owned(), words };
        let answer = match opened {
            Some(Opened { file, then }) => then(ask::perform_with(&config, command, Some(file)).await?)?,
            None => ask::perform(&config, command).await?,
        };
        if self.json { print::json(&answer) } else { show(&answer, verb.shows) }
    }
}

fn show(answer: &Value, views: &[View]) -> Result<()> {
    views.iter().try_for_each(|view| match view {
        View::Thing(lines) => print::thing(answer, lines),
        View::List(name, columns) => match print::list(answer, name) {
            [] => Ok(()),
            rows => print::table(rows, columns),
        },
    })
}

/// The text of a file or of a pipe, whose length nobody knows before its end; of neither is more read than may be sent.
fn read(file: &Path, largest: u64) -> Result<String> {
    let refused =
        |problem: String| Error::new(Kind::InvalidInput, Message::english(format!("{}: {problem}", file.display())));
    let told = |error: std::io::Error| refused(error.to_string());
    unpack::check_source(file).map_err(|_| refused("is a folder or a device".to_owned()))?;
    let mut text = Vec::new();
    File::open(file).map_err(told)?.take(largest + 1).read_to_end(&mut text).map_err(told)?;
    if text.len() as u64 > largest {
        return Err(refused(format!("is larger than {}", print::bytes(largest))));
    }
    String::from_utf8(text).map_err(|_| refused("is no text in UTF-8".to_owned()))
}

impl Subcommand for DomainCommand {
    fn augment_subcommands(cli: clap::Command) -> clap::Command {
        domains::commands().fold(cli, |cli, command| cli.subcommand(described(command)))
    }

    fn augment_subcommands_for_update(cli: clap::Command) -> clap::Command {
        Self::augment_subcommands(cli)
    }

    fn has_subcommand(name: &str) -> bool {
        domains::commands().any(|command| command.name == name)
    }
}

impl FromArgMatches for DomainCommand {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, ValidationErrors> {
        let typed = || {
            let (name, inner) = matches.subcommand()?;
            let command = domains::commands().find(|command| command.name == name)?;
            let (name, words) = inner.subcommand()?;
            let verb = command.verbs.iter().find(|verb| verb.name == name)?;
            let typed = verb.takes.iter().filter_map(|word| Some((word, words.get_one::<String>(word.name)?.clone())));
            let (typed, json) = (typed.collect(), words.get_flag("json"));
            Some(DomainCommand { command: command.name, verb: verb.name, typed, json })
        };
        typed().ok_or_else(|| ValidationErrors::new(ErrorKind::InvalidSubcommand))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), ValidationErrors> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn described(command: &'static Command) -> clap::Command {
    let described = clap::Command::new(command.name).about(command.about).after_help(example(command.example));
    command.verbs.iter().fold(described.subcommand_required(true).arg_required_else_help(true), |described, verb| {
        described.subcommand(described_verb(verb))
    })
}

fn described_verb(verb: &'static Verb) -> clap::Command {
    let json = Arg::new("json").long("json").help("Print JSON").action(ArgAction::SetTrue);
    let described = clap::Command::new(verb.name).about(verb.about).after_help(example(verb.example)).arg(json);
    described.args(verb.takes.iter().map(described_word))
}

fn described_word(word: &'static Word) -> Arg {
    let described = Arg::new(word.name).help(word.about);
    let described = match word.place {
        WordPlace::Required => described.required(true),
        WordPlace::Option => described.long(word.name),
    };
    match word.kind {
        WordKind::Text => described,
        WordKind::File(_) => described.value_hint(ValueHint::FilePath),
        WordKind::Path(_) => described.value_hint(ValueHint::AnyPath),
        WordKind::OneOf(words) => described.value_parser(PossibleValuesParser::new(words)),
        WordKind::Number(..) => described.value_parser(|typed: &str| word.kind.check(typed).map(|()| typed.to_owned())),
    }
}

fn example(line: &str) -> String {
    format!("Example:\n  {line}")
}

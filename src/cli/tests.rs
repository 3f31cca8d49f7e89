//! The command line as a person types it.

use clap::{CommandFactory, Parser};

use super::*;
use hanok_base::Message;

fn parsed(words: &[&str]) -> std::result::Result<Cli, clap::error::ErrorKind> {
    Cli::try_parse_from(std::iter::once(&"hanok").chain(words)).map_err(|error| error.kind())
}

/// Every command with its subcommands, and its words on the line.
fn commands(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
    for sub in command.get_subcommands() {
        let words = format!("{words} {}", sub.get_name());
        found.push((words.clone(), sub.clone()));
        commands(sub, &words, found);
    }
}

#[test]
fn the_command_line_contradicts_itself_nowhere() {
    Cli::command().debug_assert();
    assert!(parsed(&["serve"]).is_ok());
}

#[test]
fn every_command_has_an_example_of_itself() {
    let mut found = Vec::new();
    commands(&Cli::command(), "hanok", &mut found);
    assert!(found.len() > 15);
    for (words, command) in found {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains("Example") && help.contains(&words), "{words}: {help}");
    }
}

#[test]
fn the_place_may_stand_before_or_behind_the_command() {
    for words in [["--data-dir", "/srv/hanok", "verify"], ["verify", "--data-dir", "/srv/hanok"]] {
        let cli = parsed(&words).unwrap();
        assert_eq!(cli.options.data_dir, Some(PathBuf::from("/srv/hanok")));
    }
}

#[test]
fn the_flags_of_serve_reach_the_settings() {
    let words = ["serve", "--ops-listen", "127.0.0.1:0", "--site-listen", "127.0.0.1:0", "--log-format", "json"];
    assert!(matches!(parsed(&words).unwrap().command, Command::Serve(_)));
}

#[test]
fn a_restore_says_from_where() {
    use clap::error::ErrorKind;
    assert_eq!(parsed(&["restore"]).unwrap_err(), ErrorKind::MissingRequiredArgument);
    assert_eq!(parsed(&["restore", "--latest", "some-name"]).unwrap_err(), ErrorKind::ArgumentConflict);
    for words in [&["restore", "--latest"][..], &["restore", "some-name"], &["restore", "--from", "a.tar.gz"]] {
        assert!(parsed(words).is_ok(), "{words:?}");
    }
}

#[test]
fn wrong_usage_is_told_apart_from_failure() {
    let code = |kind| format!("{:?}", failed(&Error::new(kind, Message::english("no")), None));
    assert_eq!(code(Kind::InvalidInput), format!("{:?}", ExitCode::from(2)));
    assert_eq!(code(Kind::StorageFull), format!("{:?}", ExitCode::from(1)));
}

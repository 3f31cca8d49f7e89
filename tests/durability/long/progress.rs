//! How far a restore is, on the command line: a bar that fills to 100 percent on a terminal, plain lines elsewhere.

use std::process::{Command, Stdio};

use crate::ballast;
use crate::installation::Installation;

/// A installation with a snapshot of some mebibytes.
fn with_a_snapshot() -> Installation {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    ballast::seed(&installation, 6);
    installation.run(&["backup"]).ok();
    installation
}

/// The numbers before each percent sign.
fn percents(text: &str) -> Vec<u8> {
    let before = text.split('%').map(|part| part.rsplit([' ', '\r']).next().unwrap_or_default());
    let mut percents: Vec<u8> = before.filter_map(|word| word.parse().ok()).collect();
    percents.dedup();
    percents
}

#[test]
fn where_there_is_no_terminal_a_restore_prints_plain_lines_up_to_100_percent() {
    let installation = with_a_snapshot();
    for running in [false, true] {
        let appliance = running.then(|| installation.serve());
        let restored = installation.run(&["restore", "--latest"]);
        let told = restored.complained();
        let lines: Vec<&str> = told.lines().filter(|line| line.ends_with('%')).collect();
        assert!(lines.iter().all(|line| line.starts_with("restoring: ")), "{told}");
        assert!(!told.contains(['\r', '\u{1b}']), "{told:?}");
        let percents = percents(&told);
        assert!(percents.is_sorted() && percents.len() >= 4, "{told}");
        assert_eq!(percents.last(), Some(&100), "{told}");
        assert!(restored.ok().contains("kept aside"));
        drop(appliance.map(|appliance| appliance.end()));
    }
    // What failed did not come to its end.
    let refused = installation.run(&["restore", "no-such-snapshot"]);
    assert_eq!((refused.code(), refused.complained().contains('%')), (Some(1), false));
}

#[test]
fn on_a_terminal_a_restore_draws_a_bar_that_fills() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("script(1) is not here to play the terminal: the bar was not drawn");
        return;
    }
    let installation = with_a_snapshot();
    let hanok = installation.command(&["restore", "--latest"]);
    let words: Vec<&str> =
        std::iter::once(hanok.get_program()).chain(hanok.get_args()).map(|word| word.to_str().unwrap()).collect();
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]).stdin(Stdio::null());
    terminal.env("TERM", "xterm").env("HANOK_JOBS__SCHEDULE", "false");
    let drawn = terminal.output().unwrap();
    let seen = String::from_utf8_lossy(&drawn.stdout).into_owned();
    assert!(drawn.status.success(), "{seen}");
    assert!(seen.contains('█'), "{seen:?}");
    let percents = percents(&seen);
    assert!(percents.is_sorted(), "{seen:?}");
    assert_eq!(percents.last(), Some(&100), "{seen:?}");
    assert!(seen.contains("kept aside"), "{seen:?}");
}

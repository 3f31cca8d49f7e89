//! Commands that sentences offer: whoever copies one may be anywhere, so each names its data folder, in one of two ways.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::tree::{Tree, product_tokens};
use hanok::appliance::domains::commands;
use hanok::base::command::placed;

/// The house's own commands that work on a data folder; those of the domains say themselves that they do.
const OF_THE_HOUSE: [&str; 10] =
    ["serve", "backup", "restore", "verify", "compact", "reindex", "household", "job", "doctor", "config"];
/// What is called so and is no command.
const NAMES: [&str; 2] = ["household appliance", "backup file"];
/// What works without one.
const PLACELESS: &str = "config --example";

/// Sentences of the program in which a command does not stand between backticks, so that nobody would add the folder on
/// its way out. Help and examples are not read far from where they are typed.
pub fn of_the_program(source: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in source.files() {
        let mut sentences = Vec::new();
        literals(product_tokens(file, text), &mut sentences);
        let is_example = |sentence: &&String| sentence.starts_with("hanok ");
        for sentence in sentences.iter().filter(|sentence| !is_example(sentence)) {
            let is_placed = |offer: &str| offer.starts_with(PLACELESS) || offer.contains("--data-dir");
            let on_its_way_out = placed(Path::new("/srv/hanok"), sentence);
            let bare = offers(&on_its_way_out).into_iter().find(|offer| !is_placed(offer));
            found
                .extend(bare.map(|offer| format!("{file}: `hanok {offer}` is offered without its folder: {sentence}")));
        }
    }
    found
}

/// Sentences of the screens that offer a command without a folder. To what the server says (the rooms `said`, `refused` and
/// `work` of `messages.json`) the folder is added as it is shown, as the server adds it to its own.
pub fn of_the_screens(screens: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in screens.files().filter(|(file, _)| !file.contains(".test.")) {
        let mut room = "";
        for line in text.lines() {
            room = line.trim().strip_suffix("\": {").map_or(room, |name| name.trim_start_matches('"'));
            let is_placed_when_shown = file.ends_with("/messages.json") && ["said", "refused", "work"].contains(&room);
            let line = if is_placed_when_shown { placed(Path::new("/srv/hanok"), line) } else { line.to_owned() };
            let bare = offers(&line).into_iter().find(|offer| !offer.contains("--data-dir"));
            found.extend(bare.map(|offer| format!("{file}: `hanok {offer}` is offered without its folder")));
        }
    }
    found
}

/// Each command in a text, from behind `hanok` up to the sign that ends it.
fn offers(text: &str) -> Vec<&str> {
    let behind = text.match_indices("hanok ").map(|(at, name)| &text[at + name.len()..]);
    let begins = |rest: &&str| {
        let word = rest.split(|sign: char| !sign.is_ascii_lowercase()).next();
        let is_name = NAMES.iter().any(|name| rest.starts_with(name));
        word.is_some_and(is_command) && !is_name
    };
    behind.filter(begins).map(|rest| rest.split(['`', '<', ';', '"']).next().unwrap_or(rest)).collect()
}

fn is_command(word: &str) -> bool {
    OF_THE_HOUSE.contains(&word) || commands().any(|command| command.name == word)
}

/// The texts of a file, but those of attributes: comments and help.
fn literals(stream: TokenStream, found: &mut Vec<String>) {
    let mut is_attribute = false;
    for tree in stream {
        match tree {
            TokenTree::Group(group) if !is_attribute => literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                found.extend(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned));
            }
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                is_attribute = true;
                continue;
            }
            _ => {}
        }
        is_attribute = false;
    }
}

#[test]
fn a_command_that_is_offered_without_its_folder_is_caught() {
    let program = |text| of_the_program(&Tree::of(&[("src/ops/plants/http.rs", text)])).len();
    assert_eq!(program(r#"fn f() { say("run hanok backup first"); }"#), 1);
    assert_eq!(program(r#"fn f() { say("run `hanok backup` first, then hanok verify"); }"#), 1);
    assert_eq!(
        program(
            r#"/// Run hanok backup.
        #[command(after_help = "hanok backup")] fn f() { say("run `hanok backup` of hanok"); }"#
        ),
        0
    );
    for command in commands() {
        let offered = format!(r#"fn f() {{ say("run hanok {} first"); }}"#, command.name);
        assert_eq!(of_the_program(&Tree::of(&[("src/ops/plants/http.rs", &offered)])).len(), 1, "{offered}");
    }
    let screens = |text| of_the_screens(&Tree::of(&[("a.json", text)])).len();
    assert_eq!(screens(r#""on the machine: hanok household passphrase""#), 1);
    assert_eq!(screens(r#""on the machine: hanok household passphrase --data-dir DIR", "hanok is away""#), 0);
    let said =
        |text: &str| of_the_screens(&Tree::of(&[("house/messages.json", &format!("\"said\": {{\n{text}"))])).len();
    assert_eq!((said(r#""run `hanok backup`""#), said(r#""run hanok backup""#)), (0, 1));
}

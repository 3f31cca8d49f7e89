//! Names that must be there once: tables, jobs, and every room and domain on the map.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use crate::floors::domain_of;
use crate::tree::{Tree, product_tokens};

/// Two tables of one name, or a table whose name carries no version.
pub fn tables(tree: &Tree) -> Vec<String> {
    let named = named(tree, |words| words.ends_with(&["Table", ":", ":", "new", "("]));
    let unversioned = named.iter().filter(|(name, _)| {
        name.rsplit_once('-')
            .is_none_or(|(_, version)| version.is_empty() || !version.chars().all(|c| c.is_ascii_digit()))
    });
    let mut found: Vec<String> =
        unversioned.map(|(name, files)| format!("{}: the table `{name}` carries no version", files[0])).collect();
    found.extend(twice("table", &named));
    found
}

/// Two jobs of one kind.
pub fn jobs(tree: &Tree) -> Vec<String> {
    twice("job", &named(tree, |words| words.ends_with(&["KIND", ":", "&", "'", "static", "str", "="])))
}

/// A room or a domain that the map in `src/ARCHITECTURE.md` does not show.
pub fn unmapped(tree: &Tree, map: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (file, _) in tree.files() {
        let room = file.trim_start_matches("src/").split('/').next().unwrap_or_default();
        for name in [Some(room.to_owned()), domain_of(file)].into_iter().flatten() {
            let line = format!("{name} is not on the map in src/ARCHITECTURE.md");
            let last = name.rsplit('/').next().unwrap_or_default();
            let is_mapped = map.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == last);
            if !name.ends_with(".rs") && !is_mapped && !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

fn twice(what: &str, named: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let several = named.iter().filter(|(_, files)| files.len() > 1);
    several.map(|(name, files)| format!("the {what} `{name}` is there twice: {}", files.join(", "))).collect()
}

/// String literals that follow a phrase of code, with the files they stand in.
fn named(tree: &Tree, follows: impl Fn(&[&str]) -> bool) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in tree.files() {
        let mut words = Vec::new();
        flatten(product_tokens(file, text), &mut words);
        for at in 0..words.len() {
            let before: Vec<&str> = words[at.saturating_sub(8)..at].iter().map(String::as_str).collect();
            if words[at].starts_with('"') && follows(&before) {
                found.entry(words[at].trim_matches('"').to_owned()).or_default().push(file.to_owned());
            }
        }
    }
    found
}

fn flatten(stream: TokenStream, words: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                words.push("(".to_owned());
                flatten(group.stream(), words);
                words.push(")".to_owned());
            }
            TokenTree::Literal(literal) => words.push(literal.to_string()),
            TokenTree::Ident(ident) => words.push(ident.to_string()),
            TokenTree::Punct(punct) => words.push(punct.as_char().to_string()),
        }
    }
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_table_or_job_name_used_twice_is_caught() {
        let table = "const TODOS: Table<u64, Todo> = Table::new(\"todos-1\");";
        let job = "impl Job for Sync { const KIND: &'static str = \"lottery.sync\"; }";
        let tree = Tree::of(&[("src/ops/todos/store.rs", table), ("src/ops/lottery/store.rs", table)]);
        assert_eq!(tables(&tree).len(), 1);
        let tree = Tree::of(&[("src/ops/todos/work.rs", job), ("src/ops/lottery/work.rs", job)]);
        assert_eq!(jobs(&tree).len(), 1);
    }

    #[test]
    fn a_table_without_a_version_is_caught() {
        let tree = Tree::of(&[("src/ops/todos/store.rs", "const TODOS: Table<u64, Todo> = Table::new(\"todos\");")]);
        assert_eq!(tables(&tree).len(), 1);
    }

    #[test]
    fn a_domain_that_is_not_on_the_map_is_caught() {
        let tree = Tree::of(&[("src/ops/todos/mod.rs", ""), ("src/ops/music/mod.rs", ""), ("src/lib.rs", "")]);
        assert_eq!(unmapped(&tree, "ops/  todos"), ["ops/music is not on the map in src/ARCHITECTURE.md"]);
    }
}

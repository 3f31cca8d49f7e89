//! Inside a domain: always the same file names, and each file names only what its kind may name.

use crate::floors::domain_of;
use crate::tree::{Tree, paths, product_tokens, resolved};

/// The kinds of files in a domain, which of their own kinds each may name, and which parts of the platform.
const KINDS: [(&str, &[&str], &[&str]); 4] = [
    ("model", &["model"], &[]),
    ("store", &["model", "store"], &["store", "jobs", "events", "domain", "search", "blobs"]),
    ("http", &["model", "store", "work", "http"], &["store", "jobs", "app", "http", "auth"]),
    (
        "work",
        &["model", "store", "work"],
        &[
            "store",
            "jobs",
            "app",
            "upstream",
            "compute",
            "config",
            "events",
            "derived",
            "domain",
            "mail",
            "chat",
            "search",
            "auth",
            "blobs",
            "blocking",
            "openid",
            "own_data",
            "settings_file",
            "tokens",
            "writes",
        ],
    ),
];

/// Values of the platform, which hold no power: any file of a domain may name them.
const VALUES: [[&str; 2]; 8] = [
    ["blobs", "BlobId"],
    ["domain", "NavEntry"],
    ["domain", "Offer"],
    ["domain", "Offers"],
    ["mail", "EmailAddress"],
    ["mail", "Language"],
    ["mail", "MailSeen"],
    ["mail", "MailStatus"],
];

/// Names that say nothing about what a file holds.
const EMPTY_NAMES: [&str; 5] = ["utils", "helpers", "common", "manager", "service"];

/// A file or folder of a domain whose name is none of the fixed ones, or a name without meaning anywhere.
pub fn file_names(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, _) in tree.files() {
        let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
        if let Some(empty) = parts.iter().find(|part| EMPTY_NAMES.contains(part)) {
            found.push(format!("{file}: `{empty}` says nothing about what lies there"));
        }
        if domain_of(file).is_some() && kind_of(file).is_none() && parts[3..] != ["mod"] {
            found.push(format!("{file}: a domain has mod.rs, model, store, http and work, and no other names"));
        }
    }
    found
}

/// A file of a domain that names what its kind may not name.
pub fn neighbours(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let (Some(domain), Some(kind)) = (domain_of(file), kind_of(file)) else { continue };
        let Some((_, own, platform)) = KINDS.into_iter().find(|(name, ..)| *name == kind) else { continue };
        let (room, noun) = domain.split_once('/').unwrap();
        for path in resolved(file, paths(product_tokens(file, text))) {
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let forbidden = match names.as_slice() {
                ["hanok", "platform", part, value] if VALUES.contains(&[part, value]) => false,
                ["hanok", "platform", part, ..] => !platform.contains(part),
                ["hanok", r, n, other, ..] if *r == room && *n == noun => {
                    KINDS.iter().any(|(name, ..)| name == other) && !own.contains(other)
                }
                _ => false,
            };
            if forbidden {
                found.push(format!("{file} names {}, which a {kind} file may not", path.join("::")));
            }
        }
    }
    found
}

/// `http` for `src/ops/todos/http.rs` and for `src/ops/lottery/http/purchases.rs`.
fn kind_of(file: &str) -> Option<&'static str> {
    let kind = file.split('/').nth(3)?.trim_end_matches(".rs");
    KINDS.into_iter().map(|(name, ..)| name).find(|name| *name == kind)
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn another_file_name_in_a_domain_is_caught() {
        let tree = Tree::of(&[
            ("src/ops/todos/mod.rs", ""),
            ("src/ops/todos/http.rs", ""),
            ("src/ops/lottery/http/purchases.rs", ""),
            ("src/ops/todos/handlers.rs", ""),
            ("src/platform/utils.rs", ""),
        ]);
        assert_eq!(file_names(&tree).len(), 2);
    }

    #[test]
    fn a_model_that_knows_the_store_and_a_store_that_knows_the_door_are_caught() {
        let tree = Tree::of(&[
            ("src/ops/todos/model.rs", "use hanok_platform::store::Table;"),
            ("src/ops/todos/store.rs", "use super::{model::Todo, http::Todos}; use hanok_platform::jobs::enqueue;"),
            ("src/ops/todos/http.rs", "use super::store; use hanok_platform::upstream::Provider;"),
            ("src/ops/todos/work.rs", "use hanok_platform::http::Household;"),
        ]);
        assert_eq!(neighbours(&tree).len(), 4);
    }
}

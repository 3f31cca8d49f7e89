//! One owner for each library, and for each of the few things that would spoil a test: the time, the environment,
//! a task that nobody joins.

use crate::floors::domain_of;
use crate::tree::{Tree, paths, product_tokens};

/// A name and where it may stand, in the words of [`is_at_home`].
struct Owner {
    names: &'static [&'static [&'static str]],
    places: &'static [&'static str],
}

const OWNERS: [Owner; 15] = [
    Owner { names: &[&["redb"], &["crc32fast"]], places: &["src/platform/store/"] },
    Owner { names: &[&["tantivy"]], places: &["src/platform/search/"] },
    Owner { names: &[&["reqwest"]], places: &["src/platform/upstream/"] },
    Owner { names: &[&["lettre"]], places: &["src/platform/mail/"] },
    Owner {
        names: &[&["clap"], &["clap_complete"], &["indicatif"], &["anyhow"], &["rpassword"]],
        places: &["src/cli/"],
    },
    // `ToSchema` is the one exception: `base::schema` hands the derive on, so that pure types can describe themselves.
    Owner { names: &[&["salvo"]], places: &["src/platform/http/", "http.rs", "src/appliance/", "src/base/schema.rs"] },
    Owner { names: &[&["rust_embed"]], places: &["src/platform/http/"] },
    Owner { names: &[&["rayon"]], places: &["src/platform/compute/"] },
    Owner { names: &[&["argon2"]], places: &["src/platform/auth/"] },
    Owner { names: &[&["croner"]], places: &["src/platform/jobs/"] },
    Owner { names: &[&["governor"]], places: &["src/platform/http/"] },
    Owner { names: &[&["toml"]], places: &["src/platform/config/"] },
    Owner { names: &[&["std", "env"], &["env", "var"], &["env", "vars"]], places: &["src/platform/config/"] },
    // A stopwatch (`Instant`) is not the time: it may run wherever something is measured, but not in what is pure.
    Owner { names: &[&["Utc", "now"], &["Local", "now"], &["SystemTime", "now"]], places: &["src/base/clock.rs"] },
    Owner {
        names: &[&["tokio", "spawn"], &["task", "spawn"]],
        places: &["src/platform/jobs/", "src/appliance/start.rs"],
    },
];

/// What a pure file never names: time, files, the network, threads, randomness of its own.
const IMPURE: [&[&str]; 10] = [
    &["crate", "base", "clock"],
    &["crate", "base", "Clock"],
    &["Instant", "now"],
    &["std", "fs"],
    &["std", "net"],
    &["std", "process"],
    &["std", "thread"],
    &["tokio"],
    &["getrandom"],
    &["tracing"],
];

/// A library or a power that is used outside its owner's place.
pub fn violations(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        for path in paths(product_tokens(file, text)) {
            for owner in &OWNERS {
                if owner.names.iter().any(|name| mentions(&path, name)) && !is_at_home(file, owner.places) {
                    found.push(format!(
                        "{file} names {}, which belongs to {}",
                        path.join("::"),
                        owner.places.join(", ")
                    ));
                }
            }
        }
    }
    found
}

/// A file of `calc`, or a domain's `model`, that is not pure.
pub fn impurities(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let is_model = domain_of(file).is_some() && is_at_home(file, &["model.rs"]);
        if !is_model && !file.starts_with("src/calc/") {
            continue;
        }
        for path in paths(product_tokens(file, text)) {
            if IMPURE.iter().any(|name| mentions(&path, name)) {
                found.push(format!("{file} names {}, but it must be pure", path.join("::")));
            }
        }
    }
    found
}

/// A library's name is the first of a path (`redb::Database`); a longer name may stand anywhere in it.
fn mentions(path: &[String], name: &[&str]) -> bool {
    match name {
        [library] => path[0] == *library,
        _ => path.windows(name.len()).any(|part| part == name),
    }
}

/// Whether `file` is one of `places`: a folder (`src/cli/`), a file (`src/base/clock.rs`), or a name that counts in
/// every folder (`http.rs`, also as the folder `http/`).
pub fn is_at_home(file: &str, places: &[&str]) -> bool {
    places.iter().any(|place| {
        if place.ends_with('/') {
            file.starts_with(place)
        } else if place.contains('/') {
            file == *place
        } else {
            let folder = place.trim_end_matches(".rs");
            file.split('/').any(|part| part == *place || part == folder)
        }
    })
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn each_library_outside_its_owner_is_caught() {
        let plant = |text: &'static str| violations(&Tree::of(&[("src/ops/todos/work.rs", text)]));
        for text in [
            "use redb::Database;",
            "use reqwest::Client;",
            "fn f() { clap::Command::new(); }",
            "use salvo::prelude::*;",
            "fn f() { std::env::var(\"HOME\"); }",
            "fn f() { chrono::Utc::now(); }",
            "use std::time; fn f() { time::SystemTime::now(); }",
            "fn f() { tokio::spawn(async {}); }",
            "fn f() { assert!(rayon::current_num_threads() > 1) }",
        ] {
            assert_eq!(plant(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn an_owner_may_use_its_library_and_a_test_may_use_anything() {
        let tree = Tree::of(&[
            ("src/platform/store/table.rs", "use redb::TableDefinition;"),
            ("src/ops/todos/http.rs", "use salvo::oapi::endpoint;"),
            ("src/ops/lottery/http/purchases.rs", "use salvo::oapi::endpoint;"),
            ("src/base/schema.rs", "pub use salvo::oapi::ToSchema;"),
            ("src/ops/todos/work.rs", "#[cfg(test)] mod tests { fn f() { tokio::spawn(async {}); } }"),
        ]);
        assert_eq!(violations(&tree), [""; 0]);
    }

    #[test]
    fn a_calculation_that_reads_a_file_or_the_time_is_caught() {
        let tree = Tree::of(&[
            ("src/calc/lottery/odds.rs", "fn f() { std::fs::read(\"draws\"); }"),
            ("src/calc/lottery/pairs.rs", "fn f() { std::time::Instant::now(); }"),
            ("src/ops/todos/model.rs", "use crate::base::{Clock, Error};"),
            ("src/ops/todos/work.rs", "use crate::base::Clock;"),
        ]);
        assert_eq!(impurities(&tree).len(), 3);
    }
}

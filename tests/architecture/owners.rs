//! One owner for each library inside the crates of several rooms. Which crate may use a library at all stands in its
//! manifest; who may ask for the time, the environment or a task of its own stands in `clippy.toml`.

use crate::floors::domain_of;
use crate::tree::{Tree, paths, product_tokens, resolved};

/// A name and where it may stand, in the words of [`is_at_home`].
struct Owner {
    names: &'static [&'static [&'static str]],
    places: &'static [&'static str],
}

const OWNERS: [Owner; 11] = [
    Owner { names: &[&["redb"], &["crc32fast"]], places: &["src/platform/store/"] },
    Owner { names: &[&["tantivy"]], places: &["src/platform/search/"] },
    Owner { names: &[&["reqwest"]], places: &["src/platform/upstream/"] },
    Owner { names: &[&["salvo"]], places: &["src/platform/http/", "http.rs", "src/appliance/"] },
    Owner { names: &[&["rust_embed"]], places: &["src/platform/http/", "src/appliance/"] },
    Owner { names: &[&["rayon"]], places: &["src/platform/compute/"] },
    Owner { names: &[&["argon2"]], places: &["src/platform/auth/"] },
    Owner { names: &[&["croner"]], places: &["src/platform/jobs/"] },
    Owner { names: &[&["lettre"]], places: &["src/platform/mail/"] },
    Owner { names: &[&["governor"]], places: &["src/platform/http/"] },
    Owner { names: &[&["toml"]], places: &["src/platform/config/", "src/site/questionnaire/model/"] },
];

/// What a pure file never names: time, files, the network, threads, randomness of its own.
const IMPURE: [&[&str]; 10] = [
    &["hanok", "base", "clock"],
    &["hanok", "base", "Clock"],
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
        for path in resolved(file, paths(product_tokens(file, text))) {
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
            "use salvo::prelude::*;",
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
            ("src/ops/todos/work.rs", "#[cfg(test)] mod tests { use salvo::test::TestClient; }"),
        ]);
        assert_eq!(violations(&tree), [""; 0]);
    }

    #[test]
    fn a_calculation_that_reads_a_file_or_the_time_is_caught() {
        let tree = Tree::of(&[
            ("src/calc/lottery/odds.rs", "fn f() { std::fs::read(\"draws\"); }"),
            ("src/calc/lottery/pairs.rs", "fn f() { std::time::Instant::now(); }"),
            ("src/ops/todos/model.rs", "use hanok_base::{Clock, Error};"),
            ("src/ops/todos/work.rs", "use hanok_base::Clock;"),
        ]);
        assert_eq!(impurities(&tree).len(), 3);
    }
}

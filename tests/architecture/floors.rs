//! An arrow only ever points down: the compiler sees to it, because a crate reaches only what its manifest names.
//! What it cannot see is read here: that a manifest names only what lies below, and that a domain knows another only
//! along a listed edge.

use crate::tree::{Tree, paths, product_tokens, resolved};

/// The crates and their floors.
const FLOORS: [(&str, i8); 8] = [
    ("derive", -1),
    ("base", 0),
    ("calc", 1),
    ("platform", 2),
    ("ops", 3),
    ("site", 3),
    ("appliance", 4),
    ("hanok", 5),
];

/// The edges between domains: who uses whom, always through the used domain's `mod.rs`.
const EDGES: [(&str, &str); 34] = [
    ("ops/portfolio", "ops/market"),
    ("ops/screener", "ops/market"),
    ("ops/trade", "ops/market"),
    ("ops/trade", "ops/portfolio"),
    ("site/account", "site/frame"),
    ("site/admin", "site/frame"),
    ("site/analytics", "site/frame"),
    ("site/contact", "site/admin"),
    ("site/contact", "site/frame"),
    ("site/dashboard", "site/account"),
    ("site/dashboard", "site/admin"),
    ("site/dashboard", "site/analytics"),
    ("site/dashboard", "site/contact"),
    ("site/dashboard", "site/frame"),
    ("site/dashboard", "site/projects"),
    ("site/dashboard", "site/questionnaire"),
    ("site/dashboard", "site/quotes"),
    ("site/dashboard", "site/share"),
    ("site/documents", "site/admin"),
    ("site/documents", "site/frame"),
    ("site/front", "site/contact"),
    ("site/front", "site/frame"),
    ("site/lottery", "ops/lottery"),
    ("site/projects", "site/admin"),
    ("site/projects", "site/contact"),
    ("site/projects", "site/frame"),
    ("site/projects", "site/quotes"),
    ("site/questionnaire", "site/admin"),
    ("site/questionnaire", "site/frame"),
    ("site/quotes", "site/admin"),
    ("site/quotes", "site/contact"),
    ("site/quotes", "site/frame"),
    ("site/share", "site/admin"),
    ("site/share", "site/frame"),
];

/// Manifests that name a crate which does not lie on a lower floor; the customers' rooms may name the household's,
/// for the listed edges.
pub fn manifests(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let room = file.strip_prefix("src/").and_then(|inner| inner.strip_suffix("/Cargo.toml"));
        let Some((room, floor)) = room.map(|room| (room, floor_of(room))) else { continue };
        let dependencies = text.split("\n[").filter(|section| section.starts_with("dependencies]"));
        for line in dependencies.flat_map(str::lines) {
            let Some(other) = line.strip_prefix("hanok-").and_then(|rest| rest.split(['.', ' ']).next()) else {
                continue;
            };
            if floor_of(other) >= floor && (room, other) != ("site", "ops") {
                found.push(format!("{file} names hanok-{other}, which does not lie on a lower floor"));
            }
        }
    }
    found
}

fn floor_of(room: &str) -> Option<i8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// Domains that know another one without an edge, or past its `mod.rs`.
pub fn edges(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let Some(own) = domain_of(file) else { continue };
        for path in resolved(file, paths(product_tokens(file, text))) {
            let [root, room, domain, rest @ ..] = path.as_slice() else { continue };
            let other = format!("{room}/{domain}");
            let is_domain = root == "hanok" && tree.contains(&format!("src/{other}/mod.rs"));
            if !is_domain || domain_of(&format!("src/{other}/mod.rs")).is_none() || own == other {
                continue;
            }
            let name = path.join("::");
            if !EDGES.contains(&(own.as_str(), other.as_str())) {
                found.push(format!("{file} names {name}, but no edge to {other} is listed"));
            } else if rest.first().is_some_and(|module| is_file_of(tree, &other, module)) {
                found.push(format!("{file} names {name}, which goes past the mod.rs of {other}"));
            }
        }
    }
    found
}

/// The domain of a file: `ops/todos` for `src/ops/todos/store.rs`.
pub fn domain_of(file: &str) -> Option<String> {
    let mut parts = file.strip_prefix("src/")?.split('/');
    let (room, domain) = (parts.next()?, parts.next()?);
    (["ops", "site"].contains(&room) && parts.next().is_some()).then(|| format!("{room}/{domain}"))
}

fn is_file_of(tree: &Tree, domain: &str, module: &str) -> bool {
    tree.contains(&format!("src/{domain}/{module}.rs")) || tree.contains(&format!("src/{domain}/{module}/mod.rs"))
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_manifest_that_names_a_crate_of_its_own_floor_or_a_higher_one_is_caught() {
        let named = |room: &str, other: &str| {
            let text = format!("[package]\nname = \"x\"\n\n[dependencies]\nhanok-{other}.workspace = true\n");
            manifests(&Tree::of(&[(&format!("src/{room}/Cargo.toml"), &text)]))
        };
        for (room, other) in [("platform", "ops"), ("ops", "site"), ("base", "calc"), ("calc", "appliance")] {
            assert_eq!(named(room, other).len(), 1, "{room} {other}");
        }
        for (room, other) in [("ops", "platform"), ("site", "ops"), ("appliance", "site"), ("calc", "base")] {
            assert_eq!(named(room, other), [""; 0], "{room} {other}");
        }
    }

    #[test]
    fn one_domain_that_names_another_without_an_edge_is_caught() {
        let tree = Tree::of(&[
            ("src/ops/todos/mod.rs", ""),
            ("src/ops/lottery/mod.rs", ""),
            ("src/ops/lottery/store.rs", "use super::super::todos::Todo;"),
            ("src/ops/lottery/http.rs", "use crate::todos::Todo;"),
            ("src/site/shop/mod.rs", ""),
            ("src/site/shop/work.rs", "use hanok_ops::todos::Todo;"),
        ]);
        let caught = edges(&tree);
        assert_eq!(caught.len(), 3, "{caught:?}");
        assert!(caught.iter().all(|line| line.contains("no edge to ops/todos")), "{caught:?}");
    }

    #[test]
    fn a_listed_edge_that_goes_past_the_front_door_is_caught() {
        let through = |line: &str| {
            edges(&Tree::of(&[
                ("src/ops/lottery/mod.rs", "mod model; pub use model::Draw;"),
                ("src/ops/lottery/model.rs", "pub struct Draw;"),
                ("src/site/lottery/mod.rs", ""),
                ("src/site/lottery/http.rs", line),
            ]))
        };
        assert!(through("use hanok_ops::lottery::Draw;").is_empty());
        assert_eq!(through("use hanok_ops::lottery::model::Draw;").len(), 1);
    }
}

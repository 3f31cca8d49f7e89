//! An arrow only ever points down, and a domain knows another only along a listed edge.

use crate::tree::{Tree, paths, product_tokens, resolved};

/// The rooms and their floors.
const FLOORS: [(&str, u8); 7] =
    [("base", 0), ("calc", 1), ("platform", 2), ("ops", 3), ("site", 3), ("appliance", 4), ("cli", 5)];

/// The edges between domains: who uses whom, always through the used domain's `mod.rs`.
const EDGES: [(&str, &str); 1] = [("site/lottery", "ops/lottery")];

/// What breaks the floors or uses an edge that is not listed.
pub fn violations(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let Some((room, floor)) = room_of(file) else { continue };
        for path in resolved(file, paths(product_tokens(file, text))) {
            let [root, target, rest @ ..] = path.as_slice() else { continue };
            let Some((_, below)) = FLOORS.iter().find(|(name, _)| root == "crate" && name == target) else { continue };
            let name = path.join("::");
            if target != room && below >= &floor && !is_edge(file, target, rest) {
                found.push(format!("{file} names {name}, which does not lie on a lower floor"));
            }
            if below == &3 && floor == 3 {
                let (own, other) = (domain_of(file), format!("{target}/{}", rest.first().cloned().unwrap_or_default()));
                let is_domain = tree.contains(&format!("src/{other}/mod.rs"));
                if is_domain && own.as_deref().is_some_and(|own| own != other) {
                    if !is_edge(file, target, rest) {
                        found.push(format!("{file} names {name}, but no edge to {other} is listed"));
                    } else if rest.len() > 1 && is_file_of(tree, &other, &rest[1]) {
                        found.push(format!("{file} names {name}, which goes past the mod.rs of {other}"));
                    }
                }
            }
        }
    }
    found
}

/// Files that lie in none of the rooms.
pub fn unknown_rooms(tree: &Tree) -> Vec<String> {
    let known = |file: &str| room_of(file).is_some() || ["src/lib.rs", "src/main.rs"].contains(&file);
    tree.files().filter(|(file, _)| !known(file)).map(|(file, _)| format!("{file} lies in no room")).collect()
}

/// The room of a file, and its floor.
fn room_of(file: &str) -> Option<(&'static str, u8)> {
    let room = file.strip_prefix("src/")?.split('/').next()?;
    FLOORS.into_iter().find(|(name, _)| *name == room)
}

/// The domain of a file: `ops/todos` for `src/ops/todos/store.rs`.
pub fn domain_of(file: &str) -> Option<String> {
    let mut parts = file.strip_prefix("src/")?.split('/');
    let (room, domain) = (parts.next()?, parts.next()?);
    (["ops", "site"].contains(&room) && parts.next().is_some()).then(|| format!("{room}/{domain}"))
}

fn is_edge(file: &str, target: &str, rest: &[String]) -> bool {
    let (Some(from), Some(domain)) = (domain_of(file), rest.first()) else { return false };
    EDGES.contains(&(from.as_str(), format!("{target}/{domain}").as_str()))
}

fn is_file_of(tree: &Tree, domain: &str, module: &str) -> bool {
    tree.contains(&format!("src/{domain}/{module}.rs")) || tree.contains(&format!("src/{domain}/{module}/mod.rs"))
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_lower_floor_that_names_a_higher_one_is_caught() {
        let tree = Tree::of(&[
            ("src/platform/store/mod.rs", "use crate::{base::Result, ops::todos::model::Todo};"),
            ("src/calc/lottery.rs", "fn f() { vec![crate::platform::store::Store::memory()]; }"),
        ]);
        assert_eq!(violations(&tree).len(), 2);
    }

    #[test]
    fn one_domain_that_names_another_without_an_edge_is_caught() {
        let tree = Tree::of(&[
            ("src/ops/todos/mod.rs", ""),
            ("src/ops/lottery/mod.rs", ""),
            ("src/ops/lottery/store.rs", "use super::super::todos::Todo;"),
            ("src/site/shop/mod.rs", ""),
            ("src/ops/lottery/work.rs", "use crate::site::shop::Order;"),
        ]);
        let caught = violations(&tree);
        assert!(caught.iter().any(|line| line.contains("no edge to ops/todos")), "{caught:?}");
        assert!(caught.iter().any(|line| line.contains("site::shop")), "{caught:?}");
    }

    #[test]
    fn a_listed_edge_that_goes_past_the_front_door_is_caught() {
        let through = |line: &str| {
            violations(&Tree::of(&[
                ("src/ops/lottery/mod.rs", "mod model; pub use model::Draw;"),
                ("src/ops/lottery/model.rs", "pub struct Draw;"),
                ("src/site/lottery/mod.rs", ""),
                ("src/site/lottery/http.rs", line),
            ]))
        };
        assert!(through("use crate::ops::lottery::Draw;").is_empty());
        assert_eq!(through("use crate::ops::lottery::model::Draw;").len(), 1);
    }

    #[test]
    fn a_file_outside_every_room_is_caught() {
        assert_eq!(unknown_rooms(&Tree::of(&[("src/tools/odds.rs", ""), ("src/lib.rs", "")])).len(), 1);
    }
}

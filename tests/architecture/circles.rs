//! Inside a crate, arrows point one way, too: of two files or folders side by side, not each needs the other, not even
//! by way of a third.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Tree, paths, product_tokens, resolved};

/// The crates that are free of circles.
const CRATES: [&str; 1] = ["appliance"];

/// Files and folders directly in one crate that need each other.
pub fn circles(tree: &Tree) -> Vec<String> {
    CRATES.iter().flat_map(|name| found(&needs(tree, name))).collect()
}

/// What each file or folder of the crate names of the others beside it.
fn needs(tree: &Tree, name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let folder = format!("src/{name}/");
    let unit = |inner: &str| inner.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    let inside: Vec<(String, &str, &str)> = tree
        .files()
        .filter_map(|(file, text)| Some((unit(file.strip_prefix(&folder)?), file, text)))
        .filter(|(unit, ..)| !["mod", "build"].contains(&unit.as_str()))
        .collect();
    let units: BTreeSet<String> = inside.iter().map(|(unit, ..)| unit.clone()).collect();
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (unit, file, text) in inside {
        let named = resolved(file, paths(product_tokens(file, text)));
        let others = named.into_iter().filter(|path| path.len() > 2 && path[0] == "hanok" && path[1] == name);
        let others = others.map(|path| path[2].clone()).filter(|other| units.contains(other) && *other != unit);
        needs.entry(unit.clone()).or_default().extend(others);
    }
    needs
}

/// What is left when everything is taken away, again and again, that needs nothing of the rest: none, without a circle.
fn found(needs: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let mut left: BTreeSet<&String> = needs.keys().collect();
    while let Some(free) = left.iter().find(|unit| needs[**unit].iter().all(|other| !left.contains(other))).copied() {
        left.remove(free);
    }
    (!left.is_empty()).then(|| format!("{left:?} need each other, or what does"))
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn two_that_need_each_other_are_caught_also_by_way_of_a_third() {
        let planted = |third: &str| {
            circles(&Tree::of(&[
                ("src/appliance/mod.rs", "mod start; use crate::start::Appliance;"),
                ("src/appliance/start.rs", "use super::control; fn f() { super::house::open() }"),
                ("src/appliance/control/mod.rs", "use crate::house::health;"),
                ("src/appliance/house/health.rs", "use super::backups;"),
                ("src/appliance/house/backups.rs", third),
            ]))
        };
        assert_eq!(planted("use super::health;"), [""; 0]);
        assert_eq!(
            planted("use crate::start::prepare;"),
            ["{\"control\", \"house\", \"start\"} need each other, or what does"]
        );
    }
}

//! Inside a crate, arrows point one way, too: of two files or folders side by side, not each needs the other, not even
//! by way of a third. What a folder's `mod.rs` says is the folder's own: it gathers what lies in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Tree, paths, product_tokens, resolved};

/// Circles that are the simplest form of what they say: the folder, who stands in it, and why.
const LISTED: &[(&str, &[&str], &str)] =
    &[("src/platform", &["app", "jobs"], "a job is given the whole house, and the house queues and cancels jobs")];

/// Files and folders side by side that need each other, in every folder of every crate.
pub fn circles(tree: &Tree) -> Vec<String> {
    let found = all_circles(tree);
    let is_listed = |circle: &Circle| LISTED.iter().any(|(folder, names, _)| circle.is(folder, names));
    found.iter().filter(|circle| !is_listed(circle)).map(Circle::sentence).collect()
}

/// Listed circles that are there no more.
pub fn listed_in_vain(tree: &Tree) -> Vec<String> {
    let found = all_circles(tree);
    let is_gone = |folder: &str, names: &[&str]| !found.iter().any(|circle| circle.is(folder, names));
    let gone = LISTED.iter().filter(|(folder, names, _)| is_gone(folder, names));
    gone.map(|(folder, names, _)| format!("{folder}: {} are a circle no more: strike them", names.join(", "))).collect()
}

struct Circle {
    folder: String,
    names: Vec<String>,
}

impl Circle {
    fn is(&self, folder: &str, names: &[&str]) -> bool {
        self.folder == folder && self.names == names
    }

    fn sentence(&self) -> String {
        format!("{}: {} need each other", self.folder, self.names.join(", "))
    }
}

fn all_circles(tree: &Tree) -> Vec<Circle> {
    let of_folder = |folder: &String| {
        let circles = of_needs(&needs(tree, folder));
        circles.into_iter().map(|names| Circle { folder: folder.clone(), names }).collect::<Vec<_>>()
    };
    folders(tree).iter().flat_map(of_folder).collect()
}

/// Every folder below `src`, each a crate or a module.
fn folders(tree: &Tree) -> BTreeSet<String> {
    let mut folders = BTreeSet::new();
    for (file, _) in tree.files() {
        let mut rest = file;
        while let Some((folder, _)) = rest.rsplit_once('/').filter(|(folder, _)| *folder != "src") {
            folders.insert(folder.to_owned());
            rest = folder;
        }
    }
    folders
}

/// What each file or folder directly in `folder` names of the others beside it.
fn needs(tree: &Tree, folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let module: Vec<&str> = ["hanok"].into_iter().chain(folder.split('/').skip(1)).collect();
    let unit_of = |file: &str| {
        let unit = file.strip_prefix(folder)?.strip_prefix('/')?.split('/').next()?.trim_end_matches(".rs").to_owned();
        (!["mod", "build"].contains(&unit.as_str())).then_some(unit)
    };
    let units: BTreeSet<String> = tree.files().filter_map(|(file, _)| unit_of(file)).collect();
    let given_on = given_on(tree, folder, &units);
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in tree.files() {
        let Some(unit) = unit_of(file) else { continue };
        let named = resolved(file, paths(product_tokens(file, text)));
        let inside =
            named.iter().filter(|path| path.len() > module.len() && path.iter().zip(&module).all(|(a, b)| a == b));
        let others = inside.filter_map(|path| {
            let name = &path[module.len()];
            if units.contains(name) { Some(name) } else { given_on.get(name) }
        });
        needs.entry(unit.clone()).or_default().extend(others.filter(|other| **other != unit).cloned());
    }
    needs
}

/// What the module of `folder` gives on of what lies in it: each name, and in which of the `units` it stands.
fn given_on(tree: &Tree, folder: &str, units: &BTreeSet<String>) -> BTreeMap<String, String> {
    let faces = [format!("{folder}/mod.rs"), format!("{folder}.rs")];
    let mut given = BTreeMap::new();
    for (file, text) in tree.files().filter(|(file, _)| faces.iter().any(|face| face == file)) {
        for path in paths(product_tokens(file, text)) {
            let path: Vec<&String> = path.iter().skip_while(|name| *name == "self").collect();
            if let [unit, .., name] = path[..]
                && units.contains(unit)
            {
                given.insert(name.clone(), unit.clone());
            }
        }
    }
    given
}

/// Those of which each needs, by whatever way, every other.
fn of_needs(needs: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = needs.keys().map(|unit| (unit, reached(needs, unit))).collect();
    let circle_of = |unit: &&String| {
        let of_it = reached[*unit].iter().filter(|other| reached[**other].contains(*unit));
        of_it.map(|other| (*other).clone()).collect::<Vec<_>>()
    };
    needs.keys().filter(|unit| reached[unit].contains(unit)).map(|unit| circle_of(&unit)).collect()
}

/// What `unit` needs, what that needs, and so on.
fn reached<'n>(needs: &'n BTreeMap<String, BTreeSet<String>>, unit: &String) -> BTreeSet<&'n String> {
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<&String> = needs[unit].iter().collect();
    while let Some(next) = ahead.pop() {
        if reached.insert(next) {
            ahead.extend(needs.get(next).into_iter().flatten());
        }
    }
    reached
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
        assert_eq!(planted("use hanok_base::Error;"), [""; 0]);
        assert_eq!(planted("use crate::start::prepare;"), ["src/appliance: control, house, start need each other"]);
        assert_eq!(planted("use super::health;"), ["src/appliance/house: backups, health need each other"]);
    }

    #[test]
    fn a_circle_is_caught_in_any_folder_and_by_a_name_that_its_module_gives_on() {
        let planted = |text: &str| {
            circles(&Tree::of(&[
                ("src/ops/garden/work/mod.rs", "mod tasks; mod beds; pub use self::tasks::{Water, jobs};"),
                ("src/ops/garden/work/tasks.rs", "use super::beds;"),
                ("src/ops/garden/work/beds.rs", text),
                ("src/ops/garden/work/beds/rows.rs", "fn f() { crate::garden::work::tasks::jobs() }"),
            ]))
        };
        assert_eq!(planted(""), ["src/ops/garden/work: beds, tasks need each other"]);
        let without = |text: &str| {
            circles(&Tree::of(&[
                ("src/ops/garden/work.rs", "mod tasks; mod beds; pub use tasks::Water;"),
                ("src/ops/garden/work/tasks.rs", "use super::beds;"),
                ("src/ops/garden/work/beds.rs", text),
            ]))
        };
        assert_eq!(without("use super::Soil; #[cfg(test)] mod tests { use super::super::Water; }"), [""; 0]);
        assert_eq!(without("use super::Water;"), ["src/ops/garden/work: beds, tasks need each other"]);
    }

    #[test]
    fn a_listed_circle_is_let_pass_as_it_is_listed_and_missed_when_it_is_gone() {
        let app = ("src/platform/app.rs", "use crate::jobs::Jobs; use crate::store::Store;");
        let jobs = ("src/platform/jobs/mod.rs", "use crate::app::App;");
        let tree = |store: &'static str| Tree::of(&[app, jobs, ("src/platform/store/mod.rs", store)]);
        assert_eq!((circles(&tree("")), listed_in_vain(&tree(""))), (Vec::new(), Vec::new()));
        let wider = tree("use crate::jobs::Task;");
        assert_eq!(circles(&wider), ["src/platform: app, jobs, store need each other"]);
        assert_eq!(listed_in_vain(&wider).len(), 1);
        assert_eq!(listed_in_vain(&Tree::of(&[app])), ["src/platform: app, jobs are a circle no more: strike them"]);
    }
}

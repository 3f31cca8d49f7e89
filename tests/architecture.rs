//! The rules of `src/ARCHITECTURE.md`, proven. Each rule reads a tree of files and names what breaks it;
//! beside each rule stands a test that plants a violation and sees it caught.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where something is wrong")]

#[path = "architecture/circles.rs"]
mod circles;
#[path = "architecture/domains.rs"]
mod domains;
#[path = "architecture/floors.rs"]
mod floors;
#[path = "architecture/names.rs"]
mod names;
#[path = "architecture/offers.rs"]
mod offers;
#[path = "architecture/owners.rs"]
mod owners;
#[path = "architecture/paths.rs"]
mod paths;
#[path = "architecture/powers.rs"]
mod powers;
#[path = "architecture/proofs.rs"]
mod proofs;
#[path = "architecture/said.rs"]
mod said;
#[path = "architecture/sizes.rs"]
mod sizes;
#[path = "architecture/supply.rs"]
mod supply;
#[path = "architecture/tree.rs"]
mod tree;
#[path = "architecture/words.rs"]
mod words;

use hanok::appliance::domains as every_domain;
use hanok::appliance::schema::{retired, schema};
use hanok::base::Kind;
use hanok::platform::events::Change;
use tree::Tree;

fn source() -> Tree {
    Tree::read(&["src"], &[".rs"])
}

#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn arrows_only_point_down_and_between_domains_along_listed_edges() {
    assert_none(floors::manifests(&Tree::read(&["src"], &["Cargo.toml"])));
    assert_none(floors::edges(&source()));
}

#[test]
fn inside_every_crate_arrows_point_one_way() {
    assert_none(circles::circles(&source()));
    assert_none(circles::listed_in_vain(&source()));
}

#[test]
fn names_are_the_words_of_the_field() {
    assert_none(words::private_names(&source()));
}

#[test]
fn every_library_has_one_owner_in_its_crate() {
    assert_none(owners::violations(&source()));
}

#[test]
fn nobody_but_its_home_has_a_power_that_clippy_keeps() {
    let manifests = Tree::read(&["src", "Cargo.toml"], &["Cargo.toml"]);
    assert_none(powers::lifted(&manifests, &source()));
}

#[test]
fn guesses_paces_and_breakers_measure_time_by_moments_and_by_no_clock_that_is_set() {
    assert_none(powers::by_the_wall_clock(&source()));
}

#[test]
fn every_command_that_is_offered_names_its_data_folder() {
    assert_none(offers::of_the_program(&source()));
    assert_none(offers::of_the_screens(&Tree::read(&["assets/ops/src"], &[".json", ".svelte", ".ts"])));
}

#[test]
fn calculations_and_models_are_pure() {
    assert_none(owners::impurities(&source()));
}

#[test]
fn a_domain_has_always_the_same_file_names() {
    assert_none(domains::file_names(&source()));
}

#[test]
fn each_kind_of_file_names_only_what_it_may() {
    assert_none(domains::neighbours(&source()));
}

#[test]
fn files_handlers_and_the_app_stay_small() {
    assert_none(sizes::long_files(&source()));
    assert_none(sizes::long_handlers(&source()));
    assert_none(sizes::crowded_app(&source()));
}

#[test]
fn tables_jobs_schedule_entries_and_operations_have_names_of_their_own() {
    assert_none(names::tables(&source(), &schema().table_names(), &retired().collect::<Vec<_>>()));
    assert_none(names::jobs(&source()));
    assert_none(names::titles(&source()));
    assert_none(names::schedule(&source()));
    assert_none(names::operations(&source()));
}

#[test]
fn what_browsers_hear_and_what_callers_are_refused_with_have_names_of_their_own() {
    let changes: Vec<&str> = every_domain::changes().map(Change::name).collect();
    assert_none(names::changes(&source(), &changes));
    let of_the_house: Vec<&str> = Kind::all().map(Kind::code).collect();
    let codes: Vec<&str> = every_domain::codes().map(|code| code.name).collect();
    assert_none(names::codes(&source(), &of_the_house, &codes));
}

#[test]
fn what_people_are_told_is_said_in_both_languages() {
    let catalogues = Tree::read(&["assets/ops/src", "assets/site"], &["/messages.json"]);
    assert_none(said::unspoken(&source(), &catalogues));
    assert_none(said::undeclared(&source()));
}

#[test]
fn every_room_and_domain_is_on_the_map() {
    assert_none(names::unmapped(&source(), include_str!("../src/ARCHITECTURE.md")));
}

#[test]
fn every_path_that_the_description_of_the_house_names_is_there() {
    let roots = ["src", "assets/ops/src", "assets/site", "tests", "Cargo.toml", "appliance.toml", "clippy.toml"];
    let tree = Tree::read(&roots, &[".rs", ".ts", ".svelte", ".html", ".toml", ".json", ".txt", "tests/run"]);
    assert_none(paths::missing(&tree, include_str!("../src/ARCHITECTURE.md")));
}

#[test]
fn appliance_toml_holds_every_setting_at_its_default() {
    let fresh = "run `cargo run -- config --example > appliance.toml`";
    assert!(include_str!("../appliance.toml") == every_domain::default_settings().as_file(), "{fresh}");
}

#[test]
fn every_test_asserts_something_and_none_is_skipped() {
    let tests = Tree::read(&["src", "tests", "assets/ops/src"], &[".rs", ".test.ts", ".test.svelte.ts", ".test.js"]);
    assert_none(proofs::without_assertion(&tests));
    assert_none(proofs::skipped(&tests));
    assert_none(proofs::waiting_for_a_promise(&tests));
}

#[test]
fn libraries_come_from_one_registry_under_permitted_licences_and_every_exception_has_its_reason() {
    let libraries = supply::libraries();
    assert!(libraries.len() > 100, "{libraries:?}");
    assert_none(supply::foreign_licences(&libraries));
    assert_none(supply::banned(&libraries));
    assert_none(supply::native(&libraries));
    assert_none(supply::doubled(&libraries));
    assert_none(supply::foreign_sources(include_str!("../Cargo.lock")));
}

#[test]
fn packages_of_the_screens_come_from_one_place_under_permitted_licences() {
    assert_none(supply::foreign_packages(include_str!("../assets/ops/package-lock.json")));
    assert_none(supply::foreign_packages(include_str!("../tests/browser/package-lock.json")));
    assert_none(supply::foreign_packages(include_str!("../tests/examples/package-lock.json")));
    assert_none(supply::foreign_packages(include_str!("../tests/chat/package-lock.json")));
    assert_none(supply::foreign_packages(include_str!("../tests/mail/package-lock.json")));
    assert_none(supply::foreign_packages(include_str!("../tests/sign-in/package-lock.json")));
}

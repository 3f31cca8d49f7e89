//! Tests about tests: each one asserts something, and none is skipped.

use proc_macro2::{TokenStream, TokenTree};

use crate::tree::{Tree, tokens};

/// A Rust test whose body asserts nothing.
pub fn without_assertion(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files().filter(|(file, _)| file.ends_with(".rs")) {
        search(file, tokens(file, text), &mut found);
    }
    found
}

fn search(file: &str, stream: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let attribute = group.to_string().replace(' ', "");
        let is_test = attribute == "[test]" || attribute.starts_with("[tokio::test");
        if !is_test {
            search(file, group.stream(), found);
            continue;
        }
        let rest = &trees[at..];
        let name = rest.windows(2).find(|pair| pair[0].to_string() == "fn").map(|pair| pair[1].to_string());
        let is_body = |tree: &&TokenTree| matches!(tree, TokenTree::Group(g) if g.to_string().starts_with('{'));
        let body = rest.iter().find(is_body).map(ToString::to_string).unwrap_or_default();
        if !body.contains("assert") {
            found.push(format!("{file}: the test `{}` asserts nothing", name.unwrap_or_default()));
        }
    }
}

/// A test that is switched off, in Rust or in TypeScript.
pub fn skipped(tree: &Tree) -> Vec<String> {
    let marks = if_rust_or_script();
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        for mark in marks.iter().filter(|mark| file.ends_with(".rs") == mark.starts_with("#[")) {
            if text.lines().any(|line| {
                line.trim_start().starts_with(mark.as_str()) || (!mark.starts_with('#') && line.contains(mark))
            }) {
                found.push(format!("{file} skips a test with `{mark}`"));
            }
        }
    }
    found
}

/// Put together here, so that this file does not find itself.
fn if_rust_or_script() -> Vec<String> {
    let scripts = ["skip", "only", "todo"].map(|word| [".", word, "("].concat());
    let flags = ["skip: ", "only: "].map(|word| ["{ ", word, "true"].concat());
    [["#[", "ignore"].concat()].into_iter().chain(scripts).chain(flags).collect()
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_test_that_asserts_nothing_is_caught() {
        let hollow = ["#[cfg(test)] mod tests { #[", "test] fn it_runs() { run().unwrap(); } }"].concat();
        let real = ["#[", "tokio::test] async fn it_holds() { assert_eq!(run().await, 1); }"].concat();
        let tree = Tree::of(&[("src/base/day.rs", &hollow), ("tests/api/main.rs", &real)]);
        assert_eq!(without_assertion(&tree), ["src/base/day.rs: the test `it_runs` asserts nothing"]);
    }

    #[test]
    fn a_skipped_test_is_caught() {
        let rust = ["#[test]\n    #[", "ignore = \"slow\"]\n    fn f() { assert!(true) }"].concat();
        let script = ["test", ".skip('a page', () => {})"].concat();
        let tree = Tree::of(&[("src/base/day.rs", &rust), ("tests/browser/first.test.ts", &script)]);
        assert_eq!(skipped(&tree).len(), 2);
    }
}

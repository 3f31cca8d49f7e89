//! Tests about tests: each one asserts something, and none is skipped.

use proc_macro2::{TokenStream, TokenTree};

use crate::tree::{Tree, tokens};

/// A Rust test that asserts nothing, neither itself nor through a function of its file that does.
/// A test that says in its name that nothing panics asserts by running.
pub fn without_assertion(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files().filter(|(file, _)| file.ends_with(".rs")) {
        let mut functions = Vec::new();
        search(tokens(file, text), false, &mut functions);
        let asserting: Vec<&String> = functions.iter().filter(|f| !f.is_test && f.asserts()).map(|f| &f.name).collect();
        let is_hollow = |function: &&Function| {
            let calls_one = asserting.iter().any(|name| function.body.contains(&format!("{name} (")));
            function.is_test && !function.asserts() && !calls_one && !function.name.contains("panic")
        };
        found.extend(
            functions.iter().filter(is_hollow).map(|f| format!("{file}: the test `{}` asserts nothing", f.name)),
        );
    }
    found
}

struct Function {
    name: String,
    body: String,
    is_test: bool,
}

impl Function {
    fn asserts(&self) -> bool {
        self.body.contains("assert")
    }
}

fn search(stream: TokenStream, mut is_test: bool, functions: &mut Vec<Function>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) if word == "fn" => {
                let name = trees.get(at + 1).map(ToString::to_string).unwrap_or_default();
                let is_body = |tree: &&TokenTree| matches!(tree, TokenTree::Group(g) if g.to_string().starts_with('{'));
                let body = trees[at..].iter().find(is_body).map(ToString::to_string).unwrap_or_default();
                functions.push(Function { name, body, is_test: std::mem::take(&mut is_test) });
            }
            TokenTree::Group(group) => {
                let attribute = group.to_string().replace(' ', "");
                is_test |= attribute == "[test]" || attribute.starts_with("[tokio::test");
                search(group.stream(), false, functions);
            }
            _ => {}
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

/// A wait of a browser test that ends at once: `waitForFunction` takes the promise itself for what is waited for.
pub fn waiting_for_a_promise(tree: &Tree) -> Vec<String> {
    let scripts = tree.files().filter(|(file, _)| file.ends_with(".js") || file.ends_with(".ts"));
    let waits = scripts.filter(|(_, text)| text.contains("waitForFunction(async"));
    waits.map(|(file, _)| format!("{file} waits for a promise, which `waitForFunction` does not")).collect()
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
    fn a_test_may_leave_the_asserting_to_a_function_beside_it() {
        let helped = ["fn near(a: f64) { assert!(a < 1.0) } #[", "test] fn it_is_near() { near(0.5); }"].concat();
        assert_eq!(without_assertion(&Tree::of(&[("src/base/day.rs", &helped)])), [""; 0]);
    }

    #[test]
    fn a_skipped_test_is_caught() {
        let rust = ["#[test]\n    #[", "ignore = \"slow\"]\n    fn f() { assert!(true) }"].concat();
        let script = ["test", ".skip('a page', () => {})"].concat();
        let tree = Tree::of(&[("src/base/day.rs", &rust), ("tests/browser/first.test.ts", &script)]);
        assert_eq!(skipped(&tree).len(), 2);
    }

    #[test]
    fn a_wait_that_ends_at_once_is_caught() {
        let script = "await page.waitForFunction(async () => await caches.match('/'));";
        let tree = Tree::of(&[("tests/browser/first.test.js", script), ("tests/browser/second.test.js", "")]);
        let found = waiting_for_a_promise(&tree);
        assert_eq!(found, ["tests/browser/first.test.js waits for a promise, which `waitForFunction` does not"]);
    }
}

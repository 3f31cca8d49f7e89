//! The source as the rules see it: files by path, and the names that a file's code mentions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Files by their path from the package's root, sorted by path.
pub struct Tree(Vec<(String, String)>);

impl Tree {
    /// Every file with one of `endings` below the package's folders `roots`.
    pub fn read(roots: &[&str], endings: &[&str]) -> Self {
        let mut files = Vec::new();
        for root in roots {
            collect(Path::new(root), endings, &mut files);
        }
        files.sort();
        Tree(files)
    }

    /// A tree that stands nowhere but in a test.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Tree(files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect())
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    pub fn contains(&self, path: &str) -> bool {
        self.0.iter().any(|(known, _)| known == path)
    }
}

fn collect(path: &Path, endings: &[&str], files: &mut Vec<(String, String)>) {
    if path.is_dir() {
        if path.ends_with("node_modules") {
            return;
        }
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), endings, files);
        }
    } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
        files.push((path.to_string_lossy().replace('\\', "/"), fs::read_to_string(path).unwrap()));
    }
}

/// The tokens of a Rust file.
pub fn tokens(path: &str, text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|e| panic!("{path} is not Rust: {e}"))
}

/// The tokens of a file's product code: what stands under `#[cfg(test)]`, and in files and folders called `tests`, is left
/// out.
pub fn product_tokens(path: &str, text: &str) -> TokenStream {
    thread_local! {
        /// What was read before: a rule goes over the whole source several times.
        static READ: RefCell<HashMap<String, TokenStream>> = RefCell::default();
    }
    if path.ends_with("/tests.rs") || path.contains("/tests/") {
        return TokenStream::new();
    }
    READ.with_borrow_mut(|read| {
        let anew = || without_tests(tokens(path, text));
        read.entry(text.to_owned()).or_insert_with(anew).clone()
    })
}

fn without_tests(stream: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let is_hash = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '#');
        if is_hash && matches!(trees.peek(), Some(TokenTree::Group(group)) if group.to_string() == "[cfg (test)]") {
            let ends_item = |tree: &TokenTree| match tree {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            trees.by_ref().find(ends_item);
            continue;
        }
        kept.push(match tree {
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), without_tests(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        });
    }
    kept.into_iter().collect()
}

/// Every path of at least two names that the tokens mention, `use` lists spelled out:
/// `use a::{b, c::d}` gives `a::b` and `a::c::d`. Macro calls are read like any other code.
pub fn paths(stream: TokenStream) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    walk(stream, &[], &mut found);
    found
}

fn walk(stream: TokenStream, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is_path_sign = |at: usize| {
        matches!(trees.get(at), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Joint)
            && matches!(trees.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == ':')
    };
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Group(group) => walk(group.stream(), &[], found),
            TokenTree::Ident(word) if !prefix.is_empty() && word == "as" => at += 1,
            TokenTree::Ident(word) => {
                let mut path = prefix.to_vec();
                if word != "self" || prefix.is_empty() {
                    path.push(word.to_string());
                }
                while is_path_sign(at + 1) {
                    match trees.get(at + 3) {
                        Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                        Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Brace => {
                            walk(list.stream(), &path, found);
                            at += 3;
                            path.clear();
                            break;
                        }
                        _ => break,
                    }
                    at += 3;
                }
                if path.len() > 1 {
                    found.push(path);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The same paths from the root of the house where they lie in it: `crate::`, `super::`, `self::` and the names of our
/// crates are resolved, so that each of ours starts with `hanok`. A path of another crate stays as it is written.
pub fn resolved(file: &str, paths: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let module = module_of(file);
    // The command line has no crate of its own: it stands in the package's.
    let room = if module.get(1).is_none_or(|room| room == "cli") { &module[..1] } else { &module[..2] };
    let resolve = |path: Vec<String>| match path[0].as_str() {
        "super" => {
            let ups = path.iter().take_while(|segment| *segment == "super").count();
            let mut full = module[..module.len().saturating_sub(ups).max(1)].to_vec();
            full.extend(path[ups..].iter().cloned());
            full
        }
        "self" => module.iter().cloned().chain(path[1..].iter().cloned()).collect(),
        "crate" => room.iter().cloned().chain(path[1..].iter().cloned()).collect(),
        name => match name.strip_prefix("hanok_") {
            Some(room) => ["hanok", room].map(str::to_owned).into_iter().chain(path[1..].iter().cloned()).collect(),
            None => path,
        },
    };
    paths.into_iter().map(resolve).collect()
}

/// `src/ops/todos/http.rs` is `hanok::ops::todos::http`; `src/ops/todos/mod.rs` is `hanok::ops::todos`.
fn module_of(file: &str) -> Vec<String> {
    let inner = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut module = vec!["hanok".to_owned()];
    module.extend(inner.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).map(str::to_owned));
    module
}

#[test]
fn a_use_list_is_spelled_out_and_tests_are_left_out() {
    let text = "use crate::{auth::{self, http as web}, *}; use hanok_base::Error; use super::super::store::Store;
                #[cfg(test)] mod tests { use redb::Database; } fn f() { vec![std::env::var(\"X\")]; }";
    let spelled: Vec<String> = resolved("src/platform/jobs/run.rs", paths(product_tokens("x.rs", text)))
        .iter()
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(
        spelled,
        [
            "hanok::platform::auth",
            "hanok::platform::auth::http",
            "hanok::base::Error",
            "hanok::platform::store::Store",
            "std::env::var"
        ]
    );
}

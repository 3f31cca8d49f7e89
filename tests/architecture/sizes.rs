//! What fits a head: files of 400 lines, handlers of a screen, a `main.rs` that only starts, an `App` of ten parts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::owners::is_at_home;
use crate::tree::{Tree, product_tokens};

const FILE_LINES: usize = 400;
const MAIN_LINES: usize = 15;
const HANDLER_LINES: usize = 20;
const APP_PARTS: usize = 10;

/// Files that are longer than their limit.
pub fn long_files(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        let limit = if file == "src/main.rs" { MAIN_LINES } else { FILE_LINES };
        let lines = text.lines().count();
        if lines > limit {
            found.push(format!("{file} has {lines} lines, more than {limit}"));
        }
    }
    found
}

/// Handlers of a domain that do more than translate.
pub fn long_handlers(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files().filter(|(file, _)| is_at_home(file, &["http.rs"])) {
        let trees: Vec<TokenTree> = product_tokens(file, text).into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let TokenTree::Group(attribute) = tree else { continue };
            if attribute.delimiter() != Delimiter::Bracket || !attribute.to_string().starts_with("[endpoint") {
                continue;
            }
            let is_body = |tree: &&TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
            let Some(body) = trees[at..].iter().find(is_body) else { continue };
            let lines = body.span().end().line - body.span().start().line - 1;
            if lines > HANDLER_LINES {
                let line = body.span().start().line;
                found.push(format!("{file}:{line}: a handler of {lines} lines, more than {HANDLER_LINES}"));
            }
        }
    }
    found
}

/// An `App` of more than ten parts.
pub fn crowded_app(tree: &Tree) -> Vec<String> {
    let Some((file, text)) = tree.files().find(|(file, _)| *file == "src/platform/app.rs") else {
        return vec!["src/platform/app.rs is missing".to_owned()];
    };
    let trees: Vec<TokenTree> = product_tokens(file, text).into_iter().collect();
    let is_app = |pair: &[TokenTree]| pair[0].to_string() == "struct" && pair[1].to_string() == "Parts";
    let body = trees.windows(2).position(is_app).and_then(|at| match trees.get(at + 2) {
        Some(TokenTree::Group(group)) => Some(group.stream()),
        _ => None,
    });
    match body.map(fields) {
        Some(1..=APP_PARTS) => Vec::new(),
        Some(parts) => vec![format!("App has {parts} parts, more than {APP_PARTS}")],
        None => vec![format!("{file} holds no `struct Parts {{ … }}`")],
    }
}

/// Single colons stand between a field and its type, double ones inside a path.
fn fields(body: TokenStream) -> usize {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let is_colon = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    (1..trees.len())
        .filter(|at| is_colon(trees.get(*at)) && !is_colon(trees.get(at - 1)) && !is_colon(trees.get(at + 1)))
        .count()
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_file_that_grew_too_long_is_caught() {
        let long = "\n".repeat(401);
        let tree = Tree::of(&[("src/base/day.rs", &long), ("src/main.rs", &long[..16]), ("src/lib.rs", &long[..400])]);
        assert_eq!(long_files(&tree).len(), 2);
    }

    #[test]
    fn a_handler_that_does_more_than_translate_is_caught() {
        let handler = |lines| format!("#[endpoint(tags(\"todos\"))] pub async fn list() {{{}}}", "\n".repeat(lines));
        let caught = |lines| long_handlers(&Tree::of(&[("src/ops/todos/http.rs", &handler(lines))]));
        assert_eq!(caught(22).len(), 1);
        assert_eq!(caught(21), [""; 0]);
    }

    #[test]
    fn an_app_of_eleven_parts_is_caught() {
        let app = |parts| format!("pub struct Parts {{ {} }}", "part: std::sync::Arc<u8>,".repeat(parts));
        let caught = |parts| crowded_app(&Tree::of(&[("src/platform/app.rs", &app(parts))]));
        assert_eq!(caught(11).len(), 1);
        assert_eq!(caught(10), [""; 0]);
        assert_eq!(crowded_app(&Tree::of(&[])).len(), 1);
    }
}

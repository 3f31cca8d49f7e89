//! Paths that `src/ARCHITECTURE.md` names, each of which is there.

use super::tree::Tree;

/// By what a word in backquotes is known as the name of a file.
const ENDINGS: [&str; 8] = [".rs", ".ts", ".svelte", ".md", ".json", ".toml", ".txt", ".js"];

/// Files and folders in backquotes that are not there: from the root, or below any folder of `tree`.
pub fn missing(tree: &Tree, text: &str) -> Vec<String> {
    let named = in_backquotes(text).into_iter().filter(|word| is_path(word));
    let missing = named.filter(|path| !is_there(tree, path.trim_end_matches('/')));
    missing.map(|path| format!("src/ARCHITECTURE.md names {path}, which is not there")).collect()
}

/// What stands between single backquotes; blocks of code name files by the line, which their own test follows.
fn in_backquotes(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

fn is_path(word: &str) -> bool {
    // Neither a command, nor a route, nor a pattern.
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c)) && !word.starts_with('/');
    is_plain && (word.contains('/') || ENDINGS.iter().any(|ending| word.ends_with(ending)))
}

fn is_there(tree: &Tree, path: &str) -> bool {
    let (below, inside) = (format!("/{path}"), format!("/{path}/"));
    tree.files().any(|(file, _)| {
        let file = format!("/{file}");
        file.ends_with(&below) || file.contains(&inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_a_folder_that_are_not_there_are_found() {
        let tree =
            Tree::of(&[("src/platform/http/guard.rs", ""), ("assets/ops/src/lib/seen.ts", ""), ("Cargo.toml", "")]);
        let there = "`guard.rs`, `http/guard.rs`, `src/platform`, `platform/http`, `lib/seen.ts`, `Cargo.toml`, `messages`, \
                     `/api/todos`, `cargo run -- config > a.toml`, `{room}.json`\n```text\n`odd.rs`\n```\n`seen.ts`";
        assert_eq!(missing(&tree, there), [""; 0]);
        for gone in ["uard.rs", "lib/drafts.svelte.ts", "platform/htt", "messages/", "rs/guard.rs"] {
            let found = missing(&tree, &format!("In `guard.rs` and `{gone}`."));
            assert_eq!(found, [format!("src/ARCHITECTURE.md names {gone}, which is not there")]);
        }
    }
}

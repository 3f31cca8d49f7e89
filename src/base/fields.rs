//! Refused fields, and which of many an answer names.

use std::collections::BTreeMap;

use super::message::Message;

/// How many refused fields one answer names at most.
pub const MOST_FIELDS: usize = 50;
/// How many entries of one list are named.
const MOST_ENTRIES: usize = 10;
/// The longest name that an answer gives, in characters.
const LONGEST_NAME: usize = 100;

/// Field names and what each must be, for a 422.
pub type Fields = BTreeMap<String, Message>;

/// The fields that an answer names: first those that are no entry of a list, then of each list the first. Whoever asks may
/// have made a name up: it is cut, and what a text of JSON would have to escape by its number is replaced.
pub(super) fn foremost(fields: &Fields) -> Vec<(String, &Message)> {
    let fields = fields.iter().map(|(path, must)| (path.as_str(), must));
    let (mut entries, plain): (Vec<_>, Vec<_>) = fields.partition(|(path, _)| path.contains('['));
    entries.sort_by_cached_key(|(path, _)| place(path));
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    entries.retain(|(path, _)| {
        let count = taken.entry(path.split('[').next().unwrap_or_default()).or_default();
        *count += 1;
        *count <= MOST_ENTRIES
    });
    let foremost = plain.into_iter().chain(entries).take(MOST_FIELDS);
    foremost.map(|(path, must)| (shown(path), must)).collect()
}

/// A name as an answer gives it.
fn shown(path: &str) -> String {
    let mut name: String = path.chars().take(LONGEST_NAME).collect();
    if name.len() < path.len() {
        name.pop();
        name.push('…');
    }
    name.replace(char::is_control, "\u{fffd}")
}

/// How a path sorts: `sets[9]` before `sets[10]`.
fn place(path: &str) -> Vec<(u64, &str)> {
    let parts = path.split('[').map(|part| match part.split_once(']') {
        Some((number, behind)) => number.parse().map_or((u64::MAX, part), |number| (number, behind)),
        None => (0, part),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_sort_by_their_numbers() {
        let mut paths = ["sets[10][2]", "sets[9][10]", "sets[9]", "sets[9][9].name", "sets[x]", "more[1]"];
        paths.sort_by_cached_key(|path| place(path));
        assert_eq!(paths, ["more[1]", "sets[9]", "sets[9][9].name", "sets[9][10]", "sets[10][2]", "sets[x]"]);
    }
}

//! Sentences that people read: each is declared with a key, stands in both catalogues of the app, and belongs to the
//! section whose room says it; and where somebody at a browser is told something, nothing is said that has no key.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::floors::domain_of;
use crate::tree::{Tree, product_tokens};

/// Where what is said reaches a browser, however it came about.
const READ_BY_PEOPLE: [&str; 16] = [
    "src/calc/",
    "src/ops/",
    "src/site/",
    "src/appliance/house/",
    "src/platform/blobs/",
    "src/platform/single_flight.rs",
    "src/platform/config/change.rs",
    "src/platform/config/rule.rs",
    "src/platform/http/",
    "src/platform/jobs/",
    "src/platform/mail/",
    "src/platform/store/copies/",
    "src/platform/store/file/names.rs",
    "src/platform/tokens/",
    "src/platform/upstream/",
    "src/platform/writes/",
];

/// Files there whose English no browser shows, each with the reason.
const HEARD_ELSEWHERE: [(&str, &str); 4] = [
    ("src/calc/lottery/draw.rs", "what is wrong with a draw is said by `hanok lotto import` and in the log"),
    ("src/calc/lottery/import.rs", "only `hanok lotto import` reads files of draws"),
    (
        "src/calc/lottery/scoring/mod.rs",
        "the house makes these tables itself; only another compute host hears of wrong ones",
    ),
    ("src/platform/store/copies/pre_restore.rs", "a start that is refused is said at the command line and in the log"),
];

/// A declared sentence: its key, the places in it, and the file.
struct Declared {
    key: String,
    places: BTreeSet<String>,
    file: String,
}

/// A sentence that is there twice, of another section than its file, without its words in a catalogue, or with a place in
/// its words that it has no value for; and words that nobody says, or that lie in the wrong room. The words of what a request
/// sends are `sent.…`.
pub fn unspoken(tree: &Tree, catalogues: &Tree) -> Vec<String> {
    let declared = declared(tree);
    let mut found = Vec::new();
    let mut keys = BTreeMap::new();
    for Declared { key, file, .. } in &declared {
        if let Some(other) = keys.insert(key.as_str(), file) {
            found.push(format!("the sentence `{key}` is there twice: {other}, {file}"));
        }
        let section = section_of(file);
        if !key.starts_with(&format!("{section}.")) {
            found.push(format!("{file}: the sentence `{key}` is none of {section}"));
        }
    }
    found.extend(misplaced(catalogues));
    for language in ["ko", "en"] {
        let words = words(catalogues, language);
        for Declared { key, places, file } in &declared {
            match words.get(key) {
                None => found.push(format!("{file}: the sentence `{key}` has no words in {language}")),
                Some(text) => {
                    let unknown: Vec<_> = places_of(text).difference(places).cloned().collect();
                    if !unknown.is_empty() {
                        found.push(format!("`{key}` has no value for {} in {language}", unknown.join(", ")));
                    }
                }
            }
        }
        let unsaid = words.keys().filter(|key| !key.contains(".sent.") && !keys.contains_key(key.as_str()));
        found.extend(unsaid.map(|key| format!("nobody says `{key}`, which has words in {language}")));
    }
    found
}

/// What is said in English alone where people read it, and files that are said to be an exception and are none any more.
/// Nothing but `Message::english` makes a sentence without a key, so it is enough to look where it is named.
pub fn undeclared(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files().filter(|(file, _)| READ_BY_PEOPLE.iter().any(|place| file.starts_with(place))) {
        let said = english(product_tokens(file, text));
        match HEARD_ELSEWHERE.iter().any(|(excepted, _)| *excepted == file) {
            true if said == 0 => found.push(format!("{file} says no English any more, and is still excepted")),
            true => {}
            false => found.extend((0..said).map(|_| format!("{file}: something is said without a key"))),
        }
    }
    found
}

/// How often `…::english` is named.
fn english(stream: TokenStream) -> usize {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let is = |tree: &TokenTree, word: &str| tree.to_string() == word;
    let here = trees.windows(3).filter(|three| is(&three[0], ":") && is(&three[1], ":") && is(&three[2], "english"));
    let inside = trees.iter().map(|tree| match tree {
        TokenTree::Group(group) => english(group.stream()),
        _ => 0,
    });
    here.count() + inside.sum::<usize>()
}

fn section_of(file: &str) -> String {
    let of_domain = domain_of(file).and_then(|domain| domain.rsplit('/').next().map(str::to_owned));
    let of_knowledge = || file.strip_prefix("src/calc/").and_then(|rest| rest.split('/').next()).map(str::to_owned);
    of_domain.or_else(of_knowledge).unwrap_or_else(|| "house".to_owned())
}

fn declared(tree: &Tree) -> Vec<Declared> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        calls(product_tokens(file, text), &["MessageTemplate", "new"], &mut |arguments| {
            let literals: Vec<String> = arguments.iter().filter_map(literal).collect();
            if let [key, english] = &literals[..] {
                found.push(Declared { key: key.clone(), places: places_of(english), file: file.to_owned() });
            }
        });
    }
    found
}

/// The rooms of the catalogues with what the server says, each with the groups of keys that have their words there: what is
/// said of the fields of a request, and what came of a task and of whom it asked. All other words are in `said`. A browser
/// loads each when something of it is said, and looks nowhere else (`lib/localized.ts`).
const ROOMS: [(&str, &[&str]); 3] =
    [("refused", &["must", "sent"]), ("work", &["task", "compute", "upstream"]), ("said", &[])];

/// Words in a room where no browser looks for them.
fn misplaced(catalogues: &Tree) -> Vec<String> {
    let room_for = |key: &str| {
        let group = key.split('.').collect::<Vec<_>>();
        let is_of = |groups: &[&str]| group.len() > 2 && groups.contains(&group[1]);
        ROOMS.iter().find(|(_, groups)| is_of(groups)).map_or("said", |(room, _)| room)
    };
    let wrong = |room: &'static str| {
        let keys = room_of(catalogues, room).into_keys().filter(|key| room_for(key) != room);
        keys.map(|key| format!("`{key}` has its words in the room `{room}`")).collect::<Vec<_>>()
    };
    ROOMS.iter().flat_map(|(room, _)| wrong(room)).collect()
}

/// The words of a language by their keys, of every section.
fn words(catalogues: &Tree, language: &str) -> BTreeMap<String, String> {
    let of_language = |[korean, english]: [String; 2]| if language == "ko" { korean } else { english };
    let all = ROOMS.iter().flat_map(|(room, _)| room_of(catalogues, room));
    all.map(|(key, both)| (key, of_language(both))).filter(|(_, text)| !text.is_empty()).collect()
}

/// The words of a room by their keys, of every section: in Korean and in English.
fn room_of(catalogues: &Tree, room: &str) -> BTreeMap<String, [String; 2]> {
    type Rooms = BTreeMap<String, BTreeMap<String, [String; 2]>>;
    let of_file = |(file, text): (&str, &str)| {
        let section = file.strip_suffix("/messages.json")?.rsplit('/').next()?.to_owned();
        let mut rooms: Rooms = serde_json::from_str(text).unwrap_or_else(|e| panic!("{file}: {e}"));
        let words = rooms.remove(room).unwrap_or_default();
        Some(words.into_iter().map(move |(key, both)| (format!("{section}.{key}"), both)))
    };
    catalogues.files().filter_map(of_file).flatten().collect()
}

/// The names of the places in a sentence.
fn places_of(text: &str) -> BTreeSet<String> {
    let inner = text.split('{').skip(1).filter_map(|behind| behind.split(['}', '|', ',']).next());
    inner.map(str::to_owned).collect()
}

/// Tells the arguments of every call of `path`.
fn calls(stream: TokenStream, path: &[&str], tell: &mut impl FnMut(&[TokenTree])) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before: Vec<String> = trees[..at].iter().rev().take(3 * path.len() + 1).map(ToString::to_string).collect();
        let called: Vec<&str> = before.iter().rev().map(String::as_str).filter(|word| *word != ":").collect();
        if group.delimiter() == Delimiter::Parenthesis && called.ends_with(path) {
            tell(&group.stream().into_iter().collect::<Vec<_>>());
        }
        calls(group.stream(), path, tell);
    }
}

fn literal(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    let text = literal.to_string();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned)
}

#[cfg(test)]
mod plants {
    use super::*;

    const DRY: (&str, &str) = (
        "src/ops/plants/model.rs",
        "const DRY: MessageTemplate = MessageTemplate::new(\"plants.dry\", \"{name} is dry\");",
    );
    const WORDS: &str = "pages/plants/messages.json";

    #[test]
    fn a_sentence_without_its_words_in_either_language_is_caught() {
        let said = |words: &str| unspoken(&Tree::of(&[DRY]), &Tree::of(&[(WORDS, &format!(r#"{{"said": {words}}}"#))]));
        assert_eq!(said(r#"{"dry": ["{name}: 물이 없습니다.", "{name} is dry."]}"#), [""; 0]);
        let missing = "src/ops/plants/model.rs: the sentence `plants.dry` has no words in ko";
        assert_eq!(said(r#"{"dry": ["", "{name} is dry."]}"#), [missing]);
        let odd = said(r#"{"dry": ["{plant}", "{name} is dry."], "wet": ["젖었습니다.", ""]}"#);
        assert_eq!(
            odd,
            ["`plants.dry` has no value for plant in ko", "nobody says `plants.wet`, which has words in ko"]
        );
    }

    #[test]
    fn words_in_the_room_where_no_browser_looks_for_them_are_caught() {
        const DRAWN: (&str, &str) = (
            "src/ops/plants/task.rs",
            "const DRAWN: MessageTemplate = MessageTemplate::new(\"plants.task.drawn\", \"drawn\");",
        );
        let (dry, name, drawn) =
            (r#""dry": ["", "{name}"]"#, r#""sent.name": ["", "name"]"#, r#""task.drawn": ["", "drawn"]"#);
        let placed = |said: &str, refused: &str, work: &str| {
            let words = format!(r#"{{"said": {{{said}}}, "refused": {{{refused}}}, "work": {{{work}}}}}"#);
            let found = unspoken(&Tree::of(&[DRY, DRAWN]), &Tree::of(&[(WORDS, &words)]));
            found.into_iter().filter(|flaw| flaw.contains("in the room")).collect::<Vec<_>>()
        };
        assert_eq!(placed(dry, name, drawn), [""; 0]);
        let wrong = [
            "`plants.task.drawn` has its words in the room `refused`",
            "`plants.dry` has its words in the room `work`",
            "`plants.sent.name` has its words in the room `said`",
        ];
        assert_eq!(placed(name, drawn, dry), wrong);
    }

    #[test]
    fn a_sentence_of_another_section_or_one_that_is_there_twice_is_caught() {
        let catalogues = Tree::of(&[(WORDS, r#"{"said": {"dry": ["{name}", "{name}"]}}"#)]);
        let elsewhere = unspoken(&Tree::of(&[("src/ops/todos/model.rs", DRY.1)]), &catalogues);
        assert_eq!(elsewhere, ["src/ops/todos/model.rs: the sentence `plants.dry` is none of todos"]);
        let twice = Tree::of(&[DRY, ("src/ops/plants/store.rs", DRY.1)]);
        assert_eq!(unspoken(&twice, &catalogues).len(), 1);
    }

    #[test]
    fn english_without_a_key_where_people_read_it_is_caught() {
        let bare = |text: &str| undeclared(&Tree::of(&[("src/ops/plants/model.rs", text)])).len();
        assert_eq!(bare("fn f() { Err(Error::conflict(Said::english(\"not now\"))) }"), 1);
        assert_eq!(bare("fn f() { check.require(fits, \"name\", Said::english(format!(\"must be {most}\"))); }"), 1);
        assert_eq!(bare("async fn f() { progress.say(100, hanok_base::Said::english(done)).await }"), 1);
        assert_eq!(
            bare("fn f() { let what = why.map(Said::english); Err(Error::conflict(what.unwrap_or(OTHER))) }"),
            1
        );
        assert_eq!(bare("fn f() { let what = NOT_NOW.with([]); Err(Error::conflict(what)) }"), 0);
        assert_eq!(bare("fn f() { Err(Error::conflict(NOT_NOW)) }"), 0);
        assert_eq!(bare("fn f() { Err(Error::field(\"name\", must::TEXT)) }"), 0);
        assert_eq!(bare("#[cfg(test)] mod tests { fn f() { Error::conflict(Said::english(\"not now\")) } }"), 0);
    }

    #[test]
    fn english_without_a_key_in_the_knowledge_of_any_domain_is_caught_but_where_no_browser_shows_it() {
        const DRY: &str = "fn f() { check.require(fits, \"soil\", Said::english(\"must not be dry\")); }";
        let said = |file: &str, text: &str| undeclared(&Tree::of(&[(file, text)]));
        let caught = |file: &str| vec![format!("{file}: something is said without a key")];
        for file in ["src/calc/plants/soil.rs", "src/calc/lottery/odds.rs"] {
            assert_eq!(said(file, DRY), caught(file));
        }
        let (excepted, _) = HEARD_ELSEWHERE[0];
        assert_eq!(said(excepted, DRY), [""; 0]);
        assert_eq!(said(excepted, ""), [format!("{excepted} says no English any more, and is still excepted")]);
    }
}

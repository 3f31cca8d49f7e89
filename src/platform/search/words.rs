//! Texts as the index knows them: Latin words and numbers as they are, Korean as runs of syllables, of which every two
//! neighbours are one token. No dictionary: particles are stripped when somebody asks, and a compound is found by its parts.

use std::ops::Range;

use hanok_base::text;

/// A run is of characters that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Syllables of Hangul, and characters of Chinese and Japanese.
    Syllables,
    /// Consonants by themselves: 초성.
    Consonants,
    /// Letters and digits of every other script.
    Letters,
}

/// Characters of one script that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    /// Of which script they are.
    pub script: Script,
    /// They, in lower case.
    pub text: String,
    /// Where they stand, in bytes.
    pub at: Range<usize>,
    /// Whether the run before stands right before it.
    pub is_joined: bool,
}

/// A longer run is no word that anybody looks for, such as a key or a picture written as text.
const LONGEST: usize = 64;

/// The runs of `text`, which is in Unicode's form C ([`text::composed`]).
pub(super) fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (at, character) in text.char_indices() {
        let Some(script) = script_of(character) else { continue };
        let end = at + character.len_utf8();
        let is_joined = runs.last().is_some_and(|run| run.at.end == at);
        match runs.last_mut() {
            Some(run) if is_joined && run.script == script => {
                run.text.extend(character.to_lowercase());
                run.at.end = end;
            }
            _ => runs.push(Run { script, text: character.to_lowercase().collect(), at: at..end, is_joined }),
        }
    }
    runs
}

fn script_of(character: char) -> Option<Script> {
    match character {
        '가'..='힣' | '一'..='鿿' | '㐀'..='䶿' | 'ぁ'..='ヿ' => Some(Script::Syllables),
        'ㄱ'..='ㅎ' => Some(Script::Consonants),
        _ if character.is_alphanumeric() => Some(Script::Letters),
        _ => None,
    }
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The token.
    pub text: String,
    /// Its place among the tokens of its text; phrases ask for neighbours.
    pub position: usize,
}

/// Every run of `text` as a word.
pub(super) fn words(text: &str) -> Vec<Token> {
    let kept = runs(text).into_iter().enumerate().filter(|(_, run)| run.text.chars().count() <= LONGEST);
    kept.map(|(position, run)| Token { text: run.text, position }).collect()
}

/// Every two neighbouring syllables of `text`. Between two runs a place stays free, so that no phrase goes over it.
pub(super) fn pairs(text: &str) -> Vec<Token> {
    pairs_of(runs(text).iter().filter(|run| run.script == Script::Syllables).map(|run| run.text.as_str()))
}

/// Every two neighbouring initial consonants of `text`.
pub(super) fn initials(text: &str) -> Vec<Token> {
    let of_runs: Vec<String> =
        runs(text).iter().filter(|run| run.script != Script::Letters).map(|run| text::initials(&run.text)).collect();
    pairs_of(of_runs.iter().map(String::as_str))
}

fn pairs_of<'t>(runs: impl Iterator<Item = &'t str>) -> Vec<Token> {
    let (mut tokens, mut position) = (Vec::new(), 0);
    for run in runs {
        for pair in pairs_in(run) {
            tokens.push(Token { text: pair, position });
            position += 1;
        }
        position += 2;
    }
    tokens
}

/// Every two neighbouring characters of `run`.
pub(super) fn pairs_in(run: &str) -> Vec<String> {
    let characters: Vec<char> = run.chars().collect();
    characters.windows(2).map(|pair| pair.iter().collect()).collect()
}

/// What stands behind a noun and is not part of it, the longest of those that begin alike first.
pub(super) const PARTICLES: [&str; 68] = [
    "으로부터",
    "에게서는",
    "에서부터",
    "이라고는",
    "으로서",
    "으로써",
    "에게서",
    "에서는",
    "에서도",
    "에게는",
    "에게도",
    "으로는",
    "으로도",
    "이라고",
    "이라도",
    "이라는",
    "까지는",
    "까지도",
    "부터는",
    "보다는",
    "보다도",
    "입니다",
    "들에게",
    "들이",
    "들은",
    "들을",
    "들의",
    "들과",
    "들도",
    "에서",
    "에게",
    "한테",
    "께서",
    "으로",
    "로서",
    "로써",
    "부터",
    "까지",
    "보다",
    "처럼",
    "마다",
    "조차",
    "밖에",
    "이나",
    "이라",
    "라고",
    "라도",
    "라는",
    "이며",
    "이고",
    "하고",
    "이랑",
    "에는",
    "에도",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "와",
    "과",
    "도",
    "만",
    "로",
    "랑",
];

/// `run` without the particle at its end, when at least two syllables are left.
pub(super) fn without_particle(run: &str) -> Option<&str> {
    let stem = |particle: &&str| run.strip_suffix(*particle).filter(|stem| stem.chars().count() >= 2);
    PARTICLES.iter().find_map(stem)
}

/// Whether `run` is a particle by itself, as behind a Latin word: `iPhone에서`.
pub(super) fn is_particle(run: &str) -> bool {
    PARTICLES.contains(&run)
}

/// A longer run of syllables, in characters, is no compound of two words.
const LONGEST_COMPOUND: usize = 12;

/// The ways to read `run` as two words of at least two syllables each: `블로그마케팅` is also 블로그 and 마케팅.
pub(super) fn parts(run: &str) -> Vec<(&str, &str)> {
    let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
    if starts.len() > LONGEST_COMPOUND {
        return Vec::new();
    }
    let last = starts.len().saturating_sub(2);
    (2..=last).filter_map(|at| starts.get(at).map(|at| run.split_at(*at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tokens: Vec<Token>) -> Vec<(String, usize)> {
        tokens.into_iter().map(|token| (token.text, token.position)).collect()
    }

    fn owned<const N: usize>(tokens: [(&str, usize); N]) -> Vec<(String, usize)> {
        tokens.map(|(text, position)| (text.to_owned(), position)).to_vec()
    }

    #[test]
    fn a_text_is_runs_of_one_script_each_in_lower_case_and_at_their_places() {
        let read = runs("iPhone17에서 블로그, ㅂㄹㄱ!");
        let told: Vec<_> = read.iter().map(|run| (run.text.as_str(), run.script, run.is_joined)).collect();
        assert_eq!(
            told,
            [
                ("iphone17", Script::Letters, false),
                ("에서", Script::Syllables, true),
                ("블로그", Script::Syllables, false),
                ("ㅂㄹㄱ", Script::Consonants, false)
            ]
        );
        assert_eq!(&"iPhone17에서 블로그, ㅂㄹㄱ!"[read[2].at.clone()], "블로그");
    }

    #[test]
    fn no_phrase_of_syllables_goes_over_the_end_of_a_run() {
        assert_eq!(texts(pairs("삼성전자 주가")), owned([("삼성", 0), ("성전", 1), ("전자", 2), ("주가", 5)]));
        assert_eq!(texts(pairs("집 앞 milk")), owned([]));
        assert_eq!(texts(initials("보험 갱신")), owned([("ㅂㅎ", 0), ("ㄱㅅ", 3)]));
    }

    #[test]
    fn every_run_is_a_word_but_for_those_that_nobody_types() {
        let long = "x".repeat(65);
        assert_eq!(texts(words(&format!("Milk {long} 집"))), owned([("milk", 0), ("집", 2)]));
    }

    #[test]
    fn a_particle_is_stripped_where_two_syllables_are_left() {
        for (run, stem) in [
            ("블로그마케팅은", "블로그마케팅"),
            ("삼성전자를", "삼성전자"),
            ("주가에서", "주가"),
            ("당첨번호를", "당첨번호"),
            ("학교에서는", "학교"),
            ("사람들에게", "사람"),
            ("엄마랑", "엄마"),
        ] {
            assert_eq!(without_particle(run), Some(stem), "{run}");
        }
        for run in ["우리", "나는", "보험", "블로그"] {
            assert_eq!(without_particle(run), None, "{run}");
        }
        assert!(is_particle("에서") && !is_particle("보험"));
    }

    #[test]
    fn a_compound_is_read_as_each_two_words_that_it_may_be() {
        assert_eq!(parts("블로그마케팅"), [("블로", "그마케팅"), ("블로그", "마케팅"), ("블로그마", "케팅")]);
        assert!(parts("보험료").is_empty());
        assert_eq!(
            [12, 13].map(|syllables| parts(&"가".repeat(syllables)).len()),
            [9, 0],
            "a line without blanks is none"
        );
    }
}

//! A line read as a question: which of its words say what it is about, and what of them a text that answers may hold.
//!
//! Who asks `제주 여행에서 묵은 숙소는 어디였지` looks for a text about 제주, 여행, 묵은 and 숙소. Words that only ask count for
//! nothing, and of the others the stem counts: particles and endings (조사, 어미) are those of the asker. There is no dictionary:
//! a stem that was cut too short or too long is still found, as every two of its syllables are looked for by themselves.

use super::needle::{Needle, steps};
use super::words::{PARTICLES, Run, Script, pairs_in, parts};

/// A line as a question.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// The words that say what it is about.
    pub keywords: Vec<Keyword>,
    /// Whether it asks, other than by naming things.
    pub is_asked: bool,
    /// How many words were typed.
    typed: usize,
}

/// A word that says what a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keyword {
    /// The word as it was typed.
    pub text: String,
    script: Script,
    /// How many of its bytes are its stem.
    stem: usize,
}

/// A token that a text which says a keyword may hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clue {
    /// The token.
    pub text: String,
    /// Among which tokens it is.
    pub tokens: Tokens,
    /// What it is worth.
    pub weight: f32,
    /// Whether it tells that the keyword is said; otherwise it only tells that a text is a better one.
    pub counts: bool,
}

/// The ways in which a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tokens {
    /// Its words.
    Words,
    /// Every two neighbouring syllables.
    Pairs,
    /// Every two neighbouring initial consonants.
    Initials,
}

/// How much of a question a text must say to be a partial match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Coverage {
    /// So much of what all texts together say of it, from 0 to 1; rare words are more of it than frequent ones.
    Share(f32),
    /// All of its keywords but one.
    AllButOne,
}

/// A line of so many keywords is a question even if it only names things.
const MANY: usize = 5;
/// What must be covered of a question that nothing answers whole.
const COVERED: f32 = 0.3;
/// What must be covered of one that is answered, and of a line that only names things.
const MOSTLY_COVERED: f32 = 0.6;
/// What a whole word is worth beside its pairs of syllables.
const AS_WORD: f32 = 0.5;
/// What the pair of the last syllable of the stem and the first of the ending is worth.
const AT_ENDING: f32 = 0.5;

impl Question {
    /// `line`, whose words are `runs`.
    pub fn of(line: &str, runs: &[Run]) -> Question {
        let keywords: Vec<Keyword> = runs.iter().filter(|run| !only_asks(run)).map(Keyword::of).collect();
        let is_asked = keywords.len() < runs.len()
            || line.trim_end().ends_with(['?', '？'])
            || runs.last().is_some_and(|run| ENDINGS_OF_QUESTIONS.iter().any(|ending| run.text.ends_with(ending)));
        Question { keywords, is_asked, typed: runs.len() }
    }

    /// How much of it a partial match must say, where texts that say all of it are there (`is_answered`) or not; none where a
    /// text must say all of it: one word, or two that only name things.
    pub fn coverage(&self, is_answered: bool) -> Option<Coverage> {
        match self.keywords.len() {
            0 => None,
            _ if self.typed < 2 => None,
            _ if self.is_asked && !is_answered => Some(Coverage::Share(COVERED)),
            _ if self.is_asked => Some(Coverage::Share(MOSTLY_COVERED)),
            MANY.. => Some(Coverage::Share(MOSTLY_COVERED)),
            3.. => Some(Coverage::AllButOne),
            _ => None,
        }
    }

    /// What is to be seen in a text that matches partly.
    pub fn needles(&self) -> Vec<Needle> {
        self.keywords.iter().flat_map(Keyword::needles).collect()
    }
}

impl Keyword {
    fn of(run: &Run) -> Keyword {
        let stem = if run.script == Script::Syllables { stem_of(&run.text).len() } else { run.text.len() };
        Keyword { text: run.text.clone(), script: run.script, stem }
    }

    /// How many of its letters may be mistyped.
    pub fn steps(&self) -> u8 {
        if self.script == Script::Letters { steps(&self.text) } else { 0 }
    }

    /// Whether one clue is enough to tell that it is said.
    pub fn is_said_by_one_clue(&self) -> bool {
        self.script == Script::Letters || pairs_in(self.stem()).is_empty()
    }

    /// What tells that a text says it.
    pub fn clues(&self) -> Vec<Clue> {
        let clue = |text: &str, tokens, weight, counts| Clue { text: text.to_owned(), tokens, weight, counts };
        let stem = self.stem();
        match self.script {
            Script::Letters => vec![clue(&self.text, Tokens::Words, 1.0, true)],
            Script::Consonants => {
                pairs_in(&self.text).iter().map(|pair| clue(pair, Tokens::Initials, 1.0, true)).collect()
            }
            Script::Syllables => {
                let in_stem = pairs_in(stem);
                let is_short = in_stem.is_empty();
                let at_ending = pairs_in(&self.text).into_iter().nth(in_stem.len()).filter(|_| stem != self.text);
                let mut clues = vec![clue(stem, Tokens::Words, AS_WORD, is_short)];
                clues.extend((stem != self.text).then(|| clue(&self.text, Tokens::Words, AS_WORD, is_short)));
                clues.extend(at_ending.map(|pair| clue(&pair, Tokens::Pairs, AT_ENDING, is_short)));
                clues.extend(in_stem.iter().map(|pair| clue(pair, Tokens::Pairs, 1.0, true)));
                clues
            }
        }
    }

    fn stem(&self) -> &str {
        &self.text[..self.stem]
    }

    fn needles(&self) -> Vec<Needle> {
        let whole = || self.text.clone();
        match self.script {
            Script::Letters => vec![Needle::AtBeginning(whole()), Needle::Near(whole(), self.steps().into())],
            Script::Consonants => vec![Needle::Initials(whole())],
            Script::Syllables => {
                let stem = self.stem();
                let two = self.text.char_indices().nth(2).map_or(self.text.len(), |(at, _)| at);
                let shown = &self.text[..two.max(self.stem)];
                let parts = parts(stem).into_iter().flat_map(|(first, second)| [first, second]);
                std::iter::once(shown).chain(parts).map(|part| Needle::Anywhere(part.to_owned())).collect()
            }
        }
    }
}

/// `word` without the longest particle or ending behind its first syllable.
fn stem_of(word: &str) -> &str {
    let stems = PARTICLES.iter().chain(&ENDINGS).filter_map(|ending| word.strip_suffix(*ending));
    stems.filter(|stem| !stem.is_empty()).min_by_key(|stem| stem.len()).unwrap_or(word)
}

/// Whether `run` asks, and names nothing.
fn only_asks(run: &Run) -> bool {
    let word = run.text.as_str();
    match run.script {
        Script::Consonants => false,
        Script::Letters => ENGLISH.contains(&word),
        Script::Syllables => {
            let asks = |stem: &&str| word.strip_prefix(*stem).is_some_and(|rest| rest.chars().count() <= LONGEST_TAIL);
            let is_verb = |stem: &&str| word.strip_prefix(*stem).is_some_and(|rest| TAILS_OF_VERBS.contains(&rest));
            IDLE.contains(&word) || ASKING.iter().any(asks) || VERBS.iter().any(is_verb)
        }
    }
}

/// What begins a word that asks: 언제, 언제부터, 언제였더라.
const ASKING: [&str; 14] =
    ["어디", "언제", "누구", "무엇", "무얼", "무슨", "뭐", "뭘", "어떻", "어떤", "어땠", "어느", "얼마", "몇"];
/// So many syllables stand behind it at most.
const LONGEST_TAIL: usize = 4;

/// Verbs that say nothing by themselves, and how they end in a question.
const VERBS: [&str; 10] = ["있", "있었", "없", "없었", "하", "했", "했었", "되", "됐", "되었"];
const TAILS_OF_VERBS: [&str; 18] = [
    "",
    "나",
    "나요",
    "냐",
    "니",
    "어",
    "어요",
    "요",
    "야",
    "야지",
    "지",
    "지요",
    "더라",
    "더라고",
    "을까",
    "는지",
    "다",
    "고",
];

/// Words that say nothing in a question.
const IDLE: [&str; 49] = [
    "누가",
    "왜",
    "어때",
    "거",
    "것",
    "게",
    "건",
    "걸",
    "거야",
    "거지",
    "거였지",
    "그",
    "그때",
    "때",
    "데",
    "수",
    "적",
    "내가",
    "나는",
    "우리",
    "우리가",
    "좀",
    "혹시",
    "제일",
    "가장",
    "더",
    "또",
    "및",
    "알려",
    "알려줘",
    "알려주세요",
    "찾아",
    "찾아줘",
    "보여줘",
    "줘",
    "주세요",
    "궁금해",
    "궁금한데",
    "대해",
    "관해",
    "하려면",
    "할",
    "한",
    "해",
    "해요",
    "해야",
    "돼",
    "돼요",
    "돼야",
];

const ENGLISH: [&str; 56] = [
    "a", "about", "an", "and", "any", "are", "at", "be", "been", "by", "can", "could", "did", "do", "does", "find",
    "for", "from", "had", "has", "have", "how", "i", "in", "is", "it", "long", "many", "me", "much", "my", "of", "on",
    "or", "our", "please", "should", "show", "tell", "that", "the", "there", "this", "to", "us", "was", "we", "were",
    "what", "when", "where", "which", "who", "why", "with", "you",
];

/// What a last word ends with that asks; shorter endings are those of nouns, too, such as 강아지.
const ENDINGS_OF_QUESTIONS: [&str; 19] = [
    "었지", "았지", "였지", "했지", "갔지", "더라", "나요", "까요", "을까", "할까", "니까", "었나", "았나", "였나",
    "했나", "는지", "었어", "았어", "했어",
];

/// What stands behind the stem of a verb, beside what [`PARTICLES`] names.
const ENDINGS: [&str; 64] = [
    "았더라",
    "었더라",
    "였더라",
    "했더라",
    "했었지",
    "으려면",
    "으려고",
    "습니다",
    "합니다",
    "하려면",
    "하기로",
    "하다가",
    "할까",
    "할게",
    "하고",
    "하는",
    "하던",
    "했던",
    "했지",
    "했나",
    "했어",
    "하면",
    "하지",
    "하게",
    "하기",
    "해서",
    "해야",
    "었던",
    "았던",
    "였던",
    "었지",
    "았지",
    "였지",
    "었어",
    "았어",
    "였어",
    "었나",
    "았나",
    "였나",
    "더라",
    "는데",
    "은데",
    "는지",
    "은지",
    "인지",
    "을까",
    "나요",
    "어요",
    "아요",
    "어야",
    "아야",
    "어서",
    "아서",
    "으면",
    "려면",
    "려고",
    "다가",
    "고서",
    "지",
    "나",
    "고",
    "면",
    "할",
    "한",
];

#[cfg(test)]
mod tests {
    use super::super::words::runs;
    use super::*;

    fn read(line: &str) -> (Vec<String>, bool) {
        let question = Question::of(line, &runs(line));
        (question.keywords.iter().map(|word| word.stem().to_owned()).collect(), question.is_asked)
    }

    #[test]
    fn of_a_question_the_stems_count_that_say_what_it_is_about() {
        for (line, stems, is_asked) in [
            ("제주 여행에서 묵은 숙소는 어디였지", &["제주", "여행", "묵", "숙소"][..], true),
            ("보험료는 언제부터 올랐더라", &["보험료", "올랐"], true),
            ("몇 시에 일어났지?", &["시", "일어났"], true),
            ("where is the receipt", &["receipt"], true),
            ("강아지 산책", &["강아", "산책"], false),
            ("국민연금은 나이", &["국민연금", "나"], false),
            ("자동차 보험 갱신", &["자동차", "보험", "갱신"], false),
        ] {
            assert_eq!(read(line), (stems.iter().map(|stem| (*stem).to_owned()).collect(), is_asked), "{line}");
        }
    }

    #[test]
    fn one_word_and_two_that_only_name_things_are_to_be_said_whole() {
        let of = |line: &str| Question::of(line, &runs(line)).coverage(false);
        for line in ["보험", "보험은?", "어디", "언제 어디서", "보험 해지"] {
            assert_eq!(of(line), None, "{line}");
        }
        assert_eq!(of("자동차 보험 해지"), Some(Coverage::AllButOne));
        assert_eq!(of("보험 어디"), Some(Coverage::Share(COVERED)));
    }
}

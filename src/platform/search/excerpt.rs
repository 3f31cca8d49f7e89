//! The part of a text where something was found, with what was found marked. It begins and ends between words.

use std::ops::Range;

use serde::Serialize;

use super::needle::Needle;
use super::words::runs;
use hanok_base::schema::ToSchema;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Piece {
    /// What it says.
    pub text: String,
    /// Whether it is what was looked for.
    pub found: bool,
}

/// How long an excerpt is, in characters.
const LENGTH: usize = 120;
/// How much of it may stand before what was found first, in characters.
const BEFORE: usize = 24;
/// Of a longer text only so much is looked at, in bytes; what is found behind it has the beginning as its excerpt.
const LOOKED_AT: usize = 1 << 20;

/// The whole of `text` with what was found in it.
pub(super) fn whole(text: &str, needles: &[Needle]) -> Vec<Piece> {
    pieces(text, 0..text.len(), &found(text, needles))
}

/// Where most of what was looked for stands close together in `text`; its beginning where nothing of it does.
pub(super) fn excerpt(text: &str, needles: &[Needle]) -> Vec<Piece> {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    let found = found(text, needles);
    let at = densest(text, &found, needles.len());
    let window = window(text, at);
    let mut pieces = pieces(text, window.clone(), &found);
    let ellipsis = || Piece { text: "…".to_owned(), found: false };
    if window.start > 0 {
        pieces.insert(0, ellipsis());
    }
    if window.end < text.trim_end().len() {
        pieces.push(ellipsis());
    }
    pieces
}

/// Where the excerpt begins in which most of the needles are, of `needles` in all; at the beginning where none is found.
fn densest(text: &str, found: &[Match], needles: usize) -> usize {
    let (mut counts, mut kinds, mut behind) = (vec![0usize; needles], 0, 0);
    let mut best = (0, 0);
    for (at, first) in found.iter().enumerate() {
        let start = first.at.start;
        let end = text[start..].char_indices().nth(LENGTH - BEFORE).map_or(text.len(), |(length, _)| start + length);
        // From `at` to `behind` stands what is in an excerpt that begins here.
        behind = behind.max(at);
        while let Some(one) = found.get(behind).filter(|one| one.at.end <= end) {
            kinds += usize::from(counts[one.needle] == 0);
            counts[one.needle] += 1;
            behind += 1;
        }
        if kinds > best.1 {
            best = (start, kinds);
        }
        if kinds == needles {
            break;
        }
        if behind > at {
            counts[first.needle] -= 1;
            kinds -= usize::from(counts[first.needle] == 0);
        }
    }
    best.0
}

/// What was found.
struct Match {
    at: Range<usize>,
    needle: usize,
}

fn found(text: &str, needles: &[Needle]) -> Vec<Match> {
    let mut all = Vec::new();
    for run in runs(text) {
        let places = needles.iter().enumerate().filter_map(|(at, needle)| Some((at, needle.is_in(&run.text)?)));
        // The longest says most; of several as long the most exact, which stands first.
        let longest = places.max_by_key(|(at, (from, to))| (to - from, std::cmp::Reverse(*at)));
        let Some((needle, (from, to))) = longest else { continue };
        // The run in lower case may have more characters than the run; then all of it is marked.
        let written = &text[run.at.clone()];
        let is_like_it = written.chars().count() == run.text.chars().count();
        let byte = |at: usize| written.char_indices().nth(at).map_or(written.len(), |(byte, _)| byte);
        let at = if is_like_it { run.at.start + byte(from)..run.at.start + byte(to) } else { run.at };
        all.push(Match { at, needle });
    }
    all
}

/// The part of `text` around `at` that is shown.
fn window(text: &str, at: usize) -> Range<usize> {
    let before = text[..at].char_indices().nth_back(BEFORE).map_or(0, |(byte, _)| byte);
    // Behind the first blank there, so that no word is cut; a text without blanks is cut between characters.
    let start = match text[before..at].char_indices().find(|(_, one)| one.is_whitespace()) {
        Some((blank, one)) if before > 0 => before + blank + one.len_utf8(),
        _ => before,
    };
    let start = if before == 0 { 0 } else { start };
    let far = text[start..].char_indices().nth(LENGTH).map_or(text.len(), |(length, _)| start + length);
    let blank = text[start..far].rfind(char::is_whitespace).map(|blank| start + blank);
    let end = if far == text.len() { far } else { blank.filter(|blank| *blank > at).unwrap_or(far) };
    start..end
}

fn pieces(text: &str, window: Range<usize>, found: &[Match]) -> Vec<Piece> {
    let (mut pieces, mut at) = (Vec::new(), window.start);
    let mut push = |range: Range<usize>, found: bool| {
        if !range.is_empty() {
            pieces.push(Piece { text: text[range].to_owned(), found });
        }
    };
    for one in found.iter().filter(|one| one.at.start >= window.start && one.at.end <= window.end) {
        push(at..one.at.start, false);
        push(one.at.clone(), true);
        at = one.at.end;
    }
    push(at..window.end, false);
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::query::SearchTerms;
    use super::*;

    fn marked(pieces: Vec<Piece>) -> String {
        pieces.into_iter().map(|piece| if piece.found { format!("[{}]", piece.text) } else { piece.text }).collect()
    }

    #[test]
    fn what_was_found_is_marked_as_it_is_written() {
        for (line, text, shown) in [
            ("보험", "자동차보험을 갱신", "자동차[보험]을 갱신"),
            ("보험을", "자동차보험 갱신", "자동차[보험] 갱신"),
            ("ㅂㅎ", "자동차 보험 갱신", "자동차 [보험] 갱신"),
            ("milk", "Buy MILK, milkshake", "Buy [MILK], [milkshake]"),
            ("mlik", "Buy milk", "Buy [milk]"),
            ("블로그마케팅", "블로그 글과 마케팅", "[블로그] 글과 [마케팅]"),
            ("없는말", "자동차 보험", "자동차 보험"),
        ] {
            assert_eq!(marked(whole(text, &SearchTerms::of(line).needles())), shown, "{line}");
        }
    }

    #[test]
    fn an_excerpt_is_where_most_of_the_words_stand_and_cuts_none() {
        let filler = "아무 말이나 이어지는 긴 글입니다 ".repeat(40);
        let text = format!("보험 이야기. {filler}그래서 자동차 보험을 갱신했다. {filler}");
        let shown = marked(excerpt(&text, &SearchTerms::of("자동차 갱신").needles()));
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert!(shown.contains("[자동차] 보험을 [갱신]했다."), "{shown}");
        let plain = shown.replace(['[', ']', '…'], "");
        assert!(text.contains(&format!(" {plain} ")), "{plain}");
        assert!(plain.chars().count() <= LENGTH);
    }

    #[test]
    fn of_a_text_that_says_one_word_over_and_over_the_excerpt_is_where_the_other_stands() {
        let text = format!("{}cd {}", "ab ".repeat(200), "ab ".repeat(200));
        let shown = marked(excerpt(&text, &SearchTerms::of("ab cd").needles()));
        assert!(shown.contains("[ab] [cd]"), "{shown}");
    }

    #[test]
    fn a_text_without_blanks_is_cut_between_characters() {
        let text = format!("{}보험{}", "가".repeat(500), "나".repeat(500));
        let shown = marked(excerpt(&text, &SearchTerms::of("보험").needles()));
        assert_eq!(shown, format!("…{}[보험]{}…", "가".repeat(25), "나".repeat(93)));
    }

    #[test]
    fn where_nothing_is_found_the_beginning_is_shown() {
        assert_eq!(marked(excerpt("짧은 글", &SearchTerms::of("보험").needles())), "짧은 글");
        let long = "긴 글입니다 ".repeat(60);
        let shown = marked(excerpt(&long, &SearchTerms::of("보험").needles()));
        assert!(shown.starts_with("긴 글입니다") && shown.ends_with("글입니다…"), "{shown}");
    }
}

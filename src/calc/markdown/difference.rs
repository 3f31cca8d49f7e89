//! What is another in a later state of a text: first line by line, then word by word where lines are like each other.
//!
//! The shortest way from one to the other (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986); where
//! it is longer than [`FARTHEST`], all of it counts as another.

use serde::Serialize;

use hanok_base::schema::ToSchema;

/// What became of a part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// It is in both.
    Same,
    /// It is only in the earlier one.
    Removed,
    /// It is only in the later one.
    Added,
}

/// A part of two texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Part {
    /// What became of it.
    pub kind: PartKind,
    /// What it says.
    pub text: String,
}

/// How many pieces may be others before everything counts as another.
const FARTHEST: usize = 1000;

/// The parts of `before` and `after`, in their order: those that are not removed are `after`, those that are not added
/// `before`.
pub fn difference(before: &str, after: &str) -> Vec<Part> {
    let mut parts = Parts::default();
    for (kind, removed, added) in hunks(&lines(before), &lines(after)) {
        if kind == PartKind::Same {
            parts.add(PartKind::Same, &removed);
            continue;
        }
        let (old, new) = (lines(&removed), lines(&added));
        let pairs: Vec<Vec<Hunk>> = old.iter().zip(&new).map(|(old, new)| hunks(&words(old), &words(new))).collect();
        if old.len() != new.len() || !pairs.iter().all(|pair| is_alike(pair)) {
            parts.add(PartKind::Removed, &removed);
            parts.add(PartKind::Added, &added);
            continue;
        }
        for (kind, removed, added) in pairs.into_iter().flatten() {
            if kind == PartKind::Same {
                parts.add(PartKind::Same, &removed);
            } else {
                parts.add(PartKind::Removed, &removed);
                parts.add(PartKind::Added, &added);
            }
        }
    }
    parts.0
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A run of pieces: what became of it, and what it says before and after.
type Hunk = (PartKind, String, String);

/// Whether at least half of the words of the shorter of two lines are in both: of others the whole lines are shown, since
/// nobody can read them through each other.
fn is_alike(pair: &[Hunk]) -> bool {
    let count = |text: &str| words(text).into_iter().filter(|word| word.starts_with(char::is_alphanumeric)).count();
    let (mut same, mut removed, mut added) = (0, 0, 0);
    for (kind, old, new) in pair {
        match kind {
            PartKind::Same => same += count(old),
            _ => (removed, added) = (removed + count(old), added + count(new)),
        }
    }
    same >= removed.min(added)
}

/// Words and what stands between them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let end = match is_word {
            true => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        words.push(word);
        rest = behind;
    }
    words
}

#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    fn add(&mut self, kind: PartKind, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => self.0.push(Part { kind, text: text.to_owned() }),
        }
    }
}

/// Runs of pieces that are the same in both (then the text stands in the first of the two), and of those that are not, with
/// what is removed and what is added; never two of one kind after each other.
fn hunks(before: &[&str], after: &[&str]) -> Vec<(PartKind, String, String)> {
    let mut hunks: Vec<(PartKind, String, String)> = Vec::new();
    for (kind, piece) in steps(before, after) {
        let is_same = kind == PartKind::Same;
        if hunks.last().is_none_or(|(last, ..)| (*last == PartKind::Same) != is_same) {
            let kind = if is_same { PartKind::Same } else { PartKind::Removed };
            hunks.push((kind, String::new(), String::new()));
        }
        if let Some((_, removed, added)) = hunks.last_mut() {
            if kind == PartKind::Added { added } else { removed }.push_str(piece);
        }
    }
    hunks
}

/// Each piece with what becomes of it.
fn steps<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<(PartKind, &'t str)> {
    let begin = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (before_rest, after_rest) = (&before[begin..], &after[begin..]);
    let end = before_rest.iter().rev().zip(after_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&before_rest[..before_rest.len() - end], &after_rest[..after_rest.len() - end]);
    let same = |pieces: &[&'t str]| pieces.iter().map(|piece| (PartKind::Same, *piece)).collect::<Vec<_>>();
    let mut steps = same(&before[..begin]);
    steps.extend(shortest(old, new).unwrap_or_else(|| {
        let removed = old.iter().map(|piece| (PartKind::Removed, *piece));
        removed.chain(new.iter().map(|piece| (PartKind::Added, *piece))).collect()
    }));
    steps.extend(same(&before_rest[before_rest.len() - end..]));
    steps
}

/// The shortest way; none when it is too long.
fn shortest<'t>(old: &[&'t str], new: &[&'t str]) -> Option<Vec<(PartKind, &'t str)>> {
    let most = (old.len() + new.len()).min(FARTHEST);
    // How far one comes in `old` on each diagonal, `old - new`, moved by `most + 1` so that none is below zero.
    let middle = most + 1;
    let mut reach = vec![0usize; 2 * most + 3];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    for steps in 0..=most {
        trace.push(reach[middle - steps..=middle + steps].to_vec());
        for diagonal in (middle - steps..=middle + steps).step_by(2) {
            let down =
                diagonal == middle - steps || (diagonal != middle + steps && reach[diagonal - 1] < reach[diagonal + 1]);
            let mut x = if down { reach[diagonal + 1] } else { reach[diagonal - 1] + 1 };
            let mut y = (x + middle).wrapping_sub(diagonal);
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            reach[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(back(old, new, &trace));
            }
        }
    }
    None
}

/// The way that `trace` has found, from its end to its beginning.
fn back<'t>(old: &[&'t str], new: &[&'t str], trace: &[Vec<usize>]) -> Vec<(PartKind, &'t str)> {
    let (mut x, mut y) = (old.len(), new.len());
    let mut steps = Vec::new();
    for (count, reach) in trace.iter().enumerate().skip(1).rev() {
        // `reach` holds the diagonals from `-count` to `count`, as they were before this step.
        let at = (x + count).wrapping_sub(y);
        let down = at == 0 || (at != 2 * count && reach[at - 1] < reach[at + 1]);
        let from_x = if down { reach[at + 1] } else { reach[at - 1] };
        let from = if down { at + 1 } else { at - 1 };
        let from_y = (from_x + count).wrapping_sub(from);
        let (to_x, to_y) = if down { (from_x, from_y + 1) } else { (from_x + 1, from_y) };
        while x > to_x && y > to_y {
            (x, y) = (x - 1, y - 1);
            steps.push((PartKind::Same, old[x]));
        }
        steps.push(if down { (PartKind::Added, new[from_y]) } else { (PartKind::Removed, old[from_x]) });
        (x, y) = (from_x, from_y);
    }
    while x > 0 {
        x -= 1;
        steps.push((PartKind::Same, old[x]));
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `[-removed-]{+added+}`, as people read it.
    fn shown(before: &str, after: &str) -> String {
        let show = |part: Part| match part.kind {
            PartKind::Same => part.text,
            PartKind::Removed => format!("[-{}-]", part.text),
            PartKind::Added => format!("{{+{}+}}", part.text),
        };
        difference(before, after).into_iter().map(show).collect()
    }

    #[test]
    fn what_is_another_is_shown_word_by_word() {
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("같은 글\n", "같은 글\n"), "같은 글\n");
        assert_eq!(shown("우유를 샀다.\n", "빵을 샀다.\n"), "[-우유를-]{+빵을+} 샀다.\n");
        assert_eq!(shown("하나\n셋\n", "하나\n둘\n셋\n"), "하나\n{+둘\n+}셋\n");
        assert_eq!(shown("하나\n둘\n셋\n", "하나\n셋\n"), "하나\n[-둘\n-]셋\n");
        assert_eq!(shown("배추를 샀다.", "배추와 무를 샀다."), "[-배추를-]{+배추와 무를+} 샀다.");
        assert_eq!(shown("", "새 글"), "{+새 글+}");
        assert_eq!(shown("지운 글", ""), "[-지운 글-]");
        assert_eq!(shown("가 나 다 라", "가 다 라 마"), "가 [-나 -]다 라{+ 마+}");
    }

    #[test]
    fn lines_that_have_little_in_common_are_shown_whole() {
        for (before, after) in [
            ("### 셋째 제목\n", "전혀 다른 문단입니다. 제목도 없습니다.\n"),
            ("하나 둘\n", "하나 셋\n둘 넷\n"),
            ("우유를 샀다.\n끝\n", "빵을 샀다.\n처음\n"),
        ] {
            assert_eq!(shown(before, after), format!("[-{before}-]{{+{after}+}}"));
        }
    }

    #[test]
    fn a_text_that_is_another_altogether_is_compared_soon() {
        let (before, after) = ("가 ".repeat(50_000), "나\n".repeat(50_000));
        let parts = difference(&before, &after);
        assert!(parts.len() < 10_000, "{}", parts.len());
    }

    proptest! {
        #[test]
        fn both_texts_are_in_their_difference(before in "[ab\n ]{0,40}", after in "[ab\n ]{0,40}") {
            let parts = difference(&before, &after);
            let of = |other: PartKind| {
                parts.iter().filter(|part| part.kind != other).map(|part| part.text.as_str()).collect::<String>()
            };
            prop_assert_eq!(of(PartKind::Added), before);
            prop_assert_eq!(of(PartKind::Removed), after);
        }
    }
}

//! What a text says without its marks.

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, parse_document};

use super::options;

/// A text as somebody reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// What it says, a line for each paragraph, heading, cell or line of code.
    pub text: String,
    /// How it begins: its first paragraphs in at most 160 characters, cut between words.
    pub excerpt: String,
    /// How many words it has, as they stand between spaces.
    pub words: u64,
    /// How many minutes it takes to read, rounded up; 0 when there is nothing to read.
    pub minutes: u64,
}

/// How long an excerpt is, in characters.
const EXCERPT: usize = 160;
/// Syllables of Hangul and characters of Chinese that are read in a minute.
const SYLLABLES_A_MINUTE: u64 = 500;
/// Words of other scripts that are read in a minute (M. Brysbaert, "How many words do we read per minute?", 2019: 238).
const WORDS_A_MINUTE: u64 = 238;

/// What `markdown` says.
pub fn read(markdown: &str) -> Reading {
    let lines = if super::is_too_deep(markdown) {
        vec![Line { text: markdown.trim().to_owned(), is_prose: false }]
    } else {
        lines(parse_document(&Arena::new(), markdown, &options(markdown)))
    };
    let prose: Vec<&str> = lines.iter().filter(|line| line.is_prose).map(|line| line.text.as_str()).collect();
    let all: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let excerpt = begin(if prose.is_empty() { &all } else { &prose });
    let text = all.join("\n");
    let (words, minutes) = measured(&text);
    Reading { text, excerpt, words, minutes }
}

/// A line of what a text says.
struct Line {
    text: String,
    /// Whether it is a paragraph, and neither a heading nor code.
    is_prose: bool,
}

fn lines(root: Node<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut add = |text: &str, is_prose| {
        let text = text.trim();
        if !text.is_empty() {
            lines.push(Line { text: text.to_owned(), is_prose });
        }
    };
    for node in root.descendants() {
        match &node.data().value {
            NodeValue::Paragraph => add(&inline(node), true),
            NodeValue::Heading(_) | NodeValue::TableCell => add(&inline(node), false),
            NodeValue::CodeBlock(code) => add(&code.literal, false),
            NodeValue::HtmlBlock(block) => add(&without_tags(&block.literal), false),
            _ => {}
        }
    }
    lines
}

/// What stands in the line of `node`.
fn inline(node: Node<'_>) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        match &inner.data().value {
            NodeValue::Text(said) => text.push_str(said),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// HTML without its tags and comments; nothing of what scripts and styles say.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    // Asked once, and not at each tag.
    let last_end = html.rfind("</").unwrap_or_default();
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        let is_silent = ["script", "style"].into_iter().any(|name| begins_with(behind, name));
        let end = if is_silent && last_end >= html.len() - behind.len() {
            behind.find("</").map(|at| at + 2)
        } else if behind.starts_with("!--") {
            behind.find("-->").map(|at| at + 2)
        } else {
            behind.find('>')
        };
        rest = end.and_then(|at| behind.get(at..)).unwrap_or_default();
        rest = rest.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn begins_with(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
}

/// The first of `lines`, cut between words.
fn begin(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in lines.iter().flat_map(|line| line.split_whitespace()) {
        let more = word.chars().count() + usize::from(length > 0);
        if length + more > EXCERPT {
            if length == 0 {
                text.extend(word.chars().take(EXCERPT - 1));
            }
            text.push('…');
            break;
        }
        if length > 0 {
            text.push(' ');
        }
        text.push_str(word);
        length += more;
    }
    text
}

/// How many words `text` has, and how many minutes they take.
fn measured(text: &str) -> (u64, u64) {
    let (mut words, mut of_letters, mut syllables) = (0, 0, 0);
    for word in text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)) {
        words += 1;
        let here = word.chars().filter(|c| is_syllable(*c)).count() as u64;
        syllables += here;
        of_letters += u64::from(here == 0);
    }
    // In parts of a minute that both divide.
    let parts = syllables * WORDS_A_MINUTE + of_letters * SYLLABLES_A_MINUTE;
    (words, parts.div_ceil(SYLLABLES_A_MINUTE * WORDS_A_MINUTE))
}

/// A syllable of Hangul, or a character of Chinese or Japanese.
fn is_syllable(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3131}'..='\u{318e}' | '\u{3400}'..='\u{9fff}' | '가'..='힣')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_read_without_its_marks() {
        let read = read(
            "# 제주 여행\n\n**성산**에서 [일출](https://example.com \"t\")을 *보았다*.\n두 번째 줄.\n\n\
             - [x] 숙소 `예약`\n- 배편\n\n| 날 | 곳 |\n|---|---|\n| 1 | 우도 |\n\n```rust\nlet a = 1;\n```\n\n\
             <p>손으로 <b>쓴</b></p><script>alert(1)</script>\n",
        );
        assert_eq!(
            read.text,
            "제주 여행\n성산에서 일출을 보았다. 두 번째 줄.\n숙소 예약\n배편\n날\n곳\n1\n우도\nlet a = 1;\n손으로 쓴"
        );
        assert_eq!(read.excerpt, "성산에서 일출을 보았다. 두 번째 줄. 숙소 예약 배편");
        assert_eq!((read.words, read.minutes), (20, 1));
    }

    #[test]
    fn what_a_script_says_is_no_text_however_many_there_are_and_whether_or_not_they_end() {
        assert_eq!(without_tags("a<script>b</script>c<style>d</style >e<script>f"), "a c e f".replace(' ', ""));
        assert_eq!(without_tags("a<!-- b > --> c <b title='x'>d</b>"), "a c d");
        // Whoever looks for an end behind each of these is not done today.
        assert_eq!(without_tags(&"<script>a ".repeat(400_000)).len(), 2 * 400_000 - 1);
    }

    #[test]
    fn an_excerpt_is_cut_between_words_and_says_so() {
        let long = "가나다라마바사 ".repeat(40);
        let excerpt = read(&long).excerpt;
        assert!(excerpt.ends_with("사…") && excerpt.chars().count() <= EXCERPT + 1, "{excerpt}");
        assert_eq!(read(&"가".repeat(500)).excerpt.chars().count(), EXCERPT);
        assert_eq!(read("# 제목뿐").excerpt, "제목뿐");
        assert_eq!(read(" \n\n---\n"), Reading::default());
    }

    #[test]
    fn reading_takes_as_long_as_its_syllables_and_words_take() {
        for (text, words, minutes) in [
            ("", 0, 0),
            ("한 줄", 2, 1),
            (&*"가나다라마 ".repeat(100), 100, 1),
            (&*"가나다라마 ".repeat(101), 101, 2),
            (&*"word ".repeat(238), 238, 1),
            (&*"word ".repeat(239), 239, 2),
            (&*("word ".repeat(119) + &"가나다라마 ".repeat(50)), 169, 1),
        ] {
            let read = read(text);
            assert_eq!((read.words, read.minutes), (words, minutes), "{} characters", text.len());
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read(text in "([#>*_`~|<>/!\\[\\]()a가 \n-]{0,200}|\\PC{0,200})") {
            let read = read(&text);
            prop_assert!(read.excerpt.chars().count() <= EXCERPT + 1);
            prop_assert!((read.words == 0) == (read.minutes == 0));
        }
    }
}

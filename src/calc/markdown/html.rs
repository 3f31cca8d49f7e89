//! A text as HTML that no browser executes.

use std::borrow::Cow;
use std::sync::LazyLock;

use ammonia::Builder;
use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, format_html, parse_document};

use super::bounds::is_bounded;
use super::{DEEPEST, options};

/// Addresses that a link may lead to, beside those of the page itself.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];
/// Stands before every name that a place of the text has, so that it is none of the page around it.
const PLACE: &str = "text-";
/// Names of classes that the reader of Markdown gives.
const CLASSES: [&str; 10] = [
    "footnote-ref",
    "footnote-backref",
    "footnotes",
    "markdown-alert",
    "markdown-alert-title",
    "markdown-alert-note",
    "markdown-alert-tip",
    "markdown-alert-important",
    "markdown-alert-warning",
    "markdown-alert-caution",
];
/// So many tags may be written by hand; where there are more, all of them are shown as they are written.
const MOST_TAGS: usize = 4000;
/// No text becomes more HTML than this, in bytes: of one that would, there is what is written.
const LONGEST: usize = 16 << 20;

/// `markdown` as HTML. What was written by hand in HTML stays as far as it only says something: no scripts, no styles, no
/// forms, no frames, no addresses that act, no names that are those of the page.
pub fn html(markdown: &str) -> String {
    let as_written = || format!("<pre>{}</pre>", ammonia::clean_text(markdown));
    if super::is_too_deep(markdown) {
        return as_written();
    }
    let arena = Arena::new();
    let mut options = options(markdown);
    let root = parse_document(&arena, markdown, &options);
    if is_too_deep(root) {
        return as_written();
    }
    let tags = tags(root);
    let mut written = |is_escaped: bool| {
        options.render.r#unsafe = !is_escaped;
        options.render.escape = is_escaped;
        let mut written = String::new();
        // Writing into a text cannot fail.
        let _ = format_html(root, &options, &mut written);
        written
    };
    let mut html = written(tags > MOST_TAGS);
    if (1..=MOST_TAGS).contains(&tags) && !is_bounded(&html) {
        html = written(true);
    }
    if html.len() > LONGEST {
        return as_written();
    }
    let safe = SAFE.clean(&html).to_string();
    if safe.len() > LONGEST { as_written() } else { safe }
}

static SAFE: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut safe = Builder::default();
    safe.url_schemes(SCHEMES.into())
        .add_tags(["input", "section"])
        .add_tag_attributes("input", ["checked"])
        .set_tag_attribute_value("input", "type", "checkbox")
        .set_tag_attribute_value("input", "disabled", "")
        .add_generic_attributes(["class", "id"])
        .add_tag_attributes("ol", ["start"])
        .id_prefix(Some(PLACE))
        .attribute_filter(kept);
    safe
});

/// What stays of the value of an attribute.
fn kept<'v>(tag: &str, attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    match (tag, attribute) {
        ("code", "class") => value.strip_prefix("language-").filter(|name| is_language(name)).map(|_| value.into()),
        (_, "class") => {
            let known: Vec<&str> = value.split_ascii_whitespace().filter(|class| CLASSES.contains(class)).collect();
            (!known.is_empty()).then(|| known.join(" ").into())
        }
        // A place of the text, by the name that it has on the page.
        (_, "href") => Some(value.strip_prefix('#').map_or(value.into(), |place| format!("#{PLACE}{place}").into())),
        _ => Some(value.into()),
    }
}

fn is_language(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-_#.".contains(c))
}

/// Whether it is so deep that what makes HTML safe, which takes time by the square of the depth, is not asked.
fn is_too_deep(root: Node<'_>) -> bool {
    let mut deeper: Vec<(Node<'_>, usize)> = vec![(root, 0)];
    while let Some((node, depth)) = deeper.pop() {
        if depth > DEEPEST {
            return true;
        }
        deeper.extend(node.children().map(|child| (child, depth + 1)));
    }
    false
}

/// How many tags are written by hand.
fn tags(root: Node<'_>) -> usize {
    let of = |node: Node<'_>| match &node.data().value {
        NodeValue::HtmlBlock(block) => block.literal.matches('<').count(),
        NodeValue::HtmlInline(_) => 1,
        _ => 0,
    };
    root.descendants().map(of).sum()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markdown_is_read_as_github_reads_it() {
        for (markdown, expected) in [
            ("**굵게**는 *기울여* ~~지워~~", "<p><strong>굵게</strong>는 <em>기울여</em> <del>지워</del></p>\n"),
            (
                "| 가 | 나 |\n|--|:-:|\n| 1 | 2 |",
                "<table>\n<thead>\n<tr>\n<th>가</th>\n<th align=\"center\">나</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n\
                 <td>1</td>\n<td align=\"center\">2</td>\n</tr>\n</tbody>\n</table>\n",
            ),
            ("```rust\na < b\n```", "<pre><code class=\"language-rust\">a &lt; b\n</code></pre>\n"),
            (
                "www.example.com",
                "<p><a href=\"http://www.example.com\" rel=\"noopener noreferrer\">www.example.com</a></p>\n",
            ),
            ("<kbd>Ctrl</kbd>", "<p><kbd>Ctrl</kbd></p>\n"),
        ] {
            assert_eq!(html(markdown), expected);
        }
        // Attributes stand in no order.
        let tasks = html("- [x] 한 일\n- [ ] 할 일");
        assert_eq!(tasks.matches("type=\"checkbox\"").count(), 2, "{tasks}");
        assert_eq!((tasks.matches("disabled=\"\"").count(), tasks.matches("checked=\"\"").count()), (2, 1), "{tasks}");
    }

    #[test]
    fn a_footnote_leads_to_its_place_in_the_text_and_back() {
        let written = html("글[^1]\n\n[^1]: 주석");
        for part in ["href=\"#text-fn-1\"", "id=\"text-fnref-1\"", "id=\"text-fn-1\"", "href=\"#text-fnref-1\""] {
            assert!(written.contains(part), "{part}: {written}");
        }
    }

    /// Known ways of making a browser execute what somebody has written.
    const ATTACKS: [&str; 44] = [
        "<script>alert(1)</script>",
        "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<img src=x onerror=alert(1)>",
        "<img src=x onerror\u{0}=alert(1)>",
        "<IMG SRC=\"jav&#x09;ascript:alert(1);\">",
        "<img src=`javascript:alert(1)`>",
        "<img src=x:alert(alt) onerror=eval(src) alt=0>",
        "<svg onload=alert(1)>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><a><set attributeName=\"href\" to=\"javascript:alert(1)\"></set><text>x</text></a></svg>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<math><annotation-xml encoding=\"text/html\"><style><img src=x onerror=alert(1)></style></annotation-xml></math>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
        "<iframe src=\"javascript:alert(1)\"></iframe>",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
        "<object data=\"data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==\"></object>",
        "<embed src=\"data:image/svg+xml;base64,AAAA\">",
        "<form action=\"https://evil.example\"><button>들어가기</button></form>",
        "<button formaction=javascript:alert(1)>x</button>",
        "<input onfocus=alert(1) autofocus>",
        "<input type=password name=passphrase>",
        "<select onfocus=alert(1) autofocus>",
        "<textarea onfocus=alert(1) autofocus>",
        "<details open ontoggle=alert(1)>x</details>",
        "<video><source onerror=\"alert(1)\"></video>",
        "<audio src onloadstart=alert(1)>",
        "<body onload=alert(1)>",
        "<base href=\"https://evil.example/\">",
        "<meta http-equiv=\"refresh\" content=\"0;url=javascript:alert(1)\">",
        "<link rel=stylesheet href=https://evil.example/x.css>",
        "<style>@import 'https://evil.example/x.css';</style>",
        "<div style=\"background:url(javascript:alert(1))\">x</div>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<a href=\" &#14; javascript:alert(1)\">x</a>",
        "<a href=\"java\nscript:alert(1)\">x</a>",
        "<a href=\"vbscript:msgbox(1)\">x</a>",
        "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](javascript:alert(1))",
        "<javascript:alert(1)>",
        "[a]: javascript:alert(1)\n\n[a]",
    ];

    /// A tag as it is written, and without the values of its attributes.
    #[derive(Default)]
    struct Tag {
        whole: String,
        bare: String,
    }

    /// The tags, in lower case. Within the marks of a value `<` and `>` are signs like others.
    fn tags_in(html: &str) -> Vec<Tag> {
        let (mut tags, mut open, mut is_quoted) = (Vec::new(), None::<Tag>, false);
        for c in html.to_lowercase().chars() {
            match (&mut open, c) {
                (None, '<') => open = Some(Tag::default()),
                (None, _) => {}
                (Some(_), '>') if !is_quoted => tags.extend(open.take()),
                (Some(tag), _) => {
                    is_quoted ^= c == '"';
                    tag.whole.push(c);
                    if !is_quoted {
                        tag.bare.push(c);
                    }
                }
            }
        }
        tags.extend(open);
        tags
    }

    /// Tags and attributes that say something and do nothing.
    fn is_harmless(html: &str) -> Result<(), String> {
        for Tag { whole: tag, bare } in tags_in(html) {
            let name = bare.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
            const ACTS: [&str; 19] = [
                "script", "style", "iframe", "frame", "object", "embed", "form", "button", "select", "textarea",
                "base", "meta", "link", "svg", "math", "video", "audio", "noscript", "template",
            ];
            let does = ACTS.contains(&name)
                || bare.contains(" on")
                || bare.contains(" style=")
                || (name == "input" && !tag.contains("type=\"checkbox\""));
            let leads = ["javascript:", "vbscript:", "data:"].iter().any(|scheme| {
                ["href=\"", "src=\"", "cite=\""].iter().any(|attribute| tag.contains(&format!("{attribute}{scheme}")))
            });
            if does || leads {
                return Err(tag);
            }
        }
        Ok(())
    }

    #[test]
    fn nothing_that_was_written_is_executed() {
        for attack in ATTACKS {
            for written in
                [attack.to_owned(), format!("글 {attack} 글"), format!("> - {attack}"), format!("| {attack} |\n|-|")]
            {
                let html = html(&written);
                assert_eq!(is_harmless(&html), Ok(()), "{written}\n{html}");
            }
        }
        for acts in ["<p onclick=\"x\">", "<p title=\"a>b\" onclick=\"x\">", "<a href=\"javascript:x\">", "<p><svg"] {
            assert!(is_harmless(acts).is_err(), "{acts}");
        }
        assert_eq!(is_harmless("<p title=\"</p><svg onload=x>\">"), Ok(()), "the value of an attribute says something");
    }

    #[test]
    fn no_place_of_a_text_has_a_name_of_the_page() {
        let written =
            html("<a id=\"main\" class=\"button primary\" name=\"x\">가</a> <p class=\"markdown-alert wide\">나</p>");
        assert!(written.contains("id=\"text-main\"") && written.contains("class=\"markdown-alert\""), "{written}");
        assert!(!written.contains("primary") && !written.contains("wide") && !written.contains("name="), "{written}");
    }

    #[test]
    fn what_is_never_closed_is_not_opened_again_behind_every_block() {
        let open: String = (0..1_990).map(|number| format!("<b title={number}>")).collect();
        let html = html(&format!("{}{open}{}", "<div>".repeat(1_000), "</div>x".repeat(1_000)));
        assert!(html.len() < 200_000 && html.contains("&lt;b title=1989&gt;"), "{}", html.len());
        let few = super::html("<div><b>하나\n\n둘</b></div> <b>셋");
        assert!(few.contains("<b>하나") && few.contains("<b>셋"), "{few}");
    }

    proptest! {
        #[test]
        fn whatever_is_written_does_nothing(parts in prop::collection::vec(prop_oneof![
            prop::sample::select(ATTACKS.to_vec()).prop_map(str::to_owned),
            "[<>\"'=/&;:`*_\\[\\]()!a가 \n-]{0,12}",
        ], 0..8)) {
            let written = html(&parts.concat());
            prop_assert_eq!(is_harmless(&written), Ok(()), "{}", written);
        }
    }

    /// For the long suite.
    mod long {
        use super::*;

        #[test]
        fn a_text_that_is_meant_to_take_long_is_written_soon() {
            let begun = Instant::now();
            for text in [
                ">".repeat(100_000),
                "> - 1) ".repeat(20_000),
                "[".repeat(100_000),
                "*a ".repeat(50_000),
                "<div>".repeat(40_000),
                "<b>".repeat(60_000),
                "- ".repeat(50_000),
                "`".repeat(1000) + &"a`".repeat(50_000),
                "[^1]".repeat(25_000) + "\n\n[^1]: a",
            ] {
                assert_eq!(is_harmless(&html(&text)), Ok(()));
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        }
    }
}

//! What is published, for readers: a feed (Atom, RFC 4287), and pages that any server gives out.

use chrono::{DateTime, Utc};

use super::{Post, Row};
use hanok_base::{Language, day};
use hanok_calc::markdown;

/// In which language the frame around the posts speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The language, as pages name it.
    pub language: &'static str,
    /// What the blog is called.
    pub title: &'static str,
    /// What leads from a post to the list.
    pub back: &'static str,
}

/// The frame in Korean.
pub const KOREAN: Frame = Frame { language: "ko", title: "우리 집 블로그", back: "모든 글" };
/// And in English.
pub const ENGLISH: Frame = Frame { language: "en", title: "Our household's blog", back: "All posts" };

/// The frame in `language`.
pub fn frame_in(language: Language) -> Frame {
    language.choose(KOREAN, ENGLISH)
}

/// How the pages look: nothing is asked of another place.
const STYLE: &str = "body{margin:0 auto;max-width:42rem;padding:2rem 1rem;font:1.05rem/1.7 Pretendard,'Noto Sans KR',\
    sans-serif;color-scheme:light dark}img{max-width:100%}pre{overflow-x:auto}table{border-collapse:collapse}\
    td,th{border:1px solid;padding:.3rem .6rem}time,.tags{opacity:.75}";

/// So many bytes of a feed are texts of posts: readers ask for it again and again.
const MOST_OF_TEXTS: usize = 1 << 20;
/// No more than this is made for a feed, with what proves too long for it.
const MOST_MADE: usize = 4 * MOST_OF_TEXTS;

/// The feed of `posts`, the newest first. Each is known by an address-like name that never changes, and leads to `lead(post)`;
/// one whose text would make the feed too long has its excerpt alone.
pub fn feed(frame: Frame, posts: &[Row], lead: impl Fn(&Post) -> String) -> String {
    let newest = posts.iter().map(|row| row.post.updated_at).max().unwrap_or(DateTime::UNIX_EPOCH);
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\">\n\
         <id>tag:hanok.invalid,2026:blog</id>\n<title>{}</title>\n<updated>{}</updated>\n\
         <author><name>{}</name></author>\n",
        frame.language,
        escaped(frame.title),
        written(newest),
        escaped(frame.title),
    );
    let (mut left, mut made) = (MOST_OF_TEXTS, 0);
    for Row { post, .. } in posts {
        let mut content = String::new();
        // A text is hardly ever longer than what it becomes.
        if post.body.len() <= left && made < MOST_MADE {
            let text = escaped(&markdown::html(&post.body));
            made += text.len();
            if let Some(still_left) = left.checked_sub(text.len()) {
                left = still_left;
                content = format!("<content type=\"html\">{text}</content>\n");
            }
        }
        let categories: String = post.tags.iter().map(|tag| format!("<category term=\"{}\"/>", escaped(tag))).collect();
        feed.push_str(&format!(
            "<entry>\n<id>tag:hanok.invalid,2026:blog/{}</id>\n<title>{}</title>\n<link href=\"{}\"/>\n\
             <published>{}</published>\n<updated>{}</updated>\n{categories}<summary>{}</summary>\n\
             {content}</entry>\n",
            post.id,
            escaped(&post.title),
            escaped(&lead(post)),
            written(day::start(post.date)),
            written(post.updated_at),
            escaped(&post.excerpt),
        ));
    }
    feed + "</feed>\n"
}

/// The page of `post`.
pub fn page(frame: Frame, post: &Post) -> String {
    let tags: Vec<String> = post.tags.iter().map(|tag| escaped(tag)).collect();
    let body = format!(
        "<p><a href=\"../index.html\">{}</a></p>\n<article>\n<h1>{}</h1>\n<p><time datetime=\"{date}\">{date}</time> \
         <span class=\"tags\">{}</span></p>\n{}</article>",
        frame.back,
        escaped(&post.title),
        tags.join(" · "),
        markdown::html(&post.body),
        date = post.date,
    );
    whole(frame, &post.title, &post.excerpt, "../feed.xml", &body)
}

/// The page that leads to all `posts`, each with the name of its file.
pub fn index(frame: Frame, posts: &[(String, Post)]) -> String {
    let mut body = format!("<h1>{}</h1>\n", escaped(frame.title));
    for (name, post) in posts {
        body.push_str(&format!(
            "<article>\n<h2><a href=\"posts/{}.html\">{}</a></h2>\n<p><time datetime=\"{date}\">{date}</time></p>\n\
             <p>{}</p>\n</article>\n",
            escaped(name),
            escaped(&post.title),
            escaped(&post.excerpt),
            date = post.date,
        ));
    }
    whole(frame, frame.title, "", "feed.xml", &body)
}

fn whole(frame: Frame, title: &str, about: &str, feed: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'; base-uri 'none'\">\n\
         <title>{}</title>\n<meta name=\"description\" content=\"{}\">\n\
         <link rel=\"alternate\" type=\"application/atom+xml\" href=\"{feed}\">\n<style>{STYLE}</style>\n</head>\n\
         <body>\n{body}\n</body>\n</html>\n",
        frame.language,
        escaped(title),
        escaped(about),
    )
}

fn written(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

/// `text` as it stands in XML and HTML, without what XML cannot hold.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() && !matches!(c, '\n' | '\t' | '\r') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::NewPost;
    use super::*;
    use hanok_base::Request as _;

    fn post(id: u64, title: &str, body: &str) -> Row {
        let now = "2026-10-10T12:30:00Z".parse().unwrap();
        let sent = json!({"title": title, "body": body, "tags": ["가&나"]});
        let mut row = NewPost::check(serde_json::from_value(sent).unwrap()).unwrap().into_row(now).unwrap();
        row.post.id = id;
        row
    }

    #[test]
    fn a_feed_says_what_posts_say_and_no_more() {
        let posts = [post(7, "<새> 글", "**굵게** ]]> <script>alert(1)</script>\u{ffff}")];
        let written = feed(KOREAN, &posts, |post| format!("/blog/write?post={}&x=1", post.id));
        for part in [
            "<title>&lt;새&gt; 글</title>",
            "<id>tag:hanok.invalid,2026:blog/7</id>",
            "<link href=\"/blog/write?post=7&amp;x=1\"/>",
            "<category term=\"가&amp;나\"/>",
            "<updated>2026-10-10T12:30:00Z</updated>",
            "&lt;p&gt;&lt;strong&gt;굵게&lt;/strong&gt; ]]&amp;gt; &lt;/p&gt;",
        ] {
            assert!(written.contains(part), "{part}\n{written}");
        }
        assert!(!written.contains("script") && !written.contains('\u{ffff}'), "{written}");
        assert!(feed(ENGLISH, &[], |_| String::new()).contains("<updated>1970-01-01T00:00:00Z</updated>"));
    }

    #[test]
    fn a_feed_of_very_long_posts_has_the_texts_of_the_newest_and_of_the_others_what_they_begin_with() {
        let long = "가".repeat(150_000);
        let posts: Vec<Row> = [(4, &*long), (3, &*long), (2, &*long), (1, "짧은 글")]
            .map(|(id, body)| post(id, &format!("글 {id}"), body))
            .into();
        let written = feed(KOREAN, &posts, |post| format!("/{}", post.id));
        let entries: Vec<&str> = written.split("<entry>").skip(1).collect();
        let with_text = entries.iter().map(|entry| entry.contains("<content")).collect::<Vec<_>>();
        assert_eq!(with_text, [true, true, false, true]);
        assert!(entries.iter().all(|entry| entry.contains("<summary>") && entry.contains("<link ")));
        assert!(written.len() < MOST_OF_TEXTS + 20_000, "{}", written.len());
    }

    #[test]
    fn pages_lead_to_each_other_and_execute_nothing() {
        let row = post(7, "\"새\" <글>", "본문 <img src=x onerror=alert(1)>");
        let written = page(ENGLISH, &row.post);
        for part in ["<h1>&quot;새&quot; &lt;글&gt;</h1>", "href=\"../index.html\"", "script-src 'none'", "lang=\"en\""]
        {
            assert!(written.contains(part), "{part}\n{written}");
        }
        assert!(!written.contains("onerror"), "{written}");
        let list = index(KOREAN, &[("2026-10-10-새-글".to_owned(), row.post)]);
        assert!(list.contains("<a href=\"posts/2026-10-10-새-글.html\">&quot;새&quot; &lt;글&gt;</a>"), "{list}");
    }
}

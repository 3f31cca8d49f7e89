//! What a handler gives to a browser that shows it: a page, or a text that stands beside the pages; and the way to another
//! page. No page brings a script or a style inside itself, so that the door's policy (`headers.rs`) holds for all of them.

use salvo::http::cookie::Cookie;
use salvo::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use salvo::http::{HeaderValue, StatusCode};
use salvo::oapi::{BasicType, Components, Content, EndpointOutRegister, Object, Operation};
use salvo::{Depot, Request, Response, Writer, async_trait};

use super::packed::Packable;
use super::written::{KEPT_BY_THE_CALLER, NOT_KEPT, Written, tag_of};
use hanok_base::Error;

/// A page in HTML, made for one visitor.
#[derive(Debug)]
pub struct Page {
    status: StatusCode,
    html: String,
    keeping: Keeping,
    cookies: Vec<Cookie<'static>>,
    retry_after: Option<u64>,
}

/// Who keeps a page, and who finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeping {
    /// The visitor's browser, which asks each time whether it still holds.
    ByTheVisitor,
    /// The same, but it is another one each time.
    Anew,
    /// Nobody, and no search engine lists it.
    ByNobody,
}

impl Page {
    /// A page that says the same as long as nothing changes: it carries an `ETag`, and answers 304 to who has it.
    pub fn new(html: String) -> Page {
        Page { status: StatusCode::OK, html, keeping: Keeping::ByTheVisitor, cookies: Vec::new(), retry_after: None }
    }

    /// The page of a form that was refused with `error` and is shown again.
    pub fn refusing(mut self, error: &Error) -> Page {
        self.status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        self.retry_after = error.retry_after;
        self.anew()
    }

    /// The page of a form, which is another one each time. A visitor who goes back finds it as it was left.
    pub fn anew(mut self) -> Page {
        self.keeping = Keeping::Anew;
        self
    }

    /// A page for one pair of eyes: no browser and no proxy keeps it, and no search engine lists it.
    pub fn kept_by_nobody(mut self) -> Page {
        self.keeping = Keeping::ByNobody;
        self
    }

    /// The page with a cookie.
    pub fn with_cookie(mut self, cookie: Option<Cookie<'static>>) -> Page {
        self.cookies.extend(cookie);
        self
    }
}

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

#[async_trait]
impl Writer for Page {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        for cookie in self.cookies {
            res.add_cookie(cookie);
        }
        if let Some(seconds) = self.retry_after {
            res.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        let keep = if self.keeping == Keeping::ByNobody { NOT_KEPT } else { KEPT_BY_THE_CALLER };
        if self.keeping == Keeping::ByNobody {
            res.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
        }
        let body = self.html.into_bytes();
        let tag = (self.keeping == Keeping::ByTheVisitor).then(|| tag_of(&body));
        let body = Packable::new(body);
        Written { status: self.status, content_type: HTML, keep, tag, body }.write(req, res).await;
    }
}

/// A text beside the pages, such as a style sheet or `robots.txt`.
#[derive(Debug, Clone)]
pub struct PlainText {
    content_type: &'static str,
    keep: &'static str,
    tag: String,
    body: Packable,
}

impl PlainText {
    /// A text of the type `content_type` that changes from time to time.
    pub fn new(content_type: &'static str, text: String) -> PlainText {
        let body = text.into_bytes();
        PlainText { content_type, keep: "no-cache", tag: tag_of(&body), body: Packable::new(body) }
    }

    /// The same text for good: its address is another one as soon as it changes. Clones share the packed form.
    pub fn for_good(mut self) -> PlainText {
        self.keep = "public, max-age=31536000, immutable";
        self
    }

    /// Some signs that stand for this text and for no other one, fit for an address.
    pub fn mark(&self) -> &str {
        self.tag.trim_matches('"')
    }
}

#[async_trait]
impl Writer for PlainText {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let (content_type, keep) = (HeaderValue::from_static(self.content_type), HeaderValue::from_static(self.keep));
        let text = Written { status: StatusCode::OK, content_type, keep, tag: Some(self.tag), body: self.body };
        text.write(req, res).await;
    }
}

/// 303 to another page of this site: what a form that was taken answers, so that loading the page again sends nothing.
#[derive(Debug)]
pub struct SeeOther {
    path: String,
    cookies: Vec<Cookie<'static>>,
}

impl SeeOther {
    /// To `path` on this site, such as `/contact`; to the first page where it would lead elsewhere.
    pub fn to(path: impl Into<String>) -> SeeOther {
        let path = path.into();
        let stays = path.starts_with('/')
            && !path.starts_with("//")
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        SeeOther { path: if stays { path } else { "/".to_owned() }, cookies: Vec::new() }
    }

    /// The same with a cookie.
    pub fn with_cookie(mut self, cookie: Cookie<'static>) -> SeeOther {
        self.cookies.push(cookie);
        self
    }
}

#[async_trait]
impl Writer for SeeOther {
    async fn write(self, _req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        for cookie in self.cookies {
            res.add_cookie(cookie);
        }
        res.status_code(StatusCode::SEE_OTHER);
        let path = HeaderValue::from_str(&self.path).unwrap_or(HeaderValue::from_static("/"));
        res.headers_mut().insert(LOCATION, path);
        res.headers_mut().insert(CACHE_CONTROL, NOT_KEPT);
        res.headers_mut().remove(CONTENT_TYPE);
    }
}

/// A page, or the way to another one.
#[derive(Debug)]
pub enum Shown {
    /// The page itself.
    Here(Page),
    /// Another page of this site.
    Elsewhere(SeeOther),
}

impl Shown {
    /// The same with a cookie.
    pub fn with_cookie(self, cookie: Option<Cookie<'static>>) -> Shown {
        match (self, cookie) {
            (Shown::Here(page), cookie) => Shown::Here(page.with_cookie(cookie)),
            (Shown::Elsewhere(other), Some(cookie)) => Shown::Elsewhere(other.with_cookie(cookie)),
            (elsewhere, None) => elsewhere,
        }
    }
}

#[async_trait]
impl Writer for Shown {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        match self {
            Shown::Here(page) => page.write(req, depot, res).await,
            Shown::Elsewhere(other) => other.write(req, depot, res).await,
        }
    }
}

impl EndpointOutRegister for Shown {
    fn register(components: &mut Components, operation: &mut Operation) {
        Page::register(components, operation);
        SeeOther::register(components, operation);
    }
}

impl EndpointOutRegister for Page {
    fn register(_components: &mut Components, operation: &mut Operation) {
        let html = Content::new(Object::with_type(BasicType::String));
        operation.responses.insert("200", salvo::oapi::Response::new("A page").add_content("text/html", html));
    }
}

impl EndpointOutRegister for PlainText {
    fn register(_components: &mut Components, operation: &mut Operation) {
        operation.responses.insert("200", salvo::oapi::Response::new("A text"));
    }
}

impl EndpointOutRegister for SeeOther {
    fn register(_components: &mut Components, operation: &mut Operation) {
        operation.responses.insert("303", salvo::oapi::Response::new("To another page"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_sent_to_another_page_stays_on_this_site() {
        for path in ["/", "/contact", "/en/contact/a-b_c?sent", "/%EA%B0%80"] {
            assert_eq!(SeeOther::to(path).path, path);
        }
        for path in
            ["", "//evil.example", "https://evil.example", "/\\evil.example", "/a b", "/a\r\nset-cookie: b", "/가"]
        {
            assert_eq!(SeeOther::to(path).path, "/", "{path}");
        }
    }
}

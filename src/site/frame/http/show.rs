//! How a page and its forms are shown: as they are, with what was refused, or after something was done.

use std::sync::atomic::{AtomicBool, Ordering};

use askama::Template;
use askama::filters::{Html, escape};

use super::super::model::{FormErrors, Notice};
use super::{FormRequest, FormState, Frame, Head};
use hanok_base::{Error, Kind, Result};
use hanok_platform::http::{Form, HandlerResult, Page, SeeOther, Shown};

/// What a page that is shown has in it, as its template asks for it.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// A form, which needs the cookie of its token.
    pub has_form: AtomicBool,
    /// What is for one pair of eyes.
    pub is_own: AtomicBool,
}

/// Why the page is not shown as it was asked for.
#[derive(Debug)]
pub(super) struct Refused {
    /// What was sent; none where the page itself cannot be had.
    form: Option<Form>,
    /// None where something is said and the page can be had nevertheless.
    error: Option<Error>,
    errors: FormErrors,
}

impl Frame {
    /// A form of the page that sends a request `T`, with what was sent and why it was refused, where it was. Of several forms
    /// it is the one of no name: see [`Frame::act`].
    pub fn form<T: FormRequest>(&self) -> FormState<'_> {
        self.act::<T>("")
    }

    /// One of several forms of the page: the one whose field `act` says `act`. Its handler reads it by
    /// [`Form::checked`].
    pub fn act<T: FormRequest>(&self, act: &str) -> FormState<'_> {
        let form = FormState::new::<T>();
        match &self.refused {
            Some(Refused { form: Some(sent), errors, .. }) if sent.act() == act => form.refused(sent, errors.clone()),
            Some(Refused { form: None, errors, .. }) if act.is_empty() => form.failed(errors.clone()),
            _ => form,
        }
    }

    /// Shows the page that `template` writes. One for everybody carries an `ETag`; one with a form is made anew each time and
    /// brings the cookie of its token; one that is for somebody is kept by nobody. Where a form was refused, the page
    /// answers with the status of its error.
    ///
    /// # Errors
    /// `INTERNAL` when the template fails.
    pub fn show(&self, template: &impl Template) -> HandlerResult<Shown> {
        let page = self.page(template)?;
        let page = match self.refused.as_ref().and_then(|refused| refused.error.as_ref()) {
            Some(error) => page.refusing(error),
            None => page,
        };
        let (has_form, is_own) = (&self.marks.has_form, &self.marks.is_own);
        let page = match (has_form.load(Ordering::Relaxed), is_own.load(Ordering::Relaxed)) {
            (true, true) => page.kept_by_nobody().with_cookie(self.csrf.cookie.clone()),
            (false, true) => page.kept_by_nobody(),
            (true, false) => page.anew().with_cookie(self.csrf.cookie.clone()),
            (false, false) => page,
        };
        Ok(Shown::Here(page))
    }

    /// The page that `template` writes, whoever keeps it.
    ///
    /// # Errors
    /// `INTERNAL` when the template fails.
    pub fn page(&self, template: &impl Template) -> Result<Page> {
        Ok(Page::new(template.render().map_err(Error::internal)?))
    }

    /// The frame of the same page after `form` was refused with `error`: the forms that it makes from now on have what was
    /// sent in them and what is wrong with it, so the page is built as it is without.
    ///
    /// # Errors
    /// `error` itself where no form can be corrected after it, such as one of ours or `NOT_FOUND`: it is a page of its own.
    pub fn refused(mut self, form: Form, error: Error) -> HandlerResult<Frame> {
        if matches!(
            error.kind,
            Kind::NotFound
                | Kind::MethodNotAllowed
                | Kind::ForeignOrigin
                | Kind::InvalidJson
                | Kind::TooLarge
                | Kind::Internal
        ) {
            return Err(error.into());
        }
        // What was not taken yet is still done once.
        let key = form.value("_key");
        if !key.is_empty() {
            self.csrf.key = key.to_owned();
        }
        Ok(self.failing(Some(form), error))
    }

    /// The frame of a page that cannot be had as it is because of `error`: its form says so, whatever the error.
    pub fn failed(self, error: Error) -> Frame {
        self.failing(None, error)
    }

    fn failing(mut self, form: Option<Form>, error: Error) -> Frame {
        let errors = FormErrors::of(&error, self.language);
        self.refused = Some(Refused { form, error: Some(error), errors });
        self
    }

    /// The same with other words for what was refused as a whole; or with such words where nothing was refused.
    pub fn saying(mut self, whole: &str) -> Frame {
        let refused = self.refused.take().unwrap_or(Refused { form: None, error: None, errors: FormErrors::default() });
        self.refused = Some(Refused { errors: FormErrors::saying(whole), ..refused });
        self
    }

    /// Leads to the page `path` in the language of this one. Of an address that is whole already, use [`SeeOther::to`].
    pub fn go_to(&self, path: &str) -> HandlerResult<Shown> {
        Ok(Shown::Elsewhere(SeeOther::to(self.href(path))))
    }

    /// Leads to the page `path`, which says what was done.
    pub fn done(&self, path: &str, notice: Notice) -> HandlerResult<Shown> {
        self.go_to(&notice.after(path))
    }

    /// Leads to where a customer signs in, and from there back to the page `path`.
    pub fn sign_in_first(&self, path: &str) -> HandlerResult<Shown> {
        if path == "/account" {
            return self.go_to("/account/sign-in");
        }
        let back: String = form_urlencoded::byte_serialize(self.href(path).as_bytes()).collect();
        self.go_to(&format!("/account/sign-in?next={}", back.replace("%2F", "/")))
    }

    /// What of `notices` is said in `section` of the page because it was just done; empty where that is nothing.
    pub fn notice(&self, notices: &[Notice], section: &str) -> &'static str {
        let notice = Notice::of(notices, self.saved());
        let (ko, en) = notice.text();
        if notice.section == section && self.refused.is_none() { self.say(ko, en) } else { "" }
    }

    /// What was refused as a whole of a form that leads to `section`, as `notices` say of its act.
    pub fn alert(&self, notices: &[Notice], section: &str) -> &str {
        let Some(refused) = &self.refused else { return "" };
        let act = refused.form.as_ref().map_or("", Form::act);
        let is_here = Notice::of(notices, act).section == section;
        if is_here { refused.errors.whole().unwrap_or_default() } else { "" }
    }

    /// Whether the form for `act` was refused.
    pub fn is_refused(&self, act: &str) -> bool {
        self.refused.as_ref().and_then(|refused| refused.form.as_ref()).is_some_and(|form| form.act() == act)
    }

    /// What every form carries unseen, as HTML: its CSRF token, and the key under which it is done once.
    pub fn csrf_fields(&self) -> String {
        self.marks.has_form.store(true, Ordering::Relaxed);
        let field = |name, value: &str| {
            let value = escape(value, Html).map(|value| value.to_string()).unwrap_or_default();
            format!(r#"<input type="hidden" name="{name}" value="{value}">"#)
        };
        field("_seal", &self.csrf.word) + &field("_key", &self.csrf.key)
    }

    /// The place of a list within its pages, for the macro `pager`.
    pub fn pager(&self, total: u64, limit: usize, offset: usize) -> Pager {
        let (limit, offset) = (limit.max(1) as u64, offset as u64);
        let at = |offset: u64| self.here() + &with_offset(&self.query, offset);
        Pager {
            total,
            first: (offset + 1).min(total),
            last: (offset + limit).min(total),
            previous: (offset > 0).then(|| at(offset.saturating_sub(limit))),
            next: (offset + limit < total).then(|| at(offset + limit)),
        }
    }
}

/// A query that begins with its question mark, with another `offset`.
fn with_offset(query: &str, offset: u64) -> String {
    let mut other = form_urlencoded::Serializer::for_suffix("?".to_owned(), 1);
    let asked = form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
    other.extend_pairs(asked.filter(|(name, _)| name != "offset" && name != "saved"));
    other.append_pair("offset", &offset.to_string()).finish()
}

/// The place of a list within its pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pager {
    /// How many there are on all pages.
    pub total: u64,
    /// The place of the first that is shown, from 1; 0 where there is none.
    pub first: u64,
    /// The place of the last that is shown.
    pub last: u64,
    /// The address of the page before.
    pub previous: Option<String>,
    /// The address of the page after.
    pub next: Option<String>,
}

/// A page that says what an action does before it is done, for what cannot be taken back. A `GET` handler shows it; its button
/// posts the form that does it.
///
/// ```text
/// frame.show(&Confirm {
///     frame: &frame,
///     head: Head::unlisted(frame.say("견적 삭제", "Delete the quote")),
///     consequence: frame.say("견적과 그 링크가 지워집니다.", "The quote and its link are removed."),
///     action: "/admin/quotes/7",
///     act: "remove",
///     button: frame.say("삭제", "Delete"),
/// })
/// ```
#[derive(Debug, Template)]
#[template(path = "frame/confirm.html")]
pub struct Confirm<'a> {
    /// The frame of the page.
    pub frame: &'a Frame,
    /// Its title asks the question.
    pub head: Head<'a>,
    /// What happens then.
    pub consequence: &'a str,
    /// Where the form is sent to, and where the way back leads.
    pub action: &'a str,
    /// Which of the forms there it is; empty where there is one.
    pub act: &'a str,
    /// What the button says.
    pub button: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_of_a_list_is_asked_for_as_this_one_was() {
        assert_eq!(with_offset("", 50), "?offset=50");
        assert_eq!(with_offset("?q=%ED%99%88&offset=50&saved=remove", 0), "?q=%ED%99%88&offset=0");
    }
}

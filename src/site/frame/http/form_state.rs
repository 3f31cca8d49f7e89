//! A form as a page shows it: what stands in its fields, what was refused, and the bounds of the request that it sends.

mod bounds;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::model::FormErrors;
use bounds::{Bound, Bounds};
use hanok_base::Request;
use hanok_base::schema::ToSchema;
use hanok_platform::http::Form;

/// A form of a page, for the macros of `frame/forms.html`. [`Frame::form`](super::Frame::form) makes it of the type of the
/// request that it sends, from which `required`, `maxlength`, `min` and `max` are taken: no template repeats a bound.
///
/// ```text
/// let form = frame.form::<ProfileChanges>().with("name", &profile.name);
/// ```
#[derive(Debug)]
pub struct FormState<'a> {
    bounds: Arc<Bounds>,
    /// What stands in it before anything was sent.
    initial: BTreeMap<Cow<'static, str>, String>,
    /// What was sent and refused.
    sent: Option<&'a Form>,
    errors: FormErrors,
    is_marked: bool,
    /// Whether a field has the focus already.
    is_focused: AtomicBool,
}

impl<'a> FormState<'a> {
    /// A form that sends a request `T`.
    pub fn new<T: FormRequest>() -> FormState<'a> {
        FormState {
            bounds: bounds::of::<T::Shape>(),
            initial: BTreeMap::new(),
            sent: None,
            errors: FormErrors::default(),
            is_marked: true,
            is_focused: AtomicBool::new(false),
        }
    }

    /// The same after it was sent and refused.
    pub fn refused(self, sent: &'a Form, errors: FormErrors) -> FormState<'a> {
        FormState { sent: Some(sent), errors, ..self }
    }

    /// The same with what stands in the field `name` before anything is sent.
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl ToString) -> FormState<'a> {
        self.initial.insert(name.into(), value.to_string());
        self
    }

    /// The same where the page cannot be had as it is.
    pub fn failed(self, errors: FormErrors) -> FormState<'a> {
        FormState { errors, ..self }
    }

    /// The same without a mark at each needed field: all that it asks for is needed.
    pub fn unmarked(self) -> FormState<'a> {
        FormState { is_marked: false, ..self }
    }

    /// Whether it was sent and refused.
    pub fn is_refused(&self) -> bool {
        self.sent.is_some()
    }

    /// Whether anything is wrong with it.
    pub fn has_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Whether anything is wrong with a field of it.
    pub fn has_field_errors(&self) -> bool {
        self.has_errors() && self.whole().is_none()
    }

    /// What stands in the field `name`: what was sent, or else what it began with.
    pub fn value(&self, name: &str) -> &str {
        match self.sent {
            Some(sent) => sent.value(name),
            None => self.initial.get(name).map_or("", String::as_str),
        }
    }

    /// Whether `value` is chosen in the field `name`.
    pub fn is_chosen(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    /// What is wrong with the field `name`.
    pub fn error(&self, name: &str) -> Option<&str> {
        self.errors.at(name)
    }

    /// What is wrong with the form as a whole.
    pub fn whole(&self) -> Option<&str> {
        self.errors.whole()
    }

    /// Whether the field `name` is marked as needed; `required` where its type does not say so.
    pub fn marks(&self, name: &str, required: impl Flag) -> bool {
        self.is_marked && (required.is_set() || self.bound(name).is_required)
    }

    /// By which the field `name` is known in the page: `id`, or its name where that is empty.
    pub fn id<'n>(&self, name: &'n str, id: &'n str) -> &'n str {
        if id.is_empty() { name } else { id }
    }

    /// The attributes of an input for the field `name`: its bounds as far as an input of this `kind` has them, what is wrong
    /// with it, and the focus where it is the first with which something is wrong. `is_described` where a hint stands beside
    /// it.
    pub fn attributes(&self, name: &str, id: &str, kind: &str, is_described: bool, required: impl Flag) -> String {
        let (id, bound) = (self.id(name, id), self.bound(name));
        let mut text = String::new();
        if required.is_set() || bound.is_required {
            text.push_str(" required");
        }
        match kind {
            "text" | "email" | "tel" | "url" | "search" | "textarea" => {
                text.extend(bound.max_length.map(|most| format!(" maxlength=\"{most}\"")));
            }
            "number" => {
                text.extend(bound.minimum.map(|least| format!(" min=\"{least}\"")));
                text.extend(bound.maximum.map(|most| format!(" max=\"{most}\"")));
            }
            // What is pasted into a field for a password must not be cut without a word.
            _ => {}
        }
        self.describe(&mut text, name, id, is_described);
        text
    }

    /// The attributes of a group of choices for the field `name`.
    pub fn group_attributes(&self, name: &str, id: &str, is_described: bool) -> String {
        let mut text = String::new();
        self.describe(&mut text, name, self.id(name, id), is_described);
        text.replace(" autofocus", " tabindex=\"-1\" autofocus")
    }

    fn describe(&self, text: &mut String, name: &str, id: &str, is_described: bool) {
        let is_wrong = self.error(name).is_some();
        if is_wrong {
            text.push_str(" aria-invalid=\"true\"");
        }
        let beside: Vec<String> = [("hint", is_described), ("fault", is_wrong)]
            .into_iter()
            .filter(|(_, is_there)| *is_there)
            .map(|(what, _)| format!("{id}-{what}"))
            .collect();
        if !beside.is_empty() {
            text.push_str(&format!(" aria-describedby=\"{}\"", beside.join(" ")));
        }
        if is_wrong && !self.is_focused.swap(true, Ordering::Relaxed) {
            text.push_str(" autofocus");
        }
    }

    fn bound(&self, name: &str) -> Bound {
        self.bounds.get(name).copied().unwrap_or_default()
    }
}

/// A request that a form sends. One that derives [`Request`] is one; another says how it is described:
///
/// ```text
/// impl FormRequest for NewRequest {
///     type Shape = NewRequest;
/// }
/// ```
pub trait FormRequest {
    /// What describes its fields.
    type Shape: ToSchema + 'static;
}

impl<T: Request<Wire: ToSchema + 'static>> FormRequest for T {
    type Shape = T::Wire;
}

/// A `bool` as a template hands it over, which borrows what is a field.
pub trait Flag {
    /// Whether it holds.
    fn is_set(&self) -> bool;
}

impl Flag for bool {
    fn is_set(&self) -> bool {
        *self
    }
}

impl<T: Flag> Flag for &T {
    fn is_set(&self) -> bool {
        (**self).is_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::text::Text;
    use hanok_base::validated::IntRange;
    use hanok_base::{Error, validation_messages};
    use hanok_platform::mail::Language;

    #[derive(Request)]
    #[allow(dead_code, reason = "it is only described")]
    struct Booking {
        /// What it is called.
        #[field(Text<1, 40>)]
        title: String,
        /// How many come.
        #[field(IntRange<1, 9>)]
        seats: Option<u64>,
    }

    #[test]
    fn an_input_has_the_bounds_of_the_request_and_the_first_that_is_wrong_the_focus() {
        let form = FormState::new::<Booking>().with("title", "겨울");
        assert_eq!(form.attributes("title", "", "text", false, false), " required maxlength=\"40\"");
        assert_eq!(form.attributes("title", "", "password", false, false), " required");
        assert_eq!(
            form.attributes("seats", "", "number", true, false),
            " min=\"1\" max=\"9\" aria-describedby=\"seats-hint\""
        );
        assert_eq!(
            (form.value("title"), form.marks("title", false), form.marks("seats", false)),
            ("겨울", true, false)
        );
        let error =
            Error::fields(["title", "seats"].map(|name| (name.to_owned(), validation_messages::PRESENT.into())).into());
        let form = FormState { errors: FormErrors::of(&error, Language::Ko), ..FormState::new::<Booking>() };
        let first = form.attributes("seats", "places", "number", true, false);
        assert!(
            first.ends_with(" aria-invalid=\"true\" aria-describedby=\"places-hint places-fault\" autofocus"),
            "{first}"
        );
        assert!(!form.attributes("title", "", "text", false, false).contains("autofocus"));
        assert_eq!(form.error("title"), Some("필수 항목입니다."));
    }
}

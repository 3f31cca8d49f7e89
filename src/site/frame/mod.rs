//! The frame of every page of the customer site: navigation, language, light and dark, the footer that the law asks for, and
//! the pages of errors.
//!
//! # A page, step by step
//!
//! 1. A template in `assets/site/DOMAIN/page.html`. What people read stands there in both languages:
//!    `{{ frame.say("한국어", "English") }}`. A form is made of the macros of `frame/forms.html`, times, states, tables and the
//!    way through a list of those of `frame/parts.html`:
//!
//!    ```html
//!    {% extends "frame/frame.html" %}
//!    {% import "frame/forms.html" as forms %}
//!    {% block content %}
//!    <h1>{{ head.title }}</h1>
//!    {{ forms::told(NOTICES) }}
//!    {% call forms::post(frame.here()) %}
//!      {{ forms::text(form, "label", frame.say("이름", "Name"), hint=frame.say("목록에 보입니다.", "As the list shows it.")) }}
//!      {{ forms::submit(frame.say("저장", "Save")) }}
//!    {% endcall %}
//!    {% endblock %}
//!    ```
//! 2. A struct beside the handlers, and one function that shows it. `frame.form::<T>()` makes the form of the type of its
//!    request, so no template repeats a bound:
//!
//!    ```text
//!    const SAVED: Notice = Notice::new("saved", "저장했습니다.", "Saved.");
//!    const NOTICES: &[Notice] = &[SAVED];
//!
//!    #[derive(Template)]
//!    #[template(path = "plants/one.html")]
//!    struct PlantPage<'a> { frame: &'a Frame, head: Head<'a>, form: FormState<'a> }
//!
//!    async fn page(app: &App, frame: &Frame, id: u64) -> HandlerResult<Shown> {
//!        let plant = app.data.store.read_inline(move |tx| store::find(tx, id)).await?;
//!        let form = frame.form::<PlantChange>().with("label", &plant.label);
//!        frame.show(&PlantPage { frame, head: Head::unlisted(frame.say("화분", "Plant")), form })
//!    }
//!    ```
//! 3. The handlers. Their arguments name who may call them (`Anyone`, `Customer`, `Admin`). What is refused is the same page
//!    once more, with what was sent in it and what is wrong beside the fields:
//!
//!    ```text
//!    #[endpoint]
//!    pub async fn show(app: App, _caller: Admin, frame: Frame, id: Id) -> HandlerResult<Shown> {
//!        page(&app, &frame, id.0).await
//!    }
//!
//!    #[endpoint]
//!    pub async fn save(app: App, caller: Admin, frame: Frame, id: Id, form: Form) -> HandlerResult<Shown> {
//!        let saved = async {
//!            let change: PlantChange = form.changes()?;
//!            form.key().once(&app, &caller, tx_op(move |tx| store::change(tx, id.0, change))).await
//!        };
//!        match saved.await {
//!            Ok(_) => frame.done(&format!("/admin/plants/{}", id.0), SAVED),
//!            Err(error) => page(&app, &frame.refused(form, error)?, id.0).await,
//!        }
//!    }
//!    ```
//! 4. A line in `appliance/routes/site.rs` among the pages: each is reached in Korean at its path and in English below `/en`.
//!    Links are written `{{ frame.href("/path") }}`, so that a visitor keeps the language.
//! 5. A line in the domain's `DOMAIN` where the page stands in the navigation of who is signed in:
//!    `nav: &[NavEntry::customer("/account/plants", "화분", "Plants")]`, or `NavEntry::admin`. What is offered to everybody and can
//!    be switched off is an [`Offer`](hanok_platform::domain::Offer).
//!
//! Of several forms of a page each has its `act`: `{% call forms::post(action, "remove") %}`, `frame.act::<T>("remove")`,
//! `form.checked::<T>()` in a `match form.act()`; a notice of the same key says in which section of the page it is told
//! (`Notice::at`). A button is a form of its own: `{{ forms::button(action, label, "remove") }}`. Before what cannot be taken back
//! stands a page that says so: [`Confirm`]. A page for customers alone asks `frame.customer()`, and leads who is not signed in
//! to `frame.sign_in_first(path)`. `site/account` is the model of all of it.
//!
//! Two things of askama: what stands between `call` and `endcall` also sees the names of the macro's arguments (`action`, `act`,
//! `class`, `more` of `post`), and a `{% let %}` must not be called as a handler of the same file.
//!
//! Who keeps a page follows from what it shows ([`Frame::show`]). A page for everybody ([`Head::listed`]) says the same to all,
//! with a neutral link to the account, and carries an `ETag`; any other one ([`Head::unlisted`]) shows who is signed in, and is
//! kept by nobody. Any error that is not refused is returned as it is: browsers are shown a page, programs below `/api` JSON.
//!
//! Deliberately not here: any page of its own but those of errors. Those of nobody in particular are in `site/front`.

pub mod http;
mod model;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::Domain;

pub use http::{
    Confirm, FormRequest, FormState, Frame, Head, NavLink, Pager, Particular, Visitor, asks_for_english, error_pages,
};
pub use model::{Notice, address_of, mailto, prefers_english, say};
pub use work::BusinessSettings;

/// What the frame says of itself.
pub const DOMAIN: Domain = Domain { settings: Some(SectionKind::of::<BusinessSettings>()), ..Domain::EMPTY };

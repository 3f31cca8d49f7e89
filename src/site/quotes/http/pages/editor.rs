//! The editor of a quote: one form with all that it says, which works without a script.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::{Category, Phase, Quote, QuoteChanges, Task, Vat, totals};
use super::super::super::store;
use super::super::desk::change_at_desk;
use super::LANGUAGES;
use super::rows::{MOST_LINES, MOST_PHASES, MOST_PLANS, MOST_TASKS, REMOVE, Rows, closed_up};
use crate::frame::{FormState, Frame, Head, Notice};
use hanok_base::money::Krw;
use hanok_base::text::thousands;
use hanok_base::{Kind, Result};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, HandlerResult, Key, Peer, Shown, tx_op};

const SAVED: Notice = Notice::new("save", "저장했습니다.", "Saved.");
const NOTICES: &[Notice] = &[SAVED];

/// Empty rows that stand below those of a list.
const MORE_LINES: usize = 3;
const MORE_PHASES: usize = 1;
const MORE_TASKS: usize = 2;
const MORE_PLANS: usize = 1;

#[derive(Template)]
#[template(path = "quotes/edit.html")]
struct EditPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    /// The quote as it is stored.
    quote: &'a Quote,
    form: FormState<'a>,
    rows: Rows,
    /// Whether it was refused because somebody else saved it first.
    is_stale: bool,
}

/// The fields of all kinds of rows.
const FIELDS: [&str; 14] = [
    "id",
    REMOVE,
    "name",
    "category",
    "description",
    "quantity",
    "unit_price",
    "optional",
    "phase",
    "duration",
    "period",
    "monthly_fee",
    "includes",
    "recommended",
];

/// A row of a list in the form.
struct Row {
    /// The names of its fields, each with what the form calls it, such as `items[2].name`.
    names: Vec<(&'static str, String)>,
    place: usize,
    /// As people count it.
    number: usize,
    /// What it is called by who does not see it.
    label: String,
    /// Whether it says something already.
    is_known: bool,
}

impl Row {
    /// What the form calls the field `name`.
    fn field(&self, name: &str) -> &str {
        self.names.iter().find(|(known, _)| *known == name).map_or("", |(_, called)| called)
    }
}

impl EditPage<'_> {
    /// The rows of a list: those that are there, and some more up to the most that it takes.
    fn rows_of(&self, base: &str, name: &str, known: usize, more: usize, most: usize) -> Vec<Row> {
        let row = |place: usize| Row {
            names: FIELDS.map(|field| (field, format!("{base}[{place}].{field}"))).to_vec(),
            place,
            number: place + 1,
            label: format!("{name} {}", place + 1),
            is_known: place < known,
        };
        (0..(known + more).min(most)).map(row).collect()
    }

    fn items(&self) -> Vec<Row> {
        self.rows_of("items", self.frame.say("항목", "Line"), self.rows.items, MORE_LINES, MOST_LINES)
    }

    fn phases(&self) -> Vec<Row> {
        self.rows_of("wbs", self.frame.say("단계", "Phase"), self.rows.phases.len(), MORE_PHASES, MOST_PHASES)
    }

    fn tasks(&self, phase: &Row) -> Vec<Row> {
        let known = self.rows.phases.get(phase.place).copied().unwrap_or_default();
        let name = format!("{}, {}", phase.label, self.frame.say("작업", "Task"));
        self.rows_of(&format!("wbs[{}].tasks", phase.place), &name, known, MORE_TASKS, MOST_TASKS)
    }

    fn plans(&self) -> Vec<Row> {
        let name = self.frame.say("유지보수", "Maintenance plan");
        self.rows_of("maintenance", name, self.rows.plans, MORE_PLANS, MOST_PLANS)
    }

    fn categories(&self) -> Vec<(&'static str, &'static str)> {
        let called = |category: Category| {
            let (ko, en) = category.text();
            (category.code(), self.frame.say(ko, en))
        };
        // What is chosen where nothing is said stands first.
        let (mut all, usual) = (Category::ALL.to_vec(), Category::default());
        all.sort_by_key(|category| *category != usual);
        all.into_iter().map(called).collect()
    }

    fn vats(&self) -> Vec<(&'static str, &'static str)> {
        let called = |vat: Vat| match vat {
            Vat::Excluded => self.frame.say("별도 (가격에 10%를 더함)", "Not included (10% is added)"),
            Vat::Included => self.frame.say("포함 (가격 안에 들어 있음)", "Included in the prices"),
            Vat::Exempt => self.frame.say("없음", "None"),
        };
        Vat::ALL.map(|vat| (vat.code(), called(vat))).to_vec()
    }

    /// What the stored quote adds up to without any optional line.
    fn total(&self) -> String {
        let total = totals(&self.quote.content, &[]).map(|totals| totals.total);
        total.map(|total| total.said(self.frame.is_korean())).unwrap_or_default()
    }

    /// The version that was read: once more that one after a refusal, but for one that told of a later one.
    fn version(&self) -> String {
        match self.form.is_refused() && !self.is_stale {
            true => self.form.value("version").to_owned(),
            false => self.quote.version.to_string(),
        }
    }

    /// What is wrong with a list as a whole.
    fn list_errors(&self) -> Vec<(&'static str, &str)> {
        let lists = [
            ("items", self.frame.say("견적 항목", "Lines")),
            ("wbs", self.frame.say("진행 단계", "Phases")),
            ("maintenance", self.frame.say("유지보수", "Maintenance plans")),
            ("version", self.frame.say("저장 시점", "Version")),
        ];
        lists.into_iter().filter_map(|(list, name)| Some((name, self.form.error(list)?))).collect()
    }

    fn is_sent(&self) -> bool {
        self.quote.sent_at.is_some()
    }

    fn page_of(&self) -> String {
        self.frame.href(&path_of(&self.quote.id))
    }
}

fn path_of(id: &str) -> String {
    format!("/admin/quotes/{id}")
}

/// The editor of a quote; of one that is decided its page.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let quote = find(&app, &id.0).await?;
    if quote.status.is_decided() {
        return frame.go_to(&path_of(&id.0));
    }
    page(&frame, &quote, Rows::of(&quote), "save", false)
}

/// Saves what the form says, and leads back to it or to the preview.
#[endpoint]
pub async fn save(app: App, caller: Admin, peer: Peer, frame: Frame, id: Key, form: Form) -> HandlerResult<Shown> {
    let (form, rows) = closed_up(form);
    let act = if form.act() == "preview" { "preview" } else { "save" };
    match saved(&app, &caller, peer, &id.0, &form).await {
        Ok(()) if act == "preview" => frame.go_to(&format!("{}/preview", path_of(&id.0))),
        Ok(()) => frame.done(&format!("{}/edit", path_of(&id.0)), SAVED),
        Err(error) => {
            let is_conflict = error.kind == Kind::Conflict;
            let frame = frame.refused(form, error)?;
            let quote = find(&app, &id.0).await?;
            page(&frame, &quote, rows, act, is_conflict && !quote.status.is_decided())
        }
    }
}

async fn saved(app: &App, caller: &Admin, peer: Peer, id: &str, form: &Form) -> Result<()> {
    let changes: QuoteChanges = form.nested()?;
    let (changes, by) = (QuoteChanges { id: id.to_owned(), ..changes }, caller.name.clone());
    form.key().once(app, caller, tx_op(move |tx| change_at_desk(tx, (&by, peer), changes).map(drop))).await
}

async fn find(app: &App, id: &str) -> Result<Quote> {
    let id = id.to_owned();
    app.data.store.read_inline(move |tx| store::find(tx, &id)).await
}

fn page(frame: &Frame, quote: &Quote, rows: Rows, act: &str, is_stale: bool) -> HandlerResult<Shown> {
    let title = frame.say("견적 편집", "Edit the quote");
    let form = filled(frame.act::<QuoteChanges>(act), quote).unmarked();
    frame.show(&EditPage { frame, head: Head::unlisted(title), quote, form, rows, is_stale })
}

/// The form with what the quote says.
fn filled<'a>(form: FormState<'a>, quote: &Quote) -> FormState<'a> {
    let content = &quote.content;
    let mut form = form
        .with("title", &content.title)
        .with("client_name", &content.client_name)
        .with("client_email", &quote.client_email)
        .with("client_phone", &quote.client_phone)
        .with("language", content.language.tag())
        .with("valid_until", content.valid_until.map(|last| last.to_string()).unwrap_or_default())
        .with("discount", written(content.discount))
        .with("vat", content.vat.code())
        .with("notes", &content.notes)
        .with("internal_notes", &quote.internal_notes);
    for (place, item) in content.items.iter().enumerate() {
        let field = |name: &str| format!("items[{place}].{name}");
        form = form
            .with(field("id"), &item.id)
            .with(field("category"), item.category.code())
            .with(field("name"), &item.name)
            .with(field("description"), &item.description)
            .with(field("quantity"), item.quantity.get().normalize())
            .with(field("unit_price"), thousands(item.unit_price.get()))
            .with(field("optional"), item.optional);
    }
    for (place, phase) in content.wbs.iter().enumerate() {
        form = with_phase(form, place, phase);
    }
    for (place, plan) in content.maintenance.iter().enumerate() {
        let field = |name: &str| format!("maintenance[{place}].{name}");
        form = form
            .with(field("id"), &plan.id)
            .with(field("name"), &plan.name)
            .with(field("period"), &plan.period)
            .with(field("monthly_fee"), thousands(plan.monthly_fee.get()))
            .with(field("includes"), plan.includes.join("\n"))
            .with(field("recommended"), plan.recommended);
    }
    form
}

fn with_phase<'a>(form: FormState<'a>, place: usize, Phase { id, phase, tasks }: &Phase) -> FormState<'a> {
    let base = format!("wbs[{place}]");
    let mut form = form.with(format!("{base}.id"), id).with(format!("{base}.phase"), phase);
    for (at, Task { id, name, duration, description }) in tasks.iter().enumerate() {
        let base = format!("{base}.tasks[{at}]");
        form = form
            .with(format!("{base}.id"), id)
            .with(format!("{base}.name"), name)
            .with(format!("{base}.duration"), duration)
            .with(format!("{base}.description"), description);
    }
    form
}

/// A sum as it is typed; nothing where it is none.
fn written(won: Krw) -> String {
    if won == Krw::ZERO { String::new() } else { thousands(won.get()) }
}

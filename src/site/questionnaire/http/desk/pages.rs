//! The desk as pages: all answers, those of one person, and what all of them say together.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::{
    Answer, BrokenFile, QuestionKind, QuestionSummary, Questionnaire, Response, ResponseChange, ResponseNotes,
    ResponseStatus, Summary, is_type,
};
use super::super::super::store;
use super::super::super::work::{QuestionnaireSettings, kinds};
use super::{ResponseCount, ResponsesWanted, change_at_desk, find_wanted, remove_at_desk};
use crate::frame::{Confirm, FormState, Frame, Head, Notice, Pager, mailto, say};
use hanok_base::korean::particle;
use hanok_base::{Error, Request, Result, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, CheckedQuery, Form, HandlerResult, Key, Peer, Shown, already, tx_op};

use std::sync::Arc;

/// How many answers stand on one page of the list.
const ON_A_PAGE: u64 = 50;

const REMOVED: Notice = Notice::new("remove", "답변을 삭제했습니다.", "The answers have been deleted.");
const NOTICES: &[Notice] = &[REMOVED];
const MOVED: Notice = Notice::new("status", "상태를 바꿨습니다.", "The state has been changed.");
const NOTED: Notice = Notice::new("notes", "메모를 저장했습니다.", "The notes have been saved.").at("notes");
const NOTICES_OF_ONE: &[Notice] = &[MOVED, NOTED];

/// A state that answers are moved to by a button.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
struct NewStatus {
    status: ResponseStatus,
}

#[derive(Template)]
#[template(path = "questionnaire/desk.html")]
struct DeskPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    words: &'a str,
    questionnaire: &'a str,
    status: Option<ResponseStatus>,
    /// Whether answers are taken now.
    is_on: bool,
    kinds: Vec<KindRow>,
    broken: &'a [BrokenFile],
    responses: Vec<Response>,
    total: u64,
    is_complete: bool,
    pager: Pager,
}

/// A questionnaire as the desk lists it.
struct KindRow {
    /// None where there is no file of it any more.
    known: Option<Arc<Questionnaire>>,
    count: ResponseCount,
}

#[derive(Template)]
#[template(path = "questionnaire/desk_one.html")]
struct OnePage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    one: Response,
    notes: FormState<'a>,
}

#[derive(Template)]
#[template(path = "questionnaire/summary.html")]
struct SummaryPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    id: &'a str,
    summary: Summary,
}

impl KindRow {
    fn title(&self, frame: &Frame) -> String {
        let title = self.known.as_ref().map(|known| known.title.text(frame.language()).to_owned());
        title.unwrap_or_else(|| self.count.questionnaire.clone())
    }

    fn all(&self) -> u64 {
        self.count.submitted + self.count.reviewed + self.count.archived
    }
}

impl DeskPage<'_> {
    fn name_of(&self, status: &ResponseStatus) -> &'static str {
        let (ko, en) = status.names();
        self.frame.say(ko, en)
    }

    fn who<'r>(&self, response: &'r Response) -> &'r str {
        match (response.client.name.as_str(), response.email()) {
            ("", Some(email)) => email,
            ("", None) => self.frame.say("이름 없음", "No name"),
            (name, _) => name,
        }
    }

    fn is_shown(&self, status: &ResponseStatus) -> bool {
        self.status == Some(*status)
    }

    /// Where the list of this questionnaire in this state stands.
    fn at(&self, questionnaire: &str, status: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("type", questionnaire), ("status", status)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        format!("{}?{}", self.frame.href("/admin/questionnaires"), query.finish())
    }

    fn reason(&self, broken: &BrokenFile) -> String {
        say(&broken.reason, self.frame.language())
    }
}

impl OnePage<'_> {
    fn name_of(&self, status: &ResponseStatus) -> &'static str {
        let (ko, en) = status.names();
        self.frame.say(ko, en)
    }

    /// What the button says that moves them there.
    fn move_to(&self, to: &ResponseStatus) -> String {
        let name = self.name_of(to);
        match self.frame.is_korean() {
            true => format!("{name}{} 바꾸기", particle(name, "으로", "로")),
            false => format!("Change to {name}"),
        }
    }

    fn mailto(&self) -> Option<String> {
        self.one.email().map(mailto)
    }

    fn answer(&self, answer: &Answer) -> String {
        answer.shown(self.frame.language(), "\n")
    }

    fn seconds(&self) -> String {
        self.one.source.completion_seconds.map(|seconds| seconds.to_string()).unwrap_or_default()
    }

    /// How the sender came here, each with its label.
    fn source(&self) -> Vec<(&'static str, &str)> {
        let source = &self.one.source;
        let all = [
            (self.frame.say("유입 페이지", "Referrer"), source.referrer.as_str()),
            (self.frame.say("캠페인 출처", "Campaign source"), &source.utm_source),
            (self.frame.say("캠페인 매체", "Campaign medium"), &source.utm_medium),
            (self.frame.say("캠페인 이름", "Campaign name"), &source.utm_campaign),
            (self.frame.say("브라우저", "Browser"), &source.user_agent),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

impl SummaryPage<'_> {
    /// How much of `all` this is, in percent of 100.
    fn percent(&self, count: &u64, all: &u64) -> u64 {
        if *all == 0 { 0 } else { (count * 200 + all) / (all * 2) }
    }

    fn number(&self, number: &f64) -> String {
        format!("{number:.2}")
    }

    fn seconds(&self, seconds: &f64) -> String {
        format!("{seconds:.0}")
    }

    fn is_text(&self, question: &QuestionSummary) -> bool {
        matches!(question.kind, QuestionKind::Text | QuestionKind::LongText | QuestionKind::Email)
    }
}

/// All answers, and the questionnaires.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, wanted: CheckedQuery<DeskWanted>) -> HandlerResult<Shown> {
    list_page(&app, &frame, wanted.0).await
}

/// Somebody's answers.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    page(&app, &frame, id.0).await
}

/// Moves answers to another state, notes upon them, removes them. What is refused is said on their page.
#[endpoint]
pub async fn do_act(app: App, caller: Admin, peer: Peer, frame: Frame, id: Key, form: Form) -> HandlerResult<Shown> {
    let path = format!("/admin/questionnaires/{}", id.0);
    match acted(&app, &caller, peer, &id.0, &form).await {
        Ok(()) if form.act() == "remove" => frame.done("/admin/questionnaires#content", REMOVED),
        Ok(()) => frame.done(&path, Notice::of(NOTICES_OF_ONE, form.act())),
        Err(error) => page(&app, &frame.refused(form, error)?, id.0).await,
    }
}

/// Asks once more before answers are removed.
#[endpoint]
pub async fn ask_removal(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<Shown> {
    let path = format!("/admin/questionnaires/{}", id.0);
    app.data.store.read_inline(move |tx| store::find(tx, &id.0)).await?;
    frame.show(&Confirm {
        frame: &frame,
        head: Head::unlisted(frame.say("이 답변을 삭제할까요?", "Delete these answers?")),
        consequence: frame.say(
            "답변과 메모가 모두 삭제되며 되돌릴 수 없습니다.",
            "The answers and the notes are deleted. This cannot be undone.",
        ),
        action: &path,
        act: "remove",
        button: frame.say("삭제", "Delete"),
    })
}

/// What all answers to a questionnaire say together.
#[endpoint]
pub async fn summarize(app: App, _caller: Admin, frame: Frame, kind: Key) -> HandlerResult<Shown> {
    let id = kind.0;
    let known = kinds::read(&app).await?.find(&id);
    let title = known.as_ref().map(|known| known.title.text(frame.language()).to_owned());
    let summary = summary(&app, id.clone(), known).await?;
    let title = format!("{}: {}", frame.say("요약", "Summary"), title.unwrap_or_else(|| id.clone()));
    let head = Head::unlisted(&title);
    frame.show(&SummaryPage { frame: &frame, head, id: &id, summary })
}

/// What the desk shows.
#[derive(Debug, Request)]
#[request(query)]
pub struct DeskWanted {
    /// Words or parts of words; empty shows all.
    #[field(hanok_base::text::Text<0, 200>)]
    pub q: Option<String>,
    /// Only those to this questionnaire; empty shows all.
    #[serde(rename = "type")]
    #[field(hanok_base::text::Line<0, 40>)]
    pub questionnaire: Option<String>,
    /// Only in this state; empty shows all.
    #[field(hanok_base::text::Line<0, 20>)]
    pub status: Option<String>,
    /// How many to pass over first.
    #[field(hanok_base::page::Offset)]
    pub offset: Option<u64>,
}

/// The state of this name; none where it is empty.
fn status_of(name: &str) -> Result<Option<ResponseStatus>> {
    let known = ResponseStatus::ALL.into_iter().find(|status| status.code() == name);
    if known.is_none() && !name.is_empty() {
        return Err(Error::field("status", validation_messages::KNOWN));
    }
    Ok(known)
}

/// Every questionnaire that there is, and those that were answered when there was a file of them.
fn rows(catalogue: &kinds::Catalogue, counts: Vec<ResponseCount>) -> Vec<KindRow> {
    let none = |id: &String| ResponseCount { questionnaire: id.clone(), submitted: 0, reviewed: 0, archived: 0 };
    let is_counted = |id: &String| counts.iter().any(|count| count.questionnaire == *id);
    let unanswered: Vec<ResponseCount> =
        catalogue.questionnaires.keys().filter(|id| !is_counted(id)).map(none).collect();
    let all = counts.into_iter().chain(unanswered);
    let row = |count: ResponseCount| KindRow { known: catalogue.find(&count.questionnaire), count };
    let is_seen = |row: &KindRow| row.known.is_some() || row.all() > 0;
    let mut rows: Vec<KindRow> = all.map(row).filter(is_seen).collect();
    rows.sort_by(|one, other| one.count.questionnaire.cmp(&other.count.questionnaire));
    rows
}

/// # Errors
/// `NOT_FOUND` where there is neither such a questionnaire nor an answer to one.
async fn summary(app: &App, id: String, known: Option<Arc<Questionnaire>>) -> Result<Summary> {
    let read = app.data.store.read_in_turn(move |tx| {
        if !is_type(&id) || (known.is_none() && store::count(tx, Some(&id), None)? == 0) {
            return Err(Error::not_found("questionnaire"));
        }
        let mut summary = Summary::of(known.as_deref());
        for response in store::walk(tx, &id, None)?() {
            summary.add(&response?);
        }
        Ok(summary.finished())
    });
    read.await
}

/// Does what a form of the page of somebody's answers asks for, once.
async fn acted(app: &App, caller: &Admin, peer: Peer, id: &str, form: &Form) -> Result<()> {
    let (id, by) = (id.to_owned(), caller.clone());
    let wanted = match form.act() {
        "status" => {
            let NewStatus { status } = form.checked()?;
            ResponseChange { status: Some(status), admin_notes: None }
        }
        "notes" => {
            let ResponseNotes { admin_notes } = form.checked()?;
            ResponseChange { status: None, admin_notes: Some(admin_notes) }
        }
        "remove" => {
            form.read_nothing()?;
            let removed = tx_op(move |tx| already(remove_at_desk(tx, (&by, peer), &id)));
            return form.key().once(app, caller, removed).await;
        }
        _ => return Err(Error::field("act", validation_messages::KNOWN)),
    };
    let changed = tx_op(move |tx| change_at_desk(tx, (&by, peer), &id, wanted).map(drop));
    form.key().once(app, caller, changed).await
}

async fn list_page(app: &App, frame: &Frame, wanted: DeskWanted) -> HandlerResult<Shown> {
    let DeskWanted { q, questionnaire, status, offset } = wanted;
    let (words, id) = (q.unwrap_or_default(), questionnaire.unwrap_or_default());
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let status = status_of(status.as_deref().unwrap_or_default())?;
    let (q, questionnaire, limit) = (some(&words), some(&id), Some(ON_A_PAGE));
    let asked = ResponsesWanted { q, questionnaire, status, limit, offset };
    let ((responses, total), counts, is_complete) = find_wanted(app, asked).await?;
    let catalogue = kinds::read(app).await?;
    let kinds = rows(&catalogue, counts);
    let head = Head::unlisted(frame.say("질문지", "Questionnaires"));
    let pager = frame.pager(total, ON_A_PAGE as usize, offset.unwrap_or_default() as usize);
    let (words, questionnaire, broken) = (words.as_str(), id.as_str(), &catalogue.broken[..]);
    frame.show(&DeskPage {
        frame,
        head,
        words,
        questionnaire,
        status,
        is_on: app.config.section::<QuestionnaireSettings>().enabled,
        kinds,
        broken,
        responses,
        total,
        is_complete,
        pager,
    })
}

async fn page(app: &App, frame: &Frame, id: String) -> HandlerResult<Shown> {
    let one = app.data.store.read_inline(move |tx| store::find(tx, &id)).await?;
    let name = if one.client.name.is_empty() { one.title.text(frame.language()) } else { &one.client.name };
    let title = format!("{}: {name}", frame.say("답변", "Answers"));
    let notes = frame.act::<ResponseNotes>("notes").with("admin_notes", &one.admin_notes);
    frame.show(&OnePage { frame, head: Head::unlisted(&title), one, notes })
}

use chrono::{DateTime, Utc};

use super::MilestoneStatus::{self, *};
use super::*;
use hanok_base::Kind;
use hanok_platform::mail::Language;

fn at(day: u32) -> DateTime<Utc> {
    format!("2026-10-{day:02}T03:00:00Z").parse().unwrap()
}

fn step(number: u32, status: MilestoneStatus) -> Milestone {
    Milestone {
        id: format!("step-{number}"),
        quote_id: "quote".to_owned(),
        step_number: number,
        title: format!("{number}"),
        description: String::new(),
        status,
        note: String::new(),
        completed_at: None,
        created_at: at(10),
        updated_at: at(10),
    }
}

fn steps(completed: u32, all: u32) -> Vec<Milestone> {
    (1..=all).map(|number| step(number, if number <= completed { Completed } else { Pending })).collect()
}

#[test]
fn progress_is_rounded_half_up_to_whole_percent() {
    // By hand: 3/7 = 42.857, 1/8 = 12.5, 2/3 = 66.667, 1/3 = 33.333, 49/50 = 98.
    for (done, all, percent) in
        [(0, 0, 0), (0, 7, 0), (3, 7, 43), (7, 7, 100), (1, 8, 13), (2, 3, 67), (1, 3, 33), (49, 50, 98)]
    {
        assert_eq!(progress(&steps(done, all)), percent, "{done} of {all}");
    }
}

#[test]
fn a_project_is_at_its_first_step_under_way_else_at_the_first_that_is_pending() {
    let at_step = |states: &[MilestoneStatus]| {
        let steps: Vec<Milestone> = (1..).zip(states).map(|(number, status)| step(number, *status)).collect();
        current(&steps).map(|step| step.step_number)
    };
    assert_eq!(at_step(&[Completed, Pending, InProgress, InProgress]), Some(3));
    assert_eq!(at_step(&[Completed, Pending, Pending]), Some(2));
    assert_eq!((at_step(&[Completed, Completed]), at_step(&[])), (None, None));
}

#[test]
fn a_step_moves_one_state_at_a_time_and_keeps_when_it_was_completed_only_while_it_is() {
    let begun = step(1, Pending).moved(InProgress, at(11)).unwrap();
    let done = begun.moved(Completed, at(12)).unwrap();
    assert_eq!(done.completed_at, Some(at(12)));
    assert_eq!(done.clone().moved(Completed, at(13)).unwrap(), done, "where it is already nothing changes");
    let again = done.moved(InProgress, at(14)).unwrap();
    assert_eq!((again.completed_at, again.moved(Pending, at(15)).unwrap().status), (None, Pending));
    let refused = step(1, Pending).moved(Completed, at(11)).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert_eq!(refused.message, "a step that is 'Pending' cannot become 'Completed'. It can become: In progress");
    assert_eq!(step(1, Completed).moved(Pending, at(11)).unwrap_err().kind, Kind::Conflict);
}

#[test]
fn every_state_leads_only_to_those_beside_it() {
    for status in MilestoneStatus::ALL {
        let beside: Vec<MilestoneStatus> = status.on().into_iter().chain(status.back()).collect();
        assert_eq!(status.next(), beside, "{status:?}");
        assert_eq!(serde_json::to_value(status).unwrap(), status.code());
    }
}

#[test]
fn what_was_moved_and_moved_back_again_is_not_told() {
    let told = [("step-1", Pending), ("step-2", InProgress), ("gone", Pending)];
    let told = told.map(|(id, status)| (id.to_owned(), status)).into();
    let untold = Untold { quote_id: "quote".to_owned(), due_at: at(10), told, address: None };
    let now = [step(1, Pending), step(2, Completed), step(3, Completed)];
    let moved: Vec<u32> = untold.moved(&now).into_iter().map(|step| step.step_number).collect();
    assert_eq!(moved, [2]);
}

#[test]
fn the_word_of_a_link_is_found_in_its_address_in_either_language_and_by_itself() {
    for sent in [
        "abc.d-_f",
        " abc.d-_f ",
        "https://shop.example/quote/abc.d-_f",
        "http://127.0.0.1:8080/en/quote/abc.d-_f?saved=accept#content",
        "/quote/abc.d-_f/pdf",
    ] {
        assert_eq!(word_in(sent), "abc.d-_f", "{sent}");
    }
    assert_eq!((word_in("https://shop.example/quote/"), word_in("")), ("", ""));
}

#[test]
fn the_usual_steps_are_seven_in_both_languages_each_with_its_own_words() {
    let korean = usual_steps(Language::Ko).map(|(title, _)| title);
    assert_eq!(
        korean,
        ["의뢰 접수", "계약 체결", "기획/와이어프레임", "디자인 시안", "개발 진행", "검수/테스트", "납품 완료"]
    );
    for (ko, en) in usual_steps(Language::Ko).into_iter().zip(usual_steps(Language::En)) {
        assert!(!ko.1.is_empty() && en.0.is_ascii() && en.1.is_ascii() && !en.1.is_empty(), "{ko:?} {en:?}");
    }
}

#[test]
fn a_request_is_for_the_usual_steps_alone_or_for_one_with_a_title() {
    let parts = |body: serde_json::Value| {
        let new = <NewMilestone as hanok_base::Request>::check(serde_json::from_value(body).unwrap())?;
        new.parts()
    };
    let usual = parts(serde_json::json!({"quoteId": "q", "useDefaults": true})).unwrap();
    assert_eq!(usual, ("q".to_owned(), What::Usual));
    let (_, one) = parts(serde_json::json!({"quote_id": "q", "title": "검수", "step_number": 2})).unwrap();
    let expected = NewStep { title: "검수".to_owned(), description: String::new(), step_number: Some(2) };
    assert_eq!(one, What::Step(expected));
    let refused = |body| parts(body).unwrap_err().fields.into_keys().collect::<Vec<_>>();
    assert_eq!(refused(serde_json::json!({"quote_id": "q"})), ["title"]);
    let both = serde_json::json!({"quote_id": "q", "use_defaults": true, "title": "검수"});
    assert_eq!(refused(both), ["use_defaults"]);
}

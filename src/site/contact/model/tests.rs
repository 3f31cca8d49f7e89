use proptest::prelude::*;
use serde_json::{Value, json};

use super::status::Status;
use super::*;
use hanok_base::Kind;

fn at(day: u32) -> DateTime<Utc> {
    format!("2026-10-{day:02}T03:00:00Z").parse().unwrap()
}

fn pending() -> Request {
    Request {
        number: 1,
        id: "one".to_owned(),
        details: RequestDetails::default(),
        status: Status::Pending,
        status_before_hold: None,
        created_at: at(10),
        updated_at: at(10),
    }
}

fn walked(way: &[Status]) -> Result<Request> {
    way.iter().try_fold(pending(), |request, to| request.moved(*to, at(11)))
}

#[test]
fn a_request_goes_from_the_form_to_the_end_of_the_work_and_rests_on_the_way() {
    use Status::*;
    walked(&[Reviewing, Quoted, Accepted, InProgress, Completed]).unwrap();
    for way in [&[Reviewing][..], &[Reviewing, Quoted], &[Reviewing, Quoted, Accepted, InProgress]] {
        let last = *way.last().unwrap();
        let held = [way, &[OnHold]].concat();
        assert_eq!(walked(&held).unwrap().next(), [last, Cancelled]);
        assert_eq!(walked(&[&held[..], &[last]].concat()).unwrap().status_before_hold, None);
    }
}

#[test]
fn a_move_is_of_its_time_and_a_request_is_over_where_nothing_may_follow() {
    let moved = pending().moved(Status::Reviewing, at(11)).unwrap();
    assert_eq!((moved.created_at, moved.updated_at), (at(10), at(11)));
    for status in Status::ALL {
        assert_eq!(status.is_over(), status.next(Some(Status::Quoted)).is_empty(), "{status:?}");
    }
}

#[test]
fn a_state_is_found_by_the_number_it_always_had_and_spelled_as_it_is_answered() {
    // Numbers are stored: none of them may change.
    let numbers = Status::ALL.map(Status::number);
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
    for status in Status::ALL {
        assert_eq!(serde_json::to_value(status).unwrap(), status.code());
        assert!(status.in_english().starts_with(char::is_uppercase), "it stands on pages by itself");
    }
}

#[test]
fn who_has_a_link_sees_how_far_a_request_is_and_nothing_by_which_the_customer_is_reached() {
    let text = |name: &str| format!("the {name}");
    let details = RequestDetails {
        name: text("name"),
        email: text("mail"),
        message: text("message"),
        phone: text("phone"),
        service: text("service"),
        project_type: text("kind"),
        budget: text("budget"),
        timeline: text("time"),
        language: Language::En,
    };
    let request = Request { details, ..pending() }.moved(Status::Reviewing, at(11)).unwrap();
    let history = |by: &str| {
        let made =
            |from, to, day| StatusChange { from, to, by: text(by), message: text("words"), undo: false, at: at(day) };
        vec![made(None, Status::Pending, 10), made(Some(Status::Pending), Status::Reviewing, 11)]
    };
    let told = json!([
        {"status": "pending", "message": "the words", "at": at(10)},
        {"status": "reviewing", "message": "the words", "at": at(11)},
    ]);
    let seen = json!([{"status": "pending", "at": at(10)}, {"status": "reviewing", "at": at(11)}]);
    let tracked = serde_json::to_value(request.clone().tracked(history("admin"))).unwrap();
    let expected = json!({
        "id": "one", "name": "the name", "message": "the message", "service": "the service", "status": "reviewing",
        "project_type": "the kind", "budget": "the budget", "timeline": "the time", "created_at": at(10), "updated_at": at(11), "history": told,
    });
    assert_eq!(tracked, expected);
    let until = "2026-10-31".parse().unwrap();
    let shared = serde_json::to_value(request.shared(history("admin"), until)).unwrap();
    let expected = json!({
        "service": "the service", "status": "reviewing", "project_type": "the kind", "timeline": "the time",
        "created_at": at(10), "updated_at": at(11), "history": seen, "until": "2026-10-31",
    });
    assert_eq!(shared, expected, "nor who it is, what it may cost and what the customer was told");
}

/// A request that went this way, with its history.
fn went(way: &[Status]) -> (Request, Vec<StatusChange>) {
    let (mut request, mut history) = (pending(), vec![StatusChange::received(at(10))]);
    for to in way {
        let from = Some(request.status);
        request = request.moved(*to, at(11)).unwrap();
        let (by, message) = ("minsu".to_owned(), String::new());
        history.push(StatusChange { from, to: *to, by, message, undo: false, at: at(11) });
    }
    (request, history)
}

#[test]
fn the_latest_step_can_be_taken_back_one_after_the_other_until_the_request_has_just_come_in() {
    use Status::*;
    let (mut request, mut history) = went(&[Reviewing, Quoted, OnHold, Quoted, Cancelled]);
    for to in [Quoted, OnHold, Quoted, Reviewing, Pending] {
        assert_eq!(undo_of(&history), Some(to));
        let wrong = request.clone().undone(&history, Completed, at(12)).unwrap_err();
        assert_eq!(wrong.kind, Kind::Conflict);
        let from = Some(request.status);
        let (back, step) = request.undone(&history, to, at(12)).unwrap();
        assert_eq!((back.status, back.status_before_hold, Some(step.to)), (to, (to == OnHold).then_some(Quoted), from));
        let (by, message) = ("minsu".to_owned(), String::new());
        history.push(StatusChange { from, to, by, message, undo: true, at: at(12) });
        request = back;
    }
    assert_eq!((undo_of(&history), history.len()), (None, 11));
    assert_eq!(request.undone(&history, Pending, at(12)).unwrap_err().kind, Kind::Conflict);
}

#[test]
fn a_request_that_is_over_is_past_its_time_after_the_months_that_the_settings_say() {
    let (over, _) = went(&[Status::Cancelled]);
    let later: DateTime<Utc> = "2026-11-11T03:00:00Z".parse().unwrap();
    assert!(over.is_past(1, later) && !over.is_past(1, later - chrono::Duration::seconds(1)));
    assert!(!over.is_past(0, later) && !pending().is_past(1, later), "what goes on is never past its time");
}

#[test]
fn a_change_that_was_stored_before_steps_could_be_taken_back_is_none_that_was() {
    let stored = json!({"from": "pending", "to": "reviewing", "by": "minsu", "at": at(11)});
    let read: StatusChange = serde_json::from_value(stored.clone()).unwrap();
    assert!(!read.undo && serde_json::to_value(read).unwrap() == stored);
}

#[test]
fn a_refused_move_names_those_that_are_allowed_in_both_languages() {
    use Status::*;
    let refused = pending().moved(Completed, at(11)).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert_eq!(
        refused.message,
        "a request that is 'Received' cannot become 'Completed'. It can become: Under review, Cancelled"
    );
    let localized = serde_json::to_value(refused.message.localized()).unwrap();
    assert_eq!(localized["params"]["allowed"]["ko"], "검토 중, 취소");
    let over = walked(&[Cancelled, Cancelled]).unwrap_err();
    assert_eq!((over.kind, over.message.text()), (Kind::Conflict, "a request that is 'Cancelled' stays so"));
}

/// Which moves the contract names, without the way back from a rest.
fn is_named(from: Status, to: Status) -> bool {
    use Status::*;
    let works = [Reviewing, Quoted, Accepted, InProgress];
    let forward = [Pending, Reviewing, Quoted, Accepted, InProgress, Completed];
    let is_next = forward.windows(2).any(|pair| pair == [from, to]);
    let is_called_off = to == Cancelled && ![Completed, Cancelled].contains(&from);
    is_next || (works.contains(&from) && to == OnHold) || is_called_off
}

proptest! {
    #[test]
    fn whatever_is_tried_only_the_moves_of_the_contract_are_made(
        tries in prop::collection::vec(prop::sample::select(Status::ALL.to_vec()), 0..40),
    ) {
        let mut request = pending();
        for (number, to) in tries.into_iter().enumerate() {
            let before = request.clone();
            let goes_on = before.status == Status::OnHold && before.status_before_hold == Some(to);
            match before.clone().moved(to, at(11)) {
                Ok(moved) => {
                    prop_assert!(goes_on || is_named(before.status, to), "{number}: {:?} to {to:?}", before.status);
                    prop_assert_eq!(moved.status, to);
                    prop_assert_eq!(moved.status_before_hold, (to == Status::OnHold).then_some(before.status));
                    request = moved;
                }
                Err(error) => {
                    prop_assert!(!goes_on && !is_named(before.status, to), "{number}: {:?} to {to:?}", before.status);
                    prop_assert_eq!(error.kind, Kind::Conflict);
                    for next in before.next() {
                        prop_assert!(error.message.contains(next.in_english()));
                    }
                }
            }
        }
    }
}

fn sent(changes: Value) -> Result<Option<RequestDetails>> {
    let mut body =
        json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지를 새로 만들고 싶습니다."});
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let new = <NewRequest as hanok_base::Request>::check(serde_json::from_value(body).unwrap())?;
    let (details, is_person) = new.into_details(Language::Ko);
    Ok(is_person.then_some(details))
}

fn refused(changes: Value) -> Vec<String> {
    sent(changes).err().map(|error| error.fields.into_keys().collect()).unwrap_or_default()
}

#[test]
fn each_text_is_taken_at_its_bound_and_refused_one_beyond_and_never_cut() {
    for (field, most) in
        [("name", 50), ("message", 3000), ("service", 100), ("project_type", 100), ("budget", 100), ("timeline", 100)]
    {
        let details = sent(json!({field: "가".repeat(most)})).unwrap().unwrap();
        let kept = serde_json::to_value(details).unwrap();
        assert_eq!(kept[field].as_str().unwrap().chars().count(), most, "{field}");
        assert_eq!(refused(json!({field: "가".repeat(most + 1)})), [field]);
    }
    let mail = |length: usize| format!("{}@{}.example.com", "a".repeat(60), "b".repeat(length - 73));
    assert_eq!((mail(100).len(), refused(json!({"email": mail(100)}))), (100, Vec::new()));
    assert_eq!(refused(json!({"email": mail(101)})), ["email"]);
    assert_eq!(refused(json!({"phone": "+82 (0)10-1234-5678 "})), [""; 0]);
    assert_eq!(refused(json!({"phone": "+82 (0)10-1234-56789 "})), ["phone"]);
}

#[test]
fn an_address_is_one_that_mail_reaches_and_a_telephone_one_that_rings() {
    for address in ["a@b.kr", " name+tag@sub.example.co.kr ", "o'hara@example.com", "a@xn--3e0b707e.xn--3e0b707e"] {
        assert_eq!(refused(json!({"email": address})), [""; 0], "{address}");
    }
    let just = format!("{}@{}.kr", "a".repeat(64), "b".repeat(30));
    let label = format!("a@{}.kr", "b".repeat(63));
    for address in [just.as_str(), &label, "a@b.xn--a", "a@b.XN--3e0b707e", "a-@b-c.kr"] {
        assert_eq!(refused(json!({"email": address})), [""; 0], "{address}");
    }
    let long = format!("{}@example.com", "a".repeat(65));
    let wide = format!("a@{}.kr", "b".repeat(64));
    for address in [
        "",
        "jiwoo",
        "a@b",
        "a@b.c",
        "a@.kr",
        "a@b..kr",
        ".a@b.kr",
        "a.@b.kr",
        "a@-b.kr",
        "a@b.12",
        "a b@c.kr",
        "a@b.kr\r\nBcc: c@d.kr",
        "a@b.kr, c@d.kr",
        "지우@example.com",
        "@b.kr",
        "a@@b.kr",
        "a@b-.kr",
        "a@b.k2",
        "a@b.xn--",
        &long,
        &wide,
    ] {
        assert_eq!(refused(json!({"email": address})), ["email"], "{address:?}");
    }
    for phone in ["", "010-1234-5678", "02 123 4567", "+82 10 1234 5678", "1588-1234", "1234567", "123456789012345"] {
        assert_eq!(refused(json!({"phone": phone})), [""; 0], "{phone}");
    }
    for phone in ["call me", "123456", "1234567890123456", "----------", "010-1234-5678x", "<b>0101234567</b>"] {
        assert_eq!(refused(json!({"phone": phone})), ["phone"], "{phone}");
    }
}

#[test]
fn what_is_written_into_the_field_that_nobody_sees_gives_no_request() {
    assert_eq!(sent(json!({"website": "https://spam.example"})).unwrap(), None);
    assert!(sent(json!({"website": ""})).unwrap().is_some());
}

#[test]
fn the_language_is_the_one_that_is_named_or_that_of_the_browser() {
    use Language::*;
    for (accepted, language) in
        [("", Ko), ("en-GB,en;q=0.9", En), ("fr, en;q=0.5, ko;q=0.4", En), ("KO-kr", Ko), ("fr", Ko), ("*", Ko)]
    {
        assert_eq!(language_of(accepted), language, "{accepted}");
    }
    assert_eq!(sent(json!({"language": "en"})).unwrap().unwrap().language, En);
    assert_eq!(sent(json!({})).unwrap().unwrap().language, Ko);
}

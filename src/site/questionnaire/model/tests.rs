use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::answers::SentAnswer;
use super::*;
use hanok_base::{Error, Kind};

const HEAD: &str = r#"
contact = "optional"
title = { ko = "의견", en = "Feedback" }
lead = { ko = "들려주세요", en = "Tell us" }
thanks = { ko = "고맙습니다", en = "Thank you" }
"#;

const QUESTIONS: &str = r#"
[[questions]]
key = "name"
text = { ko = "이름", en = "Name" }
kind = "text"
required = true
max_length = 5
[[questions]]
key = "colour"
text = { ko = "색", en = "Colour" }
kind = "choice"
other = true
options = [{ value = "red", ko = "빨강", en = "Red" }, { value = "blue", ko = "파랑", en = "Blue" }]
[[questions]]
key = "fruits"
text = { ko = "과일", en = "Fruits" }
kind = "choices"
min_count = 2
max_count = 2
options = [{ value = "apple", ko = "사과", en = "Apple" }, { value = "pear", ko = "배", en = "Pear" }, { value = "fig", ko = "무화과", en = "Fig" }]
[[questions]]
key = "score"
text = { ko = "점수", en = "Score" }
kind = "scale"
[[questions]]
key = "age"
text = { ko = "나이", en = "Age" }
kind = "number"
min = 0
max = 150
[[questions]]
key = "again"
text = { ko = "또?", en = "Again?" }
kind = "yes_no"
[[questions]]
key = "mail"
text = { ko = "메일", en = "Mail" }
kind = "email"
"#;

fn feedback() -> Arc<Questionnaire> {
    Arc::new(parse("feedback", &format!("{HEAD}{QUESTIONS}")).unwrap())
}

/// A file with this one question.
fn with_question(text: &str) -> Result<Questionnaire, BrokenFile> {
    parse("x", &format!("{HEAD}[[questions]]\nkey = \"a\"\ntext = {{ ko = \"가\", en = \"a\" }}\n{text}"))
}

fn checked(body: Value) -> Result<NewResponse, Error> {
    let sent: Submission = serde_json::from_value(body).unwrap();
    sent.checked(|id| (id == "feedback").then(feedback))
}

/// The refused fields with what each must be, for these answers.
fn refused(responses: Value) -> BTreeMap<String, String> {
    let error = checked(json!({"type": "feedback", "responses": responses})).unwrap_err();
    assert_eq!(error.kind, Kind::InvalidInput, "{error}");
    error.fields.into_iter().map(|(field, must)| (field, must.text().to_owned())).collect()
}

#[test]
fn a_file_is_read_with_its_questions_in_order() {
    let read = feedback();
    let keys: Vec<&str> = read.questions.iter().map(|question| question.key.as_str()).collect();
    assert_eq!(keys, ["name", "colour", "fruits", "score", "age", "again", "mail"]);
    assert_eq!((read.contact, read.public, read.title.en.as_str()), (ContactMode::Optional, false, "Feedback"));
    assert_eq!((read.questions[0].longest(), read.questions[4].max), (5, Some(150.0)));
}

#[test]
fn the_shipped_questionnaires_keep_the_contract() {
    for (id, text, least) in [
        ("project", include_str!("../../../../assets/site/questionnaire/kinds/project.toml"), 12),
        ("survey", include_str!("../../../../assets/site/questionnaire/kinds/survey.toml"), 7),
    ] {
        let read = parse(id, text).unwrap_or_else(|broken| panic!("{broken:?}"));
        assert!(read.questions.len() >= least && read.public, "{id}");
    }
}

#[test]
fn a_broken_file_says_in_which_line() {
    let broken = parse("x", "contact = \"optional\"\ntitle = {").unwrap_err();
    assert_eq!((broken.file.as_str(), broken.line), ("x.toml", Some(2)));
    // The lines of the head, and then the table and its key.
    let broken = with_question("kind = \"choice\"").unwrap_err();
    assert_eq!(broken.line, Some(HEAD.lines().count() + 2));
    assert!(broken.reason.text().contains("'a' must have 2 to 50 options"), "{}", broken.reason);
    let twice = parse("x", &format!("{HEAD}{QUESTIONS}{QUESTIONS}")).unwrap_err();
    assert!(twice.reason.text().contains("'name' is there twice"), "{}", twice.reason);
    // The second copy begins with an empty line, too.
    assert_eq!(twice.line, Some(HEAD.lines().count() + QUESTIONS.lines().count() + 3));
    let none = parse("x", &format!("questions = []\n{HEAD}")).unwrap_err();
    assert_eq!((none.line, none.reason.text()), (None, "must have 1 to 60 questions, not 0"));
}

#[test]
fn what_does_not_go_together_in_a_question_is_refused() {
    let two = |values: [&str; 2]| {
        let [one, other] = values.map(|value| format!("{{ value = \"{value}\", ko = \"가\", en = \"a\" }}"));
        format!("options = [{one}, {other}]")
    };
    let good = two(["x", "y"]);
    for wrong in [
        "kind = \"colour\"".to_owned(),
        "kind = \"text\"\nmystery = 1".to_owned(),
        format!("kind = \"text\"\n{good}"),
        "kind = \"text\"\nother = true".to_owned(),
        "kind = \"text\"\nmax_length = 0".to_owned(),
        "kind = \"text\"\nmax_length = 1001".to_owned(),
        "kind = \"long_text\"\nmax_length = 10001".to_owned(),
        "kind = \"scale\"\nmax = 10".to_owned(),
        "kind = \"number\"\nmin = 3\nmax = 2".to_owned(),
        "kind = \"number\"\nmax = inf".to_owned(),
        format!("kind = \"choice\"\nmax_count = 1\n{good}"),
        format!("kind = \"choices\"\nmax_count = 3\n{good}"),
        format!("kind = \"choices\"\nmin_count = 2\nmax_count = 1\n{good}"),
        format!("kind = \"choice\"\n{}", two(["x", "x"])),
        format!("kind = \"choice\"\n{}", two(["x", "_y"])),
        format!("kind = \"choice\"\n{}", two(["x", "Y Z"])),
    ] {
        assert!(with_question(&wrong).is_err(), "{wrong}");
    }
    for right in ["kind = \"text\"\nmax_length = 1000".to_owned(), format!("kind = \"choices\"\nmax_count = 2\n{good}")]
    {
        assert!(with_question(&right).is_ok(), "{right}");
    }
    for key in ["", "Big", "1a", "a-b", "가", &"a".repeat(41)] {
        let text =
            format!("{HEAD}[[questions]]\nkey = \"{key}\"\ntext = {{ ko = \"가\", en = \"a\" }}\nkind = \"text\"");
        assert!(parse("x", &text).is_err(), "{key}");
    }
}

#[test]
fn every_refused_answer_is_named_with_what_it_must_be() {
    let said = refused(json!({
        "name": "여섯 글자다", "colour": ["red", "blue"], "fruits": ["apple", "kiwi"], "score": 6, "age": 150.5,
        "again": "yes", "mail": "nobody", "mystery": 1,
    }));
    let said: Vec<(&str, &str)> = said.iter().map(|(field, must)| (field.as_str(), must.as_str())).collect();
    assert_eq!(
        said,
        [
            ("responses.again", "must be true or false"),
            ("responses.age", "must be 150 or less"),
            ("responses.colour", "must be one answer, as text"),
            ("responses.fruits", "must be one of the options"),
            ("responses.mail", "must be a mail address such as name@example.com"),
            ("responses.mystery", "is not known"),
            ("responses.name", "must be 0 to 5 characters, has 6"),
            ("responses.score", "must be a whole number from 1 to 5"),
        ]
    );
    for nothing in [json!({}), json!({"name": ""}), json!({"name": " \u{200b}"}), json!({"name": null})] {
        assert_eq!(refused(nothing.clone())["responses.name"], "is required", "{nothing}");
    }
    let one = |key: &str, value: Value| refused(json!({"name": "김", key: value}))[&format!("responses.{key}")].clone();
    assert_eq!(one("fruits", json!(["apple"])), "must be 2 to 2 answers, not 1");
    assert_eq!(one("fruits", json!(["apple", "pear", "fig"])), "must be 2 to 2 answers, not 3");
    assert_eq!(one("fruits", json!(["fig", "fig"])), "must not say one answer twice");
    assert_eq!(one("fruits", json!([1])), "must be a list of texts");
    assert_eq!(one("score", json!(2.5)), "must be a whole number from 1 to 5");
    assert_eq!(one("age", json!(-1)), "must be 0 or more");
    assert_eq!(one("name", json!("두\n줄")), "must be one line without control characters");
    assert_eq!(one("again", json!({})), "must be true or false");
}

#[test]
fn answers_that_are_too_long_together_are_refused_as_a_whole() {
    let keys: Vec<String> = (0..7).map(|place| format!("long_{place}")).collect();
    let text = "text = { ko = \"가\", en = \"a\" }\nkind = \"long_text\"\nmax_length = 10000";
    let questions: String = keys.iter().map(|key| format!("[[questions]]\nkey = \"{key}\"\n{text}\n")).collect();
    let long = Arc::new(parse("long", &format!("{HEAD}{questions}")).unwrap());
    let sent = |length: usize| {
        let responses: BTreeMap<&String, String> = keys.iter().map(|key| (key, "a".repeat(length))).collect();
        let sent: Submission = serde_json::from_value(json!({"type": "long", "responses": responses})).unwrap();
        sent.checked(|_| Some(long.clone()))
    };
    assert_eq!(sent(9_362).unwrap().answers.len(), 7, "65,534 bytes");
    assert_eq!(sent(9_363).unwrap_err().kind, Kind::TooLarge, "65,541 bytes");
}

#[test]
fn what_fits_is_kept_with_the_questions_as_they_were_asked() {
    let responses =
        json!({"name": " 김 ", "colour": "민트", "fruits": ["fig", "apple"], "score": 4, "age": 41.5, "again": false});
    let kept = checked(json!({"type": "feedback", "responses": responses, "completion_seconds": 86_400})).unwrap();
    let shown: Vec<String> = kept.answers.iter().map(|answer| answer.shown(Language::En, " | ")).collect();
    assert_eq!(shown, ["김", "민트", "Fig | Apple", "4", "41.5", "No", ""]);
    assert_eq!((kept.answers[2].chosen[0].ko.as_str(), kept.answers[1].chosen.len()), ("무화과", 0));
    assert_eq!(serde_json::to_value(&kept.answers[3]).unwrap()["value"], json!(4));
    let read: Answer = serde_json::from_value(serde_json::to_value(&kept.answers[4]).unwrap()).unwrap();
    assert_eq!(read, kept.answers[4]);
}

#[test]
fn a_form_says_its_answers_by_the_names_of_its_fields() {
    let fields = [
        ("client_name", "김"),
        ("responses.name", "이"),
        ("responses.colour", FREE_TEXT),
        ("responses.colour.other", "민트"),
        ("responses.fruits[0]", "apple"),
        ("responses.fruits[2]", "fig"),
        ("responses.score", "5"),
        ("responses.age", "many"),
        ("responses.again", "no"),
        ("responses.mail", " "),
    ];
    let read = from_form(&feedback(), fields.into_iter());
    let value = |key: &str| match &read[key] {
        SentAnswer::Value(value) => serde_json::to_value(value).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!((value("name"), value("colour"), value("score")), (json!("이"), json!("민트"), json!(5)));
    assert_eq!((value("fruits"), value("age"), value("again")), (json!(["apple", "fig"]), json!("many"), json!(false)));
    assert_eq!(read.len(), 6, "what is empty is not answered");
    let both = [("responses.colour", "red"), ("responses.colour.other", "민트")];
    assert_eq!(
        from_form(&feedback(), both.into_iter())["colour"],
        SentAnswer::Value(AnswerValue::Texts(vec!["red".into(), "민트".into()]))
    );
    let unsaid = [("responses.colour", FREE_TEXT)];
    let unsaid = from_form(&feedback(), unsaid.into_iter()).remove("colour");
    let refused = feedback().questions[1].answered(unsaid).unwrap_err();
    assert_eq!(refused.text(), "must not be empty");
}

/// Answers that were kept, with these seconds.
fn response(responses: Value, seconds: u32) -> Response {
    let sent = json!({"type": "feedback", "responses": responses, "completion_seconds": seconds});
    let NewResponse { questionnaire, client, answers, source, .. } = checked(sent).unwrap();
    Response {
        number: 1,
        id: "a".to_owned(),
        questionnaire: questionnaire.id.clone(),
        questionnaire_number: 1,
        title: questionnaire.title.clone(),
        client,
        language: Language::Ko,
        answers,
        source,
        status: ResponseStatus::Submitted,
        admin_notes: String::new(),
        created_at: DateTime::UNIX_EPOCH,
        reviewed_at: None,
    }
}

#[test]
fn a_summary_counts_options_and_tells_mean_and_median() {
    let mut summary = Summary::of(Some(&feedback()));
    for (colour, score, age, seconds) in
        [("red", 1, 10.0, 60), ("red", 2, 20.0, 90), ("민트", 5, 30.0, 600), ("blue", 5, 45.0, 30)]
    {
        summary.add(&response(json!({"name": "김", "colour": colour, "score": score, "age": age}), seconds));
    }
    let summary = summary.finished();
    let question = |key: &str| summary.questions.iter().find(|question| question.key == key).unwrap();
    let counts = |key: &str| question(key).counts.iter().map(|(_, count)| *count).collect::<Vec<_>>();
    assert_eq!((counts("colour"), question("colour").others), (vec![2, 1], 1));
    assert_eq!((counts("score"), counts("fruits")), (vec![1, 1, 0, 0, 2], vec![0, 0, 0]));
    // By hand: (1 + 2 + 5 + 5) / 4 and (2 + 5) / 2; (10 + 20 + 30 + 45) / 4 and (20 + 30) / 2; (60 + 90) / 2.
    assert_eq!((question("score").mean, question("score").median), (Some(3.25), Some(3.5)));
    assert_eq!((question("age").mean, question("age").median), (Some(26.25), Some(25.0)));
    assert_eq!((summary.median_seconds, summary.responses, question("again").answered), (Some(75.0), 4, 0));
    assert_eq!((question("again").mean, Summary::of(None).finished().median_seconds), (None, None));
}

#[test]
fn a_state_is_followed_by_those_that_may_follow() {
    let moved = |from: ResponseStatus, to: ResponseStatus| {
        let change = ResponseChange { status: Some(to), admin_notes: None };
        Response { status: from, ..response(json!({"name": "김"}), 1) }.changed(change, DateTime::UNIX_EPOCH)
    };
    use ResponseStatus::*;
    for (from, to) in [(Submitted, Reviewed), (Reviewed, Archived), (Archived, Reviewed)] {
        assert_eq!(moved(from, to).unwrap().reviewed_at.is_some(), to == Reviewed);
    }
    for (from, to) in [(Submitted, Archived), (Submitted, Submitted), (Reviewed, Submitted), (Archived, Submitted)] {
        assert_eq!(moved(from, to).unwrap_err().kind, Kind::Conflict, "{from:?} {to:?}");
    }
}

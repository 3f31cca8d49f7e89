//! Whether a question finds the text that answers it: how many of them have it among the first ten, of the questions that the
//! search was tuned with and of those that were kept aside.

mod asked;
mod long;
mod texts;

use std::fmt;

use super::*;
use asked::ASKED;
use texts::TEXTS;

/// The shares of the questions whose text is among the first ten.
struct Recall {
    /// Of those that the search was tuned with.
    tuned: f64,
    /// Of those that were kept aside.
    aside: f64,
    /// What was missed, with what was found first.
    missed: Vec<String>,
}

impl fmt::Display for Recall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recall { tuned, aside, missed } = self;
        write!(f, "recall at 10 {tuned:.3}, of those kept aside {aside:.3}; {missed:#?}")
    }
}

fn texts() -> impl Iterator<Item = Note> {
    (1..).zip(TEXTS).map(|(id, (title, text))| note(id, title, text))
}

async fn recall(following: &Following) -> Recall {
    // How many there are, and how many are found: those that the search was tuned with, and those kept aside.
    let (mut of, mut found, mut missed) = ([0; 2], [0; 2], Vec::new());
    for (at, (question, text)) in ASKED.into_iter().enumerate() {
        let page = Page { offset: 0, limit: 10 };
        let results = following.ask(SearchRequest { page, ..asked(question) }).await;
        let is_found = results.hits.iter().any(|hit| hit.document.id == text);
        let side = usize::from(at % 3 == 2);
        of[side] += 1;
        found[side] += usize::from(is_found);
        if !is_found {
            let first = results.hits.first().map(|hit| hit.document.title.as_str());
            missed.push(format!("{question}: {text}, not {first:?} of {}", results.total));
        }
    }
    let share = |side: usize| found[side] as f64 / of[side] as f64;
    Recall { tuned: share(0), aside: share(1), missed }
}

#[tokio::test]
async fn a_question_finds_the_text_that_answers_it() {
    let world = World::new();
    let following = world.follow();
    world.write(texts()).await;
    let recall = recall(&following).await;
    println!("{recall}");
    assert!(recall.tuned >= 0.95 && recall.aside >= 0.95, "{recall}");
    following.end().await;
}

#[tokio::test]
async fn what_says_all_of_a_question_stands_first_and_what_says_most_of_it_is_counted_and_shown() {
    let world = World::new();
    let following = world.follow();
    let tagged = |id, title: &str, tag: &str| Note { tags: vec![tag.to_owned()], ..note(id, title, "") };
    world
        .write([
            tagged(1, "제주 숙소 어디", "여행"),
            tagged(2, "제주 여행 숙소", "여행"),
            tagged(3, "제주 감귤", "장보기"),
            tagged(4, "보험 갱신", "돈"),
        ])
        .await;
    let found = following.find("제주 숙소 어디").await;
    let ids: Vec<u64> = found.hits.iter().map(|hit| hit.document.id).collect();
    assert_eq!((ids[0], ids[1], found.total, found.is_near), (1, 2, ids.len() as u64, true));
    assert_eq!(found.kinds, [("note".to_owned(), found.total)]);
    assert!(!ids.contains(&4));
    let shown = found.hits[1].title.iter().filter(|piece| piece.found).map(|piece| piece.text.as_str());
    assert_eq!(shown.collect::<Vec<_>>(), ["제주", "숙소"]);
    let only = following
        .ask(SearchRequest {
            tag: Some("여행".to_owned()),
            page: Page { offset: 1, limit: 5 },
            ..asked("제주 숙소 어디")
        })
        .await;
    assert_eq!((only.hits.len(), only.hits[0].document.id, only.total), (1, 2, 2));
    // What only names things is said whole: nothing is made up where nothing says it.
    for line in ["보험", "보험 해지", "어디", "없는말 어디"] {
        assert!(!following.find(line).await.is_near, "{line}");
    }
    following.end().await;
}

#[tokio::test]
async fn what_says_more_of_a_question_stands_before_what_says_less_of_it_in_its_title() {
    let world = World::new();
    let following = world.follow();
    let first_day = "제주에 왔다. 바람이 세고 귤밭이 많았다. 이번 여행은 사흘이고 숙소는 애월 바다 앞이다.";
    world
        .write([
            note(1, "첫째 날", first_day),
            note(2, "여행 숙소", "호텔에서 바다가 보였다."),
            note(3, "보일러 고장", "서비스 번호 1588-1234로 전화했다."),
        ])
        .await;
    assert_eq!(following.ids("제주 여행에서 예약한 숙소는 얼마였지").await.first(), Some(&1));
    let by_chance = following.ids("우리 집 와이파이 비밀번호 뭐였지").await;
    assert!(by_chance.is_empty(), "what nobody wrote is not answered");
    following.end().await;
}

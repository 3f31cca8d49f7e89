//! What is found, and how it is told.

use chrono::NaiveDate;
use unicode_normalization::UnicodeNormalization;

use super::*;

fn marked(pieces: &[crate::search::Piece]) -> String {
    pieces.iter().map(|piece| if piece.found { format!("[{}]", piece.text) } else { piece.text.clone() }).collect()
}

#[tokio::test]
async fn what_a_mac_has_spelled_letter_by_letter_is_found_and_shown_whole() {
    let world = World::new();
    let apart: String = "김장 보험".nfd().collect();
    world.write([note(1, &apart, &apart), note(2, "김장", "")]).await;
    let following = world.follow();
    for line in ["보험".to_owned(), "보험".nfd().collect()] {
        let found = following.find(&line).await;
        assert_eq!((found.total, found.hits[0].document.title.as_str()), (1, "김장 보험"), "{line}");
        assert!(found.hits[0].title.iter().any(|piece| piece.found && piece.text == "보험"));
    }
    assert_eq!(following.find("김장".nfd().collect::<String>().as_str()).await.total, 2);
    following.end().await;
}

#[tokio::test]
async fn what_was_written_is_found_at_once_and_what_was_changed_or_removed_no_more() {
    let world = World::new();
    let following = world.follow();
    world.write([note(1, "자동차 보험 갱신", "다음 달까지"), note(2, "우유 사기", "")]).await;
    assert_eq!(following.ids("보험").await, [1]);
    world.write([note(1, "자동차 점검", "다음 달까지")]).await;
    assert_eq!(following.ids("보험").await, [0; 0]);
    assert_eq!(following.ids("점검").await, [1]);
    world.remove(1).await;
    assert_eq!(following.ids("점검").await, [0; 0]);
    assert_eq!(following.ids("우유").await, [2]);
    following.end().await;
}

#[tokio::test]
async fn a_write_that_is_taken_back_is_never_found() {
    let world = World::new();
    let following = world.follow();
    let refused = world.store.write(|tx| {
        NOTES.put(tx, &note(1, "보험", ""))?;
        Err::<(), _>(hanok_base::Error::not_found("nothing"))
    });
    assert!(refused.await.is_err());
    world.write([note(2, "보험", "")]).await;
    assert_eq!(following.ids("보험").await, [2]);
    following.end().await;
}

#[tokio::test]
async fn a_hit_shows_where_it_was_found() {
    let world = World::new();
    let following = world.follow();
    world.write([note(7, "블로그 마케팅", "키워드를 고르고 제목에 씁니다.")]).await;
    let found = following.find("키워드").await;
    let hit = &found.hits[0];
    assert_eq!((hit.document.leads_to.as_str(), found.total), ("/notes/7", 1));
    assert_eq!(
        (marked(&hit.title).as_str(), marked(&hit.excerpt).as_str()),
        ("블로그 마케팅", "[키워드]를 고르고 제목에 씁니다.")
    );
    following.end().await;
}

#[tokio::test]
async fn hits_are_counted_by_kind_and_tag_and_held_to_those_that_are_asked_for() {
    let world = World::new();
    let following = world.follow();
    let tagged = |id, tags: &[&str]| Note {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..note(id, "보험 이야기", "")
    };
    world.write([tagged(1, &["돈", "Car"]), tagged(2, &["돈"]), tagged(3, &[])]).await;
    let all = following.find("보험").await;
    assert_eq!(all.kinds, [("note".to_owned(), 3)]);
    assert_eq!(all.tags, [("돈".to_owned(), 2), ("Car".to_owned(), 1)]);
    let only = following.ask(SearchRequest { tag: Some("Car".to_owned()), ..asked("보험") }).await;
    assert_eq!((only.total, only.hits[0].document.id), (1, 1));
    let other = following.ask(SearchRequest { kind: Some("todo".to_owned()), ..asked("보험") }).await;
    assert_eq!(other.total, 0);
    assert_eq!(following.ids("car").await, [1], "a tag is found by its word, too");
    following.end().await;
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap() {
    let world = World::new();
    let following = world.follow();
    world.write((1..=25).map(|id| note(id, &format!("보험 {id}"), ""))).await;
    let mut seen = Vec::new();
    for offset in [0, 10, 20] {
        let found = following.ask(SearchRequest { page: Page { offset, limit: 10 }, ..asked("보험") }).await;
        assert_eq!(found.total, 25);
        seen.extend(found.hits.iter().map(|hit| hit.document.id));
    }
    seen.sort_unstable();
    assert_eq!(seen, (1..=25).collect::<Vec<u64>>());
    let none = following.ask(SearchRequest { page: Page { offset: 0, limit: 0 }, ..asked("보험") }).await;
    assert_eq!((none.total, none.hits.len()), (25, 0));
    following.end().await;
}

#[tokio::test]
async fn the_title_counts_more_than_the_text_and_of_two_alike_the_newer_stands_first() {
    let world = World::new();
    let following = world.follow();
    let of = |id, year| Note { day: NaiveDate::from_ymd_opt(year, 11, 1), ..note(id, "보험 갱신", "") };
    let in_text = note(3, "자동차", "보험 이야기가 조금 나오는 글");
    world.write([of(1, 2020), of(2, 2026), in_text]).await;
    assert_eq!(following.ids("보험").await, [2, 1, 3]);
    following.end().await;
}

#[tokio::test]
async fn where_no_row_says_all_of_three_words_those_are_shown_that_say_two() {
    let world = World::new();
    let following = world.follow();
    world.write([note(1, "자동차 보험 갱신", ""), note(2, "자동차 세차", "")]).await;
    let found = following.find("자동차 보험 해지").await;
    assert_eq!((found.is_near, found.hits[0].document.id, found.total), (true, 1, 1));
    let exact = following.find("자동차 보험 갱신").await;
    assert!(!exact.is_near);
    assert_eq!(following.find("보험 해지").await.total, 0);
    following.end().await;
}

#[tokio::test]
async fn behind_the_last_page_there_is_nothing_however_far() {
    let world = World::new();
    let following = world.follow();
    world.write((1..=3).map(|id| note(id, &format!("보험 {id}"), ""))).await;
    for offset in [3, 4_294_967_294, usize::MAX] {
        let found = following.ask(SearchRequest { page: Page { offset, limit: 500 }, ..asked("보험") }).await;
        assert_eq!((found.hits.len(), found.total), (0, 3), "{offset}");
    }
    following.end().await;
}

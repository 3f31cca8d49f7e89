use std::collections::BTreeMap;

use chrono::Duration;
use proptest::prelude::*;

use super::links::find_by_token;
use super::*;
use hanok_base::{Clock, Kind};
use hanok_platform::events::Events;
use hanok_platform::store::Store;

/// A store on a clock that stands in October 2026.
fn world() -> (Store, Clock) {
    let clock = Clock::fixed("2026-10-10T03:00:00Z".parse().unwrap());
    (Store::memory(clock.clone(), Events::default()).unwrap(), clock)
}

fn details(name: &str) -> RequestDetails {
    let (email, message) = ("jiwoo@example.com".to_owned(), "홈페이지를 만들고 싶습니다.".to_owned());
    RequestDetails { name: name.to_owned(), email, message, ..RequestDetails::default() }
}

async fn added(store: &Store, name: &str) -> (Request, String) {
    let details = details(name);
    store.write(move |tx| add(tx, details)).await.unwrap()
}

async fn moved(store: &Store, id: &str, to: Status) -> Result<Request> {
    let id = id.to_owned();
    store.write(move |tx| change_status(tx, &id, to, "minseo")).await
}

const WHOLE: Page = Page { limit: 500, offset: 0 };

#[tokio::test]
async fn the_pipeline_lists_requests_by_state_with_their_counts_newest_first() {
    let (store, _clock) = world();
    let mut ids = Vec::new();
    for name in ["하나", "둘", "셋"] {
        ids.push(added(&store, name).await.0.id);
    }
    moved(&store, &ids[0], Status::Reviewing).await.unwrap();
    let names = |status, page: Page| {
        store.read_now(move |tx| {
            let (requests, total) = list(tx, status, page)?;
            Ok((requests.into_iter().map(|request| request.details.name).collect::<Vec<_>>(), total))
        })
    };
    assert_eq!(names(None, WHOLE).unwrap(), (vec!["셋".to_owned(), "둘".to_owned(), "하나".to_owned()], 3));
    assert_eq!(names(Some(Status::Pending), Page { limit: 1, offset: 1 }).unwrap(), (vec!["둘".to_owned()], 2));
    assert_eq!(names(Some(Status::Reviewing), WHOLE).unwrap(), (vec!["하나".to_owned()], 1));
    let counts = store.read_now(|tx| counts(tx)).unwrap();
    let of = |status| counts.of(status);
    assert_eq!((of(Status::Pending), of(Status::Reviewing), of(Status::Quoted), counts.total()), (2, 1, 0, 3));
}

#[tokio::test]
async fn a_refused_move_changes_nothing_and_every_move_is_kept_with_who_made_it() {
    let (store, clock) = world();
    let (request, _) = added(&store, "지우").await;
    clock.set(clock.now() + Duration::hours(1));
    moved(&store, &request.id, Status::Reviewing).await.unwrap();
    assert_eq!(moved(&store, &request.id, Status::Completed).await.unwrap_err().kind, Kind::Conflict);
    assert_eq!(moved(&store, "another", Status::Reviewing).await.unwrap_err().kind, Kind::NotFound);
    let id = request.id.clone();
    let (now, history) = store
        .read_now(move |tx| {
            let now = find(tx, &id)?;
            let history = history(tx, &now)?;
            Ok((now, history))
        })
        .unwrap();
    assert_eq!((now.status, now.updated_at), (Status::Reviewing, clock.now()));
    let made: Vec<_> = history.iter().map(|made| (made.from, made.to, made.by.as_str(), made.at)).collect();
    let first = (None, Status::Pending, "", request.created_at);
    assert_eq!(made, [first, (Some(Status::Pending), Status::Reviewing, "minseo", clock.now())]);
}

#[tokio::test]
async fn two_who_move_one_request_at_once_move_it_once() {
    let (store, _clock) = world();
    let (request, _) = added(&store, "지우").await;
    let (one, other) =
        tokio::join!(moved(&store, &request.id, Status::Reviewing), moved(&store, &request.id, Status::Reviewing));
    assert_eq!([one.is_ok(), other.is_ok()].iter().filter(|done| **done).count(), 1);
}

#[tokio::test]
async fn a_link_opens_its_request_alone_until_it_is_ended_or_another_is_given() {
    let (store, _clock) = world();
    let ((request, token), (_, of_another)) = (added(&store, "지우").await, added(&store, "하준").await);
    assert!(token.len() >= 22 && token != of_another);
    let name = |token: &str| {
        let token = token.to_owned();
        store.read_now(move |tx| find_by_token(tx, &token)).map(|found| found.details.name)
    };
    assert_eq!((name(&token).unwrap(), name(&of_another).unwrap()), ("지우".to_owned(), "하준".to_owned()));
    for wrong in ["", "x", &request.id, &token[1..], &format!("{token}x"), &"x".repeat(70)] {
        assert_eq!(name(wrong).unwrap_err().kind, Kind::NotFound, "{wrong}");
    }
    let kept = store.read_now(|tx| links::LINKS.walk(tx).collect::<Result<Vec<_>>>()).unwrap();
    assert!(!serde_json::to_string(&kept).unwrap().contains(&token), "only the hash is kept");
    let id = request.id.clone();
    let fresh = store.write(move |tx| renew_link(tx, &id)).await.unwrap();
    assert_eq!((name(&token).unwrap_err().kind, name(&fresh).unwrap()), (Kind::NotFound, "지우".to_owned()));
    store.write(move |tx| end_link(tx, &request.id)).await.unwrap();
    assert_eq!(name(&fresh).unwrap_err().kind, Kind::NotFound);
    assert!(name(&of_another).is_ok());
}

#[tokio::test]
async fn notes_are_the_owners_alone_and_go_with_their_request() {
    let (store, _clock) = world();
    let (request, token) = added(&store, "지우").await;
    let id = request.id.clone();
    let note = store.write(move |tx| add_note(tx, &id, "전화로 견적을 물어 봄".to_owned(), "minseo")).await.unwrap();
    let tracked = store.read_now(move |tx| {
        let request = find_by_token(tx, &token)?;
        let history = history(tx, &request)?;
        Ok(serde_json::to_string(&request.tracked(history)).unwrap())
    });
    let tracked = tracked.unwrap();
    assert!(
        tracked.contains("지우") && !["전화", "minseo", "example.com"].iter().any(|word| tracked.contains(word)),
        "{tracked}"
    );
    let (id, number) = (request.id.clone(), request.clone());
    assert_eq!(store.read_now(move |tx| notes(tx, &number)).unwrap(), [note]);
    let unknown = store
        .write({
            let id = id.clone();
            move |tx| remove_note(tx, &id, 99)
        })
        .await;
    assert_eq!(unknown.unwrap_err().kind, Kind::NotFound);
    store.write(move |tx| remove(tx, &id)).await.unwrap();
    let left = store.read_now(move |tx| {
        let rows = (tx.first(&NOTES, (0, 0).., Order::Ascending)?, tx.first(&MOVES, (0, 0).., Order::Ascending)?);
        Ok(rows.0.is_none() && rows.1.is_none() && counts(tx)?.total() == 0)
    });
    assert!(left.unwrap(), "nothing is left of it");
}

#[tokio::test]
async fn a_request_has_at_most_two_hundred_notes() {
    let (store, _clock) = world();
    let (request, _) = added(&store, "지우").await;
    let id = request.id.clone();
    let filled = store.write(move |tx| {
        for number in 0..MOST_NOTES {
            add_note(tx, &id, format!("{number}"), "minseo")?;
        }
        Ok(())
    });
    filled.await.unwrap();
    let beyond = store.write(move |tx| add_note(tx, &request.id, "one more".to_owned(), "minseo")).await.unwrap_err();
    assert_eq!(
        (beyond.kind, beyond.message.text()),
        (Kind::Conflict, "a request has at most 200 notes; remove one first")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whatever_is_moved_the_counts_are_those_of_the_rows(
        steps in prop::collection::vec((0usize..4, prop::sample::select(Status::ALL.to_vec())), 0..40),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let (store, _clock) = world();
            let mut ids = Vec::new();
            for name in ["하나", "둘", "셋", "넷"] {
                ids.push(added(&store, name).await.0.id);
            }
            for (which, to) in steps {
                let _ = moved(&store, &ids[which], to).await;
            }
            let (rows, counts, flaws) = store
                .read_now(|tx| Ok((list(tx, None, WHOLE)?.0, counts(tx)?, REQUESTS.flaws(tx)?.all())))
                .unwrap();
            let mut by_hand = BTreeMap::new();
            for request in rows {
                *by_hand.entry(request.status).or_insert(0) += 1;
            }
            for status in Status::ALL {
                assert_eq!(counts.of(status), by_hand.get(&status).copied().unwrap_or(0), "{status:?}");
            }
            assert_eq!(flaws, [""; 0]);
        });
    }
}

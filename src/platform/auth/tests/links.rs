//! Links that open one thing.

use super::*;
use crate::store::WriteTx;

const SHARED: Purpose = Purpose::new("shared");
const DOWNLOAD: Purpose = Purpose::new("download");

fn share(tx: &WriteTx, about: &str) -> Result<(Link, String)> {
    add_link(tx, SHARED, about, "for a prospect", Duration::days(1))
}

fn is_refused(found: Result<Link>) -> bool {
    found.is_err_and(|error| error.kind == Kind::NotFound)
}

#[tokio::test]
async fn a_link_of_one_purpose_opens_nothing_of_another_nor_does_one_that_was_changed() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let check = |tx: &WriteTx| {
        let (link, word) = share(tx, "portfolio")?;
        assert_eq!(find_link(tx, SHARED, &word)?, link);
        assert!(is_refused(find_link(tx, DOWNLOAD, &word)));
        let (other, others) = share(tx, "another")?;
        let (id, seal) = word.split_once('.').unwrap();
        let (_, others_seal) = others.split_once('.').unwrap();
        for wrong in [
            "",
            ".",
            id,
            seal,
            &format!("{id}."),
            &format!("{id}.{}", &seal[1..]),
            &format!("{id}.{others_seal}"),
            &format!("{}.{seal}", other.id),
            &format!("{id}.{seal}="),
            &format!("{id}.{seal}.{seal}"),
        ] {
            assert!(is_refused(find_link(tx, SHARED, wrong)), "{wrong}");
        }
        // A row says nothing of the word.
        assert!(!serde_json::to_string(&link).unwrap().contains(seal));
        assert_eq!(word_of(tx, &link)?, word, "it can be shown again");
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn a_link_is_listed_by_its_purpose_and_opens_nothing_once_it_is_ended_or_taken() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let check = |tx: &WriteTx| {
        let (first, first_word) = share(tx, "a")?;
        let (second, second_word) = share(tx, "ab")?;
        let (third, _) = add_link(tx, DOWNLOAD, "a", "", Duration::days(1))?;
        let ids = |about| -> Result<Vec<String>> {
            Ok(list_links(tx, SHARED, about)?.into_iter().map(|link| link.id).collect())
        };
        assert_eq!(ids(None)?, [second.id.clone(), first.id.clone()], "newest first");
        assert_eq!(ids(Some("a"))?, std::slice::from_ref(&first.id));
        assert!(!end_link(tx, SHARED, &third.id)?, "one of another purpose is not found");
        assert!(end_link(tx, SHARED, &first.id)?);
        assert!(!end_link(tx, SHARED, &first.id)?, "once");
        assert!(is_refused(find_link(tx, SHARED, &first_word)));
        assert_eq!(take_link(tx, SHARED, &second_word)?, second);
        assert!(is_refused(take_link(tx, SHARED, &second_word)), "once");
        end_links(tx, DOWNLOAD, "a")?;
        assert_eq!((ids(None)?.len(), list_links(tx, DOWNLOAD, None)?.len()), (0, 0));
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn a_link_ends_at_its_time_and_no_clock_that_ran_ahead_makes_one_last_longer() {
    let clock = Clock::fixed(draw_night());
    let store = app(&clock, Jobs::default()).data.store.clone();
    let (_, word) = store.write(|tx| share(tx, "portfolio")).await.unwrap();
    let opens = |word: &str| {
        let (store, word) = (store.clone(), word.to_owned());
        async move { store.read(move |tx| find_link(tx, SHARED, &word)).await.is_ok() }
    };
    clock.set(draw_night() + Duration::days(1) - Duration::seconds(1));
    assert!(opens(&word).await);
    clock.set(draw_night() + Duration::days(1));
    assert!(!opens(&word).await);
    clock.set(draw_night() + Duration::days(3650));
    let (_, of_the_future) = store.write(|tx| share(tx, "portfolio")).await.unwrap();
    clock.set(draw_night());
    assert!(!opens(&of_the_future).await);
    store.write(purge_links).await.unwrap();
    assert_eq!(store.read(|tx| list_links(tx, SHARED, None)).await.unwrap().len(), 1, "the first is good again");
}

#[tokio::test]
async fn a_restore_brings_no_link_back_that_was_ended_and_ends_none_that_was_given_out_since() {
    let root = TempDir::new().unwrap();
    let schema = Schema::default().with(TABLES, &[], &[]).carrying(PRESERVED_ON_RESTORE);
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(root.path(), &options, schema, Clock::fixed(draw_night()), Events::default()).unwrap();
    let (ended, word) = store.write(|tx| share(tx, "a")).await.unwrap();
    let made = store.snapshot(SnapshotKind::Manual, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
    let given = store.write(move |tx| end_link(tx, SHARED, &ended.id).and_then(|_| share(tx, "b"))).await.unwrap();
    restores(&store).restore(Some(made.name), |_| ()).await.unwrap();
    let opens =
        store.read(move |tx| Ok((find_link(tx, SHARED, &word).is_ok(), find_link(tx, SHARED, &given.1).is_ok()))).await;
    assert_eq!(opens.unwrap(), (false, true));
}

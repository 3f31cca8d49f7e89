//! The owner's texts for the customer site, which lie beside the store.

use super::super::super::texts::{LONGEST_TEXT, Texts, WaitingTexts};
use super::*;
use crate::store::file::marker;

fn lying(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn the_owner_s_texts_move_with_the_house_and_one_that_was_there_stays_beside() {
    let (root, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let store = open(root.path());
    let pages = store.folder().unwrap().pages();
    fs::create_dir(&pages).unwrap();
    for (name, text) in [("privacy.ko.md", "# 처리방침"), ("terms.en.md", "# Terms"), ("notes.txt", "mine")] {
        fs::write(pages.join(name), text).unwrap();
    }
    fs::write(pages.join("terms.ko.md"), vec![b'a'; LONGEST_TEXT as usize + 1]).unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
    let first = store.packed_for_download(&snapshot, "").await.unwrap();
    fs::write(pages.join("terms.en.md"), "# Other terms").unwrap();
    assert_ne!(store.packed_for_download(&snapshot, "").await.unwrap(), first, "with another text it is another file");
    let target = elsewhere.path().join("house.hanok");
    pack(&store, &snapshot, "", &target, true).await.unwrap();

    let house = Offered::new().await;
    let there = house.store.folder().unwrap().pages();
    fs::create_dir(&there).unwrap();
    fs::write(there.join("privacy.ko.md"), "# 예전").unwrap();
    fs::write(there.join("terms.ko.md"), "# 약관").unwrap();
    for expected in [&["privacy.ko.md", "terms.en.md"][..], &[]] {
        let (restored, _) = house.offer(&fs::read(&target).unwrap()).await.unwrap();
        assert_eq!(restored.texts, expected, "those are named that were put in their places");
        assert_eq!(lying(&there), ["privacy.ko.md", "privacy.ko.md.before", "terms.en.md", "terms.ko.md"]);
        let text = |name: &str| fs::read_to_string(there.join(name)).unwrap();
        assert_eq!((text("privacy.ko.md"), text("terms.en.md")), ("# 처리방침".to_owned(), "# Other terms".to_owned()));
        assert_eq!((text("privacy.ko.md.before"), text("terms.ko.md")), ("# 예전".to_owned(), "# 약관".to_owned()));
    }

    // What is replaced once more stays beside what was replaced before.
    fs::write(there.join("privacy.ko.md"), "# 새로 쓴 것").unwrap();
    house.offer(&fs::read(&target).unwrap()).await.unwrap();
    assert_eq!(fs::read_to_string(there.join("privacy.ko.md.before")).unwrap(), "# 예전");
    assert_eq!(fs::read_to_string(there.join("privacy.ko.md.before-2")).unwrap(), "# 새로 쓴 것");
    assert_eq!(fs::read_to_string(there.join("privacy.ko.md")).unwrap(), "# 처리방침");
}

#[tokio::test]
async fn what_is_no_text_of_the_owner_s_is_refused_and_nothing_of_it_is_left() {
    let whole = entries(&whole().await);
    let text = |name: &str, length: usize| (format!("pages/{name}"), vec![b'a'; length]);
    let mut odd = vec![vec![text("terms.ko.md", LONGEST_TEXT as usize + 1)]];
    let names = [
        "about.ko.md",
        "../terms.ko.md",
        "a/terms.ko.md",
        "terms.fr.md",
        ".ko.md",
        "Terms.ko.md",
        "terms.ko.md.partial",
        "",
    ];
    odd.extend(names.map(|name| vec![text(name, 1)]));
    odd.push(vec![text("terms.ko.md", 1), text("terms.ko.md", 1)]);
    for texts in odd {
        let house = Offered::new().await;
        let what = format!("{} and {} more", texts[0].0, texts.len() - 1);
        house.refuses(&what, &packed(&[whole.clone(), texts].concat())).await;
        assert!(lying(&house.store.folder().unwrap().pages()).is_empty(), "{what}");
    }
}

#[tokio::test]
async fn a_file_that_is_refused_for_its_store_leaves_the_texts_as_they_were() {
    let mut all = entries(&whole().await);
    all.insert(1, ("pages/terms.ko.md".to_owned(), b"# theirs".to_vec()));
    described(&mut all, |description| description.snapshot.sha256 = "0".repeat(64));
    let house = Offered::new().await;
    house.refuses("a store of another checksum", &packed(&all)).await;
    let pages = house.store.folder().unwrap().pages();
    assert!(lying(&pages).is_empty());
    fs::create_dir_all(&pages).unwrap();
    for name in ["terms.ko.md.partial", "mine.partial"] {
        fs::write(pages.join(name), "half").unwrap();
    }
    restore::tidy(house.store.folder().unwrap(), &Clock::system()).unwrap();
    assert_eq!(lying(&pages), ["mine.partial"], "a start removes what a kill has left");
}

#[tokio::test]
async fn a_state_that_cannot_come_to_its_place_leaves_none_of_the_texts_that_came_with_it() {
    let mut all = entries(&whole().await);
    all.insert(1, ("pages/privacy.ko.md".to_owned(), b"# theirs".to_vec()));
    let house = Offered::new().await;
    let folder = house.store.folder().unwrap();
    fs::create_dir(folder.pages()).unwrap();
    fs::write(folder.pages().join("privacy.ko.md"), "# ours").unwrap();
    // The marker of the next state cannot be written: what lies in its way is no file.
    let in_its_way = folder.run().join("seal.json.partial");
    fs::create_dir(&in_its_way).unwrap();
    house.offer(&packed(&all)).await.unwrap_err();
    assert_eq!(lying(&folder.pages()), ["privacy.ko.md"]);
    assert_eq!(fs::read_to_string(folder.pages().join("privacy.ko.md")).unwrap(), "# ours");
    assert!(!folder.run().join("texts.json").exists());
    assert_eq!(house.name().await.as_deref(), Some("before"));
    fs::remove_dir(in_its_way).unwrap();
    assert_eq!(house.offer(&packed(&all)).await.unwrap().0.texts, ["privacy.ko.md"]);
}

/// A house whose own text for `privacy.ko.md` is older, with two that came beside it and the state of `with`.
async fn with_texts_that_wait(with: impl FnOnce(&DataFolder) -> PathBuf) -> (Offered, PathBuf) {
    let house = Offered::new().await;
    let folder = house.store.folder().unwrap().clone();
    let pages = folder.pages();
    fs::create_dir(&pages).unwrap();
    fs::write(pages.join("privacy.ko.md"), "# older").unwrap();
    let brought = [("privacy.ko.md", "# newer"), ("terms.en.md", "# Terms")];
    let brought = Texts::from(brought.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    let waiting = WaitingTexts::of(brought, &folder).unwrap();
    waiting.hand_over(&folder, &marker::identity(&with(&folder)).unwrap()).unwrap();
    (house, pages)
}

#[tokio::test]
async fn killed_before_the_state_has_taken_its_place_the_texts_that_came_with_it_go_and_those_of_the_house_stay() {
    let waits = |folder: &DataFolder| {
        fs::write(restore::waiting_file(folder), "the state that did not come to its place").unwrap();
        restore::waiting_file(folder)
    };
    let (house, pages) = with_texts_that_wait(waits).await;
    let folder = house.store.folder().unwrap();
    assert_eq!(lying(&pages), ["privacy.ko.md", "privacy.ko.md.partial", "terms.en.md.partial"]);
    restore::tidy(folder, &Clock::system()).unwrap();
    assert_eq!(lying(&pages), ["privacy.ko.md"]);
    assert_eq!(fs::read_to_string(pages.join("privacy.ko.md")).unwrap(), "# older");
    assert!(!folder.run().join("texts.json").exists());
}

#[tokio::test]
async fn killed_at_any_step_after_that_the_next_start_puts_the_texts_in_their_places_and_keeps_what_was_there() {
    let steps: [(&str, Step); 5] = [
        ("the state has just taken its place", |_| ()),
        ("half of what was there is kept", |pages| {
            fs::write(pages.join("privacy.ko.md.before.partial"), "# o").unwrap()
        }),
        ("what was there is kept", |pages| fs::write(pages.join("privacy.ko.md.before"), "# older").unwrap()),
        ("one text is in its place", |pages| {
            fs::write(pages.join("privacy.ko.md.before"), "# older").unwrap();
            fs::rename(pages.join("privacy.ko.md.partial"), pages.join("privacy.ko.md")).unwrap();
        }),
        ("both are", |pages| {
            fs::write(pages.join("privacy.ko.md.before"), "# older").unwrap();
            for name in ["privacy.ko.md", "terms.en.md"] {
                fs::rename(pages.join(format!("{name}.partial")), pages.join(name)).unwrap();
            }
        }),
    ];
    for (step, go) in steps {
        let (house, pages) = with_texts_that_wait(DataFolder::store_file).await;
        let folder = house.store.folder().unwrap();
        go(&pages);
        restore::tidy(folder, &Clock::system()).unwrap();
        assert_eq!(lying(&pages), ["privacy.ko.md", "privacy.ko.md.before", "terms.en.md"], "{step}");
        let text = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
        assert_eq!(
            (text("privacy.ko.md"), text("terms.en.md")),
            ("# newer".to_owned(), "# Terms".to_owned()),
            "{step}"
        );
        assert_eq!(text("privacy.ko.md.before"), "# older", "{step}");
        assert!(!folder.run().join("texts.json").exists(), "{step}");
    }
}

#[tokio::test]
async fn texts_that_the_disk_refuses_wait_for_the_next_start() {
    let (house, pages) = with_texts_that_wait(DataFolder::store_file).await;
    let folder = house.store.folder().unwrap();
    // What lies there is none of ours, and cannot be replaced by a file.
    fs::create_dir(pages.join("terms.en.md")).unwrap();
    restore::tidy(folder, &Clock::system()).unwrap();
    assert_eq!(lying(&pages), ["privacy.ko.md", "privacy.ko.md.before", "terms.en.md", "terms.en.md.partial"]);
    fs::remove_dir(pages.join("terms.en.md")).unwrap();
    restore::tidy(folder, &Clock::system()).unwrap();
    assert_eq!(fs::read_to_string(pages.join("terms.en.md")).unwrap(), "# Terms");
}

/// What is done in a folder up to the moment of the kill.
type Step = fn(&Path);

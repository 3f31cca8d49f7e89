//! Without a mail server each mail becomes a file.

use super::*;

fn house() -> House {
    House::begin(&Clock::fixed(draw_night()), config::Mail::default())
}

#[tokio::test]
async fn without_a_server_a_mail_becomes_a_file_that_only_its_owner_reads() {
    use std::os::unix::fs::PermissionsExt;
    let house = house();
    let id = house.queue().await;
    let sent = house.until_status(id, MailStatus::Sent).await;
    assert_eq!(sent.way, Some(Way::Folder));
    let files = house.files();
    assert_eq!(files[0].file_name().unwrap().to_str(), Some("20261010T114000Z-1.eml"));
    let written = std::fs::read_to_string(&files[0]).unwrap();
    assert!(
        written.contains("From: hanok <hanok@localhost>") && written.contains("To: jiwoo@example.com"),
        "{written}"
    );
    assert_eq!(std::fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777, 0o600);
    house.end().await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_to_puts_the_mail_off() {
    let house = house();
    std::fs::write(house.folder.path().join("mail"), "in the way").unwrap();
    let id = house.queue().await;
    let put_off = house.until(id, |seen| seen.message.is_some()).await;
    assert_eq!(put_off.message.as_deref(), Some("the folder mail in the data folder cannot be written to"));
    std::fs::remove_file(house.folder.path().join("mail")).unwrap();
    house.until_put_off(id).await;
    house.until_status(id, MailStatus::Sent).await;
    assert_eq!(house.files().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn what_was_sent_is_cleared_away_after_its_days_and_what_others_put_there_is_not() {
    let house = house();
    let old = house.queue().await;
    house.until_status(old, MailStatus::Sent).await;
    let others = house.folder.path().join("mail/notes.eml");
    std::fs::write(&others, "mine").unwrap();
    let clock = house.app.clock.clone();
    clock.set(clock.now() + chrono::Duration::days(20));
    let young = house.queue().await;
    house.until_status(young, MailStatus::Sent).await;
    clock.set(clock.now() + chrono::Duration::days(11));
    assert_eq!(house.app.data.store.write(|tx| purge(tx, 30)).await.unwrap(), 1);
    purge_files(house.folder.path(), 30, clock.now()).await.unwrap();
    let listed = house.app.data.store.read(|tx| list(tx, Page { limit: 50, offset: 0 })).await.unwrap();
    assert_eq!((listed.0[0].id, listed.1), (young, 1));
    assert!(house.files().len() == 2 && others.exists(), "{:?}", house.files());
    house.app.data.store.write(move |tx| remove(tx, young)).await.unwrap();
    let gone = house.app.data.store.read(move |tx| find(tx, young)).await.unwrap_err();
    assert_eq!(gone.kind, Kind::NotFound);
    house.end().await;
}

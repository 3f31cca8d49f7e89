//! Files that go with mails, and the way out of them.

use std::process::Command;

use super::*;
use crate::blobs::{self, BlobId};
use crate::store::Schema;
use crate::store::open::Options;
use crate::{auth, jobs, store};

const LINK: &str = "https://shop.example/leave?token=3f9a";

/// A house on a folder of its own, in which files lie.
fn house(mail: config::Mail) -> House {
    let (clock, events, folder) = (Clock::fixed(draw_night()), Events::default(), TempDir::new().unwrap());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = Schema::default()
        .with(store::TABLES, &[], &[])
        .with(jobs::TABLES, jobs::MIGRATIONS, &[])
        .with(auth::TABLES, &[], &[])
        .with(blobs::TABLES, &[], &[])
        .with(TABLES, &[], &[]);
    let (store, _) = Store::open(folder.path(), &options, schema, clock.clone(), events.clone()).unwrap();
    House::on(store, events, &clock, mail, folder)
}

async fn put(house: &House, bytes: &[u8]) -> BlobId {
    house.app.data.blobs.put(bytes.to_vec()).await.unwrap().blob.id.clone()
}

async fn queue_with(house: &House, files: Vec<Attached>, way_out: Option<&'static str>) -> Result<u64> {
    let queued = house.app.data.store.write(move |tx| {
        let letter = files.into_iter().fold(test_letter(tx, Language::Ko, "hanok.lan")?, Letter::with_file);
        let letter = way_out.map_or(Ok(letter.clone()), |link| letter.left_at(link))?;
        Ok(super::queue(tx, &EmailAddress::parse(TO).unwrap(), None, letter)?.id)
    });
    queued.await
}

/// What another program reads of a mail.
fn read(mail: &str) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.eml");
    std::fs::write(&path, mail).unwrap();
    let program = "import sys,email\nfrom email import policy\n\
        m=email.message_from_file(open(sys.argv[1],newline=''),policy=policy.default)\n\
        print(m['List-Unsubscribe'],m['List-Unsubscribe-Post'])\n\
        print(m.get_body(('plain',)).get_content_type(),m.get_body(('html',)).get_content_type())\n\
        [print(a.get_filename(),a.get_content_type(),a.get_payload(decode=True)) for a in m.iter_attachments()]";
    let ran =
        Command::new("python3").args(["-c", program]).arg(&path).env("PYTHONIOENCODING", "utf-8").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[tokio::test]
async fn files_arrive_under_their_names_with_every_byte_and_the_way_out_in_the_head() {
    let server = Server::begin(MailSecurity::None).await;
    let house = house(through(&server));
    let (paper, note) = (put(&house, b"%PDF-1.7\n\xea\r\n.\r\n").await, put(&house, "메모\n.\n".as_bytes()).await);
    let files = vec![Attached::new("견적서 42.pdf", paper), Attached::new("note.txt", note)];
    let id = queue_with(&house, files, Some(LINK)).await.unwrap();
    house.until_status(id, MailStatus::Sent).await;
    let expected = format!(
        "<{LINK}> List-Unsubscribe=One-Click\ntext/plain text/html\n\
         견적서 42.pdf application/pdf b'%PDF-1.7\\n\\xea\\r\\n.\\r\\n'\n\
         note.txt text/plain b'\\xeb\\xa9\\x94\\xeb\\xaa\\xa8\\n.\\n'\n"
    );
    assert_eq!(read(&server.taken()[0]), expected);
    // One that answers what somebody did has neither.
    let plain = house.queue().await;
    house.until_status(plain, MailStatus::Sent).await;
    assert_eq!(read(&server.taken()[1]), "None None\ntext/plain text/html\n");
    house.end().await;
}

#[tokio::test]
async fn killed_before_it_goes_out_or_sent_again_a_mail_has_its_files_and_goes_once() {
    let server = Server::begin(MailSecurity::None).await;
    server.once("DATA", Act::Hang);
    let house = house(through(&server));
    let file = put(&house, b"%PDF-1.7").await;
    let id = queue_with(&house, vec![Attached::new("견적서.pdf", file)], Some(LINK)).await.unwrap();
    server.until("DATA", 1).await;
    let house = house.killed().await;
    house.until_status(id, MailStatus::Sent).await;
    house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap();
    server.until(".", 2).await;
    house.until_status(id, MailStatus::Sent).await;
    let taken = server.taken();
    assert_eq!((taken.len(), read(&taken[0])), (2, read(&taken[1])));
    assert!(read(&taken[0]).contains("견적서.pdf application/pdf b'%PDF-1.7'"), "{}", taken[0]);
    house.end().await;
}

#[tokio::test]
async fn a_file_stays_as_long_as_the_mail_that_it_goes_with_and_one_that_changed_is_not_sent() {
    let house = house(config::Mail::default());
    let file = put(&house, b"%PDF-1.7").await;
    let unused = || house.app.data.store.read_now(|tx| Ok(blobs::totals(tx)?.unused_files)).unwrap();
    assert_eq!(unused(), 1);
    let id = queue_with(&house, vec![Attached::new("a.pdf", file.clone())], None).await.unwrap();
    assert_eq!(unused(), 0);
    house.until_status(id, MailStatus::Sent).await;
    assert_eq!(house.files().len(), 1);
    assert_eq!(unused(), 0);
    // The same length, another byte.
    std::fs::write(house.app.data.blobs.path(&file).unwrap(), b"%PDF-1.8").unwrap();
    house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap();
    let failed = house.until_status(id, MailStatus::Failed).await;
    assert!(failed.message.unwrap().contains("is not what it was"));
    house.app.data.store.write(move |tx| remove(tx, id)).await.unwrap();
    assert_eq!(unused(), 1);
    house.end().await;
}

#[tokio::test]
async fn what_no_mail_may_have_is_refused_and_no_mail_is_queued() {
    let house = house(config::Mail::default());
    let (half, note) = (put(&house, &vec![1; 8 << 20]).await, put(&house, b"a note").await);
    let of = |file: &BlobId| Attached::new("a", file.clone());
    let large = queue_with(&house, vec![of(&half), of(&half)], None).await.unwrap_err();
    let many = queue_with(&house, vec![of(&note); 21], None).await.unwrap_err();
    let gone = queue_with(&house, vec![of(&BlobId::parse(&"0".repeat(64)).unwrap())], None).await.unwrap_err();
    assert_eq!([large.kind, many.kind, gone.kind], [Kind::TooLarge, Kind::TooLarge, Kind::NotFound]);
    assert_eq!(queue_with(&house, vec![], Some("http://shop.example")).await.unwrap_err().kind, Kind::Internal);
    let listed = house.app.data.store.read(|tx| list(tx, Page { limit: 50, offset: 0 })).await.unwrap();
    assert_eq!(listed.1, 0);
    house.end().await;
}

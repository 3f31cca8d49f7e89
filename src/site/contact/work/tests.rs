use super::*;
use hanok_base::{Clock, Kind};
use hanok_platform::events::Events;
use hanok_platform::store::Store;

fn details() -> RequestDetails {
    RequestDetails {
        name: "김지우".to_owned(),
        email: "jiwoo@example.com".to_owned(),
        message: "첫 줄\n<script>alert(1)</script>".to_owned(),
        phone: "010-1234-5678".to_owned(),
        service: "웹사이트".to_owned(),
        budget: "미정".to_owned(),
        ..RequestDetails::default()
    }
}

fn owner() -> Owner {
    let to = EmailAddress::parse("owner@example.com").unwrap();
    Owner { to, language: Language::Ko, chat: Arc::default() }
}

fn world() -> Store {
    Store::memory(Clock::held("2026-10-10T03:00:00Z".parse().unwrap()), Events::default()).unwrap()
}

/// How many requests, mails and mails to be sent there are.
fn kept(store: &Store) -> (u64, u64, u64) {
    let whole = Page { limit: 500, offset: 0 };
    store
        .read_now(|tx| Ok((store::list(tx, None, whole)?.1, mail::list(tx, whole)?.1, mail::counts(tx)?.waiting)))
        .unwrap()
}

#[tokio::test]
async fn a_request_and_its_two_mails_are_saved_together() {
    let store = world();
    let received = store.write(|tx| receive(tx, details(), &owner(), "https://shop.example")).await.unwrap();
    assert_eq!(received.track_url, format!("https://shop.example/contact/{}", received.public_token));
    assert_eq!(kept(&store), (1, 2, 2));
    let mails = store.read_now(|tx| mail::list(tx, Page { limit: 9, offset: 0 })).unwrap().0;
    let named: Vec<_> = mails.iter().map(|mail| (mail.kind.as_str(), mail.to.as_str())).collect();
    assert_eq!(named, [("contact_notice", "owner@example.com"), ("contact_receipt", "jiwoo@example.com")]);
}

#[tokio::test]
async fn where_a_mail_cannot_be_written_or_the_transaction_fails_nothing_is_saved() {
    let store = world();
    // A link that leads to no web page makes no letter, after the row was written.
    let unwritten = store.write(|tx| receive(tx, details(), &owner(), "javascript:")).await.unwrap_err();
    assert_eq!((unwritten.kind, kept(&store)), (Kind::Internal, (0, 0, 0)));
    let failed = store.write(|tx| {
        receive(tx, details(), &owner(), "https://shop.example")?;
        Err::<(), Error>(Error::internal("the disk went away"))
    });
    failed.await.unwrap_err();
    assert_eq!(kept(&store), (0, 0, 0));
}

#[test]
fn the_receipt_is_in_the_language_of_the_customer_and_names_what_was_written_and_the_link() {
    let korean = receipt(&details(), "https://shop.example/contact/word").unwrap();
    assert_eq!(korean.subject, "김지우 님의 요청을 받았습니다");
    assert!(korean.text.contains("분야: 웹사이트\n예산: 미정\n\n첫 줄\n<script>alert(1)</script>"), "{}", korean.text);
    assert!(korean.text.contains("진행 상황 보기\nhttps://shop.example/contact/word"), "{}", korean.text);
    assert!(!korean.html.contains("<script") && korean.html.contains("&lt;script&gt;"));
    let english = RequestDetails { language: RequestLanguage::En, name: "A & B\r\nBcc: x".to_owned(), ..details() };
    let english = receipt(&english, "https://shop.example/contact/word").unwrap();
    assert_eq!(english.subject, "We have received your request, A & B  Bcc: x", "plain, in one line");
    assert!(english.text.contains("About: 웹사이트\nBudget: 미정\n"), "{}", english.text);
    assert!(english.text.contains("Follow your request\nhttps://shop.example/contact/word"), "{}", english.text);
}

#[test]
fn the_notice_tells_the_owner_in_both_languages_how_to_reach_the_customer_and_never_the_link() {
    let korean = notice(&details(), Language::Ko).unwrap();
    assert_eq!(korean.subject, "새 요청: 김지우");
    assert!(korean.text.contains("메일: jiwoo@example.com\n전화: 010-1234-5678\n"), "{}", korean.text);
    let english = notice(&details(), Language::En).unwrap();
    assert_eq!(english.subject, "New request from 김지우");
    assert!(english.text.contains("Mail: jiwoo@example.com\nTelephone: 010-1234-5678\n"), "{}", english.text);
    for letter in [korean, english] {
        assert!(!letter.html.contains("href") && !letter.html.contains("<script"), "{}", letter.html);
    }
}

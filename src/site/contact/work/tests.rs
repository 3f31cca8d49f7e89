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

fn built_in() -> ContactSettings {
    ContactSettings::default()
}

fn moved(details: &RequestDetails, to: Status, message: &str, link: Option<&str>) -> Result<mail::Letter> {
    letters::moved(details, Told::moved(to), to, message, link)
}

fn owner() -> Owner {
    let to = EmailAddress::parse("owner@example.com").unwrap();
    Owner { to, chat: Arc::default(), contact: Arc::default() }
}

/// The desk of a shop at this address.
fn desk(address: Option<&str>) -> Desk {
    let (by, address) = ("minseo".to_owned(), address.map(str::to_owned));
    Desk { by, address, chat: Arc::default(), contact: Arc::default() }
}

fn world() -> Store {
    Store::memory(Clock::fixed("2026-10-10T03:00:00Z".parse().unwrap()), Events::default()).unwrap()
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
    let received = store.write(|tx| receive(tx, details(), &owner(), "https://shop.example", true)).await.unwrap();
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
    let unwritten = store.write(|tx| receive(tx, details(), &owner(), "javascript:", true)).await.unwrap_err();
    assert_eq!((unwritten.kind, kept(&store)), (Kind::Internal, (0, 0, 0)));
    let failed = store.write(|tx| {
        receive(tx, details(), &owner(), "https://shop.example", true)?;
        Err::<(), Error>(Error::internal("the disk went away"))
    });
    failed.await.unwrap_err();
    assert_eq!(kept(&store), (0, 0, 0));
}

#[test]
fn the_receipt_is_in_the_language_of_the_customer_and_says_no_word_that_a_stranger_wrote() {
    let written = RequestDetails { project_type: "win at evil.example".to_owned(), ..details() };
    let korean = receipt(&written, built_in().choices(), "https://shop.example/contact/word").unwrap();
    assert_eq!(korean.subject, "의뢰를 받았습니다");
    assert!(korean.text.contains("\n\n분야: 웹사이트\n예산: 미정\n\n"), "{}", korean.text);
    assert!(korean.text.contains("진행 상황 보기\nhttps://shop.example/contact/word"), "{}", korean.text);
    let english = RequestDetails { language: Language::En, ..written };
    let english = receipt(&english, built_in().choices(), "https://shop.example/contact/word").unwrap();
    assert_eq!(english.subject, "We have received your request");
    assert!(english.text.contains("About: Website\nBudget: Not decided\n"), "{}", english.text);
    assert!(english.text.contains("Follow your request\nhttps://shop.example/contact/word"), "{}", english.text);
    for letter in [korean, english] {
        for word in ["김지우", "첫 줄", "alert(1)", "evil.example", "010-1234-5678"] {
            assert!(!letter.text.contains(word) && !letter.html.contains(word), "{word}: {}", letter.text);
        }
    }
    let bare = RequestDetails { service: String::new(), budget: String::new(), ..details() };
    assert!(
        !receipt(&bare, built_in().choices(), "https://shop.example/contact/word").unwrap().text.contains("\n\n\n")
    );
}

#[tokio::test]
async fn a_request_beyond_what_its_address_gets_in_a_day_is_saved_without_a_receipt() {
    let store = world();
    store.write(|tx| receive(tx, details(), &owner(), "https://shop.example", false)).await.unwrap();
    assert_eq!(kept(&store), (1, 1, 1));
}

#[tokio::test]
async fn a_request_that_is_removed_takes_its_mails_along_and_no_other_s() {
    let store = world();
    let gone = store.write(|tx| receive(tx, details(), &owner(), "https://shop.example", true)).await.unwrap();
    let stays = store.write(|tx| receive(tx, details(), &owner(), "https://shop.example", true)).await.unwrap();
    store
        .write({
            let id = gone.id.clone();
            move |tx| move_on(tx, &desk(None), &id, Status::Reviewing, "").map(drop)
        })
        .await
        .unwrap();
    assert_eq!(kept(&store), (2, 5, 5));
    store.write(move |tx| shares::remove(tx, &gone.id)).await.unwrap();
    assert_eq!(kept(&store), (1, 2, 2));
    assert!(store.read_now(move |tx| store::find(tx, &stays.id)).is_ok());
}

#[test]
fn the_notice_tells_the_owner_in_both_languages_how_to_reach_the_customer_and_never_the_link() {
    let korean = notice(&details(), built_in().choices(), Language::Ko).unwrap();
    assert_eq!(korean.subject, "새 의뢰: 김지우");
    assert!(korean.text.contains("메일: jiwoo@example.com\n전화: 010-1234-5678\n"), "{}", korean.text);
    let english = notice(&details(), built_in().choices(), Language::En).unwrap();
    assert_eq!(english.subject, "New request from 김지우");
    assert!(english.text.contains("Mail: jiwoo@example.com\nTelephone: 010-1234-5678\n"), "{}", english.text);
    for letter in [korean, english] {
        assert!(!letter.html.contains("href") && !letter.html.contains("<script"), "{}", letter.html);
    }
}

#[tokio::test]
async fn a_link_of_the_receipt_leads_to_the_page_in_the_language_of_the_request() {
    let store = world();
    let english = RequestDetails { language: Language::En, ..details() };
    let received = store.write(|tx| receive(tx, english, &owner(), "https://shop.example", true)).await.unwrap();
    assert_eq!(received.track_url, format!("https://shop.example/en/contact/{}", received.public_token));
}

#[test]
fn the_mail_of_a_move_has_a_link_unless_it_was_ended() {
    let english = RequestDetails { language: Language::En, ..details() };
    let link = "https://shop.example/en/contact/word";
    let letter = moved(&english, Status::Quoted, "", Some(link)).unwrap();
    assert!(letter.text.contains(&format!("Follow your request\n{link}\n")), "{}", letter.text);
    assert!(letter.html.contains(&format!("href=\"{link}\"")), "{}", letter.html);
    let korean = moved(&details(), Status::Quoted, "", Some("https://shop.example/contact/word")).unwrap();
    assert!(korean.text.contains("진행 상황 보기\nhttps://shop.example/contact/word\n"), "{}", korean.text);
    for details in [english, details()] {
        let without = moved(&details, Status::Quoted, "", None).unwrap();
        assert!(!without.text.contains("://") && !without.html.contains("href"), "{}", without.text);
    }
}

#[test]
fn the_mail_of_a_move_says_that_work_goes_on_only_where_it_does() {
    let english = RequestDetails { language: Language::En, ..details() };
    for (to, ko, en) in [
        (Status::Reviewing, "의뢰하신 일이 다음 단계로 갔습니다.", "your request has moved on."),
        (Status::OnHold, "의뢰하신 일을 잠시 멈추었습니다.", "your request is on hold for now."),
        (Status::Completed, "의뢰하신 일이 끝났습니다.", "your request is done."),
        (Status::Cancelled, "의뢰가 취소되었습니다.", "your request was cancelled."),
    ] {
        for link in [Some("https://shop.example/contact/word"), None] {
            let korean = moved(&details(), to, "", link).unwrap();
            assert!(korean.text.contains(&format!("김지우 님, {ko}")), "{}", korean.text);
            let english = moved(&english, to, "", link).unwrap();
            assert!(english.text.contains(&format!("김지우, {en}")), "{}", english.text);
        }
    }
}

#[tokio::test]
async fn the_link_of_later_mails_is_one_and_ends_with_that_of_the_receipt() {
    let store = world();
    let received = store.write(|tx| receive(tx, details(), &owner(), "https://shop.example", true)).await.unwrap();
    let given = async || {
        let id = received.id.clone();
        store.write(move |tx| follow::word_of_mails(tx, &store::find(tx, &id)?)).await.unwrap()
    };
    let opens = |word: &str| {
        let word = word.to_owned();
        store.read_now(move |tx| follow::find_by_token(tx, &word)).map(|request| request.id).ok()
    };
    let word = given().await.unwrap();
    assert_eq!(given().await.as_ref(), Some(&word), "each mail says the same");
    assert_eq!([opens(&word), opens(&received.public_token)], [Some(received.id.clone()), Some(received.id.clone())]);
    let unsealed = word.split('.').next().unwrap();
    assert_eq!([opens(unsealed), opens(&format!("{word}x"))], [None, None]);
    assert!(
        store
            .read_now({
                let word = word.clone();
                move |tx| Ok(shares::find_shared(tx, &word).is_err())
            })
            .unwrap(),
        "a link of one purpose opens nothing of another"
    );
    let id = received.id.clone();
    let renewed = store.write(move |tx| shares::renew_link(tx, &id)).await.unwrap();
    assert_eq!([opens(&word), opens(&received.public_token), opens(&renewed)], [None, None, Some(received.id.clone())]);
    let word = given().await.unwrap();
    assert!(opens(&word).is_some());
    let id = received.id.clone();
    store.write(move |tx| shares::end_link(tx, &id)).await.unwrap();
    assert_eq!((opens(&word), given().await), (None, None), "no later mail opens it again");
}

#[tokio::test]
async fn a_move_is_mailed_without_a_link_where_nobody_knows_where_the_customer_reaches_the_site() {
    let store = world();
    let mailed = async |address: Option<&'static str>| {
        let moved = store.write(move |tx| {
            let (request, _) = store::add(tx, details())?;
            move_on(tx, &desk(address), &request.id, Status::Reviewing, "")
        });
        moved.await.unwrap();
        store.read_now(|tx| mail::list(tx, Page { limit: 1, offset: 0 })).unwrap().0.remove(0).kind
    };
    assert_eq!(mailed(None).await, "contact_moved_unlinked");
    assert_eq!(mailed(Some("https://shop.example")).await, "contact_moved");
}

#[test]
fn what_the_desk_says_with_a_move_stands_in_its_mail_as_text() {
    let letter = moved(&details(), Status::Quoted, "내일 <b>전화</b> 드리겠습니다.", None).unwrap();
    assert!(letter.text.contains("현재 상태: 견적 발송\n\n내일 <b>전화</b> 드리겠습니다.\n"), "{}", letter.text);
    assert!(letter.html.contains("내일 &lt;b&gt;전화"), "{}", letter.html);
    let without = moved(&details(), Status::Quoted, "", None).unwrap();
    assert!(!without.text.contains("\n\n\n") && !without.html.contains("<p></p>"), "{}", without.html);
}

/// The kinds of the mails about a request of which nothing else is known, newest first.
fn kinds(store: &Store) -> Vec<String> {
    let mails = store.read_now(|tx| mail::list(tx, Page { limit: 9, offset: 0 })).unwrap().0;
    mails.into_iter().map(|mail| mail.kind).collect()
}

#[tokio::test]
async fn a_step_that_is_taken_back_takes_back_its_mail_that_waits_and_is_told_only_with_words() {
    let clock = Clock::fixed("2026-10-10T03:00:00Z".parse().unwrap());
    let store = Store::memory(clock.clone(), Events::default()).unwrap();
    let id = store.write(|tx| store::add(tx, details())).await.unwrap().0.id;
    let step = async |is_undo: bool, to: Status, message: &'static str| {
        clock.set(clock.now() + chrono::Duration::minutes(1));
        let id = id.clone();
        let way = if is_undo { undo } else { move_on };
        store.write(move |tx| way(tx, &desk(None), &id, to, message)).await
    };
    step(false, Status::Reviewing, "").await.unwrap();
    step(false, Status::Cancelled, "").await.unwrap();
    assert_eq!(kinds(&store).len(), 2);
    let back = step(true, Status::Reviewing, "").await.unwrap();
    assert_eq!((back.status, back.updated_at), (Status::Reviewing, clock.now()));
    assert_eq!(kinds(&store), ["contact_moved_unlinked"], "that of the first step stays, and nothing new is said");
    let again = step(true, Status::Reviewing, "").await.unwrap_err();
    assert_eq!(again.kind, Kind::Conflict, "who does the same a moment later takes back no other step");
    step(true, Status::Pending, "잘못 눌렀습니다.").await.unwrap();
    assert_eq!(kinds(&store), ["contact_moved_unlinked"], "one mail in the place of the other");
    assert_eq!(step(true, Status::Pending, "").await.unwrap_err().kind, Kind::Conflict, "nothing is left");
    step(false, Status::Reviewing, "").await.unwrap();
    step(false, Status::Cancelled, "").await.unwrap();
    step(true, Status::Reviewing, "잘못 취소했습니다.").await.unwrap();
    assert_eq!(kinds(&store).len(), 3, "the two corrections and the step that holds");
    step(true, Status::Pending, "").await.unwrap();
    assert_eq!(kinds(&store).len(), 2, "the corrections stay where the step before is taken back, too");
    let letter = letters::moved(&details(), Told::CORRECTED, Status::Pending, "잘못 눌렀습니다.", None).unwrap();
    assert!(
        letter.text.contains("김지우 님, 의뢰의 상태를 바로잡았습니다.\n\n현재 상태: 접수\n\n잘못"),
        "{}",
        letter.text
    );
}

#[tokio::test]
async fn what_was_said_of_a_removed_request_by_chat_goes_with_it_and_nothing_else() {
    let store = world();
    let chat = Arc::new(ChatSettings {
        token: hanok_base::Secret::new("123456789:AAE".to_owned()),
        owner: "6000000001".to_owned(),
        ..ChatSettings::default()
    });
    let add = async || {
        let owner = Owner { chat: Arc::clone(&chat), ..owner() };
        store.write(move |tx| receive(tx, details(), &owner, "https://shop.example", true)).await.unwrap().id
    };
    let (gone, _stays) = (add().await, add().await);
    let waiting = || store.read_now(|tx| Ok(chat::counts(tx)?.waiting)).unwrap();
    assert_eq!(waiting(), 2);
    store.write(move |tx| shares::remove(tx, &gone)).await.unwrap();
    assert_eq!(waiting(), 1);
}

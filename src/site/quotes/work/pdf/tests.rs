use std::cell::Cell;

use super::super::super::model::{Category, Phase, QuoteStatus, Task, totals};
use super::*;
use hanok_base::Error;
use hanok_base::money::Amount;

fn item(number: usize, optional: bool) -> Item {
    Item {
        id: format!("item-{number}"),
        category: Category::Development,
        name: format!("예약 화면 {number}"),
        description: "달력, 시간대 관리, 메일 알림까지 포함합니다.".to_owned(),
        quantity: "1.5".parse::<Amount>().unwrap(),
        unit_price: Krw::new(200_000).unwrap(),
        optional,
    }
}

fn phase(number: usize) -> Phase {
    let task = |index: usize| Task {
        id: format!("task-{number}-{index}"),
        name: format!("할 일 {index}"),
        duration: "3일".to_owned(),
        description: "초안을 만들고 함께 검토합니다.".to_owned(),
    };
    Phase { id: format!("phase-{number}"), phase: format!("단계 {number}"), tasks: (1..=3).map(task).collect() }
}

fn plan() -> Plan {
    Plan {
        id: "plan-1".to_owned(),
        name: "기본 관리".to_owned(),
        period: "12개월".to_owned(),
        monthly_fee: Krw::new(50_000).unwrap(),
        includes: vec!["보안 업데이트".to_owned(), "월 1회 점검".to_owned()],
        recommended: true,
    }
}

/// A quote of so many lines and phases; every fifth line is optional.
fn quote(items: usize, phases: usize) -> PublicQuote {
    let content = QuoteContent {
        title: "예약 관리 웹사이트 구축".to_owned(),
        client_name: "예시 고객".to_owned(),
        language: Language::Ko,
        valid_until: NaiveDate::from_ymd_opt(2026, 10, 20),
        wbs: (1..=phases).map(phase).collect(),
        items: (1..=items).map(|number| item(number, number.is_multiple_of(5))).collect(),
        maintenance: vec![plan()],
        discount: Krw::ZERO,
        vat: Vat::Excluded,
        notes: "착수금 50%, 납품 후 50%입니다.\n하자 보수는 3개월입니다.".to_owned(),
    };
    let at = "2026-10-10T03:00:00Z".parse().unwrap();
    PublicQuote {
        id: "0199c7".to_owned(),
        number: 12,
        status: QuoteStatus::Sent,
        expired: false,
        can_decide: true,
        revision: 2,
        hash: "ab".repeat(32),
        totals: totals(&content, &[]).unwrap(),
        content,
        created_at: at,
        sent_at: Some(at),
        decision: None,
    }
}

fn accepted(mut quote: PublicQuote) -> PublicQuote {
    let selected: Vec<String> = vec!["item-5".to_owned()];
    quote.status = QuoteStatus::Accepted;
    quote.decision = Some(PublicDecision {
        accepted: true,
        at: "2026-10-12T05:06:07Z".parse().unwrap(),
        totals: totals(&quote.content, &selected).unwrap(),
        selected_items: selected,
        selected_maintenance: Some("plan-1".to_owned()),
        reason: String::new(),
        hash: "cd".repeat(32),
    });
    quote
}

fn shop() -> PdfShop<'static> {
    let particulars = vec![("상호", "예시 상점"), ("대표", "홍길동"), ("사업자등록번호", "124-81-00998")];
    PdfShop { name: "예시 상점", particulars }
}

fn made(quote: &PublicQuote, language: Language) -> Vec<u8> {
    let pdf = render(&shop(), quote, language, &|| Ok(())).unwrap();
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    pdf
}

/// How many pages a file has: objects of that type, which the writer leaves uncompressed.
fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.matches("/Type /Page\n").count() + text.matches("/Type/Page/").count()
}

#[test]
fn the_same_quote_is_the_same_file_in_either_language() {
    let short = accepted(quote(5, 2));
    for language in [Language::Ko, Language::En] {
        let pdf = made(&short, language);
        assert_eq!(pdf, made(&short, language));
        assert_eq!(pages(&pdf), 2);
    }
}

#[test]
fn after_a_decision_every_choice_is_said_in_the_words_of_the_page() {
    let mut quote = accepted(quote(10, 1));
    quote.content.maintenance.push(Plan { id: "plan-2".to_owned(), ..plan() });
    let said = |quote: &PublicQuote, language| {
        Writer::of(&shop(), quote, language, &|| Ok(())).unwrap().sheet.texts().join("\n")
    };
    let korean = said(&quote, Language::Ko);
    let of = |text: &str| korean.matches(text).count();
    // Lines 5 and 10 are optional, of which 5 was chosen; of two plans the first.
    assert_eq!((of("(선택함)"), of("(선택하지 않음)"), of("(선택)"), of("(추천)")), (2, 2, 0, 0), "{korean}");
    for shown in ["진행 단계", "확인 번호(SHA-256)", "수락한 견적"] {
        assert!(korean.contains(shown), "{shown}: {korean}");
    }
    assert!(said(&quote, Language::En).contains("Confirmation code"));
    let decision = quote.decision.as_mut().unwrap();
    (decision.accepted, decision.selected_items, decision.selected_maintenance) = (false, Vec::new(), None);
    let declined = said(&quote, Language::Ko);
    assert_eq!(declined.matches("(선택하지 않음)").count(), 4, "{declined}");
    quote.decision = None;
    let open = said(&quote, Language::Ko);
    assert_eq!(
        (open.matches("(선택)").count(), open.matches("(추천)").count()),
        (3, 2),
        "the note says it, too: {open}"
    );
}

#[test]
fn a_long_quote_goes_on_over_pages() {
    // 100 lines of 31 points and 30 phases of 104, on pages of 730, with the head, a plan and the notes.
    assert_eq!(pages(&made(&quote(100, 30), Language::Ko)), 10);
}

#[test]
fn what_nobody_waits_for_any_more_ends_within_the_lines_and_within_the_pages() {
    let long = quote(40, 30);
    for most in [5, 60, 132] {
        let asked = Cell::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            if asked.get() > most { Err(Error::internal("nobody waits")) } else { Ok(()) }
        };
        assert!(render(&shop(), &long, Language::Ko, &go_on).is_err());
        assert_eq!(asked.get(), most + 1);
    }
}

#[test]
fn whatever_stands_in_it_a_file_is_made() {
    let strange = [
        "가".repeat(5_000),
        "x".repeat(5_000),
        "\n".repeat(2_000),
        "👩\u{200d}💻 🇰🇷 \u{202e}evil\u{202c} שלום مرحبا 漢字 \u{0}\u{1b}[0m \u{e000} \u{10ffff}".to_owned(),
        " ".repeat(300),
        String::new(),
    ];
    for text in strange {
        let mut quote = accepted(quote(2, 1));
        let content = &mut quote.content;
        content.title = text.clone();
        content.client_name = text.clone();
        content.notes = text.clone();
        for item in &mut content.items {
            item.name = text.clone();
            item.description = text.clone();
            item.quantity = "99999999999.123".parse().unwrap();
        }
        content.wbs[0].phase = text.clone();
        content.wbs[0].tasks[0].duration = text.clone();
        content.wbs[0].tasks[1].description = text.clone();
        content.maintenance[0].includes = vec![text.clone(); 3];
        quote.decision.as_mut().unwrap().reason = text.clone();
        made(&quote, Language::Ko);
        render(&PdfShop { name: &text, particulars: vec![(&text, &text)] }, &quote, Language::En, &|| Ok(())).unwrap();
    }
    let mut empty = quote(0, 0);
    empty.content.maintenance = Vec::new();
    empty.content.notes = String::new();
    assert_eq!(pages(&made(&empty, Language::En)), 1);
}

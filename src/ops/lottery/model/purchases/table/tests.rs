use super::super::games::TierMode;
use super::super::{PurchaseChanges, PurchaseStatus};
use super::records::MOST_COLUMNS;
use super::*;

/// Saturday before draw 1246.
fn now() -> DateTime<Utc> {
    "2026-10-17T03:00:00Z".parse().unwrap()
}

fn refused(text: &str) -> Vec<(u64, LineReason)> {
    read_table(text, now()).refused.into_iter().map(|one| (one.line, one.reason)).collect()
}

fn read(text: &str) -> Vec<Purchase> {
    let table = read_table(text, now());
    assert_eq!(table.refused, []);
    table.purchases.into_iter().map(|read| read.purchase).collect()
}

#[test]
fn what_is_written_is_read_again_in_both_languages() {
    let mut bought = read("draw_no,numbers,note\n1246,1 2 3 4 5 6 / 7 8 9 10 11 12,\"동네, \"\"가게\"\"\n둘째 줄\"\n");
    bought.extend(read("회차;게임 수;금액\n1245회;5;5,000원\n"));
    for in_korean in [true, false] {
        let table = write_table(bought.iter(), in_korean).unwrap();
        assert!(table.starts_with('\u{feff}') && table.contains("\r\n"), "{table:?}");
        assert_eq!(read(&table), bought);
    }
    assert_eq!((bought[0].amount, bought[1].amount, bought[1].numbers_known), (2_000, 5_000, false));
}

#[test]
fn how_a_purchase_stands_and_its_tiers_are_written_in_the_words_of_the_language_and_read_in_both() {
    let mut bought = read("draw_no,count\n1245,3\n1245,5\n1246,10\n1246,20\n");
    bought[0].status = PurchaseStatus::Checked;
    bought[1].status = PurchaseStatus::Manual;
    for (purchase, mode) in bought.iter_mut().zip(TierMode::ALL) {
        purchase.tier_mode = Some(mode);
    }
    let last = |table: &str, column: &str| -> Vec<String> {
        let mut reader = csv::Reader::from_reader(table.trim_start_matches(MARK).as_bytes());
        let place = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
        reader.records().map(|line| line.unwrap()[place].to_owned()).collect()
    };
    let korean = write_table(bought.iter(), true).unwrap();
    assert_eq!(last(&korean, "상태"), ["확인함", "번호 모름", "결과 대기", "결과 대기"]);
    assert_eq!(last(&korean, "묶음"), ["핵심", "핵심 + 보너스", "핵심 + 보너스 + 확장", "전체"]);
    let english = write_table(bought.iter(), false).unwrap();
    assert_eq!(last(&english, "status"), ["checked", "manual", "waiting", "waiting"]);
    assert_eq!(last(&english, "tier_mode"), ["core", "core_bonus", "core_bonus_extended", "full"]);
    for table in [korean, english] {
        assert_eq!(read(&table).iter().map(|one| one.tier_mode.unwrap()).collect::<Vec<_>>(), TierMode::ALL);
    }
}

#[test]
fn a_tax_that_may_be_less_stands_in_no_cell() {
    let taxed = |tax_at_most| {
        let mut bought = read("draw_no,count,prize\n1245,2,3000000\n");
        (bought[0].tax, bought[0].tax_at_most) = (Some(659_780), tax_at_most);
        write_table(bought.iter(), false).unwrap()
    };
    assert!(taxed(false).contains(",3000000,659780,") && taxed(true).contains(",3000000,,"), "{}", taxed(true));
}

#[test]
fn cells_that_a_spreadsheet_would_work_out_are_made_harmless_and_come_back() {
    // What surrounds a note is taken away; in a cell of another hand it may begin one.
    for cell in ["=1", "+1", "-1", "@A1", "\t=1", "\r=1", "'=1", "''n"] {
        assert_eq!(harmless(cell.to_owned()), format!("'{cell}"));
        assert_eq!(as_written(&format!("'{cell}")), cell);
    }
    assert_eq!((harmless("1=1".to_owned()), as_written("'n")), ("1=1".to_owned(), "'n"));
    for note in ["=1+1", "+82", "-5", "@SUM(A1)", "'=1", "''=1", "'동네"] {
        let mut bought = read("draw_no,count\n1246,1\n");
        bought[0].note = note.to_owned();
        let table = write_table(bought.iter(), false).unwrap();
        assert!(table.contains(&format!(",'{note},")), "{table}");
        assert_eq!(read(&table)[0].note, note);
    }
}

#[test]
fn cells_are_told_apart_by_commas_semicolons_or_tabs_whichever_the_first_line_has() {
    for mark in [",", ";", "\t"] {
        let bought = read(&["draw_no", "count", "note\n1246", "2", "동네\n"].join(mark));
        assert_eq!((bought[0].count, bought[0].note.as_str()), (2, "동네"), "{mark:?}");
    }
}

#[test]
fn every_bad_line_is_named_by_its_number_and_why() {
    let text = "draw_no,numbers,count,amount,note,prize\n\
                1246,1 2 3 4 5 6,,,,\n\
                x,1 2 3 4 5 6,,,,\n\
                1246,1 2 3 4 5 46,,,,\n\
                1246,1 2 3 4 5 5,,,,\n\
                99999,,1,,,\n\
                1400,,1,,,\n\
                1246,,,,,\n\
                \n\
                1246,1 2 3 4 5 6,2,,,\n\
                1246,,1,-5,,\n\
                1246,,1,,,5000\n\
                1245,,0,,,\n";
    use LineReason::{Amount, Draw, Games, NotSold, Numbers, Prize};
    let expected = [
        (3, Draw),
        (4, Numbers),
        (5, Numbers),
        (6, Draw),
        (7, NotSold),
        (8, Games),
        (10, Games),
        (11, Amount),
        (12, Prize),
        (13, Games),
    ];
    assert_eq!(refused(text), expected);
    assert_eq!(read_table(text, now()).purchases.len(), 1);
    let long = format!("draw_no,count,note\n1246,1,{}\n", "가".repeat(501));
    assert_eq!(refused(&long), [(2, LineReason::Note)]);
}

#[test]
fn a_line_has_the_number_that_it_has_in_the_file_however_lines_end() {
    use LineReason::{Draw, Form, Header};
    for end in ["\n", "\r\n", "\r"] {
        let table = |lines: &[&str]| lines.join(end);
        assert_eq!(
            refused(&table(&["draw_no,count", "1241,5", "1243,x", "y,1", ""])),
            [(3, LineReason::Games), (4, Draw)]
        );
        assert_eq!(refused(&table(&["", "", "draw_no,count", "1241,5", "", "1243,5", "y,1"])), [(7, Draw)], "{end:?}");
        assert_eq!(refused(&table(&["", "draw_no;count", "1241;5", "y;1"])), [(4, Draw)], "{end:?}");
        assert_eq!(refused(&table(&["draw_no,count,note", "1241,5,\"a", "b\"", "y,1,"])), [(4, Draw)], "{end:?}");
        assert_eq!(
            refused(&table(&["draw_no,count,note", "1241,5,\"a", "b\"c", "y,1,"])),
            [(2, Form), (4, Draw)],
            "{end:?}"
        );
        assert_eq!(refused(&table(&["", "a,b", "1,2"])), [(2, Header)], "{end:?}");
    }
}

#[test]
fn a_line_that_may_not_be_bought_says_why() {
    use LineReason::{NotSold, Prize, Ticket};
    let text =
        "draw_no,count,prize,ticket\n1400,1,5000,\n1400,1,,1245-1288760331\n1246,1,5000,\n1246,1,,1245-1288760331\n";
    assert_eq!(refused(text), [(2, NotSold), (3, NotSold), (4, Prize), (5, Ticket)]);
}

#[test]
fn a_quote_that_is_not_closed_is_refused_and_swallows_no_line_unsaid() {
    let lines: String = (0..40).map(|n| format!("1201,2,n{n}\n")).collect();
    let open = |before: &str, after: &str| refused(&format!("draw_no,count,note\n{before}1200,1,\"우유 사고\n{after}"));
    assert_eq!(open("", &lines), [(2, LineReason::Form)]);
    assert_eq!(open(&lines, ""), [(42, LineReason::Form)], "in the last line");
    assert_eq!(open(&lines, &lines), [(42, LineReason::Form)], "in the middle");
    // The next quote of another line only seems to close it.
    assert_eq!(open("", "1201,2,\"n0\"\n1202,1,n1\n"), [(2, LineReason::Form)]);
    assert_eq!(refused(&format!("draw_no,count,\"note\n{lines}")), [(1, LineReason::Form)]);
    assert_eq!(refused("draw_no,count,note\n1200,1,\"\n"), [(2, LineReason::Form)]);
    // What is closed, or is no quote of a cell, is read.
    for note in ["\"우유,\n\n\"\"사고\"\"\"", "\"\"", "5\" 화면", "\"우유\" 사고", "\"둘\n\""] {
        let table = format!("draw_no,count,note\n1200,1,{note}\n1201,2,n\n");
        assert_eq!(read(&table).len(), 2, "{note}");
        assert_eq!(read(&table.replace('\n', "\r\n").replace(',', ";")).len(), 2, "{note}");
    }
}

#[test]
fn ticket_and_tiers_are_written_and_read_again() {
    let ticket = "1246-1288760331";
    let bought = read(&format!("draw_no,count,ticket,tier_mode\n1246,3,,core\n1246,5,{ticket},\n1246,20,,full\n"));
    assert_eq!((bought[0].tier_mode, bought[0].ticket.as_deref()), (Some(TierMode::Core), None));
    assert_eq!((bought[1].tier_mode, bought[1].ticket.as_deref()), (None, Some(ticket)));
    for in_korean in [true, false] {
        assert_eq!(read(&write_table(bought.iter(), in_korean).unwrap()), bought);
    }
    let bad = "draw_no,count,ticket,tier_mode\n1246,5,1245-1288760331,\n1246,5,x,\n1246,5,,core\n1246,3,,all\n";
    use LineReason::{Ticket, TierMode as Tiers};
    assert_eq!(refused(bad), [(2, Ticket), (3, Ticket), (5, Tiers)]);
    let twice = format!(
        "draw_no,count,prize,ticket\n1245,5,,1245-1288760331\n1245,5,5000,1245-1288760331\n1245,5,,1245-1288760331\n1246,5,,{ticket}\n"
    );
    assert_eq!(refused(&twice), [(3, LineReason::TicketTwice)]);
}

#[test]
fn what_was_changed_is_written_so_that_it_is_read_again() {
    let core = read("draw_no,count,tier_mode\n1246,3,core\n").remove(0);
    let sets = "draw_no,numbers,tier_mode\n1246,1 2 3 4 5 6 / 7 8 9 10 11 12 / 1 8 9 10 11 12,core\n";
    let known = read(sets).remove(0);
    let changed = |purchase: &Purchase, changes: &str| {
        let changes: PurchaseChanges = serde_json::from_str(changes).unwrap();
        let after = changes.apply(purchase.clone(), now()).unwrap();
        assert_eq!(read(&write_table(std::iter::once(&after), true).unwrap()).remove(0), after);
        after.tier_mode
    };
    let three = r#"{"sets":[[1,2,3,4,5,6],[7,8,9,10,11,12],[1,8,9,10,11,12]]}"#;
    let others = r#"{"sets":[[1,2,3,4,5,6],[7,8,9,10,11,12],[1,8,9,10,11,13]]}"#;
    let kept = Some(TierMode::Core);
    for (changes, of_counted, of_known) in [
        (r#"{"count":5}"#, None, None),
        (r#"{"numbers":[1,2,3,4,5,6]}"#, None, None),
        (others, kept, None),
        (three, kept, kept),
        (r#"{"count":3}"#, kept, kept),
        (r#"{"amount":1000,"note":"=1"}"#, kept, kept),
        (r#"{"draw_no":1240}"#, kept, kept),
    ] {
        assert_eq!((changed(&core, changes), changed(&known, changes)), (of_counted, of_known), "{changes}");
    }
    // Earlier programs wrote tiers of which there are not as many games.
    let line = read("draw_no,count,tier_mode\n1246,5,core\n").remove(0);
    assert_eq!((line.count, line.tier_mode), (5, None));
}

#[test]
fn a_purchase_keeps_the_time_at_which_it_was_written_down() {
    let at = |cell: &str| read(&format!("draw_no,count,created_at\n1240,1,{cell}\n"))[0].created_at.to_rfc3339();
    assert_eq!(at("2026-08-30T23:59:59Z"), "2026-08-30T23:59:59+00:00");
    assert_eq!(at("2026-08-31T08:59:59+09:00"), "2026-08-30T23:59:59+00:00");
    assert_eq!(at("2026-08-31"), "2026-08-30T15:00:00+00:00", "a day of Asia/Seoul");
    assert_eq!(at("2002-12-01T15:00:00Z"), "2002-12-01T15:00:00+00:00");
    for cell in
        ["2026/8/31", "2026. 8. 31.", "2026-08-31 09:00", "2026년 8월 31일 오전 9시", "20260831", "20260831 0900"]
    {
        assert_eq!(at(cell), "2026-08-30T15:00:00+00:00", "{cell}");
    }
    assert_eq!(at(""), now().to_rfc3339());
    let refused = |cell: &str| refused(&format!("draw_no,count,created_at\n1240,1,{cell}\n"));
    for cell in ["2026-10-17T03:00:01Z", "2030-01-01", "2002-12-01T14:59:59Z", "0000-01-01", "9999-12-31", "20300101"] {
        assert_eq!(refused(cell), [(2, LineReason::WrittenWhen)], "no clock has shown it: {cell}");
    }
    for cell in ["y", "2026-02-30", "30/10/2026", "2026-10", "26-10-30", "20260230", "2026101"] {
        assert_eq!(refused(cell), [(2, LineReason::Written)], "{cell}");
    }
    let bought = read("draw_no,count,created_at\n1240,1,2026-08-31\n1246,2,\n");
    for in_korean in [true, false] {
        assert_eq!(read(&write_table(bought.iter(), in_korean).unwrap()), bought);
    }
}

#[test]
fn every_column_has_its_place_and_a_header_without_end_is_refused() {
    for (place, (column, ..)) in COLUMNS.into_iter().enumerate() {
        assert_eq!(column as usize, place, "{column:?}");
    }
    let with = |more: usize| format!("draw_no,count{}\n1246,1\n", ",".repeat(more));
    assert_eq!(read(&with(MOST_COLUMNS - 2)).len(), 1);
    assert_eq!(refused(&with(MOST_COLUMNS - 1)), [(1, LineReason::Header)]);
    assert_eq!(refused(&with(60_000)), [(1, LineReason::Header)]);
    let line = |more: usize| format!("draw_no,count\n1246,1{}\n1246,x\n", ",x".repeat(more));
    assert_eq!(refused(&line(MOST_COLUMNS - 2)), [(3, LineReason::Games)]);
    assert_eq!(refused(&line(MOST_COLUMNS - 1)), [(2, LineReason::Form), (3, LineReason::Games)]);
}

#[test]
fn a_table_without_its_columns_or_with_too_many_lines_is_refused_whole() {
    assert_eq!(refused(""), [(1, LineReason::Header)]);
    assert_eq!(refused("a,b\n1,2\n"), [(1, LineReason::Header)]);
    let long = format!("draw_no,count\n{}", "1246,1\n".repeat(MOST_LINES + 5));
    assert_eq!(refused(&long), [(MOST_LINES as u64 + 2, LineReason::TooMany)]);
    let bad = format!("draw_no,count\n{}", "x,1\n".repeat(200));
    let table = read_table(&bad, now());
    assert_eq!((table.refused.len(), table.refused_count), (MOST_NAMED, 200));
}

#[test]
fn a_table_is_read_no_further_than_somebody_waits_for_it() {
    let mut asked = 0;
    let read = read_table_while(&format!("draw_no,count\n{}", "1246,1\n".repeat(100)), now(), || {
        asked += 1;
        if asked <= 10 { Ok(()) } else { Err(asked) }
    });
    assert_eq!(read.map(|table| table.purchases.len()), Err(11));
}

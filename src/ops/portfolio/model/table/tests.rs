use super::*;

const GOOD: &str = "증권사,종목코드,종목명,수량,평균단가,통화,현재가,메모\n";

fn read_table(text: &str) -> Result<ReadTable> {
    super::read_table(text, || Ok(()))
}

fn rows(text: &str) -> Vec<ReadRow> {
    let table = read_table(text).unwrap();
    assert_eq!(table.refused, []);
    table.rows
}

fn reasons(lines: &str) -> Vec<(u64, TableReason)> {
    let table = read_table(&format!("{GOOD}{lines}")).unwrap();
    table.refused.into_iter().map(|refused| (refused.row, refused.reason)).collect()
}

#[test]
fn a_table_is_read_with_commas_semicolons_or_tabs_and_its_headings_in_either_language() {
    let korean =
        rows(&format!("\u{feff}{GOOD}가 증권,005930,삼성전자,\"1,234.5\",\"₩65,300\",KRW,\"71,500원\",장기\n"));
    let row = &korean[0];
    let number = |text: &str| text.parse::<Amount>().unwrap();
    assert_eq!((row.row, row.broker.as_str(), row.symbol.as_str()), (2, "가 증권", "005930"));
    assert_eq!((row.quantity, row.avg_price), (number("1234.5"), number("65300")));
    assert_eq!(
        (row.current_price, row.currency, row.note.as_str()),
        (Some(number("71500")), Some(Currency::KRW), "장기")
    );
    for sign in [";", "\t"] {
        let english = ["Broker", "Symbol", "Avg Price", "Quantity"].join(sign);
        let line = ["가 증권", "aapl", "180.25", "3"].join(sign);
        let row = &rows(&format!("{english}\r\n{line}\r\n\r\n"))[0];
        assert_eq!((row.symbol.as_str(), row.quantity, row.avg_price), ("AAPL", number("3"), number("180.25")));
    }
}

#[test]
fn the_korean_of_windows_is_read_and_what_is_no_text_is_refused() {
    let text = format!("{GOOD}가 증권,005930,삼성전자,10,65300,,,\n");
    let (cp949, _, _) = EUC_KR.encode(&text);
    assert!(std::str::from_utf8(&cp949).is_err());
    assert_eq!(rows(&decode(&cp949).unwrap())[0].name.as_deref(), Some("삼성전자"));
    assert_eq!(decode(text.as_bytes()).unwrap(), text);
    for broken in [&b"\xff\xff\xff"[..], b"a\0b"] {
        assert!(decode(broken).unwrap_err().fields.contains_key("file"));
    }
}

#[test]
fn each_row_that_is_not_understood_is_refused_by_its_line_with_why() {
    assert_eq!(
        reasons(
            ",005930,,1,1,,,\n가,삼성전자,,1,1,,,\n가,005930,,0,1,,,\n가,005930,,\"1,23\",1,,,\n가,005930,,1,\"1.234,5\",,,\n\
             가,005930,,1,,,,\n가,005930,,1,1,XXX,,\n가,005930,,1,1,,-5,\n가,005930,,1,1,KRW,5,좋음\nALL,005930,,1,1,,,\n"
        ),
        [
            (2, TableReason::Broker),
            (3, TableReason::Symbol),
            (4, TableReason::Quantity),
            (5, TableReason::Quantity),
            (6, TableReason::AvgPrice),
            (7, TableReason::AvgPrice),
            (8, TableReason::Currency),
            (9, TableReason::CurrentPrice),
            (11, TableReason::Broker),
        ]
    );
}

#[test]
fn a_table_without_its_columns_or_rows_is_refused_as_a_whole() {
    let refused = |text: &str| read_table(text).unwrap_err().to_string();
    assert!(refused("증권사,수량\n가,1\n").contains("종목코드, 평균단가"));
    for text in ["", GOOD, &format!("{GOOD}{}", "가,005930,,1,1,,,\n".repeat(1_001))] {
        assert!(read_table(text).is_err(), "{text:.60}");
    }
}

#[test]
fn a_table_of_too_many_columns_is_none_and_one_that_nobody_waits_for_is_not_read() {
    let wide = |columns: usize| {
        read_table(&format!("broker,symbol,quantity,avg_price{}\n가,005930,1,1\n", ",".repeat(columns - 4)))
    };
    assert_eq!(wide(MOST_COLUMNS).unwrap().rows.len(), 1);
    assert!(wide(MOST_COLUMNS + 1).unwrap_err().fields.contains_key("file"));
    let abandoned = || Err(Error::internal("nobody waits"));
    assert!(super::read_table(&format!("{GOOD}가,005930,,1,1,,,\n"), abandoned).unwrap_err().fields.is_empty());
}

#[test]
fn a_code_whose_zeros_a_spreadsheet_lost_is_known_again() {
    let symbol = |cell: &str| rows(&format!("{GOOD}가,{cell},,1,1,,,\n"))[0].symbol.clone();
    assert_eq!([symbol("5930"), symbol("A005930"), symbol("005930"), symbol("1")], ["005930", "005930", "005930", "1"]);
}

#[test]
fn what_is_written_comes_back_and_no_cell_is_a_formula() {
    let now = "2026-10-10T12:30:00Z".parse().unwrap();
    let number = |text: &str| text.parse::<Amount>().unwrap();
    let item = Holding {
        id: 1,
        broker: "=A1".to_owned(),
        symbol: "005930".to_owned(),
        market: Market::Kospi,
        name: "@sum, \"x\"".to_owned(),
        quantity: number("1234.5"),
        avg_price: number("0.1"),
        currency: Currency::KRW,
        buy_fx_rate: Some(number("1")),
        note: "'메모\n둘째 줄".to_owned(),
        created_at: now,
        updated_at: now,
        changes: 0,
    };
    for in_korean in [true, false] {
        let table = write_table([(&item, Some(number("71500")))].into_iter(), in_korean).unwrap();
        assert!(table.starts_with(MARK) && table.contains("'=A1") && table.contains("\"'@sum"), "{table}");
        let row = &rows(&table)[0];
        assert_eq!((&row.broker, row.name.as_ref(), &row.note), (&item.broker, Some(&item.name), &item.note));
        assert_eq!(
            (row.quantity, row.avg_price, row.current_price),
            (item.quantity, item.avg_price, Some(number("71500")))
        );
        assert_eq!((row.market, row.currency), (Some(Market::Kospi), Some(Currency::KRW)));
    }
}

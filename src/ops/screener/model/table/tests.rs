use super::*;

const DAY: &str = "\u{feff},Code,ISU_CD,Name,Market,Dept,Close,ChangeCode,Changes,ChagesRatio,Open,High,Low,Volume,Amount,Marcap,Stocks,MarketId
0,005930,KR7005930003,삼성전자,KOSPI,,208500,1,14600,7.53,200500,209000,199700,25148481,5153010769813,1234244506737000,5919637922,STK
1,0126Z0,KR70126Z0004,삼성에피스홀딩스,KOSDAQ GLOBAL,우량기업부,500,2,30,-5.66,510,520,500,10,5000,1,100,KSQ
2,123450,KR7123450009,쉬는 주식,KONEX,관리종목,140,0,0,0.0,0,0,0,0,0,1,100,KNX
3,12345,X,짧은 코드,KONEX,,140,1,0,0.0,1,1,1,1,1,1,100,KNX
4,123460,X,거꾸로,KONEX,,140,1,0,0.0,1,1,5,1,1,1,100,KNX
5,496320,KR7496320001,움직인 종가,KONEX,,613,1,1,0.16,0,0,0,0,0,1,100,KNX
";

const DATED: &str = "Date,Code,Name,Market,Close,ChangeCode,Changes,Open,High,Low,Volume,Stocks\n";

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, 18).unwrap()
}

fn read(name: &str, text: &str) -> Result<ListedDays> {
    read_table(name, text.as_bytes(), today(), || Ok(()))
}

#[test]
fn a_day_that_is_not_here_yet_or_before_the_exchange_opened_refuses_its_row() {
    let row = |day: &str| format!("{day},005930,A,KOSPI,1,0,0,0,0,0,0,1\n");
    let days = ["9999-12-31", "2026-03-19", "2026-03-18", "1956-01-01", "1955-12-31", "0000-01-01"].map(row);
    let found = [days[..3].concat(), days[3..].concat()].map(|rows| read("a.csv", &(DATED.to_owned() + &rows)));
    for found in found.map(Result::unwrap) {
        assert_eq!((found.counts().len(), found.refused), (1, 2), "{found:?}");
    }
    assert_eq!(read("2026-03-19.csv", DAY).unwrap_err().code(), "INVALID_INPUT");
}

#[test]
fn a_table_of_more_stocks_days_or_years_than_are_taken_is_refused() {
    let of = |rows: Vec<String>| read("a.csv", &(DATED.to_owned() + &rows.concat()));
    let row = |day: NaiveDate, code: u64| format!("{day},{code:06},A,KOSPI,1,0,0,0,0,0,0,1\n");
    let back = |days: u64| today() - chrono::Days::new(days);
    let stocks = |count: u64| (0..count).map(|code| row(today(), code)).collect();
    let days = |count: u64| (0..count).map(|days| row(back(days), 1)).collect();
    assert_eq!(of(stocks(MOST_STOCKS)).unwrap().stocks.len() as u64, MOST_STOCKS);
    assert_eq!(of(days(MOST_DAYS)).unwrap().counts().len() as u64, MOST_DAYS);
    let apart = vec![row(today(), 1), row(back(MOST_YEARS * 366 + 1), 2)];
    for (what, rows) in [stocks(MOST_STOCKS + 1), days(MOST_DAYS + 1), apart].into_iter().enumerate() {
        let refused = of(rows).unwrap_err();
        assert_eq!((refused.code(), refused.fields.contains_key("file")), ("INVALID_INPUT", true), "{what}");
    }
}

#[test]
fn a_row_that_does_not_end_is_read_no_further_and_neither_are_very_many_columns() {
    let titles = DAY.lines().next().unwrap().to_owned() + "\n";
    for begins in [String::new(), titles.clone(), titles.clone() + "0,\""] {
        let mut endless = io::repeat(b'1').take(1 << 24);
        let refused = read_table("2026-03-18.csv", begins.as_bytes().chain(&mut endless), today(), || Ok(()));
        assert_eq!(refused.unwrap_err().code(), "INVALID_INPUT", "{begins:.20}");
        assert!(endless.limit() >= (1 << 24) - (MOST_OF_ROW as u64), "{begins:.20}: {}", endless.limit());
    }
    let wide = DAY.replacen("MarketId", &("MarketId".to_owned() + &",".repeat(MOST_COLUMNS)), 1);
    assert_eq!(read("2026-03-18.csv", &wide).unwrap_err().code(), "INVALID_INPUT");
    let wide = DAY.replacen("STK", &("STK".to_owned() + &",".repeat(MOST_COLUMNS)), 1);
    assert_eq!(read("2026-03-18.csv", &wide).unwrap().refused, 3);
}

#[test]
fn numbers_that_no_one_can_have_refuse_their_row() {
    for number in [i64::MIN, i64::MAX, -MOST_AMOUNT - 1, MOST_AMOUNT + 1] {
        for column in ["14600", "208500", "25148481", "5153010769813", "5919637922"] {
            let found = read("2026-03-18.csv", &DAY.replacen(column, &number.to_string(), 1)).unwrap();
            assert_eq!(found.refused, 3, "{column} {number}");
        }
    }
}

#[test]
fn a_day_is_read_as_marcap_writes_it_and_a_bad_row_refuses_itself() {
    let found = read("2026-03-18.csv.gz", DAY).unwrap();
    let day = NaiveDate::from_ymd_opt(2026, 3, 18).unwrap().num_days_from_ce();
    assert_eq!((found.counts(), found.refused, found.named.len()), (BTreeMap::from([(day, 4)]), 2, 2), "{found:?}");
    let [samsung, down, quiet, moved] = ["005930", "0126Z0", "123450", "496320"].map(|symbol| &found.stocks[symbol]);
    assert_eq!((moved.days[&day].traded, moved.days[&day].close, moved.days[&day].base), (false, 613, 612));
    let bar = samsung.days[&day];
    assert_eq!((bar.base, bar.traded, bar.amount), (193_900, true, 5_153_010_769));
    assert_eq!((down.days[&day].base, down.market), (530, Market::Kosdaq));
    assert_eq!((quiet.days[&day].traded, quiet.days[&day].close, quiet.dept.as_str()), (false, 140, "관리종목"));
}

#[test]
fn the_ratio_may_be_spelled_either_way_and_the_day_stand_in_a_column() {
    let with_date = DAY.replace("ChagesRatio", "ChangesRatio").replace("MarketId", "Date").replace("STK", "2025-01-02");
    let found = read("marcap-2025.csv", &with_date).unwrap();
    assert_eq!((found.stocks.len(), found.refused), (1, 5));
    assert_eq!(read("marcap.csv", DAY).unwrap_err().code(), "INVALID_INPUT");
    for text in ["", "<html></html>", "Code,Name\n005930,삼성전자\n"] {
        assert_eq!(read("2026-03-18.csv", text).unwrap_err().code(), "INVALID_INPUT", "{text}");
    }
    assert_eq!(read("2026-03-18.csv", DAY.lines().next().unwrap()).unwrap_err().code(), "INVALID_INPUT");
}

#[test]
fn whole_numbers_are_read_as_tables_have_them() {
    assert_eq!(
        ["1,234", "14600.0", "-30", "1.5", "", "x"].map(whole),
        [Some(1_234), Some(14_600), Some(-30), None, None, None]
    );
    assert_eq!(day_in("a/krx_20260318.csv"), day_in("2026-03-18.csv.gz"));
    assert_eq!(day_in("marcap.csv"), None);
}

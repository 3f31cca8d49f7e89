//! Answers of the exchange's open API: all stocks of a market on one day.

use chrono::{Datelike, NaiveDate};
use serde::Deserialize;
use serde_json::Value;

use super::day::StoredDay;
use super::table::{ListedDays, is_code, listed, market_of, whole};

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "OutBlock_1")]
    rows: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Row {
    bas_dd: String,
    isu_cd: String,
    #[serde(default)]
    isu_nm: String,
    mkt_nm: String,
    #[serde(default)]
    sect_tp_nm: String,
    tdd_clsprc: String,
    #[serde(default)]
    cmpprevdd_prc: String,
    #[serde(default)]
    tdd_opnprc: String,
    #[serde(default)]
    tdd_hgprc: String,
    #[serde(default)]
    tdd_lwprc: String,
    #[serde(default)]
    acc_trdvol: String,
    #[serde(default)]
    acc_trdval: String,
    #[serde(default)]
    list_shrs: String,
}

/// The stocks of an answer for `day`, each row by itself; without any row the exchange was closed, or has not published it yet.
///
/// # Errors
/// What cannot be right, for the log: no list, rows of another day, or rows of which none is good.
pub fn read_answer(body: &[u8], day: NaiveDate) -> Result<ListedDays, String> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let (mut found, is_empty) = (ListedDays::default(), answer.rows.is_empty());
    for row in answer.rows {
        let row: Result<Row, String> = serde_json::from_value(row).map_err(|error| error.to_string());
        if let Ok(row) = &row
            && row.bas_dd != day.format("%Y%m%d").to_string()
        {
            return Err(format!("a row of {} and not of {day}", row.bas_dd));
        }
        found.add(row.and_then(|row| {
            let market = market_of(&row.mkt_nm).ok_or("no market")?;
            let code = row.isu_cd.as_str();
            let code = if code.len() == 12 { code.get(3..9).unwrap_or_default() } else { code };
            let bar = row.bar(day.num_days_from_ce()).filter(|_| is_code(code)).ok_or("no numbers")?;
            listed(code, &row.isu_nm, market, &row.sect_tp_nm, bar)
        }));
    }
    match found.named.first() {
        Some(what) if found.stocks.is_empty() && !is_empty => Err(what.clone()),
        _ => Ok(found),
    }
}

impl Row {
    fn bar(&self, day: i32) -> Option<StoredDay> {
        // Nothing is written as an empty text or a line.
        let number = |text: &str| match text.trim() {
            "" | "-" => Some(0),
            text => whole(text),
        };
        let close = whole(&self.tdd_clsprc)?;
        let (open, volume) = (number(&self.tdd_opnprc)?, number(&self.acc_trdvol)?);
        let traded = open > 0 && volume > 0;
        let of_bar = |text: &str| if traded { number(text) } else { Some(0) };
        Some(StoredDay {
            day,
            traded,
            open: if traded { open } else { 0 },
            high: of_bar(&self.tdd_hgprc)?,
            low: of_bar(&self.tdd_lwprc)?,
            close,
            base: close.saturating_sub(number(&self.cmpprevdd_prc)?),
            volume: if traded { volume } else { 0 },
            amount: of_bar(&self.acc_trdval)? / 1000,
            stocks: number(&self.list_shrs)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row() -> Value {
        json!({"BAS_DD": "20261119", "ISU_CD": "005930", "ISU_NM": "삼성전자", "MKT_NM": "KOSPI", "SECT_TP_NM": "",
            "TDD_CLSPRC": "98,600", "CMPPREVDD_PRC": "700", "FLUC_RT": "0.72", "TDD_OPNPRC": "98000", "TDD_HGPRC": "98900",
            "TDD_LWPRC": "97500", "ACC_TRDVOL": "12876540", "ACC_TRDVAL": "1265500000000", "MKTCAP": "588600000000000",
            "LIST_SHRS": "5969782550"})
    }

    fn read(rows: &[Value]) -> Result<ListedDays, String> {
        let day = NaiveDate::from_ymd_opt(2026, 11, 19).unwrap();
        read_answer(json!({"OutBlock_1": rows}).to_string().as_bytes(), day)
    }

    #[test]
    fn a_row_is_a_stock_and_one_without_trade_keeps_its_close() {
        let mut quiet = row();
        for name in ["TDD_OPNPRC", "TDD_HGPRC", "TDD_LWPRC", "ACC_TRDVOL", "ACC_TRDVAL", "CMPPREVDD_PRC"] {
            quiet[name] = json!("-");
        }
        quiet["ISU_CD"] = json!("KR7000660001");
        let found = read(&[row(), quiet, json!("no row")]).unwrap();
        assert_eq!(found.refused, 1);
        let [traded, quiet] =
            ["005930", "000660"].map(|symbol| *found.stocks[symbol].days.first_key_value().unwrap().1);
        assert_eq!((traded.base, traded.amount, traded.traded), (97_900, 1_265_500_000, true));
        assert_eq!((quiet.close, quiet.traded), (98_600, false));
    }

    #[test]
    fn an_empty_list_is_a_holiday_and_everything_else_is_an_error() {
        assert_eq!(read(&[]), Ok(ListedDays::default()));
        let mut another = row();
        another["BAS_DD"] = json!("20261118");
        assert!(read(&[another]).is_err());
        assert!(read(&[json!({"BAS_DD": 1})]).is_err());
        let day = NaiveDate::from_ymd_opt(2026, 11, 19).unwrap();
        for body in ["<html>", "{}", r#"{"respMsg":"Unauthorized Key","respCode":"401"}"#] {
            assert!(read_answer(body.as_bytes(), day).is_err(), "{body}");
        }
    }
}

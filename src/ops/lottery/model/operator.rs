//! The operator's answers: `/lt645/selectPstLt645Info.do`, a list of rows under `data.list`.
//!
//! A draw is published in three stages. Zeros before their stage mean "not published", never "nobody won".

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use hanok_base::text::cut;
use hanok_calc::lottery::draw::{FirstPrizeMethods, date_of};
use hanok_calc::lottery::{Draw, Numbers, Prize};

/// A draw as the operator sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedDraw {
    /// The draw, on the day that the calendar gives to its number.
    pub draw: Draw,
    /// The day that the operator wrote.
    pub dated: NaiveDate,
}

/// What an answer brought.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Received {
    /// The draws of its good rows.
    pub draws: Vec<ReceivedDraw>,
    /// What is wrong with each of its other rows, for the log; each begins with the row and is cut where it is long.
    pub refused: Vec<String>,
}

/// Characters that are said of a refused row: what is wrong with it quotes it.
const LONGEST_REFUSAL: usize = 200;

/// Reads an answer, each of its rows by itself: a bad one takes no good one with it.
///
/// # Errors
/// What cannot be right, for the log: no list, or rows of which none is good (no numbers, numbers that repeat).
pub fn read_answer(body: &[u8]) -> Result<Received, String> {
    let answer: OperatorAnswer = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let mut received = Received::default();
    for (place, row) in answer.data.list.into_iter().enumerate() {
        let row = serde_json::from_value::<Row>(row).map_err(|error| format!("row {}: {error}", place + 1));
        match row.and_then(|row| row.read()) {
            Ok(draw) => received.draws.push(draw),
            Err(what) => received.refused.push(cut(&what, LONGEST_REFUSAL)),
        }
    }
    match received.refused.first() {
        Some(what) if received.draws.is_empty() => Err(what.clone()),
        _ => Ok(received),
    }
}

#[derive(Deserialize)]
struct OperatorAnswer {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    list: Vec<Value>,
}

/// One row. `rlvtEpsdSumNtslAmt` and the rank totals are not read: they are unreliable in early draws.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    lt_epsd: u32,
    lt_rfl_ymd: String,
    tm1_wn_no: i64,
    tm2_wn_no: i64,
    tm3_wn_no: i64,
    tm4_wn_no: i64,
    tm5_wn_no: i64,
    tm6_wn_no: i64,
    bns_wn_no: u8,
    #[serde(default, deserialize_with = "amount")]
    rnk1_wn_nope: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk1_wn_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk2_wn_nope: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk2_wn_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk3_wn_nope: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk3_wn_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk4_wn_nope: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk4_wn_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk5_wn_nope: u64,
    #[serde(default, deserialize_with = "amount")]
    rnk5_wn_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    whol_epsd_sum_ntsl_amt: u64,
    #[serde(default, deserialize_with = "amount")]
    win_type1: u64,
    #[serde(default, deserialize_with = "amount")]
    win_type2: u64,
    #[serde(default, deserialize_with = "amount")]
    win_type3: u64,
}

impl Row {
    fn read(&self) -> Result<ReceivedDraw, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("draw {}: {what}", self.lt_epsd);
        let six = [self.tm1_wn_no, self.tm2_wn_no, self.tm3_wn_no, self.tm4_wn_no, self.tm5_wn_no, self.tm6_wn_no];
        if !six.is_sorted() {
            return Err(wrong(&"the numbers do not ascend"));
        }
        let numbers = Numbers::check("numbers", &six).map_err(|error| wrong(&error))?;
        let dated = NaiveDate::parse_from_str(&self.lt_rfl_ymd, "%Y%m%d").map_err(|error| wrong(&error))?;
        let mut draw = Draw::with_numbers_only(self.lt_epsd, numbers, self.bns_wn_no).map_err(|error| wrong(&error))?;
        draw.date = date_of(self.lt_epsd).map_err(|error| wrong(&error))?;
        if self.has_prizes() {
            draw.total_sales = Some(self.whol_epsd_sum_ntsl_amt);
            draw.prizes = self.prizes();
            draw.first_prize_methods = self.methods();
        }
        draw.settle().map_err(|error| wrong(&error))?;
        Ok(ReceivedDraw { draw, dated })
    }

    /// Whether the second stage has come: sales are there, somebody won the lowest ranks (there are over a
    /// million such games in every draw), and every rank with winners has its amount. Then a rank without
    /// winners had none.
    fn has_prizes(&self) -> bool {
        let whole = self.ranks().iter().all(|(winners, each)| (*winners > 0) == (*each > 0));
        self.whol_epsd_sum_ntsl_amt > 0 && self.rnk4_wn_nope > 0 && self.rnk5_wn_nope > 0 && whole
    }

    fn prizes(&self) -> [Prize; 5] {
        let ranks = self.ranks();
        std::array::from_fn(|place| {
            let (winners, each) = ranks[place];
            Prize { rank: place as u8 + 1, winners: Some(winners), prize_each: Some(each) }
        })
    }

    /// The split of the first rank, which comes last; known when it accounts for every winner.
    fn methods(&self) -> Option<FirstPrizeMethods> {
        let split = [self.win_type1, self.win_type2, self.win_type3];
        let winners = split.iter().try_fold(0u64, |sum, way| sum.checked_add(*way));
        if self.rnk1_wn_nope == 0 || winners != Some(self.rnk1_wn_nope) {
            return None;
        }
        let [auto, manual, semi_auto] = split.map(u32::try_from);
        Some(FirstPrizeMethods { auto: auto.ok()?, manual: manual.ok()?, semi_auto: semi_auto.ok()? })
    }

    fn ranks(&self) -> [(u64, u64); 5] {
        [
            (self.rnk1_wn_nope, self.rnk1_wn_amt),
            (self.rnk2_wn_nope, self.rnk2_wn_amt),
            (self.rnk3_wn_nope, self.rnk3_wn_amt),
            (self.rnk4_wn_nope, self.rnk4_wn_amt),
            (self.rnk5_wn_nope, self.rnk5_wn_amt),
        ]
    }
}

/// A count or an amount; null and an empty text are zero, which is "not published".
fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u64),
        Text(String),
        Nothing(()),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(number) => Ok(number),
        Written::Nothing(()) => Ok(0),
        Written::Text(text) if text.trim().is_empty() => Ok(0),
        Written::Text(text) => text.trim().parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use hanok_calc::lottery::Published;
    use hanok_calc::lottery::import::built_in;

    fn sample(draw_no: u32) -> Value {
        let path = format!("{}/../../tests/api/samples/selectPstLt645Info_{draw_no}.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn read(answer: &Value) -> Result<ReceivedDraw, String> {
        read_answer(answer.to_string().as_bytes()).map(|mut received| received.draws.remove(0))
    }

    fn with(draw_no: u32, changes: &[(&str, Value)]) -> Value {
        let mut answer = sample(draw_no);
        for (name, value) in changes {
            answer["data"]["list"][0][*name] = value.clone();
        }
        answer
    }

    #[test]
    fn real_answers_say_what_the_built_in_draws_say() {
        for draw_no in [1, 2, 19, 289, 546, 1128, 1200, 1215] {
            let received = read(&sample(draw_no)).unwrap();
            assert_eq!(received.draw, built_in()[draw_no as usize - 1], "draw {draw_no}");
            assert_eq!(received.dated, received.draw.date);
        }
    }

    #[test]
    fn zeros_before_their_stage_are_not_published_and_never_nobody() {
        let mut zeros: Vec<(String, Value)> = (1..=5)
            .flat_map(|rank| [(format!("rnk{rank}WnNope"), json!(0)), (format!("rnk{rank}WnAmt"), json!(0))])
            .collect();
        zeros.extend(["wholEpsdSumNtslAmt", "winType1", "winType2", "winType3"].map(|name| (name.into(), json!(0))));
        let zeros: Vec<(&str, Value)> = zeros.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let first = read(&with(1215, &zeros)).unwrap().draw;
        assert_eq!((first.published, first.first_prize_winners(), first.total_sales), (Published::Numbers, None, None));
        let nothing: Vec<(&str, Value)> = zeros.iter().map(|(name, _)| (*name, Value::Null)).collect();
        assert_eq!(read(&with(1215, &nothing)).unwrap().draw, first);
        let second = read(&with(1215, &zeros[11..])).unwrap().draw;
        assert_eq!((second.published, second.first_prize_winners()), (Published::Prizes, Some(16)));
        assert_eq!(second.first_prize_methods, None);
    }

    #[test]
    fn nobody_won_only_when_the_other_ranks_are_published() {
        let nobody = read(&sample(289)).unwrap().draw;
        assert_eq!((nobody.first_prize_winners(), nobody.published), (Some(0), Published::Complete));
        let half = with(1215, &[("rnk3WnAmt", json!(0))]);
        assert_eq!(read(&half).unwrap().draw.published, Published::Numbers);
    }

    #[test]
    fn what_cannot_be_right_is_refused() {
        for (name, value) in [
            ("tm1WnNo", json!(45)),
            ("tm2WnNo", json!(13)),
            ("tm6WnNo", json!(46)),
            ("bnsWnNo", json!(13)),
            ("ltRflYmd", json!("2026-03-14x")),
            ("ltEpsd", json!(0)),
            ("rnk1WnNope", json!(-1)),
        ] {
            assert!(read(&with(1215, &[(name, value)])).is_err(), "{name}");
        }
        for body in ["<html>", "{}", r#"{"data":null}"#, r#"{"data":{"list":[{}]}}"#] {
            assert!(read_answer(body.as_bytes()).is_err(), "{body}");
        }
        assert_eq!(read_answer(br#"{"data":{"list":[]}}"#), Ok(Received::default()));
    }

    #[test]
    fn a_bad_row_rejects_only_itself() {
        let mut answer = sample(1200);
        let rows = answer["data"]["list"].as_array_mut().unwrap();
        for bad in [with(1215, &[("tm1WnNo", json!(45))]), with(1215, &[("rnk1WnNope", json!("many"))])] {
            rows.push(bad["data"]["list"][0].clone());
        }
        rows.push(json!("no row"));
        rows.push(sample(1215)["data"]["list"][0].clone());
        let received = read_answer(answer.to_string().as_bytes()).unwrap();
        let draw_nos: Vec<u32> = received.draws.iter().map(|received| received.draw.draw_no).collect();
        assert_eq!(draw_nos, [1200, 1215]);
        assert_eq!(received.refused.len(), 3);
        assert!(received.refused[0].contains("draw 1215") && received.refused[2].contains("row 4"), "{received:?}");
    }

    #[test]
    fn of_a_row_of_any_length_a_short_sentence_is_left() {
        let mut answer = sample(1200);
        let long = with(1215, &[("ltRflYmd", json!(["가".repeat(1 << 20)])), ("ltEpsd", json!("나".repeat(1 << 20)))]);
        answer["data"]["list"].as_array_mut().unwrap().push(long["data"]["list"][0].clone());
        let refused = read_answer(answer.to_string().as_bytes()).unwrap().refused;
        assert_eq!((refused.len(), refused[0].chars().count()), (1, 200));
        assert!(refused[0].starts_with("row 2: "), "{refused:?}");
    }

    #[test]
    fn a_split_beyond_every_measure_is_left_out() {
        let mut answer = sample(1215);
        let row = answer["data"]["list"][0].as_object_mut().unwrap();
        let written: Vec<String> = row.keys().filter(|name| name.starts_with("winType")).cloned().collect();
        assert_eq!(written.len(), 4);
        for name in written {
            row.insert(name, json!(u64::MAX));
        }
        let received = read_answer(answer.to_string().as_bytes()).unwrap();
        assert_eq!(received.draws[0].draw.first_prize_methods, None);
    }

    /// What stands where the operator writes a number.
    fn any_cell() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (0u64..50).prop_map(Value::from),
            Just(Value::from(u64::MAX)),
            any::<f64>().prop_map(Value::from),
            "[0-9, -]{0,12}".prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            Just(Value::Null),
            Just(json!([])),
            Just(json!({"a": 1})),
        ]
    }

    proptest! {
        #[test]
        fn whatever_the_operator_sends_is_a_draw_that_can_be_or_an_error(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any_cell()), 1..6),
            base in prop::sample::select(vec![1u32, 289, 1215]),
        ) {
            let mut answer = sample(base);
            let row = answer["data"]["list"][0].as_object_mut().unwrap();
            let names: Vec<String> = row.keys().cloned().collect();
            for (at, value) in changes {
                row.insert(at.get(&names).clone(), value);
            }
            for received in read_answer(answer.to_string().as_bytes()).unwrap_or_default().draws {
                prop_assert!(received.draw.draw_no >= 1 && date_of(received.draw.draw_no).ok() == Some(received.draw.date));
                prop_assert!((1..=45).contains(&received.draw.bonus));
                prop_assert!(received.draw.prizes.iter().all(|prize| prize.winners < Some(1 << 50)));
            }
        }

        #[test]
        fn a_damaged_answer_is_an_error_and_no_panic(
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
            at in any::<prop::sample::Index>(),
        ) {
            let mut bytes = sample(1215).to_string().into_bytes();
            for (place, byte) in flips {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            let _ = read_answer(&bytes);
            let cut = at.index(bytes.len());
            prop_assert!(read_answer(&bytes[..cut]).is_err());
        }
    }
}

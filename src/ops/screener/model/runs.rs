//! A run: every stock judged by every rule, and why each is in or out.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::nodes::{Bounds, Context, Verdict, find};
use super::settings::{Settings, arguments};
use super::universe::{Stock, Universe};
use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;
use hanok_calc::exchange::Market;

/// The version of the rules: it is raised when one of them measures in another way.
pub const VERSION: u32 = 1;
/// How many of those that do not pass an answer shows.
const MOST_OTHERS: usize = 500;

/// A run without its results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What its settings were called.
    pub name: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The day of the data.
    pub data_day: NaiveDate,
    /// Whether the companies are made up.
    pub is_demo: bool,
    /// The version of the rules.
    pub version: u32,
    /// What was screened by.
    pub settings: Settings,
    /// How many stocks were looked at.
    pub universe: u64,
    /// How many pass every rule.
    pub passed: u64,
    /// Of how many data are missing for at least one rule.
    pub missing: u64,
}

impl Listed for Run {
    const PLURAL: &'static str = "runs";
}

/// A run with its results.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RunWithResults {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What its settings were called.
    pub name: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// The day of the data.
    pub data_day: NaiveDate,
    /// Whether the companies are made up.
    pub is_demo: bool,
    /// The version of the rules.
    pub version: u32,
    /// What was screened by.
    pub settings: Settings,
    /// How many stocks were looked at.
    pub universe: u64,
    /// How many pass every rule.
    pub passed: u64,
    /// Of how many data are missing for at least one rule.
    pub missing: u64,
    /// Those that pass, the largest first, at most as many as the settings say; then at most 500 others, those that fail
    /// the fewest rules first. Or only the stock that was asked for.
    pub results: Vec<StockResult>,
}

/// A stock in a run.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct StockResult {
    /// Its code.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// What it does; null where nobody says so.
    pub sector: Option<String>,
    /// Its close in won.
    pub close: i64,
    /// The change of the day in percent.
    pub change_pct: f64,
    /// Whether it passes every rule.
    pub passed: bool,
    /// What each rule that was on says, in the order of the settings.
    pub values: Vec<NodeResult>,
}

/// What a rule says of a stock.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NodeResult {
    /// Its id.
    pub node: String,
    /// What it has measured; null of a word, of what is not there, and where data are missing.
    pub value: Option<f64>,
    /// The word that it has looked at, such as the market; null where it measures.
    pub text: Option<String>,
    /// Between which bounds the value passes, both included.
    pub threshold: Bounds,
    /// Whether it passes.
    pub verdict: Verdict,
}

/// The results of a run as they are kept: every stock, in the order of an answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredResults(pub Vec<StoredResult>);

/// A stock as it is kept: short names, since there are thousands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredResult {
    /// Its code.
    #[serde(rename = "s")]
    pub symbol: String,
    /// What it is called.
    #[serde(rename = "n")]
    pub name: String,
    /// Where it is listed.
    #[serde(rename = "m")]
    pub market: Market,
    /// What it does.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub sector: Option<String>,
    /// Its close in won.
    #[serde(rename = "c")]
    pub close: i64,
    /// The change of the day in percent.
    #[serde(rename = "d")]
    pub change_pct: f64,
    /// A letter for each rule: `p`, `f` or `m`.
    #[serde(rename = "v")]
    pub verdicts: String,
    /// The value of each.
    #[serde(rename = "x")]
    pub values: Vec<Option<f64>>,
}

impl StoredResult {
    /// Whether it passes every rule.
    pub fn passed(&self) -> bool {
        self.verdicts.bytes().all(|letter| letter == b'p')
    }

    fn failed(&self) -> usize {
        self.verdicts.bytes().filter(|letter| *letter != b'p').count()
    }
}

/// What a run has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Screened {
    /// How many pass every rule.
    pub passed: u64,
    /// Of how many data are missing for at least one rule.
    pub missing: u64,
    /// Every stock.
    pub results: StoredResults,
}

/// Judges every stock by every rule that is on. The same settings over the same data give the same, in the same order.
pub fn screen(universe: &Universe, settings: &Settings) -> Screened {
    let chosen = settings.chosen();
    let context = Context::of(universe, chosen.iter().map(|(node, arguments)| (*node, arguments)));
    let bounds: Vec<Bounds> = chosen.iter().map(|(node, arguments)| (node.bounds)(arguments)).collect();
    let judge = |stock: &Stock| {
        let (mut verdicts, mut values) = (String::with_capacity(chosen.len()), Vec::with_capacity(chosen.len()));
        for ((node, arguments), bounds) in chosen.iter().zip(&bounds) {
            let (value, verdict) = (node.measure)(stock, arguments, &context).judged(bounds);
            values.push(value);
            verdicts.push(letter(verdict));
        }
        let instrument = &stock.instrument;
        StoredResult {
            symbol: instrument.symbol.clone(),
            name: instrument.name.clone(),
            market: instrument.market,
            sector: stock.sector.clone(),
            close: instrument.close,
            change_pct: (instrument.change_pct() * 100.0).round() / 100.0,
            verdicts,
            values,
        }
    };
    let mut judged: Vec<(StoredResult, f64)> =
        universe.stocks.iter().map(|stock| (judge(stock), stock.market_cap())).collect();
    judged.sort_by(|(one, cap), (other, other_cap)| {
        let order = one.failed().cmp(&other.failed());
        order.then(other_cap.total_cmp(cap)).then_with(|| one.symbol.cmp(&other.symbol))
    });
    let rows: Vec<StoredResult> = judged.into_iter().map(|(row, _)| row).collect();
    Screened {
        passed: rows.iter().filter(|row| row.passed()).count() as u64,
        missing: rows.iter().filter(|row| row.verdicts.contains('m')).count() as u64,
        results: StoredResults(rows),
    }
}

fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Pass => 'p',
        Verdict::Fail => 'f',
        Verdict::Missing => 'm',
    }
}

impl Run {
    /// It with the results that an answer shows: of `symbol` alone where one is asked for.
    pub fn with(self, results: &StoredResults, symbol: Option<&str>) -> RunWithResults {
        let nodes: Vec<(String, Bounds)> =
            self.settings.nodes.iter().filter(|node| node.enabled).map(bounds_of).collect();
        let rows = &results.0;
        let shown: Vec<&StoredResult> = match symbol {
            Some(symbol) => rows.iter().filter(|row| row.symbol == symbol).collect(),
            None => {
                let first = self.passed as usize;
                let most = first.min(self.settings.limit as usize);
                rows.iter().take(most).chain(rows.iter().skip(first).take(MOST_OTHERS)).collect()
            }
        };
        let Run { id, name, created_at, data_day, is_demo, version, settings, universe, passed, missing } = self;
        let results = shown.into_iter().map(|row| answered(row, &nodes)).collect();
        RunWithResults {
            id,
            name,
            created_at,
            data_day,
            is_demo,
            version,
            settings,
            universe,
            passed,
            missing,
            results,
        }
    }
}

fn bounds_of(setting: &super::settings::NodeSetting) -> (String, Bounds) {
    let bounds = find(&setting.node).map(|node| (node.bounds)(&arguments(node, &setting.parameters)));
    (setting.node.clone(), bounds.unwrap_or_default())
}

fn answered(row: &StoredResult, nodes: &[(String, Bounds)]) -> StockResult {
    let values = nodes.iter().zip(&row.values).zip(row.verdicts.bytes()).map(|(((node, bounds), value), letter)| {
        let text = match node.as_str() {
            "market" => Some(row.market.to_string()),
            "sector" => row.sector.clone(),
            _ => None,
        };
        let verdict = match letter {
            b'p' => Verdict::Pass,
            b'f' => Verdict::Fail,
            _ => Verdict::Missing,
        };
        NodeResult { node: node.clone(), value: *value, text, threshold: *bounds, verdict }
    });
    StockResult {
        symbol: row.symbol.clone(),
        name: row.name.clone(),
        market: row.market,
        sector: row.sector.clone(),
        close: row.close,
        change_pct: row.change_pct,
        passed: row.passed(),
        values: values.collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::super::nodes::all;
    use super::super::settings::{NodeSetting, usual_parameters};
    use super::super::universe::tests::demo_universe;
    use super::*;

    fn settings(nodes: &[(&str, Value)]) -> Settings {
        let of = |(node, changed): &(&str, Value)| {
            let mut parameters = usual_parameters(find(node).unwrap());
            parameters.extend(serde_json::from_value::<BTreeMap<String, Value>>(changed.clone()).unwrap());
            NodeSetting { node: (*node).to_owned(), parameters, enabled: true }
        };
        Settings { nodes: nodes.iter().map(of).collect(), ..Settings::usual() }
    }

    fn of<'r>(screened: &'r Screened, symbol: &str) -> &'r StoredResult {
        screened.results.0.iter().find(|row| row.symbol == symbol).unwrap()
    }

    #[test]
    fn the_same_settings_over_the_same_data_give_the_same_list() {
        let universe = demo_universe();
        let every: Vec<(&str, Value)> = all().map(|node| (node.id, json!({}))).collect();
        for settings in [Settings::usual(), settings(&every)] {
            let first = screen(&universe, &settings);
            assert_eq!(first.results.0.len(), 60);
            assert_eq!(first, screen(&demo_universe(), &settings));
        }
        assert!(screen(&universe, &Settings::usual()).passed > 0);
    }

    /// The numbers are taken from the series themselves, by hand.
    #[test]
    fn each_rule_measures_what_it_says() {
        let universe = demo_universe();
        let stock = universe.find("9D0007").unwrap();
        let close = &stock.close;
        let (last, count) = (close[close.len() - 1], close.len());
        let mean = |days: usize| close[count - days..].iter().sum::<f64>() / days as f64;
        let high = stock.high[count - 250..].iter().copied().fold(0.0, f64::max);
        let before = stock.volume[count - 21..count - 1].iter().sum::<f64>() / 20.0;
        let expected = [
            ("price", json!({}), last),
            ("momentum", json!({"days": 20, "skip": 5}), (close[count - 6] / close[count - 26] - 1.0) * 100.0),
            ("ma_position", json!({"days": 60}), (last / mean(60) - 1.0) * 100.0),
            ("ma_order", json!({}), (mean(20) / mean(60) - 1.0) * 100.0),
            ("high_52w", json!({}), (last / high - 1.0) * 100.0),
            ("volume_surge", json!({}), stock.volume[count - 1] / before),
            ("liquidity", json!({"days": 1}), stock.amount[count - 1] / 1e6),
            ("market_cap", json!({}), last * stock.instrument.stocks as f64 / 1e8),
        ];
        for (node, parameters, value) in expected {
            let found = of(&screen(&universe, &settings(&[(node, parameters)])), "9D0007").values[0].unwrap();
            assert!((found - value).abs() < 1e-3, "{node}: {found} {value}");
        }
    }

    #[test]
    fn missing_data_are_no_pass_and_a_halted_stock_is_judged_by_nothing_old() {
        let universe = demo_universe();
        let found = screen(&universe, &settings(&[("high_52w", json!({"minimum": -100})), ("price", json!({}))]));
        // Every fifteenth is young (60, 120, 180 and 240 days); the halted one has no bar of the newest day.
        let (young, halted) = (of(&found, "9D0060"), of(&found, "9D0030"));
        assert_eq!((halted.verdicts.as_str(), halted.values[0], halted.passed()), ("mp", None, false));
        assert_eq!(young.verdicts, "mp");
        let longest = settings(&[("momentum", json!({"days": 250, "skip": 60, "minimum": -100}))]);
        let found = screen(&universe, &longest);
        assert_eq!((of(&found, "9D0045").verdicts.as_str(), found.missing), ("m", 4));
        assert_eq!(of(&screen(&universe, &settings(&[("administrative", json!({}))])), "9D0001").verdicts, "m");
        let known = settings(&[("administrative", json!({"unknown_passes": true}))]);
        let found = screen(&universe, &known);
        assert_eq!((of(&found, "9D0001").verdicts.as_str(), of(&found, "9D0012").verdicts.as_str()), ("p", "f"));
        assert_eq!(of(&screen(&universe, &settings(&[("tradable", json!({}))])), "9D0030").verdicts, "f");
    }

    #[test]
    fn half_of_all_stocks_are_stronger_than_the_one_in_the_middle() {
        let universe = demo_universe();
        let found = screen(&universe, &settings(&[("relative_strength", json!({}))]));
        let known = found.results.0.iter().filter(|row| row.verdicts != "m").count() as u64;
        assert_eq!((known, found.passed), (58, 29));
    }

    #[test]
    fn a_split_makes_no_jump_in_a_series() {
        let universe = demo_universe();
        let stock = universe.find("9D0020").unwrap();
        let jump = stock.close.windows(2).map(|pair| (pair[1] / pair[0] - 1.0).abs()).fold(0.0, f64::max);
        assert!(jump < 0.25, "{jump}");
    }

    #[test]
    fn an_answer_shows_as_many_of_those_that_pass_as_is_said_and_then_the_nearest_others() {
        let universe = demo_universe();
        let settings = Settings { limit: 3, ..settings(&[("momentum", json!({"days": 20}))]) };
        let Screened { passed, missing, results } = screen(&universe, &settings);
        let (name, version) = (settings.name.clone(), VERSION);
        let created_at = DateTime::UNIX_EPOCH;
        let (data_day, is_demo) = (universe.data_day, true);
        let run = Run { id: 1, name, created_at, data_day, is_demo, version, settings, universe: 60, passed, missing };
        let told = run.clone().with(&results, None);
        assert!(passed > 3);
        assert_eq!(told.results.len() as u64, 3 + 60 - passed);
        assert!(
            told.results.iter().take(3).all(|row| row.passed) && told.results.iter().skip(3).all(|row| !row.passed)
        );
        assert_eq!(told.results[0].values[0].threshold, Bounds { minimum: Some(0.0), maximum: Some(10_000.0) });
        let hidden = &results.0[4].symbol;
        let one = run.with(&results, Some(hidden));
        assert_eq!((one.results.len(), &one.results[0].symbol), (1, hidden));
    }
}

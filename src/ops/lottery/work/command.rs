//! `hanok lotto`, and whether the operator can be reached.

use serde::Serialize;
use serde_json::Value;

use super::super::model::DrawSource;
use super::super::store::draws::latest;
use super::draws::{decide_about, import_csv, sync, take_back, told};
use super::settings::LotterySettings;
use hanok_base::{Error, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::domain::{Column, Command, Reach, Verb, View, Word, WordKind, Words};

/// The operator, for the doctor.
pub const OPERATOR_IN_REACH: Reach = Reach {
    check: "operator",
    setting: "lottery.operator",
    address: |config| {
        let LotterySettings { operator, sync, .. } = &*config.section();
        if *sync { Ok(operator.clone()) } else { Err("is never asked for draws (lottery.sync = false)") }
    },
    meanwhile: "the draws inside are used",
    cure: "look at this machine's network, or import draws: `hanok lotto import FILE`",
};

/// The largest file of draws that is read; all draws since 2002 take a hundredth of it.
const LARGEST_IMPORT: u64 = 16 << 20;

/// `hanok lotto`.
pub const COMMAND: Command = Command {
    name: "lotto",
    about: "Lottery draws: fetch, import, correct",
    example: "hanok lotto latest",
    verbs: &[
        Verb {
            name: "sync",
            about: "Fetch the draws that are missing from the operator",
            example: "hanok lotto sync",
            takes: &[],
            run: |app, _| Box::pin(async move { json(sync(&app).await?) }),
            shows: &[View::Thing(&CHANGES)],
        },
        Verb {
            name: "import",
            about: "Take draws from a CSV file; one that contradicts a stored draw is kept aside",
            example: "hanok lotto import draws.csv",
            takes: &[TABLE],
            run: |app, mut words| Box::pin(async move { json(import_csv(&app, words.take(TABLE.name)).await?) }),
            shows: &[View::Thing(&CHANGES)],
        },
        Verb {
            name: "accept",
            about: "Take a draw that was kept aside in the place of the stored one; purchases and reviews follow",
            example: "hanok lotto accept 1245",
            takes: &WHICH,
            run: |app, words| Box::pin(async move { decided(&app, &words, true).await }),
            shows: &[View::Thing(&CHANGES)],
        },
        Verb {
            name: "refuse",
            about: "Refuse a draw that was kept aside; the stored one stays",
            example: "hanok lotto refuse 1245 --from operator",
            takes: &WHICH,
            run: |app, words| Box::pin(async move { decided(&app, &words, false).await }),
            shows: &[View::Thing(&CHANGES)],
        },
        Verb {
            name: "undo",
            about: "Take the newest correction of a draw back; what had taken its place is kept aside again",
            example: "hanok lotto undo 1245",
            takes: &[CORRECTED],
            run: |app, words| Box::pin(async move { taken_back(&app, &words).await }),
            shows: &[View::Thing(&CHANGES)],
        },
        Verb {
            name: "latest",
            about: "Show the newest draw",
            example: "hanok lotto latest --json",
            takes: &[],
            run: |app, _| Box::pin(async move { newest(&app).await }),
            shows: &[View::Thing(&DRAW), View::List("prizes", &PRIZES)],
        },
        Verb {
            name: "status",
            about: "Show how old the draws are, what is missing and what contradicts",
            example: "hanok lotto status",
            takes: &[],
            run: |app, _| Box::pin(async move { newest(&app).await }),
            shows: &[View::Thing(&STATUS), View::List("missing_ranges", &MISSING), View::List("conflicts", &CONFLICTS)],
        },
    ],
};

const TABLE: Word = Word::required(
    "FILE",
    "A file whose first line names the columns: draw_no,date,n1,n2,n3,n4,n5,n6,bonus,\
     first_winners,first_prize_each,total_sales",
    WordKind::File(LARGEST_IMPORT),
);

const CORRECTED: Word = Word::required("DRAW", "The number of the draw", WordKind::Number(1, 9_999));

const WHICH: [Word; 2] =
    [CORRECTED, Word::option("from", "Who sent it, when several did", WordKind::OneOf(&DrawSource::NAMES))];

const CHANGES: [Column; 6] = [
    Column::count("added", "/added"),
    Column::count("completed", "/completed"),
    Column::count("corrected", "/corrected"),
    Column::count("rows refused", "/refused"),
    Column::count("unchanged", "/unchanged"),
    Column::count("kept aside", "/conflicts"),
];

const DRAW: [Column; 5] = [
    Column::text("draw", "/draw_no"),
    Column::text("date", "/date"),
    Column::text("numbers", "/numbers"),
    Column::text("bonus", "/bonus"),
    Column::count("sales (won)", "/total_sales"),
];

const PRIZES: [Column; 3] =
    [Column::count("rank", "/rank"), Column::count("winners", "/winners"), Column::count("each (won)", "/prize_each")];

const STATUS: [Column; 10] = [
    Column::text("newest draw", "/draw_no"),
    Column::text("date", "/date"),
    Column::count("age (days)", "/age_days"),
    Column::count("missing", "/missing"),
    Column::text("source", "/source"),
    Column::instant("operator answered", "/as_of"),
    Column::instant("asked in vain since", "/failure/at"),
    Column::text("because", "/failure/message"),
    Column::text("next draw", "/next_draw/draw_no"),
    Column::instant("drawn at", "/next_draw/at"),
];

const MISSING: [Column; 2] = [Column::text("missing from draw", "/from"), Column::text("to draw", "/to")];

const CONFLICTS: [Column; 6] = [
    Column::text("draw", "/draw_no"),
    Column::text("contradicts in", "/field"),
    Column::text("stored", "/stored"),
    Column::text("received", "/received"),
    Column::text("from", "/source"),
    Column::instant("seen", "/seen_at"),
];

/// Decides about the draw that was named.
async fn decided(app: &App, words: &Words, accept: bool) -> Result<Value> {
    let draw_no = words.number(CORRECTED.name)? as u32;
    let source = words.get("from").map(|name| Validated::<DrawSource>::of(name.to_owned()).checked());
    let source = source.transpose().map_err(|refused| Error::fields(refused.at("from").collect()))?;
    json(app.data.store.write(move |tx| decide_about(tx, draw_no, source, accept)).await?)
}

async fn taken_back(app: &App, words: &Words) -> Result<Value> {
    let draw_no = words.number(CORRECTED.name)? as u32;
    json(app.data.store.write(move |tx| take_back(tx, draw_no, None)).await?)
}

async fn newest(app: &App) -> Result<Value> {
    json(told(app, app.data.store.read(|tx| latest(tx)).await?))
}

fn json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(Error::internal)
}

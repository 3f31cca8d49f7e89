//! Answers as a table for spreadsheets: a column for each question.

use std::collections::BTreeSet;
use std::io::{self, Write};

use chrono::{DateTime, Utc};
use csv::{Terminator, WriterBuilder};

use super::answers::AnswerValue;
use super::kind::Questionnaire;
use super::{Answer, Response};
use hanok_base::text::without_direction_marks;
use hanok_base::{Error, Kind, Language, MessageTemplate, Result, day};

const TOO_LARGE: MessageTemplate = MessageTemplate::new(
    "questionnaire.table_too_large",
    "the table has more than {bytes} bytes; ask for the answers of one state",
);

/// The largest table, in bytes.
const MOST_BYTES: usize = 32 << 20;
/// By this a spreadsheet knows the encoding.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The columns beside the questions: those before them and those after.
const BEFORE: [(&str, &str); 7] = [
    ("번호", "Id"),
    ("받은 시각 (한국 시간)", "Received at (Seoul)"),
    ("상태", "State"),
    ("이름", "Name"),
    ("메일", "Mail"),
    ("전화", "Telephone"),
    ("언어", "Language"),
];
const AFTER: [(&str, &str); 8] = [
    ("메모", "Notes"),
    ("검토 시각 (한국 시간)", "Reviewed at (Seoul)"),
    ("유입 페이지", "Referrer"),
    ("캠페인 출처", "Campaign source"),
    ("캠페인 매체", "Campaign medium"),
    ("캠페인 이름", "Campaign name"),
    ("작성 시간(초)", "Completion seconds"),
    ("브라우저", "Browser"),
];

/// The table of these answers in `language`, as bytes of a CSV file (RFC 4180, UTF-8 with its mark). `walk` gives the answers
/// each time from the beginning: first the columns are found, then the rows written. The columns are the questions of
/// `questionnaire`, and after them those that were asked earlier. A text that a spreadsheet would take for a formula begins with
/// an apostrophe.
///
/// # Errors
/// `TOO_LARGE` beyond 32 MiB; those of the walk.
pub fn table<Walk>(
    questionnaire: Option<&Questionnaire>,
    language: Language,
    walk: impl Fn() -> Walk,
) -> Result<Vec<u8>>
where
    Walk: Iterator<Item = Result<Response>>,
{
    let mut columns: Vec<(String, String)> = Vec::new();
    let mut known = BTreeSet::new();
    for question in questionnaire.map_or(&[][..], |questionnaire| &questionnaire.questions) {
        known.insert(question.key.clone());
        columns.push((question.key.clone(), question.text.text(language).to_owned()));
    }
    for response in walk() {
        for Answer { key, text, .. } in response?.answers {
            if known.insert(key.clone()) {
                columns.push((key, text.text(language).to_owned()));
            }
        }
    }
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Bounded::new());
    let name = |(ko, en): &(&'static str, &'static str)| if language == Language::Ko { *ko } else { *en };
    let questions = columns.iter().map(|(_, text)| safe(text));
    let head = BEFORE.iter().map(|names| name(names).to_owned()).chain(questions);
    writer.write_record(head.chain(AFTER.iter().map(|names| name(names).to_owned()))).map_err(unwritten)?;
    for response in walk() {
        writer.write_record(cells(&response?, &columns, language)).map_err(unwritten)?;
    }
    Ok(writer.into_inner().map_err(|error| unwritten(error.into_error().into()))?.0)
}

fn cells(response: &Response, columns: &[(String, String)], language: Language) -> Vec<String> {
    let Response { id, client, status, source, .. } = response;
    let (ko, en) = status.names();
    let in_words = if language == Language::Ko { ko } else { en };
    let tag = if response.language == Language::Ko { "ko" } else { "en" };
    let mut cells = vec![id.clone(), instant(&response.created_at), in_words.to_owned()];
    cells.extend([&client.name, &client.email, &client.phone].map(|text| safe(text)));
    cells.push(tag.to_owned());
    for (key, _) in columns {
        let answer = response.answers.iter().find(|answer| answer.key == *key);
        cells.push(answer.map_or_else(String::new, |answer| match answer.value {
            Some(AnswerValue::Number(number)) => number.to_string(),
            _ => safe(&answer.shown(language, " | ")),
        }));
    }
    cells.push(safe(&response.admin_notes));
    cells.push(response.reviewed_at.as_ref().map(instant).unwrap_or_default());
    cells.extend(
        [&source.referrer, &source.utm_source, &source.utm_medium, &source.utm_campaign].map(|text| safe(text)),
    );
    cells.push(source.completion_seconds.map(|seconds| seconds.to_string()).unwrap_or_default());
    cells.push(safe(&source.user_agent));
    cells
}

/// To the minute, as the shop's clock says it.
fn instant(at: &DateTime<Utc>) -> String {
    at.with_timezone(&day::ZONE).format("%Y-%m-%d %H:%M").to_string()
}

/// A text that no spreadsheet takes for a formula, without marks of direction.
fn safe(text: &str) -> String {
    let text = without_direction_marks(text);
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.into_owned() }
}

fn unwritten(error: csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Error::new(Kind::TooLarge, TOO_LARGE.with([("bytes", MOST_BYTES.into())]))
        }
        _ => Error::internal(error),
    }
}

/// The bytes of the table, no more than it may have.
struct Bounded(Vec<u8>);

impl Bounded {
    fn new() -> Bounded {
        Bounded(BYTE_ORDER_MARK.to_vec())
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

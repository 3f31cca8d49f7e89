//! What is sent of a quote: at the desk, and by who decides.

use chrono::NaiveDate;
use serde::Deserialize;

use super::{Category, Vat};
use crate::contact::{Address, Phone};
use hanok_base::MessageTemplate;
use hanok_base::Request;
use hanok_base::day::Day;
use hanok_base::list::List;
use hanok_base::money::{Amount, Krw, PositiveAmount};
use hanok_base::request::ListOf;
use hanok_base::schema::{Array, BasicType, Components, Object, OneOf, RefOr, Schema};
use hanok_base::text::{Line, Text};
use hanok_base::validated::{Constraint, KrwRange, Unchecked, ValidationErrors};
use hanok_platform::mail::Language;

const MUST_BE_AN_ID: MessageTemplate =
    MessageTemplate::new("quotes.must.entry_id", "must be 1 to 40 letters, digits, hyphens and underscores");
const MUST_BE_A_MAIL: MessageTemplate =
    MessageTemplate::new("quotes.must.mail", "must be empty or a mail address such as name@example.com");

const MUST_BE_LINES: MessageTemplate =
    MessageTemplate::new("quotes.must.lines", "must be text, or a list of at most {most} lines");

/// The most lines of such a list.
const MOST_LINES: usize = 100;

/// The largest price and discount: a thousand billion won is no quote of a small business.
pub const MOST_PRICE: u64 = 100_000_000_000;

/// A task of a phase, as it is sent.
#[derive(Debug, Clone, Request)]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// Its id within the quote; left out it gets a new one.
    #[field(EntryId)]
    pub id: Option<String>,
    /// What it is.
    #[field(Line<1, 200>)]
    pub name: String,
    /// How long it takes, as free text; left out it is empty.
    #[field(Line<0, 50>, default)]
    pub duration: String,
    /// More about it; left out it is empty.
    #[field(Text<0, 2000>, default)]
    pub description: String,
}

/// A phase, as it is sent.
#[derive(Debug, Clone, Request)]
#[serde(deny_unknown_fields)]
pub struct NewPhase {
    /// Its id within the quote; left out it gets a new one.
    #[field(EntryId)]
    pub id: Option<String>,
    /// What it is called.
    #[field(Line<1, 200>)]
    pub phase: String,
    /// What is done in it; left out it is nothing.
    #[field(ListOf<NewTask, 0, 50>, default)]
    pub tasks: Vec<NewTask>,
}

/// A line, as it is sent.
#[derive(Debug, Clone, Request)]
#[serde(deny_unknown_fields)]
pub struct NewItem {
    /// Its id within the quote; left out it gets a new one.
    #[field(EntryId)]
    pub id: Option<String>,
    /// What kind of work it is; left out it is development.
    #[field(Unchecked<Category>, default)]
    pub category: Category,
    /// What it is.
    #[field(Line<1, 200>)]
    pub name: String,
    /// More about it; left out it is empty.
    #[field(Text<0, 2000>, default)]
    pub description: String,
    /// How many, at most three digits behind the point; left out it is 1.
    #[field(PositiveAmount)]
    pub quantity: Option<Amount>,
    /// The price of one, in won.
    #[field(Price)]
    pub unit_price: Krw,
    /// Whether the customer chooses it; left out it is part of the quote.
    #[field(Unchecked<bool>, default)]
    pub optional: bool,
}

/// A plan of maintenance, as it is sent.
#[derive(Debug, Clone, Request)]
#[serde(deny_unknown_fields)]
pub struct NewPlan {
    /// Its id within the quote; left out it gets a new one.
    #[field(EntryId)]
    pub id: Option<String>,
    /// What it is called.
    #[field(Line<1, 200>)]
    pub name: String,
    /// For how long, as free text; left out it is empty.
    #[field(Line<0, 50>, default)]
    pub period: String,
    /// What it costs each month, in won.
    #[field(Price)]
    pub monthly_fee: Krw,
    /// What it includes, a line for each, or a list of them; left out it is nothing.
    #[field(Lines, default)]
    pub includes: String,
    /// Whether the shop recommends it; left out it does not.
    #[field(Unchecked<bool>, default)]
    pub recommended: bool,
}

/// A quote to be begun: a draft. Everything may be left out.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct NewQuote {
    /// What it is about; left out it is a new quote, or named after the request.
    #[field(Line<1, 200>)]
    pub title: Option<String>,
    /// For whom it is.
    #[field(Line<0, 100>)]
    pub client_name: Option<String>,
    /// Where the customer is written to.
    #[field(ClientMail)]
    pub client_email: Option<String>,
    /// The customer's telephone number.
    #[field(Phone)]
    pub client_phone: Option<String>,
    /// The language in which the customer is written to; left out it is that of the request, or Korean.
    pub language: Option<Language>,
    /// The last day on which it can be accepted, in Asia/Seoul; left out it does not end.
    #[field(Day)]
    pub valid_until: Option<NaiveDate>,
    /// The phases of the work.
    #[field(ListOf<NewPhase, 0, 30>, default)]
    pub wbs: Vec<NewPhase>,
    /// The lines.
    #[field(ListOf<NewItem, 0, 100>, default)]
    pub items: Vec<NewItem>,
    /// The plans of maintenance.
    #[field(ListOf<NewPlan, 0, 10>, default)]
    pub maintenance: Vec<NewPlan>,
    /// What is taken off, in won; left out it is nothing.
    #[field(Price, default)]
    pub discount: Krw,
    /// How value added tax stands to the prices; left out it is added to them.
    #[field(Unchecked<Vat>, default)]
    pub vat: Vat,
    /// What the customer reads beside it; left out it is empty.
    #[field(Text<0, 5000>, default)]
    pub notes: String,
    /// What only the desk sees; left out it is empty.
    #[field(Text<0, 5000>, default)]
    pub internal_notes: String,
    /// The request that it answers, from which what is left out is taken.
    #[field(Line<1, 64>)]
    pub contact_request_id: Option<String>,
}

/// What changes of a quote; the others stay. Nothing else of it can be changed: whatever else is sent is refused by name.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct QuoteChanges {
    /// The quote.
    #[field(Line<1, 64>)]
    pub id: String,
    /// The revision that was read. Where it is another one by now, the change is refused (409).
    pub revision: Option<u32>,
    /// The version that was read. Where anything was changed since, the change is refused (409).
    pub version: Option<u32>,
    /// What it is about.
    #[field(Line<1, 200>, change)]
    pub title: Option<String>,
    /// For whom it is; null clears it.
    #[field(Line<0, 100>, clear)]
    pub client_name: Option<Option<String>>,
    /// Where the customer is written to; null clears it.
    #[field(ClientMail, clear)]
    pub client_email: Option<Option<String>>,
    /// The customer's telephone number; null clears it.
    #[field(Phone, clear)]
    pub client_phone: Option<Option<String>>,
    /// The language in which the customer is written to.
    #[field(Unchecked<Language>, change)]
    pub language: Option<Language>,
    /// The last day on which it can be accepted, in Asia/Seoul; null for none.
    #[field(Day, clear)]
    pub valid_until: Option<Option<NaiveDate>>,
    /// All phases of the work.
    #[field(ListOf<NewPhase, 0, 30>, change)]
    pub wbs: Option<Vec<NewPhase>>,
    /// All lines.
    #[field(ListOf<NewItem, 0, 100>, change)]
    pub items: Option<Vec<NewItem>>,
    /// All plans of maintenance.
    #[field(ListOf<NewPlan, 0, 10>, change)]
    pub maintenance: Option<Vec<NewPlan>>,
    /// What is taken off, in won; null for nothing.
    #[field(Price, clear)]
    pub discount: Option<Option<Krw>>,
    /// How value added tax stands to the prices.
    #[field(Unchecked<Vat>, change)]
    pub vat: Option<Vat>,
    /// What the customer reads beside it; null clears it.
    #[field(Text<0, 5000>, clear)]
    pub notes: Option<Option<String>>,
    /// What only the desk sees; null clears it.
    #[field(Text<0, 5000>, clear)]
    pub internal_notes: Option<Option<String>>,
}

/// What a customer decides.
#[derive(Debug, Clone, Request)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// Whether it is accepted; otherwise it is declined.
    pub accept: bool,
    /// The hash of the quote that was shown.
    #[field(Line<1, 64>)]
    pub hash: String,
    /// The optional lines that are chosen, by their ids; left out it is none.
    #[field(Ids, default)]
    pub selected_items: Vec<String>,
    /// The plan of maintenance that is chosen, by its id; left out it is none.
    #[field(Line<0, 40>)]
    pub selected_maintenance: Option<String>,
    /// Why; left out it is empty.
    #[field(Text<0, 2000>, default)]
    pub reason: String,
}

/// At most 100 ids.
#[derive(Debug)]
pub enum Ids {}

impl Constraint for Ids {
    type Input = List<String, 100>;
    type Value = Vec<String>;

    fn check(sent: Self::Input) -> Result<Vec<String>, ValidationErrors> {
        if sent.sent() > 100 {
            return Err(hanok_base::validation_messages::SMALLER.into());
        }
        Ok(sent.into_kept().map(|(_, id)| id).collect())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Array::new().items(Object::with_type(BasicType::String).max_length(40)).max_items(100).into()
    }
}

/// The id of a phase, a task, a line or a plan within its quote: 1 to 40 letters, digits, `-` and `_`.
#[derive(Debug)]
pub enum EntryId {}

/// The form of such an id.
const ENTRY_ID: &str = "^[A-Za-z0-9_-]{1,40}$";

impl Constraint for EntryId {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let is_id = (1..=40).contains(&sent.len())
            && sent.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_id { Ok(sent) } else { Err(MUST_BE_AN_ID.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).min_length(1).max_length(40).pattern(ENTRY_ID).examples(["a1"]).into()
    }
}

/// A mail address in at most 100 characters, or nothing.
#[derive(Debug)]
pub enum ClientMail {}

impl Constraint for ClientMail {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let text = Text::<0, 100>::check(sent)?;
        if text.is_empty() { Ok(text) } else { Address::check(text).map_err(|_| MUST_BE_A_MAIL.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(100).examples(["name@example.com"]).into()
    }
}

/// A price or a discount in won, from nothing to [`MOST_PRICE`].
#[derive(Debug)]
pub enum Price {}

impl Constraint for Price {
    type Input = <KrwRange<MOST_PRICE> as Constraint>::Input;
    type Value = Krw;

    fn check(sent: Self::Input) -> Result<Krw, ValidationErrors> {
        let won = KrwRange::<MOST_PRICE>::check(sent)?;
        i64::try_from(won).ok().and_then(Krw::new).ok_or_else(|| hanok_base::validation_messages::SMALLER.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        KrwRange::<MOST_PRICE>::schema(components)
    }
}

/// Lines of text in at most 2,000 characters, as one text or as a list: as a list they are answered.
#[derive(Debug)]
pub enum Lines {}

/// [`Lines`] as they are sent.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum SentLines {
    /// As one text.
    Text(String),
    /// As a list.
    List(List<String, MOST_LINES>),
}

impl Constraint for Lines {
    type Input = SentLines;
    type Value = String;

    fn check(sent: SentLines) -> Result<String, ValidationErrors> {
        let text = match sent {
            SentLines::Text(text) => text,
            SentLines::List(list) if list.sent() > MOST_LINES => {
                return Err(MUST_BE_LINES.with([("most", MOST_LINES.into())]).into());
            }
            SentLines::List(list) => list.into_kept().map(|(_, line)| line).collect::<Vec<_>>().join("\n"),
        };
        Text::<0, 2000>::check(text)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        let line = Object::with_type(BasicType::String).max_length(2000);
        let list = Array::new().items(line).max_items(MOST_LINES);
        OneOf::new().item(Text::<0, 2000>::schema(components)).item(list).into()
    }
}

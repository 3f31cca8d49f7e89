//! A quote and its rules: what it offers, what it adds up to, and when it can be decided.

mod content;
mod decide;
mod request;
mod totals;
mod whitelist;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::money::{Amount, Krw};
use hanok_base::schema::ToSchema;
use hanok_platform::mail::Language;

pub use content::{ContactStart, check_sendable, hash_of};
pub use decide::{ALREADY_DECIDED, CODES, QUOTE_CHANGED, QUOTE_EXPIRED, already_decided};
pub use request::{Decide, Ids, NewItem, NewPhase, NewPlan, NewQuote, NewTask, QuoteChanges};
pub use totals::{line_amount, totals};
pub use whitelist::OnlyChanges;

/// Where a quote stands. That it has expired is no state: it follows from its last day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuoteStatus {
    /// Only the desk sees it.
    Draft,
    /// The customer can open and decide it.
    Sent,
    /// The customer has accepted it.
    Accepted,
    /// The customer has declined it.
    Rejected,
}

/// What kind of work a line is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// 기획.
    Planning,
    /// 디자인.
    Design,
    /// 개발.
    #[default]
    Development,
    /// 인프라.
    Infrastructure,
    /// 유지보수.
    Maintenance,
    /// 기타.
    Other,
}

/// How value added tax stands to the prices of a quote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Vat {
    /// The prices contain it (부가세 포함): a total of 11 has 1 of it.
    Included,
    /// It is added to the prices (부가세 별도): 10 %.
    #[default]
    Excluded,
    /// There is none.
    Exempt,
}

/// A phase of the work (work breakdown structure).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Phase {
    /// Its id within the quote.
    pub id: String,
    /// What it is called.
    pub phase: String,
    /// What is done in it, in order.
    pub tasks: Vec<Task>,
}

/// A task of a phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// Its id within the quote.
    pub id: String,
    /// What it is.
    pub name: String,
    /// How long it takes, as free text such as `3일`; may be empty.
    pub duration: String,
    /// More about it; may be empty.
    pub description: String,
}

/// A line of a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Item {
    /// Its id within the quote.
    pub id: String,
    /// What kind of work it is.
    pub category: Category,
    /// What it is.
    pub name: String,
    /// More about it; may be empty.
    pub description: String,
    /// How many, at most three digits behind the point.
    pub quantity: Amount,
    /// The price of one, in won.
    pub unit_price: Krw,
    /// Whether the customer chooses it; otherwise it is part of the quote.
    pub optional: bool,
}

/// A plan of maintenance, of which the customer may choose one. It is paid by the month and no part of the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Plan {
    /// Its id within the quote.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// For how long, as free text such as `3개월`; may be empty.
    pub period: String,
    /// What it costs each month, in won.
    pub monthly_fee: Krw,
    /// What it includes, line by line.
    pub includes: Vec<String>,
    /// Whether the shop recommends it.
    pub recommended: bool,
}

/// What a quote says to its customer. The hash that stands for it is made of it ([`hash_of`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuoteContent {
    /// What it is about.
    pub title: String,
    /// For whom it is.
    pub client_name: String,
    /// The language in which the customer is written to.
    pub language: Language,
    /// The last day on which it can be accepted, in Asia/Seoul; null where it does not end.
    pub valid_until: Option<NaiveDate>,
    /// The phases of the work.
    pub wbs: Vec<Phase>,
    /// The lines.
    pub items: Vec<Item>,
    /// The plans of maintenance.
    pub maintenance: Vec<Plan>,
    /// What is taken off, in won.
    pub discount: Krw,
    /// How value added tax stands to the prices.
    pub vat: Vat,
    /// What the customer reads beside it; may be empty.
    pub notes: String,
}

/// What lines add up to, in won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Totals {
    /// The lines.
    pub items: Krw,
    /// What is taken off.
    pub discount: Krw,
    /// Without value added tax.
    pub supply: Krw,
    /// The value added tax.
    pub vat: Krw,
    /// What is to be paid.
    pub total: Krw,
}

/// What a customer has decided, with everything as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decision {
    /// Whether it was accepted.
    pub accepted: bool,
    /// When.
    pub at: DateTime<Utc>,
    /// The optional lines that were chosen, by their ids.
    pub selected_items: Vec<String>,
    /// The plan of maintenance that was chosen, by its id.
    pub selected_maintenance: Option<String>,
    /// Why, in the customer's words; may be empty.
    pub reason: String,
    /// What it adds up to with what was chosen.
    pub totals: Totals,
    /// What was decided upon.
    pub content: QuoteContent,
    /// Its revision.
    pub revision: u32,
    /// SHA-256 over everything above as JSON, in hexadecimal: what the customer gets by mail.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// A quote as the desk sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Quote {
    /// Its number, by which people name it.
    pub number: u64,
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: QuoteStatus,
    /// How often what the customer sees was changed after it was first sent; the first is 1.
    pub revision: u32,
    /// How often anything of it was changed. Who changes it says which one was read.
    #[serde(default)]
    pub version: u32,
    /// SHA-256 over number, revision and content, in hexadecimal. Who decides says which one was shown.
    pub hash: String,
    /// What the customer sees.
    #[serde(flatten)]
    pub content: QuoteContent,
    /// Where the customer is written to; may be empty while it is a draft.
    pub client_email: String,
    /// The customer's telephone number; may be empty.
    pub client_phone: String,
    /// What only the desk sees.
    pub internal_notes: String,
    /// The request that it answers.
    pub contact_request_id: Option<String>,
    /// The account that it is linked to.
    pub user_id: Option<String>,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
    /// When it was sent last; null while it never was.
    pub sent_at: Option<DateTime<Utc>>,
    /// What the customer has decided; null while nothing is.
    pub decision: Option<Decision>,
}

/// A quote as who has its link sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublicQuote {
    /// Its id.
    pub id: String,
    /// Its number.
    pub number: u64,
    /// Where it stands; never a draft.
    pub status: QuoteStatus,
    /// Whether its last day is over.
    pub expired: bool,
    /// Whether it can be decided now: it was sent, is not decided and has not expired.
    pub can_decide: bool,
    /// Its revision.
    pub revision: u32,
    /// What who decides has to say that it was shown.
    pub hash: String,
    /// What it says; what was decided upon, where it was decided.
    #[serde(flatten)]
    pub content: QuoteContent,
    /// What it adds up to without any optional line.
    pub totals: Totals,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// When it was sent last.
    pub sent_at: Option<DateTime<Utc>>,
    /// What was decided; null while nothing is.
    pub decision: Option<PublicDecision>,
}

/// What was decided, as who has the link sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublicDecision {
    /// Whether it was accepted.
    pub accepted: bool,
    /// When.
    pub at: DateTime<Utc>,
    /// The optional lines that were chosen, by their ids.
    pub selected_items: Vec<String>,
    /// The plan of maintenance that was chosen, by its id.
    pub selected_maintenance: Option<String>,
    /// Why, in the customer's words.
    pub reason: String,
    /// What it adds up to with what was chosen.
    pub totals: Totals,
    /// The hash of what was decided.
    pub hash: String,
}

impl From<&Decision> for PublicDecision {
    fn from(decision: &Decision) -> PublicDecision {
        let Decision { accepted, at, selected_items, selected_maintenance, reason, totals, hash, .. } =
            decision.clone();
        PublicDecision { accepted, at, selected_items, selected_maintenance, reason, totals, hash }
    }
}

impl QuoteStatus {
    /// Every one, in the order of the work.
    pub const ALL: [QuoteStatus; 4] =
        [QuoteStatus::Draft, QuoteStatus::Sent, QuoteStatus::Accepted, QuoteStatus::Rejected];

    /// The word of the wire.
    pub fn code(self) -> &'static str {
        match self {
            QuoteStatus::Draft => "draft",
            QuoteStatus::Sent => "sent",
            QuoteStatus::Accepted => "accepted",
            QuoteStatus::Rejected => "rejected",
        }
    }

    /// Its Korean and its English.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            QuoteStatus::Draft => ("작성 중", "Draft"),
            QuoteStatus::Sent => ("발송됨", "Sent"),
            QuoteStatus::Accepted => ("수락됨", "Accepted"),
            QuoteStatus::Rejected => ("거절됨", "Declined"),
        }
    }
}

impl Category {
    /// Every one, in the order of the work.
    pub const ALL: [Category; 6] = [
        Category::Planning,
        Category::Design,
        Category::Development,
        Category::Infrastructure,
        Category::Maintenance,
        Category::Other,
    ];

    /// The word of the wire.
    pub fn code(self) -> &'static str {
        match self {
            Category::Planning => "planning",
            Category::Design => "design",
            Category::Development => "development",
            Category::Infrastructure => "infrastructure",
            Category::Maintenance => "maintenance",
            Category::Other => "other",
        }
    }

    /// Its Korean and its English.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Category::Planning => ("기획", "Planning"),
            Category::Design => ("디자인", "Design"),
            Category::Development => ("개발", "Development"),
            Category::Infrastructure => ("인프라", "Infrastructure"),
            Category::Maintenance => ("유지보수", "Maintenance"),
            Category::Other => ("기타", "Other"),
        }
    }
}

impl Vat {
    /// Every one.
    pub const ALL: [Vat; 3] = [Vat::Excluded, Vat::Included, Vat::Exempt];

    /// The word of the wire.
    pub fn code(self) -> &'static str {
        match self {
            Vat::Included => "included",
            Vat::Excluded => "excluded",
            Vat::Exempt => "exempt",
        }
    }

    /// Its Korean and its English, as it stands beside a total.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Vat::Included => ("부가세 포함", "VAT included"),
            Vat::Excluded => ("부가세 별도", "VAT added"),
            Vat::Exempt => ("부가세 없음", "no VAT"),
        }
    }
}

//! How a quote is seen by its link, and how it is decided.

use chrono::{DateTime, NaiveDate, Utc};

use super::{Decide, Decision, PublicDecision, PublicQuote, Quote, QuoteContent, QuoteStatus, Totals, totals};
use hanok_base::error::{Check, Code};
use hanok_base::secret::fingerprint;
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// The quote is accepted or declined already, and stays so.
pub const ALREADY_DECIDED: Code = Code::new("ALREADY_DECIDED", Kind::Conflict);
/// Its last day is over.
pub const QUOTE_EXPIRED: Code = Code::new("QUOTE_EXPIRED", Kind::Conflict);
/// It is another one than was shown.
pub const QUOTE_CHANGED: Code = Code::new("QUOTE_CHANGED", Kind::Conflict);
/// The codes of the quotes.
pub const CODES: &[Code] = &[ALREADY_DECIDED, QUOTE_EXPIRED, QUOTE_CHANGED];

const DECIDED: MessageTemplate =
    MessageTemplate::new("quotes.already_decided", "this quote is decided already and stays as it is");
const EXPIRED: MessageTemplate = MessageTemplate::new("quotes.expired", "the last day of this quote, {day}, is over");
const CHANGED: MessageTemplate =
    MessageTemplate::new("quotes.changed", "this quote was changed since it was shown; look at it again");
const OPTIONAL_LINE: MessageTemplate =
    MessageTemplate::new("quotes.must.optional_line", "must be the id of a line of this quote that can be chosen");
const PLAN: MessageTemplate = MessageTemplate::new("quotes.must.plan", "must be the id of a plan of this quote");

/// That the quote is decided already.
pub fn already_decided() -> Error {
    Error::of(ALREADY_DECIDED, DECIDED)
}

impl QuoteStatus {
    /// As a number by which it is found; stored, so it stays.
    pub fn number(self) -> u64 {
        match self {
            QuoteStatus::Draft => 0,
            QuoteStatus::Sent => 1,
            QuoteStatus::Accepted => 2,
            QuoteStatus::Rejected => 3,
        }
    }

    /// Whether its customer has decided it.
    pub fn is_decided(self) -> bool {
        matches!(self, QuoteStatus::Accepted | QuoteStatus::Rejected)
    }
}

impl QuoteContent {
    /// The ids of the optional lines among `chosen`, in the order of the lines.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming `field` where one is the id of no line that can be chosen.
    pub fn chosen(&self, chosen: &[String], field: &str) -> Result<Vec<String>> {
        let optional: Vec<&str> = self.items.iter().filter(|item| item.optional).map(|item| item.id.as_str()).collect();
        if !chosen.iter().all(|id| optional.contains(&id.as_str())) {
            return Err(Error::field(field, OPTIONAL_LINE));
        }
        Ok(optional.into_iter().filter(|id| chosen.iter().any(|one| one == id)).map(str::to_owned).collect())
    }

    /// What the quote adds up to with these optional lines.
    ///
    /// # Errors
    /// Those of [`QuoteContent::chosen`].
    pub fn totals_with(&self, chosen: &[String], field: &str) -> Result<Totals> {
        totals(self, &self.chosen(chosen, field)?)
    }
}

impl Quote {
    /// It as the customer decides it at `now`, on `today` in Asia/Seoul.
    ///
    /// # Errors
    /// `ALREADY_DECIDED`; `QUOTE_EXPIRED`; `QUOTE_CHANGED` where another revision was shown; `INVALID_INPUT` for a line or plan
    /// that it does not have.
    pub fn decided(self, decide: &Decide, today: NaiveDate, now: DateTime<Utc>) -> Result<Quote> {
        match (self.status, self.content.valid_until) {
            (QuoteStatus::Draft, _) => return Err(Error::not_found("quote")),
            (QuoteStatus::Accepted | QuoteStatus::Rejected, _) => return Err(already_decided()),
            (QuoteStatus::Sent, Some(last)) if today > last => {
                return Err(Error::of(QUOTE_EXPIRED, EXPIRED.with([("day", last.to_string().into())])));
            }
            (QuoteStatus::Sent, _) => {}
        }
        if decide.hash != self.hash {
            return Err(Error::of(QUOTE_CHANGED, CHANGED));
        }
        let plan = decide.selected_maintenance.as_deref().filter(|id| !id.is_empty());
        let has_plan = plan.is_none_or(|id| self.content.maintenance.iter().any(|plan| plan.id == id));
        let selected_items = Check::of(|check| {
            check.require(has_plan, "selected_maintenance", PLAN);
            check.keep(self.content.chosen(&decide.selected_items, "selected_items")).unwrap_or_default()
        })?;
        // What is declined chooses nothing.
        let selected_items = if decide.accept { selected_items } else { Vec::new() };
        let decision = Decision {
            accepted: decide.accept,
            at: now,
            totals: totals(&self.content, &selected_items)?,
            selected_items,
            selected_maintenance: plan.filter(|_| decide.accept).map(str::to_owned),
            reason: decide.reason.clone(),
            content: self.content.clone(),
            revision: self.revision,
            hash: String::new(),
        };
        let hash = decision.hash_of_rest()?;
        let status = if decide.accept { QuoteStatus::Accepted } else { QuoteStatus::Rejected };
        Ok(Quote { status, updated_at: now, decision: Some(Decision { hash, ..decision }), ..self })
    }
}

impl Decision {
    /// SHA-256 over everything but the hash as JSON, in hexadecimal.
    ///
    /// # Errors
    /// `INTERNAL` where it cannot be written as JSON.
    pub fn hash_of_rest(&self) -> Result<String> {
        let rest = Decision { hash: String::new(), ..self.clone() };
        Ok(fingerprint(&serde_json::to_string(&rest).map_err(Error::internal)?))
    }
}

impl QuoteContent {
    /// Whether its last day is over on `today` in Asia/Seoul.
    pub fn is_expired(&self, today: NaiveDate) -> bool {
        self.valid_until.is_some_and(|last| today > last)
    }
}

impl Quote {
    /// As who has its link sees it on `today` in Asia/Seoul; what was decided upon, where it was decided.
    ///
    /// # Errors
    /// `INTERNAL` where what is stored adds up to no sum.
    pub fn public(&self, today: NaiveDate) -> hanok_base::Result<PublicQuote> {
        let content = self.decision.as_ref().map_or(&self.content, |decision| &decision.content).clone();
        let expired = self.decision.is_none() && content.is_expired(today);
        Ok(PublicQuote {
            id: self.id.clone(),
            number: self.number,
            status: self.status,
            expired,
            can_decide: self.status == QuoteStatus::Sent && !expired,
            revision: self.decision.as_ref().map_or(self.revision, |decision| decision.revision),
            hash: self.hash.clone(),
            totals: totals(&content, &[])?,
            content,
            created_at: self.created_at,
            sent_at: self.sent_at,
            decision: self.decision.as_ref().map(PublicDecision::from),
        })
    }
}

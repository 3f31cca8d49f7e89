//! A quote as its page shows it: its lines, plans and sums in the language of the visitor.

use chrono::NaiveDate;

use super::super::super::model::{
    Item, Plan, PublicDecision, PublicQuote, QuoteStatus, Totals, Vat, line_amount, totals,
};
use crate::frame::Frame;
use hanok_base::money::Krw;
use hanok_base::{Result, day};

/// A quote with what is chosen of it.
pub struct View<'a> {
    /// The frame of the page that shows it.
    frame: &'a Frame,
    /// The quote.
    pub quote: PublicQuote,
    /// The optional lines that are ticked, by their ids.
    pub chosen: Vec<String>,
    /// The plan that is chosen, by its id; empty where none is.
    pub plan: String,
    /// What it adds up to with them.
    pub totals: Totals,
}

/// A line as it is shown.
pub struct Line<'v> {
    /// The line.
    pub item: &'v Item,
    /// What kind of work it is.
    pub category: &'static str,
    /// What it costs.
    pub amount: String,
    /// How it comes to that, such as `2 × 600,000원`; empty where it is one.
    pub detail: String,
    /// Whether it is chosen.
    pub is_chosen: bool,
}

/// A sum with its label.
pub struct Sum {
    /// By which the script finds it: its name in `Totals`.
    pub key: &'static str,
    /// What it is.
    pub label: &'static str,
    /// How much.
    pub amount: String,
}

/// A day as the desk writes it, like every other one there.
pub fn day_at_the_desk(frame: &Frame, day: &NaiveDate) -> String {
    day.format(frame.say("%Y년 %-m월 %-d일", "%-d %b %Y")).to_string()
}

/// The state of a quote, as its customer reads it, and the tone of the badge.
fn state_of(frame: &Frame, status: QuoteStatus, expired: bool) -> (&'static str, &'static str) {
    match (status, expired) {
        (QuoteStatus::Draft, _) => (frame.say("작성 중", "Draft"), ""),
        (QuoteStatus::Sent, true) => (frame.say("유효 기간 지남", "Expired"), "warn"),
        (QuoteStatus::Sent, false) => (frame.say("결정 대기 중", "Awaiting your decision"), "now"),
        (QuoteStatus::Accepted, _) => (frame.say("수락됨", "Accepted"), "good"),
        (QuoteStatus::Rejected, _) => (frame.say("거절됨", "Declined"), "bad"),
    }
}

/// The state of a quote as the desk reads it, and the tone of the badge.
pub fn state_at_the_desk(frame: &Frame, status: QuoteStatus, expired: bool) -> (&'static str, &'static str) {
    let (ko, en) = status.text();
    let (state, tone) = state_of(frame, status, expired);
    if expired && status == QuoteStatus::Sent { (state, tone) } else { (frame.say(ko, en), tone) }
}

impl<'a> View<'a> {
    /// `quote` with what was decided, or else with the optional lines `chosen` and the plan `plan`. What the quote does not offer is
    /// passed over.
    ///
    /// # Errors
    /// `INTERNAL` where it adds up to no sum.
    pub fn new(frame: &'a Frame, quote: PublicQuote, chosen: Vec<String>, plan: String) -> Result<View<'a>> {
        let (chosen, plan) = match &quote.decision {
            Some(decision) => {
                (decision.selected_items.clone(), decision.selected_maintenance.clone().unwrap_or_default())
            }
            None => (chosen, plan),
        };
        let is_optional = |id: &String| quote.content.items.iter().any(|item| item.optional && item.id == *id);
        let chosen: Vec<String> = chosen.into_iter().filter(is_optional).collect();
        let plan = if quote.content.maintenance.iter().any(|known| known.id == plan) { plan } else { String::new() };
        let totals = match &quote.decision {
            Some(decision) if decision.accepted => decision.totals,
            _ => totals(&quote.content, &chosen)?,
        };
        Ok(View { frame, quote, chosen, plan, totals })
    }

    /// Won as people write it.
    pub fn won(&self, won: &Krw) -> String {
        won.said(self.frame.is_korean())
    }

    /// A day as people write it.
    pub fn day(&self, day: &NaiveDate) -> String {
        day.format(self.frame.say("%Y년 %-m월 %-d일", "%-d %B %Y")).to_string()
    }

    /// A day as the desk writes it, like every other one there.
    pub fn day_at_the_desk(&self, day: &NaiveDate) -> String {
        day_at_the_desk(self.frame, day)
    }

    /// The day of the quote: when it was sent last, or begun.
    pub fn written_on(&self) -> String {
        self.day(&day::of(self.quote.sent_at.unwrap_or(self.quote.created_at)))
    }

    /// What is decided; none while nothing is.
    pub fn decision(&self) -> Option<&PublicDecision> {
        self.quote.decision.as_ref()
    }

    /// Its state, as its customer reads it, and the tone of the badge.
    pub fn state(&self) -> (&'static str, &'static str) {
        state_of(self.frame, self.quote.status, self.quote.expired)
    }

    /// How value added tax stands to the total.
    pub fn vat_of_total(&self) -> &'static str {
        match self.quote.content.vat {
            Vat::Exempt => self.frame.say("부가세 없음", "no VAT"),
            Vat::Included | Vat::Excluded => self.frame.say("부가세 포함", "VAT included"),
        }
    }

    /// How it stands to the prices of the lines.
    pub fn vat_of_prices(&self) -> &'static str {
        match self.quote.content.vat {
            Vat::Exempt => self.frame.say("부가세가 없는 가격입니다.", "No VAT applies to these prices."),
            Vat::Included => self.frame.say("부가세를 포함한 가격입니다.", "Prices include VAT."),
            Vat::Excluded => self.frame.say("부가세 별도 가격입니다.", "Prices do not include VAT."),
        }
    }

    /// The lines that are part of it, or those of which the customer chooses.
    pub fn lines(&self, optional: bool) -> Vec<Line<'_>> {
        let of_kind = self.quote.content.items.iter().filter(|item| item.optional == optional);
        of_kind.map(|item| self.line(item)).collect()
    }

    fn line<'v>(&'v self, item: &'v Item) -> Line<'v> {
        let (ko, en) = item.category.text();
        let quantity = item.quantity.get().normalize();
        let price = self.won(&item.unit_price);
        Line {
            item,
            category: self.frame.say(ko, en),
            amount: line_amount(item).map(|amount| self.won(&amount)).unwrap_or_default(),
            detail: if quantity.to_string() == "1" { String::new() } else { format!("{quantity} × {price}") },
            is_chosen: self.chosen.contains(&item.id),
        }
    }

    /// The names of the optional lines that are chosen, with what they cost.
    pub fn chosen_lines(&self) -> Vec<Line<'_>> {
        self.lines(true).into_iter().filter(|line| line.is_chosen).collect()
    }

    /// The plan that is chosen.
    pub fn chosen_plan(&self) -> Option<&Plan> {
        self.quote.content.maintenance.iter().find(|plan| plan.id == self.plan)
    }

    /// What a plan costs each month.
    pub fn monthly(&self, plan: &Plan) -> String {
        let fee = self.won(&plan.monthly_fee);
        if self.frame.is_korean() { format!("월 {fee}") } else { format!("{fee} a month") }
    }

    /// What stands above the total.
    pub fn sums(&self) -> Vec<Sum> {
        let Totals { items, discount, supply, vat, .. } = self.totals;
        let sum = |key, label, won: Krw| Sum { key, label, amount: self.won(&won) };
        let mut sums = vec![sum("items", self.frame.say("작업", "Work"), items)];
        if discount > Krw::ZERO {
            let amount = format!("\u{2212}{}", self.won(&discount));
            sums.push(Sum { key: "", label: self.frame.say("할인", "Discount"), amount });
        }
        if self.quote.content.vat != Vat::Exempt {
            sums.push(sum("supply", self.frame.say("공급가액", "Without VAT"), supply));
            sums.push(sum("vat", self.frame.say("부가세", "VAT"), vat));
        }
        sums
    }

    /// The total as people write it.
    pub fn total(&self) -> String {
        self.won(&self.totals.total)
    }

    /// The first signs of a hash, by which people compare two.
    pub fn short<'h>(&self, hash: &'h str) -> &'h str {
        hash.get(..12).unwrap_or(hash)
    }
}

//! A quote as a PDF on A4: the parties, the lines with what they add up to, the phases, the plans, and what was decided.
//!
//! The same quote gives the same bytes. Signs that the font does not have stand as □ ([`font`]).

mod font;
mod layout;

use chrono::{DateTime, NaiveDate, Utc};
use krilla::metadata::Metadata;

use super::super::model::{
    Item, Plan, PublicDecision, PublicQuote, QuoteContent, QuoteStatus, Totals, Vat, line_amount,
};
use hanok_base::money::Krw;
use hanok_base::{Result, day};
use hanok_platform::mail::Language;
use layout::{Cell, Column, GoOn, LEFT, RIGHT, Sheet, Style};

const TITLE: Style = Style::of(22.0).bold();
const SECTION: Style = Style::of(12.0).bold();
const BODY: Style = Style::of(9.5);
const BESIDE: Style = Style::of(8.5).faint();

/// The columns of the lines: kind, name, quantity, price, amount.
const ITEMS: [Column; 5] = [
    Column::left(LEFT, 62.0),
    Column::left(LEFT + 66.0, 224.0),
    Column::right(LEFT + 294.0, 42.0),
    Column::right(LEFT + 340.0, 76.0),
    Column::right(LEFT + 420.0, RIGHT - LEFT - 420.0),
];
/// The columns of the totals.
const TOTALS: [Column; 2] = [Column::left(LEFT + 270.0, 120.0), Column::right(LEFT + 390.0, RIGHT - LEFT - 390.0)];
/// The columns of tasks: name, how long.
const TASKS: [Column; 2] = [Column::left(LEFT + 12.0, 380.0), Column::right(LEFT + 400.0, RIGHT - LEFT - 400.0)];
/// The columns of plans: name, for how long, each month.
const PLANS: [Column; 3] =
    [Column::left(LEFT, 270.0), Column::left(LEFT + 280.0, 80.0), Column::right(LEFT + 370.0, RIGHT - LEFT - 370.0)];
/// The columns of the parties: label and text of the shop, then of the customer.
const PARTIES: [Column; 4] = [
    Column::left(LEFT, 78.0),
    Column::left(LEFT + 82.0, 168.0),
    Column::left(LEFT + 270.0, 66.0),
    Column::left(LEFT + 340.0, RIGHT - LEFT - 340.0),
];

/// Who offers a quote, as it stands at its head.
#[derive(Debug, Clone)]
pub struct PdfShop<'a> {
    /// The name of the shop.
    pub name: &'a str,
    /// What the law wants shown of it, each with its label in the language of the document.
    pub particulars: Vec<(&'a str, &'a str)>,
}

/// What is written, and in which language.
struct Writer<'a> {
    quote: &'a PublicQuote,
    content: &'a QuoteContent,
    language: Language,
    sheet: Sheet,
}

/// The quote as a PDF in this language; what was decided upon, where it was decided.
///
/// # Errors
/// `INTERNAL` where the font cannot be read or the file cannot be made; that of `go_on`.
pub fn render(shop: &PdfShop<'_>, quote: &PublicQuote, language: Language, go_on: GoOn<'_>) -> Result<Vec<u8>> {
    let writer = Writer::of(shop, quote, language, go_on)?;
    let title = format!("{} {}", writer.say("견적서", "Quote"), writer.number());
    let foot = format!("{} · {title}", shop.name);
    let tag = writer.say("ko", "en").to_owned();
    let metadata = Metadata::new().title(format!("{title}: {}", quote.content.title)).language(tag);
    writer.sheet.into_pdf(metadata.authors(vec![shop.name.to_owned()]), &foot, go_on)
}

impl<'a> Writer<'a> {
    /// Everything that stands in the document.
    fn of(shop: &PdfShop<'_>, quote: &'a PublicQuote, language: Language, go_on: GoOn<'_>) -> Result<Writer<'a>> {
        let mut writer = Writer { quote, content: &quote.content, language, sheet: Sheet::new() };
        writer.head(shop);
        writer.items(go_on)?;
        writer.totals();
        writer.phases(go_on)?;
        writer.plans();
        writer.notes();
        writer.decision();
        Ok(writer)
    }

    fn say<'s>(&self, ko: &'s str, en: &'s str) -> &'s str {
        if self.language == Language::Ko { ko } else { en }
    }

    fn of_pair(&self, (ko, en): (&'static str, &'static str)) -> &'static str {
        self.say(ko, en)
    }

    fn money(&self, sum: Krw) -> String {
        sum.said(self.language == Language::Ko)
    }

    fn day(&self, day: NaiveDate) -> String {
        day.format(self.say("%Y년 %-m월 %-d일", "%-d %B %Y")).to_string()
    }

    fn instant(&self, at: DateTime<Utc>) -> String {
        let local = at.with_timezone(&day::ZONE).format(self.say("%Y년 %-m월 %-d일 %H:%M:%S", "%-d %B %Y, %H:%M:%S"));
        format!("{local} {}", self.say("(서울)", "(Seoul)"))
    }

    fn number(&self) -> String {
        let number = self.quote.number;
        match self.quote.revision {
            0 | 1 => format!("No. {number}"),
            revision => format!("No. {number}-{revision}"),
        }
    }

    fn section(&mut self, name: &str) {
        self.sheet.gap(16.0);
        self.sheet.keep(70.0);
        self.sheet.text(name, SECTION);
        self.sheet.gap(4.0);
    }

    /// The title, who the parties are, what it is about and until when.
    fn head(&mut self, shop: &PdfShop<'_>) {
        let halves = [Column::left(LEFT, 250.0), Column::right(LEFT + 250.0, RIGHT - LEFT - 250.0)];
        let (top, number) = (self.sheet.y(), self.number());
        let made = self.day(day::of(self.quote.sent_at.unwrap_or(self.quote.created_at)));
        self.sheet.row(&halves[1..], &[Cell::of(number, BODY).and(made, BODY)]);
        self.sheet.go_to(top);
        let title = match self.quote.status {
            QuoteStatus::Draft => self.say("견적서(초안)", "Quote (draft)"),
            _ => self.say("견적서", "Quote"),
        };
        self.sheet.row(&halves[..1], &[Cell::of(title, TITLE)]);
        self.sheet.gap(8.0);
        self.sheet.rule(1.2);
        self.sheet.gap(12.0);

        let [from, to] = [self.say("공급자", "From"), self.say("받는 분", "To")].map(str::to_owned);
        let name = Style::of(10.5).bold();
        self.sheet.row(
            &PARTIES,
            &[
                Cell::of(from, BESIDE),
                Cell::of(shop.name, name),
                Cell::of(to, BESIDE),
                Cell::of(&self.content.client_name, name),
            ],
        );
        // The shop's name stands above already.
        for (label, text) in shop.particulars.iter().filter(|(_, text)| *text != shop.name) {
            self.sheet.row(&PARTIES[..2], &[Cell::of(*label, BESIDE), Cell::of(*text, Style::of(8.5))]);
        }
        self.sheet.gap(14.0);
        self.sheet.text(&self.content.title, Style::of(15.0).bold());
        if let Some(last) = self.content.valid_until {
            let day = self.day(last);
            let text = match self.language {
                Language::Ko => format!("{day}까지 유효합니다."),
                Language::En => format!("Valid until {day}."),
            };
            self.sheet.text(text, BODY);
        }
    }

    fn items(&mut self, go_on: GoOn<'_>) -> Result<()> {
        if self.content.items.is_empty() {
            return Ok(());
        }
        self.section(self.say("견적 내역", "Items"));
        let prices = match (self.content.vat, self.language) {
            (Vat::Exempt, Language::Ko) => "단가(부가세 없음)",
            (Vat::Exempt, Language::En) => "Price (no VAT)",
            (Vat::Included, Language::Ko) => "단가(부가세 포함)",
            (Vat::Included, Language::En) => "Price (incl. VAT)",
            (Vat::Excluded, Language::Ko) => "단가(부가세 별도)",
            (Vat::Excluded, Language::En) => "Price (excl. VAT)",
        };
        let names = match self.language {
            Language::Ko => ["구분", "항목", "수량", prices, "금액"],
            Language::En => ["Kind", "Item", "Quantity", prices, "Amount"],
        };
        self.sheet.begin_table(&ITEMS, &names);
        for item in &self.content.items {
            go_on()?;
            self.item(item);
        }
        self.sheet.end_table();
        Ok(())
    }

    fn item(&mut self, item: &Item) {
        let (name, style) = match self.choice(item) {
            None => (item.name.clone(), BODY),
            Some((mark, true)) => (format!("{mark} {}", item.name), BODY),
            Some((mark, false)) => (format!("{mark} {}", item.name), BODY.faint()),
        };
        let amount = line_amount(item).map_or_else(String::new, |amount| self.money(amount));
        let cells = [
            Cell::of(self.of_pair(item.category.text()), BESIDE),
            Cell::of(name, style).and(&item.description, BESIDE),
            Cell::of(item.quantity.get().normalize().to_string(), style),
            Cell::of(self.money(item.unit_price), style),
            Cell::of(amount, style),
        ];
        self.sheet.row(&ITEMS, &cells);
        self.sheet.gap(5.0);
    }

    /// How an optional line is marked, and whether it counts; none where it is part of the quote.
    fn choice(&self, item: &Item) -> Option<(&'static str, bool)> {
        if !item.optional {
            return None;
        }
        let decision = self.quote.decision.as_ref();
        Some(match decision.map(|decision| decision.selected_items.contains(&item.id)) {
            None => (self.say("(선택)", "(optional)"), false),
            Some(is_chosen) => (self.chosen(is_chosen), is_chosen),
        })
    }

    /// Whether a line or a plan was chosen, as it is said after a decision.
    fn chosen(&self, is_chosen: bool) -> &'static str {
        if is_chosen {
            self.of_pair(("(선택함)", "(chosen)"))
        } else {
            self.of_pair(("(선택하지 않음)", "(not chosen)"))
        }
    }

    /// What it adds up to: with what was chosen, where it was accepted.
    fn totals(&mut self) {
        let accepted = self.quote.decision.as_ref().filter(|decision| decision.accepted);
        let Totals { items, discount, supply, vat, total } =
            accepted.map_or(self.quote.totals, |decision| decision.totals);
        let mut rows = vec![(self.say("작업", "Work"), self.money(items))];
        if discount != Krw::ZERO {
            rows.push((self.say("할인", "Discount"), format!("-{}", self.money(discount))));
        }
        let named = match self.content.vat {
            Vat::Exempt => self.say("합계(부가세 없음)", "Total (no VAT)"),
            _ => {
                rows.push((self.say("공급가액", "Without VAT"), self.money(supply)));
                rows.push((self.say("부가세", "VAT"), self.money(vat)));
                self.say("합계(부가세 포함)", "Total (incl. VAT)")
            }
        };
        self.sheet.keep(110.0);
        self.sheet.rule(0.8);
        self.sheet.gap(6.0);
        for (label, sum) in rows {
            self.sheet.row(&TOTALS, &[Cell::of(label, BODY.faint()), Cell::of(sum, BODY)]);
        }
        self.sheet.gap(4.0);
        let style = Style::of(12.5).bold();
        let total = self.money(total);
        self.sheet.row(&TOTALS, &[Cell::of(named, style), Cell::of(total, style)]);
        if self.quote.decision.is_none() && self.content.items.iter().any(|item| item.optional) {
            let said = self.say(
                "‘(선택)’ 항목은 합계에 포함되지 않습니다. 수락할 때 고를 수 있습니다.",
                "Optional items are not part of the total. They can be chosen when the quote is accepted.",
            );
            self.sheet.row(&[Column::right(LEFT, RIGHT - LEFT)], &[Cell::of(said, BESIDE)]);
        }
    }

    fn phases(&mut self, go_on: GoOn<'_>) -> Result<()> {
        if self.content.wbs.is_empty() {
            return Ok(());
        }
        self.section(self.say("진행 단계", "How the work goes"));
        for (index, phase) in self.content.wbs.iter().enumerate() {
            self.sheet.keep(40.0);
            self.sheet.text(format!("{}. {}", index + 1, phase.phase), BODY.bold());
            for task in &phase.tasks {
                go_on()?;
                let name = Cell::of(&task.name, BODY).and(&task.description, BESIDE);
                self.sheet.row(&TASKS, &[name, Cell::of(&task.duration, BESIDE)]);
                self.sheet.gap(2.0);
            }
            self.sheet.gap(6.0);
        }
        Ok(())
    }

    fn plans(&mut self) {
        if self.content.maintenance.is_empty() {
            return;
        }
        self.section(self.say(
            "유지보수(매월 결제, 합계에 포함되지 않음)",
            "Maintenance (paid by the month, not part of the total)",
        ));
        let names = match self.language {
            Language::Ko => ["상품", "기간", "월 요금"],
            Language::En => ["Plan", "Period", "Each month"],
        };
        self.sheet.begin_table(&PLANS, &names);
        for plan in &self.content.maintenance {
            self.plan(plan);
        }
        self.sheet.end_table();
    }

    fn plan(&mut self, plan: &Plan) {
        let mark = match &self.quote.decision {
            Some(decision) => self.chosen(decision.selected_maintenance.as_ref() == Some(&plan.id)),
            None if plan.recommended => self.of_pair(("(추천)", "(recommended)")),
            None => "",
        };
        let name = Cell::of(format!("{} {mark}", plan.name).trim_end(), BODY);
        let name = plan.includes.iter().fold(name, |cell, line| cell.and(format!("· {line}"), BESIDE));
        let fee = self.money(plan.monthly_fee);
        self.sheet.row(&PLANS, &[name, Cell::of(&plan.period, BODY), Cell::of(fee, BODY)]);
        self.sheet.gap(5.0);
    }

    fn notes(&mut self) {
        if !self.content.notes.trim().is_empty() {
            self.section(self.say("안내", "Notes"));
            self.sheet.text(&self.content.notes, BODY);
        }
    }

    /// What was decided, when, and the hash that the customer got by mail.
    fn decision(&mut self) {
        let Some(PublicDecision { accepted, at, reason, totals, hash, .. }) = &self.quote.decision else { return };
        let (name, when) = match accepted {
            true => (self.say("수락한 견적", "Accepted quote"), self.say("수락한 시각", "Accepted")),
            false => (self.say("거절한 견적", "Declined quote"), self.say("거절한 시각", "Declined")),
        };
        let plan = self.quote.decision.as_ref().and_then(|decision| decision.selected_maintenance.as_deref());
        let plan = self.content.maintenance.iter().find(|one| Some(one.id.as_str()) == plan);
        let mut rows = vec![(when, self.instant(*at))];
        if *accepted {
            rows.push((self.say("수락한 금액", "Amount"), self.money(totals.total)));
        }
        rows.extend(plan.map(|plan| (self.say("유지보수", "Maintenance"), plan.name.clone())));
        if !reason.trim().is_empty() {
            rows.push((self.say("남긴 말", "Reason"), reason.clone()));
        }
        rows.push((self.say("확인 번호(SHA-256)", "Confirmation code (SHA-256)"), hash.clone()));
        self.section(name);
        let columns = [Column::left(LEFT, 96.0), Column::left(LEFT + 100.0, RIGHT - LEFT - 100.0)];
        for (label, text) in rows {
            self.sheet.row(&columns, &[Cell::of(label, BESIDE), Cell::of(text, BODY)]);
        }
    }
}

#[cfg(test)]
mod tests;

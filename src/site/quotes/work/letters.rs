//! What customers and the owner are written of a quote, each in the language of who reads it.

use chrono::{DateTime, NaiveDate, Utc};

use super::super::model::{Decision, Quote, QuoteContent, Totals, totals};
use hanok_base::{Result, day};
use hanok_platform::chat::Words;
use hanok_platform::mail::{Language, Letter, Template};

const SENT: Template = Template {
    kind: "quote_sent",
    ko: include_str!("../../../../assets/mail/quote_sent.ko.txt"),
    en: include_str!("../../../../assets/mail/quote_sent.en.txt"),
};
const REMINDER: Template = Template {
    kind: "quote_reminder",
    ko: include_str!("../../../../assets/mail/quote_reminder.ko.txt"),
    en: include_str!("../../../../assets/mail/quote_reminder.en.txt"),
};
const ACCEPTED: Template = Template {
    kind: "quote_accepted_customer",
    ko: include_str!("../../../../assets/mail/quote_accepted_customer.ko.txt"),
    en: include_str!("../../../../assets/mail/quote_accepted_customer.en.txt"),
};
const ACCEPTED_UNLINKED: Template = Template {
    kind: "quote_accepted_customer_unlinked",
    ko: include_str!("../../../../assets/mail/quote_accepted_customer_unlinked.ko.txt"),
    en: include_str!("../../../../assets/mail/quote_accepted_customer_unlinked.en.txt"),
};
const DECIDED: Template = Template {
    kind: "quote_decided_owner",
    ko: include_str!("../../../../assets/mail/quote_decided_owner.ko.txt"),
    en: include_str!("../../../../assets/mail/quote_decided_owner.en.txt"),
};

/// That a quote is sent, with the link to it; of one that was changed since it was sent first, which revision it is. What it says
/// in detail stands behind the link.
pub fn sent(quote: &Quote, link: &str) -> Result<Letter> {
    let (greeting, details) = (greeting(&quote.content), facts(quote)?.join("\n"));
    let (name, lead) = name_and_lead(quote);
    let values = [
        ("name", name.as_str()),
        ("lead", &lead),
        ("greeting", &greeting),
        ("title", &quote.content.title),
        ("details", &details),
        ("link", link),
    ];
    SENT.filled(quote.content.language, &values)
}

/// What a quote that is sent is called, and the sentence that it comes with.
fn name_and_lead(quote: &Quote) -> (String, String) {
    match (quote.revision, quote.content.language) {
        (0 | 1, language) => {
            let lead = match quote.contact_request_id {
                Some(_) => ("의뢰하신 일의 견적서를 보내 드립니다.", "Here is our quote for the work you asked for."),
                None => ("준비한 견적서를 보내 드립니다.", "Here is your quote."),
            };
            (pick(language, "견적서", "Your quote").to_owned(), pick(language, lead.0, lead.1).to_owned())
        }
        (revision, Language::Ko) => (
            format!("수정된 견적서({revision}판)"),
            format!("견적서를 수정해 {revision}판으로 다시 보내 드립니다. 이전 견적서를 대신합니다."),
        ),
        (revision, Language::En) => (
            format!("Revised quote (revision {revision})"),
            format!("We have revised our quote: this is revision {revision}. It takes the place of the last one."),
        ),
    }
}

/// That the last day of a quote is near.
pub fn reminder(quote: &Quote, link: &str) -> Result<Letter> {
    let language = quote.content.language;
    let day = quote.content.valid_until.map(|last| written(language, last)).unwrap_or_default();
    let (greeting, details) = (greeting(&quote.content), facts(quote)?.join("\n"));
    let values = [
        ("greeting", greeting.as_str()),
        ("title", &quote.content.title),
        ("details", &details),
        ("day", &day),
        ("link", link),
    ];
    REMINDER.filled(language, &values)
}

/// Number, total and last day of a quote, line by line.
fn facts(quote: &Quote) -> Result<Vec<String>> {
    let (content, language) = (&quote.content, quote.content.language);
    let mut facts = vec![
        labelled(language, ("견적 번호", "Quote number"), &quote.number.to_string()),
        labelled(language, ("합계", "Total"), &total(language, &totals(content, &[])?)),
    ];
    if content.items.iter().any(|item| item.optional) {
        let said = pick(language, "선택 항목은 합계에 들어 있지 않습니다.", "Optional lines are not in the total.");
        facts.push(said.to_owned());
    }
    if let Some(last) = content.valid_until {
        facts.push(match language {
            Language::Ko => format!("수락 기한: {}까지", written(language, last)),
            Language::En => format!("Valid until: {}", written(language, last)),
        });
    }
    Ok(facts)
}

/// What the customer has accepted, with the hash that stands for it, and where it is shown: its page and, below that, its PDF.
pub fn accepted(quote: &Quote, decision: &Decision, link: Option<&str>) -> Result<Letter> {
    let language = quote.content.language;
    let (greeting, details) = (greeting(&decision.content), chosen(language, decision).join("\n"));
    let (number, at) = (quote.number.to_string(), instant(language, decision.at));
    let values = [
        ("greeting", greeting.as_str()),
        ("title", &decision.content.title),
        ("number", &number),
        ("at", &at),
        ("details", &details),
        ("hash", &decision.hash),
        ("link", link.unwrap_or_default()),
    ];
    let template = if link.is_some() { ACCEPTED } else { ACCEPTED_UNLINKED };
    template.filled(language, &values)
}

/// What the owner is told of a decision.
pub fn decided(quote: &Quote, decision: &Decision, language: Language) -> Result<Letter> {
    let (number, client) = (quote.number.to_string(), client(quote, language));
    let details = chosen_or_reason(language, decision);
    let values = [
        ("outcome", outcome(language, decision)),
        ("client", client.as_str()),
        ("title", &decision.content.title),
        ("number", &number),
        ("details", &details),
        ("hash", &decision.hash),
    ];
    DECIDED.filled(language, &values)
}

/// The same by chat: a title and what it says.
pub fn by_chat(quote: &Quote, decision: &Decision) -> (Words, Words) {
    let title =
        |language| format!("{}: {} ({})", outcome(language, decision), decision.content.title, client(quote, language));
    let body = |language| chosen_or_reason(language, decision);
    let (ko, en) = (Language::Ko, Language::En);
    (Words::new(title(ko), title(en)), Words::new(body(ko), body(en)))
}

fn pick<'t>(language: Language, ko: &'t str, en: &'t str) -> &'t str {
    match language {
        Language::Ko => ko,
        Language::En => en,
    }
}

fn labelled(language: Language, (ko, en): (&str, &str), value: &str) -> String {
    format!("{}: {value}", pick(language, ko, en))
}

fn outcome(language: Language, decision: &Decision) -> &'static str {
    if decision.accepted {
        pick(language, "견적 수락", "Quote accepted")
    } else {
        pick(language, "견적 거절", "Quote declined")
    }
}

/// What the customer is addressed by; nothing where there is no name.
fn greeting(content: &QuoteContent) -> String {
    match (content.client_name.as_str(), content.language) {
        ("", _) => String::new(),
        (name, Language::Ko) => format!("{name} 님, 안녕하세요."),
        (name, Language::En) => format!("Dear {name},"),
    }
}

/// How the owner knows the customer.
fn client(quote: &Quote, language: Language) -> String {
    let known = [&quote.content.client_name, &quote.client_email].into_iter().find(|known| !known.is_empty());
    known.map_or_else(|| pick(language, "고객", "the customer").to_owned(), Clone::clone)
}

fn written(language: Language, of: NaiveDate) -> String {
    of.format(pick(language, "%Y년 %-m월 %-d일", "%-d %B %Y")).to_string()
}

fn instant(language: Language, at: DateTime<Utc>) -> String {
    let time = at.with_timezone(&day::ZONE).format("%H:%M").to_string();
    format!("{} {time} ({})", written(language, day::of(at)), pick(language, "한국 시간", "Korean time"))
}

/// A total, with the value added tax that is in it.
fn total(language: Language, totals: &Totals) -> String {
    let is_korean = language == Language::Ko;
    let (sum, vat) = (totals.total.said(is_korean), totals.vat.said(is_korean));
    match (totals.vat.get(), language) {
        (0, _) => format!("{sum} ({})", pick(language, "부가세 없음", "no VAT")),
        (_, Language::Ko) => format!("{sum} (부가세 {vat} 포함)"),
        (_, Language::En) => format!("{sum} (including {vat} VAT)"),
    }
}

/// The lines of a decision: those that are part of it and those that were chosen, the plan, and the total.
fn chosen(language: Language, decision: &Decision) -> Vec<String> {
    let content = &decision.content;
    let of_it = content.items.iter().filter(|item| !item.optional || decision.selected_items.contains(&item.id));
    let mut lines: Vec<String> = of_it
        .map(|item| {
            let mark = if item.optional { pick(language, " (선택)", " (chosen)") } else { "" };
            format!("- {}{mark}", item.name)
        })
        .collect();
    let plan = content.maintenance.iter().find(|plan| Some(&plan.id) == decision.selected_maintenance.as_ref());
    if let Some(plan) = plan {
        let fee = plan.monthly_fee.said(language == Language::Ko);
        lines.push(match language {
            Language::Ko => format!("유지보수: {} (월 {fee})", plan.name),
            Language::En => format!("Maintenance: {} ({fee} a month)", plan.name),
        });
    }
    lines.push(labelled(language, ("합계", "Total"), &total(language, &decision.totals)));
    lines
}

/// What was chosen where it was accepted, and the customer's words.
fn chosen_or_reason(language: Language, decision: &Decision) -> String {
    let mut lines = if decision.accepted { chosen(language, decision) } else { Vec::new() };
    if !decision.reason.is_empty() {
        lines.push(labelled(language, ("고객의 말", "In their words"), &decision.reason));
    }
    lines.join("\n")
}

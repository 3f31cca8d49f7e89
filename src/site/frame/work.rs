//! Who runs the shop, as the law wants it shown (E-Commerce Act, Article 10).

use hanok_base::MessageTemplate;
use hanok_platform::config::{rule, section};

const MUST_BE_A_NUMBER: MessageTemplate = MessageTemplate::new(
    "frame.must.registration",
    "must be empty or a business registration number such as 124-81-00998",
);
const MUST_BE_AN_ADDRESS: MessageTemplate =
    MessageTemplate::new("frame.must.mail", "must be empty or a mail address such as shop@example.com");
const MUST_BE_A_LINE: MessageTemplate =
    MessageTemplate::new("frame.must.line", "must be one line of at most 200 characters");

section! {
    /// Who runs the customer site, as its footer shows it. What is empty is not shown; who sells by it must fill it in.
    pub struct BusinessSettings("business", "사업자 정보") {
        /// The name of the shop: on every page and in the title of the window. Empty = "hanok".
        #[ko("상호", "모든 페이지와 창 제목에 표시되는 이름입니다. 비워 두면 hanok입니다.")]
        #[en("Shop name")]
        name: String = String::new(), LINE;
        /// What the shop does, in one sentence on the first page. Empty = a sentence that fits any shop.
        #[ko("한 줄 소개", "첫 페이지에 크게 표시되는 문장입니다. 비워 두면 기본 문장이 표시됩니다.")]
        #[en("Tagline")]
        lead: String = String::new(), LINE;
        /// The same in English.
        #[ko("한 줄 소개(영어)", "영어 첫 페이지에 표시되는 문장입니다.")]
        #[en("Tagline in English")]
        lead_en: String = String::new(), LINE;
        /// Who represents it.
        #[ko("대표자", "대표자의 이름입니다.")]
        #[en("Representative")]
        representative: String = String::new(), LINE;
        /// Its business registration number, e.g. "124-81-00998".
        #[ko("사업자등록번호", "열 자리 번호입니다. 입력하면 공정거래위원회의 사업자 정보 확인으로 이어집니다.")]
        #[en("Business registration number")]
        registration: String = String::new(),
            rule::text(MUST_BE_A_NUMBER, |number| number.is_empty() || is_registration(number)).on_page().at_once();
        /// Its mail-order number with the office that gave it.
        #[ko("통신판매업 신고번호", "신고한 기관의 이름까지 입력하세요. 예: 제2026-서울마포-0000호")]
        #[en("Mail-order number")]
        mail_order: String = String::new(), LINE;
        /// Its postal address.
        #[ko("주소", "사업장의 주소입니다.")]
        #[en("Postal address")]
        address: String = String::new(), LINE;
        /// Its telephone number.
        #[ko("전화", "고객이 거는 전화번호입니다.")]
        #[en("Telephone")]
        phone: String = String::new(), LINE;
        /// Its mail address.
        #[ko("메일", "고객이 쓰는 메일 주소입니다.")]
        #[en("Email address of the shop")]
        mail: String = String::new(),
            rule::text(MUST_BE_AN_ADDRESS, |mail| mail.is_empty() || rule::is_mail_address(mail)).on_page().at_once();
        /// Who answers for personal data.
        #[ko("개인정보 보호책임자", "개인정보를 책임지는 사람의 이름입니다.")]
        #[en("Privacy officer")]
        privacy_officer: String = String::new(), LINE;
        /// Who provides the machine or the line that the site runs on.
        #[ko("호스팅 제공자", "이 사이트를 운영하는 기기나 회선을 제공하는 곳입니다.")]
        #[en("Hosting provider")]
        host: String = String::new(), LINE;
    }
}

impl BusinessSettings {
    /// The name of the shop.
    pub fn shop(&self) -> &str {
        if self.name.is_empty() { "hanok" } else { &self.name }
    }
}

const LINE: rule::Rule =
    rule::text(MUST_BE_A_LINE, |line| line.chars().count() <= 200 && !line.chars().any(char::is_control))
        .on_page()
        .at_once();

/// Whether `text` is a business registration number: ten digits, with hyphens or without, of which the last one checks the
/// others (National Tax Service).
fn is_registration(text: &str) -> bool {
    const WEIGHTS: [u32; 9] = [1, 3, 7, 1, 3, 7, 1, 3, 5];
    let digits: Vec<u32> = text.chars().filter(|sign| *sign != '-').map_while(|sign| sign.to_digit(10)).collect();
    if digits.len() != 10 || text.chars().any(|sign| sign != '-' && !sign.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| digit * weight).sum::<u32>() + digits[8] * 5 / 10;
    (10 - sum % 10) % 10 == digits[9]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_number_is_one_whose_last_digit_checks_the_others() {
        for number in ["124-81-00998", "1208800767", "220-81-62517"] {
            assert!(is_registration(number), "{number}");
        }
        for number in ["", "123-45-67890", "124-81-0099", "124-81-009988", "124 81 00998", "124-81-0099a"] {
            assert!(!is_registration(number), "{number}");
        }
    }
}

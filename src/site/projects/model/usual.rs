//! The usual steps of a project.

use hanok_platform::mail::Language;

/// Title and description of each, in Korean and in English.
const STEPS: [[(&str, &str); 2]; 7] = [
    [
        ("의뢰 접수", "의뢰하신 내용을 확인하고 작업 범위를 함께 정리합니다."),
        ("Request received", "We go through your request and settle with you what is to be done."),
    ],
    [
        ("계약 체결", "계약서를 작성하고 계약금을 확인한 뒤 일정을 확정합니다."),
        ("Contract signed", "We sign the contract, confirm the deposit and fix the schedule."),
    ],
    [
        ("기획/와이어프레임", "화면 구성과 기능을 정하고 와이어프레임으로 보여 드립니다."),
        ("Planning and wireframes", "We plan screens and functions and show them to you as wireframes."),
    ],
    [
        ("디자인 시안", "디자인 시안을 보여 드리고 의견을 반영해 확정합니다."),
        ("Design draft", "We show you a design draft and settle it with your comments."),
    ],
    [
        ("개발 진행", "확정된 기획과 디자인에 따라 개발합니다."),
        ("Development", "We build what was planned and designed."),
    ],
    [
        ("검수/테스트", "함께 검수하고 발견된 문제를 고칩니다."),
        ("Review and testing", "We test together with you and mend what is found."),
    ],
    [
        ("납품 완료", "결과물과 소스를 전달하고 서비스를 배포합니다."),
        ("Delivery", "We hand over the result with its source and put it online."),
    ],
];

/// Title and description of each usual step, in order.
pub fn usual_steps(language: Language) -> [(&'static str, &'static str); 7] {
    STEPS.map(|[ko, en]| match language {
        Language::Ko => ko,
        Language::En => en,
    })
}

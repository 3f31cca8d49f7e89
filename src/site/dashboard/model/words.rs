//! What deeds, mails and where they stand are called in Korean and in English.

use crate::admin::AuditAction;
use hanok_platform::mail::MailStatus;

/// A name in Korean and in English.
type Words = (&'static str, &'static str);

/// What was done.
pub fn of_action(action: AuditAction) -> Words {
    match action {
        AuditAction::Invited => ("관리자로 초대됨", "Invited as admin"),
        AuditAction::PasswordSet => ("비밀번호 설정", "Password set"),
        AuditAction::SignedIn => ("로그인", "Signed in"),
        AuditAction::SignedOut => ("로그아웃", "Signed out"),
        AuditAction::SessionEnded => ("다른 기기 로그아웃", "Another device signed out"),
        AuditAction::Removed => ("관리자에서 제외됨", "Removed as admin"),
        AuditAction::SecondStepOn => ("2단계 로그인 켜기", "Second step turned on"),
        AuditAction::SecondStepOff => ("2단계 로그인 끄기", "Second step turned off"),
        AuditAction::SecondStepTakenOff => ("2단계 로그인 해제 (명령줄)", "Second step taken off (command line)"),
        AuditAction::RecoveryCodeUsed => ("복구 코드 사용", "Recovery code used"),
        AuditAction::RecoveryCodesRenewed => ("복구 코드 새로 발급", "Recovery codes renewed"),
        AuditAction::RequestMoved => ("의뢰 상태 변경", "Request moved"),
        AuditAction::RequestMoveUndone => ("의뢰 단계 되돌리기", "Request step undone"),
        AuditAction::RequestNoted => ("의뢰 메모 추가", "Note added to a request"),
        AuditAction::RequestNoteRemoved => ("의뢰 메모 삭제", "Note of a request deleted"),
        AuditAction::RequestRemoved => ("의뢰 삭제", "Request deleted"),
        AuditAction::RequestLinkRenewed => ("고객 링크 새로 발급", "Customer's link renewed"),
        AuditAction::RequestLinkEnded => ("고객 링크 만료", "Customer's link ended"),
        AuditAction::RequestShared => ("의뢰 공유 링크 생성", "Share link to a request made"),
        AuditAction::RequestShareEnded => ("의뢰 공유 링크 만료", "Share link to a request ended"),
        AuditAction::QuoteCreated => ("견적 작성", "Quote created"),
        AuditAction::QuoteChanged => ("견적 변경", "Quote changed"),
        AuditAction::QuoteSent => ("견적 발송", "Quote sent"),
        AuditAction::QuoteLinkRenewed => ("견적 링크 새로 발급", "Link to a quote renewed"),
        AuditAction::QuoteRemoved => ("견적 삭제", "Quote deleted"),
        AuditAction::MilestonesCreated => ("기본 단계 생성", "Default steps created"),
        AuditAction::MilestoneAdded => ("프로젝트 단계 추가", "Project step added"),
        AuditAction::MilestoneChanged => ("프로젝트 단계 변경", "Project step changed"),
        AuditAction::MilestoneRemoved => ("프로젝트 단계 삭제", "Project step deleted"),
        AuditAction::ProjectUnlinked => ("프로젝트 연결 해제", "Project unlinked from an account"),
        AuditAction::QuestionnaireChanged => ("질문지 답변 변경", "Questionnaire answers changed"),
        AuditAction::QuestionnaireRemoved => ("질문지 답변 삭제", "Questionnaire answers deleted"),
        AuditAction::QuestionnairesExported => ("질문지 답변 내려받기", "Questionnaire answers exported"),
        AuditAction::DocumentOpened => ("문서 열람", "Document opened"),
        AuditAction::ShareLinkMade => ("포트폴리오 링크 생성", "Portfolio link made"),
        AuditAction::ShareLinkEnded => ("포트폴리오 링크 만료", "Portfolio link ended"),
        AuditAction::ServiceSwitched => ("서비스 켜기/끄기", "Service switched"),
        AuditAction::MailSentAgain => ("메일 다시 보내기", "Mail sent again"),
    }
}

/// Where a mail stands. Where the house has no mail server (`sends_mail`), what was sent is a file.
pub fn mail_status(status: MailStatus, sends_mail: bool) -> Words {
    match status {
        MailStatus::Waiting => ("대기 중", "Waiting"),
        MailStatus::Sending => ("발송 준비 중", "Sending"),
        MailStatus::HandingOver => ("발송 중", "Going out"),
        MailStatus::Sent if sends_mail => ("보냄", "Sent"),
        MailStatus::Sent => ("파일로 저장", "Saved as a file"),
        MailStatus::Failed => ("실패", "Failed"),
        MailStatus::DeliveryUnknown => ("발송 여부 불명", "Delivery unknown"),
        MailStatus::Held => ("보류", "Held"),
    }
}

/// The status of a mail as it stands in an address.
pub fn mail_code(status: MailStatus) -> &'static str {
    match status {
        MailStatus::Waiting => "waiting",
        MailStatus::Sending => "sending",
        MailStatus::HandingOver => "handing_over",
        MailStatus::Sent => "sent",
        MailStatus::Failed => "failed",
        MailStatus::DeliveryUnknown => "delivery_unknown",
        MailStatus::Held => "held",
    }
}

/// How the badge of a mail looks.
pub fn mail_tone(status: MailStatus) -> &'static str {
    match status {
        MailStatus::Waiting | MailStatus::Sending | MailStatus::HandingOver => "now",
        MailStatus::Sent => "",
        MailStatus::Failed => "bad",
        MailStatus::DeliveryUnknown | MailStatus::Held => "warn",
    }
}

/// What a mail of this kind is; the kind itself where it is not known here.
pub fn mail_kind(kind: &str) -> (&str, &str) {
    match kind {
        "test" => ("시험 메일", "Test"),
        "account_registration" => ("회원 가입 확인", "Registration"),
        "account_password" => ("비밀번호 재설정", "Password reset"),
        "account_password_changed" => ("비밀번호 변경 알림", "Password changed"),
        "contact_receipt" => ("의뢰 접수 확인", "Receipt of a request"),
        "contact_notice" => ("새 의뢰 알림 (가게)", "Notice of a request (shop)"),
        "contact_moved" | "contact_moved_unlinked" => ("의뢰 진행 알림", "Progress of a request"),
        "quote_sent" => ("견적 발송", "Quote"),
        "quote_accepted_customer" | "quote_accepted_customer_unlinked" => ("견적 수락 확인", "Acceptance of a quote"),
        "quote_decided_owner" => ("견적 결정 알림 (가게)", "Decision on a quote (shop)"),
        "project_moved" | "project_moved_unlinked" => ("프로젝트 진행 알림", "Progress of a project"),
        "questionnaire_owner" => ("새 질문지 답변 알림 (가게)", "Notice of answers (shop)"),
        "questionnaire_received" => ("질문지 답변 확인", "Thanks for answers"),
        other => (other, other),
    }
}

//! The section of the mail. Where it goes is changed in the settings file only: the password goes there, too.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::rule::{self, Unit};
use super::said;
use crate::section;
use hanok_base::Secret;

section! {
    /// Mail. Without a server each mail is saved as a file in the folder "mail" of the data folder.
    pub struct Mail("mail", "메일") {
        /// The server that sends mail, e.g. "smtp.example.com". Empty = mail is saved in the folder.
        #[ko("메일 서버", "메일을 보내는 서버입니다. 예: smtp.example.com. 비워 두면 데이터 폴더의 mail 폴더에 파일로 저장합니다.")]
        #[en("Mail server")]
        host: String = String::new(), rule::text(said::MAIL_HOST, |host| host.is_empty() || rule::is_host(host)).entrance();
        /// Usually 587 with starttls, 465 with tls.
        #[ko("메일 서버 포트", "starttls는 587, tls는 465를 주로 사용합니다.")]
        #[en("Mail server port")]
        port: u16 = 587, rule::whole(Unit::Count, 1, 65_535).entrance();
        /// "starttls", "tls", or "none" for a server on this machine or one that asks for no sign-in.
        #[ko("메일 서버와의 암호화", "starttls나 tls를 사용하세요. none은 이 기기의 서버나 로그인이 없는 서버에만 사용합니다.")]
        #[en("Mail server encryption")]
        security: MailSecurity = MailSecurity::StartTls,
            rule::one_of(&["starttls", "tls", "none"]).and(said::MAIL_IN_THE_OPEN).entrance();
        /// A PEM file with the certificate authority of a server that has its own. Empty = those that this machine trusts.
        #[ko("메일 서버 인증 기관 파일", "자체 서명 인증서를 쓰는 서버라면 그 인증 기관의 PEM 파일을 입력하세요. 비워 두면 이 기기가 신뢰하는 인증 기관을 사용합니다.")]
        #[en("Mail server certificate authority file")]
        authority_file: PathBuf = PathBuf::new(), rule::typed(said::AUTHORITY_FILE).local();
        /// The name to sign in with. Empty = no sign-in.
        #[ko("메일 서버 로그인 이름", "비워 두면 로그인하지 않습니다.")]
        #[en("Mail server user name")]
        user: String = String::new(), rule::text(said::MAIL_USER, is_user).entrance();
        /// The mail password that goes with it.
        #[ko("메일 암호", "메일 서버에 로그인할 때 사용하는 암호입니다.")]
        #[en("Mail password")]
        password: Secret = Secret::default(), rule::text(said::MAIL_PASSWORD, is_password).secret();
        /// Or a file that holds it.
        #[ko("메일 암호 파일", "암호를 이 파일에서 읽습니다.")]
        #[en("Mail password file")]
        password_file: PathBuf = PathBuf::new(), rule::typed(said::MAIL_PASSWORD_FILE).local();
        /// The address that mail comes from, e.g. "house@example.com". A server needs it.
        #[ko("보내는 주소", "메일을 보내는 주소입니다. 예: house@example.com. 메일 서버를 사용하려면 필요합니다.")]
        #[en("Sender address")]
        from: String = String::new(),
            rule::text(said::MAIL_FROM, |from| from.is_empty() || rule::is_mail_address(from)).and(said::MAIL_NEEDS_FROM).entrance();
        /// The name that is shown beside the sender address.
        #[ko("보내는 이름", "보내는 주소와 함께 표시되는 이름입니다.")]
        #[en("Sender name")]
        from_name: String = "hanok".to_owned(), rule::text(said::MAIL_NAME, is_name).entrance().on_page();
        /// How long the server may take for each step; up to ten minutes for the last one, accepting the mail.
        #[ko("메일 서버 제한 시간", "단계마다 기다리는 시간입니다. 마지막 수신 확인은 10분까지 기다립니다.")]
        #[en("Mail server timeout")]
        timeout_seconds: u64 = 60, rule::whole(Unit::Seconds, 1, 600);
        /// How many are sent within a minute at most; the others wait.
        #[ko("분당 메일 수", "1분에 보내는 최대 메일 수입니다. 나머지는 대기합니다.")]
        #[en("Mails per minute")]
        per_minute: u32 = 30, rule::whole(Unit::Count, 1, 1000).on_page().skip_import_if(|_, _| true);
        /// Sent mail is kept with its contents for this many days.
        #[ko("보낸 메일 보관 기간", "보낸 메일과 그 내용을 이 기간 동안 보관합니다.")]
        #[en("Keep sent mail for")]
        keep_days: u32 = 30, rule::whole(Unit::Days, 1, 3650).on_page().skip_import_if(|_, _| true);
    }
}

impl Mail {
    /// Whether the password would be read by whoever stands between here and the server.
    pub(super) fn signs_in_openly(&self) -> bool {
        self.security == MailSecurity::None && !self.user.is_empty() && !is_this_machine(&self.host)
    }
}

/// How what is said to the mail server is kept from others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// The connection begins open and is encrypted before anything is said; a server that cannot is not used.
    #[default]
    StartTls,
    /// Encrypted from the beginning.
    Tls,
    /// Open.
    None,
}

fn is_this_machine(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

fn is_user(text: &str) -> bool {
    text.len() <= 320 && !text.chars().any(char::is_control)
}

fn is_password(text: &str) -> bool {
    text.len() <= 1024 && !text.chars().any(char::is_control)
}

fn is_name(text: &str) -> bool {
    text.chars().count() <= 100 && !text.chars().any(char::is_control)
}

//! The sections of the providers by which customers sign in beside the built-in accounts: up to three, each complete by itself.

use std::path::PathBuf;

use super::rule;
use super::said;
use crate::section;
use hanok_base::Secret;

/// A provider that speaks OpenID Connect, as the settings say it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OpenIdProvider {
    /// The section that describes it.
    pub section: &'static str,
    /// What its button calls it.
    pub label: String,
    /// Its address.
    pub issuer: String,
    /// As whom it knows this house.
    pub client_id: String,
    /// By what it knows that it is this house; empty where it asks for nothing.
    pub client_secret: Secret,
    /// What it is asked to tell of a customer.
    pub scopes: Vec<String>,
}

impl OpenIdProvider {
    /// Whether customers can sign in by it.
    pub fn is_set(&self) -> bool {
        !self.issuer.is_empty() && !self.client_id.is_empty()
    }
}

/// One section; they differ in their names alone.
macro_rules! provider {
    ($(#[doc = $about:literal])+ $Section:ident($name:literal, $ko:literal)) => {
        section! {
            $(#[doc = $about])+
            pub struct $Section($name, $ko) {
                /// The name on the sign-in button, e.g. "Google". Empty = the host of the provider's address.
                #[ko("버튼에 표시할 이름", "로그인 버튼에 표시되는 이름입니다. 예: Google. 비워 두면 제공처 주소의 호스트를 표시합니다.")]
                #[en("Name on the button")]
                label: String = String::new(), rule::text(said::SIGN_IN_LABEL, is_label);
                /// The address of the provider (its issuer), e.g. "https://accounts.google.com". Empty = none.
                #[ko("제공처 주소", "제공처의 주소(issuer)입니다. 예: https://accounts.google.com. 비워 두면 사용하지 않습니다.")]
                #[en("Provider address")]
                issuer: String = String::new(), rule::text(said::SIGN_IN_ISSUER, is_issuer).entrance();
                /// The ID that the provider gave. Register the customer site address with /auth/callback behind it as the redirect address.
                #[ko("클라이언트 ID", "제공처에 등록하고 받은 ID입니다. 리디렉션 주소는 고객 사이트 주소에 /auth/callback을 붙여 등록하세요.")]
                #[en("Client ID")]
                client_id: String = String::new(),
                    rule::text(said::SIGN_IN_CLIENT, is_client_id).and(said::SIGN_IN_NEEDS_CLIENT).entrance();
                /// The secret that came with the ID. Empty where the provider gave none.
                #[ko("클라이언트 비밀", "ID와 함께 받은 비밀 값입니다. 받지 않았으면 비워 두세요.")]
                #[en("Client secret")]
                client_secret: Secret = Secret::default(), rule::text(said::SIGN_IN_SECRET, is_client_secret).secret();
                /// Or a file that holds it.
                #[ko("클라이언트 비밀 파일", "비밀 값을 이 파일에서 읽습니다.")]
                #[en("Client secret file")]
                client_secret_file: PathBuf = PathBuf::new(), rule::typed(said::SIGN_IN_SECRET_FILE).local();
                /// The scopes that are requested of the provider.
                #[ko("요청하는 정보", "고객에 대해 제공처에 요청하는 범위(scope)입니다.")]
                #[en("Requested scopes")]
                scopes: Vec<String> = ["openid", "email", "profile"].map(str::to_owned).into(),
                    rule::text(said::SIGN_IN_SCOPES, is_scope).such_as(&["openid", "email", "profile"]);
            }
        }

        impl $Section {
            fn provider(&self) -> OpenIdProvider {
                let $Section { label, issuer, client_id, client_secret, scopes, .. } = self.clone();
                OpenIdProvider { section: $name, label, issuer, client_id, client_secret, scopes }
            }
        }
    };
}

provider! {
    /// A provider by which customers sign in (OpenID Connect), beside the accounts that are built in.
    SignIn("sign_in", "로그인 제공처")
}
provider! {
    /// A second provider by which customers sign in.
    SignIn2("sign_in_2", "두 번째 로그인 제공처")
}
provider! {
    /// A third provider by which customers sign in.
    SignIn3("sign_in_3", "세 번째 로그인 제공처")
}

/// Every provider that the settings have room for, in their order.
pub(super) fn providers(one: &SignIn, two: &SignIn2, three: &SignIn3) -> [OpenIdProvider; 3] {
    [one.provider(), two.provider(), three.provider()]
}

fn is_label(text: &str) -> bool {
    text.chars().count() <= 40 && !text.chars().any(char::is_control)
}

/// What is said to a provider is kept from others; to this machine alone it may go openly.
fn is_issuer(text: &str) -> bool {
    let host = |rest: &str| rest.split(['/', '?']).next().unwrap_or_default().to_owned();
    let is_here = |rest: &str| {
        let host = host(rest);
        let name = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map_or(host.as_str(), |(name, _)| name);
        let name = name.trim_matches(['[', ']']);
        name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
    };
    let is_safe = text.starts_with("https://") || text.strip_prefix("http://").is_some_and(is_here);
    text.is_empty() || (is_safe && text.len() <= 500 && rule::is_web_address(text))
}

fn is_client_id(text: &str) -> bool {
    text.len() <= 500 && text.chars().all(|c| c.is_ascii_graphic())
}

fn is_client_secret(text: &str) -> bool {
    text.len() <= 1024 && !text.chars().any(char::is_control)
}

/// RFC 6749, 3.3.
fn is_scope(text: &str) -> bool {
    (1..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_asked_by_tls_or_on_this_machine() {
        for issuer in [
            "",
            "https://accounts.google.com",
            "https://auth.example/application/o/shop/",
            "http://127.0.0.1:3000",
            "http://localhost:3000/realm",
            "http://[::1]:3000",
        ] {
            assert!(is_issuer(issuer), "{issuer}");
        }
        for issuer in [
            "accounts.google.com",
            "http://auth.example",
            "http://127.0.0.1.evil.example",
            "http://localhost@evil.example",
            "https://auth.example?a=b",
            "https://auth.example/#a",
            "ftp://auth.example",
        ] {
            assert!(!is_issuer(issuer), "{issuer}");
        }
    }
}

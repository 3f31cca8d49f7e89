//! Forms of names and addresses that settings take.

/// A host name or an IP address, without scheme, port or path.
pub fn is_host(text: &str) -> bool {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match bracketed {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.len() <= 253 && text.chars().all(name),
    }
}

/// `host:port`.
pub fn is_host_and_port(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// `http://` or `https://`, a host and perhaps a port, nothing behind.
pub fn is_origin(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| is_host(rest) || is_host_and_port(rest))
}

/// An origin, perhaps with a path; no query, no fragment, no user name.
pub fn is_web_address(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| {
        let (origin, path) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@');
        (is_host(origin) || is_host_and_port(origin)) && path.chars().all(plain)
    })
}

/// A web address is written without its last slash.
pub fn without_last_slash(address: &str) -> String {
    address.trim_end_matches('/').to_owned()
}

/// An address for mail of plain characters, such as `house@example.com`.
pub fn is_mail_address(text: &str) -> bool {
    let is_atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    let is_local =
        |local: &str| local.len() <= 64 && local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom));
    let is_label = |label: &str| {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
        (1..=63).contains(&label.len()) && label.chars().all(inside) && !label.starts_with('-') && !label.ends_with('-')
    };
    let is_domain = |domain: &str| domain.len() <= 253 && domain.split('.').all(is_label);
    text.len() <= 254 && text.rsplit_once('@').is_some_and(|(local, domain)| is_local(local) && is_domain(domain))
}

fn without_scheme(text: &str) -> Option<&str> {
    text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_mail_is_one_that_a_mail_server_takes_and_nothing_can_be_hidden_in() {
        for address in ["house@example.com", "a.b+c@mail.example.co.kr", "o'neil@localhost", "x_1@xn--9d0b.kr"] {
            assert!(is_mail_address(address), "{address}");
        }
        let long = format!("{}@example.com", "a".repeat(65));
        let refused = ["", "house", "@example.com", "house@", "a b@example.com", "a@b@example.com", "a..b@example.com"];
        let hidden =
            ["a@example.com\r\nBcc: b@example.com", "a@example.com>", "<a@example.com", "집@example.com", "a@-x.com"];
        for address in refused.into_iter().chain(hidden).chain([long.as_str()]) {
            assert!(!is_mail_address(address), "{address}");
        }
    }
}

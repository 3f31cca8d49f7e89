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

fn without_scheme(text: &str) -> Option<&str> {
    text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
}

//! The ranges and forms that types alone do not enforce.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::Config;

const SECONDS: RangeInclusive<u64> = 1..=86_400;

/// The keys whose values are out of range or malformed.
pub(super) fn refused(config: &Config) -> BTreeSet<&'static str> {
    let Config { data, ops, site, http, store, backup, compute, jobs, lottery, upstream, .. } = config;
    let count = |value: u32| value <= 1000;
    [
        ("data.dir", !data.dir.as_os_str().is_empty()),
        ("ops.hosts", ops.hosts.iter().all(|host| is_host(host))),
        ("ops.session_idle_days", (1..=3650).contains(&ops.session_idle_days)),
        ("ops.session_absolute_days", (ops.session_idle_days..=3650).contains(&ops.session_absolute_days)),
        ("site.address", site.address.is_empty() || is_origin(&site.address)),
        ("site.hosts", site.hosts.iter().all(|host| is_host(host))),
        ("http.body_limit_bytes", (1024..=1_073_741_824).contains(&http.body_limit_bytes)),
        ("http.request_seconds", SECONDS.contains(&http.request_seconds)),
        ("http.max_connections", (1..=1_000_000).contains(&http.max_connections)),
        ("http.connections_per_address", http.connections_per_address <= 1_000_000),
        ("http.header_seconds", SECONDS.contains(&http.header_seconds)),
        ("http.body_seconds", SECONDS.contains(&http.body_seconds)),
        ("http.idle_seconds", SECONDS.contains(&http.idle_seconds)),
        ("http.requests_per_second", http.requests_per_second <= 1_000_000),
        ("http.burst", (1..=1_000_000).contains(&http.burst)),
        ("store.cache_mebibytes", (1..=65_536).contains(&store.cache_mebibytes)),
        ("store.reserve_mebibytes", (1..=1_048_576).contains(&store.reserve_mebibytes)),
        ("backup.every_minutes", backup.every_minutes <= 10_080),
        ("backup.hourly", count(backup.hourly)),
        ("backup.daily", count(backup.daily)),
        ("backup.weekly", count(backup.weekly)),
        ("compute.address", compute.address.is_empty() || is_host_and_port(&compute.address)),
        ("compute.token", compute.token.is_empty() || is_token(compute.token.reveal())),
        ("compute.workers", compute.workers <= 1024),
        ("compute.queue", (1..=10_000).contains(&compute.queue)),
        ("compute.seconds", SECONDS.contains(&compute.seconds)),
        ("jobs.quick_workers", (1..=64).contains(&jobs.quick_workers)),
        ("jobs.heavy_workers", (1..=64).contains(&jobs.heavy_workers)),
        ("jobs.outside_workers", (1..=64).contains(&jobs.outside_workers)),
        ("lottery.operator", is_web_address(&lottery.operator)),
        ("lottery.timeout_seconds", SECONDS.contains(&lottery.timeout_seconds)),
        ("upstream.failures_to_open", (1..=1000).contains(&upstream.failures_to_open)),
        ("upstream.open_seconds", SECONDS.contains(&upstream.open_seconds)),
        ("upstream.user_agent", is_header_text(&upstream.user_agent)),
    ]
    .into_iter()
    .filter(|(_, holds)| !holds)
    .map(|(key, _)| key)
    .collect()
}

/// A host name or an IP address, without scheme, port or path.
fn is_host(text: &str) -> bool {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match bracketed {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.len() <= 253 && text.chars().all(name),
    }
}

fn is_host_and_port(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// `http://` or `https://`, a host and perhaps a port, nothing behind.
fn is_origin(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| is_host(rest) || is_host_and_port(rest))
}

/// An origin, perhaps with a path; no query, no fragment, no user name.
fn is_web_address(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| {
        let (origin, path) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@');
        (is_host(origin) || is_host_and_port(origin)) && path.chars().all(plain)
    })
}

fn without_scheme(text: &str) -> Option<&str> {
    text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
}

fn is_token(text: &str) -> bool {
    text.len() >= 16 && text.chars().all(|c| c.is_ascii_graphic())
}

fn is_header_text(text: &str) -> bool {
    (1..=200).contains(&text.len()) && text.chars().all(|c| c == ' ' || c.is_ascii_graphic())
}

//! Who is at the other end: the connection's address, or what a trusted proxy says it is.

use std::net::{IpAddr, SocketAddr};

use salvo::Request;
use salvo::extract::Metadata;
use salvo::http::HeaderValue;
use salvo::http::header::USER_AGENT;
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible};

use super::api_error::HandlerResult;
use super::door_kind::ThisDoor;
use super::no_metadata::none;
use crate::config::Network;

/// The caller's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// The address of `req`. `X-Forwarded-For` is believed only from trusted proxies, read from the right:
    /// the first address that is not a trusted proxy is the caller.
    pub fn of(req: &Request, trusted: &[Network]) -> Peer {
        Peer(caller(direct(req), req.headers().get_all("x-forwarded-for"), trusted))
    }
}

/// Headers that only a proxy adds: whoever sends one of them is no program of this machine that calls by itself.
const OF_PROXIES: [&str; 22] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-original-host",
    "x-envoy-external-address",
    "cf-connecting-ip",
    "cf-connecting-ipv6",
    "cf-ray",
    "cdn-loop",
    "fastly-client-ip",
    "fly-client-ip",
    "true-client-ip",
    "cf-visitor",
    "front-end-https",
    "ngrok-agent-ips",
    "tailscale-user-login",
    "x-amzn-trace-id",
    "x-proxyuser-ip",
    "x-scheme",
];

/// What the browser of `req` calls itself.
pub fn agent_of(req: &Request) -> String {
    let agent = req.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
    agent.unwrap_or("unknown").chars().filter(|c| !c.is_control()).collect()
}

/// Whether a proxy has brought this request, as any of the usual headers tells (`X-Forwarded-For` and its kin, too).
pub(super) fn is_brought(req: &Request) -> bool {
    let tells = |name: &str| name.starts_with("x-forwarded") || OF_PROXIES.contains(&name);
    req.headers().keys().any(|name| tells(name.as_str()))
}

/// Whether the caller came to a trusted proxy by https (`X-Forwarded-Proto`, the last of several).
pub(super) fn came_by_https(req: &Request, trusted: &[Network]) -> bool {
    let told = req.headers().get_all("x-forwarded-proto").iter().next_back();
    let last = told.and_then(|told| told.to_str().ok()?.rsplit(',').next());
    is_one_of(trusted, direct(req)) && last.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
}

/// The address at the other end of the connection.
fn direct(req: &Request) -> IpAddr {
    match req.remote_addr() {
        salvo::conn::SocketAddr::IPv4(address) => IpAddr::V4(*address.ip()),
        salvo::conn::SocketAddr::IPv6(address) => address.ip().to_canonical(),
        _ => IpAddr::from([127, 0, 0, 1]),
    }
}

fn is_one_of(trusted: &[Network], address: IpAddr) -> bool {
    trusted.iter().any(|network| network.contains(address))
}

fn caller<'h>(direct: IpAddr, forwarded: impl IntoIterator<Item = &'h HeaderValue>, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| is_one_of(trusted, address);
    if !is_trusted(direct) {
        return direct;
    }
    let lines = forwarded.into_iter().map(|value| value.to_str().unwrap_or_default());
    let hops: Vec<Option<IpAddr>> = lines.flat_map(|line| line.split(',')).map(address_of).collect();
    // What stands left of something unreadable, anyone may have written.
    let readable = hops.into_iter().rev().map_while(|hop| hop);
    let mut caller = direct;
    for hop in readable {
        caller = hop;
        if !is_trusted(hop) {
            break;
        }
    }
    caller
}

/// The address of one entry, which may have a port.
fn address_of(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = entry.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(entry, |(address, _)| address);
    let address = bare.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

impl<'ex> Extractible<'ex> for Peer {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        Ok(Peer::of(req, &ThisDoor::of(depot)?.trusted_proxies))
    }
}

impl EndpointArgRegister for Peer {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A proxy of ours.
    const PROXY: &str = "192.0.2.7";

    /// Who calls when `direct` sends these lines and the network of the proxy is trusted.
    fn called(direct: &str, lines: &[&[u8]]) -> IpAddr {
        let lines: Vec<HeaderValue> = lines.iter().filter_map(|line| HeaderValue::from_bytes(line).ok()).collect();
        caller(direct.parse().unwrap(), &lines, &["192.0.2.0/24".parse().unwrap()])
    }

    #[test]
    fn the_caller_is_the_last_address_that_no_proxy_of_ours_added() {
        for (lines, whom) in [
            (&["203.0.113.9"][..], "203.0.113.9"),
            (&["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            (&["198.51.100.1", "203.0.113.9, 192.0.2.8"], "203.0.113.9"),
            (&[" 203.0.113.9:4711 "], "203.0.113.9"),
            (&["[2001:db8::9]:4711"], "2001:db8::9"),
            (&["::ffff:203.0.113.9"], "203.0.113.9"),
            (&["192.0.2.8"], "192.0.2.8"),
            (&["203.0.113.9, unknown"], PROXY),
            (&["203.0.113.9, unknown, 192.0.2.8"], "192.0.2.8"),
            (&["203.0.113.9,"], PROXY),
            (&[""], PROXY),
            (&[], PROXY),
        ] {
            let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
            assert_eq!(called(PROXY, &lines), whom.parse::<IpAddr>().unwrap(), "{lines:?}");
        }
        assert_eq!(called("203.0.113.1", &[b"198.51.100.1"]).to_string(), "203.0.113.1", "nobody who is trusted");
    }

    fn any_line() -> impl Strategy<Value = Vec<u8>> {
        let address =
            prop_oneof![any::<IpAddr>().prop_map(|address| address.to_string()), Just("192.0.2.8".to_owned())];
        let entry = prop_oneof![
            3 => address.clone().prop_map(String::into_bytes),
            1 => (address, any::<u16>()).prop_map(|(address, port)| format!("[{address}]:{port}").into_bytes()),
            1 => prop::collection::vec(any::<u8>(), 0..12),
        ];
        prop::collection::vec(entry, 0..5).prop_map(|entries| entries.join(&b", "[..]))
    }

    proptest! {
        #[test]
        fn nobody_can_write_themselves_another_address(lines in prop::collection::vec(any_line(), 0..4), written in any_line()) {
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(called("203.0.113.1", &lines).to_string(), "203.0.113.1");
            // What the proxy adds stands last; whatever the caller had written before it makes no difference.
            let written = [&written[..], &lines.concat()[..], b"203.0.113.1"];
            prop_assert_eq!(called(PROXY, &written).to_string(), "203.0.113.1");
        }

        #[test]
        fn any_line_of_a_proxy_is_an_address_it_names_or_the_proxy_itself(lines in prop::collection::vec(any_line(), 0..4)) {
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            let whom = called(PROXY, &lines);
            let texts = lines.iter().filter_map(|line| std::str::from_utf8(line).ok());
            let named = texts.flat_map(|line| line.split(',')).any(|entry| address_of(entry) == Some(whom));
            prop_assert!(named || whom.to_string() == PROXY, "{whom}");
        }
    }
}

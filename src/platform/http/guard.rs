//! What a request must pass before any handler: a host name that is ours, an origin that is ours, a body
//! that is not too large, not too many requests, and an end to the time it may take.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::StreamExt;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use salvo::http::header::{CONNECTION, CONTENT_LENGTH, EXPECT, HOST, ORIGIN, REFERER, TRANSFER_ENCODING};
use salvo::http::{Body as _, HeaderValue, Method, ReqBody};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use super::api_error::write_error;
use super::bodies::Bodies;
use super::body_limits::LargerBody;
use super::door_kind::DoorKind;
use super::input::LARGER_THAN;
use super::path::{is_plain, is_plain_before_a_text, without_last_slash};
use super::peer::{Peer, is_brought};
use crate::auth::TOO_OFTEN;
use crate::config::{self, Network, one_caller};
use hanok_base::{Error, Kind, MessageTemplate, Result};

const TOO_LONG: MessageTemplate = MessageTemplate::new("house.took_too_long", "this took longer than {seconds} s");
const FOREIGN_HOST: MessageTemplate =
    MessageTemplate::new("house.foreign_host", "this host name is not one of ours; add it to the hosts setting");
const NO_HOST: MessageTemplate = MessageTemplate::new("house.no_host", "the request must name one host");
const FOREIGN_SITE: MessageTemplate =
    MessageTemplate::new("house.foreign_site", "this request comes from another site");

pub(super) struct Guard {
    door: DoorKind,
    hosts: Hosts,
    body_limit: u64,
    time_limit: Duration,
    bodies: Bodies,
    trusted: Vec<Network>,
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

/// The host names under which a door may be asked for.
pub(super) struct Hosts {
    /// Its own names in lower case.
    names: Vec<String>,
    /// The port that goes with them, where only this machine reaches the door. Who comes from elsewhere may be brought by
    /// another one.
    port: Option<u16>,
    /// Names from the settings, in lower case: a proxy that brings them has a port of its own.
    further: Vec<String>,
    /// Whether any address in digits will do: the door listens on all of this machine's, and a page that
    /// rebinds a name cannot use one.
    any_address: bool,
    /// Whether any name at all will do.
    any_name: bool,
}

/// How long what is left of a refused body may take to come in.
const LINGER: Duration = Duration::from_secs(2);
/// How long its sender may be silent.
const SILENCE: Duration = Duration::from_millis(250);
/// The last part of a route that takes a name as people write it, with slashes and percent signs where they want them.
const WRITTEN_NAME: &str = "/{broker}";
/// Addresses remembered by the rate limit before those without debts are forgotten.
const REMEMBERED: usize = 50_000;

impl Guard {
    pub fn new(settings: &config::Http, door: DoorKind, hosts: Hosts, time_limit: Duration, bodies: Bodies) -> Guard {
        let rate = NonZeroU32::new(settings.requests_per_second).map(|rate| {
            let burst = NonZeroU32::new(settings.burst).unwrap_or(rate);
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        });
        Guard {
            door,
            hosts,
            body_limit: settings.body_limit_bytes,
            time_limit,
            bodies,
            trusted: settings.trusted_proxies.clone(),
            rate,
        }
    }

    fn check(&self, req: &Request) -> Result<()> {
        if !is_spelled_well(req) {
            return Err(Error::not_found("path"));
        }
        let host = host_of(req)?;
        self.hosts.check(host)?;
        if self.may_change_something(req) {
            check_origin(req, host)?;
        }
        self.check_rate(req)?;
        let length = req.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        let most = self.larger_body(req).unwrap_or(self.body_limit);
        if length.is_some_and(|length| length > most) && !self.bodies.is_upload(req) {
            return Err(Error::new(Kind::TooLarge, LARGER_THAN.with([("bytes", most.into())])));
        }
        Ok(())
    }

    /// How many bytes it may bring, where that is more than others may.
    fn larger_body(&self, req: &Request) -> Option<u64> {
        self.bodies.most_bytes(req).filter(|most| *most > self.body_limit)
    }

    /// Some reads of the household's interface write down what they gave, and all of them may cost the machine
    /// dear: they are not for other sites' pages either, but for the app's own pages and files.
    fn may_change_something(&self, req: &Request) -> bool {
        let reads = matches!(*req.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        let is_of = |place: &str| req.uri().path().starts_with(place);
        !reads || (self.door == DoorKind::Ops && ["/api/", "/health/", "/metrics"].into_iter().any(is_of))
    }

    fn check_rate(&self, req: &Request) -> Result<()> {
        let Some(rate) = &self.rate else { return Ok(()) };
        let peer = Peer::of(req, &self.trusted).0;
        // This machine itself is not a stranger; whom a proxy brings from elsewhere is.
        if peer.is_loopback() && !is_brought(req) {
            return Ok(());
        }
        if rate.len() > REMEMBERED {
            rate.retain_recent();
        }
        rate.check_key(&one_caller(peer)).map_err(|until| {
            let seconds = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Error::new(Kind::RateLimited, TOO_OFTEN.with([("seconds", seconds.into())])).retry_after(seconds)
        })
    }
}

/// Whether the path is in its one spelling. A route that takes whatever path is left hears of a slash at its end, too, and
/// shows the way to the one without it; one whose last part is a name that people write takes any sign in it, encoded.
fn is_spelled_well(req: &Request) -> bool {
    let (path, matched) = (req.uri().path(), req.matched_path());
    is_plain(path)
        || (matched.contains("{**") && without_last_slash(path).is_some())
        || (matched.ends_with(WRITTEN_NAME) && is_plain_before_a_text(path))
}

#[async_trait]
impl Handler for Guard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if req.headers().contains_key(TRANSFER_ENCODING) {
            // Where such a body ends, a proxy may see otherwise: nothing may follow it on this connection
            // (RFC 9112, 6.3).
            res.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(most) = self.larger_body(req) {
            req.extensions_mut().insert(LargerBody(most));
        }
        if let Err(error) = self.check(req) {
            write_error(error, req, res);
            ctrl.skip_rest();
        } else if self.bodies.is_upload(req) {
            ctrl.call_next(req, depot, res).await;
        } else if tokio::time::timeout(self.time_limit, ctrl.call_next(req, depot, res)).await.is_err() {
            let seconds = self.time_limit.as_secs();
            write_error(Error::new(Kind::UpstreamTimeout, TOO_LONG.with([("seconds", seconds.into())])), req, res);
            ctrl.skip_rest();
        }
        if !req.body().is_end_stream() && !req.headers().contains_key(EXPECT) {
            let most = 4 * self.larger_body(req).unwrap_or(self.body_limit);
            let _ = tokio::time::timeout(LINGER, pass_over(req.take_body(), most)).await;
        }
    }
}

/// Reads what is left of a body that nobody wanted and throws it away, at most about `most` bytes: a caller that is still
/// sending when the connection ends does not hear the answer.
async fn pass_over(mut body: ReqBody, most: u64) {
    let mut passed = 0;
    while passed < most
        && let Ok(Some(Ok(frame))) = tokio::time::timeout(SILENCE, body.next()).await
    {
        passed += frame.data_ref().map_or(1, |data| data.len() as u64);
    }
}

impl Hosts {
    /// The names of a door that listens on `listen` and is known under `further` names.
    pub fn new(listen: SocketAddr, further: Vec<String>) -> Hosts {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        names.push(match listen.ip() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        });
        let further = further.into_iter().map(|name| name.to_ascii_lowercase()).collect();
        let port = Some(listen.port()).filter(|_| listen.ip().is_loopback());
        Hosts { names, port, further, any_address: listen.ip().is_unspecified(), any_name: false }
    }

    /// Every name, for a door whose callers prove otherwise that they are no page of another site.
    pub fn any() -> Hosts {
        Hosts { names: Vec::new(), port: None, further: Vec::new(), any_address: false, any_name: true }
    }

    pub fn check(&self, host: &str) -> Result<()> {
        let known = split(host).is_some_and(|(name, port)| {
            let name = name.to_ascii_lowercase();
            // "hanok.lan." is the same name, written in full.
            let plain = name.strip_suffix('.').unwrap_or(&name);
            let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&name);
            // Without a port it is the usual one, which a proxy on this machine may hold.
            let is_own_port = port.is_none() || self.port.is_none() || port == self.port;
            self.any_name
                || self.further.iter().any(|known| known == plain)
                || (is_own_port && self.names.iter().any(|known| known == plain))
                || (self.any_address && address.parse().is_ok_and(is_of_a_home))
        });
        if known {
            return Ok(());
        }
        Err(Error::new(Kind::ForeignOrigin, FOREIGN_HOST))
    }
}

/// Whether an address is one that a home gives its machines: what leads back to who asks names it, and one of the internet
/// could be anybody's.
fn is_of_a_home(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            // What networks over others give out, such as Tailscale (RFC 6598).
            let is_shared = v4.octets()[0] == 100 && v4.octets()[1] & 0xc0 == 64;
            v4.is_private() || v4.is_loopback() || v4.is_link_local() || is_shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// The one host that the request names: in its `Host` header, in its target, or in both alike.
fn host_of(req: &Request) -> Result<&str> {
    let refused = || Error::new(Kind::ForeignOrigin, NO_HOST);
    let target = req.uri().authority().map(|authority| authority.as_str());
    let mut named = req.headers().get_all(HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => host.to_str().map_err(|_| refused())?,
        (None, None) => target.ok_or_else(refused)?,
        _ => return Err(refused()),
    };
    if target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
        return Err(refused());
    }
    Ok(host)
}

/// The name before the port; none when what stands there is no port.
pub(super) fn without_port(host: &str) -> Option<&str> {
    split(host).map(|(name, _)| name)
}

/// The name and the port, where one is named; none when what stands there is no port.
fn split(host: &str) -> Option<(&str, Option<u16>)> {
    match host.rsplit_once(':') {
        Some((name, "")) => Some((name, None)),
        Some((name, port)) if !port.contains(']') => Some((name, Some(port.parse().ok()?))),
        _ => Some((host, None)),
    }
}

/// The request must come from our own page, or from no page at all.
fn check_origin(req: &Request, host: &str) -> Result<()> {
    let is_ours = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| is_origin_of(origin, host));
    let mut sites = req.headers().get_all("sec-fetch-site").iter();
    let is_foreign = sites.any(|site| site == "cross-site" || site == "same-site")
        || !req.headers().get_all(ORIGIN).iter().all(is_ours)
        || !req.headers().get_all(REFERER).iter().all(|page| is_page_of(page, host));
    if is_foreign { Err(Error::new(Kind::ForeignOrigin, FOREIGN_SITE)) } else { Ok(()) }
}

/// Whether `page`, the address of the page that a request comes from, is one of this host and port.
fn is_page_of(page: &HeaderValue, host: &str) -> bool {
    let origin = |page: &str| page.match_indices('/').nth(2).map_or(page.len(), |(end, _)| end);
    page.to_str().is_ok_and(|page| is_origin_of(&page[..origin(page)], host))
}

/// Whether pages of `origin` are those of this host and port.
fn is_origin_of(origin: &str, host: &str) -> bool {
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    named.is_some_and(|named| named.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn knows(hosts: &Hosts, host: &str) -> bool {
        hosts.check(host).is_ok()
    }

    #[test]
    fn a_door_knows_its_own_names_in_every_spelling_and_no_other() {
        let hosts = Hosts::new(([127, 0, 0, 1], 8420).into(), vec!["Hanok.LAN".to_owned()]);
        let own = "localhost LocalHost:8420 127.0.0.1:8420 [::1]:8420 [::1] hanok.lan. hanok.lan: hanok.lan:443";
        for host in own.split(' ') {
            assert!(knows(&hosts, host), "{host}");
        }
        let evil = "evil.example 127.0.0.1.evil.example 127.0.0.1:8420.evil.example localhost:evil [::1]evil.example";
        let misspelt = "localhost:99999 localhost:80:80 localhost.. someone@localhost [::1 ::1 2130706433 0x7f.1";
        let others = "localhost:8421 127.0.0.1:80 [::1]:3000 192.168.0.7 lo\u{441}alhost";
        for host in [evil, misspelt, others].into_iter().flat_map(|hosts| hosts.split(' ')).chain(["", "."]) {
            assert!(!knows(&hosts, host), "{host}");
        }
    }

    #[test]
    fn a_door_on_every_address_takes_addresses_of_a_home_and_known_names_only() {
        let hosts = Hosts::new(([0, 0, 0, 0], 8420).into(), vec!["hanok.lan".to_owned()]);
        for host in [
            "192.168.0.7:8420",
            "localhost:8080",
            "[fd00::7]:8420",
            "hanok.lan",
            "100.101.2.3",
            "172.17.0.2",
            "[fe80::1]",
        ] {
            assert!(knows(&hosts, host), "{host}");
        }
        for host in [
            "rebound.evil.example:8420",
            "192.168.0.7.evil.example",
            "hanok",
            "[hanok.lan]",
            "203.0.113.66",
            "100.128.0.1",
            "[2001:db8::1]:8420",
        ] {
            assert!(!knows(&hosts, host), "{host}");
        }
    }

    /// Something like a host, often nearly one of ours.
    fn any_host() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "localhost",
                "127.0.0.1",
                "[::1]",
                "hanok.lan",
                ":",
                ".",
                "@",
                "[",
                "]",
                "8420",
                "%",
                "evil"
            ])
            .prop_map(str::to_owned),
            any::<char>().prop_map(String::from),
            any::<std::net::IpAddr>().prop_map(|address| address.to_string()),
        ];
        prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_host_is_a_name_of_ours_with_a_port_or_none_or_refused(host in any_host()) {
            let names = ["localhost", "127.0.0.1", "[::1]", "hanok.lan"];
            let is_ours = names.iter().any(|name| {
                let rest = host.to_ascii_lowercase().strip_prefix(name).map(str::to_owned);
                let rest = rest.map(|rest| rest.strip_prefix('.').map(str::to_owned).unwrap_or(rest));
                rest.is_some_and(|rest| {
                    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port == 8420 || *name == "hanok.lan");
                    rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.is_empty() || is_port(port))
                })
            });
            let hosts = Hosts::new(([127, 0, 0, 1], 8420).into(), vec!["hanok.lan".to_owned()]);
            prop_assert_eq!(knows(&hosts, &host), is_ours);
        }

        #[test]
        fn any_origin_is_ours_only_when_it_is_written_like_the_host(
            scheme in prop::sample::select(vec!["http://", "https://", "HTTP://", "file://", "null", ""]),
            origin in any_host(),
            host in any_host(),
        ) {
            let is_web = scheme == "http://" || scheme == "https://";
            prop_assert_eq!(is_origin_of(&format!("{scheme}{origin}"), &host), is_web && origin.eq_ignore_ascii_case(&host));
            let own = format!("http://{host}");
            prop_assert!(is_origin_of(&own, &host), "{own}");
        }
    }
}

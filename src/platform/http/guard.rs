//! What a request must pass before any handler: a host name that is ours, an origin that is ours, a body
//! that is not too large, not too many requests, and an end to the time it may take.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use salvo::http::Method;
use salvo::http::header::{CONTENT_LENGTH, HOST, ORIGIN};
use salvo::{Depot, FlowCtrl, Handler, Request, Response, async_trait};

use super::answer::write_error;
use super::peer::Peer;
use crate::base::{Error, Kind, Result};
use crate::platform::config::{self, Network};

pub(super) struct Guard {
    hosts: Hosts,
    body_limit: u64,
    time_limit: Duration,
    trusted: Vec<Network>,
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

/// The host names under which a door may be asked for.
pub(super) struct Hosts {
    /// Names in lower case, without ports.
    pub names: Vec<String>,
    /// Whether any address in digits will do: the door listens on all of this machine's, and a page that
    /// rebinds a name cannot use one.
    pub any_address: bool,
}

/// Addresses remembered by the rate limit before those without debts are forgotten.
const REMEMBERED: usize = 50_000;

impl Guard {
    pub fn new(settings: &config::Http, hosts: Hosts) -> Guard {
        let rate = NonZeroU32::new(settings.requests_per_second).map(|rate| {
            let burst = NonZeroU32::new(settings.burst).unwrap_or(rate);
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        });
        Guard {
            hosts,
            body_limit: settings.body_limit_bytes,
            time_limit: Duration::from_secs(settings.request_seconds),
            trusted: settings.trusted_proxies.clone(),
            rate,
        }
    }

    fn check(&self, req: &Request) -> Result<()> {
        let host = host_of(req);
        self.hosts.check(host)?;
        check_origin(req, host)?;
        self.check_rate(req)?;
        let length = req.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if length.is_some_and(|length| length > self.body_limit) {
            return Err(Error::new(Kind::TooLarge, format!("the body is larger than {} bytes", self.body_limit)));
        }
        Ok(())
    }

    fn check_rate(&self, req: &Request) -> Result<()> {
        let Some(rate) = &self.rate else { return Ok(()) };
        let peer = Peer::of(req, &self.trusted).0;
        // This machine itself is not a stranger; behind a trusted proxy its callers have their own address.
        if peer.is_loopback() {
            return Ok(());
        }
        if rate.len() > REMEMBERED {
            rate.retain_recent();
        }
        rate.check_key(&peer).map_err(|until| {
            let seconds = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Error::new(Kind::RateLimited, format!("too many requests; try again in {seconds} s")).retry_after(seconds)
        })
    }
}

#[async_trait]
impl Handler for Guard {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, ctrl: &mut FlowCtrl) {
        if let Err(error) = self.check(req) {
            write_error(error, req, res);
            ctrl.skip_rest();
            return;
        }
        if tokio::time::timeout(self.time_limit, ctrl.call_next(req, depot, res)).await.is_err() {
            let seconds = self.time_limit.as_secs();
            write_error(Error::new(Kind::UpstreamTimeout, format!("this took longer than {seconds} s")), req, res);
            ctrl.skip_rest();
        }
    }
}

impl Hosts {
    fn check(&self, host: &str) -> Result<()> {
        let name = without_port(host).to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if self.names.contains(&name) || (self.any_address && bare.parse::<IpAddr>().is_ok()) {
            return Ok(());
        }
        Err(Error::new(Kind::ForeignOrigin, "this host name is not one of ours; add it to the hosts setting"))
    }
}

fn host_of(req: &Request) -> &str {
    match req.headers().get(HOST) {
        Some(host) => host.to_str().unwrap_or_default(),
        None => req.uri().authority().map(|authority| authority.as_str()).unwrap_or_default(),
    }
}

fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        Some(colon) if !host[colon..].contains(']') => &host[..colon],
        _ => host,
    }
}

/// A request that changes something must come from our own page, or from no page at all.
fn check_origin(req: &Request, host: &str) -> Result<()> {
    if matches!(*req.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let foreign = || Error::new(Kind::ForeignOrigin, "this request comes from another site");
    if req.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return Err(foreign());
    }
    let Some(origin) = req.headers().get(ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().map_err(|_| foreign())?;
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).ok_or_else(foreign)?;
    if !authority.eq_ignore_ascii_case(host) {
        return Err(foreign());
    }
    Ok(())
}

//! Who is at the other end: the connection's address, or what a trusted proxy says it is.

use std::net::{IpAddr, SocketAddr};

use salvo::Request;
use salvo::extract::Metadata;
use salvo::oapi::{Components, EndpointArgRegister, Operation};
use salvo::{Depot, Extractible};

use super::input::none;
use crate::base::{Error, Result};
use crate::platform::app::App;
use crate::platform::config::Network;

/// The caller's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl Peer {
    /// The address of `req`. `X-Forwarded-For` is believed only from trusted proxies, read from the right:
    /// the first address that is not a trusted proxy is the caller.
    pub fn of(req: &Request, trusted: &[Network]) -> Peer {
        let direct = match req.remote_addr() {
            salvo::conn::SocketAddr::IPv4(address) => IpAddr::V4(*address.ip()),
            salvo::conn::SocketAddr::IPv6(address) => address.ip().to_canonical(),
            _ => IpAddr::from([127, 0, 0, 1]),
        };
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
        if !is_trusted(direct) {
            return Peer(direct);
        }
        let forwarded = req.headers().get_all("x-forwarded-for").iter();
        let hops: Vec<Option<IpAddr>> =
            forwarded.flat_map(|value| value.to_str().unwrap_or_default().split(',')).map(address_of).collect();
        // What stands left of something unreadable, anyone may have written.
        let readable = hops.into_iter().rev().map_while(|hop| hop);
        let mut caller = direct;
        for hop in readable {
            caller = hop;
            if !is_trusted(hop) {
                break;
            }
        }
        Peer(caller)
    }
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
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> Result<Self> {
        let app = depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))?;
        Ok(Peer::of(req, &app.config.http.trusted_proxies))
    }
}

impl EndpointArgRegister for Peer {
    fn register(_components: &mut Components, _operation: &mut Operation, _arg: &str) {}
}

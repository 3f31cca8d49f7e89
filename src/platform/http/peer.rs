//! Who is at the other end: the connection's address, or what a trusted proxy says it is.

use std::net::IpAddr;

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
        let forwarded = req.headers().get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<IpAddr> =
            forwarded.flat_map(|value| value.split(',')).filter_map(|hop| hop.trim().parse().ok()).collect();
        Peer(hops.into_iter().rev().find(|hop| !is_trusted(*hop)).unwrap_or(direct))
    }
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

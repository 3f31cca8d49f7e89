//! The two doors: whether their ports are free, who reaches them, and under which names.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use super::Finding;
use hanok_platform::config::{Access, Config};

/// This machine answers itself at once or not at all.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn examine(config: &Config, running: bool) -> Vec<Finding> {
    let mut findings = vec![
        port("household", config.ops.listen, running),
        port("customers", config.site.listen, running),
        reach(config),
    ];
    findings.extend(proxy(config));
    findings
}

/// Whether the appliance can listen there, or does.
fn port(door: &'static str, address: SocketAddr, running: bool) -> Finding {
    if running && address.port() != 0 {
        return match TcpStream::connect_timeout(&reachable(address), PATIENCE) {
            Ok(_) => Finding::ok(door, format!("the running appliance listens on {address}")),
            Err(_) => Finding::warning(
                door,
                format!("an appliance runs on this data folder, but not on {address}"),
                "start it again to take over the present settings",
            ),
        };
    }
    match TcpListener::bind(address) {
        Ok(_) => Finding::ok(door, format!("{address} is free")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            Finding::failure(door, format!("another program listens on {address}"), "choose another port for this door")
        }
        Err(error) => Finding::failure(door, format!("{address}: {error}"), "correct the listen address of this door"),
    }
}

/// The address to connect to for one to listen on.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], address.port())),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from(([0, 0, 0, 0, 0, 0, 0, 1], address.port())),
        _ => address,
    }
}

/// Who reaches the household door, and under which address.
fn reach(config: &Config) -> Finding {
    const CHECK: &str = "reach";
    let listen = config.ops.listen;
    if listen.ip().is_loopback() {
        return Finding::ok(CHECK, "the household door is reached only from this machine");
    }
    if config.ops.access == Access::Open {
        return Finding::warning(
            CHECK,
            "everyone who reaches the household door may use it (ops.access = \"open\")",
            "unset ops.access and set a passphrase: `hanok household passphrase`",
        );
    }
    let listen = address_to_open(listen);
    if listen.ip().is_unspecified() {
        return Finding::warning(
            CHECK,
            "this machine has no address on a network",
            "connect it, or listen on 127.0.0.1",
        );
    }
    Finding::ok(CHECK, format!("the household opens http://{listen} and signs in; names go into ops.hosts"))
}

/// Where a browser on the home network finds a door that listens on `listen`.
pub(in crate::cli) fn address_to_open(listen: SocketAddr) -> SocketAddr {
    match lan_address() {
        Some(address) if listen.ip().is_unspecified() => SocketAddr::new(address, listen.port()),
        _ => listen,
    }
}

/// A public https address means a proxy in front; without its address every customer counts as one.
fn proxy(config: &Config) -> Option<Finding> {
    let public = config.site.address.starts_with("https://");
    (public && config.http.trusted_proxies.is_empty()).then(|| {
        Finding::warning(
            "proxy",
            "site.address is https, but no proxy is trusted: all customers share one rate limit",
            "name the proxy in http.trusted_proxies",
        )
    })
}

/// This machine's address on the local network. Connecting a datagram socket sends nothing; it only asks
/// the system which way it would go (192.0.2.1 is reserved for documentation, RFC 5737).
fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn a_port_that_another_program_holds_is_a_failure() {
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = held.local_addr().unwrap();
        assert_eq!(port("household", address, false).verdict, Verdict::Failure);
        assert_eq!(port("household", address, true).verdict, Verdict::Ok);
        drop(held);
        assert_eq!(port("household", address, false).verdict, Verdict::Ok);
    }

    #[test]
    fn it_says_who_reaches_the_household_door() {
        let mut config = Config::default();
        assert!(reach(&config).finding.contains("only from this machine"));
        config.ops.listen = "192.168.0.10:8420".parse().unwrap();
        assert!(reach(&config).finding.contains("http://192.168.0.10:8420"));
        config.ops.access = Access::Open;
        assert_eq!(reach(&config).verdict, Verdict::Warning);
    }

    #[test]
    fn https_without_a_trusted_proxy_is_a_warning() {
        let mut config = Config::default();
        assert_eq!(proxy(&config), None);
        config.site.address = "https://shop.example".to_owned();
        assert_eq!(proxy(&config).unwrap().verdict, Verdict::Warning);
        config.http.trusted_proxies = vec!["192.168.0.2".parse().unwrap()];
        assert_eq!(proxy(&config), None);
    }
}

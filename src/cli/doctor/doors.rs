//! The two doors: whether their ports are free, who reaches them, and under which names.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use super::Finding;
use crate::platform::config::{Access, Config};

/// This machine answers itself at once or not at all.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn examine(config: &Config, running: bool) -> Vec<Finding> {
    let mut findings = vec![
        port("household", config.ops.listen, running),
        port("customers", config.site.listen, running),
        reach(config, lan_address()),
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

/// Who reaches the household door, and whether under this machine's own address.
fn reach(config: &Config, lan: Option<IpAddr>) -> Finding {
    const CHECK: &str = "reach";
    let listen = config.ops.listen;
    if listen.ip().is_loopback() {
        return Finding::ok(CHECK, "the household door is reached only from this machine");
    }
    if config.ops.access == Access::Open {
        return Finding::warning(
            CHECK,
            "everyone who reaches the household door may use it (ops.access = \"open\")",
            "unset ops.access and set a passphrase: hanok household passphrase",
        );
    }
    let address = if listen.ip().is_unspecified() { lan } else { Some(listen.ip()) };
    match address {
        None => {
            Finding::warning(CHECK, "this machine has no address on a network", "connect it, or listen on 127.0.0.1")
        }
        Some(address) if listen.ip().is_unspecified() && !config.ops.hosts.contains(&address.to_string()) => {
            Finding::warning(
                CHECK,
                format!("the household door does not know itself as {address}"),
                format!("add \"{address}\", or the name people type, to ops.hosts"),
            )
        }
        Some(address) => {
            let address = SocketAddr::new(address, listen.port());
            Finding::ok(CHECK, format!("the household opens http://{address} and signs in"))
        }
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
    fn a_door_on_the_network_must_know_its_own_address() {
        let lan: IpAddr = "192.168.0.10".parse().unwrap();
        let mut config = Config::default();
        assert_eq!(reach(&config, Some(lan)).verdict, Verdict::Ok);
        config.ops.listen = "0.0.0.0:8420".parse().unwrap();
        assert!(reach(&config, Some(lan)).cure.unwrap().contains("192.168.0.10"));
        config.ops.hosts = vec!["192.168.0.10".to_owned()];
        assert_eq!(reach(&config, Some(lan)).verdict, Verdict::Ok);
        config.ops.access = Access::Open;
        assert_eq!(reach(&config, Some(lan)).verdict, Verdict::Warning);
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

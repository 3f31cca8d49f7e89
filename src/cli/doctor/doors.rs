//! The two doors: whether their ports are free, who reaches them, and under which names.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use super::Finding;
use super::running::Running;
use hanok_platform::config::{Access, Config};

/// This machine answers itself at once or not at all.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn examine(config: &Config, running: &Running) -> Vec<Finding> {
    let (ops, site) = (config.ops.listen, config.site.listen);
    let mut findings = match running {
        Running::No => vec![free("household", ops), free("customers", site), reach(ops, config.ops.access)],
        Running::Says(status) => vec![
            heard("household", status.ops_listen, ops),
            heard("customers", status.site_listen, site),
            reach(status.ops_listen, status.ops_access),
        ],
        Running::IsSilent(_) => Vec::new(),
    };
    findings.extend(proxy(config));
    findings
}

/// Whether the appliance listens where it says to; in the settings of this command it may be elsewhere.
fn heard(door: &'static str, address: SocketAddr, by_settings: SocketAddr) -> Finding {
    // A port of the system's choice is known to nobody here.
    if address.port() != 0 && TcpStream::connect_timeout(&reachable(address), PATIENCE).is_err() {
        return Finding::failure(
            door,
            format!("the running appliance says to listen on {address}, and nothing answers there"),
            "see whether a firewall stands before it; else end it and start it again",
        );
    }
    let finding = format!("the running appliance listens on {address}");
    match address == by_settings {
        true => Finding::ok(door, finding),
        false => Finding::warning(
            door,
            format!("{finding}, as it was told at its start, and by the settings read here it is {by_settings}"),
            "write the address into the settings, or start it again without the flag",
        ),
    }
}

/// Whether the appliance can listen there.
fn free(door: &'static str, address: SocketAddr) -> Finding {
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
fn reach(listen: SocketAddr, access: Access) -> Finding {
    const CHECK: &str = "reach";
    if listen.ip().is_loopback() {
        return Finding::ok(CHECK, "the household door is reached only from this machine");
    }
    if access == Access::Open {
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
    use hanok_appliance::control::Status;
    use hanok_platform::mail::Counts;
    use hanok_platform::search::SearchState;

    #[test]
    fn a_port_that_another_program_holds_is_a_failure_and_that_of_the_appliance_is_not() {
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = held.local_addr().unwrap();
        assert_eq!(free("household", address).verdict, Verdict::Failure);
        assert_eq!(heard("household", address, address).verdict, Verdict::Ok);
        drop(held);
        assert_eq!(free("household", address).verdict, Verdict::Ok);
        assert_eq!(heard("household", address, address).verdict, Verdict::Failure);
    }

    #[test]
    fn it_is_the_running_appliance_that_says_where_it_listens() {
        let held = TcpListener::bind("0.0.0.0:0").unwrap();
        let (told, by_settings) = (held.local_addr().unwrap(), "127.0.0.1:8420".parse().unwrap());
        let status = Status {
            version: "0".to_owned(),
            ops_listen: told,
            site_listen: told,
            ops_access: Access::Open,
            search: SearchState::default(),
            failing: Vec::new(),
            mails: Counts::default(),
            writes: Default::default(),
            files: Default::default(),
        };
        let mut config = Config::default();
        config.ops.listen = by_settings;
        let found = examine(&config, &Running::Says(Box::new(status)));
        assert!(found[0].finding.contains(&format!("listens on {told}")), "{found:?}");
        assert!(found[0].finding.contains("by the settings read here it is 127.0.0.1:8420"), "{found:?}");
        assert!(found[2].finding.starts_with("everyone who reaches"), "{found:?}");
        assert_eq!(examine(&config, &Running::IsSilent(String::new())), []);
    }

    #[test]
    fn it_says_who_reaches_the_household_door() {
        let found = |listen: &str, access| reach(listen.parse().unwrap(), access);
        assert!(found("127.0.0.1:8420", Access::Guarded).finding.contains("only from this machine"));
        assert!(found("192.168.0.10:8420", Access::Guarded).finding.contains("http://192.168.0.10:8420"));
        assert_eq!(found("192.168.0.10:8420", Access::Open).verdict, Verdict::Warning);
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

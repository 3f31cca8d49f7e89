//! The two doors: whether their ports are free, who reaches them, and under which names.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use super::Finding;
use super::running::Running;
use hanok_platform::chat::ChatSettings;
use hanok_platform::config::{Access, Config};
use hanok_platform::http::site_is_known_as;

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
    findings.extend(webhook(config));
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

/// Telegram brings messages to the customer site, by https alone and under a name that the site answers to.
fn webhook(config: &Config) -> Option<Finding> {
    const CHECK: &str = "webhook";
    let chat = config.section::<ChatSettings>();
    if chat.check().is_err() || chat.webhook.is_empty() {
        return None;
    }
    let address = &chat.webhook;
    let Some(host) = address.strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next()) else {
        return Some(Finding::warning(
            CHECK,
            format!("chat.webhook is {address}, and Telegram brings messages by https alone"),
            "put the https address of the customer site into chat.webhook, or leave it empty",
        ));
    };
    if !site_is_known_as(config, host) {
        return Some(Finding::warning(
            CHECK,
            format!("chat.webhook is {address}, and the customer site refuses who asks for {host}"),
            "put the address into site.address or its name into site.hosts, or correct chat.webhook",
        ));
    }
    Some(Finding::ok(CHECK, format!("Telegram brings messages to {address}")))
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
    use hanok_base::Secret;
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
            chats: Default::default(),
            files: Default::default(),
            sign_in: Vec::new(),
            tokens: Vec::new(),
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
    fn a_webhook_that_the_customer_site_would_refuse_is_a_warning() {
        let found = |token: &str, address: &str| {
            let mut config = Config::default();
            config.site.address = "https://shop.example".to_owned();
            config.site.hosts = vec!["bot.example".to_owned()];
            let (token, address) = (Secret::new(token), address.to_owned());
            config.set(ChatSettings { token, webhook: address, ..ChatSettings::default() });
            webhook(&config).map(|found| found.verdict)
        };
        for there in ["https://shop.example", "https://Bot.Example:8443"] {
            assert_eq!(found("123456789:word", there), Some(Verdict::Ok), "{there}");
        }
        for wrong in ["http://shop.example", "https://other.example", "https://other.example/shop.example"] {
            assert_eq!(found("123456789:word", wrong), Some(Verdict::Warning), "{wrong}");
        }
        assert_eq!((found("123456789:word", ""), found("", "https://other.example")), (None, None));
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

//! A range of addresses, such as `192.168.0.0/24`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv6Net};
use serde::{Deserialize, Serialize};

/// A range of IPv4 or IPv6 addresses that share their first bits. A single address is the range of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network(IpNet);

impl Network {
    /// Whether `address` lies in the range. An IPv4 address that came in IPv6 form counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

/// The address under which a caller is counted: whoever has one IPv6 address has its whole network of 2^64, and
/// counts as one.
pub fn one_caller(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Net::new_assert(address, 64).network().into(),
        address => address,
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        range(text).map(Network).ok_or_else(|| format!("{text} is not an address or a range such as 192.168.0.0/24"))
    }
}

fn range(text: &str) -> Option<IpNet> {
    // The standard library reads the address: ipnet takes 010.0.0.1, which others read as octal, for 10.0.0.1.
    let written = match text.split_once('/') {
        Some((address, bits)) => IpNet::new(address.parse().ok()?, bits.parse().ok()?).ok()?,
        None => IpNet::from(text.parse::<IpAddr>().ok()?),
    };
    // Addresses are compared in their plain form, so a range in the other one is written plainly, too.
    match written.addr().to_canonical() {
        plain if plain != written.addr() => IpNet::new(plain, written.prefix_len().checked_sub(96)?).ok(),
        _ => Some(written),
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<String> for Network {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> String {
        network.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn contains(network: &str, address: &str) -> bool {
        network.parse::<Network>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn a_network_contains_the_addresses_that_share_its_first_bits() {
        assert!(contains("192.168.0.0/24", "192.168.0.77"));
        assert!(!contains("192.168.0.0/24", "192.168.1.77"));
        assert!(contains("10.0.0.1", "10.0.0.1"));
        assert!(!contains("10.0.0.1", "10.0.0.2"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(contains("fd00::/8", "fd12::1"));
        assert!(!contains("fd00::/8", "fe80::1"));
        assert!(contains("::/0", "fe80::1"));
    }

    #[test]
    fn an_ipv4_address_in_ipv6_form_counts_as_ipv4() {
        assert!(contains("172.17.0.0/16", "::ffff:172.17.0.5"));
        assert!(contains("::ffff:172.17.0.0/112", "172.17.0.5"));
        assert!(!contains("::ffff:172.17.0.5", "172.17.0.6"));
    }

    #[test]
    fn the_addresses_of_one_network_of_ipv6_are_one_caller() {
        let caller = |address: &str| one_caller(address.parse().unwrap());
        assert_eq!(caller("2001:db8:1:2::9"), caller("2001:db8:1:2:ffff::1"));
        assert_ne!(caller("2001:db8:1:2::9"), caller("2001:db8:1:3::9"));
        assert_eq!(caller("::ffff:203.0.113.9"), caller("203.0.113.9"));
        assert_ne!(caller("203.0.113.9"), caller("203.0.113.10"));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in
            ["", "router", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/-1", "::ffff:10.0.0.0/95", "010.0.0.1/8"]
        {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_network_that_reads_back_as_itself_or_refused(
            text in prop_oneof![
                (any::<IpAddr>(), 0u8..=140).prop_map(|(address, bits)| format!("{address}/{bits}")),
                "[0-9a-f.:/]{0,20}",
                any::<String>(),
            ],
            other in any::<IpAddr>(),
        ) {
            let Ok(network) = text.parse::<Network>() else { return Ok(()) };
            prop_assert_eq!(network.to_string().parse(), Ok(network));
            prop_assert!(network.contains(network.0.addr()));
            prop_assert!(network.0.prefix_len() > 0 || network.contains(other) == (network.0.addr().is_ipv4() == other.to_canonical().is_ipv4()));
        }
    }
}

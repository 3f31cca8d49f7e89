//! A range of addresses, such as `192.168.0.0/24`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A range of IPv4 or IPv6 addresses that share their first bits. A single address is the range of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl Network {
    /// Whether `address` lies in the range. An IPv4 address that came in IPv6 form counts as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                same_start(ours.to_bits().into(), theirs.to_bits().into(), 32 - self.bits)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => same_start(ours.to_bits(), theirs.to_bits(), 128 - self.bits),
            _ => false,
        }
    }
}

/// The address under which a caller is counted: whoever has one IPv6 address has its whole network of 2^64, and
/// counts as one.
pub fn one_caller(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::from((address.to_bits() & (!0 << 64)).to_be_bytes()),
        address => address,
    }
}

/// Whether two addresses are equal but for their last `free` bits.
fn same_start(ours: u128, theirs: u128, free: u8) -> bool {
    let passed_over = u32::from(free);
    ours.checked_shr(passed_over).unwrap_or(0) == theirs.checked_shr(passed_over).unwrap_or(0)
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("{text} is not an address or a range such as 192.168.0.0/24");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| refused())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits: u8 = bits.map_or(Ok(most), str::parse).map_err(|_| refused())?;
        if bits > most {
            return Err(refused());
        }
        match address.to_canonical() {
            // Addresses are compared in their plain form, so a range in the other one is written plainly, too.
            plain if plain.is_ipv4() && address.is_ipv6() => {
                let bits = bits.checked_sub(96).ok_or_else(refused)?;
                Ok(Network { address: plain, bits })
            }
            _ => Ok(Network { address, bits }),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
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
        for text in ["", "router", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/-1", "::ffff:10.0.0.0/95"] {
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
            prop_assert!(network.contains(network.address));
            prop_assert!(network.bits > 0 || network.contains(other) == (network.address.is_ipv4() == other.to_canonical().is_ipv4()));
        }
    }
}

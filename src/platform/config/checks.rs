//! What a change on the page is checked for beyond its value: how it stands to the machine, and to who may enter.

use std::net::{SocketAddr, TcpListener};

use super::Config;
use hanok_base::{Message, MessageTemplate};

const UNIQUE: MessageTemplate = MessageTemplate::new(
    "house.must.address_alone",
    "must be an address of this machine alone until a household passphrase is set",
);
const ANOTHER_PORT: MessageTemplate =
    MessageTemplate::new("house.must.another_port", "must be another port than the customer site has");
const FREE_ADDRESS: MessageTemplate =
    MessageTemplate::new("house.must.free_address", "must be a free address of this machine, {address} is none");

/// A change on the page that is about to be written.
#[derive(Debug, Clone, Copy)]
pub struct Changing<'a> {
    /// What is in force.
    pub now: &'a Config,
    /// What the next start would have.
    pub next: &'a Config,
    /// Whether the household has a passphrase.
    pub has_passphrase: bool,
}

/// Why the household door may or can not open where the change puts it: a start that fails would keep the household out.
pub(super) fn household_door(change: &Changing) -> Option<Message> {
    let Changing { now, next, has_passphrase } = change;
    let address = next.ops.listen;
    if next.ops.asks_for_a_passphrase(address) && !has_passphrase {
        return Some(UNIQUE.into());
    }
    if address.port() != 0 && address.port() == next.site.listen.port() {
        return Some(ANOTHER_PORT.into());
    }
    // Its own port is taken by the door that is open now.
    let port = if address.port() == now.ops.listen.port() { 0 } else { address.port() };
    let opened = TcpListener::bind(SocketAddr::new(address.ip(), port));
    opened.is_err().then(|| FREE_ADDRESS.with([("address", address.to_string().into())]))
}

#[cfg(test)]
mod tests {
    use super::super::{SectionKind, Unit, rule, section};
    use super::*;

    const NOT_BEFORE: MessageTemplate =
        MessageTemplate::new("house.must.not_before", "must not be before the first one");

    section! {
        /// A domain's hours.
        pub struct Hours("hours", "시간") {
            /// The first one.
            #[ko("처음", "처음입니다.")]
            #[en("First")]
            first: u64 = 3, rule::whole(Unit::Count, 0, 24).on_page();
            /// The last one.
            #[ko("끝", "끝입니다.")]
            #[en("Last")]
            last: u64 = 5, rule::whole(Unit::Count, 0, 24).on_page().checked_by(|change| {
                let next = change.next.section::<Hours>();
                (next.last < next.first).then(|| NOT_BEFORE.into())
            });
        }
    }

    /// What is said to `value` for `key`.
    fn said(now: &Config, key: &str, value: &str, has_passphrase: bool) -> Option<String> {
        let next = now.changed("", key, value).unwrap().config;
        let refused = Changing { now, next: &next, has_passphrase }.check(key).err();
        refused.map(|error| error.fields["value"].to_string())
    }

    #[test]
    fn a_domain_checks_how_a_change_stands_to_its_other_settings() {
        let hours = Config::of(&[SectionKind::of::<Hours>()]);
        assert_eq!(said(&hours, "hours.last", "2", true), Some(Message::from(NOT_BEFORE).to_string()));
        assert_eq!((said(&hours, "hours.last", "4", true), said(&hours, "hours.first", "9", true)), (None, None));
    }

    #[test]
    fn the_household_door_opens_only_where_it_can_and_keeps_strangers_out() {
        let house = Config::default();
        let refused = |address: &str, has_passphrase| said(&house, "ops.listen", address, has_passphrase);
        assert_eq!(refused("0.0.0.0:0", false), Some(Message::from(UNIQUE).to_string()));
        assert_eq!((refused("0.0.0.0:0", true), refused("127.0.0.1:0", false)), (None, None));
        assert_eq!(refused(&house.site.listen.to_string(), true), Some(Message::from(ANOTHER_PORT).to_string()));
        let elsewhere = refused("192.0.2.1:0", true).unwrap();
        assert!(elsewhere.contains("192.0.2.1:0"), "{elsewhere}");
        assert_eq!(said(&house, "log.level", "debug", false), None, "a change elsewhere opens no door");
    }
}

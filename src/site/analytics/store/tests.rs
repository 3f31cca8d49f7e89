use super::super::model::{Device, Source};
use super::*;
use hanok_base::Clock;
use hanok_platform::events::Events;
use hanok_platform::store::Store;

fn view(visitor: u64, page: &str, source: Option<(Channel, &str)>) -> View {
    let named = |(channel, host): (Channel, &str)| Source {
        channel,
        host: Some(host.to_owned()).filter(|host| !host.is_empty()),
    };
    View { day: day_number(today()), visitor, page: page.to_owned(), device: Device::Phone, source: source.map(named) }
}

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 10, 10).unwrap()
}

/// What is counted once all of these are added, each in a transaction of its own.
async fn after(added: Vec<Vec<View>>) -> Counted {
    let store = Store::memory(Clock::system(), Events::default()).unwrap();
    for views in added {
        store.write(move |tx| add(tx, &views, &BTreeMap::new())).await.unwrap();
    }
    store.read_now(|tx| counted(tx, Period::Week, today())).unwrap()
}

fn now(counted: &Counted, dimension: Dimension, name: &str) -> (u64, u64) {
    let (now, _) = counted.names.get(&(dimension, name.to_owned())).copied().unwrap_or_default();
    (now.views, now.visitors)
}

#[tokio::test]
async fn pages_beyond_five_hundred_of_a_day_and_new_referrers_beyond_two_hundred_are_counted_together() {
    let many = |from: u64, to: u64| -> Vec<View> {
        let one = |number: u64| {
            let host = format!("{number}.example");
            view(number, &format!("/{number}"), Some((Channel::Referral, &host)))
        };
        (from..to).map(one).collect()
    };
    let counted = after(vec![many(0, 400), many(300, 600)]).await;
    // By hand: pages 0 to 499 have a count of their own, of which 300 to 399 were seen twice; 500 to 599 are the rest. So
    // are the hosts from 200 on: 200 views of the first 400, and 300 more, of which 100 visitors come again.
    assert_eq!(counted.names.keys().filter(|(dimension, _)| *dimension == Dimension::Page).count(), 501);
    assert_eq!(now(&counted, Dimension::Page, "/350"), (2, 1));
    assert_eq!(now(&counted, Dimension::Page, "/499"), (1, 1));
    assert_eq!(now(&counted, Dimension::Page, "/500"), (0, 0));
    assert_eq!(now(&counted, Dimension::Page, OTHER), (100, 100));
    assert_eq!(now(&counted, Dimension::Referrer, "199.example"), (1, 1));
    assert_eq!(now(&counted, Dimension::Referrer, OTHER), (500, 400));
    let totals = counted.days[&today()];
    assert_eq!((totals.views, totals.visitors, totals.pages, totals.referrers), (700, 600, 500, 200));
}

#[tokio::test]
async fn who_invents_referrers_takes_the_room_of_no_known_site_and_of_none_that_was_seen_before() {
    let from = |visitor: u64, host: &str| view(visitor, "/", Some((Channel::Referral, host)));
    let before = View { day: day_number(today()) - 30, ..from(1, "friend.example") };
    let too_long_ago = View { day: day_number(today()) - 31, ..from(1, "stranger.example") };
    let by_one = (0..7).map(|number| from(1, &format!("{number}.of-one.example"))).collect();
    let by_many = (0..600).map(|number| from(10 + number, &format!("{number}.example"))).collect();
    let hosts = ["friend.example", "stranger.example", "l.instagram.com", "instagram.com", "google.co.kr", "0.example"];
    let later = hosts.iter().map(|host| from(2, host)).collect();
    let counted = after(vec![vec![too_long_ago, before], by_one, by_many, later]).await;
    let views = |host: &str| now(&counted, Dimension::Referrer, host).0;
    assert_eq!([views("4.of-one.example"), views("5.of-one.example")], [1, 0], "five of one visitor");
    assert_eq!([views("194.example"), views("195.example")], [1, 0], "two hundred of all");
    assert_eq!([views("friend.example"), views("stranger.example"), views("0.example")], [1, 0, 2]);
    assert_eq!([views("instagram.com"), views("google.com"), views("l.instagram.com")], [2, 1, 0]);
    // By hand: 2 of the one visitor, 405 of the many, and the stranger.
    assert_eq!(now(&counted, Dimension::Referrer, OTHER), (408, 407));
}

#[tokio::test]
async fn what_follows_counts_for_the_channel_by_which_the_visitor_came_also_in_a_later_transaction() {
    let came = view(1, "/", Some((Channel::Search, "google.com")));
    let inside = view(1, "/contact", None);
    let typed = view(1, "/", Some((Channel::Direct, "")));
    let by_mail = view(1, "/", Some((Channel::Mail, "mail.example")));
    let unknown = view(2, "/contact", None);
    let counted = after(vec![vec![came], vec![inside.clone(), typed, by_mail, inside], vec![unknown]]).await;
    assert_eq!(now(&counted, Dimension::Channel, "search"), (3, 1));
    assert_eq!(now(&counted, Dimension::Channel, "mail"), (2, 1));
    assert_eq!(now(&counted, Dimension::Channel, "direct"), (1, 1), "the beginning of that visit is not known");
    assert_eq!(counted.days[&today()].visitors, 2);
}

#[tokio::test]
async fn what_is_past_goes_and_a_file_that_leaves_the_house_knows_no_visitor() {
    let store = Store::memory(Clock::system(), Events::default()).unwrap();
    let day = day_number(today());
    let old = View { day: day - 30, ..view(1, "/", None) };
    store.write(move |tx| add(tx, &[old, view(1, "/", None)], &BTreeMap::from([(day, 3)]))).await.unwrap();
    assert!(store.read_now(|tx| is_past(tx, day, day - 10)).unwrap());
    store.write(move |tx| forget_past(tx, day, day - 10)).await.unwrap();
    assert!(!store.read_now(|tx| is_past(tx, day, day - 10)).unwrap());
    let kept = store.read_now(|tx| Ok((tx.count(&DAYS)?, tx.count(&SEEN)?, tx.get(&DAYS, day)?))).unwrap();
    assert_eq!((kept.0, kept.1, kept.2.unwrap().dropped), (1, 1, 3));
    store.write(|tx| (PRESERVED_ON_RESTORE[0].forget)(tx)).await.unwrap();
    assert_eq!(store.read_now(|tx| Ok((tx.count(&DAYS)?, tx.count(&SEEN)?))).unwrap(), (1, 0));
}

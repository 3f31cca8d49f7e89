//! Who gets in where: every route of both doors, asked by everybody there is.
//!
//! `access.txt` holds a line for each: what nobody in particular hears, the household, customer A, customer B, an admin, who has
//! a share link and shows its word wherever one can be shown, and who comes with sessions of all kinds that have ended. A body that is none and an id that is nobody's are sent, so that
//! who is let in hears 400 or 404 and changes nothing; only the devices are those of customer A and of the admin.

use chrono::Duration;
use hanok::platform::auth::{self, ADMINS, CUSTOMERS};
use reqwest::Method;
use serde_json::json;

use crate::document::{Document, Operation};
use crate::house::{Caller, House};

const EXPECTED: &str = include_str!("access.txt");
/// From where all of them come.
const HERE: &str = "192.0.2.7";
/// An id that nothing has.
const NOBODY_S: u64 = 999_999;

/// The place of who has a share link among those who ask, and of who comes with what has ended.
const WITH_SHARE: usize = 5;
const ENDED: usize = 6;

/// The cookies of everybody who asks, in the order of the table, and the devices of customer A and the admin.
struct Asking {
    cookies: [String; 7],
    of_a: u64,
    of_admin: u64,
}

/// Sessions as they are now, of accounts that are there already.
async fn sessions(house: &House, customers: [String; 2], share: &str) -> Asking {
    let share = share.to_owned();
    let written = house.appliance.app().data.store.write(move |tx| {
        let address = HERE.parse().unwrap();
        let household = auth::add_session(tx, "a phone", address)?;
        let [a, b] = &customers;
        let of_customer = |id: &str| CUSTOMERS.begin(tx, id, None, "a phone", address);
        let (of_a, of_b, of_admin) =
            (of_customer(a)?, of_customer(b)?, ADMINS.begin(tx, "minsu", None, "a phone", address)?);
        let (household, a_cookie) = (format!("hanok_household={household}"), format!("hanok={of_a}"));
        let all = format!("{household}; {a_cookie}; hanok-admin={of_admin}");
        let as_session = ["hanok_household", "hanok", "hanok-admin", "hanok-admin-code"];
        let shared = as_session.map(|name| format!("{name}={share}")).join("; ");
        let (b_cookie, admin_cookie) = (format!("hanok={of_b}"), format!("hanok-admin={of_admin}"));
        let cookies = [String::new(), household, a_cookie, b_cookie, admin_cookie, shared, all];
        Ok(Asking { cookies, of_a: CUSTOMERS.list(tx, a)?[0].id, of_admin: ADMINS.list(tx, "minsu")?[0].id })
    });
    written.await.unwrap()
}

/// What everybody hears of `operation`.
async fn heard(
    house: &House,
    door: &impl Caller,
    operation: &Operation,
    customers: &[String; 2],
    [share, ended]: [&str; 2],
) -> String {
    let mut heard = format!("{} {}", operation.method, operation.path);
    // Anew for each operation: what one is let do may end the own session, which nobody else comes with.
    let asking = sessions(house, customers.clone(), share).await;
    let device = if operation.path.contains("/admin/") { asking.of_admin } else { asking.of_a };
    for who in 0..7 {
        let is_of_a_device = ["account_end_session", "admin_end_session"].contains(&operation.id.as_str());
        let id = if is_of_a_device { device } else { NOBODY_S };
        let parts = operation.path.split('/').map(|part| match part {
            "{token}" if who == WITH_SHARE => share.to_owned(),
            part if part.starts_with('{') => id.to_string(),
            part => part.to_owned(),
        });
        let path = parts.collect::<Vec<_>>().join("/") + &operation.least_query;
        let cookie = if who == ENDED { ended.to_owned() } else { asking.cookies[who].clone() };
        let request = operation.understood(door.request(operation.method.clone(), &path));
        let mut request = request.header("cookie", cookie);
        if who == WITH_SHARE {
            request = request.bearer_auth(share);
        }
        if operation.method != Method::GET {
            request = request.header("content-type", "application/json").body("{");
        }
        // Of an answer without an end the status alone.
        let status = request.send().await.unwrap().status().as_u16();
        heard.push_str(&format!(" {status}"));
    }
    heard
}

/// The word of a share link to a request.
async fn shared(house: &House) -> String {
    let sent = json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지"});
    let received = house.passer_by().post("/api/contact", sent).await.ok();
    let shares = format!("/api/contact/{}/shares", received["public_token"].as_str().unwrap());
    let until = hanok::base::day::of(house.clock.now()).to_string();
    let made = house.passer_by().post(&shares, json!({"until": until})).await.ok();
    made["share_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

#[tokio::test]
async fn everybody_hears_at_every_route_of_both_doors_what_stands_in_the_table() {
    let house = House::open_on_the_network("마당에 핀 살구꽃 다섯 송이").await;
    let written = house.appliance.app().data.store.write(|tx| {
        auth::set_admin_password(tx, "minsu", "no hash")?;
        Ok([auth::add_customer(tx, "a@example.com")?.id, auth::add_customer(tx, "b@example.com")?.id])
    });
    let customers = written.await.unwrap();
    let [.., ended] = sessions(&house, customers.clone(), "").await.cookies;
    house.clock.set(house.clock.now() + Duration::days(200));
    let mut lines = Vec::new();
    let household = house.anonymous();
    let passer_by = house.passer_by();
    let share = shared(&house).await;
    let shown = [share.as_str(), ended.as_str()];
    let owner = house.signed_in("마당에 핀 살구꽃 다섯 송이").await;
    for operation in Document::of(&owner).await.operations() {
        lines.push(format!("household {}", heard(&house, &household, &operation, &customers, shown).await));
    }
    for operation in Document::of(&passer_by).await.operations() {
        lines.push(format!("customers {}", heard(&house, &passer_by, &operation, &customers, shown).await));
    }
    let expected: Vec<&str> = EXPECTED.lines().filter(|line| !line.starts_with('#')).collect();
    let unlike: Vec<&String> = lines.iter().filter(|line| !expected.contains(&line.as_str())).collect();
    let gone: Vec<&&str> = expected.iter().filter(|line| !lines.iter().any(|heard| heard == **line)).collect();
    if unlike.is_empty() && gone.is_empty() {
        return;
    }
    // Whoever adds a route looks at what is heard there and takes it over.
    let heads = EXPECTED.lines().filter(|line| line.starts_with('#'));
    let written: String = heads.chain(lines.iter().map(String::as_str)).map(|line| format!("{line}\n")).collect();
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/target/access.txt");
    std::fs::write(place, written).unwrap();
    assert!(unlike.is_empty() && gone.is_empty(), "heard otherwise: {unlike:#?}\nexpected: {gone:#?}\nall: {place}");
}

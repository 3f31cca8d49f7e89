//! Customers who send requests without a pause and remember every receipt: a request is there once with its mails, or it is
//! not there and neither are they.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::http::{Answer, Caller};

/// A customer and what the shop has answered.
pub struct Customer {
    number: usize,
    caller: Caller,
    serial: u64,
    /// The words of the links by mail address; each request has an address of its own.
    told: BTreeMap<String, String>,
    /// The mail address of a request whose answer has not come.
    under_way: Option<String>,
}

impl Customer {
    pub fn new(number: usize, site: SocketAddr) -> Customer {
        Customer { number, caller: Caller::to(site), serial: 0, told: BTreeMap::new(), under_way: None }
    }

    /// How many requests were acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.told.len()
    }

    /// Sends requests until the connection ends.
    pub fn send_until_the_end(&mut self) {
        loop {
            self.serial += 1;
            let email = format!("c{}-{}@example.com", self.number, self.serial);
            self.under_way = Some(email.clone());
            let Ok(answer) = self.send(&email) else { return };
            self.under_way = None;
            self.note(email, answer);
        }
    }

    /// Each comes from another address behind the proxy: of one, five a minute are taken.
    fn send(&mut self, email: &str) -> io::Result<Answer> {
        let [high, low] = [self.serial / 250, self.serial % 250 + 1];
        self.caller.forwarded = Some(format!("10.{}.{high}.{low}", self.number));
        let body = json!({"name": "김지우", "email": email, "message": "홈페이지를 새로 만들고 싶습니다."});
        self.caller.send("POST", "/api/contact", Some(&body), Some(&email.replace('@', "-")))
    }

    fn note(&mut self, email: String, answer: Answer) {
        let token = answer.ok()["public_token"].as_str().unwrap().to_owned();
        self.told.insert(email, token);
    }

    /// Compares what is there with what was acknowledged, and asks again for what was under way.
    fn check(&mut self, site: SocketAddr, there: &There) -> Vec<String> {
        self.caller = Caller::to(site);
        let mut wrong = Vec::new();
        let count = |email: &str| there.receipts.get(email).copied().unwrap_or(0);
        for email in self.told.keys().filter(|email| count(email) != 1) {
            wrong.push(format!("{email} was acknowledged, and there are {} receipts", count(email)));
        }
        if let Some(token) = self.told.values().next_back() {
            let tracked = self.caller.get(&format!("/api/contact/{token}")).unwrap();
            wrong.extend((tracked.status != 200).then(|| format!("the link of a receipt leads to {}", tracked.status)));
        }
        if let Some(email) = self.under_way.take() {
            wrong.extend((count(&email) > 1).then(|| format!("{email} was done more than once")));
            // The same request with the same key: it is there once, whether the first one had been done or not.
            let again = self.send(&email).unwrap();
            self.note(email, again);
        }
        wrong
    }
}

/// What is wrong with the requests of a shop that came up again, with its doors at `household` and `site`; `requests` are
/// the mail addresses of those in its store.
pub fn wrong_after(
    household: SocketAddr,
    site: SocketAddr,
    requests: Vec<String>,
    customers: &mut [Customer],
) -> Vec<String> {
    let there = There::read(&mut Caller::to(household));
    let mut wrong = Vec::new();
    let mut by_address: BTreeMap<String, usize> = BTreeMap::new();
    let count = requests.len();
    requests.into_iter().for_each(|email| *by_address.entry(email).or_default() += 1);
    if by_address != there.receipts {
        wrong.push(format!("requests are {by_address:?}, receipts {:?}", there.receipts));
    }
    if by_address.len() != count {
        wrong.push("a request was done more than once".to_owned());
    }
    if there.notices != count {
        wrong.push(format!("of {count} requests the owner gets {} notices", there.notices));
    }
    customers.iter_mut().for_each(|customer| wrong.extend(customer.check(site, &there)));
    wrong
}

/// The mails of the shop.
struct There {
    /// How many receipts go to each address.
    receipts: BTreeMap<String, usize>,
    notices: usize,
}

impl There {
    fn read(household: &mut Caller) -> There {
        let mut mails: Vec<Value> = Vec::new();
        loop {
            let path = format!("/api/system/mail?limit=500&offset={}", mails.len());
            let page = household.get(&path).unwrap().ok();
            mails.extend(page["mails"].as_array().unwrap().iter().cloned());
            if mails.len() as u64 >= page["total"].as_u64().unwrap() {
                break;
            }
        }
        let mut there = There { receipts: BTreeMap::new(), notices: 0 };
        for mail in mails {
            match mail["kind"].as_str().unwrap() {
                "contact_receipt" => *there.receipts.entry(mail["to"].as_str().unwrap().to_owned()).or_default() += 1,
                "contact_notice" => there.notices += 1,
                _ => {}
            }
        }
        there
    }
}

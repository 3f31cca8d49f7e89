//! Who comes to the customer door with a sign-in.

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hanok::base::Secret;
use hanok::platform::auth::{self, ADMINS, CUSTOMERS};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::house::{Anonymous, Answer, Caller, House};

/// A password that nobody guesses.
pub const PASSWORD: &str = "달빛 아래 호랑이 열두 마리";

/// Somebody at the customer door with the cookie of a sign-in.
pub struct Visitor<'a> {
    door: Anonymous<'a>,
    pub cookie: String,
}

impl<'a> Visitor<'a> {
    /// Who comes with the cookie that `answer` sets.
    pub fn of(house: &'a House, answer: &Answer) -> Visitor<'a> {
        assert_eq!(answer.status, 200, "{answer:?}");
        let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
        Visitor { door: house.passer_by(), cookie }
    }

    /// A new customer with this address, who has followed the link of the mail.
    pub async fn registered(house: &'a House, mail: &str) -> Visitor<'a> {
        let asked = house.passer_by().post("/api/account/register", json!({"mail": mail, "language": "en"})).await;
        assert_eq!(asked.status, 202, "{asked:?}");
        let new = json!({"token": word_of_the_last_mail(house).await, "password": PASSWORD});
        Visitor::of(house, &house.passer_by().post("/api/account/password", new).await)
    }

    /// The customer of this address, who signs in.
    pub async fn signed_in(house: &'a House, mail: &str) -> Visitor<'a> {
        let sent = json!({"mail": mail, "password": PASSWORD});
        Visitor::of(house, &house.passer_by().post("/api/account/sign-in", sent).await)
    }
}

impl Caller for Visitor<'_> {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.door.request(method, path).header("cookie", &self.cookie)
    }
}

/// Customers who keep the shop as well, at the customer door, another for each request: what one ends, the next does not
/// lack.
pub struct Everybody<'a> {
    door: Anonymous<'a>,
    cookies: Vec<String>,
    asked: AtomicUsize,
}

impl<'a> Everybody<'a> {
    /// Who can ask the customer door of `house` a few thousand times.
    pub async fn of(house: &'a House) -> Everybody<'a> {
        let hash = auth::hash(Secret::new(PASSWORD)).await.unwrap();
        let written = house.appliance.app().data.store.write(move |tx| {
            let address = "192.0.2.7".parse().map_err(hanok::base::Error::internal)?;
            let cookie = |number: u32| {
                let (id, name) =
                    (auth::add_customer(tx, &format!("{number}@example.com"))?.id, format!("admin-{number}"));
                auth::set_admin_password(tx, &name, &hash)?;
                let customer = CUSTOMERS.begin(tx, &id, None, "a phone", address)?;
                let admin = ADMINS.begin(tx, &name, None, "a phone", address)?;
                Ok(format!("hanok={customer}; hanok-admin={admin}"))
            };
            (0..3000).map(cookie).collect::<hanok::base::Result<Vec<_>>>()
        });
        Everybody { door: house.passer_by(), cookies: written.await.unwrap(), asked: AtomicUsize::new(0) }
    }
}

impl Caller for Everybody<'_> {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.door.request(method, path).header("cookie", &self.cookies[asked])
    }
}

/// What the last mail that went out says, as its reader sees it.
pub async fn last_mail(house: &House) -> String {
    let household = house.household();
    household.rest().await;
    let folder = household.get("/api/system/mail").await.ok()["folder"].as_str().unwrap().to_owned();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let written = std::fs::read_to_string(files.last().unwrap()).unwrap();
    // Quoted-printable (RFC 2045, section 6.7), of plain letters; parts with much Hangul come in base64 (section 6.8).
    let mut parts = written.split("Content-Transfer-Encoding: base64\r\n\r\n");
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (coded, behind) = part.split_once("\r\n--").unwrap_or((part, ""));
        let coded: String = coded.split_whitespace().collect();
        read += &String::from_utf8_lossy(&STANDARD.decode(coded).unwrap());
        read += behind;
    }
    read.replace("=\r\n", "").replace("=3D", "=")
}

/// The word of the link in the last mail that went out.
pub async fn word_of_the_last_mail(house: &House) -> String {
    let mail = last_mail(house).await;
    let (_, behind) = mail.split_once("?token=").unwrap_or_else(|| panic!("no link in {mail}"));
    behind.split(|c: char| c.is_whitespace() || c == '"').next().unwrap_or_default().to_owned()
}

//! Pages and their forms, as a browser without scripts opens and sends them.

use futures_util::future::join_all;
use reqwest::Method;

use crate::house::{Answer, Caller, House, answer};

/// A browser at the customer door, with the cookies that it got.
#[derive(Clone)]
pub struct Browser<'a> {
    house: &'a House,
    cookies: Vec<String>,
}

impl<'a> Browser<'a> {
    /// One that nobody has used yet.
    pub fn at(house: &'a House) -> Browser<'a> {
        Browser { house, cookies: Vec::new() }
    }

    fn keep(&mut self, answer: &Answer) {
        for set in answer.headers.get_all("set-cookie") {
            let cookie = set.to_str().unwrap().split(';').next().unwrap().to_owned();
            let name = cookie.split('=').next().unwrap().to_owned();
            self.cookies.retain(|known| !known.starts_with(&format!("{name}=")));
            self.cookies.push(cookie);
        }
    }

    /// Opens a page.
    pub async fn open(&mut self, path: &str) -> Answer {
        let request = self.house.passer_by().request(Method::GET, path).header("accept", "text/html");
        let shown = answer(request.header("cookie", self.cookies.join("; "))).await;
        self.keep(&shown);
        shown
    }

    /// Sends a form of the page that was `shown` with these fields.
    pub async fn send(&mut self, path: &str, shown: &Answer, fields: &[(&str, &str)]) -> Answer {
        let unseen = ["_seal", "_key"].map(|name| (name, value_of(&shown.text, name)));
        let mut address = reqwest::Url::parse("http://localhost").unwrap();
        address.query_pairs_mut().extend_pairs(unseen).extend_pairs(fields);
        let body = address.query().unwrap().to_owned();
        let request = self.house.passer_by().request(Method::POST, path).header("accept", "text/html");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        let done = answer(request.header("cookie", self.cookies.join("; "))).await;
        self.keep(&done);
        done
    }

    /// Sends a form so many times at once, each with the cookies of before.
    pub async fn send_at_once(&self, times: usize, path: &str, shown: &Answer, fields: &[(&str, &str)]) -> Vec<Answer> {
        let mut windows = vec![self.clone(); times];
        join_all(windows.iter_mut().map(|window| window.send(path, shown, fields))).await
    }
}

/// The value of a field that nobody sees.
pub fn value_of(page: &str, name: &str) -> String {
    let behind = page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("{name} in {page}")).1;
    behind.split('"').next().unwrap().to_owned()
}

/// Where a form that was taken leads.
pub fn leads_to(done: &Answer) -> (u16, &str) {
    (done.status.as_u16(), done.header("location"))
}

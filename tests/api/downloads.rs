//! What a browser that has a part of a backup file, or all of it, may ask for again.

use reqwest::{Method, Response};

use crate::house::{Caller, House};
use crate::moving::{fetched, set};

const FAR_AHEAD: &str = "Sun, 01 Jan 2090 00:00:00 GMT";

#[tokio::test]
async fn a_file_is_known_by_its_tag_alone_and_with_other_settings_it_has_another() {
    const KEY: &str = "backup.weekly";
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let (path, _) = fetched(&household).await;
    let ask = async |header: &'static str, value: &str| -> Response {
        let asked = household.request(Method::GET, &path).header("range", "bytes=100-").header(header, value);
        asked.send().await.unwrap()
    };
    let mut known: Vec<(String, Vec<u8>)> = Vec::new();
    for weekly in ["9", "7", "9"] {
        set(&household, KEY, weekly).await;
        let (tag, date, whole) = loop {
            let answer = household.request(Method::GET, &path).send().await.unwrap();
            if answer.status() == 200 {
                let header = |name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
                break (header("etag").unwrap(), header("last-modified"), answer.bytes().await.unwrap().to_vec());
            }
        };
        // The file of the first settings may be older than that of the second ones, and made in the same second.
        for (tag_before, before) in &known {
            assert_eq!(*tag_before == tag, *before == whole, "{tag} {tag_before}");
            assert_eq!(ask("if-range", tag_before).await.status() == 206, *before == whole);
        }
        assert_eq!(date, None);
        let whenever =
            household.request(Method::GET, &path).header("if-modified-since", FAR_AHEAD).send().await.unwrap();
        assert_eq!(whenever.status(), 200, "of when it was made nothing follows");
        assert_eq!(ask("if-range", FAR_AHEAD).await.status(), 200);
        assert_eq!(ask("if-range", &tag).await.status(), 206);
        known.push((tag, whole));
    }
    assert_ne!(known[0], known[1]);
}

//! Every route of both doors answers with the headers that protect its reader, whatever it is asked by.

use crate::headers::walk;
use crate::house::House;

#[tokio::test]
async fn every_answer_of_both_doors_carries_the_headers_that_protect_its_reader() {
    let house = House::open().await;
    for flaws in [walk(&house.household(), false, |_| true).await, walk(&house.passer_by(), false, |_| true).await] {
        assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
    }
}

#[tokio::test]
async fn every_answer_of_a_site_that_customers_reach_by_https_insists_on_it() {
    let house = House::open_with(|config| config.site.address = "https://shop.example".into()).await;
    let flaws = walk(&house.passer_by(), true, |_| true).await;
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
}

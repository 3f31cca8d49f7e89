//! Every route of both doors meets bad callers, and no thread that answers is held up meanwhile.

use hanok::platform::http::watchdog;

use super::threads;
use crate::hostile::{furnish, walk};
use crate::house::House;
use crate::visitors::Everybody;

#[tokio::test]
async fn every_route_of_the_household_door_refuses_bad_callers_and_changes_nothing() {
    watchdog::turn_on(threads::LIMIT);
    let house = House::open().await;
    let household = house.household();
    furnish(&household).await;
    household.rest().await;
    let mut flaws = walk(&household, &household, |_| true).await;
    flaws.extend(threads::held_at(house.appliance.ops_address()));
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
}

#[tokio::test]
async fn every_route_of_the_customer_door_refuses_bad_callers_and_changes_nothing() {
    watchdog::turn_on(threads::LIMIT);
    let house = House::open().await;
    house.household().rest().await;
    let mut flaws = walk(&Everybody::of(&house).await, &house.household(), |_| true).await;
    flaws.extend(threads::held_at(house.appliance.site_address()));
    assert!(flaws.is_empty(), "{} flaws\n{}", flaws.len(), flaws.join("\n"));
}

//! A restore asks for nothing anew that was asked for since.

use tempfile::TempDir;

use super::*;
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{Schema, SnapshotKind};
use crate::testing::restores;
use crate::{auth, jobs, store};

fn schema() -> Schema {
    Schema::default()
        .with(store::TABLES, &[], &[])
        .with(jobs::TABLES, jobs::MIGRATIONS, &[])
        .with(auth::TABLES, &[], &[])
        .with(TABLES, &[], &[])
        .with(&[&FOLLOWED], &[], &[])
        .carrying(PRESERVED_ON_RESTORE)
}

#[tokio::test]
async fn a_restore_asks_for_nothing_anew_that_was_done_since() {
    let (clock, events, folder) = (Clock::fixed(draw_night()), Events::default(), TempDir::new().unwrap());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let root = folder.path().to_owned();
    let (store, _) = Store::open(&root, &options, schema(), clock.clone(), events.clone()).unwrap();
    let bank = Bank::begin([Act::Say(429, "{}"), Act::Say(429, "{}"), Act::Say(200, "{}"), Act::Say(200, "{}")]).await;
    let house = House::on(store, events, &clock);
    let mut planned = Vec::new();
    for _ in 0..2 {
        let id = house.plan(Blind { at: bank.at.clone() }).await;
        house.until(id, |seen| seen.attempts == 1 && seen.next_attempt_at.is_some_and(|at| at > clock.now())).await;
        planned.push(id);
    }
    let [done, forgotten] = planned[..] else { panic!("two are planned") };
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let made = house.app.data.store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    clock.set(clock.now() + chrono::Duration::minutes(1));
    for id in [done, forgotten] {
        house.until_ended(id, OutboxStatus::Done).await;
    }
    house.app.data.store.write(move |tx| remove(tx, forgotten)).await.unwrap();
    restores(&house.app.data.store).restore(Some(made.name), |_| ()).await.unwrap();
    let house = house.killed().await;
    house.until_ended(done, OutboxStatus::Done).await;
    let unknown = house.until_ended(forgotten, OutboxStatus::DeliveryUnknown).await;
    assert!(unknown.message.is_some());
    assert_eq!(bank.writes().len(), 4, "two put off, two done, none after the restore");
    house.end().await;
}

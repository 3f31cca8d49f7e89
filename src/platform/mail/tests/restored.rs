//! A restore does not send what went out since.

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
        .carrying(PRESERVED_ON_RESTORE)
}

#[tokio::test]
async fn a_restore_sends_no_mail_anew_that_went_out_since() {
    let (clock, events, folder) = (Clock::fixed(draw_night()), Events::default(), TempDir::new().unwrap());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let root = folder.path().to_owned();
    let (store, _) = Store::open(&root, &options, schema(), clock.clone(), events.clone()).unwrap();
    let server = Server::begin(MailSecurity::None).await;
    server.once("RCPT", Act::Say("450 4.2.0 later"));
    server.once("RCPT", Act::Say("450 4.2.0 later"));
    let house = House::on(store, events, &clock, through(&server), folder);
    let sent = house.queue().await;
    house.until(sent, |seen| seen.next_attempt_at.is_some_and(|at| at > clock.now())).await;
    let forgotten = house.queue().await;
    house.until(forgotten, |seen| seen.next_attempt_at.is_some_and(|at| at > clock.now())).await;
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let made = house.app.data.store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    clock.set(clock.now() + chrono::Duration::minutes(1));
    for id in [sent, forgotten] {
        house.until_status(id, MailStatus::Sent).await;
    }
    house.app.data.store.write(move |tx| remove(tx, forgotten)).await.unwrap();
    restores(&house.app.data.store).restore(Some(made.name), |_| ()).await.unwrap();
    let house = house.killed().await;
    assert_eq!(house.seen(sent).await.status, MailStatus::Sent);
    let delivery_unknown = house.seen(forgotten).await;
    assert_eq!(delivery_unknown.status, MailStatus::DeliveryUnknown);
    assert!(delivery_unknown.message.unwrap().contains("restored"));
    let next = house.queue().await;
    house.until_status(next, MailStatus::Sent).await;
    assert_eq!(server.taken().len(), 3, "two before the restore, one after it");
    house.end().await;
}

//! Rung 2: simulated power loss. A day of the whole interface runs on a disk that remembers every write and sync;
//! then the power is cut at every sync, with what was not synced lost, kept, reordered or torn. Every state that
//! comes up holds each acknowledged write, and of the others all or nothing.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::disk::{Disk, Luck, Moment, after_power_cut, moments};
use crate::simulated::Simulated;
use crate::tables::{self, Rows};
use crate::{is_long, rounds};

use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::platform::events::Events;
use hanok::platform::store::{Store, Table};

/// What the rows were when an answer had come, and how much had been asked of the disk by then.
struct Acknowledged {
    at: usize,
    rows: Rows,
}

/// A row of a test's own, to write something into a store that has come up.
const PROBE: Table<u64, u64> = Table::new("ladder_probe-1");

#[test]
fn cut_at_every_sync_of_a_day_every_state_is_one_that_was_acknowledged() {
    let (seed, mut dice) = Dice::of_this_run();
    let mut house = Simulated::open();
    let acknowledged = a_day(&house, &mut dice);
    house.stop();
    let log = house.disk.log();
    let moments = moments(Vec::new(), &log, house.opened_at);
    let mut states = 0;
    for moment in &moments {
        let mut lucks = vec![Luck::Nothing, Luck::All];
        lucks.extend(vec![Luck::Some; rounds(1, 20)]);
        // The short form takes one of them at each sync.
        if !is_long() {
            lucks = vec![lucks[dice.below(lucks.len())]];
        }
        for luck in lucks {
            let bytes = after_power_cut(&moment.durable, &moment.unsynced, luck, &mut dice);
            let place = format!("seed {seed}, cut at {} of {}, {luck:?}", moment.position, log.len());
            expect(&bytes, moment.position, &acknowledged, &place);
            states += 1;
        }
    }
    let again = cut_again(&moments, &acknowledged, &mut dice, seed);
    println!(
        "{} syncs of a day with {} acknowledged writes: {states} states after a power cut and {again} after a second one \
         during the repair, each as acknowledged; seed {seed}",
        moments.len(),
        acknowledged.len()
    );
    assert!(moments.len() > acknowledged.len());
}

/// Opens what a power cut has left: the rows are those of the last answer before it or of the next one, and fit together.
fn expect(bytes: &[u8], position: usize, acknowledged: &[Acknowledged], place: &str) {
    let store = tables::open_bytes(bytes).unwrap_or_else(|error| panic!("{place}: {error}"));
    let flaws = tables::flaws(&store);
    assert!(flaws.is_empty(), "{place}: {flaws:?}");
    let found = tables::rows(&store);
    let next = acknowledged.iter().position(|one| one.at > position).unwrap_or(acknowledged.len());
    let may_be = &acknowledged[next.saturating_sub(1)..(next + 1).min(acknowledged.len())];
    let same = |one: &Acknowledged| (&one.rows.todos, &one.rows.purchases) == (&found.todos, &found.purchases);
    let is_start = next == 0 && found.todos.is_empty() && found.purchases.is_empty();
    assert!(
        is_start || may_be.iter().any(same),
        "{place}: {} todos, {} purchases",
        found.todos.len(),
        found.purchases.len()
    );
}

/// Cuts the power a second time, at every sync of the repair and of the first write after it.
fn cut_again(moments: &[Moment], acknowledged: &[Acknowledged], dice: &mut Dice, seed: u64) -> usize {
    let mut states = 0;
    for _ in 0..rounds(4, 200) {
        let moment = &moments[dice.below(moments.len())];
        let bytes = after_power_cut(&moment.durable, &moment.unsynced, Luck::Some, dice);
        let disk = Disk::with(bytes.clone());
        let store = Store::on_backend(disk.clone(), schema(), Clock::system(), Events::default()).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(store.write(|tx| tx.put(&PROBE, 1, &1))).unwrap();
        for second in self::moments(bytes, &disk.log(), 0) {
            let bytes = after_power_cut(&second.durable, &second.unsynced, Luck::Some, dice);
            let place = format!("seed {seed}, cut at {} and again at {}", moment.position, second.position);
            expect(&bytes, moment.position, acknowledged, &place);
            states += 1;
        }
    }
    states
}

/// What a household does on a day, one request after the other.
fn a_day(house: &Simulated, dice: &mut Dice) -> Vec<Acknowledged> {
    let mut caller = house.caller();
    let mut acknowledged = vec![Acknowledged { at: house.disk.position(), rows: tables::rows(&house.store) }];
    let (mut todos, mut purchases): (Vec<u64>, Vec<u64>) = Default::default();
    for number in 0..rounds(60, 400) {
        house.clock.set(house.clock.now() + chrono::Duration::minutes(3));
        let todo = |dice: &mut Dice| format!("/api/todos/{}", todos[dice.below(todos.len())]);
        let purchase = |dice: &mut Dice| format!("/api/lotto/purchase/{}", purchases[dice.below(purchases.len())]);
        let answer = match number % 10 {
            0 | 5 => caller.post(
                "/api/todos",
                &json!({"title": format!("할 일 {number}"), "note": "ㅁ".repeat(dice.below(3000))}),
            ),
            1 | 2 | 6 => {
                let sets: Vec<Vec<u64>> = (0..1 + dice.below(5)).map(|_| dice.lottery_numbers()).collect();
                let body = json!({"sets": sets, "draw_no": dice.between(1200, 1250)});
                caller.send("POST", "/api/lotto/purchase", Some(&body), Some(&format!("key-{number}")))
            }
            3 => caller.put(&todo(dice), &json!({"done": true})),
            4 => caller.put(&purchase(dice), &json!({"draw_no": 1244})),
            7 => caller.post("/api/system/schedule/purge/run", &Value::Null),
            8 if number % 40 == 38 => caller.delete("/api/todos/done"),
            8 => caller.put(&todo(dice), &json!({"due": "2026-12-24"})),
            _ => caller.delete(&purchase(dice)),
        };
        let body = answer.unwrap().ok();
        let rows = tables::rows(&house.store);
        todos = rows.todos.keys().copied().collect();
        purchases = rows.purchases.keys().copied().collect();
        assert!(body.is_object());
        acknowledged.push(Acknowledged { at: house.disk.position(), rows });
    }
    acknowledged
}

#[test]
fn many_writers_at_once_and_the_power_cut_no_acknowledged_write_is_lost() {
    let (seed, mut dice) = Dice::of_this_run();
    let mut house = Simulated::open();
    let told: Vec<(usize, String)> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let house = &house;
                scope.spawn(move || {
                    let mut caller = house.caller();
                    let one = |number| {
                        let title = format!("w{writer} #{number}");
                        caller.post("/api/todos", &json!({"title": title})).unwrap().ok();
                        (house.disk.position(), title)
                    };
                    (0..rounds(12, 100)).map(one).collect::<Vec<_>>()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    house.stop();
    let moments = moments(Vec::new(), &house.disk.log(), house.opened_at);
    for moment in &moments {
        let bytes = after_power_cut(&moment.durable, &moment.unsynced, Luck::Some, &mut dice);
        let store = tables::open_bytes(&bytes).unwrap();
        let flaws = tables::flaws(&store);
        assert!(flaws.is_empty(), "seed {seed}, cut at {}: {flaws:?}", moment.position);
        let found: Vec<Value> = tables::rows(&store).todos.into_values().collect();
        for (at, title) in told.iter().filter(|(at, _)| *at <= moment.position) {
            assert!(
                found.iter().any(|todo| todo["title"] == json!(title)),
                "seed {seed}: {title}, told at {at}, is lost"
            );
        }
    }
    println!("{} writers' acknowledgements shared {} syncs; none was lost; seed {seed}", told.len(), moments.len());
    assert!(moments.len() > 1);
}

//! A full load of writers who only add, and count: at any moment it is known how much was acknowledged at least, and
//! how much may be there at most.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::Caller;

/// Writers and a reader, until they are told to stop.
pub struct Load {
    stop: Arc<AtomicBool>,
    counts: Vec<Arc<Count>>,
    bound: Arc<Bound>,
    waits: Arc<Waits>,
    callers: Vec<JoinHandle<()>>,
}

/// The longest waits for an answer so far, in microseconds.
#[derive(Default)]
struct Waits {
    writer: AtomicU64,
    reader: AtomicU64,
}

/// How much all writers have begun to write, and how much they may.
struct Bound {
    begun: AtomicU64,
    most: AtomicU64,
}

/// How far one writer is.
#[derive(Default)]
struct Count {
    asked: AtomicU64,
    told: AtomicU64,
}

/// How many todos of each writer were acknowledged, or asked for.
pub type Counts = Vec<u64>;

/// The longest that anybody waited for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Longest {
    pub writer: Duration,
    pub reader: Duration,
}

impl Load {
    /// Begins to write with so many writers.
    pub fn begin(address: SocketAddr, writers: usize) -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let counts: Vec<Arc<Count>> = (0..writers).map(|_| Arc::default()).collect();
        let bound = Arc::new(Bound { begun: AtomicU64::new(0), most: AtomicU64::new(u64::MAX) });
        let waits: Arc<Waits> = Arc::default();
        let writers = counts.iter().enumerate().map(|(number, count)| {
            let (stop, waits, count) = (Arc::clone(&stop), Arc::clone(&waits), Arc::clone(count));
            let bound = Arc::clone(&bound);
            std::thread::spawn(move || write(Caller::to(address), number, &count, &bound, &waits.writer, &stop))
        });
        let mut callers: Vec<JoinHandle<()>> = writers.collect();
        let (reading, read_waits) = (Arc::clone(&stop), Arc::clone(&waits));
        callers.push(std::thread::spawn(move || read(Caller::to(address), &read_waits.reader, &reading)));
        Load { stop, counts, bound, waits, callers }
    }

    /// Lets the writers add so many more from now on, and then wait until they may again.
    pub fn allow(&self, writes: u64) {
        let most = self.bound.begun.load(Ordering::SeqCst).saturating_add(writes);
        self.bound.most.store(most, Ordering::SeqCst);
    }

    /// What was acknowledged by now.
    pub fn told(&self) -> Counts {
        self.counts.iter().map(|count| count.told.load(Ordering::SeqCst)).collect()
    }

    /// What was asked for by now.
    pub fn asked(&self) -> Counts {
        self.counts.iter().map(|count| count.asked.load(Ordering::SeqCst)).collect()
    }

    /// Waits until so many writes were acknowledged in all.
    pub fn wait_for(&self, writes: u64) {
        crate::appliance::until("enough was written", || (self.told().iter().sum::<u64>() >= writes).then_some(()));
    }

    /// Stops; gives what was acknowledged, and who waited longest.
    pub fn end(self) -> (Counts, Longest) {
        self.stop.store(true, Ordering::SeqCst);
        let (told, waits) = (self.counts, self.waits);
        self.callers.into_iter().for_each(|caller| caller.join().unwrap());
        (told.iter().map(|count| count.told.load(Ordering::SeqCst)).collect(), waits.take())
    }

    /// Who waited longest since this was last asked.
    pub fn take_longest(&self) -> Longest {
        self.waits.take()
    }
}

impl Waits {
    fn take(&self) -> Longest {
        let take = |wait: &AtomicU64| Duration::from_micros(wait.swap(0, Ordering::SeqCst));
        Longest { writer: take(&self.writer), reader: take(&self.reader) }
    }
}

fn note(wait: &AtomicU64, begun: Instant) {
    wait.fetch_max(begun.elapsed().as_micros() as u64, Ordering::SeqCst);
}

fn write(mut caller: Caller, number: usize, count: &Count, bound: &Bound, wait: &AtomicU64, stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        if bound.begun.load(Ordering::SeqCst) >= bound.most.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        bound.begun.fetch_add(1, Ordering::SeqCst);
        let serial = count.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let begun = Instant::now();
        let body = json!({"title": format!("l{number} #{serial}"), "note": "가나다라 ".repeat(20)});
        let Ok(answer) = caller.post("/api/todos", &body) else { break };
        answer.ok();
        note(wait, begun);
        count.told.store(serial, Ordering::SeqCst);
    }
}

fn read(mut caller: Caller, wait: &AtomicU64, stop: &AtomicBool) {
    while !stop.load(Ordering::SeqCst) {
        let begun = Instant::now();
        let Ok(answer) = caller.get("/api/todos?limit=10") else { break };
        answer.ok();
        note(wait, begun);
    }
}

/// What is wrong when these todos are a state between `at_least` and `at_most`: each writer's are there without a gap.
pub fn gaps(todos: &BTreeMap<u64, Value>, at_least: &Counts, at_most: Option<&Counts>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, least) in at_least.iter().enumerate() {
        let mark = format!("l{number} #");
        let serial = |todo: &Value| todo["title"].as_str().unwrap().strip_prefix(&mark)?.parse::<u64>().ok();
        let mut serials: Vec<u64> = todos.values().filter_map(serial).collect();
        serials.sort_unstable();
        if !serials.iter().copied().eq(1..=serials.len() as u64) {
            wrong.push(format!("the todos of writer {number} have a gap"));
        }
        let there = serials.len() as u64;
        if there < *least || at_most.is_some_and(|most| there > most[number]) {
            wrong.push(format!("writer {number}: {there} are there, {least} were acknowledged, asked {at_most:?}"));
        }
    }
    wrong
}

//! The compute host: the same answer on any number of threads, a bounded queue, a limit of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::local::Local;
use super::*;

/// Adds the numbers from 0 to `to`, one part for each hundred.
#[derive(Serialize, Deserialize)]
struct Sum {
    to: u64,
}

impl Work for Sum {
    const NAME: &'static str = "test_sum";
    type Part = u64;
    type Answer = u64;

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn parts(&self) -> usize {
        (self.to / 100) as usize
    }

    fn part(&self, part: usize, _cancelled: &(dyn Fn() -> bool + Sync)) -> Option<u64> {
        Some((part as u64 * 100..(part as u64 + 1) * 100).sum())
    }

    fn join(&self, parts: Vec<u64>) -> u64 {
        parts.into_iter().sum()
    }

    fn admits(&self, answer: &u64) -> bool {
        *answer == self.to * self.to.saturating_sub(1) / 2
    }
}

static ENDLESS_ENDED: AtomicBool = AtomicBool::new(false);

/// Works until it is called off.
#[derive(Serialize, Deserialize)]
struct Endless {}

impl Work for Endless {
    const NAME: &'static str = "test_endless";
    type Part = ();
    type Answer = ();

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn parts(&self) -> usize {
        1
    }

    fn part(&self, _part: usize, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<()> {
        while !cancelled() {
            std::thread::yield_now();
        }
        ENDLESS_ENDED.store(true, Ordering::SeqCst);
        None
    }

    fn join(&self, _parts: Vec<()>) {}

    fn admits(&self, _answer: &()) -> bool {
        true
    }
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn parts_are_joined_in_order_whatever_the_number_of_threads() {
    for threads in [1, 2, 5] {
        let done = Local::start(threads, 4).unwrap().run(Sum { to: 1000 }, LONG, |_| ()).await.unwrap();
        assert_eq!((done.answer, done.threads), (499_500, threads));
    }
}

#[tokio::test]
async fn progress_ends_at_a_hundred() {
    let (said, heard) = std::sync::mpsc::channel();
    let said = parking_lot::Mutex::new(said);
    let local = Local::start(1, 4).unwrap();
    local.run(Sum { to: 400 }, LONG, move |percent| said.lock().send(percent).unwrap()).await.unwrap();
    assert_eq!(heard.iter().collect::<Vec<_>>(), [25, 50, 75, 100]);
}

#[tokio::test]
async fn work_that_does_not_end_is_timed_out_and_called_off() {
    let local = Local::start(1, 4).unwrap();
    let late = local.run(Endless {}, Duration::from_millis(20), |_| ()).await.unwrap_err();
    assert_eq!(late.kind, Kind::NasTimeout);
    // The next piece gets its turn only when the one that was called off has ended.
    local.run(Sum { to: 100 }, LONG, |_| ()).await.unwrap();
    assert!(ENDLESS_ENDED.load(Ordering::SeqCst));
    assert_eq!(local.depth(), 0);
}

#[tokio::test]
async fn a_full_queue_refuses_and_says_when_to_come_again() {
    let local = Arc::new(Local::start(1, 0).unwrap());
    let begun = Arc::new(Notify::new());
    let busy = tokio::spawn({
        let (local, begun) = (Arc::clone(&local), Arc::clone(&begun));
        async move {
            let work = local.run(Endless {}, Duration::from_millis(200), |_| ());
            begun.notify_one();
            work.await
        }
    });
    begun.notified().await;
    while local.depth() == 0 {
        tokio::task::yield_now().await;
    }
    let refused = local.run(Sum { to: 100 }, LONG, |_| ()).await.unwrap_err();
    assert_eq!((refused.kind, refused.retry_after), (Kind::NasUnavailable, Some(2)));
    assert_eq!(busy.await.unwrap().unwrap_err().kind, Kind::NasTimeout);
}

#[tokio::test]
async fn a_host_that_is_away_is_unavailable() {
    let settings = config::Compute { address: "127.0.0.1:9".into(), ..config::Compute::default() };
    let upstream = Upstreams::new(&config::Upstream::default(), hanok_base::Clock::system()).unwrap();
    let away = Compute::new(&settings, &upstream).unwrap().run(Sum { to: 100 }).await.unwrap_err();
    assert_eq!(away.kind, Kind::NasUnavailable);
}

/// This machine's handle to a host that answers everything with `body`.
async fn host_that_says(body: impl Into<Vec<u8>>) -> (MockServer, Compute) {
    let server = MockServer::start().await;
    let says = ResponseTemplate::new(200).set_body_raw(body.into(), "application/json");
    Mock::given(method("POST")).respond_with(says).mount(&server).await;
    let settings = config::Compute { address: server.address().to_string(), ..config::Compute::default() };
    let upstream = Upstreams::new(&config::Upstream::default(), hanok_base::Clock::system()).unwrap();
    let compute = Compute::new(&settings, &upstream).unwrap();
    (server, compute)
}

#[tokio::test]
async fn whatever_another_host_says_is_the_answer_or_none() {
    let right = r#"{"answer":4950,"elapsed_ms":1,"threads":2}"#;
    let (_server, compute) = host_that_says(right).await;
    assert_eq!(compute.run(Sum { to: 100 }).await.unwrap().answer, 4950);
    let mut wrong: Vec<Vec<u8>> = [
        "",
        "{}",
        "null",
        "<html></html>",
        r#"{"answer":4951,"elapsed_ms":1,"threads":2}"#,
        r#"{"answer":-1,"elapsed_ms":1,"threads":2}"#,
        r#"{"answer":1e400,"elapsed_ms":1,"threads":2}"#,
        r#"{"answer":4950,"answer":1,"elapsed_ms":1,"threads":2}"#,
        r#"{"answer":[4950],"elapsed_ms":1,"threads":2}"#,
        r#"{"answer":4950}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    wrong.extend((0..right.len()).step_by(7).map(|at| right.as_bytes()[..at].to_vec()));
    wrong.extend([b"\xff\xfe".to_vec(), b"[".repeat(50_000), b"\0".to_vec()]);
    for body in wrong {
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let (_server, compute) = host_that_says(body).await;
        let refused = compute.run(Sum { to: 100 }).await.err();
        assert_eq!(refused.map(|error| error.kind), Some(Kind::NasUnavailable), "{shown}");
    }
}

//! `hanok compute`: the Monte Carlo host alone, for another machine. One route does the work, one says that
//! it lives. The word that both machines know is compared in constant time. Its door is a door like the other
//! two: the limits of `[http]` hold for whoever comes to it.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use salvo::http::header::AUTHORIZATION;
use salvo::{Depot, Handler, Request, Response, Router, Writer, async_trait};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tracing::info;

use super::house::health;
use super::http_workers::{HttpWorkers, Opening, listen};
use super::{domains, files};
use hanok_base::{Clock, Error, Kind, Message, Result, Secret};
use hanok_platform::compute::{Ask, Compute, serve_ask};
use hanok_platform::config::Config;
use hanok_platform::http::{self, Body, ConnectionLimits, Door, DoorKind, HandlerResult, Json};
use hanok_platform::upstream::Upstreams;

/// A compute host that serves.
pub struct ComputeHost {
    address: SocketAddr,
    answerers: HttpWorkers,
    parts: JoinSet<()>,
}

/// How long work under way may take to end when the host stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(30);

/// Opens the host at `compute.listen`.
///
/// # Errors
/// `CONFLICT` when it would listen beyond this machine without a token; an address in use.
pub async fn open(config: &Config, clock: Clock) -> Result<ComputeHost> {
    let settings = &config.compute;
    if settings.token.is_empty() && !settings.listen.ip().is_loopback() {
        return Err(Error::conflict(Message::english(
            "the compute host would listen for everyone: set compute.token (or compute.token_file) on both machines",
        )));
    }
    let here = hanok_platform::config::Compute { address: String::new(), ..settings.clone() };
    let compute = Compute::new(&here, &Upstreams::new(&config.upstream, clock)?)?;
    let listener = listen("compute.listen", settings.listen).await?;
    let address = listener.local_addr().map_err(Error::internal)?;
    let routes = Router::new()
        .push(Router::with_path("health/live").get(health::live))
        .push(Router::with_path("work").post(Work { compute, token: settings.token.clone() }));
    let kind = DoorKind::Compute;
    let rules = ConnectionLimits::new(config, kind, files::most_connections(config.http.max_connections));
    let opening =
        Opening::new(listener, rules, http::guarded(config, Door { kind, address, routes, error_pages: None }))?;
    let mut parts = JoinSet::new();
    let answerers = HttpWorkers::begin(&[opening], &config.http, &mut parts)?;
    info!(%address, "the compute host is open");
    Ok(ComputeHost { address, answerers, parts })
}

impl ComputeHost {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop`, then lets work under way end.
    pub async fn serve_until(self, stop: impl Future<Output = ()>) {
        stop.await;
        self.answerers.stop(SHUTDOWN_GRACE);
        self.parts.join_all().await;
    }
}

struct Work {
    compute: Compute,
    token: Secret,
}

impl Work {
    async fn answer(&self, req: &mut Request, depot: &mut Depot) -> HandlerResult<Json<Value>> {
        let sent = req.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let expected = format!("Bearer {}", self.token.reveal());
        // White space at its end is no part of a header (RFC 9110, 5.5): without a token, one word is left.
        // Digests of equal length are compared, so the time says nothing about the token.
        if Sha256::digest(sent) != Sha256::digest(expected.trim_end()) {
            return Err(Error::new(Kind::Unauthorized, Message::english("this compute host has another token")).into());
        }
        let ask = <Body<Ask<Value>> as salvo::Extractible>::extract(req, depot).await?;
        Ok(Json(serve_ask(&self.compute, domains::compute(), ask.0).await?))
    }
}

#[async_trait]
impl Handler for Work {
    async fn handle(&self, req: &mut Request, depot: &mut Depot, res: &mut Response, _: &mut salvo::FlowCtrl) {
        self.answer(req, depot).await.write(req, depot, res).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_calc::lottery::scoring::Scoring;
    use hanok_calc::lottery::search::Search;
    use hanok_ops::lottery::SearchWork;
    use hanok_platform::config;

    const TOKEN: &str = "the word of both machines";

    /// A compute host with a token, on a free port of this machine, and where it listens.
    async fn host() -> String {
        let mut config = Config::default();
        config.compute.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        config.compute.token = Secret::new(TOKEN);
        let opened = open(&config, Clock::system()).await.unwrap();
        let address = opened.address().to_string();
        tokio::spawn(opened.serve_until(std::future::pending()));
        address
    }

    fn compute(address: &str, token: &str) -> Compute {
        let settings =
            config::Compute { address: address.to_owned(), token: Secret::new(token), ..config::Compute::default() };
        Compute::new(&settings, &Upstreams::new(&config::Upstream::default(), Clock::system()).unwrap()).unwrap()
    }

    /// Fifty of all combinations, worth more the larger their numbers are.
    fn search() -> SearchWork {
        let scoring = Scoring {
            numbers: (0..45).collect(),
            pairs: vec![0; 990],
            sums: vec![0; 256],
            odd: [0; 7],
            low: [0; 7],
            consecutive: [0; 6],
        };
        SearchWork(Search { scoring, exclude: 0, seed: 7, candidates: 50, top_k: 5 })
    }

    #[tokio::test]
    async fn the_other_machine_gives_the_same_answer_as_this_one() {
        let there = compute(&host().await, TOKEN).run(search()).await.unwrap();
        let here = compute("", "").run(search()).await.unwrap();
        assert_eq!(there.answer, here.answer);
        assert_eq!(there.answer.best.len(), 5);
    }

    #[tokio::test]
    async fn a_caller_without_the_token_gets_nothing() {
        let refused = compute(&host().await, "another word of sixteen").run(search()).await;
        assert_eq!(refused.err().unwrap().kind, Kind::NasUnavailable);
    }

    #[tokio::test]
    async fn a_host_that_others_reach_needs_a_token() {
        let mut config = Config::default();
        config.compute.listen = SocketAddr::from(([0, 0, 0, 0], 0));
        let refused = open(&config, Clock::system()).await;
        assert!(refused.err().unwrap().message.contains("compute.token"));
    }
}

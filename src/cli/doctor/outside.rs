//! What lies outside: what the domains need, the compute host, and the mail server. Only a connection is made, nothing is asked.

use futures_util::future::join_all;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Finding, PATIENCE};
use hanok_appliance::domains;
use hanok_platform::config::{self, Config};
use hanok_platform::domain::Reach;

pub(super) async fn examine(config: &Config) -> Vec<Finding> {
    let reaches = domains::all().flat_map(|domain| domain.reaches).map(|reach| service(reach, config));
    let (mut findings, compute, mail, sign_in) =
        tokio::join!(join_all(reaches), compute(config), mail(config), sign_in(config));
    findings.extend([compute, mail]);
    findings.extend(sign_in);
    findings
}

/// A service that a domain needs. Without it the domain goes on with what it has.
async fn service(reach: &Reach, config: &Config) -> Finding {
    let Reach { check, setting, meanwhile, cure, .. } = *reach;
    let address = match (reach.address)(config) {
        Ok(address) => address,
        Err(why) => return Finding::ok(check, why),
    };
    let Some(target) = host_and_port(&address) else {
        return Finding::failure(check, format!("{setting} names no host"), format!("correct {setting}"));
    };
    match reached(&target).await {
        Ok(()) => Finding::ok(check, format!("{target} can be reached")),
        Err(problem) => Finding::warning(check, format!("{target} {problem}; {meanwhile}"), cure),
    }
}

async fn compute(config: &Config) -> Finding {
    const CHECK: &str = "compute";
    let target = &config.compute.address;
    if target.is_empty() {
        return Finding::ok(CHECK, "on this machine");
    }
    match reached(target).await {
        Ok(()) => Finding::ok(CHECK, format!("{target} can be reached")),
        Err(problem) => Finding::failure(
            CHECK,
            format!("{target} {problem}"),
            "start `hanok compute` there, or empty compute.address to compute here",
        ),
    }
}

/// The mail server. Without it mail waits.
async fn mail(config: &Config) -> Finding {
    const CHECK: &str = "mail";
    let config::Mail { host, port, .. } = &config.mail;
    if host.is_empty() {
        return Finding::ok(CHECK, "is put into the folder mail of the data folder; set mail.host to send it");
    }
    let target = format!("{host}:{port}");
    match reached(&target).await {
        Ok(()) => Finding::ok(CHECK, format!("{target} can be reached; `hanok mail test ADDRESS` sends one")),
        Err(problem) => Finding::warning(
            CHECK,
            format!("{target} {problem}; mail waits meanwhile"),
            "see mail.host and mail.port, and whether this machine may reach it",
        ),
    }
}

/// The providers by which customers sign in. Without one those with a password come in all the same.
async fn sign_in(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "sign-in";
    let ways: Vec<_> = config.sign_in_providers().into_iter().filter(config::OpenIdProvider::is_set).collect();
    if ways.is_empty() {
        return vec![Finding::ok(CHECK, "by mail address and password; [sign_in] adds a provider")];
    }
    let asked = ways.iter().map(async |way| {
        let setting = format!("{}.issuer", way.section);
        let Some(target) = host_and_port(&way.issuer) else {
            return Finding::failure(CHECK, format!("{setting} names no host"), format!("correct {setting}"));
        };
        match reached(&target).await {
            Ok(()) => Finding::ok(CHECK, format!("{target} can be reached")),
            Err(problem) => Finding::warning(
                CHECK,
                format!("{target} {problem}; customers with a password sign in meanwhile"),
                format!("look at this machine's network, or at {setting}"),
            ),
        }
    });
    join_all(asked).await
}

async fn reached(target: &str) -> Result<(), String> {
    match timeout(PATIENCE, TcpStream::connect(target)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(format!("cannot be reached ({error})")),
        Err(_) => Err(format!("did not answer within {} seconds", PATIENCE.as_secs())),
    }
}

/// `https://host/path` as `host:443`.
fn host_and_port(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split('/').next().filter(|host| !host.is_empty())?;
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let port = if scheme == "https" { 443 } else { 80 };
    Some(if has_port { host.to_owned() } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;
    use hanok_ops::lottery::LotterySettings;
    use hanok_ops::market::MarketSettings;

    #[test]
    fn the_port_of_an_address_follows_from_its_scheme() {
        let target = |address| host_and_port(address).unwrap();
        assert_eq!(target("https://www.dhlottery.co.kr"), "www.dhlottery.co.kr:443");
        assert_eq!(target("http://localhost:9000/api"), "localhost:9000");
        assert_eq!(target("http://nas/api"), "nas:80");
        assert_eq!(host_and_port("nas"), None);
    }

    #[tokio::test]
    async fn a_compute_host_that_is_away_is_a_failure_and_the_operator_or_the_mail_server_only_a_warning() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let mut config = Config::default();
        config.compute.address = address.clone();
        config.set(LotterySettings { operator: format!("http://{address}"), ..LotterySettings::default() });
        config.set(MarketSettings { sync: false, ..MarketSettings::default() });
        let verdicts =
            async |config: &Config| examine(config).await.iter().map(|found| found.verdict).collect::<Vec<_>>();
        config.mail.host = "127.0.0.1".to_owned();
        config.mail.port = listener.local_addr().unwrap().port();
        config.sign_in.issuer = format!("http://{address}");
        config.sign_in.client_id = "shop".to_owned();
        assert_eq!(verdicts(&config).await, [Verdict::Ok; 7]);
        drop(listener);
        assert_eq!(
            verdicts(&config).await,
            [
                Verdict::Warning,
                Verdict::Ok,
                Verdict::Ok,
                Verdict::Ok,
                Verdict::Failure,
                Verdict::Warning,
                Verdict::Warning
            ]
        );
    }
}

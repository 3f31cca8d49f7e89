//! What providers say, passed on untouched: `Age` says how old it is, `Warning: 110` that the provider fails.

use salvo::http::HeaderValue;
use salvo::http::header::{AGE, CACHE_CONTROL, CONTENT_TYPE, WARNING};
use salvo::oapi::{Components, Content, EndpointOutRegister, Object, Operation, endpoint};
use salvo::{Depot, Request, Response, Writer, async_trait};

use super::super::work::relay::{self, Relayed, RelayedBody};
use hanok_platform::app::App;
use hanok_platform::http::{HandlerResult, Household};

/// The body of a provider.
#[derive(Debug)]
pub struct Relay(RelayedBody);

#[async_trait]
impl Writer for Relay {
    async fn write(self, _req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let headers = res.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(AGE, HeaderValue::from(self.0.age));
        if self.0.stale {
            headers.insert(WARNING, HeaderValue::from_static("110 - \"Response is Stale\""));
        }
        let _ = res.write_body(self.0.body.as_bytes().to_vec());
    }
}

impl EndpointOutRegister for Relay {
    fn register(_components: &mut Components, operation: &mut Operation) {
        let content = Content::new(Object::new());
        let answer = salvo::oapi::Response::new("What the provider says").add_content("application/json", content);
        operation.responses.insert("200", answer);
    }
}

/// The chart of the expected fluctuation of the S&P 500.
#[endpoint(operation_id = "ext_vix", tags("market"))]
pub async fn vix(app: App, _caller: Household) -> HandlerResult<Relay> {
    Ok(Relay(relay::of_chart(&app, Relayed::Vix).await?))
}

/// The chart of the yield of ten-year treasury notes.
#[endpoint(operation_id = "ext_treasury", tags("market"))]
pub async fn treasury(app: App, _caller: Household) -> HandlerResult<Relay> {
    Ok(Relay(relay::of_chart(&app, Relayed::Treasury).await?))
}

/// The chart of the next future of West Texas crude oil.
#[endpoint(operation_id = "ext_wti", tags("market"))]
pub async fn wti(app: App, _caller: Household) -> HandlerResult<Relay> {
    Ok(Relay(relay::of_chart(&app, Relayed::Wti).await?))
}

/// The chart of the next future of Brent crude oil.
#[endpoint(operation_id = "ext_brent", tags("market"))]
pub async fn brent(app: App, _caller: Household) -> HandlerResult<Relay> {
    Ok(Relay(relay::of_chart(&app, Relayed::Brent).await?))
}

/// What the provider of sentiment says: fear and greed.
#[endpoint(operation_id = "ext_feargreed", tags("market"))]
pub async fn sentiment(app: App, _caller: Household) -> HandlerResult<Relay> {
    Ok(Relay(relay::of_sentiment(&app).await?))
}

//! What Telegram brings by itself, known by a word that it alone was told.

use salvo::extract::Metadata;
use salvo::oapi::{BasicType, Components, EndpointArgRegister, Object, Operation, Parameter, ParameterIn};
use salvo::{Depot, Extractible, Request};

use super::api_error::{ErrorBody, HandlerResult};
use super::documented::document;
use super::input::none;
use crate::app::App;
use hanok_base::Error;

/// The header in which Telegram shows the word.
const WORD: &str = "x-telegram-bot-api-secret-token";

/// The caller is Telegram. Whoever is not finds nothing here, whatever they send: a handler names it before the body.
#[derive(Debug, Clone, Copy)]
pub struct FromChat;

impl<'ex> Extractible<'ex> for FromChat {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let app = App::extract(req, depot).await?;
        let mut words = req.headers().get_all(WORD).iter();
        let word = match (words.next(), words.next()) {
            (Some(word), None) => word.to_str().unwrap_or_default(),
            _ => "",
        };
        if app.outside.chat.is_brought_with(word) { Ok(FromChat) } else { Err(Error::not_found("path").into()) }
    }
}

impl EndpointArgRegister for FromChat {
    fn register(components: &mut Components, operation: &mut Operation, _arg: &str) {
        let word = Parameter::new("X-Telegram-Bot-Api-Secret-Token")
            .location(ParameterIn::Header)
            .required(false)
            .description("The word that Telegram was told when the webhook was set")
            .schema(Object::with_type(BasicType::String));
        operation.parameters.insert(word);
        document::<ErrorBody>(components, operation, "404", "Updates are not brought here, or not by the caller");
    }
}

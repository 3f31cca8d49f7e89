//! The handle to the chat: what all of its parts share.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use super::client::Client;
use super::row::QuestionKind;
use super::settings::{ChatSettings, TELEGRAM};
use crate::events::Events;
use crate::store::Store;
use crate::upstream::Upstreams;
use hanok_base::Clock;

/// The handle to the chat; clones share it.
#[derive(Clone)]
pub struct Chat(Arc<Parts>);

pub(super) struct Parts {
    pub store: Store,
    pub clock: Clock,
    pub events: Events,
    pub upstream: Upstreams,
    pub settings: Arc<ChatSettings>,
    pub kinds: Vec<QuestionKind>,
    /// Who sends: the house, or a command by itself.
    pub sending: Turn<()>,
    /// What the bot is called, once it was asked.
    pub name: Mutex<Option<String>>,
}

impl Chat {
    /// The chat over this store, by these settings; answers go to `kinds`. Nothing is asked yet: [`Chat::run`](super::run) does that.
    pub fn new(
        (store, clock, events): (Store, Clock, Events),
        upstream: Upstreams,
        settings: Arc<ChatSettings>,
        kinds: Vec<QuestionKind>,
    ) -> Chat {
        upstream.register(&TELEGRAM, settings.check().is_ok());
        let (sending, name) = (Turn::new(()), Mutex::new(None));
        Chat(Arc::new(Parts { store, clock, events, upstream, settings, kinds, sending, name }))
    }

    /// The settings.
    pub fn settings(&self) -> &Arc<ChatSettings> {
        &self.0.settings
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.0
    }

    pub(super) fn client(&self) -> Client<'_> {
        Client { upstream: &self.0.upstream, settings: &self.0.settings }
    }
}

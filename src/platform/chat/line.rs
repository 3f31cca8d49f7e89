//! The handle to the chat: what all of its parts share.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use super::client::Client;
use super::hearing::Hearing;
use super::row::QuestionKind;
use super::settings::{ChatSettings, TELEGRAM};
use crate::events::{Change, Event, Events};
use crate::store::Store;
use crate::upstream::Upstreams;
use hanok_base::{Clock, Message, Shared};

/// The handle to the chat; clones share it.
#[derive(Clone)]
pub struct Chat(Shared<Parts>);

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
    /// How it is heard what people write.
    pub hearing: Mutex<Hearing>,
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
        let (sending, name, hearing) = (Turn::new(()), Mutex::new(None), Mutex::default());
        Chat(Shared::new(Parts { store, clock, events, upstream, settings, kinds, sending, name, hearing }))
    }

    /// The settings.
    pub fn settings(&self) -> &Arc<ChatSettings> {
        &self.0.settings
    }

    /// How it is heard what people write.
    pub fn hearing(&self) -> Hearing {
        self.parts().hearing.lock().clone()
    }

    pub(super) fn last_heard(&self) -> Option<DateTime<Utc>> {
        self.parts().hearing.lock().last_heard_at
    }

    /// Notes that something has come.
    pub(super) fn has_heard(&self) {
        let now = self.parts().clock.now();
        self.parts().hearing.lock().last_heard_at = Some(now);
    }

    /// Notes how a look ended, and tells whoever watches when that is something new.
    pub(super) fn note(&self, is_listening: bool, trouble: Option<Message>) {
        let now = self.parts().clock.now();
        let is_new = {
            let mut hearing = self.parts().hearing.lock();
            let since = |said: &Message| match &hearing.trouble {
                Some((since, known)) if known == said => *since,
                _ => now,
            };
            let trouble = trouble.map(|said| (since(&said), said));
            let is_new = hearing.is_listening != is_listening || hearing.trouble != trouble;
            (hearing.is_listening, hearing.trouble) = (is_listening, trouble);
            is_new
        };
        if is_new {
            self.parts().events.send(Event::Changed(Change::CHAT));
        }
    }

    pub(super) fn parts(&self) -> &Parts {
        &self.0
    }

    pub(super) fn client(&self) -> Client<'_> {
        Client { upstream: &self.0.upstream, settings: &self.0.settings }
    }
}

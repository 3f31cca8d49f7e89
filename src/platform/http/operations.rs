//! What the handlers of a door say of themselves in the OpenAPI document, each asked once: to describe an operation is to
//! describe every shape that it takes and gives, and a door opens with hundreds of them.

use std::any::TypeId;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use salvo::oapi::{EndpointRegistry, Operation};
use salvo::{Handler, Router};

/// The operations of some routes, by their handlers.
pub(super) struct Operations(HashMap<TypeId, Operation>);

impl Operations {
    /// Those of `routes` and of every route below.
    pub fn of(routes: &Router) -> Operations {
        let mut found = HashMap::new();
        gather(routes, &mut found);
        Operations(found)
    }

    /// What `handler` says of itself; none where it stands in no document.
    pub fn get(&self, handler: &dyn Handler) -> Option<&Operation> {
        self.0.get(&Handler::type_id(handler))
    }
}

fn gather(router: &Router, found: &mut HashMap<TypeId, Operation>) {
    if let Some(goal) = &router.goal
        && let Entry::Vacant(place) = found.entry(Handler::type_id(&**goal))
        && let Some(describe) = EndpointRegistry::find(place.key())
    {
        place.insert(describe().operation);
    }
    router.routers.iter().for_each(|child| gather(child, found));
}

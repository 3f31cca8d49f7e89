//! How an answer stands in the OpenAPI document.

use salvo::oapi::{BasicType, Components, Content, Object, Operation, Response, ToSchema};

/// Adds the answer `status` with a JSON body of `T` to the operation.
pub(super) fn document<T: ToSchema>(components: &mut Components, operation: &mut Operation, status: &str, what: &str) {
    document_each::<T>(components, operation, [(status.to_owned(), what)]);
}

/// Adds answers, each its status and what it says, with the same JSON body of `T` to the operation.
pub(super) fn document_each<'a, T: ToSchema>(
    components: &mut Components,
    operation: &mut Operation,
    answers: impl IntoIterator<Item = (String, &'a str)>,
) {
    let content = Content::new(T::to_schema(components));
    for (status, what) in answers {
        operation.responses.insert(status, Response::new(what).add_content("application/json", content.clone()));
    }
}

/// A text without further rules.
pub(super) fn text() -> Object {
    Object::with_type(BasicType::String)
}

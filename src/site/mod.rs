//! Floor 3, the customers' rooms: one folder for each domain of Part B.

pub mod account;
pub mod admin;
pub mod analytics;
pub mod contact;
pub mod dashboard;
pub mod documents;
pub mod frame;
pub mod front;
pub mod projects;
pub mod questionnaire;
pub mod quotes;
pub mod share;

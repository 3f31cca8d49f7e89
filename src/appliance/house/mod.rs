//! The pages and routes that look at the whole house: health, Today, the household's access, the system page, live
//! events, the apps' files, and the upkeep that keeps it all in order.

pub mod backups;
pub mod chats;
pub mod events;
pub mod files;
pub mod folder;
pub mod health;
pub mod household;
pub mod listed_snapshot;
pub mod mails;
pub mod moving;
pub mod own_data;
pub mod pages;
pub mod search;
pub mod settings;
pub mod storage;
pub mod system;
pub mod taken_over;
pub mod tasks;
pub mod today;
pub mod upkeep;
pub mod visits;
pub mod writes;

//! The real application from outside: each test starts a house of its own and asks it over HTTP.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where something is wrong")]
#![allow(clippy::disallowed_methods, reason = "what only the product must not do")]

mod access;
mod accounts;
mod admins;
mod backups;
mod blog;
mod bot;
mod changes;
mod chat;
mod command_line;
mod compute_host;
mod contact;
mod crowd;
mod desk;
mod desk_pages;
mod document;
mod documents;
mod doors;
mod downloads;
mod draw_night;
mod files;
mod guessing;
mod headers;
mod heads;
mod hostile;
mod house;
mod idempotency;
mod limits;
mod live;
mod lottery;
mod lottery_week;
mod mail;
mod money;
mod moving;
mod odd;
mod operator;
mod packed;
mod pages;
mod patience;
mod places;
mod purchase_table;
mod raw;
mod refusals;
mod search;
mod settings;
mod smuggling;
mod threads;
mod tickets;
mod todos;
mod todos_again;
mod visitors;
mod writes;

//! The real application from outside: each test starts a house of its own and asks it over HTTP.

mod command_line;
mod document;
mod documents;
mod doors;
mod draw_night;
mod hostile;
mod house;
mod lottery;
mod operator;
mod todos;

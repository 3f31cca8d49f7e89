//! The binary `hanok`.

fn main() {}

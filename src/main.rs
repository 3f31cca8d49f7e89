//! The binary `hanok`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hanok::cli::main()
}

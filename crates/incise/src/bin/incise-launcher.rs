//! The launcher of native runs (`incise_replay::confinement`). `incise` can be it, too; this binary is small, so that
//! it starts in a fraction of the time, and it is started once for each test.

use incise_replay::confinement::launch;
use std::process::ExitCode;

fn main() -> ExitCode {
    launch(std::env::args_os().skip(1), std::io::stdin(), &mut std::io::stdout())
}

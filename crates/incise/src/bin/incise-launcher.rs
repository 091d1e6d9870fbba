//! The launcher of native runs (`incise_replay::confinement`), and of all programs that end when their parent does
//! (`incise_children`). `incise` can be it, too; this binary is small, so that it starts in a fraction of the time, and
//! it is started once for each test, and for each compiler and solver.

use incise_children::TIED;
use incise_replay::confinement::launch;
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == TIED) {
        let (said, status) = incise_children::become_another(std::env::args_os().skip(2));
        eprintln!("{said}");
        return status;
    }
    launch(std::env::args_os().skip(1), std::io::stdin(), &mut std::io::stdout())
}

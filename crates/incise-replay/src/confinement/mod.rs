//! Native runs are confined: a verdict runs code that nobody has looked at yet.
//!
//! A program under test is started by our own binary, which confines itself first; what holds for a process holds for
//! what it becomes by `exec`, so that no unsafe code is needed between `fork` and `exec`. There are three roles, each
//! the same binary under the name [`LAUNCHER`]:
//!
//! - the `gate` gives up rights of root, enters namespaces, and makes everything read-only but its cell;
//! - the `keeper` is the first process inside of them. It confines itself to the files that programs need (Landlock),
//!   and starts one program after the other as it is asked to;
//! - the `program` gets its limits and the list of system calls that it may use (seccomp), and becomes the program.
//!
//! The `warden` is the side of the one who asks. Each layer is tried by itself and holds without the others; the
//! keeper tells which of them hold. Not here: the compiler, which is not confined.

mod calls;
mod files;
mod gate;
mod keeper;
mod layers;
mod limits;
mod messages;
mod mounts;
mod program;
mod warden;

pub(crate) use gate::NOBODY;
pub use layers::{Layer, Layers};
pub(crate) use warden::{Asked, Stop, Warden};

use std::ffi::OsString;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The name under which our binary is a launcher.
pub const LAUNCHER: &str = "incise-launcher";

/// What a program can write to, in its cell.
const WRITTEN: [&str; 4] = ["work", "record", "stdout", "stderr"];

/// The status of a launcher that could not do what it is for.
const FAILED: u8 = 126;

/// How native runs are confined.
pub struct Confinement {
    /// Our own binary, which calls [`launch`] when it is called [`LAUNCHER`].
    launcher: PathBuf,
    /// The layers that are tried.
    wanted: Layers,
    /// Those that hold, once something ran.
    held: OnceLock<Layers>,
}

impl Confinement {
    /// Confinement by a binary, in the layers that are wanted.
    pub fn new(launcher: PathBuf, wanted: Layers) -> Self {
        Self { launcher, wanted, held: OnceLock::new() }
    }

    /// What programs that ran could have done because the system has nothing to keep them from it, in words.
    pub fn gaps(&self) -> Vec<&'static str> {
        self.held.get().map(Layers::gaps).unwrap_or_default()
    }
}

/// What our binary does when it is called [`LAUNCHER`]: `arguments` are those after the name, and requests and
/// replies go over standard input and output.
pub fn launch(
    arguments: impl Iterator<Item = OsString>,
    requests: impl AsFd,
    replies: &mut impl Write,
) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let done = match arguments.split_first() {
        Some((role, rest)) if role == gate::ROLE => gate::run(rest, &requests, replies),
        Some((role, rest)) if role == keeper::ROLE => keeper::run(rest, &requests, replies),
        Some((role, rest)) if role == program::ROLE => program::run(rest, replies),
        _ => Err(std::io::Error::other("this is for native runs only")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // It goes to whoever started this, if that one still listens.
            let _ = messages::write(replies, &[b"failed", error.to_string().as_bytes()]);
            ExitCode::from(FAILED)
        }
    }
}

//! The last step: limits and the list of system calls, then this process becomes the program under test.

use super::gate::end_with_parent;
use super::layers::{Layer, Layers};
use super::limits::{self, Needs};
use super::{calls, files};
use nix::unistd::{fexecve, getpid};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Resource, getrlimit};
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

pub(super) const ROLE: &str = "program";

/// Where the driver finds its script, and where it writes what happened, from the folder of the program.
const SCRIPT: &std::ffi::CStr = c"../script";
const RECORD: &std::ffi::CStr = c"../record";

/// The descriptor through which a program is started has a number from here on: more than a program can have.
const BEYOND: u64 = 1000;

/// The arguments are the layers that hold, the program, whether it has a sanitizer, the seconds that it may take, and
/// its environment.
pub(super) fn run(arguments: &[OsString], _replies: &mut impl Write) -> io::Result<()> {
    let [held, file, sanitized, seconds, environment @ ..] = arguments else {
        return Err(io::Error::other("a program has four arguments"));
    };
    let held = Layers::of_text(held.to_str().unwrap_or_default());
    let sanitized = sanitized == "sanitized";
    end_with_parent()?;
    let program = beyond(File::open(file)?)?;
    rustix::process::chdir("work")?;
    // In namespaces of one's own users are counted anew.
    let counted = [Layer::Unprivileged, Layer::Network, Layer::Processes, Layer::Mounts];
    let alone = counted.iter().any(|&layer| held.has(layer));
    let seconds = seconds.to_str().and_then(|text| text.parse().ok()).unwrap_or_default();
    limits::set(&Needs { sanitized, alone, time: Duration::from_secs(seconds) });
    if sanitized {
        // A sanitizer that finds its memory taken starts the program again without chance in addresses, which nobody
        // can do here any more.
        let _ = nix::sys::personality::set(nix::sys::personality::Persona::ADDR_NO_RANDOMIZE);
    }
    let name = c_string(file)?;
    let environment = environment.iter().map(c_string).collect::<io::Result<Vec<CString>>>()?;
    if held.has(Layer::Landlock) && !held.has(Layer::Seccomp) {
        files::confine_signals();
    }
    if held.has(Layer::Seccomp) {
        let number = |id: i32| u64::from(id.unsigned_abs());
        calls::confine_program(number(getpid().as_raw()), number(program.as_raw_fd()))?;
    }
    match fexecve(&program, &[name.as_c_str(), SCRIPT, RECORD], &environment)? {}
}

/// The same file by a descriptor that a program cannot have.
fn beyond(file: File) -> io::Result<OwnedFd> {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let number = BEYOND.min(most.saturating_sub(1));
    Ok(fcntl_dupfd_cloexec(&file, i32::try_from(number).unwrap_or(i32::MAX))?)
}

fn c_string(text: &OsString) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

//! Ties the life of a process to that of its parent.

use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// What a shell says of a program that cannot be started.
pub(crate) const NOT_STARTED: i32 = 127;
/// Begins what is said of why.
pub(crate) const WHY_NOT: &str = "not started: error ";

/// The first word of a command line with which a program of ours becomes another that ends when its parent does.
pub const TIED: &str = "tied-to";

/// The program that is called so that it becomes another one, see [`become_another`].
static THROUGH: OnceLock<PathBuf> = OnceLock::new();

/// From now on programs are started through this one: `program tied-to PARENT WANTED ARGUMENTS...` has to call
/// [`become_another`] with all words from PARENT on.
pub fn start_through(program: PathBuf) {
    // Whoever says it twice says the same.
    let _ = THROUGH.set(program);
}

/// A command whose process ends when this one does, if the program has said how ([`start_through`]).
pub fn command(program: impl AsRef<OsStr>) -> Command {
    match THROUGH.get() {
        // It may have been replaced or removed since it was started.
        Some(through) if through.exists() => {
            let mut command = Command::new(through);
            command.arg(TIED).arg(std::process::id().to_string()).arg(program);
            command
        }
        _ => Command::new(program),
    }
}

/// Becomes another program, which is killed when its parent ends. `words` are the id of the parent, and the program
/// with its arguments. It returns only if that is not possible.
fn tie(mut words: impl Iterator<Item = OsString>) -> io::Result<Infallible> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidInput);
    let parent = words.next().and_then(|word| word.to_str()?.parse().ok()).and_then(Pid::from_raw);
    let (Some(parent), Some(program)) = (parent, words.next()) else { return Err(wrong()) };
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The parent may have ended before the kernel was asked. Then nobody waits for the program.
    if getppid() != Some(parent) {
        return Err(io::Error::from(io::ErrorKind::NotConnected));
    }
    Err(Command::new(program).args(words).exec())
}

/// Becomes another program as [`tie`] does; if not, what is to be said on standard error, and the status to end with.
pub fn become_another(words: impl Iterator<Item = OsString>) -> (String, ExitCode) {
    let Err(error) = tie(words);
    let (said, status) = complaint(&error);
    (said, u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// What [`tie`] says on standard error when a program cannot be started, with the status of a shell.
fn complaint(error: &io::Error) -> (String, i32) {
    (format!("{WHY_NOT}{}", error.raw_os_error().unwrap_or(0)), NOT_STARTED)
}

/// Why a program could not be started, if that is what its process said.
pub(crate) fn why_not(status: Option<i32>, said: &[u8]) -> Option<io::Error> {
    let said = std::str::from_utf8(said).ok().filter(|_| status == Some(NOT_STARTED))?;
    let code = said.trim().strip_prefix(WHY_NOT)?.parse().ok()?;
    Some(io::Error::from_raw_os_error(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_program_was_not_started_is_told_across_processes() {
        let (said, status) = complaint(&io::Error::from_raw_os_error(2));
        let why = why_not(Some(status), said.as_bytes()).unwrap();
        assert_eq!(why.kind(), io::ErrorKind::NotFound);
        assert!(why_not(Some(1), said.as_bytes()).is_none());
        assert!(why_not(Some(127), b"sh: 1: nothing: not found").is_none());
    }

    #[test]
    fn a_process_whose_parent_is_gone_starts_nothing() {
        let words = ["1", "/bin/true"].map(OsString::from);
        // The parent of this test is no init.
        assert_eq!(tie(words.into_iter()).unwrap_err().kind(), io::ErrorKind::NotConnected);
        set_parent_process_death_signal(None).unwrap();
    }

    #[test]
    fn words_that_make_no_sense_start_nothing() {
        for words in [&["x", "/bin/true"][..], &["1"], &[]] {
            let words = words.iter().map(OsString::from);
            assert_eq!(tie(words).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }
}

//! Runs a tool: its output is collected, and it is killed when the user interrupts or its time is up.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the interrupt flag is looked at while a tool runs.
const POLL: Duration = Duration::from_millis(20);

/// What a tool wrote, and how it ended.
pub(super) struct Finished {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Why a tool did not finish.
#[derive(Debug)]
pub(super) enum RunError {
    /// It could not be started, or its output could not be read.
    Io(std::io::Error),
    /// The user interrupted.
    Interrupted,
    /// It took longer than allowed.
    TimedOut,
}

/// Runs a command to its end.
pub(super) fn run(
    command: &mut Command,
    timeout: Option<Duration>,
    interrupt: &AtomicBool,
) -> Result<Finished, RunError> {
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(RunError::Io)?;
    let pipes = (child.stdout.take(), child.stderr.take());
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let (stdout, stderr) = pipes;
        let other = sender.clone();
        let stdout = scope.spawn(move || collect(stdout, &sender));
        let stderr = scope.spawn(move || collect(stderr, &other));
        // The pipes close when the tool ends, so its end is seen at once and without polling.
        let mut open = 2;
        let mut stopped = None;
        while open > 0 {
            match receiver.recv_timeout(POLL) {
                Ok(()) => open -= 1,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                    stopped = should_stop(interrupt, deadline);
                    if stopped.is_some() {
                        kill(&mut child);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let status = child.wait().map_err(RunError::Io)?;
        let stdout = joined(stdout.join())?;
        let stderr = joined(stderr.join())?;
        match stopped {
            Some(error) => Err(error),
            // Ctrl-C reaches the tool too, possibly before our own flag is looked at.
            None if !status.success() && (interrupt.load(Ordering::Relaxed) || was_interrupted(status)) => {
                Err(RunError::Interrupted)
            }
            None => Ok(Finished { status, stdout, stderr }),
        }
    })
}

fn should_stop(interrupt: &AtomicBool, deadline: Option<Instant>) -> Option<RunError> {
    if interrupt.load(Ordering::Relaxed) {
        Some(RunError::Interrupted)
    } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        Some(RunError::TimedOut)
    } else {
        None
    }
}

#[cfg(unix)]
fn was_interrupted(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

#[cfg(not(unix))]
fn was_interrupted(_: ExitStatus) -> bool {
    false
}

fn kill(child: &mut Child) {
    // The tool may have ended by itself just now, which is as good.
    let _ = child.kill();
}

fn collect(pipe: Option<impl Read>, done: &std::sync::mpsc::Sender<()>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let result = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
    let _ = done.send(());
    result.map(|_| bytes)
}

fn joined(result: thread::Result<std::io::Result<Vec<u8>>>) -> Result<Vec<u8>, RunError> {
    match result {
        Ok(bytes) => bytes.map_err(RunError::Io),
        Err(_) => Err(RunError::Io(std::io::Error::other("reading the output of a tool failed"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_takes_too_long_is_killed() {
        let interrupt = AtomicBool::new(false);
        let result = run(Command::new("sleep").arg("infinity"), Some(Duration::from_millis(50)), &interrupt);
        assert!(matches!(result, Err(RunError::TimedOut)));
    }

    #[test]
    fn a_tool_is_killed_when_the_user_interrupts() {
        let interrupt = AtomicBool::new(true);
        let result = run(Command::new("sleep").arg("60"), None, &interrupt);
        assert!(matches!(result, Err(RunError::Interrupted)));
    }

    #[test]
    #[cfg(unix)]
    fn a_tool_that_ctrl_c_ended_was_interrupted() {
        // Not by sending the signal: a run in the background may have it ignored.
        let ended_by = |signal| <ExitStatus as std::os::unix::process::ExitStatusExt>::from_raw(signal);
        assert!(was_interrupted(ended_by(2)));
        assert!(!was_interrupted(ended_by(9)) && !was_interrupted(ended_by(0)));
    }

    #[test]
    fn both_outputs_are_collected() {
        let interrupt = AtomicBool::new(false);
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let Ok(finished) = run(&mut command, None, &interrupt) else { panic!("sh runs") };
        assert_eq!((finished.stdout.as_slice(), finished.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(finished.status.code(), Some(3));
    }
}

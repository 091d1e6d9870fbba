//! Runs a tool: its output is collected, and it is killed when the user interrupts or its time is up.

use crate::live::{KnownChild, end_group};
use crate::tie::why_not;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the interrupt flag is looked at while a tool runs.
const POLL: Duration = Duration::from_millis(20);

/// A process that ends, with all that it started, when this is dropped.
pub struct Tied {
    child: Child,
    known: Option<KnownChild>,
}

impl Tied {
    /// Starts a process in a group of its own.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let known = Some(KnownChild::new(child.id()));
        Ok(Tied { child, known })
    }

    /// The process.
    pub fn process(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Ends it now, and all that it started.
    pub fn end(&mut self) {
        if self.known.is_some() {
            end_group(self.child.id());
        }
    }

    /// How it ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.known.take_if(|_| status.is_some());
        Ok(status)
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait();
        self.known = None;
        status
    }
}

impl Drop for Tied {
    fn drop(&mut self) {
        if self.known.is_some() {
            self.end();
            // There is nobody left to tell.
            let _ = self.wait();
        }
    }
}

/// What a tool wrote, and how it ended.
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// Why a tool did not finish.
#[derive(Debug)]
pub enum RunError {
    /// It could not be started, or its output could not be read.
    Io(io::Error),
    /// The user interrupted.
    Interrupted,
    /// It took longer than allowed.
    TimedOut,
}

/// Runs a command to its end.
pub fn run(
    command: &mut Command,
    timeout: Option<Duration>,
    interrupt: &AtomicBool,
) -> Result<Finished, RunError> {
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Tied::start(command).map_err(RunError::Io)?;
    let pipes = (child.process().stdout.take(), child.process().stderr.take());
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
                        child.end();
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
            // A signal may reach the tool too, possibly before our own flag is looked at.
            None if !status.success() && (interrupt.load(Ordering::Relaxed) || was_interrupted(status)) => {
                Err(RunError::Interrupted)
            }
            None => match why_not(status.code(), &stderr) {
                Some(error) => Err(RunError::Io(error)),
                None => Ok(Finished { status, stdout, stderr }),
            },
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

fn was_interrupted(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    status.signal() == Some(SIGINT)
}

fn collect(pipe: Option<impl Read>, done: &std::sync::mpsc::Sender<()>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let result = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
    let _ = done.send(());
    result.map(|_| bytes)
}

fn joined(result: thread::Result<io::Result<Vec<u8>>>) -> Result<Vec<u8>, RunError> {
    match result {
        Ok(bytes) => bytes.map_err(RunError::Io),
        Err(_) => Err(RunError::Io(io::Error::other("reading the output of a tool failed"))),
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
    fn what_a_tool_started_is_killed_with_it() {
        // Else the pipe stays open, and this waits for the end of the inner one.
        let mut command = Command::new("sh");
        command.args(["-c", "sleep infinity & wait"]);
        let result = run(&mut command, Some(Duration::from_millis(50)), &AtomicBool::new(false));
        assert!(matches!(result, Err(RunError::TimedOut)));
    }

    #[test]
    fn a_process_that_is_dropped_is_gone() {
        let mut tied = Tied::start(Command::new("sleep").arg("infinity")).unwrap();
        let place = format!("/proc/{}", tied.process().id());
        assert!(std::fs::exists(&place).unwrap());
        drop(tied);
        assert!(!std::fs::exists(&place).unwrap());
    }

    #[test]
    fn a_tool_that_ctrl_c_ended_was_interrupted() {
        // Not by sending the signal: a run in the background may have it ignored.
        let ended_by = <ExitStatus as ExitStatusExt>::from_raw;
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

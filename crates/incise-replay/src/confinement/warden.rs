//! The side of the one who asks for native runs: starts a launcher, asks it, and looks after what it started.

use super::layers::Layers;
use super::limits::{FILES, FOLDER, MEMORY, TASKS};
use super::{Confinement, LAUNCHER, gate, messages};
use incise_children::KnownChild;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked at whether a run has to end, and how much it uses.
const LOOK: Duration = Duration::from_millis(20);
const MEASURE: Duration = Duration::from_millis(100);
/// A launcher that was told to end has so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked for.
pub(crate) struct Asked<'a> {
    /// The program, from the cell.
    pub(crate) program: &'a Path,
    /// Whether it has a sanitizer.
    pub(crate) sanitized: bool,
    pub(crate) timeout: Duration,
    pub(crate) environment: &'a BTreeMap<String, Vec<u8>>,
}

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Exited(i32),
    Signal(i32),
    TimedOut,
    Interrupted,
    /// It ended whoever looked after it, as far as one can tell.
    Lost,
    /// It used more of something than it may.
    TooMuch(&'static str),
}

/// A launcher that waits for what it is asked to start.
pub(crate) struct Warden {
    process: Child,
    requests: Option<ChildStdin>,
    replies: ChildStdout,
    cell: PathBuf,
    /// Until it was waited for it counts as a child that runs.
    _known: KnownChild,
}

impl Warden {
    /// Starts a launcher for a cell, and notes what layers hold.
    pub(crate) fn start(confinement: &Confinement, cell: &Path) -> io::Result<Self> {
        let mut command = Command::new(&confinement.launcher);
        command.arg0(LAUNCHER).arg(gate::ROLE).arg(std::process::id().to_string());
        command.arg(confinement.wanted.text()).env_clear().current_dir(cell).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let _known = KnownChild::new(process.id());
        let (requests, replies) = (process.stdin.take(), process.stdout.take());
        let replies = replies.ok_or_else(|| io::Error::other("a launcher has no replies"))?;
        let mut warden = Self { process, requests, replies, cell: cell.to_owned(), _known };
        let held = warden.reply()?;
        let held = held.to_str().map_err(io::Error::other)?;
        let _ = confinement.held.set(Layers::of_text(held));
        Ok(warden)
    }

    /// The words after `ready`.
    fn reply(&mut self) -> io::Result<std::ffi::CString> {
        match messages::read(&mut self.replies)?.as_deref() {
            Some([ready, layers]) if ready == b"ready" => Ok(std::ffi::CString::new(layers.as_slice())?),
            Some([_, why]) => Err(io::Error::other(String::from_utf8_lossy(why).into_owned())),
            _ => Err(io::Error::other("the launcher of native runs does not answer")),
        }
    }

    /// Runs a program to its end. The second is whether the launcher can be asked again.
    pub(crate) fn run(&mut self, asked: &Asked<'_>, stopped: &dyn Fn() -> bool) -> io::Result<(Stop, bool)> {
        self.ask(asked)?;
        let start = Instant::now();
        let mut measured = start;
        loop {
            if self.has_replied(LOOK)? {
                let ended = self.ended()?;
                return Ok((ended, ended != Stop::Lost));
            }
            let over = match start.elapsed() >= asked.timeout {
                _ if stopped() => Some(Stop::Interrupted),
                true => Some(Stop::TimedOut),
                false if measured.elapsed() >= MEASURE => {
                    measured = Instant::now();
                    self.too_much().map(Stop::TooMuch)
                }
                false => None,
            };
            if let Some(over) = over {
                self.end()?;
                return Ok((over, false));
            }
        }
    }

    fn ask(&mut self, asked: &Asked<'_>) -> io::Result<()> {
        let sanitized = if asked.sanitized { "sanitized" } else { "plain" };
        let seconds = asked.timeout.as_secs().to_string();
        let program = asked.program.as_os_str().as_encoded_bytes();
        let variables = asked.environment.iter().map(|(name, value)| {
            let mut text = name.as_bytes().to_vec();
            text.push(b'=');
            text.extend_from_slice(value);
            text
        });
        let variables: Vec<Vec<u8>> = variables.collect();
        let mut pieces = vec![program, sanitized.as_bytes(), seconds.as_bytes()];
        pieces.extend(variables.iter().map(Vec::as_slice));
        let requests = self.requests.as_mut().ok_or_else(|| io::Error::other("a launcher was closed"))?;
        messages::write(requests, &pieces)
    }

    fn has_replied(&self, within: Duration) -> io::Result<bool> {
        let pause =
            Timespec { tv_sec: within.as_secs().cast_signed(), tv_nsec: within.subsec_nanos().into() };
        let mut watched = [PollFd::new(&self.replies, PollFlags::IN)];
        Ok(rustix::io::retry_on_intr(|| poll(&mut watched, Some(&pause)))? > 0)
    }

    fn ended(&mut self) -> io::Result<Stop> {
        let reply = messages::read(&mut self.replies)?;
        let Some([how, rest]) = reply.as_deref() else { return Ok(Stop::Lost) };
        let text = String::from_utf8_lossy(rest);
        match (how.as_slice(), text.parse()) {
            (b"exited", Ok(status)) => Ok(Stop::Exited(status)),
            (b"signal", Ok(signal)) => Ok(Stop::Signal(signal)),
            _ => Err(io::Error::other(text.into_owned())),
        }
    }

    /// Ends what runs: anything at all on its input makes the keeper do that.
    fn end(&mut self) -> io::Result<()> {
        if let Some(requests) = self.requests.as_mut() {
            let _ = io::Write::write_all(requests, b"!");
        }
        if self.has_replied(PATIENCE)? {
            let _ = self.ended();
        }
        Ok(())
    }

    /// What the run uses too much of.
    fn too_much(&self) -> Option<&'static str> {
        let used = Used::of(self.process.id());
        if used.memory > MEMORY {
            return Some("memory");
        }
        if used.tasks > TASKS {
            return Some("threads");
        }
        let (mut bytes, mut files) = (0, 0);
        folder(&self.cell.join("work"), &mut bytes, &mut files);
        (bytes > FOLDER || files > FILES).then_some("space for its files")
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        // Nobody will ask any more: it ends by itself, and waits for what it started.
        drop(self.requests.take());
        let start = Instant::now();
        let mut pause = Duration::from_micros(50);
        while start.elapsed() < PATIENCE {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LOOK);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What processes use.
#[derive(Default)]
struct Used {
    memory: u64,
    tasks: u64,
}

impl Used {
    /// Of a process and all below it.
    fn of(first: u32) -> Self {
        let mut used = Self::default();
        let mut waiting = vec![first];
        while let Some(process) = waiting.pop() {
            used.add(process);
            let children = format!("/proc/{process}/task/{process}/children");
            let children = std::fs::read_to_string(children).unwrap_or_default();
            waiting.extend(children.split_whitespace().filter_map(|word| word.parse::<u32>().ok()));
            if used.tasks > TASKS {
                break;
            }
        }
        used
    }

    fn add(&mut self, process: u32) {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let number = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        self.memory += number("VmRSS:") * 1024;
        self.tasks += number("Threads:");
    }
}

/// Adds up what is in a folder and below it, until it is too much. Links are not followed.
fn folder(path: &Path, bytes: &mut u64, files: &mut usize) {
    let mut waiting = vec![path.to_owned()];
    while let Some(each) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(each) else { continue };
        for entry in entries.flatten() {
            *files += 1;
            if let Ok(about) = std::fs::symlink_metadata(entry.path()) {
                *bytes += std::os::unix::fs::MetadataExt::blocks(&about) * 512;
                if about.is_dir() {
                    waiting.push(entry.path());
                }
            }
            if *bytes > FOLDER || *files > FILES {
                return;
            }
        }
    }
}

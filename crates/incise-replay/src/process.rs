//! Running one native process: alone in a folder and an environment with what the test has put there, with an end to
//! its time.

use incise_children::Known;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getrlimit, kill_process_group, setrlimit, waitid,
};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much stack native programs get, if the system allows it: explored recursion may be deep.
const STACK: u64 = 1 << 30;

/// How a process ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    Exited(i32),
    Signal(i32),
    TimedOut,
    Interrupted,
}

/// What a process did.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) ended: Ended,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// What the driver wrote down; empty if it did not come to that.
    pub(super) record: Vec<u8>,
    /// The files that it left in its folder, by name.
    pub(super) files: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// What a process finds around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// Standard input.
    pub(super) stdin: Vec<u8>,
    /// The files of its folder, by name.
    pub(super) files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The environment variables that are set.
    pub(super) environment: BTreeMap<String, Vec<u8>>,
}

/// A folder in which one process after the other runs.
pub(super) struct Cell {
    directory: PathBuf,
    working: PathBuf,
}

impl Cell {
    /// Makes a cell in a folder of its own.
    pub(super) fn new(directory: PathBuf) -> io::Result<Self> {
        let working = directory.join("work");
        std::fs::create_dir_all(&working)?;
        Ok(Self { directory, working })
    }

    /// Runs the program on a script.
    pub(super) fn run(
        &self,
        program: &Path,
        script: &[u8],
        surroundings: &Surroundings,
        timeout: Duration,
        interrupt: &AtomicBool,
    ) -> io::Result<Ran> {
        let at = |name: &str| self.directory.join(name);
        std::fs::write(at("script"), script)?;
        std::fs::write(at("stdin"), &surroundings.stdin)?;
        for (name, content) in &surroundings.files {
            std::fs::write(self.working.join(OsStr::from_bytes(name)), content)?;
        }
        let variables = surroundings.environment.iter().map(|(name, value)| (name, OsStr::from_bytes(value)));
        if at("record").exists() {
            std::fs::remove_file(at("record"))?;
        }
        let mut child = Command::new(program)
            .arg(at("script"))
            .arg(at("record"))
            // It is killed when this process ends, and looks whether that has happened already.
            .arg(std::process::id().to_string())
            .env_clear()
            .envs(variables)
            .current_dir(&self.working)
            // A group of its own, so that processes it starts end with it.
            .process_group(0)
            .stdin(File::open(at("stdin"))?)
            .stdout(File::create(at("stdout"))?)
            .stderr(File::create(at("stderr"))?)
            .spawn()?;
        let known = Known::new(child.id());
        let ended = wait(&mut child, timeout, interrupt)?;
        drop(known);
        let files = self.files()?;
        self.tidy()?;
        let record = if at("record").exists() { std::fs::read(at("record"))? } else { Vec::new() };
        let (stdout, stderr) = (std::fs::read(at("stdout"))?, std::fs::read(at("stderr"))?);
        Ok(Ran { ended, stdout, stderr, record, files })
    }

    /// The files that the program left in its folder.
    fn files(&self) -> io::Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(&self.working)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.insert(entry.file_name().as_bytes().to_vec(), std::fs::read(entry.path())?);
            }
        }
        Ok(files)
    }

    /// Removes what the program left in its folder.
    fn tidy(&self) -> io::Result<()> {
        if std::fs::read_dir(&self.working)?.next().is_some() {
            std::fs::remove_dir_all(&self.working)?;
            std::fs::create_dir(&self.working)?;
        }
        Ok(())
    }
}

fn wait(child: &mut Child, timeout: Duration, interrupt: &AtomicBool) -> io::Result<Ended> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(100);
    loop {
        if has_ended(child)? {
            // What it started and left behind must not live on. Its id is not free for others until it is waited for.
            kill_group(child);
            return Ok(how_it_ended(child.wait()?));
        }
        let stopped = interrupt.load(Ordering::Relaxed);
        if stopped || start.elapsed() >= timeout {
            kill_group(child);
            child.kill()?;
            child.wait()?;
            return Ok(if stopped { Ended::Interrupted } else { Ended::TimedOut });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Whether the process has ended, without taking note of it.
fn has_ended(child: &Child) -> io::Result<bool> {
    let Some(process) = process_id(child) else { return Ok(true) };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Ok(waitid(WaitId::Pid(process), options)?.is_some())
}

fn process_id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

fn kill_group(child: &Child) {
    if let Some(group) = process_id(child) {
        // It fails when nothing is left of the group, which is the usual case.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn how_it_ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signal(signal),
        (None, None) => Ended::Signal(0),
    }
}

/// Lets the processes that are started from now on have a large stack.
pub(super) fn allow_deep_recursion() {
    let current = getrlimit(Resource::Stack);
    let wanted = current.maximum.map_or(STACK, |maximum| maximum.min(STACK));
    if current.current.is_some_and(|soft| soft < wanted) {
        // Where the system refuses, deep recursion shows as a crash of that test, which is then reported.
        let _ = setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum: current.maximum });
    }
}

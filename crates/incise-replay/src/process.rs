//! Running one native process: alone in a folder and an environment with what the test has put there, with an end to
//! its time.

use crate::confinement::{Asked, Confinement, NOBODY, Stop, Warden};
use rustix::fs::{Gid, Mode, OFlags, Uid};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How much is read of what a program left, in all.
const READ: u64 = 256 << 20;
/// The files of a cell beside the folder of the program.
const FILES: [&str; 5] = ["script", "stdin", "stdout", "stderr", "record"];

/// What a process did.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) ended: Stop,
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

/// A program, and how long it may take.
pub(super) struct Program<'a> {
    /// The file, from the folder that cells are in.
    pub(super) file: &'a Path,
    pub(super) sanitized: bool,
    pub(super) timeout: Duration,
    pub(super) interrupt: &'a AtomicBool,
}

/// A folder in which one process after the other runs.
pub(super) struct Cell<'a> {
    directory: PathBuf,
    working: PathBuf,
    confinement: &'a Confinement,
    warden: Option<Warden>,
}

impl<'a> Cell<'a> {
    /// Makes a cell in a folder of its own.
    pub(super) fn new(directory: PathBuf, confinement: &'a Confinement) -> io::Result<Self> {
        let working = directory.join("work");
        std::fs::create_dir_all(&working)?;
        let_pass(&directory)?;
        hand_over(&working);
        for name in FILES {
            let path = directory.join(name);
            File::create_new(&path)?;
            hand_over(&path);
        }
        Ok(Self { directory, working, confinement, warden: None })
    }

    /// Runs the program on a script.
    pub(super) fn run(
        &mut self,
        program: &Program<'_>,
        script: &[u8],
        surroundings: &Surroundings,
    ) -> io::Result<Ran> {
        for (name, content) in FILES.into_iter().zip([script, &surroundings.stdin, &[], &[], &[]]) {
            write(&self.directory.join(name), content)?;
        }
        for (name, content) in &surroundings.files {
            let path = self.working.join(OsStr::from_bytes(name));
            File::create_new(&path)?.write_all(content)?;
            hand_over(&path);
        }
        let ended = self.launch(program, &surroundings.environment)?;
        let mut budget = READ;
        let files = self.files(&mut budget).unwrap_or_default();
        self.tidy()?;
        let mut left = |name: &str| read(&self.directory.join(name), &mut budget);
        let (record, stdout, stderr) = (left("record")?, left("stdout")?, left("stderr")?);
        Ok(Ran { ended, stdout, stderr, record, files })
    }

    fn launch(&mut self, program: &Program<'_>, environment: &BTreeMap<String, Vec<u8>>) -> io::Result<Stop> {
        // One that failed, or had to end a program, is not asked again.
        let mut warden = match self.warden.take() {
            Some(warden) => warden,
            None => Warden::start(self.confinement, &self.directory)?,
        };
        let file = Path::new("..").join(program.file);
        let Program { sanitized, timeout, interrupt, .. } = *program;
        let asked = Asked { program: &file, sanitized, timeout, environment };
        let (ended, again) = warden.run(&asked, &|| interrupt.load(Ordering::Relaxed))?;
        self.warden = again.then_some(warden);
        Ok(ended)
    }

    /// The files that the program left in its folder.
    fn files(&self, budget: &mut u64) -> io::Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(&self.working)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.insert(entry.file_name().as_bytes().to_vec(), read(&entry.path(), budget)?);
            }
        }
        Ok(files)
    }

    /// Removes what the program left in its folder. The folder itself stays: the launcher knows that one.
    fn tidy(&mut self) -> io::Result<()> {
        if !std::fs::symlink_metadata(&self.working).is_ok_and(|about| about.is_dir()) {
            return self.begin_again();
        }
        for entry in std::fs::read_dir(&self.working)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if !kind.is_dir() {
                std::fs::remove_file(&path)?;
            } else if std::fs::remove_dir_all(&path).is_err() {
                open_up(&path);
                std::fs::remove_dir_all(&path)?;
            }
        }
        Ok(())
    }

    /// Makes the folder anew that a program managed to remove, with a launcher that knows it.
    fn begin_again(&mut self) -> io::Result<()> {
        self.warden = None;
        let _ = std::fs::remove_file(&self.working);
        std::fs::create_dir(&self.working)?;
        hand_over(&self.working);
        Ok(())
    }
}

/// Lets the user that programs run as where we are root go through a folder, without looking around in it.
pub(super) fn let_pass(folder: &Path) -> io::Result<()> {
    match rustix::process::geteuid().is_root() {
        true => std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o711)),
        false => Ok(()),
    }
}

/// Gives a file or folder that was just made to the user that programs run as where we are root. All may write to it,
/// because a root that cannot become that user has no right to the files of others either, in a namespace of its own.
fn hand_over(path: &Path) {
    if rustix::process::geteuid().is_root() {
        let mode = if path.is_dir() { 0o777 } else { 0o666 };
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
        let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
        // Where root may not do that, it cannot become that user either.
        let _ = rustix::fs::chownat(rustix::fs::CWD, path, Some(user), Some(group), flags);
    }
}

/// Opens a file that is one: a program may have put something else in its place.
fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other(format!("{} is no file any more", path.display()))),
    }
}

fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    open(path, OFlags::WRONLY | OFlags::TRUNC)?.write_all(content)
}

/// Reads as much of a file as the budget allows.
fn read(path: &Path, budget: &mut u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match open(path, OFlags::RDONLY) {
        Ok(file) => file.take(*budget).read_to_end(&mut bytes)?,
        // The program has taken the rights to read it away, so that it is as good as empty.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => 0,
        Err(error) => return Err(error),
    };
    *budget -= bytes.len() as u64;
    Ok(bytes)
}

/// Makes folders that a program has closed to all others open again.
fn open_up(path: &Path) {
    let mut waiting = vec![path.to_owned()];
    while let Some(each) = waiting.pop() {
        let _ = std::fs::set_permissions(&each, std::fs::Permissions::from_mode(0o700));
        let Ok(entries) = std::fs::read_dir(&each) else { continue };
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        waiting.extend(folders.map(|entry| entry.path()));
    }
}

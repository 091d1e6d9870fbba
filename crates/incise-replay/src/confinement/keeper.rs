//! The keeper: starts one program after the other, as it is asked to, and tells how each ended.

use super::gate::{OURSELVES, end_with_parent};
use super::layers::{Layer, Layers};
use super::{LAUNCHER, calls, files, messages, program};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{WaitOptions, wait};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

pub(super) const ROLE: &str = "keeper";

/// The arguments are the layers that are wanted, and those that hold already.
pub(super) fn run(arguments: &[OsString], requests: &impl AsFd, replies: &mut impl Write) -> io::Result<()> {
    let [wanted, held] = arguments else { return Err(io::Error::other("a keeper has two arguments")) };
    let layers = |text: &OsStr| Layers::of_text(text.to_str().unwrap_or_default());
    end_with_parent()?;
    keep(&layers(wanted), layers(held), requests, replies)
}

/// Confines this process, tells what holds, and does what it is asked to until nobody asks any more.
pub(super) fn keep(
    wanted: &Layers,
    mut held: Layers,
    requests: &impl AsFd,
    replies: &mut impl Write,
) -> io::Result<()> {
    if wanted.has(Layer::Landlock) && files::confine() {
        held.add(Layer::Landlock);
    }
    // What a program leaves behind is then ours to end.
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    if wanted.has(Layer::Seccomp) && calls::confine_all() {
        held.add(Layer::Seccomp);
    }
    messages::write(replies, &[b"ready", held.text().as_bytes()])?;
    let mut requests = Unbuffered(requests);
    while let Some(request) = messages::read(&mut requests)? {
        match start(&request, &held) {
            Ok(mut child) => {
                let status = until_its_end(&mut child, &requests)?;
                end_what_is_left(&held);
                let (how, number) = how_it_ended(status);
                messages::write(replies, &[how, number.to_string().as_bytes()])?;
            }
            Err(error) => messages::write(replies, &[b"failed", error.to_string().as_bytes()])?,
        }
    }
    end_what_is_left(&Layers::default());
    Ok(())
}

/// Reads without looking ahead, because it is waited for requests by their descriptor.
struct Unbuffered<'a, F>(&'a F);

impl<F: AsFd> Read for Unbuffered<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::retry_on_intr(|| rustix::io::read(self.0, &mut *buffer))?)
    }
}

/// Starts a program: a request is what its launcher is told.
fn start(request: &[Vec<u8>], held: &Layers) -> io::Result<Child> {
    let written = |name: &str| File::options().write(true).open(name);
    let mut command = Command::new(OURSELVES);
    command.arg0(LAUNCHER).arg(program::ROLE).arg(held.text());
    command.args(request.iter().map(|piece| OsStr::from_bytes(piece)));
    command.env_clear().stdin(File::open("stdin")?).stdout(written("stdout")?).stderr(written("stderr")?);
    // A group of its own: signals that a program sends to its group reach nobody else.
    command.process_group(0).spawn()
}

/// Waits for the end of a program, and ends it as soon as anything more is asked for, or nobody is there to ask.
fn until_its_end(child: &mut Child, requests: &Unbuffered<'_, impl AsFd>) -> io::Result<ExitStatus> {
    let handle = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let handle =
        handle.and_then(|id| rustix::process::pidfd_open(id, rustix::process::PidfdFlags::empty()).ok());
    loop {
        let mut watched = vec![PollFd::new(requests.0, PollFlags::IN)];
        watched.extend(handle.as_ref().map(|handle| PollFd::new(handle, PollFlags::IN)));
        // Without a handle its end is looked for now and then.
        let pause = handle.is_none().then_some(Timespec { tv_sec: 0, tv_nsec: 1_000_000 });
        rustix::io::retry_on_intr(|| poll(&mut watched, pause.as_ref()))?;
        let asked = !watched[0].revents().is_empty();
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if asked {
            let mut one = [0];
            let _ = Unbuffered(requests.0).read(&mut one)?;
            child.kill()?;
            return child.wait();
        }
    }
}

/// Ends what a program started and left behind. With seccomp there can be nothing of that kind.
///
/// What a process started is handed on to us when that process is gone, and not when it was killed: on a busy machine
/// much can happen in between. So whoever was killed is waited for before it is looked who is left.
fn end_what_is_left(held: &Layers) {
    if held.has(Layer::Seccomp) {
        return;
    }
    // Only who starts others faster than they are found here makes this many rounds.
    const ROUNDS: usize = 1000;
    for _ in 0..ROUNDS {
        if nobody_is_left() {
            return;
        }
        let killed = left_behind().into_iter().filter(|&each| kill(each, Signal::SIGKILL).is_ok()).count();
        for _ in 0..killed {
            let _ = rustix::io::retry_on_intr(|| wait(WaitOptions::empty()));
        }
        if killed == 0 {
            // It was looked in a moment at which they came and went.
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
}

/// Takes note of all that have ended. Whether those were all: the kernel says so, while a list of children that is
/// read while they come and go may lack some.
fn nobody_is_left() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// The processes that are left: all but this one in a namespace of our own, else the children of this one.
fn left_behind() -> Vec<Pid> {
    if getpid().as_raw() == 1 {
        return vec![Pid::from_raw(-1)];
    }
    let own = format!("/proc/self/task/{}/children", getpid());
    let children = std::fs::read_to_string(own).unwrap_or_default();
    children.split_whitespace().filter_map(|word| word.parse().ok()).map(Pid::from_raw).collect()
}

fn how_it_ended(status: ExitStatus) -> (&'static [u8], i32) {
    match (status.code(), status.signal()) {
        (Some(code), _) => (b"exited", code),
        (None, signal) => (b"signal", signal.unwrap_or_default()),
    }
}

//! The gate: gives up what a program under test must not have, enters namespaces, and lets the keeper in.

use super::layers::{Layer, Layers};
use super::{LAUNCHER, keeper, mounts};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, close, getppid, setgroups, setresgid, setresuid};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

pub(super) const ROLE: &str = "gate";

/// Our own binary, wherever it lies and whoever may look there.
pub(super) const OURSELVES: &str = "/proc/self/exe";

/// The user that root becomes: one that owns nothing.
pub(crate) const NOBODY: u32 = 65_534;

/// The arguments are the process that waits for this one, and the layers that are wanted; the folder is the cell.
pub(super) fn run(arguments: &[OsString], requests: &impl AsFd, replies: &mut impl Write) -> io::Result<()> {
    let [waiting, wanted] = arguments else { return Err(io::Error::other("a gate has two arguments")) };
    let waiting: i32 = waiting.to_str().and_then(|text| text.parse().ok()).unwrap_or_default();
    let wanted = Layers::of_text(wanted.to_str().unwrap_or_default());
    close_inherited()?;
    // The first to go when there is too little memory. It is a wish: a system may refuse it.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let mut held = Layers::default();
    enter(&wanted, &mut held);
    end_with_parent()?;
    if getppid().as_raw() != waiting {
        return Err(io::Error::other("nobody waits for this"));
    }
    if !held.has(Layer::Processes) {
        return keeper::keep(&wanted, held, requests, replies);
    }
    // The first process of a namespace takes no signals for which it has no handler, `abort` included: it must not be
    // the program itself.
    let mut inside = Command::new(OURSELVES);
    inside.arg0(LAUNCHER).arg(keeper::ROLE).arg(wanted.text()).arg(held.text()).env_clear();
    let status = inside.spawn()?.wait()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("the keeper ended early")) }
}

/// Lets this process end with the one that started it.
pub(super) fn end_with_parent() -> io::Result<()> {
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Closes what whoever called us left open for all that is started.
fn close_inherited() -> io::Result<()> {
    let mut open: Vec<i32> = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()));
    }
    for descriptor in open.into_iter().filter(|&each| each > 2) {
        // The one of the list itself is closed already.
        let _ = close(descriptor);
    }
    Ok(())
}

/// Enters namespaces: as root directly, if that is allowed, else in one where this user has the rights to.
fn enter(wanted: &Layers, held: &mut Layers) {
    let root = Uid::effective().is_root();
    if !root || !apart(wanted, held) {
        if root && wanted.has(Layer::Unprivileged) && becomes_nobody() {
            held.add(Layer::Unprivileged);
        }
        let (user, group) = (Uid::effective(), Gid::effective());
        if wants_namespaces(wanted) && owns_namespace(user, group) {
            apart(wanted, held);
        }
    } else if wanted.has(Layer::Unprivileged) && becomes_nobody() {
        held.add(Layer::Unprivileged);
    }
}

fn wants_namespaces(wanted: &Layers) -> bool {
    [Layer::Network, Layer::Processes, Layer::Mounts].iter().any(|&layer| wanted.has(layer))
}

/// Enters the namespaces that are wanted, each by itself. Whether any was.
fn apart(wanted: &Layers, held: &mut Layers) -> bool {
    let mut any = false;
    let mut enters = |layer: Layer, flags: CloneFlags| {
        let entered = wanted.has(layer) && unshare(flags).is_ok();
        any |= entered;
        entered
    };
    if enters(Layer::Network, CloneFlags::CLONE_NEWNET) {
        held.add(Layer::Network);
        // Shared memory and names of the machine; nobody relies on these alone.
        let _ = unshare(CloneFlags::CLONE_NEWIPC);
        let _ = unshare(CloneFlags::CLONE_NEWUTS);
    }
    if enters(Layer::Mounts, CloneFlags::CLONE_NEWNS) && only_the_cell().is_ok() {
        held.add(Layer::Mounts);
    }
    if enters(Layer::Processes, CloneFlags::CLONE_NEWPID) {
        held.add(Layer::Processes);
    }
    any
}

fn only_the_cell() -> io::Result<()> {
    let cell = std::fs::canonicalize(".")?;
    mounts::read_only_but(&super::WRITTEN.map(|name| cell.join(name)))?;
    // The folder of this process is still the one that could be written to.
    Ok(rustix::process::chdir(&cell)?)
}

/// Root becomes a user without rights. Whether that worked.
fn becomes_nobody() -> bool {
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    // That user has to start this binary again.
    const ALL_MAY_EXECUTE: u32 = 0o001;
    let startable = std::fs::metadata(OURSELVES).is_ok_and(|about| about.mode() & ALL_MAY_EXECUTE != 0);
    let changed = startable
        && setgroups(&[]).is_ok()
        && setresgid(group, group, group).is_ok()
        && setresuid(user, user, user).is_ok();
    // Else what `/proc` tells of this process would still be root's.
    changed && set_dumpable_behavior(DumpableBehavior::Dumpable).is_ok()
}

/// Enters a namespace in which this user, and nobody else, is known.
fn owns_namespace(user: Uid, group: Gid) -> bool {
    let known = |id: u32| format!("{id} {id} 1");
    unshare(CloneFlags::CLONE_NEWUSER).is_ok()
        && std::fs::write("/proc/self/setgroups", "deny").is_ok()
        && std::fs::write("/proc/self/uid_map", known(user.as_raw())).is_ok()
        && std::fs::write("/proc/self/gid_map", known(group.as_raw())).is_ok()
}

//! Landlock: which files a program can reach. It reads what the dynamic linker and the C library read, and writes
//! nothing but what is in its folder.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

/// The newest version that this is written for; of an older kernel as much is used as it has.
const VERSION: ABI = ABI::V6;

/// What is read by the dynamic linker, the C library, and sanitizers.
const READ: [&str; 26] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/opt",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/alternatives",
    "/proc",
    "/sys/devices/system/cpu",
    "/sys/kernel/mm",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];

/// What is written to and keeps nothing.
const SINKS: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// What the kernel has to start: the dynamic linkers, and this launcher.
const STARTED: [&str; 6] = [
    "/proc/self/exe",
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/nix/store",
    "/gnu/store",
];

/// The programs of a run: its folder is the one above the cell.
const PROGRAMS: [&str; 4] = ["../plain", "../sanitized", "../led", "../led-sanitized"];

/// Confines this process, whose folder is the cell, and all that it starts. Whether that holds.
pub(super) fn confine() -> bool {
    matches!(restricted(), Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced))
}

/// Keeps this process, and the program that it becomes, from sending signals to any other.
pub(super) fn confine_signals() {
    let alone = Ruleset::default().set_compatibility(CompatLevel::BestEffort).scope(Scope::Signal);
    // An older kernel knows nothing of it.
    let _ = alone.and_then(Ruleset::create).and_then(RulesetCreated::restrict_self);
}

fn restricted() -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_all(VERSION);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules(READ.into_iter().chain([".."]), read))?
        .add_rules(path_beneath_rules(SINKS, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(STARTED, AccessFs::Execute | AccessFs::ReadFile))?
        .add_rules(path_beneath_rules(PROGRAMS, AccessFs::Execute | AccessFs::ReadFile))?
        .add_rules(path_beneath_rules(["stdout", "stderr", "record"], write))?
        .add_rules(path_beneath_rules(["work"], all & !(AccessFs::Execute | AccessFs::IoctlDev)))?
        .restrict_self()?;
    Ok(status.ruleset)
}

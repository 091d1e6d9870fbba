//! Seccomp: which system calls a program can use.
//!
//! What is on the list works, and all else does not: a call that is not known is not there (`ENOSYS`), as on an older
//! kernel; `clone3` is among these, because its arguments are in memory, where no list can look at them, and the C
//! library then uses `clone`. What a program may try in good faith is refused as the system would: there are no more
//! processes (`EAGAIN`), it is not permitted (`EPERM`).
//!
//! Most of it holds for the keeper already, once for all; a program has less than its launcher. `execveat` is there
//! once: a program is started through a descriptor with a number beyond all that a process can have once its limits are
//! set, and that descriptor is closed by it.

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is,
    SeccompCondition as Condition, SeccompFilter, SeccompRule as Rule, TargetArch,
};
use std::collections::BTreeMap;
use std::io;

type Rules = BTreeMap<i64, Vec<Rule>>;

/// The machine that the numbers of calls are for.
#[cfg(target_arch = "x86_64")]
const MACHINE: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: TargetArch = TargetArch::aarch64;

/// Memory, threads, time, signals, and what a process asks of itself.
const PROCESS: &[i64] = &[
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_madvise,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_brk,
    libc::SYS_membarrier,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getpriority,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_umask,
    libc::SYS_getcpu,
    libc::SYS_getrandom,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Files and folders; which of them is another layer's affair.
const FILES: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fcntl,
    libc::SYS_flock,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_getdents64,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_readlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_memfd_create,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
];

/// Calls that newer machines do without.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_eventfd,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_time,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[libc::SYS_getrlimit];

/// What is not permitted, and may be tried in good faith.
const FORBIDDEN: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_setsid,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setpriority,
    libc::SYS_setrlimit,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_chroot,
    libc::SYS_mount,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Who owns a file may change its rights wherever it is: Landlock does not look at these.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    libc::SYS_setxattr,
    libc::SYS_fsetxattr,
];

/// The requests to a descriptor that say something about it, and change nothing outside of the process.
const REQUESTS: [u64; 5] = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX];

/// What a process may set of itself: names, and what a sanitizer asks for.
const SETTINGS: [libc::c_int; 6] = [
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_PDEATHSIG,
    libc::PR_SET_PTRACER,
];

/// What a launcher needs to become a program, and the program does without.
const LAUNCHING: &[i64] = &[
    libc::SYS_clone,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_setpgid,
    libc::SYS_prctl,
    libc::SYS_prlimit64,
    libc::SYS_personality,
    libc::SYS_seccomp,
    libc::SYS_pidfd_open,
    libc::SYS_kill,
    libc::SYS_tgkill,
    libc::SYS_tkill,
];
#[cfg(target_arch = "x86_64")]
const FORKS: &[i64] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[i64] = &[];

/// Lets the lists hold that the keeper and all programs have in common. Whether there are lists here at all.
pub(super) fn confine_all() -> bool {
    let common = || -> io::Result<()> {
        let forbidden: Rules = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
        let mut allowed = allowed().map_err(io::Error::other)?;
        // Where two lists refuse a call the later one says how, so that this one leaves those of the other alone.
        allowed.extend(forbidden.keys().map(|&call| (call, Vec::new())));
        apply(&compiled(forbidden, SeccompAction::Allow, refuse(libc::EPERM))?)?;
        apply(&compiled(allowed, refuse(libc::ENOSYS), SeccompAction::Allow)?)
    };
    common().is_ok()
}

/// Lets the lists hold that are for one program: for the process of that number, which becomes it by a descriptor.
pub(super) fn confine_program(process: u64, program: u64) -> io::Result<()> {
    let none_left = none_left().map_err(io::Error::other)?;
    let no_more = no_more(process, program).map_err(io::Error::other)?;
    // All but the last step of starting a program is done.
    let lists = [
        compiled(none_left, SeccompAction::Allow, refuse(libc::EAGAIN))?,
        compiled(no_more, SeccompAction::Allow, refuse(libc::EPERM))?,
    ];
    lists.iter().try_for_each(apply)
}

fn refuse(error: i32) -> SeccompAction {
    SeccompAction::Errno(error.unsigned_abs())
}

fn compiled(rules: Rules, other: SeccompAction, matching: SeccompAction) -> io::Result<BpfProgram> {
    let filter = SeccompFilter::new(rules, other, matching, MACHINE).map_err(io::Error::other)?;
    filter.try_into().map_err(|error: BackendError| io::Error::other(error))
}

fn apply(list: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(list).map_err(io::Error::other)
}

/// What works, some of it with some arguments only.
fn allowed() -> Result<Rules, BackendError> {
    let lists = [PROCESS, FILES, OLDER, LAUNCHING, FORKS];
    let mut rules: Rules = lists.into_iter().flatten().map(|&call| (call, Vec::new())).collect();
    rules.insert(
        libc::SYS_ioctl,
        REQUESTS.iter().map(|&each| one(is(1, Is::Eq, each)?)).collect::<Result<_, _>>()?,
    );
    let pipe = |argument| one(is(argument, Is::MaskedEq(libc::S_IFMT.into()), libc::S_IFIFO.into())?);
    rules.insert(libc::SYS_mknodat, vec![pipe(2)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_mknod, vec![pipe(1)?]);
    Ok(rules)
}

/// What is refused to programs because there are no more processes: all but threads.
fn none_left() -> Result<Rules, BackendError> {
    let mut rules: Rules = FORKS.iter().map(|&call| (call, Vec::new())).collect();
    let thread = libc::CLONE_THREAD.unsigned_abs().into();
    rules.insert(libc::SYS_clone, vec![one(wide(0, Is::MaskedEq(thread), 0)?)?]);
    Ok(rules)
}

/// What a launcher may and a program may not.
fn no_more(process: u64, program: u64) -> Result<Rules, BackendError> {
    let never =
        [libc::SYS_execve, libc::SYS_setpgid, libc::SYS_personality, libc::SYS_seccomp, libc::SYS_pidfd_open];
    let mut rules: Rules = never.into_iter().map(|call| (call, Vec::new())).collect();
    let other = is(0, Is::Ne, program)?;
    let by_name = is(4, Is::Ne, libc::AT_EMPTY_PATH.unsigned_abs().into())?;
    rules.insert(libc::SYS_execveat, vec![one(other)?, one(by_name)?]);
    // Signals to itself and to its group, which is itself.
    let stranger = || is(0, Is::Ne, process);
    rules.insert(libc::SYS_kill, vec![Rule::new(vec![stranger()?, is(0, Is::Ne, 0)?])?]);
    rules.insert(libc::SYS_tgkill, vec![one(stranger()?)?]);
    rules.insert(libc::SYS_tkill, vec![one(stranger()?)?]);
    let settings = SETTINGS.iter().map(|setting| is(0, Is::Ne, setting.unsigned_abs().into()));
    rules.insert(libc::SYS_prctl, vec![Rule::new(settings.collect::<Result<_, _>>()?)?]);
    // Limits are looked at, and not set; a sanitizer insists on having no core files, which there are none of anyway.
    let other = is(1, Is::Ne, libc::RLIMIT_CORE.into())?;
    rules.insert(libc::SYS_prlimit64, vec![Rule::new(vec![wide(2, Is::Ne, 0)?, other])?]);
    Ok(rules)
}

fn one(condition: Condition) -> Result<Rule, BackendError> {
    Rule::new(vec![condition])
}

fn is(argument: u8, how: Is, value: u64) -> Result<Condition, BackendError> {
    Condition::new(argument, Width::Dword, how, value)
}

fn wide(argument: u8, how: Is, value: u64) -> Result<Condition, BackendError> {
    Condition::new(argument, Width::Qword, how, value)
}

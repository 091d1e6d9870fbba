//! Native runs try to get out, and cannot: by files, by other programs, over the network, by staying alive. Where a
//! system has nothing to keep them in, that has to be said.
//!
//! What a program tries is done before its `main`, by code that the engine never sees: all that is predicted is what
//! a harmless function returns, so that a replay is confirmed only if nothing was printed.

use crate::common::{Folder, Said, incise};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const HEAD: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int twice(int x) { return x > 3 ? 2 * x : 0; }
/* Not the stand-ins of the driver, which know nothing of the world outside. */
static int really_open(const char *path, int flags) { return syscall(SYS_openat, AT_FDCWD, path, flags, 0666); }
static int wrote(const char *path) { int file = really_open(path, O_WRONLY | O_CREAT); return file >= 0 && write(file, "x", 1) == 1; }
static char *const SHELL[] = {"sh", "-c", "true", 0};
"#;

const HOOK: &str = r#"
static void at_once(void) { if (escaped()) { write(1, "escaped", 7); } }
__attribute__((section(".preinit_array"), used)) static void (*const hook)(void) = at_once;
"#;

const LAYERS: [&str; 6] = ["unprivileged", "network", "processes", "mounts", "landlock", "seccomp"];

/// A program that tries something, and a folder beside it that all may write to.
struct Attempt {
    folder: Folder,
}

impl Attempt {
    /// The code is C that returns whether it got out; `OUTSIDE` is the folder where it must not get.
    fn new(code: &str) -> Self {
        let folder = Folder::with(&[]);
        let outside = folder.path("outside");
        std::fs::create_dir(&outside).expect("a folder can be made");
        for path in [folder.root(), &outside] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777))
                .expect("rights can be set");
        }
        std::fs::write(outside.join("there"), "as it was").expect("a file can be written");
        std::fs::set_permissions(outside.join("there"), std::fs::Permissions::from_mode(0o666))
            .expect("rights");
        let define = format!("#define OUTSIDE {:?}\n", outside.to_str().expect("a plain name"));
        let source = format!("{define}{HEAD}static int escaped(void) {{ {code} }}\n{HOOK}");
        std::fs::write(folder.path("a.c"), source).expect("a file can be written");
        let said = Said::by(
            incise().current_dir(folder.root()).args(["run", "a.c", "--entry", "twice", "--tests", "t"]),
        );
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        Self { folder }
    }

    /// Replays with these layers only.
    fn replay(&self, layers: &[&str], more: &[&str]) -> (Said, Value) {
        let without: Vec<&str> = LAYERS.into_iter().filter(|each| !layers.contains(each)).collect();
        let mut command = incise();
        command.current_dir(self.folder.root()).env("INCISE_CONFINE_WITHOUT", without.join(","));
        let said = Said::by(command.args(["replay", "t", "--format", "json"]).args(more));
        let document = said.json().unwrap_or_else(|error| panic!("{error}"));
        (said, document)
    }

    /// It is kept in, and everything ran as predicted; or it is said that there is nothing to keep it from that.
    fn is_kept_in(&self, layers: &[&str], gap: &str) {
        let (said, document) = self.replay(layers, &[]);
        if said.stderr.contains(gap) {
            return;
        }
        let summary = &document["summary"];
        assert_eq!((said.status, &summary["confirmed"]), (0, &summary["tests"]), "{layers:?}: {document:#}");
        self.is_untouched();
    }

    fn is_untouched(&self) {
        let outside = self.folder.path("outside");
        let names: Vec<_> =
            std::fs::read_dir(&outside).expect("a folder").flatten().map(|each| each.file_name()).collect();
        assert_eq!(names, ["there"], "something was made or removed outside");
        let there = outside.join("there");
        assert_eq!(std::fs::read_to_string(&there).expect("a file"), "as it was");
        assert_eq!(std::fs::metadata(&there).expect("a file").permissions().mode() & 0o777, 0o666);
    }
}

const WRITES: &str = "could write outside";
const NETWORK: &str = "use the network";
const PROGRAMS: &str = "start other programs";

#[test]
fn nothing_is_written_outside_of_the_folder() {
    let ways = [
        "return wrote(OUTSIDE \"/new\");",
        "return wrote(OUTSIDE \"/there\");",
        "return symlink(OUTSIDE, \"link\") == 0 && wrote(\"link/new\");",
        "return link(OUTSIDE \"/there\", \"mine\") == 0 && wrote(\"mine\");",
        "return syscall(SYS_rename, OUTSIDE \"/there\", \"mine\") == 0;",
        "return syscall(SYS_unlink, OUTSIDE \"/there\") == 0 || truncate(OUTSIDE \"/there\", 0) == 0;",
        "return mkdir(OUTSIDE \"/new\", 0777) == 0 || wrote(\"../new\") || wrote(\"../script\");",
    ];
    for way in ways {
        let attempt = Attempt::new(&format!("{way} "));
        for layers in [&LAYERS[..], &["landlock"], &["mounts"]] {
            // A link that was left in the folder is a file that nobody predicted, if anything.
            attempt.is_kept_in(layers, WRITES);
        }
    }
}

#[test]
fn rights_of_files_outside_stay_as_they_are() {
    let attempt = Attempt::new(
        "int file = really_open(OUTSIDE \"/there\", O_RDONLY); return chmod(OUTSIDE \"/there\", 0) == 0 || fchmod(file, 0) == 0;",
    );
    for layers in [&LAYERS[..], &["seccomp"], &["mounts"]] {
        attempt.is_kept_in(layers, WRITES);
    }
}

#[test]
fn files_in_its_own_folder_are_a_programs_own() {
    // Whatever goes wrong here is printed.
    let attempt = Attempt::new(
        r#"char text[2] = {0};
        if (mkdir("d", 0700) || !wrote("d/file") || syscall(SYS_rename, "d/file", "d/other")) return 1;
        int file = really_open("d/other", O_RDWR);
        if (read(file, text, 1) != 1 || text[0] != 'x' || ftruncate(file, 5) || lseek(file, 0, SEEK_END) != 5) return 1;
        if (symlink("d/other", "link") || access("link", R_OK) || syscall(SYS_unlink, "link") || syscall(SYS_unlink, "d/other")) return 1;
        return rmdir("d") || really_open("/etc/passwd", O_RDONLY) < 0 || !wrote("/dev/null");"#,
    );
    attempt.is_kept_in(&LAYERS, "never said");
}

#[test]
fn no_other_program_is_started() {
    let ways = [
        "return system(\"true\") == 0;",
        "return execve(\"/bin/sh\", SHELL, environ) == 0;",
        "pid_t child; return posix_spawn(&child, \"/bin/sh\", 0, 0, SHELL, environ) == 0;",
        "int file = really_open(\"/bin/sh\", O_RDONLY); dup2(file, 1000); fexecve(file, SHELL, environ); return syscall(SYS_execveat, 1000, \"\", SHELL, environ, AT_EMPTY_PATH) == 0;",
        "struct rlimit more = {4096, 4096}; return setrlimit(RLIMIT_NOFILE, &more) == 0 && dup2(1, 1000) == 1000;",
    ];
    for way in ways {
        Attempt::new(way).is_kept_in(&LAYERS, PROGRAMS);
    }
    // By itself, Landlock lets a process be made, and no program be started in it.
    Attempt::new("return execve(\"/bin/sh\", SHELL, environ) == 0;").is_kept_in(&["landlock"], PROGRAMS);
}

#[test]
fn processes_without_end_are_none() {
    let bomb = "int made = 0; for (int i = 0; i < 5000; i++) { int child = i % 2 ? fork() : (int)syscall(SYS_vfork); if (child == 0) _exit(0); made += child > 0; } return made;";
    Attempt::new(bomb).is_kept_in(&["unprivileged", "landlock", "seccomp"], PROGRAMS);
    // Threads there are, and not without end.
    let threads = "char *stacks = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); int made = 0; for (int i = 0; i < 4000; i++) { if (clone((int (*)(void *))pause, stacks + 16384 * (i + 1), CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_FS | CLONE_FILES, 0) > 0) made++; } for (;;) sleep(1);";
    let (said, document) = Attempt::new(threads).replay(&LAYERS, &["--timeout", "5s"]);
    assert_ne!(said.status, 0, "{document:#}");
}

#[test]
fn there_is_no_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let way = format!(
        "struct sockaddr_in there = {{.sin_family = AF_INET, .sin_port = htons({port}), .sin_addr = {{htonl(0x7f000001)}}}};
        int file = socket(AF_INET, SOCK_STREAM, 0); return file >= 0 && connect(file, (struct sockaddr *)&there, sizeof there) == 0;"
    );
    let attempt = Attempt::new(&way);
    for layers in [&LAYERS[..], &["seccomp"], &["network"]] {
        attempt.is_kept_in(layers, NETWORK);
    }
    listener.set_nonblocking(true).expect("a listener that does not wait");
    assert!(listener.accept().is_err(), "somebody called");
    let families = "return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0;";
    Attempt::new(families).is_kept_in(&["seccomp"], NETWORK);
}

#[test]
fn whoever_looks_after_it_is_out_of_reach() {
    let way = "return kill(getppid(), SIGKILL) == 0 || ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 || setsid() >= 0 || prctl(PR_SET_PDEATHSIG, 0) == 0;";
    Attempt::new(way).is_kept_in(&["seccomp"], PROGRAMS);
    // Where it can be reached, the run is not confirmed, and that is all.
    let attempt = Attempt::new("kill(getppid(), SIGKILL); pause(); return 0;");
    let (said, document) = attempt.replay(&[], &["--timeout", "5s"]);
    assert_eq!(said.status, 3, "{document:#}");
    let words = document["tests"][0]["actual"].as_str().unwrap_or_default();
    assert!(words.contains("looked after"), "{document:#}");
}

#[test]
fn descriptors_that_were_left_open_are_closed() {
    let attempt = Attempt::new(
        "int wrote = 0; for (int file = 3; file < 300; file++) wrote += write(file, \"x\", 1) == 1; return wrote;",
    );
    let mut command = std::process::Command::new("sh");
    command.current_dir(attempt.folder.root()).args(["-c", "exec 9>leaked; exec \"$0\" replay t"]);
    let said = Said::by(command.arg(env!("CARGO_BIN_EXE_incise")));
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert_eq!(std::fs::read(attempt.folder.path("leaked")).expect("a file"), b"");
}

#[test]
fn a_program_that_sleeps_forever_is_ended() {
    let attempt = Attempt::new("signal(SIGTERM, SIG_IGN); for (;;) sleep(1000);");
    for layers in [&LAYERS[..], &[]] {
        let (said, document) = attempt.replay(layers, &["--timeout", "300ms"]);
        assert_eq!(said.status, 1, "{document:#}");
        assert!(
            document["tests"][0]["actual"].as_str().unwrap_or_default().contains("in time"),
            "{document:#}"
        );
    }
}

#[test]
fn nobody_stays_behind() {
    // A child of a child in a session of its own holds a lock for as long as it lives.
    let way = "if (fork() == 0) { setsid(); if (fork() == 0) { int file = really_open(OUTSIDE \"/there\", O_RDWR); flock(file, LOCK_EX); syscall(SYS_close, 1); for (;;) pause(); } usleep(100000); _exit(0); } usleep(300000); return 0;";
    let attempt = Attempt::new(way);
    for layers in [&LAYERS[..], &["unprivileged", "processes"], &[]] {
        attempt.replay(layers, &[]);
        is_free(&attempt.folder.path("outside/there"));
    }
}

/// What a process leaves behind is handed on when its memory has been given back, which takes a while for much of it:
/// as long as a killed process waits for its turn on a busy machine.
#[test]
fn who_is_left_by_a_process_that_takes_long_to_end_does_not_stay_behind() {
    let way = "if (fork() == 0) { setsid(); char *much = mmap(0, 1L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); madvise(much, 1L << 30, MADV_NOHUGEPAGE); memset(much, 1, 1L << 30); if (fork() == 0) { munmap(much, 1L << 30); int file = really_open(OUTSIDE \"/there\", O_RDWR); flock(file, LOCK_EX); close(ready[1]); syscall(SYS_close, 1); for (;;) pause(); } close(ready[1]); for (;;) pause(); } close(ready[1]); char byte; read(ready[0], &byte, 1); return 0;";
    let attempt = Attempt::new(&format!("int ready[2]; pipe(ready); {way}"));
    attempt.replay(&[], &["-j", "1"]);
    is_free(&attempt.folder.path("outside/there"));
}

/// The lock of a file is free, if not now then in a moment.
fn is_free(path: &Path) {
    let file = std::fs::File::open(path).expect("a file");
    // On a busy machine the end of a process takes a while.
    for _ in 0..3_000 {
        if file.try_lock().is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("a process stayed behind");
}

#[test]
fn memory_and_files_have_an_end() {
    let memory = "return mmap(0, 1L << 36, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;";
    Attempt::new(memory).is_kept_in(&LAYERS, "never said");
    let large = "int file = really_open(\"large\", O_WRONLY | O_CREAT); signal(SIGXFSZ, SIG_IGN); int done = ftruncate(file, 1L << 40) == 0; syscall(SYS_unlink, \"large\"); return done;";
    Attempt::new(large).is_kept_in(&LAYERS, "never said");
    let many = "char name[40]; for (int i = 0;; i++) { sprintf(name, \"file%d\", i); syscall(SYS_close, really_open(name, O_WRONLY | O_CREAT)); }";
    let (said, document) = Attempt::new(many).replay(&LAYERS, &["--timeout", "10m", "-j", "1"]);
    assert_eq!(said.status, 3, "{document:#}");
    let words = document["tests"][0]["actual"].as_str().unwrap_or_default();
    assert!(words.contains("too much space"), "{document:#}");
}

#[test]
fn what_a_program_leaves_is_removed_and_not_followed() {
    let attempt = Attempt::new(
        "mkdir(\"closed\", 0); symlink(OUTSIDE, \"folder\"); symlink(OUTSIDE \"/there\", \"file\"); mkfifo(\"pipe\", 0666); return 0;",
    );
    // Twice in the same cell: the first leaves nothing for the second.
    let (said, document) = attempt.replay(&LAYERS, &["-j", "1"]);
    assert_eq!(said.status, 0, "{document:#}");
    attempt.is_untouched();
}

#[test]
fn without_any_layer_it_is_said_once() {
    let attempt = Attempt::new("return 0;");
    let (said, _) = attempt.replay(&[], &[]);
    let warnings = said.stderr.matches("warning: the programs that ran natively could").count();
    assert_eq!(warnings, 1, "{}", said.stderr);
    let mut command = incise();
    command.current_dir(attempt.folder.root()).env("INCISE_CONFINE_WITHOUT", "gravity");
    let said = Said::by(command.args(["replay", "t"]));
    assert_eq!((said.status, said.stderr.contains("gravity")), (2, true), "{}", said.stderr);
}

#[test]
fn with_no_native_nothing_runs() {
    let attempt = Attempt::new("return wrote(OUTSIDE \"/new\");");
    let other =
        std::fs::read_to_string(attempt.folder.path("a.c")).expect("a file").replace("2 * x", "3 * x");
    std::fs::write(attempt.folder.path("b.c"), other).expect("a file can be written");
    let run = |arguments: &[&str]| {
        let mut command = incise();
        command.current_dir(attempt.folder.root()).env("INCISE_CONFINE_WITHOUT", LAYERS.join(","));
        let said = Said::by(command.args(arguments).arg("--no-native"));
        attempt.is_untouched();
        said
    };
    let said = run(&["diff", "a.c", "b.c", "--entry", "twice", "--verdict-only"]);
    assert!(said.stdout.contains("differs in 1 way, not replayed"), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("[not replayed]"), "{}", said.stdout);
    let said = run(&["replay", "t"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    let said = run(&["run", "a.c", "--entry", "twice", "--tests", "t", "--replay"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    let said = run(&["explain", "a.c", "b.c", "--entry", "twice", "--input", "x=7"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("(replayed)"), "{}", said.stdout);
    let made = ["suite", "generate", "a.c", "--entry", "twice", "-o", "suite"];
    let said = Said::by(incise().current_dir(attempt.folder.root()).args(made));
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = run(&["suite", "check", "a.c", "--suite", "suite"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
}

#[test]
fn names_in_tests_and_suites_lead_nowhere_else() {
    let source = "#include <stdio.h>\nint first(void) { FILE *f = fopen(\"in\", \"r\"); int c = f ? fgetc(f) : -2; if (f) fclose(f); return c; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let shaped = ["a.c", "--entry", "first", "--sym-file", "in=1"];
    let said = folder.run(&[&["run"][..], &shaped, &["--tests", "t"]].concat());
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let target = folder.path("got-out");
    for name in
        ["../../../got-out".to_owned(), target.to_str().expect("a plain name").to_owned(), "..".to_owned()]
    {
        let mut changed = 0;
        for entry in std::fs::read_dir(folder.path("t")).expect("a folder").flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            let file = "\"kind\": \"file\", \"name\": \"in\"";
            changed += text.matches(file).count();
            let text = text.replace(file, &format!("\"kind\": \"file\", \"name\": \"{name}\""));
            std::fs::create_dir_all(folder.path("changed")).expect("a folder can be made");
            std::fs::write(folder.path("changed").join(entry.file_name()), text)
                .expect("a file can be written");
        }
        assert!(changed > 0, "no test has a file");
        let said = folder.run(&["replay", "changed"]);
        assert!(said.stdout.contains("is not the name of a file"), "{}{}", said.stdout, said.stderr);
        assert!(!target.exists());
    }
    let said = folder.run(&[&["suite", "generate"][..], &shaped, &["-o", "suite"]].concat());
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let manifest = std::fs::read_to_string(folder.path("suite/suite.json")).expect("a suite");
    let named = manifest.replacen("\"name\": \"first", "\"name\": \"../../first", 1);
    assert_ne!(named, manifest);
    std::fs::write(folder.path("suite/suite.json"), named).expect("a file can be written");
    let said = folder.run(&["suite", "check", "a.c", "--suite", "suite"]);
    assert_eq!((said.status, said.stderr.contains("no name of a test")), (2, true), "{}", said.stderr);
}

#[test]
fn links_in_a_suite_are_not_written_through() {
    let old = "int f(int x) { return x > 5 ? 1 : 2; }\n";
    let folder = Folder::with(&[("a.c", old), ("b.c", &old.replace('5', "6")), ("mine", "precious")]);
    let made = folder.run(&["suite", "generate", "a.c", "--entry", "f", "-o", "suite"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let tests = std::fs::read_dir(folder.path("suite/tests")).expect("a folder");
    for test in tests.flatten() {
        std::fs::remove_file(test.path()).expect("a file can be removed");
        std::os::unix::fs::symlink(folder.path("mine"), test.path()).expect("a link can be made");
    }
    let checked = folder.run(&["suite", "check", "a.c", "--suite", "suite"]);
    assert_eq!(checked.status, 1, "{}{}", checked.stdout, checked.stderr);
    folder.run(&["suite", "update", "a.c", "b.c", "--suite", "suite"]);
    assert_eq!(std::fs::read_to_string(folder.path("mine")).expect("a file"), "precious");
}

#[test]
fn root_in_a_container_that_cannot_become_another_user_replays_too() {
    let attempt = Attempt::new("return wrote(OUTSIDE \"/new\");");
    let rights = "-sys_admin,-setuid,-setgid";
    let mut command = std::process::Command::new("setpriv");
    command.current_dir(attempt.folder.root()).args(["--bounding-set", rights, "--inh-caps", rights]);
    // Who is not root has no rights to give up.
    if !command.arg("true").output().is_ok_and(|output| output.status.success()) {
        return;
    }
    let mut command = std::process::Command::new("setpriv");
    command.current_dir(attempt.folder.root()).args(["--bounding-set", rights, "--inh-caps", rights]);
    let said = Said::by(command.arg(env!("CARGO_BIN_EXE_incise")).args(["replay", "t"]));
    if !said.stderr.contains(WRITES) {
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        attempt.is_untouched();
    }
}

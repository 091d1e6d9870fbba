//! A suite is the old one or the new one, whatever happens to the process that writes it: killed at any moment, or out
//! of space.

use crate::common::{Folder, Said, incise};
use incise_testing::skipped;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often the writer is killed.
const KILLS: u64 = 60;

/// A function with many paths, so that writing its suite takes a while; the versions differ in every test.
fn source(version: u32) -> String {
    let mut text = "int f(unsigned x) {\n    int sum = 0;\n".to_owned();
    for bit in 0..6 {
        text += &format!("    if (x & {}u) sum += {};\n", 1 << bit, (version + 1) << bit);
    }
    text + &format!("    return sum + {version};\n}}\n")
}

fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(&current).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is inside").to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// A writer of the suite, from one of the versions.
fn writer(folder: &Folder, version: usize) -> Command {
    let mut command = incise();
    // The program is called the same in both versions, as it would be in a repository.
    std::fs::copy(folder.path(&format!("v{version}.c")), folder.path("f.c")).expect("a copy");
    command.current_dir(folder.root()).args(["suite", "generate", "f.c", "-o", "suite", "--emit", "c"]);
    command
}

#[test]
fn a_killed_writer_leaves_the_old_suite_or_the_new_one() {
    let folder = Folder::with(&[("v0.c", &source(0)), ("v1.c", &source(1))]);
    let mut whole = Vec::new();
    let mut longest = Duration::ZERO;
    for version in [0, 1] {
        let started = Instant::now();
        let said = Said::by(&mut writer(&folder, version));
        assert_eq!(said.status, 0, "{}", said.stderr);
        longest = longest.max(started.elapsed());
        whole.push(snapshot(&folder.path("suite")));
    }
    assert!(whole[0].len() == 66 && whole[1].len() == 66 && whole[0] != whole[1]);
    let (mut seed, mut seen, mut interrupted) = (88_172_645_463_325_252_u64, [0, 0], 0);
    for round in 0..KILLS {
        let mut child = writer(&folder, (round % 2) as usize)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        // Numbers of a xorshift generator; most of the time goes by before anything is written.
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        std::thread::sleep(longest.mul_f64((seed % 1100) as f64 / 1000.0));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let now = snapshot(&folder.path("suite"));
        match whole.iter().position(|each| *each == now) {
            Some(version) => seen[version] += 1,
            None => panic!("after kill {round} the suite is neither: {:?}", now.keys().collect::<Vec<_>>()),
        }
        interrupted += usize::from(beside(&folder) > 0);
    }
    eprintln!(
        "after {KILLS} kills: {seen:?} of the versions, {interrupted} times with a half-written suite beside it"
    );
    // What killed writers left behind goes away with the next one.
    assert_eq!(Said::by(&mut writer(&folder, 0)).status, 0);
    assert!(snapshot(&folder.path("suite")) == whole[0]);
    assert_eq!(beside(&folder), 0);
}

/// How many folders lie there that are only of use to a writer.
fn beside(folder: &Folder) -> usize {
    let entries = std::fs::read_dir(folder.root()).expect("a folder");
    entries.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains(".incise-")).count()
}

#[test]
fn files_that_may_not_grow_leave_the_old_suite() {
    let folder = Folder::with(&[("v0.c", &source(0)), ("v1.c", &source(1))]);
    assert_eq!(Said::by(&mut writer(&folder, 0)).status, 0);
    let before = snapshot(&folder.path("suite"));
    // Writing fails as it does on a full disk, with an error and not with a signal. Tests still fit, the manifest does
    // not.
    std::fs::copy(folder.path("v1.c"), folder.path("f.c")).unwrap();
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" suite generate f.c -o suite";
    let mut command = Command::new("bash");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_incise")]).current_dir(folder.root());
    let said = Said::by(&mut command);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stderr.contains("suite cannot be written") && said.stderr.contains("File too large"),
        "{}",
        said.stderr
    );
    assert!(snapshot(&folder.path("suite")) == before);
    assert_eq!(beside(&folder), 0);
}

#[test]
fn a_full_disk_leaves_the_old_suite() {
    let folder = Folder::with(&[
        ("v1.c", &source(1)),
        ("small.c", "int f(unsigned x) { if (x) return 1; return 2; }\n"),
    ]);
    std::fs::create_dir(folder.path("disk")).unwrap();
    // A disk of our own, which only this shell and its children see. Not everyone may have one.
    let script = "\
mount -t tmpfs -o size=96k tmpfs disk || exit 99
cp small.c disk/f.c
\"$0\" suite generate disk/f.c -o disk/suite || exit 98
cp -r disk/suite before
cp v1.c disk/f.c
\"$0\" suite generate disk/f.c -o disk/suite
status=$?
cp -r disk/suite after
ls -A disk > names
exit $status
";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_incise")]).current_dir(folder.root());
    let said = match command.output() {
        Ok(_) if !folder.path("before").exists() => {
            return skipped("no file system can be mounted here");
        }
        Ok(output) => output,
        Err(error) => panic!("unshare does not start: {error} (Debian: util-linux)"),
    };
    let errors = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(2), "{errors}");
    assert!(errors.contains("cannot be written") && errors.contains("No space left"), "{errors}");
    assert!(snapshot(&folder.path("before")) == snapshot(&folder.path("after")));
    assert_eq!(std::fs::read_to_string(folder.path("names")).unwrap(), "f.c\nsuite\n");
}

//! Large suites: files that nobody wrote to are not read again, and that makes no difference to what is told and
//! written.

use crate::common::{Folder, Said, incise};
use incise_report::suite::SuiteManifest;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A function with 1,024 paths.
fn source(last: &str) -> String {
    let mut text = "int f(unsigned x) {\n    int sum = 0;\n".to_owned();
    for bit in 0..9 {
        text += &format!("    if (x & {}u) sum += {};\n", 1 << bit, 1 << bit);
    }
    text + &format!("    if (x {last}) sum = -sum;\n    return sum;\n}}\n")
}

/// A folder with a suite, and one for the caches of the user.
struct Example(Folder);

impl Example {
    fn new() -> Self {
        let (old, new) = (source("> 4294966000u"), source("> 4294966011u"));
        let example = Self(Folder::with(&[("old.c", &old), ("new.c", &new)]));
        let said = example.run(true, &["generate", "old.c", "--entry", "f", "-o", "suite"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert_eq!(example.manifest().tests.len(), 1024);
        // As if it had been written some time ago.
        for test in example.manifest().tests {
            example.set_time(&test.name, 3600);
        }
        // What is seen now is noted.
        let said = example.update(true, "old.c", "suite");
        assert_eq!(said.status, 0, "{}", said.stderr);
        example
    }

    fn run(&self, noting: bool, arguments: &[&str]) -> Said {
        let mut command = incise();
        command
            .current_dir(self.0.root())
            .env_remove("HOME")
            .env_remove("INCISE_STORE")
            .arg("suite")
            .args(arguments);
        match noting {
            true => command.env("XDG_CACHE_HOME", self.0.path("caches")),
            false => command.env_remove("XDG_CACHE_HOME"),
        };
        Said::by(&mut command)
    }

    fn update(&self, noting: bool, new: &str, place: &str) -> Said {
        self.run(noting, &["update", "old.c", new, "--suite", "suite", "-o", place])
    }

    fn manifest(&self) -> SuiteManifest {
        let text = std::fs::read_to_string(self.0.path("suite/suite.json")).expect("a manifest");
        SuiteManifest::from_json(&text).expect("a manifest of ours")
    }

    fn file(&self, test: &str) -> PathBuf {
        self.0.path("suite/tests").join(format!("{test}.json"))
    }

    fn set_time(&self, test: &str, seconds: u64) {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        let file = File::options().write(true).open(self.file(test)).expect("a test");
        file.set_modified(time).expect("times can be set");
    }

    /// Changes a byte of a test's file.
    fn damage(&self, test: &str) {
        let file = File::options().read(true).write(true).open(self.file(test)).expect("a test");
        file.write_all_at(b"#", 40).expect("it can be written");
    }
}

fn same(one: &Said, other: &Said) {
    // The time is another each time.
    let shown = |said: &Said| {
        let lines = said.stdout.lines().filter(|line| !line.contains(" ms") && !line.contains(" s,"));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n").replace("one", "other")
    };
    assert_eq!((one.status, shown(one)), (other.status, shown(other)));
}

#[test]
fn what_is_known_of_files_makes_no_difference() {
    let example = Example::new();
    let with = example.update(true, "new.c", "one");
    let without = example.update(false, "new.c", "other");
    same(&with, &without);
    assert_eq!(with.status, 1, "{}", with.stderr);
    let files = |suite: &str| {
        let folder = example.0.path(suite).join("tests");
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("a file").path())
            .collect();
        names.sort();
        names
            .into_iter()
            .map(|file| (file.file_name().map(ToOwned::to_owned), std::fs::read(file).expect("a file")))
            .collect::<Vec<_>>()
    };
    assert_eq!(files("one"), files("other"));
    let manifest = |suite: &str| std::fs::read(example.0.path(suite).join("suite.json")).expect("a manifest");
    assert_eq!(manifest("one"), manifest("other"));
    // In its place, with notes from the exploration and from updates.
    let place = example.update(true, "new.c", "suite");
    assert_eq!(place.status, 1, "{}", place.stderr);
    assert_eq!(files("suite"), files("one"));
    assert_eq!(manifest("suite"), manifest("one"));
    let again = example.run(true, &["update", "new.c", "new.c", "--suite", "suite"]);
    assert_eq!(again.status, 0, "{}{}", again.stdout, again.stderr);
}

#[test]
fn damage_is_found_unless_nobody_could_see_it() {
    let example = Example::new();
    let tests = example.manifest().tests;
    let [one, two, three] = [0, 500, 1000].map(|index: usize| tests[index].name.clone());
    example.damage(&one);
    std::fs::remove_file(example.file(&two)).expect("a test");
    for new in ["old.c", "new.c"] {
        let said = example.update(true, new, "updated");
        same(&said, &example.update(false, new, "updated"));
        for name in [&one, &two] {
            assert!(said.stdout.contains(&**name) && said.stdout.contains("damaged"), "{}", said.stdout);
        }
        assert!(!said.stdout.contains(&format!("obsolete {three}")), "{}", said.stdout);
    }
    // What looks as it did is not read: that is how we know that nothing is.
    let (before, file) = (std::fs::metadata(example.file(&three)), example.file(&three));
    example.damage(&three);
    let time = before.and_then(|before| before.modified()).expect("a time");
    File::options().write(true).open(file).expect("a test").set_modified(time).expect("times can be set");
    let damaged = |noting: bool| {
        let said = example.run(noting, &["select", "old.c", "new.c", "--suite", "suite"]);
        [&one, &two, &three]
            .map(|name| said.stdout.lines().any(|line| line.contains(&**name) && line.contains("damaged")))
    };
    assert_eq!((damaged(true), damaged(false)), ([true, true, false], [true; 3]));
    // Who gives the caches away reads everything.
    std::fs::remove_dir_all(example.0.path("caches")).expect("there are caches");
    assert_eq!(damaged(true), [true; 3]);
}

#[test]
fn links_are_looked_through() {
    let example = Example::new();
    let tests = example.manifest().tests;
    std::fs::create_dir(example.0.path("elsewhere")).expect("a folder");
    for test in &tests {
        let place = example.0.path("elsewhere").join(&*test.name);
        std::fs::rename(example.file(&test.name), &place).expect("a test");
        std::os::unix::fs::symlink(place, example.file(&test.name)).expect("a link");
    }
    // Long after the links were made.
    let manifest = File::options().write(true).open(example.0.path("suite/suite.json")).expect("a manifest");
    manifest.set_modified(SystemTime::now() + Duration::from_secs(3600)).expect("times can be set");
    let said = example.update(true, "old.c", "suite");
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    example.damage(&tests[700].name);
    let said = example.run(true, &["select", "old.c", "new.c", "--suite", "suite"]);
    let found = |line: &str| line.contains(&*tests[700].name) && line.contains("damaged");
    assert!(said.stdout.lines().any(found), "{}{}", said.stdout, said.stderr);
}

/// A function that asks for remainders that no square has.
fn squares(start: u32) -> String {
    let impossible = [2, 3, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23];
    let asked = impossible.map(|rest| format!("    if (x * x % 32 == {rest}) sum += {rest};\n"));
    format!(
        "int f(unsigned x) {{\n    int sum = {start};\n{}    return x > 9 ? sum : -sum;\n}}\n",
        asked.concat()
    )
}

#[test]
fn what_the_solver_found_impossible_is_not_asked_again() {
    let example = Example(Folder::with(&[("old.c", &squares(1)), ("new.c", &squares(2))]));
    let said = example.run(true, &["generate", "old.c", "--entry", "f", "-o", "suite"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let queries = |noting: bool, old: &str, new: &str, suite: &str, place: &str| {
        let update = ["update", old, new, "--suite", suite, "-o", place, "--format", "json"];
        let said = example.run(noting, &update);
        assert_eq!(said.status, 1, "{}", said.stderr);
        let told: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        assert_eq!(told["summary"]["changed"], 2);
        told["summary"]["queries"].as_u64().expect("a number")
    };
    assert!(queries(false, "old.c", "new.c", "suite", "unknown") > 0);
    assert_eq!(queries(true, "old.c", "new.c", "suite", "known"), 0);
    // What is known goes with the suite that is made.
    std::fs::write(example.0.path("newer.c"), squares(3)).expect("a source");
    assert_eq!(queries(true, "new.c", "newer.c", "known", "newer"), 0);
    let files = |suite: &str| std::fs::read(example.0.path(suite).join("suite.json")).expect("a manifest");
    assert_eq!(files("known"), files("unknown"));
}

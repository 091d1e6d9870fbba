//! `incise diff --watch`: answers again when a file is saved.

use crate::common::assert_fails;
use crate::common::made::{Made, functions};
use serde_json::Value;
use std::io::BufReader;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A command that watches; it ends with this.
struct Watching {
    child: Child,
    reports: serde_json::StreamDeserializer<'static, serde_json::de::IoRead<BufReader<ChildStdout>>, Value>,
}

impl Watching {
    fn begin(made: &Made, words: &[&str]) -> Self {
        let mut command = made.command(&[&["--watch", "--format", "json", "--no-native"], words].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, reports: serde_json::Deserializer::from_reader(output).into_iter() }
    }

    /// Waits for the next report.
    fn next(&mut self) -> Vec<String> {
        functions(&self.reports.next().expect("there is another").expect("JSON"))
    }

    /// Waits for a report that is as expected: an editor may be seen in the middle of its work.
    fn until(&mut self, expected: &[&str]) {
        while self.next() != expected {}
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const A: &str = "#include \"h.h\"\nint one(int x) { return x + ONE; }\n";
const B: &str = "int two(int x) { return x + 2; }\n";

#[test]
fn it_answers_again_when_a_file_is_saved() {
    let made = Made::with(&[("a.c", A), ("b.c", B), ("h.h", "#define ONE 1\n")]);
    let mut watching = Watching::begin(&made, &[]);
    assert_eq!(watching.next(), [""; 0]);
    made.write(&[("a.c", &A.replace("x + ONE", "ONE + x"))]);
    watching.until(&["same one a.c"]);
    made.write(&[("b.c", &B.replace("x + 2", "x + 3"))]);
    watching.until(&["differs two b.c", "same one a.c"]);
    made.write(&[("h.h", "#define ONE 5\n")]);
    watching.until(&["differs one a.c", "differs two b.c"]);
    made.write(&[("b.c", B), ("c.c", "int three(int x) { return x; }\n")]);
    watching.until(&["differs one a.c"]);
    made.commit();
    watching.until(&[]);
    made.write(&[("c.c", "int three(int x) { return -x; }\n")]);
    watching.until(&["differs three c.c"]);
}

#[test]
fn ctrl_c_ends_it_with_the_status_of_the_last_answer() {
    let made = Made::with(&[("b.c", B)]);
    made.write(&[("b.c", &B.replace("x + 2", "2 + x"))]);
    let mut watching = Watching::begin(&made, &[]);
    assert_eq!(watching.next(), ["same two b.c"]);
    Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status().expect("kill runs");
    assert_eq!(watching.child.wait().expect("it ends").code(), Some(0));
    assert!(watching.reports.next().is_none(), "nothing is half written");
}

#[test]
fn what_does_not_change_is_not_watched() {
    let made = Made::with(&[("b.c", B)]);
    assert_fails(&made.diff(&["--watch", "HEAD", "HEAD"]), &["HEAD does not change", "the working tree"]);
    assert_fails(&made.diff(&["--watch", "--unit", "b.c"]), &["--watch"]);
}

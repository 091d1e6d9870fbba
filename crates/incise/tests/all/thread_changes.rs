//! Changes of programs with threads and their verdicts: refactorings that are proved to do the same, each beside a twin
//! that looks like it and does harm; from `main` and from functions with inputs.

use crate::common::{Folder, Said, incise, root};
use serde_json::Value;

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n\
    #define LOCK(m) pthread_mutex_lock(&m)\n#define UNLOCK(m) pthread_mutex_unlock(&m)\n\
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\n\
    static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n";

/// Two threads that execute `one` and `two`, from an entry with an input, and from `main`.
fn program(shared: &str, one: &str, two: &str, result: &str) -> String {
    format!(
        "{HEAD}{shared}\nstatic int in;\n\
         static void *one(void *arg) {{\n{one}\nreturn arg;\n}}\n\
         static void *two(void *arg) {{\n{two}\nreturn arg;\n}}\n\
         int both(int number) {{\npthread_t a, b;\nin = number;\n\
         pthread_create(&a, 0, one, 0);\npthread_create(&b, 0, two, 0);\n\
         pthread_join(a, 0);\npthread_join(b, 0);\nreturn {result};\n}}\n\
         int main(void) {{\nreturn both(3);\n}}\n"
    )
}

fn compared(old: &str, new: &str, options: &[&str]) -> (i32, Value) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let mut command = incise();
    command.arg("diff").arg(folder.path("old.c")).arg(folder.path("new.c"));
    let said = Said::by(command.args(["--format", "json"]).args(options));
    (said.status, said.json().unwrap_or_else(|why| panic!("{why}\n{old}\n{new}")))
}

/// The kinds of the errors in a bucket, data races included.
fn kinds(document: &Value, bucket: &str) -> Vec<String> {
    let kind = |error: &Value| error["kind"].as_str().unwrap_or_default().to_owned();
    let errors = document["errors"][bucket].as_array().cloned().unwrap_or_default();
    let mut kinds: Vec<String> = errors.iter().map(kind).collect();
    for entry in document["entries"].as_array().into_iter().flatten() {
        let races = entry["threads"]["races"][bucket].as_array().map_or(0, Vec::len);
        kinds.extend(std::iter::repeat_n("data-race".to_owned(), races));
    }
    kinds.sort();
    kinds.dedup();
    kinds
}

fn is_same(what: &str, old: &str, new: &str) {
    for options in [&["--entry", "both"][..], &[]] {
        let (status, document) = compared(old, new, options);
        assert_eq!(document["verdict"], "same", "{what} {options:?}: {document:#}\n{new}");
        assert_eq!(status, 0, "{what}");
        assert_eq!(kinds(&document, "introduced"), Vec::<String>::new(), "{what}");
    }
}

/// The versions differ, each witness ran natively, and these errors were introduced and fixed.
fn differs(what: &str, old: &str, new: &str, introduced: &[&str], fixed: &[&str]) {
    for options in [&["--entry", "both"][..], &[]] {
        let (status, document) = compared(old, new, options);
        assert_eq!(document["verdict"], "differs", "{what} {options:?}: {document:#}\n{new}");
        assert_eq!((status, &document["confirmed"]), (1, &Value::Bool(true)), "{what}: {document:#}");
        for difference in document["differences"].as_array().into_iter().flatten() {
            assert_eq!(difference["replayed"], true, "{what}: {difference:#}");
            assert!(difference["only"]["other_executions"].as_u64() > Some(0), "{what}: {difference:#}");
            assert!(!difference["schedule"].as_array().expect("a list").is_empty(), "{what}");
        }
        assert_eq!(kinds(&document, "introduced"), introduced, "{what}: {document:#}");
        assert_eq!(kinds(&document, "fixed"), fixed, "{what}: {document:#}");
    }
}

const COUNT: &str = "LOCK(m);\ncount += in;\nUNLOCK(m);";

fn counting(one: &str) -> String {
    program("static int count;", one, COUNT, "count")
}

#[test]
fn a_critical_section_may_become_smaller_around_work_of_ones_own() {
    let old = counting("LOCK(m);\nint more = in * 2 + 1;\ncount += more;\nUNLOCK(m);");
    is_same("smaller", &old, &counting("int more = in * 2 + 1;\nLOCK(m);\ncount += more;\nUNLOCK(m);"));
    let harmful = counting(
        "LOCK(m);\nint more = in * 2 + 1;\nint sum = count + more;\nUNLOCK(m);\nLOCK(m);\ncount = sum;\nUNLOCK(m);",
    );
    differs("unlocked too early", &old, &harmful, &[], &[]);
    let removed = counting("int more = in * 2 + 1;\ncount += more;");
    differs("a lock is removed", &old, &removed, &["data-race"], &[]);
    differs("a lock is put back", &removed, &old, &[], &["data-race"]);
}

#[test]
fn a_lock_may_be_split_in_two_if_nothing_needs_both() {
    let shared = "static int x, y;";
    let old = program(
        shared,
        "LOCK(m);\nx += in;\nUNLOCK(m);\nLOCK(m);\ny += 1;\nUNLOCK(m);",
        "LOCK(m);\ny += in;\nUNLOCK(m);",
        "x * 100 + y",
    );
    let new = program(
        shared,
        "LOCK(m);\nx += in;\nUNLOCK(m);\nLOCK(k);\ny += 1;\nUNLOCK(k);",
        "LOCK(k);\ny += in;\nUNLOCK(k);",
        "x * 100 + y",
    );
    is_same("split", &old, &new);
    let harmful = program(
        shared,
        "LOCK(m);\nx += in;\nUNLOCK(m);\nLOCK(k);\ny += 1;\nUNLOCK(k);",
        "LOCK(m);\ny += in;\nUNLOCK(m);",
        "x * 100 + y",
    );
    differs("only one side is split", &old, &harmful, &["data-race"], &[]);
}

#[test]
fn a_flag_may_be_made_atomic_and_not_the_other_way() {
    let wait = |flag: &str, read: &str| {
        program(
            &format!("static {flag} ready;\nstatic int data;"),
            "data = in;\nready = 1;",
            &format!("int seen = {read};\nif (seen)\nassert(data == in);"),
            "data",
        )
        .replace("in = number;", "in = number;\nready = 0;")
    };
    let (plain, atomic) = (wait("int", "ready"), wait("atomic_int", "ready"));
    let (status, document) = compared(&plain, &atomic, &["--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (0, &Value::from("same")), "{document:#}");
    assert_eq!(kinds(&document, "fixed"), ["data-race"]);
    differs("made plain", &atomic, &plain, &["data-race"], &[]);
    let locked = program(
        "static int ready;\nstatic int data;",
        "data = in;\nLOCK(m);\nready = 1;\nUNLOCK(m);",
        "LOCK(m);\nint seen = ready;\nUNLOCK(m);\nif (seen)\nassert(data == in);",
        "data",
    )
    .replace("in = number;", "in = number;\nready = 0;");
    is_same("an atomic flag instead of a lock", &locked, &atomic);
    let early = wait("atomic_int", "ready").replace("data = in;\nready = 1;", "ready = 1;\ndata = in;");
    differs("published too early", &atomic, &early, &["assertion", "data-race"], &[]);
}

#[test]
fn two_sends_may_be_exchanged_if_nobody_waits_for_both() {
    let shared = "static int first, second;";
    let send = |box_: &str, lock: &str| format!("LOCK({lock});\n{box_} = in + 1;\nUNLOCK({lock});\n");
    let receive = "LOCK(k);\nint got = second;\nUNLOCK(k);\nif (got == 0)\ngot = 1;\nin_two = got;";
    let shared = &format!("{shared}\nstatic int in_two;");
    let text = |one: &str| program(shared, one, receive, "first * 7 + in_two");
    let old = text(&(send("first", "m") + &send("second", "k")));
    is_same("exchanged", &old, &text(&(send("second", "k") + &send("first", "m"))));
    let both = "LOCK(k);\nint got = second;\nUNLOCK(k);\nLOCK(m);\nint before = first;\nUNLOCK(m);\nin_two = got && !before;";
    let text = |one: &str| program(shared, one, both, "in_two");
    let old = text(&(send("first", "m") + &send("second", "k")));
    let (status, document) =
        compared(&old, &text(&(send("second", "k") + &send("first", "m"))), &["--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (1, &Value::from("differs")), "{document:#}");
}

#[test]
fn a_loop_over_workers_may_be_unrolled() {
    let text = |body: &str| {
        format!(
            "{HEAD}static int count;\nstatic void *work(void *arg) {{\nLOCK(m);\ncount += *(int *)arg;\nUNLOCK(m);\n\
             return 0;\n}}\nint both(int number) {{\npthread_t t[2];\n{body}\nreturn count;\n}}\n\
             int main(void) {{\nreturn both(3);\n}}\n"
        )
    };
    let old = text(
        "for (int i = 0; i < 2; i++)\npthread_create(&t[i], 0, work, &number);\n\
         for (int i = 0; i < 2; i++)\npthread_join(t[i], 0);",
    );
    let start = "pthread_create(&t[0], 0, work, &number);\npthread_create(&t[1], 0, work, &number);\n";
    is_same("unrolled", &old, &text(&format!("{start}pthread_join(t[0], 0);\npthread_join(t[1], 0);")));
    let forgotten =
        text(&format!("{start}pthread_join(t[0], 0);\nLOCK(m);\nint now = count;\nUNLOCK(m);\nreturn now;"));
    let (_, document) = compared(&old, &forgotten, &["--entry", "both"]);
    assert_eq!(document["verdict"], "differs", "{document:#}");
    let added = text(&format!(
        "pthread_t more;\npthread_create(&more, 0, work, &number);\n{start}pthread_join(t[0], 0);\npthread_join(t[1], 0);\n\
         pthread_join(more, 0);"
    ));
    let (_, document) = compared(&old, &added, &["--entry", "both"]);
    assert_eq!(document["verdict"], "differs", "{document:#}");
}

#[test]
fn the_order_of_locks_matters() {
    let take = |first: &str, second: &str| {
        format!("LOCK({first});\nLOCK({second});\ncount += in;\nUNLOCK({second});\nUNLOCK({first});")
    };
    let text = |two: &str| program("static int count;", &take("m", "k"), two, "count");
    let (old, new) = (text(&take("m", "k")), text(&take("k", "m")));
    differs("other order", &old, &new, &["deadlock"], &[]);
    differs("one order", &new, &old, &[], &["deadlock"]);
    // A deadlock that was there before is there before, whatever the lines.
    let moved =
        new.replace("static int count;", "\n\n\nstatic int count;").replace("count += in", "count += in + 0");
    let (status, document) = compared(&new, &moved, &["--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (0, &Value::from("same")), "{document:#}");
    assert_eq!(kinds(&document, "preexisting"), ["deadlock"], "{document:#}");
}

#[test]
fn a_signal_before_the_wait_is_lost() {
    let shared = "static int ready;";
    let signal = "LOCK(m);\nready = 1;\npthread_cond_signal(&c);\nUNLOCK(m);";
    let old =
        program(shared, "LOCK(m);\nwhile (!ready)\npthread_cond_wait(&c, &m);\nUNLOCK(m);", signal, "in");
    let new = program(shared, "LOCK(m);\npthread_cond_wait(&c, &m);\nUNLOCK(m);", signal, "in");
    differs("waits without looking", &old, &new, &["endless-wait"], &[]);
    let broadcast = old.replace("pthread_cond_signal", "pthread_cond_broadcast");
    // That a thread may wake by itself is not looked at, and that is said.
    let (status, document) = compared(&old, &broadcast, &["--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (0, &Value::from("same-within-bounds")), "{document:#}");
    assert_eq!(document["bounds"][0]["limit"], "spurious-wakeups");
}

#[test]
fn the_order_of_output_is_compared() {
    let text = |one: &str, two: &str| program("static int unused;", one, two, "unused");
    let old =
        text("LOCK(m);\nprintf(\"a\");\nprintf(\"b\");\nUNLOCK(m);", "LOCK(m);\nprintf(\"c\");\nUNLOCK(m);");
    let new = text("printf(\"a\");\nprintf(\"b\");", "printf(\"c\");");
    let (status, document) = compared(&old, &new, &["--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (1, &Value::from("differs")), "{document:#}");
    assert_eq!(document["differences"][0]["new"]["stdout"], "acb", "{document:#}");
    is_same("printed at once", &old, &text("printf(\"ab\");", "printf(\"c\");"));
}

#[test]
fn what_was_cut_is_no_comfort() {
    let spin = |turns: &str| {
        program(
            "static atomic_int count;",
            &format!("for (int i = 0; i < {turns}; i++)\ncount++;"),
            "count++;",
            "count > 0",
        )
    };
    let (status, document) = compared(&spin("in"), &spin("in"), &["--entry", "both", "--max-loop", "2"]);
    assert_eq!((status, &document["verdict"]), (0, &Value::from("same-within-bounds")), "{document:#}");
    let weak = program(
        "static atomic_int x;",
        "atomic_store_explicit(&x, in, memory_order_relaxed);",
        "atomic_load_explicit(&x, memory_order_relaxed);",
        "x",
    );
    let (_, document) =
        compared(&weak, &weak.replace("return arg;\n}\nint", "return 0;\n}\nint"), &["--entry", "both"]);
    assert_eq!(document["verdict"], "same-within-bounds", "{document:#}");
    assert_eq!(document["bounds"][0]["limit"], "weak-memory");
    let text = counting(COUNT);
    let (status, document) =
        compared(&text, &text.replace("+= in", "+= 2 * in - in"), &["--max-paths", "1", "--entry", "both"]);
    assert_eq!((status, &document["verdict"]), (3, &Value::from("undecided")), "{document:#}");
}

#[test]
fn a_witness_becomes_a_test_with_its_schedule() {
    let old = counting(COUNT);
    let new = counting("LOCK(m);\nint sum = count + in;\nUNLOCK(m);\nLOCK(m);\ncount = sum;\nUNLOCK(m);");
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let mut command = incise();
    command.arg("diff").arg(folder.path("old.c")).arg(folder.path("new.c")).args(["--entry", "both"]);
    let said = Said::by(command.arg("--witnesses").arg(folder.path("w")));
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("new can: returns") && said.stdout.contains("old cannot: returns"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("thread 1") && said.stdout.contains("thread 2"), "{}", said.stdout);
    let replayed = Said::by(incise().arg("replay").arg(folder.path("w")).args(["--format", "json"]));
    let document = replayed.json().expect("a document");
    assert_eq!(document["tests"][0]["verdict"], "confirmed", "{document:#}");
}

#[test]
fn all_orders_give_the_verdict_of_one_for_each_trace() {
    let old = counting(COUNT);
    let harmful = counting("LOCK(m);\nint sum = count + in;\nUNLOCK(m);\nLOCK(m);\ncount = sum;\nUNLOCK(m);");
    let harmless = counting("int more = in;\nLOCK(m);\ncount += more;\nUNLOCK(m);");
    for (new, verdict) in [(&harmful, "differs"), (&harmless, "same")] {
        let executions = ["all", "dpor", "optimal"].map(|schedules| {
            let (_, document) = compared(&old, new, &["--entry", "both", "--schedules", schedules]);
            assert_eq!(document["verdict"], verdict, "{schedules}: {document:#}");
            document["summary"]["executions"].as_u64().expect("a number")
        });
        assert!(executions[0] > executions[1] && executions[1] >= executions[2], "{executions:?}");
    }
}

#[test]
fn the_names_of_the_json_are_documented() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let (_, document) = compared(&counting(COUNT), &counting("count += in;"), &["--entry", "both"]);
    let check = |object: &Value| {
        for name in object.as_object().expect("an object").keys() {
            let forms = [format!("`{name}`"), format!("\"{name}\"")];
            assert!(forms.iter().any(|form| documented.contains(form.as_str())), "{name} is not documented");
        }
    };
    let (difference, entry) = (&document["differences"][0], &document["entries"][0]);
    let race = &entry["threads"]["races"]["introduced"][0];
    for object in
        [&document, &document["summary"], difference, &difference["only"], entry, &entry["threads"], race]
    {
        check(object);
    }
    let (traces, both) = (&document["summary"]["traces"], &document["summary"]["executions"]);
    let executions = &entry["threads"]["executions"];
    assert_eq!(traces, &executions["new"]);
    assert_eq!(both.as_u64(), executions["old"].as_u64().zip(executions["new"].as_u64()).map(|(a, b)| a + b));
}

#[test]
fn what_is_not_possible_with_threads_is_refused_in_words() {
    let text = counting(COUNT);
    let folder = Folder::with(&[("old.c", &text), ("new.c", &text.replace("+= in", "+= in + 1"))]);
    let intra = ["--strategy", "cia", "--intra"];
    let rules = ["--tests", "t", "--rules", "paper"];
    let paper = ["--strategy", "paper"];
    for options in [&paper[..], &intra, &rules, &["--both"], &["--cover", "branch"]] {
        let mut command = incise();
        command.arg("diff").arg(folder.path("old.c")).arg(folder.path("new.c")).args(options);
        let said = Said::by(&mut command);
        assert_eq!(said.status, 2, "{options:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains("with threads"), "{options:?}: {}", said.stderr);
    }
}

/// Of two threads one counts, and the other looks; what else they do has nothing to do with the change.
fn beside(amount: &str) -> String {
    program(
        "static int count, left, right, seen;",
        &format!("left = 1;\nLOCK(m);\ncount += {amount};\nUNLOCK(m);"),
        "right = left;\nLOCK(m);\nseen = count > 100;\nUNLOCK(m);",
        "count",
    )
}

#[test]
fn executions_that_a_change_concerns_become_tests_that_the_machine_confirms() {
    let folder = Folder::with(&[("old.c", &beside("in")), ("new.c", &beside("2 * in"))]);
    for (strategy, fewest) in [("cia", 2), ("exact", 2), ("dpor", 4), ("baseline", 20)] {
        let mut command = incise();
        command.arg("diff").arg(folder.path("old.c")).arg(folder.path("new.c"));
        command.args(["--entry", "both", "--strategy", strategy, "--format", "json", "--replay"]);
        command.arg("--tests").arg(folder.path(strategy));
        let document = Said::by(&mut command).json().expect("a document");
        let summary = &document["summary"];
        assert_eq!((&document["strategy"], &document["verdict"]), (&strategy.into(), &"differs".into()));
        assert_eq!(summary["complete"], true, "{strategy}: {summary:#}");
        let executions = summary["executions"].as_u64().expect("a number");
        assert!(executions >= fewest, "{strategy}: {executions}");
        let (traces, paths) = (&summary["traces"], &summary["path_conditions"]);
        if matches!(strategy, "cia" | "exact") {
            assert!(executions < 10 && traces == paths, "{strategy}: {summary:#}");
        }
        for path in document["path_conditions"].as_array().expect("a list") {
            assert!(!path["schedule"].as_array().expect("a list").is_empty(), "{strategy}: {path:#}");
            assert!(path["test"].is_string() && path["inputs"].is_object(), "{strategy}: {path:#}");
        }
        let replayed = &document["replays"][0]["summary"];
        assert_eq!(replayed["disagrees"], 0, "{strategy}: {:#}", document["replays"]);
        assert!(replayed["confirmed"].as_u64() >= paths.as_u64(), "{strategy}: {replayed:#}");
    }
}

#[test]
fn strategies_are_compared_side_by_side() {
    let (_, document) = compared(&beside("in"), &beside("2 * in"), &["--entry", "both", "--compare"]);
    let rows = document["entries"][0]["compare"]["strategies"].as_array().expect("a list").clone();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["strategy"].as_str()).collect();
    assert_eq!(names, ["baseline", "dpor", "cia", "scia"], "{rows:#?}");
    // No two orders that matter lead to one state.
    assert_eq!(rows[3]["cut_by_summary"], 0, "{rows:#?}");
    assert_eq!(rows[3]["executions"], rows[2]["executions"], "{rows:#?}");
    assert_eq!(rows[3]["errors"], rows[2]["errors"], "{rows:#?}");
    let executions: Vec<u64> = rows.iter().filter_map(|row| row["executions"].as_u64()).collect();
    assert!(executions[0] > executions[1] && executions[1] > executions[2], "{executions:?}");
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    for name in rows[0].as_object().expect("an object").keys() {
        assert!(documented.contains(&format!("`{name}`")), "{name} is not documented");
    }
    let (_, document) =
        compared(&beside("in"), &beside("2 * in"), &["--entry", "both", "--compare", "dpor,cia"]);
    assert_eq!(document["entries"][0]["compare"]["strategies"].as_array().map(Vec::len), Some(2));
}

/// Whoever adds first, the sum is the same: what follows is explored once.
#[test]
fn orders_that_lead_to_one_state_are_cut_by_its_summary() {
    let adding = |amount: &str| {
        let twice = format!("LOCK(m);\ncount += {amount};\nUNLOCK(m);\nLOCK(m);\ncount += 1;\nUNLOCK(m);");
        program("static int count;", &twice, "LOCK(m);\ncount += 4;\nUNLOCK(m);", "count")
    };
    let options = ["--entry", "both", "--compare", "cia,scia"];
    let (_, document) = compared(&adding("2"), &adding("3"), &options);
    let rows = &document["entries"][0]["compare"]["strategies"];
    assert!(rows[1]["cut_by_summary"].as_u64() > Some(0), "{rows:#?}");
    assert!(rows[1]["states"].as_u64() < rows[0]["states"].as_u64(), "{rows:#?}");
    assert_eq!(rows[1]["errors"], rows[0]["errors"], "{rows:#?}");
    assert_eq!(rows[1]["complete"], true, "{rows:#?}");
}

#[test]
fn executions_are_shown_with_what_they_come_by() {
    let folder = Folder::with(&[("old.c", &beside("in")), ("new.c", &beside("2 * in"))]);
    let mut command = incise();
    command.arg("diff").arg(folder.path("old.c")).arg(folder.path("new.c"));
    let said = Said::by(command.args(["--entry", "both", "--no-verdict", "--compare", "cia"]));
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    for words in ["affected executions", "thread 1", "for every trace of affected events", "time (ms)"] {
        assert!(said.stdout.contains(words), "{words}: {}", said.stdout);
    }
}

//! Programs with threads from the command line: each execution becomes a test, and the machine does what was predicted
//! when it is led along the schedule.

use crate::common::{Folder, Said, incise, root};
use incise_testing::generate::program_with_threads;
use incise_testing::{in_parallel, shorter, skipped};
use serde_json::Value;
use std::path::Path;

/// Explores a program, writes its tests and runs them. Gives the tests as they were judged.
fn replayed(file: &Path, tests: &Path, options: &[&str]) -> Result<Vec<Value>, String> {
    let said = Said::by(
        incise().arg("run").arg(file).args(["--format", "json"]).args(options).arg("--tests").arg(tests),
    );
    if said.status == 2 {
        return Err(format!("it is not explored: {}", said.stderr));
    }
    let said = Said::by(incise().arg("replay").arg(tests).args(["--format", "json", "-j", "1"]));
    let document = said.json()?;
    document["tests"].as_array().cloned().ok_or_else(|| "no tests in the JSON".to_owned())
}

/// Those that are neither confirmed nor may differ.
fn open(tests: &[Value]) -> Vec<String> {
    // Memory that was never initialised may hold anything; a limit predicts nothing.
    let settled = |test: &&Value| {
        let verdict = test["verdict"].as_str().unwrap_or_default();
        let nothing = test["predicted"] == "nothing";
        verdict != "confirmed" && verdict != "indeterminate" && !(verdict == "not-checked" && nothing)
    };
    tests.iter().filter(settled).map(|test| test.to_string()).collect()
}

#[test]
fn random_programs_with_threads_do_natively_what_was_predicted() {
    let seeds: Vec<u64> = (0..shorter(16, 300)).collect();
    let failures = in_parallel(&seeds, |&seed| {
        let text = program_with_threads(seed);
        let folder = Folder::with(&[("program.c", &text)]);
        let options = ["--max-paths", "24"];
        let tests = replayed(&folder.path("program.c"), &folder.path("tests"), &options)
            .map_err(|why| format!("seed {seed}: {why}\n{text}"))?;
        match (tests.is_empty(), open(&tests)) {
            (true, _) => Err(format!("seed {seed}: there are no tests\n{text}")),
            (_, open) if open.is_empty() => Ok(()),
            (_, open) => Err(format!("seed {seed}:\n{}\n{text}", open.join("\n"))),
        }
    });
    assert!(failures.is_empty(), "{} programs fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_benchmarks_with_threads_do_natively_what_was_predicted() {
    let folder = root().join("../shared/bench/threads");
    if !folder.is_dir() {
        return skipped("the programs of the benchmark with threads are not here");
    }
    for (name, options) in [
        ("readers.c", ["-DN=3", "--all"]),
        ("lastzero.c", ["-DN=3", "--all"]),
        ("casrot.c", ["-DN=3", "--all"]),
        ("increments.c", ["-DN=2", "--all"]),
        ("philosophers.c", ["-DN=2", "--all"]),
    ] {
        let tests = Folder::with(&[]);
        let judged = replayed(&folder.join(name), &tests.path("tests"), &options).expect(name);
        assert!(!judged.is_empty() && open(&judged).is_empty(), "{name}: {:?}", open(&judged));
    }
}

const PAY: &str = "\
#include <assert.h>
#include <pthread.h>
static int balance = 100;
static void *pay(void *unused) {
    int before = balance;
    balance = before - 30;
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, pay, 0);
    pthread_create(&two, 0, pay, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(balance == 40);
    return 0;
}
";

#[test]
fn each_execution_and_each_race_is_a_test_that_the_machine_confirms() {
    let folder = Folder::with(&[("pay.c", PAY)]);
    let tests = replayed(&folder.path("pay.c"), &folder.path("tests"), &[]).unwrap();
    let names: Vec<&str> = tests.iter().filter_map(|test| test["name"].as_str()).collect();
    assert!(names.contains(&"test000001") && names.contains(&"race000001"), "{names:?}");
    assert!(tests.iter().all(|test| test["verdict"] == "confirmed"), "{tests:?}");
    let predicted =
        |what: &str| tests.iter().filter(|test| test["predicted"].to_string().contains(what)).count();
    assert!(predicted("assertion") > 0 && predicted("data race") > 0 && predicted("exited") > 0, "{tests:?}");
}

#[test]
fn a_schedule_that_cannot_be_followed_is_a_disagreement_that_says_where() {
    let folder = Folder::with(&[("pay.c", PAY)]);
    replayed(&folder.path("pay.c"), &folder.path("tests"), &[]).unwrap();
    let file = folder.path("tests").join("test000001.json");
    let text = std::fs::read_to_string(&file).unwrap();
    // Who waits for the end of the others cannot be the first to do something.
    let mut test: Value = serde_json::from_str(&text).unwrap();
    let steps = test["schedule"]["steps"].as_array_mut().unwrap();
    let last = steps.len() - 1;
    steps.swap(0, last);
    std::fs::write(&file, serde_json::to_string(&test).unwrap()).unwrap();
    let said = Said::by(incise().arg("replay").arg(folder.path("tests")).args(["--format", "json"]));
    let judged = said.json().unwrap();
    let first = &judged["tests"][0];
    assert_eq!(first["verdict"], "disagrees", "{first}");
    assert!(first["actual"].to_string().contains("at step"), "{first}");
    assert_eq!(said.status, 1);
}

#[test]
fn a_suite_of_a_program_with_threads_is_generated_and_checked_and_not_updated() {
    let folder = Folder::with(&[("pay.c", PAY)]);
    let (file, suite) = (folder.path("pay.c"), folder.path("suite"));
    let said = Said::by(incise().args(["suite", "generate"]).arg(&file).arg("-o").arg(&suite));
    assert!(said.status == 0 && said.stderr.contains("data race"), "{} {}", said.stdout, said.stderr);
    let said = Said::by(incise().args(["suite", "check"]).arg(&file).arg("--suite").arg(&suite));
    assert_eq!(said.status, 0, "{} {}", said.stdout, said.stderr);
    let said = Said::by(incise().args(["suite", "update"]).arg(&file).arg(&file).arg("--suite").arg(&suite));
    assert!(said.status == 2 && said.stderr.contains("threads"), "{} {}", said.stdout, said.stderr);
}

#[test]
fn what_does_not_work_with_threads_says_so() {
    let folder = Folder::with(&[("pay.c", PAY)]);
    let (file, tests) = (folder.path("pay.c"), folder.path("tests"));
    replayed(&file, &tests, &[]).unwrap();
    let refused = |command: &str, option: &str, value: &Path| {
        let said = Said::by(incise().arg(command).args([&file, &file]).arg(option).arg(value));
        assert!(said.status == 2 && said.stderr.contains("threads"), "{command}: {}", said.stderr);
    };
    refused("explain", "--test", &tests.join("test000001.json"));
    refused("cover", "--tests", &tests);
    refused("diff", "--cover", Path::new("branch"));
}

#[test]
fn free_runs_are_told_beside_those_that_are_led() {
    let folder = Folder::with(&[("pay.c", PAY)]);
    replayed(&folder.path("pay.c"), &folder.path("tests"), &[]).unwrap();
    let command = ["--stress", "20", "--format", "json"];
    let said = Said::by(incise().arg("replay").arg(folder.path("tests")).args(command));
    let judged = said.json().unwrap();
    let free: Vec<&Value> =
        judged["tests"].as_array().unwrap().iter().map(|test| &test["free_runs"]).collect();
    assert!(free.iter().any(|free| free["shown"].is_u64()), "{judged}");
}

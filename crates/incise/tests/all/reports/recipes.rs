//! The recipes of docs/ci.md: YAML that is read as such, and commands that do what is said in a repository.

use super::{Changed, NEW, OLD, top};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const READ: &str = "
import json, shlex, sys, yaml
documents = [yaml.safe_load(text) for text in json.load(sys.stdin)]
hooks = [hook for each in documents if isinstance(each, dict) for repo in each.get('repos', []) for hook in repo['hooks']]
hooks += [hook for each in documents if isinstance(each, list) for hook in each]
for hook in hooks:
    hook['words'] = shlex.split(hook['entry'])
print(json.dumps(documents, default=str))
";

/// Texts of YAML as JSON; entries of hooks with their words.
fn read(texts: &[String]) -> Vec<Value> {
    use std::io::Write as _;
    let mut command = Command::new("/usr/bin/python3");
    command.args(["-c", READ]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut python = command.spawn().expect("Python is there: `make setup` installs it");
    let mut to = python.stdin.take().expect("a pipe");
    to.write_all(serde_json::to_string(texts).expect("texts").as_bytes()).expect("Python reads");
    drop(to);
    let output = python.wait_with_output().expect("Python ends");
    assert!(
        output.status.success(),
        "the YAML cannot be read, or python3-yaml is missing: `make setup` installs it"
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The blocks of YAML in the document: GitHub, GitLab, pre-commit.
fn recipes() -> [Value; 3] {
    let text = std::fs::read_to_string(top().join("docs/ci.md")).expect("the document");
    let blocks =
        text.split("```yaml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()));
    let documents = read(&blocks.collect::<Vec<_>>());
    documents.try_into().expect("three recipes")
}

const BUILD: &[u8] = b"cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_library(p STATIC src/a.c)\n";

/// A clone with a branch that changes something, as a server checks it out.
fn clone() -> (Changed, tempfile::TempDir) {
    let ignored: &[u8] = b"build/\nincise.*\n";
    let changed = Changed::new(&[("src/a.c", OLD), ("CMakeLists.txt", BUILD), (".gitignore", ignored)], &[]);
    let server = tempfile::tempdir().expect("a temporary folder");
    let bare = server.path().join("origin.git").to_string_lossy().into_owned();
    changed.git(&["clone", "-q", "--bare", ".", &bare]);
    changed.git(&["remote", "add", "origin", &bare]);
    changed.git(&["fetch", "-q", "origin"]);
    changed.git(&["checkout", "-q", "-b", "feature"]);
    changed.write(&[("src/a.c", NEW)]);
    changed.git(&["commit", "-q", "-a", "-m", "after"]);
    (changed, server)
}

/// Runs words there, with the program under test in the path.
fn run(changed: &Changed, words: &[&str], variables: &[(&str, &str)]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_incise")).parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([program].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(changed.root()).env("PATH", path).envs(variables.iter().copied());
    command.output().expect("it runs")
}

fn text<'v>(value: &'v Value, what: &str) -> &'v str {
    value.as_str().unwrap_or_else(|| panic!("{what} is a text: {value}"))
}

/// The files that a recipe hands on are there.
fn assert_there(changed: &Changed, names: &[&Value]) {
    for name in names {
        let path: PathBuf = changed.root().join(text(name, "a file"));
        assert!(path.metadata().is_ok_and(|there| there.len() > 100), "{} is missing", path.display());
    }
}

#[test]
fn the_recipe_for_github_works() {
    let [recipe, ..] = recipes();
    let (changed, _server) = clone();
    let steps = recipe["jobs"]["incise"]["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["with"]["fetch-depth"], 0, "the history is needed");
    let variables =
        [("GITHUB_ACTIONS", "true"), ("GITHUB_BASE_REF", "main"), ("GITHUB_STEP_SUMMARY", "incise.summary")];
    let mut last = None;
    for script in steps.iter().filter_map(|step| step["run"].as_str()) {
        last = Some(run(&changed, &["bash", "-e", "-c", script], &variables));
    }
    let last = last.expect("something ran");
    let said = String::from_utf8_lossy(&last.stderr);
    assert_eq!(last.status.code(), Some(1), "an error was introduced: {said}");
    assert!(said.contains("::error file=src/a.c,line=8,title=f introduces an error"), "{said}");
    let uploads: Vec<&Value> =
        steps.iter().filter(|step| step["if"] == "always()").map(|step| &step["with"]).collect();
    assert_there(&changed, &[&uploads[0]["sarif_file"], &uploads[1]["path"]]);
    assert!(changed.read("incise.summary").contains("introduces an error"));
    let report = changed.read("incise.html");
    assert!(!report.contains("there is no compile_commands.json"), "the build is known");
}

#[test]
fn the_recipe_for_gitlab_works() {
    let [_, recipe, _] = recipes();
    let (changed, _server) = clone();
    let base = changed.git(&["rev-parse", "origin/main"]);
    let variables = [("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.trim())];
    let job = &recipe["incise"];
    let mut status = Some(0);
    for line in job["script"].as_array().expect("lines") {
        assert_eq!(status, Some(0), "before {line}");
        status = run(&changed, &["sh", "-e", "-c", text(line, "a line")], &variables).status.code();
    }
    assert_eq!(status, Some(1), "an error was introduced");
    let reports = &job["artifacts"]["reports"];
    assert_there(&changed, &[&reports["codequality"], &reports["junit"], &job["artifacts"]["paths"][0]]);
    let issues = changed.json(text(&reports["codequality"], "a file"));
    assert_eq!(issues[0]["severity"], "critical", "{issues}");
}

#[test]
fn the_hook_before_a_push_works() {
    let [.., recipe] = recipes();
    let own = std::fs::read_to_string(top().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let own = read(&[own]).remove(0);
    let (changed, _server) = clone();
    for hook in [&recipe["repos"][0]["hooks"][0], &own[0]] {
        assert_eq!(hook["stages"][0], "pre-push");
        assert_eq!(hook["pass_filenames"], false, "names of files are no revisions");
        let words: Vec<&str> =
            hook["words"].as_array().expect("words").iter().map(|word| text(word, "a word")).collect();
        let from_to = |from, to| [("PRE_COMMIT_FROM_REF", from), ("PRE_COMMIT_TO_REF", to)];
        let output = run(&changed, &words, &from_to("origin/main", "HEAD"));
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let output = run(&changed, &words, &from_to("HEAD", "HEAD"));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

//! What reports say, beside what JSON says; where they are written, and where not.

use super::schema::hostile;
use super::{Changed, NEW, OLD, all_files, usual};
use crate::common::{Folder, Said, assert_fails, incise};
use serde_json::Value;

fn count(value: &Value) -> usize {
    value.as_array().expect("a list").len()
}

/// All figures of the document in JSON: functions by trouble, not compared, introduced errors, and ways to differ.
fn figures(report: &Value) -> Vec<usize> {
    let summary = &report["summary"];
    let of = |name: &str| summary[name].as_u64().expect("a number") as usize;
    let functions = report["functions"].as_array().expect("a list");
    let mut all: Vec<usize> =
        ["functions", "introduces", "differs", "undecided", "same_within_bounds", "same"].map(of).to_vec();
    all.push(count(&report["reasons"]));
    all.push(functions.iter().map(|each| count(&each["errors"]["introduced"])).sum());
    all.push(functions.iter().map(|each| count(&each["differences"])).sum());
    all
}

#[test]
fn all_formats_agree_with_json() {
    let changed = usual();
    let files = all_files();
    let mut words: Vec<&str> = files.iter().map(String::as_str).collect();
    words.extend(["--format", "json"]);
    let said = changed.diff(&words);
    let wanted = figures(&said.json().expect("JSON"));
    assert_eq!(wanted[..7], [3, 1, 1, 0, 0, 1, 1], "{}", said.stdout);
    // HTML.
    let page = changed.read("r.html");
    let names = [
        "functions",
        "introduces",
        "differs",
        "undecided",
        "same-within-bounds",
        "same",
        "not-compared",
        "errors-introduced",
        "ways-to-differ",
    ];
    for (name, count) in names.iter().zip(&wanted) {
        assert!(page.contains(&format!("data-count=\"{name}\">{count}<")), "{name}");
    }
    // SARIF.
    let run = &changed.json("r.sarif")["runs"][0];
    for (name, count) in names.iter().zip(&wanted) {
        assert_eq!(run["properties"][name.replace('-', "_")], *count, "{name}");
    }
    let results = run["results"].as_array().expect("a list");
    let introduced = results.iter().filter(|each| each["level"] == "error").count();
    assert_eq!(introduced, wanted[7]);
    // One of the ways to differ is the error.
    assert_eq!(results.len(), wanted[8]);
    assert_eq!(count(&changed.json("r.json")), results.len() + wanted[6]);
    // Markdown.
    let row = wanted[..7].iter().map(usize::to_string).collect::<Vec<_>>().join(" | ");
    assert!(changed.read("r.md").contains(&format!("| {row} |")));
    // JUnit.
    let text = changed.read("r.xml");
    let suites = roxmltree::Document::parse(&text).expect("XML");
    let figure = |name: &str| suites.root_element().attribute(name).and_then(|text| text.parse().ok());
    assert_eq!(figure("tests"), Some(wanted[0] + wanted[6]));
    assert_eq!(figure("failures"), Some(wanted[1] + wanted[2]));
    assert_eq!(figure("errors"), Some(wanted[3] + wanted[6]));
}

/// Of two revisions both trees are laid out, and gone once the command ends.
#[test]
fn the_change_is_shown_as_a_diff_whatever_is_compared() {
    let changed = usual();
    let shows = |words: &[&str]| {
        let said = changed.diff(&[&["--html", "r.html", "--no-native", "-q"], words].concat());
        let page = changed.read("r.html");
        let line = |class: &str, text: &str| {
            let rows = page.lines().filter(|line| line.starts_with("<tr") && line.contains(text));
            rows.filter(|line| line.contains(&format!("class=\"{class} affected\""))).count()
        };
        let found = (line("removed", "    if (b == 0)"), line("added", "    if (b &lt; 0)"));
        assert_eq!(found, (1, 1), "{words:?}: {}", said.stderr);
        assert!(page.contains("href=\"#f0n6\""), "steps lead to their lines: {words:?}");
    };
    shows(&[]);
    changed.git(&["add", "-A"]);
    changed.git(&["commit", "-q", "-m", "after"]);
    shows(&["HEAD~1", "HEAD"]);
    shows(&["HEAD^!"]);
}

#[test]
fn results_of_sarif_have_ways_and_places_from_the_top_of_the_repository() {
    let changed = usual();
    changed.diff(&["--sarif", "r.sarif"]);
    let run = &changed.json("r.sarif")["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "introduced-division-by-zero");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/a.c");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "SRCROOT");
    assert_eq!(place["region"]["startLine"], 8);
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 6, "{result}");
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a list");
    let lines: Vec<&Value> =
        steps.iter().map(|each| &each["location"]["physicalLocation"]["region"]["startLine"]).collect();
    assert_eq!(lines, [4, 6, 2, 8, 8], "the branches, and the end: {result}");
}

#[test]
fn fingerprints_do_not_hang_on_numbers_of_lines() {
    let prints = |changed: &Changed| -> Vec<String> {
        changed.diff(&["--sarif", "r.sarif"]);
        let results = changed.json("r.sarif")["runs"][0]["results"].clone();
        let print = |each: &Value| each["partialFingerprints"]["primaryLocationLineHash"].to_string();
        results.as_array().expect("a list").iter().map(print).collect()
    };
    let moved = |text: &[u8]| [b"/* one */\n\n/* more */\n", text].concat();
    let further = Changed::new(&[("src/a.c", &moved(OLD))], &[("src/a.c", &moved(NEW))]);
    let near = prints(&usual());
    assert!(near.len() > 2);
    assert_eq!(near, prints(&further));
}

#[test]
fn two_files_are_reported_as_revisions_are() {
    let folder = Folder::with(&[]);
    std::fs::write(folder.path("old.c"), OLD).expect("written");
    std::fs::write(folder.path("new.c"), NEW).expect("written");
    let mut words = vec!["diff".to_owned(), "old.c".to_owned(), "new.c".to_owned()];
    words.extend(all_files());
    let said = folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.status, 1, "{}", said.stderr);
    let page = std::fs::read_to_string(folder.path("r.html")).expect("a page");
    assert!(page.contains("data-count=\"functions\">3<") && page.contains("affected paths"), "{page}");
    assert!(page.contains("was <code>old.c</code>"), "{page}");
}

#[test]
fn two_folders_are_one_unit_and_their_files_are_paired() {
    let folder = Folder::with(&[]);
    let header =
        |limit: &str| format!("static inline int least(int x) {{ return x > {limit} ? x : {limit}; }}\n");
    for (version, text, limit) in [("old", OLD, "3"), ("new", NEW, "4")] {
        std::fs::create_dir_all(folder.path(version).join("inc")).expect("a folder");
        std::fs::write(folder.path(version).join("inc/h.h"), header(limit)).expect("written");
        std::fs::write(folder.path(version).join("a.c"), text).expect("written");
        let other = "#include \"inc/h.h\"\nint g(int x) { return least(x); }\n";
        std::fs::write(folder.path(version).join("b.c"), other).expect("written");
    }
    let said = folder.run(&["diff", "old", "new", "--html", "r.html", "--junit", "r.xml"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let page = std::fs::read_to_string(folder.path("r.html")).expect("a page");
    for (name, was) in [("new/a.c", "old/a.c"), ("new/inc/h.h", "old/inc/h.h")] {
        assert!(page.contains(&format!("<code>{name}</code> <small>was <code>{was}</code>")), "{page}");
    }
    assert!(!page.contains("b.c</code> <small>"), "what is not concerned is not shown");
    let tests = std::fs::read_to_string(folder.path("r.xml")).expect("tests");
    assert!(tests.contains("<testsuite name=\"new\""), "{tests}");
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let changed = usual();
    std::fs::create_dir(changed.root().join("folder")).expect("a folder");
    for (words, said) in [
        (vec!["--html", "nowhere/r.html"], "--html 'nowhere/r.html' cannot be written"),
        (vec!["--sarif", "folder"], "it is a folder"),
        (vec!["--junit", "r.txt", "--markdown", "./r.txt"], "name the same file"),
        (vec!["--gitlab", "src/a.c/x"], "--gitlab 'src/a.c/x' cannot be written"),
    ] {
        assert_fails(&changed.diff(&words), &[said]);
    }
    let nothing = changed.git(&["status", "--porcelain"]);
    assert_eq!(nothing, " M src/a.c\n M src/odd.cc\n", "nothing is left behind");
    let file = Folder::with(&[("a.c", "int f(int x) { return x; }\n")]);
    let said = file.run(&["diff", "a.c", "--changed", "1", "--html", "r.html"]);
    assert_fails(&said, &["--html reports a verdict on OLD and NEW"]);
}

#[test]
fn a_file_that_is_there_is_replaced_as_a_whole_and_links_stay() {
    let changed = usual();
    changed.write(&[("real.md", b"before")]);
    std::os::unix::fs::symlink("real.md", changed.root().join("link.md")).expect("a link");
    changed.diff(&["--markdown", "link.md"]);
    assert!(changed.root().join("link.md").is_symlink());
    assert!(changed.read("real.md").starts_with("## Incise: 3 changed functions"));
    let names = std::fs::read_dir(changed.root()).expect("a folder");
    let left = names.filter(|each| {
        each.as_ref().is_ok_and(|each| each.file_name().to_string_lossy().starts_with(".incise"))
    });
    assert_eq!(left.count(), 0);
    // Standard output is no file that is renamed.
    let said = changed.diff(&["--markdown", "/dev/stdout", "-q"]);
    assert!(said.stdout.contains("## Incise"), "{}", said.stdout);
}

#[test]
fn github_is_told_where_it_listens() {
    let changed = usual();
    std::fs::write(changed.root().join("summary.md"), "before\n").expect("written");
    let mut command = incise();
    command.current_dir(changed.root()).args(["diff", "--format", "json"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", changed.root().join("summary.md"));
    let said = Said::by(&mut command);
    said.json().expect("standard output is data");
    let lines: Vec<&str> = said.stderr.lines().filter(|line| line.starts_with("::")).collect();
    assert!(
        lines[0].starts_with("::error file=src/a.c,line=8,title=f introduces an error::division by zero"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("::warning file=src/a.c,line="), "{lines:?}");
    assert!(
        lines
            .last()
            .is_some_and(|line| line.starts_with("::notice file=src/odd.cc,line=1,title=not compared::"))
    );
    let summary = changed.read("summary.md");
    assert!(summary.starts_with("before\n## Incise: 3 changed functions"), "{summary}");
    // Nobody else is told.
    assert!(!changed.diff(&[]).stderr.contains("::error"));
}

#[test]
fn hostile_sources_are_shown_in_every_format() {
    let changed = hostile();
    let files = all_files();
    let said = changed.diff(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.status, 1, "{}", said.stderr);
    let page = changed.read("r.html");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("<script") && !page.contains("<img"));
    assert!(page.contains("\\u{202e}") && page.contains("\\x1b[31m"), "what is not seen is shown");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&page, options).expect("nothing is left open");
    let text = changed.read("r.xml");
    roxmltree::Document::parse(&text).expect("XML");
    let uri = &changed.json("r.sarif")["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        ["uri"];
    assert_eq!(uri, "a%20b%27%3C/script%3E%3Cb%3E%26%22%7C%60%25%2C%C3%A9.c");
}

#[test]
fn what_there_was_no_time_for_is_in_the_reports() {
    let changed = usual();
    let files = all_files();
    let mut words: Vec<&str> = files.iter().map(String::as_str).collect();
    words.extend(["--budget", "1ms"]);
    let said = changed.diff(&words);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    for name in ["r.html", "r.sarif", "r.md", "r.json", "r.xml"] {
        let text = changed.read(name);
        // How far it comes hangs on the machine.
        let said = ["src/a.c was not reached", "before it was known what changed"];
        assert!(said.iter().any(|words| text.contains(words)), "{name}: {text}");
    }
}

#[test]
fn a_check_that_asks_for_new_errors_only_skips_other_differences() {
    let changed = usual();
    let said = changed.diff(&["--fail-on", "introduced", "--junit", "r.xml"]);
    assert_eq!(said.status, 1);
    let text = changed.read("r.xml");
    assert!(text.contains("failures=\"1\" errors=\"0\" skipped=\"2\""), "{text}");
}

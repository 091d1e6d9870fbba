//! All formats from one report: within their limits, well-formed whatever programs are called, and agreeing on figures.

use incise_report::change_report::{
    ChangeReport, Gate, ReportMaterial, SourceText, github, gitlab, html, junit, markdown, sarif,
};
use incise_report::repository::{Reached, RepositoryReport, UnitReport};
use incise_report::verdict::{
    ChangedValue, Comparison, ErrorChange, Sameness, ValueKind, Verdicts, WayBranch, Witness, WitnessWay,
};
use incise_report::{
    CallEdge, CallGraph, CallNode, EdgeKind, ErrorKind, FoundPath, Outcome, Place, ProgramError, Spot, Value,
};
use serde_json::Value as Json;
use std::io::{self, Write};

type Render = fn(&ChangeReport, &mut dyn Write) -> io::Result<()>;

fn rendered(render: Render, report: &ChangeReport) -> String {
    let mut bytes = Vec::new();
    render(report, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("all formats are UTF-8")
}

fn place(file: &str, line: u32) -> Place {
    Place { file: file.to_owned(), line, column: 3 }
}

/// A way to differ, over so many branches.
fn witness(file: &str, number: u32, branches: usize) -> Witness {
    let branch = |at: usize| WayBranch {
        text: format!("x > {number} + {at}"),
        place: Some(place(file, at as u32 % 50 + 1)),
        affected: at.is_multiple_of(2),
    };
    let way = WitnessWay { branches: (0..branches).map(branch).collect(), affected: vec![place(file, 7)] };
    let path =
        || FoundPath { outcome: Outcome::Returned, place: Some(place(file, 9)), ..FoundPath::default() };
    let value = |value| Value::Text(format!("{file} {value}").into_bytes());
    Witness {
        old: path(),
        new: path(),
        values: vec![ChangedValue {
            name: file.to_owned(),
            kind: ValueKind::Global,
            old: value(1),
            new: value(2),
        }],
        place: Some(place(file, 5)),
        replayed: number.is_multiple_of(2),
        old_way: way.clone(),
        new_way: way,
        ..Witness::default()
    }
}

fn error(file: &str, number: u32) -> ErrorChange {
    let (kind, message) = (ErrorKind::DivisionByZero, format!("division by zero in {file}"));
    let new = FoundPath {
        outcome: Outcome::Error(ProgramError { kind, message: message.clone() }),
        place: Some(place(file, number)),
        ..FoundPath::default()
    };
    let witness = Witness { new, values: Vec::new(), ..witness(file, number, 3) };
    ErrorChange { kind, message, place: Some(place(file, number)), stack: Vec::new(), witness }
}

/// A unit with a function of each trouble for each number, `ways` ways to differ each.
fn unit(name: &str, functions: u32, ways: u32) -> UnitReport {
    let mut entries = Vec::new();
    for number in 0..functions {
        let own = |kind: &str| format!("{kind}{number}_{name}");
        let one = |kind: &str, sameness| Comparison {
            entry: own(kind),
            old_entry: own(kind),
            sameness,
            notes: vec![format!("a note on {name}")],
            reasons: if sameness == Sameness::Undecided {
                vec![format!("nothing came by {name}")]
            } else {
                Vec::new()
            },
            ..Comparison::default()
        };
        let differences = || (0..ways).map(|way| witness(name, way, 4)).collect();
        entries.push(Comparison {
            introduced: vec![error(name, number + 1)],
            differences: differences(),
            ..one("bad", Sameness::Differs)
        });
        entries.push(Comparison { differences: differences(), ..one("other", Sameness::Differs) });
        entries.push(one("open", Sameness::Undecided));
        entries.push(one("bounded", Sameness::WithinBounds));
        entries.push(one("same", Sameness::Same));
    }
    let node = |at: usize| CallNode { name: format!("{name}{at}"), changed: true, ..CallNode::default() };
    let edge = |caller, callee| CallEdge {
        caller,
        callee: Some(callee),
        spot: Spot::Line(3),
        kind: EdgeKind::Direct,
        carries: incise_report::Flow {
            arguments: vec![(name.to_owned(), name.to_owned())],
            ..Default::default()
        },
        returns: Default::default(),
    };
    let calls = CallGraph {
        nodes: (0..4).map(node).collect(),
        edges: vec![edge(0, 1), edge(1, 2), edge(2, 0), edge(3, 3)],
    };
    UnitReport {
        name: name.to_owned(),
        reached: Reached::Compared,
        verdicts: Verdicts { entries, reasons: vec![format!("{name} is a riddle")], ..Verdicts::default() },
        calls: Some(calls),
        notes: vec![name.to_owned()],
        ..UnitReport::default()
    }
}

fn report(found: &RepositoryReport) -> ChangeReport {
    let gate = |verdicts: &Verdicts| match verdicts.sameness() {
        Sameness::Differs => Gate::Fails,
        Sameness::Undecided => Gate::Open,
        _ => Gate::Passes,
    };
    let texts = |names: &[&str]| -> Vec<SourceText> {
        let text = |name: &&str| SourceText {
            name: (*name).to_owned(),
            old: Some(format!("int x;\n{name}\nint z;\n")),
            new: Some(format!("int x;\n{name} </script>\nint z;\n").repeat(20)),
            ..SourceText::default()
        };
        names.iter().map(text).collect()
    };
    ReportMaterial { found, gate: &gate, texts: &texts, program: "1.2.3" }.report()
}

/// Attributes and figures of XML.
fn parsed(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// All that can be asked of a document, however it was made.
fn check(report: &ChangeReport) {
    let (pages, marked) = (rendered(html::render, report), rendered(markdown::render, report));
    assert!(marked.len() <= markdown::MOST_BYTES, "{}", marked.len());
    assert!(pages.len() <= html::MOST_BYTES, "{}", pages.len());
    let page = parsed(&pages);
    let elements: Vec<_> = page.descendants().filter(roxmltree::Node::is_element).collect();
    let ids: Vec<&str> = elements.iter().filter_map(|each| each.attribute("id")).collect();
    for link in elements.iter().filter_map(|each| each.attribute("href")) {
        let target = link.strip_prefix('#').expect("no link leads out of the page");
        assert!(ids.contains(&target), "{link} leads nowhere");
    }
    let known = ["script", "img", "iframe", "object", "link", "form", "b"];
    assert!(!elements.iter().any(|each| known.contains(&each.tag_name().name())), "foreign elements");
    assert!(!elements.iter().any(|each| each.attributes().any(|one| one.name().starts_with("on"))));
    let text = rendered(sarif::render, report);
    assert!(text.len() <= sarif::MOST_BYTES, "{}", text.len());
    let document: Json = serde_json::from_str(&text).expect("SARIF is JSON");
    let run = &document["runs"][0];
    let results = run["results"].as_array().expect("a list");
    assert!(results.len() <= sarif::MOST_RESULTS);
    let said = run["invocations"][0]["toolExecutionNotifications"].to_string();
    let findings = report.findings().len();
    assert_eq!(results.len() < findings, said.contains("findings are not in this file"), "{said}");
    let quality: Json = serde_json::from_str(&rendered(gitlab::render, report)).expect("JSON");
    let issues = quality.as_array().expect("a list");
    assert_eq!(issues.len(), findings + report.not_compared.len());
    let mut prints: Vec<&str> = issues.iter().filter_map(|each| each["fingerprint"].as_str()).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), issues.len(), "two issues with one fingerprint are one to GitLab");
    let commands = rendered(github::render, report);
    assert!(commands.lines().count() <= 10);
    for line in commands.lines() {
        assert!(
            ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start)),
            "{line}"
        );
    }
    let suites = rendered(junit::render, report);
    agree(report, (&page, run, &parsed(&suites), &marked));
}

/// The same figures stand everywhere.
fn agree(
    report: &ChangeReport,
    (page, run, suites, marked): (&roxmltree::Document<'_>, &Json, &roxmltree::Document<'_>, &str),
) {
    let counts = &report.counts;
    let [introduces, differs, undecided, bounded, same] = counts.functions;
    let wanted = [
        ("functions", counts.all()),
        ("introduces", introduces),
        ("differs", differs),
        ("undecided", undecided),
        ("same-within-bounds", bounded),
        ("same", same),
        ("not-compared", counts.not_compared),
        ("errors-introduced", counts.introduced),
        ("ways-to-differ", counts.ways),
    ];
    for (name, count) in wanted {
        let shown = page.descendants().find(|each| each.attribute("data-count") == Some(name));
        assert_eq!(shown.and_then(|each| each.text()), Some(count.to_string().as_str()), "{name} in HTML");
        assert_eq!(run["properties"][name.replace('-', "_")], count, "{name} in SARIF");
    }
    let whole = suites.root_element();
    let figure = |name: &str| whole.attribute(name).and_then(|text| text.parse::<usize>().ok());
    assert_eq!(figure("tests"), Some(counts.all() + counts.not_compared));
    assert_eq!(figure("failures"), Some(introduces + differs));
    assert_eq!(figure("errors"), Some(undecided + counts.not_compared));
    let row = [counts.all(), introduces, differs, undecided, bounded, same, counts.not_compared];
    let row = row.map(|count| count.to_string()).join(" | ");
    assert!(marked.contains(&format!("| {row} |")), "{marked}");
}

#[test]
fn few_findings_are_all_shown() {
    let found = RepositoryReport { units: vec![unit("src/a.c", 2, 3)], ..RepositoryReport::default() };
    let report = report(&found);
    check(&report);
    let text = rendered(sarif::render, &report);
    assert!(!text.contains("\"id\":\"cut\"},\"level\""), "nothing is cut");
    assert_eq!(report.findings().len(), 2 + 2 * 3 + 2 * 3 + 2);
    let first = report.findings()[0].1;
    assert_eq!(first.kind.rule(), "introduced-division-by-zero");
    assert!(!rendered(markdown::render, &report).contains("more"));
}

#[test]
fn ten_thousand_findings_stay_within_the_limits_and_are_counted() {
    let units = (0..100).map(|number| unit(&format!("src/unit{number}.c"), 10, 5)).collect();
    let found = RepositoryReport { units, ..RepositoryReport::default() };
    let report = report(&found);
    assert!(report.findings().len() >= 10_000, "{}", report.findings().len());
    check(&report);
    let marked = rendered(markdown::render, &report);
    assert!(marked.len() > 30_000, "there is room for more than {}", marked.len());
    assert!(
        marked.contains("more functions are not in this table")
            && marked.contains("more findings are not shown here")
    );
    let page = rendered(html::render, &report);
    assert!(page.contains("more functions are not shown here"));
}

#[test]
fn a_long_path_keeps_its_beginning_and_its_end() {
    let mut long = unit("a.c", 1, 1);
    long.verdicts.entries[1].differences = vec![witness("a.c", 1, 30_000)];
    let report = report(&RepositoryReport { units: vec![long], ..RepositoryReport::default() });
    check(&report);
    let document: Json = serde_json::from_str(&rendered(sarif::render, &report)).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("a list");
    let steps =
        |result: &Json| result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().map_or(0, Vec::len);
    assert_eq!(results.iter().map(steps).max(), Some(1_000));
    let said = document["runs"][0]["invocations"][0].to_string();
    assert!(said.contains("the paths of 1 findings are longer than 1000 steps"), "{said}");
}

#[test]
fn nothing_that_a_program_is_called_breaks_a_format() {
    let hostile = [
        "</script><script>alert(1)</script>",
        "\" onload=alert(1) x='",
        "]]><![CDATA[ <!-- -->",
        "a\u{0}\u{1}\u{8}\u{b}\u{1f}\u{7f}\u{85}b",
        "\u{202e}\u{2066}\u{feff}\u{fffe}\u{ffff}\u{2028}",
        "`` ` ``` | \\| <img src=x onerror=alert(1)> @everyone #1 ![x](http://x)",
        "::error::x\n::set-output name=a::b\r\n%0A%25,:",
        "\u{fffd} é 漢字 🙂",
        "javascript:alert(1)//.c",
        " ",
        "",
        "-- --> {{ x }} ${x} $(x)",
    ];
    for name in hostile {
        let found = RepositoryReport {
            old: name.to_owned(),
            new: name.to_owned(),
            units: vec![unit(name, 1, 2)],
            added: vec![name.to_owned()],
            removed: vec![name.to_owned()],
            reasons: vec![name.to_owned()],
            left_out: vec![name.to_owned()],
            notes: vec![name.to_owned()],
            ..RepositoryReport::default()
        };
        check(&report(&found));
    }
}

#[test]
fn random_names_break_no_format() {
    let letters: Vec<char> =
        "<>&\"'`|\\[]()*_#@:,%-=\n\r\t\0\u{1b}\u{202e}é漢\u{ffff}ab /.".chars().collect();
    let mut seed = 42_u64;
    for _ in 0..200 {
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize
        };
        let length = random() % 24;
        let name: String = (0..length).map(|_| letters[random() % letters.len()]).collect();
        let found = RepositoryReport {
            units: vec![unit(&name, 1, 1)],
            notes: vec![name],
            ..RepositoryReport::default()
        };
        check(&report(&found));
    }
}

#[test]
fn what_is_not_compared_is_in_every_format() {
    let found = RepositoryReport {
        reasons: vec!["lib.h changed, and is not C".to_owned()],
        ..RepositoryReport::default()
    };
    let report = report(&found);
    check(&report);
    for render in
        [html::render, markdown::render, sarif::render, gitlab::render, junit::render, github::render]
    {
        let text = rendered(render, &report);
        assert!(text.contains("lib.h changed, and is not C"), "{text}");
    }
    assert_eq!(report.not_compared[0].place, Place { file: "lib.h".to_owned(), line: 1, column: 0 });
}

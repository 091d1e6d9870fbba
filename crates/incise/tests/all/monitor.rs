//! `incise monitor`: the paper's example, the brake controller against native runs, and what users get wrong.

use crate::common::{Folder, Said, assert_fails, incise, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The names of the nodes with a mark.
fn marked(document: &Value, mark: &str) -> BTreeSet<String> {
    let nodes = document["nodes"].as_array().expect("nodes").iter();
    nodes
        .filter(|node| node["mark"] == mark)
        .map(|node| node["name"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn monitor(folder: &Path, arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(folder).arg("monitor").args(arguments))
}

const FIGURE: [&str; 3] = ["examples/monitor/wbs.bif", "examples/monitor/old.c", "examples/monitor/new.c"];

#[test]
fn the_papers_figures_are_marked_as_what_really_differs() {
    let said = monitor(&root(), &[&FIGURE[..], &["--format", "json"]].concat());
    let document = said.json().expect("JSON");
    assert_eq!(said.status, 1);
    assert_eq!(document["schema"], "incise-monitor/1");
    assert_eq!(marked(&document, "differs"), set(&["PedalCmd", "U_PedalCmd", "AltPress", "H_PedalCmd"]));
    assert_eq!(
        marked(&document, "same"),
        set(&["PedalPos", "H_PedalPos", "BSwitch", "H_BSwitch", "U_Meter", "Meter"])
    );
    for node in document["nodes"].as_array().expect("nodes") {
        if node["mark"] == "differs" && !node["maps_to"].is_null() {
            assert_eq!(node["witness"]["replayed"], true, "{node}");
            let last = node["chain"].as_array().and_then(|chain| chain.last()).expect("a chain");
            assert_eq!(last["location"]["line"], 10, "{node}");
        }
    }
}

#[test]
fn the_papers_own_way_misses_what_old_did() {
    let said = monitor(&root(), &[&FIGURE[..], &["--rules", "paper", "--format", "json"]].concat());
    let document = said.json().expect("JSON");
    assert_eq!(marked(&document, "differs"), set(&["PedalCmd", "U_PedalCmd"]));
}

#[test]
fn versions_that_do_the_same_mark_nothing() {
    let said = monitor(
        &root(),
        &["examples/monitor/wbs.bif", "examples/monitor/old.c", "examples/monitor/old.c", "--format", "json"],
    );
    assert_eq!((said.status, marked(&said.json().expect("JSON"), "same").len()), (0, 10));
}

/// Two versions with a variable for each node that is in danger to be called the same.
const TRAP_NET: &str = "variable X { type discrete [ 2 ] { low, high }; }\nvariable Y { type discrete [ 2 ] { a, b }; }\n\
    variable S { type discrete [ 2 ] { a, b }; }\nvariable Gone { type discrete [ 2 ] { a, b }; }\n\
    variable Odd { type discrete [ 2 ] { a, b }; }\nprobability ( S | X, Y ) { default 0.5, 0.5; }";

#[test]
fn bounds_and_ends_take_the_same_away() {
    let old = "int X, Y, Gone; void step(unsigned n) { unsigned i; for (i = 0; i < n; i++) X = X * 3 + (int)i; Y = 1; }";
    let new = "int X, Y; void step(unsigned n) { unsigned i; for (i = 0; i < n; i++) X = X * 3 + (int)(i < 40 ? i : 7); Y = 1; }";
    let folder = Folder::with(&[("n.bif", TRAP_NET), ("old.c", old), ("new.c", new)]);
    let map = "[nodes.S]\nkind = \"status\"\n";
    std::fs::write(folder.path("m.toml"), map).expect("a map");
    let said = folder.run(&[
        "monitor",
        "n.bif",
        "old.c",
        "new.c",
        "--map",
        "m.toml",
        "--format",
        "json",
        "--max-time",
        "10",
    ]);
    let document = said.json().expect("JSON");
    let same = marked(&document, "same");
    assert!(!same.contains("X") && !same.contains("S") && !same.contains("Gone"), "{document}");
    assert!(marked(&document, "unmapped").contains("Odd"));
    assert!(same.contains("Y"), "{document}");
}

#[test]
fn a_version_that_does_not_return_leaves_no_value_that_is_the_same() {
    let old = "int X, Y; void step(int a) { X = 1; Y = 2; }";
    let new = "int X, Y; void step(int a) { X = 1; Y = 2 / a; if (a) Y = 2; }";
    let folder = Folder::with(&[("n.bif", TRAP_NET), ("old.c", old), ("new.c", new)]);
    let said = folder.run(&["monitor", "n.bif", "old.c", "new.c", "--format", "json"]);
    let document = said.json().expect("JSON");
    assert!(!marked(&document, "same").contains("X"), "{document}");
    assert_eq!(said.status, 1, "{document}");
}

#[test]
fn states_that_are_gained_and_lost_are_told() {
    let old = "int X; void step(int a) { if (a > 10) a = 10; if (a < 0) a = 0; X = a; }";
    let new = "int X; void step(int a) { if (a > 10) a = 10; if (a < 3) a = 3; X = a; }";
    let net = "variable X { type discrete [ 3 ] { none, low, high }; }";
    let map = "[nodes.X]\nthresholds = [{ at_most = 0, state = \"none\" }, { below = 5, state = \"low\" }, { state = \"high\" }]\n";
    let folder = Folder::with(&[("n.bif", net), ("old.c", old), ("new.c", new), ("m.toml", map)]);
    let forth = folder
        .run(&["monitor", "n.bif", "old.c", "new.c", "--map", "m.toml", "--format", "json"])
        .json()
        .expect("JSON");
    assert_eq!(forth["nodes"][0]["states"]["lost"], serde_json::json!(["none"]));
    let back = folder
        .run(&["monitor", "n.bif", "new.c", "old.c", "--map", "m.toml", "--format", "json"])
        .json()
        .expect("JSON");
    assert_eq!(back["nodes"][0]["states"]["gained"], serde_json::json!(["none"]));
    assert_eq!(back["nodes"][0]["witness"]["replayed"], true);
}

#[test]
fn edges_and_dependences_are_compared() {
    let net = "variable A { type discrete [ 2 ] { a, b }; }\nvariable B { type discrete [ 2 ] { a, b }; }\nvariable C { type discrete [ 2 ] { a, b }; }\n\
        probability ( C | A ) { default 0.5, 0.5; }";
    let old = "int A, B, C;\nvoid step(void) {\n    C = A + 1;\n}\n";
    let new = "int A, B, C;\nvoid step(void) {\n    C = B + 1;\n}\n";
    let folder = Folder::with(&[("n.bif", net), ("old.c", old), ("new.c", new)]);
    let document =
        folder.run(&["monitor", "n.bif", "old.c", "new.c", "--format", "json"]).json().expect("JSON");
    let found: BTreeSet<(String, String)> = document["edges"]
        .as_array()
        .expect("edges")
        .iter()
        .map(|edge| {
            let text = |key: &str| edge[key].as_str().unwrap_or_default().to_owned();
            (format!("{}->{}", text("from"), text("to")), text("finding"))
        })
        .collect();
    let expected = [("A->C", "no-dependence"), ("B->C", "no-edge")]
        .map(|(edge, finding)| (edge.to_owned(), finding.to_owned()));
    assert_eq!(found, expected.into_iter().collect());
}

#[test]
fn measurements_and_specifications_have_marks() {
    let old = "int speed; int grant; void step(int request) { speed = request > 5 ? 5 : request; grant = request > 0; }";
    let new = "int speed; int grant; void step(int request) { speed = request > 9 ? 9 : request; grant = request > 0; }";
    let c2po = "INPUT request, grant: bool; speed: int;\nDEFINE fast := speed > 7;\nFTSPEC answered: G[0,9] (request -> grant); calm: !fast;\n";
    let a2l =
        "/begin MEASUREMENT V \"v\" SWORD NO_COMPU_METHOD 0 0 0 7 SYMBOL_LINK \"speed\" 0 /end MEASUREMENT";
    let folder = Folder::with(&[("s.c2po", c2po), ("m.a2l", a2l), ("old.c", old), ("new.c", new)]);
    let document =
        folder.run(&["monitor", "s.c2po", "old.c", "new.c", "--format", "json"]).json().expect("JSON");
    assert_eq!(marked(&document, "differs"), set(&["speed", "fast", "calm"]));
    assert_eq!(marked(&document, "same"), set(&["request", "grant", "answered"]));
    let document =
        folder.run(&["monitor", "m.a2l", "old.c", "new.c", "--format", "json"]).json().expect("JSON");
    assert_eq!(document["nodes"][0]["states"]["gained"], serde_json::json!(["above"]));
}

#[test]
fn pictures_evidence_and_maps_are_written() {
    let folder = Folder::with(&[]);
    let path = |name: &str| folder.path(name).display().to_string();
    let (dot, svg, html, csv) = (path("m.dot"), path("m.svg"), path("m.html"), path("m.csv"));
    let files = ["--dot", &dot, "--svg", &svg, "--html", &html, "--evidence", &csv];
    assert_eq!(monitor(&root(), &[&FIGURE[..], &files].concat()).status, 1);
    let text = |name: &str| std::fs::read_to_string(folder.path(name)).expect(name);
    assert!(text("m.dot").contains("shape=octagon") && text("m.svg").contains("AltPress"));
    assert!(text("m.html").contains("PedalCmd = PedalPos * 1;"));
    let csv = text("m.csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows.len() >= 3 && rows[0].starts_with("case,version,H_PedalPos,PedalPos"), "{csv}");
    assert!(rows.iter().all(|row| row.split(',').count() == 12), "{csv}");
    let said = monitor(&root(), &[&FIGURE[..], &["--init"]].concat());
    assert_eq!(said.status, 0);
    std::fs::write(folder.path("map.toml"), &said.stdout).expect("a map");
    let map = path("map.toml");
    let said = monitor(&root(), &[&FIGURE[..], &["--map", &map, "--format", "json"]].concat());
    assert_eq!(
        marked(&said.json().expect("JSON"), "differs"),
        set(&["PedalCmd", "U_PedalCmd", "AltPress", "H_PedalCmd"])
    );
}

#[test]
fn tests_of_a_suite_that_concern_marked_nodes_are_named() {
    let folder = Folder::with(&[]);
    let suite = folder.path("suite").display().to_string();
    let made = Said::by(
        incise()
            .current_dir(root())
            .args(["suite", "generate", FIGURE[1], "--entry", "update", "-o", &suite]),
    );
    assert!(made.status <= 1, "{}", made.stderr);
    let document = monitor(&root(), &[&FIGURE[..], &["--suite", &suite, "--format", "json"]].concat())
        .json()
        .expect("JSON");
    let (named, all) =
        (document["suite"]["tests"].as_array().expect("tests").len(), document["suite"]["all"].as_u64());
    assert!(named > 0 && (named as u64) < all.unwrap_or(0), "{}", document["suite"]);
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::with(&[
        ("n.bif", TRAP_NET),
        ("bad.bif", "network x"),
        ("a.c", "int X; void step(void) { X = 1; }"),
        ("m.toml", "[nodes.Z]\n"),
    ]);
    assert_fails(&folder.run(&["monitor", "bad.bif", "a.c", "a.c"]), &["bad.bif:1: expected `{`"]);
    assert_fails(&folder.run(&["monitor", "none.bif", "a.c", "a.c"]), &["none.bif cannot be read"]);
    assert_fails(
        &folder.run(&["monitor", "n.bif", "a.c", "a.c", "--map", "m.toml"]),
        &["m.toml", "line 1: `Z` is no node of the monitor"],
    );
    assert_fails(&folder.run(&["monitor", "n.bif", "a.c", "a.c", "--entry", "stop"]), &["stop"]);
}

/// What can be observed of the brake controller, and the inputs that native runs are given: values at and beside every
/// limit.
const GRID: [(&str, &str); 14] = [
    ("SupplyVoltage", "17,18,19"),
    ("GroundSpeed", "9,10,11,31"),
    ("GreenPressure", "119,120,170,171"),
    ("BluePressure", "119,120,170,171"),
    ("MeasuredPressure", "0,16,35,86"),
    ("BrakeTemperature", "200,201,400,401,700,701"),
    ("AutoLevel", "0,1,2"),
    ("Mode", "0,1,2"),
    ("SkidCycles", "0,1,2,5,6"),
    ("Disagreements", "0,2,3"),
    ("Applications", "2000,2001"),
    ("PedalPos", "-1,0,1,2,3,4"),
    ("AutoBrake", "0,1"),
    ("Skid", "0,1"),
];
const OUTPUTS: [&str; 10] = [
    "NormalCommand",
    "AlternateCommand",
    "SelectorOpen",
    "AccumulatorOpen",
    "FanSpeed",
    "AutoBrakeLight",
    "AlternateLight",
    "FaultLight",
    "HotLight",
    "InspectionLight",
];
const LOCALS: [&str; 5] = ["demand", "automatic", "release", "command", "difference"];

/// A program that runs both versions on all inputs of the grid, and prints what differs on some.
fn native_oracle(folder: &Path, old: &str, new: &str) -> BTreeSet<String> {
    let globals: Vec<&str> =
        GRID.iter().take(11).map(|(name, _)| *name).chain(OUTPUTS).chain(LOCALS).collect();
    let mut text = String::new();
    for (prefix, source) in [("old_", old), ("new_", new)] {
        for name in globals.iter().chain(&["update"]) {
            text += &format!("#define {name} {prefix}{name}\n");
        }
        // What a function keeps to itself is what it was before where it is not written.
        let mut source = source.to_owned();
        for name in LOCALS {
            source = source.replace(&format!("    int {name};\n"), "");
            text += &format!("int {name};\n");
        }
        for tag in ["pedal", "mode", "level"] {
            source = source.replace(&format!("enum {tag} {{"), "enum {");
        }
        text += &source;
        text += "\n";
        for name in globals.iter().chain(&[
            "update",
            "SUPPLY_LEAST",
            "AUTOBRAKE_SPEED",
            "ANTISKID_SPEED",
            "HYDRAULICS_LOW",
            "HYDRAULICS_RESTORED",
            "BRAKES_WARM",
            "BRAKES_HOT",
            "BRAKES_BURNING",
            "SKID_RECOVERY_FAST",
            "SKID_RECOVERY_SLOW",
            "MONITOR_PATIENCE",
            "WEAR_LIMIT",
            "TOLERANCE",
        ]) {
            text += &format!("#undef {name}\n");
        }
        if prefix == "old_" {
            for name in [
                "PEDAL_RELEASED",
                "PEDAL_LIGHT",
                "PEDAL_MEDIUM",
                "PEDAL_HARD",
                "PEDAL_FULL",
                "MODE_NORMAL",
                "MODE_ALTERNATE",
                "MODE_EMERGENCY",
                "AUTO_LOW",
                "AUTO_MEDIUM",
                "AUTO_MAXIMUM",
            ] {
                text += &format!("#define {name} again_{name}\n");
            }
        }
    }
    text += "#include <stdio.h>\nint main(void) {\n";
    text += &format!("static int seen[{}];\n", globals.len());
    for (name, values) in GRID {
        text += &format!("static const int in_{name}[] = {{{values}}};\n");
    }
    for (name, _) in GRID {
        let size = format!("sizeof in_{name} / sizeof *in_{name}");
        text += &format!("for (unsigned i_{name} = 0; i_{name} < {size}; i_{name}++)\n");
    }
    text += "{\n";
    for name in &globals {
        let value = if GRID.iter().any(|(input, _)| input == name) {
            format!("in_{name}[i_{name}]")
        } else {
            "-777".to_owned()
        };
        text += &format!("old_{name} = new_{name} = {value};\n");
    }
    for version in ["old", "new"] {
        text += &format!(
            "{version}_update(in_PedalPos[i_PedalPos], in_AutoBrake[i_AutoBrake], in_Skid[i_Skid]);\n"
        );
    }
    for (number, name) in globals.iter().enumerate() {
        text += &format!("seen[{number}] |= old_{name} != new_{name};\n");
    }
    text += "}\n";
    for (number, name) in globals.iter().enumerate() {
        text += &format!("if (seen[{number}]) puts(\"{name}\");\n");
    }
    text += "return 0;\n}\n";
    std::fs::write(folder.join("oracle.c"), text).expect("the oracle");
    let built = Command::new("clang-19")
        .current_dir(folder)
        .args(["-O2", "-w", "oracle.c", "-o", "oracle"])
        .output()
        .expect("clang");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("oracle")).output().expect("the oracle runs");
    assert!(ran.status.success());
    String::from_utf8_lossy(&ran.stdout).lines().map(str::to_lowercase).collect()
}

/// A node whose variable differs natively on some input is never marked same, and every witness is real. All versions
/// with `INCISE_LONG=1`, some without.
#[test]
fn marks_of_the_brake_controller_agree_with_native_runs() {
    let folder = Folder::with(&[]);
    let study = root().join("case-study");
    let made = Command::new("python3")
        .arg(root().join("scripts/case_study.py"))
        .args(["--write", &folder.root().display().to_string(), "wbs"])
        .output()
        .expect("Python runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let text =
        |version: &str| std::fs::read_to_string(folder.path(&format!("wbs-{version}.c"))).expect("a version");
    let long = std::env::var_os("INCISE_LONG").is_some();
    let versions: Vec<String> = match long {
        true => (1..=18).map(|number| format!("v{number}")).collect(),
        false => ["v3", "v5", "v7", "v8", "v12"].map(str::to_owned).to_vec(),
    };
    let (network, map) =
        (study.join("wbs.bif").display().to_string(), study.join("wbs-monitor.toml").display().to_string());
    let mut all = 0;
    for version in versions {
        let native = native_oracle(folder.root(), &text("v0"), &text(&version));
        let new = format!("wbs-{version}.c");
        let said = folder.run(&["monitor", &network, "wbs-v0.c", &new, "--map", &map, "--format", "json"]);
        let document = said.json().expect("JSON");
        let nodes = document["nodes"].as_array().expect("nodes");
        assert!(nodes.len() >= 30);
        let mut marks: BTreeMap<String, &Value> = BTreeMap::new();
        for node in nodes {
            let Some(variable) = node["maps_to"].as_str() else { continue };
            marks.insert(variable.rsplit(':').next().unwrap_or_default().to_lowercase(), node);
        }
        for (variable, node) in &marks {
            let (differs, same) = (native.contains(variable), node["mark"] == "same");
            assert!(!(differs && same), "{version}: {variable} differs natively, and is marked same");
            assert!(node["mark"] != "differs" || node["witness"]["replayed"] == true, "{version}: {node}");
            all += usize::from(differs);
        }
        let unseen: Vec<&String> = native.iter().filter(|name| !marks.contains_key(*name)).collect();
        assert_eq!(unseen, Vec::<&String>::new(), "{version}");
    }
    assert!(all >= 12, "{all}");
}

//! `incise monitor`: the paper's example, what is in danger to be called the same, and what users get wrong. The brake
//! controller is in `monitor_oracle.rs`.

use crate::common::{Folder, Said, assert_fails, incise, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

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

/// A network of nodes without edges.
fn network(names: &[&str]) -> String {
    names.iter().map(|name| format!("variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n")).collect()
}

/// What `incise monitor` says of nodes, old and new versions of a file.
fn marks_of(names: &[&str], old: &str, new: &str) -> Value {
    let folder = Folder::with(&[("n.bif", &network(names)), ("old.c", old), ("new.c", new)]);
    let said = folder.run(&["monitor", "n.bif", "old.c", "new.c", "--entry", "step", "--format", "json"]);
    said.json().unwrap_or_else(|_| panic!("{}", said.stderr))
}

/// The lines of the chain of a node.
fn chain_of(document: &Value, name: &str) -> Vec<u64> {
    let nodes = document["nodes"].as_array().expect("nodes");
    let node = nodes.iter().find(|node| node["name"] == name).expect("a node");
    let steps = node["chain"].as_array().expect("a chain").iter();
    steps.map(|step| step["location"]["line"].as_u64().unwrap_or(0)).collect()
}

#[test]
fn what_others_change_in_volatile_variables_is_not_overlooked_where_something_else_differs() {
    let text = |one: &str, more: &str| {
        format!(
            "volatile int sensor;\nint X, Y, Z;\nvoid step(int m) {{\n    X = sensor{one};\n{more}    Y = sensor;\n    Z = m;\n}}\n"
        )
    };
    let document = marks_of(&["X", "Y", "Z"], &text("", ""), &text(" + 1", "    (void)sensor;\n"));
    assert_eq!(marked(&document, "differs"), set(&["X", "Y"]), "{document}");
    // What only NEW changes in its order leaves nothing the same that hangs on it.
    let document = marks_of(&["X", "Y", "Z"], &text("", ""), &text(" + 1", ""));
    assert_eq!((marked(&document, "differs"), marked(&document, "same")), (set(&["X"]), set(&["Y", "Z"])));
}

#[test]
fn members_of_a_union_share_what_is_written() {
    let text = |limit: &str| {
        format!(
            "union word {{ int whole; unsigned char bytes[4]; }} U;\nstruct {{ int own; union {{ int one; float other; }}; }} S;\n\
             void step(int a, int b) {{\n    U.whole = a;\n    S.one = a;\n    if (b > {limit})\n        U.bytes[1] = 7, S.one = 9;\n}}\n"
        )
    };
    let document = marks_of(&["whole", "bytes", "other", "own"], &text("100"), &text("101"));
    assert_eq!(marked(&document, "same"), set(&["own"]), "{document}");
}

#[test]
fn members_that_the_change_has_no_influence_on_are_the_same_though_not_all_was_explored() {
    let text = |last: &str| {
        format!(
            "struct {{ int sum; int count; int flag; }} M;\nvoid step(unsigned n) {{\n    M.count++;\n\
             for (unsigned i = 0; i < n; i++)\n        M.sum = M.sum * 3 + (i < {last});\n    M.flag = M.count > 3;\n}}\n"
        )
    };
    let document = marks_of(&["sum", "count", "flag", "M"], &text("100"), &text("101"));
    assert_eq!(marked(&document, "same"), set(&["count", "flag"]), "{document}");
    let notes = document["notes"].to_string();
    assert!(notes.contains("wherever both versions return"), "{notes}");
}

#[test]
fn branches_that_have_no_say_in_what_changed_are_not_multiplied() {
    const MODULES: usize = 24;
    const CONCERNED: usize = 16;
    let text = |first: u32| {
        let mut text = String::new();
        for number in 0..MODULES {
            let from = match number {
                0 => format!("(sensor > 10 ? 9 : {first})"),
                CONCERNED.. => "sensor".to_owned(),
                _ => format!("command{}", number - 1),
            };
            text += &format!(
                "int command{number}, load{number}, mode{number};\nstatic void step{number}(int sensor, int other) {{\n\
                 if ({from} > {number})\n        command{number} = {from} + 1;\n    else\n\
                 command{number} = {from} - 1;\n    load{number} = other > {number} ? other : 0;\n\
                 if (load{number} > 5 && other != {number})\n        mode{number} = 1;\n    else\n\
                 mode{number} = 2;\n}}\n"
            );
        }
        let calls: String =
            (0..MODULES).map(|number| format!("    step{number}(sensor, other);\n")).collect();
        format!("{text}void step(int sensor, int other) {{\n{calls}}}\n")
    };
    let names: Vec<String> = (0..MODULES)
        .flat_map(|number| ["command", "load", "mode"].map(|name| format!("{name}{number}")))
        .collect();
    let document = marks_of(&names.iter().map(String::as_str).collect::<Vec<_>>(), &text(1), &text(2));
    let commands: BTreeSet<String> = (0..CONCERNED).map(|number| format!("command{number}")).collect();
    assert_eq!(marked(&document, "differs"), commands);
    assert_eq!(marked(&document, "same").len(), names.len() - CONCERNED, "{document}");
}

#[test]
fn what_passes_through_limits_one_after_the_other_is_seen_to_differ() {
    const STAGES: usize = 14;
    let text = |gain: u32| {
        let mut text = String::from("int demand, spare;\n");
        for stage in 0..STAGES {
            let before = if stage == 0 { "demand".to_owned() } else { format!("level{}", stage - 1) };
            let (most, gain) = (60 + stage, if stage == 0 { gain } else { 3 });
            text += &format!(
                "int input{stage}, level{stage};\nstatic void stage{stage}(void) {{\n\
                 int sum = {before} % 100 + input{stage} % 100;\n    if (sum < 0)\n        sum = 0;\n\
                 if (sum > {most})\n        level{stage} = {most};\n    else\n\
                 level{stage} = sum + {gain};\n}}\n"
            );
        }
        let calls: String = (0..STAGES).map(|stage| format!("    stage{stage}();\n")).collect();
        text + &format!("void step(void) {{\n{calls}    spare = demand;\n}}\n")
    };
    let levels: Vec<String> = (0..STAGES).map(|stage| format!("level{stage}")).collect();
    let names: Vec<&str> = levels.iter().map(String::as_str).chain(["spare"]).collect();
    // There are millions of paths, and one if branches that only choose values are joined.
    let document = marks_of(&names, &text(2), &text(3));
    assert_eq!(marked(&document, "differs"), levels.iter().cloned().collect(), "{document}");
    assert_eq!(marked(&document, "same"), set(&["spare"]));
}

#[test]
fn states_behind_limits_one_after_the_other_are_told() {
    const STAGES: usize = 12;
    let text = |least: u32| {
        let mut text = String::new();
        for stage in 0..STAGES {
            let before = if stage == 0 { "input0".to_owned() } else { format!("level{}", stage - 1) };
            let most = 60 + stage;
            text += &format!(
                "int input{stage}, level{stage};\nstatic void stage{stage}(void) {{\n\
                 int sum = {before} % 100 + input{stage} % 100;\n    if (sum < {least})\n        sum = {least};\n\
                 if (sum > {most})\n        level{stage} = {most};\n    else\n        level{stage} = sum;\n}}\n"
            );
        }
        let calls: String = (0..STAGES).map(|stage| format!("    stage{stage}();\n")).collect();
        text + &format!("void step(void) {{\n{calls}}}\n")
    };
    let (mut net, mut map) = (String::new(), String::new());
    for stage in 0..STAGES {
        net += &format!("variable level{stage} {{ type discrete [ 3 ] {{ low, middle, high }}; }}\n");
        map += &format!(
            "[nodes.level{stage}]\nthresholds = [{{ below = 4, state = \"low\" }}, {{ below = 50, state = \"middle\" }}, \
             {{ state = \"high\" }}]\n"
        );
    }
    let (old, new) = (text(3), text(4));
    let folder = Folder::with(&[("n.bif", &net), ("old.c", &old), ("new.c", &new), ("m.toml", &map)]);
    let document = folder
        .run(&[
            "monitor", "n.bif", "old.c", "new.c", "--map", "m.toml", "--entry", "step", "--format", "json",
        ])
        .json()
        .expect("JSON");
    let nodes = document["nodes"].as_array().expect("nodes");
    for node in nodes {
        let states = &node["states"];
        assert_eq!(states["lost"], serde_json::json!(["low"]), "{node}");
        assert!(states["gained"].as_array().is_none_or(Vec::is_empty), "{node}");
        assert!(states["open"].as_array().is_none_or(Vec::is_empty), "{node}");
    }
    assert_eq!(nodes.len(), STAGES);
}

#[test]
fn chains_lead_down_to_the_changed_line_through_calls() {
    let text = |limit: &str| {
        format!(
            "static int up(int x) {{\n    return x + 1;\n}}\nstatic int down(int x) {{\n    return x - {limit};\n}}\n\
             int (*const table[2])(int) = {{ up, down }};\nint level, depth;\nstatic int walk(int n) {{\n    depth++;\n\
             if (n <= 0)\n        return 0;\n    return walk(n - 1);\n}}\nvoid step(unsigned command) {{\n    depth = 0;\n\
             if (command < 2)\n        level = table[command](level);\n    walk(level & 3);\n}}\n"
        )
    };
    let document = marks_of(&["level", "depth"], &text("1"), &text("2"));
    assert_eq!(marked(&document, "differs"), set(&["level", "depth"]));
    assert_eq!(chain_of(&document, "level"), [18, 5]);
    assert_eq!(chain_of(&document, "depth").last(), Some(&5), "{document}");
    assert!(chain_of(&document, "depth").contains(&19), "{document}");
}

#[test]
fn what_a_function_wrote_that_is_not_called_any_more_is_told_by_its_call() {
    let old = "int W, V;\nstatic void put(int *to, int v) {\n    if (v)\n        *to = v;\n}\nvoid step(int a) {\n    put(&W, a);\n    V = a;\n}\n";
    let new = "int W, V;\nvoid step(int a) {\n    V = a;\n}\n";
    let document = marks_of(&["W", "V"], old, new);
    assert_eq!((marked(&document, "differs"), marked(&document, "same")), (set(&["W"]), set(&["V"])));
    assert_eq!(chain_of(&document, "W"), [7]);
}

#[test]
fn what_an_unaffected_statement_gives_is_no_reason() {
    let text = |limit: &str| {
        format!(
            "struct {{ int mode; int timer; }} C;\nvoid step(int pedal) {{\n    C.timer++;\n    if (pedal == 0 && C.timer > {limit}) {{\n\
             C.mode = 1;\n        C.timer = 0;\n    }}\n}}\n"
        )
    };
    let document = marks_of(&["mode", "timer"], &text("3"), &text("4"));
    assert_eq!((chain_of(&document, "mode"), chain_of(&document, "timer")), (vec![5, 4], vec![6, 4]));
    let nodes = document["nodes"].as_array().expect("nodes");
    assert!(nodes.iter().all(|node| node["witness"]["part"].is_null()));
}

#[test]
fn code_that_nobody_can_see_does_not_change_what_a_function_keeps_to_itself() {
    let text = |limit: &str| {
        format!(
            "int read_sensor(int channel);\nvoid set_valve(int v);\nint X;\nvoid step(int m) {{\n    int kept = m * 2;\n\
             X = read_sensor(1);\n    if (X > {limit})\n        set_valve(kept);\n}}\n"
        )
    };
    let document = marks_of(&["X", "kept", "m"], &text("10"), &text("11"));
    let differs = marked(&document, "differs");
    assert!(!differs.contains("kept") && !differs.contains("m"), "{document}");
}

#[test]
fn states_of_members_and_of_variables_of_other_files_are_told() {
    let header = "struct unit { int level; double rate; };\nextern struct unit U;\nint limited(int);\n";
    let own =
        "#include \"unit.h\"\nvoid step(int a) { U.level = limited(a); U.rate = a > 3 ? 0.25 : 0.75; }\n";
    let other = |most: &str| {
        format!(
            "#include \"unit.h\"\nstruct unit U;\nstatic int last;\nint limited(int a) {{ last = a > {most} ? {most} : a < 0 ? 0 : a; return last; }}\n"
        )
    };
    let map = "entry = \"step\"\n[nodes.level]\nthresholds = [{ below = 5, state = \"low\" }, { state = \"high\" }]\n\
        [nodes.last]\nthresholds = [{ below = 5, state = \"low\" }, { state = \"high\" }]\n";
    let net = "variable level { type discrete [ 2 ] { low, high }; }\nvariable last { type discrete [ 2 ] { low, high }; }\n\
        variable rate { type discrete [ 2 ] { a, b }; }\n";
    let folder = Folder::with(&[("n.bif", net), ("m.toml", map)]);
    for (version, most) in [("old", "4"), ("new", "6")] {
        std::fs::create_dir(folder.path(version)).expect("a folder");
        for (name, text) in [("unit.h", header), ("own.c", own), ("other.c", other(most).as_str())] {
            std::fs::write(folder.path(&format!("{version}/{name}")), text).expect("a file");
        }
    }
    let document = folder
        .run(&["monitor", "n.bif", "old", "new", "--map", "m.toml", "--format", "json"])
        .json()
        .expect("JSON");
    assert_eq!(
        (marked(&document, "differs"), marked(&document, "same")),
        (set(&["level", "last"]), set(&["rate"]))
    );
    for node in 0..2 {
        assert_eq!(document["nodes"][node]["states"]["gained"], serde_json::json!(["high"]), "{document}");
    }
}

#[test]
fn inputs_that_are_not_as_taken_take_the_same_away_though_something_else_differs() {
    let text = |limit: &str, by: &str| {
        format!(
            "int X, Y;\nvoid step(int *p, int a) {{\n    X = a > {limit};\n    Y = 0;\n    if (p == 0)\n        Y = {by};\n    else\n        X += *p;\n}}\n"
        )
    };
    let document = marks_of(&["X", "Y"], &text("3", "1"), &text("4", "2"));
    assert!(marked(&document, "differs").contains("X"), "{document}");
    assert!(!marked(&document, "same").contains("Y"), "{document}");
}

#[test]
fn nodes_stand_for_what_is_computed_from_variables() {
    let text = |by: &str| {
        format!(
            "struct {{ int high; int low; }} P;\nint calm;\nvoid step(int a) {{\n    P.high = a + {by};\n    P.low = a + {by} - 3;\n    calm = a > 5;\n}}\n"
        )
    };
    let net = "variable Width { type discrete [ 2 ] { narrow, wide }; }\nvariable Sum { type discrete [ 2 ] { few, many }; }\n\
        variable Calm { type discrete [ 2 ] { a, b }; }\nvariable Local { type discrete [ 2 ] { a, b }; }\n";
    let map = "entry = \"step\"\n[nodes.Width]\nvariable = \"P.high - P.low\"\n[nodes.Sum]\nvariable = \"P.high + P.low\"\n\
        thresholds = [{ below = 0, state = \"few\" }, { state = \"many\" }]\n[nodes.Calm]\nvariable = \"!calm * 2\"\n\
        [nodes.Local]\nvariable = \"a - calm\"\n";
    let folder = Folder::with(&[
        ("n.bif", net),
        ("old.c", &text("1")),
        ("new.c", &text("2")),
        ("m.toml", map),
        ("bad.toml", "[nodes.Sum]\nvariable = \"P.high + P.lo\"\n"),
    ]);
    let csv = folder.path("c.csv").display().to_string();
    let said = folder.run(&[
        "monitor",
        "n.bif",
        "old.c",
        "new.c",
        "--map",
        "m.toml",
        "--format",
        "json",
        "--evidence",
        &csv,
    ]);
    let document = said.json().expect("JSON");
    // The difference of the two is always three; no input shows another.
    assert_eq!(marked(&document, "may-differ"), set(&["Width"]), "{document}");
    assert_eq!(marked(&document, "same"), set(&["Calm", "Local"]), "{document}");
    assert_eq!(marked(&document, "differs"), set(&["Sum"]), "{document}");
    assert_eq!(document["nodes"][1]["witness"]["replayed"], true);
    assert_eq!(document["nodes"][0]["maps_to"], "P.high - P.low");
    let rows = std::fs::read_to_string(&csv).unwrap_or_default();
    assert!(rows.lines().skip(1).all(|row| row.split(',').nth(2) == Some("3")), "{rows}");
    assert_fails(
        &folder.run(&["monitor", "n.bif", "old.c", "new.c", "--entry", "step", "--map", "bad.toml"]),
        &["`Sum` is mapped to `P.lo`, which is not there; did you mean `P.low`?"],
    );
}

#[test]
fn chains_lead_through_what_other_functions_leave_in_variables() {
    let text = |limit: &str| {
        format!(
            "int In, One, Two, Three;\nstatic void first(void) {{\n    One = In > {limit} ? In : 0;\n}}\n\
             static void second(void) {{\n    Two = One * 2;\n}}\nstatic void third(void) {{\n    if (Two > 7)\n        Three = 1;\n}}\n\
             void step(void) {{\n    first();\n    second();\n    third();\n}}\n"
        )
    };
    let document = marks_of(&["In", "One", "Two", "Three"], &text("3"), &text("4"));
    assert_eq!(marked(&document, "differs"), set(&["One", "Two", "Three"]), "{document}");
    assert_eq!((chain_of(&document, "One"), chain_of(&document, "Two")), (vec![3], vec![6, 3]));
    assert_eq!(chain_of(&document, "Three"), [10, 9, 6, 3], "{document}");
}

#[test]
fn what_later_calls_carry_on_is_told() {
    let text = |rest: &str, use_it: &str| {
        format!(
            "static int kept;\nint Level, Other;\nvoid step(int a) {{\n    Level = a{use_it};\n    Other = a + 1;\n    kept = a{rest};\n}}\n"
        )
    };
    let document = marks_of(&["Level", "Other"], &text("", " + kept"), &text(" + 1", " + kept"));
    assert_eq!(marked(&document, "same"), set(&["Level", "Other"]), "{document}");
    let notes = document["notes"].to_string();
    assert!(notes.contains("what it left in kept, by which Level can differ then"), "{notes}");
    let later = |name: &str| {
        let nodes = document["nodes"].as_array().expect("nodes");
        nodes.iter().find(|node| node["name"] == name).expect("a node")["later"].as_bool()
    };
    assert_eq!((later("Level"), later("Other")), (Some(true), Some(false)), "{document}");
    assert_eq!(
        (&document["summary"]["later"], &document["summary"]["untouched_percent"]),
        (&1.into(), &50.0.into())
    );
    let document = marks_of(&["Level", "Other"], &text("", ""), &text(" + 1", ""));
    assert!(!document["notes"].to_string().contains("later calls"), "{}", document["notes"]);
}

const SIGNAL_PROGRAM: &str = "typedef struct { int x; } r2u2_monitor_t;\n\
    void r2u2_load_int_signal(r2u2_monitor_t *m, unsigned long place, int value);\n\
    #define PRESSURE 0\nenum { LEVEL = 1 };\nstatic r2u2_monitor_t monitor;\nint Hydraulic, Other;\nstruct { int height; } tank;\n\
    void cycle(int sensor) {\n    int filtered = (Hydraulic + sensor) / 2;\n    if (sensor > 100)\n        tank.height = filtered;\n\
    r2u2_load_int_signal(&monitor, PRESSURE, (int)(filtered));\n    r2u2_load_int_signal(\n        &monitor, LEVEL,\n        tank.height);\n}\n";

#[test]
fn signals_of_r2u2_stand_for_what_is_loaded_into_their_places() {
    let folder = Folder::with(&[
        ("s.c2po", "INPUT\n  press, level: int;\nFTSPEC\n  low: G[0,3] (press > 3);\n  high: level < 9;\n"),
        ("s.map", "press : 0\nlevel:1\nunused: 7\n"),
        ("s.csv", "# press,level\n0,1\n"),
        ("none.map", "other: 0\n"),
        ("old.c", SIGNAL_PROGRAM),
        ("new.c", &SIGNAL_PROGRAM.replace("> 100", "> 101")),
        ("rewired.c", &SIGNAL_PROGRAM.replace("        tank.height);", "        Other);")),
    ]);
    let run = |new: &str, map: &str| {
        folder.run(&[
            "monitor",
            "s.c2po",
            "old.c",
            new,
            "--entry",
            "cycle",
            "--signals",
            map,
            "--format",
            "json",
        ])
    };
    for map in ["s.map", "s.csv"] {
        let document = run("new.c", map).json().expect("JSON");
        assert_eq!(marked(&document, "differs"), set(&["level", "high"]), "{document}");
        assert_eq!(document["nodes"][0]["maps_to"], "cycle:filtered", "{document}");
        assert_eq!(document["nodes"][1]["maps_to"], "tank.height", "{document}");
    }
    // A place that gets another variable is not the same because that variable is.
    let document = run("rewired.c", "s.map").json().expect("JSON");
    assert_eq!(marked(&document, "may-differ"), set(&["press", "low", "level", "high"]), "{document}");
    assert!(
        document.to_string().contains("OLD loads `tank.height` in cycle into place 1, NEW `Other` in cycle")
    );
    assert_fails(&run("new.c", "none.map"), &["none.map has no signal of the specification"]);
    assert_fails(&run("new.c", "old.c"), &["old.c", "line 1: expected"]);
}

#[test]
fn a_loop_that_may_not_end_any_more_leaves_nothing_the_same() {
    let text = |last: &str| {
        format!(
            "int A, B;\nvoid step(int x) {{\n    int n = x;\n    while (n != 1 && n != {last})\n        n = n % 2 ? 3 * n + 1 : n / 2;\n\
             A = x > 3;\n    B = n;\n}}\n"
        )
    };
    let folder =
        Folder::with(&[("n.bif", &network(&["A", "B"])), ("old.c", &text("0")), ("new.c", &text("2"))]);
    // NEW goes round for ever on 0; no bound of time or steps can show that.
    let said = folder.run(&[
        "monitor",
        "n.bif",
        "old.c",
        "new.c",
        "--max-instructions",
        "2000",
        "--max-time",
        "8s",
        "--format",
        "json",
    ]);
    let document = said.json().expect("JSON");
    assert_eq!(marked(&document, "same"), set(&[]), "{document}");
}

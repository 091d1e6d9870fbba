//! Marks of the brake controller against native runs: on inputs at and beside every limit, and on all inputs of a
//! version that has finitely many.

use crate::common::{Folder, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

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

/// A version with finitely many inputs: each of them is one of a few values at and beside limits, and nothing else is
/// an input. What bits are cut off has no influence, so that the values below are all there are.
const FINITE: &str = "
void finite(unsigned char f0, unsigned char f1, unsigned char f2, unsigned char f3, unsigned char f4, unsigned char f5,
            unsigned char f6, unsigned char f7, unsigned char f8, unsigned char f9, unsigned char f10,
            unsigned char f11, unsigned char f12, unsigned char f13)
{
    SupplyVoltage = 17 + (f0 & 1);
    GroundSpeed = 9 + (f1 & 1) + 21 * (f1 >> 1 & 1);
    GreenPressure = 119 + (f2 & 1) + 51 * (f2 >> 1 & 1);
    BluePressure = 119 + (f3 & 1) + 51 * (f3 >> 1 & 1);
    MeasuredPressure = 35 * (f4 & 1) + 51 * (f4 >> 1 & 1);
    BrakeTemperature = 200 + (f5 & 1) + 200 * (f5 >> 1 & 1) + 300 * (f5 >> 2 & 1);
    AutoLevel = f6 & 3;
    Mode = f7 & 3;
    SkidCycles = (f8 & 1) + 5 * (f8 >> 1 & 1);
    Disagreements = 2 + (f9 & 1);
    Applications = 2000 + (f10 & 1);
    NormalCommand = AlternateCommand = SelectorOpen = AccumulatorOpen = FanSpeed = 0;
    AutoBrakeLight = AlternateLight = FaultLight = HotLight = InspectionLight = 0;
    update((f11 & 7) - 1, f12 & 1, f13 & 1);
}
";
const FINITE_INPUTS: [(&str, &str); 14] = [
    ("f0", "0,1"),
    ("f1", "0,1,2,3"),
    ("f2", "0,1,2,3"),
    ("f3", "0,1,2,3"),
    ("f4", "0,1,2,3"),
    ("f5", "0,1,2,3,4,5,6,7"),
    ("f6", "0,1,2,3"),
    ("f7", "0,1,2,3"),
    ("f8", "0,1,2,3"),
    ("f9", "0,1"),
    ("f10", "0,1"),
    ("f11", "0,1,2,3,4,5,6,7"),
    ("f12", "0,1"),
    ("f13", "0,1"),
];

/// Which inputs native runs are given: those that are arguments, of which function, and the rest global variables.
struct Given {
    entry: &'static str,
    inputs: &'static [(&'static str, &'static str)],
    globals: usize,
}

/// A program that runs both versions on all inputs, and prints what differs on some.
fn native_oracle(folder: &Path, old: &str, new: &str, given: &Given) -> BTreeSet<String> {
    let Given { entry, inputs, globals: input_globals } = *given;
    let globals: Vec<&str> =
        GRID.iter().take(11).map(|(name, _)| *name).chain(OUTPUTS).chain(LOCALS).collect();
    let mut text = String::new();
    for (prefix, source) in [("old_", old), ("new_", new)] {
        for name in globals.iter().chain(&["update", "finite"]) {
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
            "finite",
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
    for (name, values) in inputs {
        text += &format!("static const int in_{name}[] = {{{values}}};\n");
    }
    for (name, _) in inputs {
        let size = format!("sizeof in_{name} / sizeof *in_{name}");
        text += &format!("for (unsigned i_{name} = 0; i_{name} < {size}; i_{name}++)\n");
    }
    text += "{\n";
    for name in &globals {
        let value = if inputs[..input_globals].iter().any(|(input, _)| input == name) {
            format!("in_{name}[i_{name}]")
        } else {
            "-777".to_owned()
        };
        text += &format!("old_{name} = new_{name} = {value};\n");
    }
    for version in ["old", "new"] {
        let arguments = inputs[input_globals..].iter().map(|(name, _)| format!("in_{name}[i_{name}]"));
        text += &format!("{version}_{entry}({});\n", arguments.collect::<Vec<_>>().join(", "));
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

/// The versions of the brake controller, some of them without `INCISE_LONG=1`.
fn versions(folder: &Folder) -> Vec<(String, String, String)> {
    let made = Command::new("python3")
        .arg(root().join("scripts/case_study.py"))
        .args(["--write", &folder.root().display().to_string(), "wbs"])
        .output()
        .expect("Python runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let text =
        |version: &str| std::fs::read_to_string(folder.path(&format!("wbs-{version}.c"))).expect("a version");
    let names: Vec<String> = match std::env::var_os("INCISE_LONG").is_some() {
        true => (1..=18).map(|number| format!("v{number}")).collect(),
        false => ["v3", "v5", "v7", "v8", "v12"].map(str::to_owned).to_vec(),
    };
    names.into_iter().map(|name| (text("v0"), text(&name), name)).collect()
}

/// The nodes that `incise monitor` finds for variables, by the names of these in small letters.
fn nodes_of(folder: &Folder, old: &str, new: &str, entry: &str) -> BTreeMap<String, Value> {
    std::fs::write(folder.path("old.c"), old).expect("a version");
    std::fs::write(folder.path("new.c"), new).expect("a version");
    let study = root().join("case-study");
    let (network, map) =
        (study.join("wbs.bif").display().to_string(), study.join("wbs-monitor.toml").display().to_string());
    let said = folder
        .run(&["monitor", &network, "old.c", "new.c", "--map", &map, "--entry", entry, "--format", "json"]);
    let document = said.json().expect("JSON");
    let nodes = document["nodes"].as_array().expect("nodes");
    assert!(nodes.len() >= 30);
    let variable = |node: &Value| {
        let name = node["maps_to"].as_str()?;
        Some((name.rsplit(':').next()?.to_lowercase(), node.clone()))
    };
    nodes.iter().filter_map(variable).collect()
}

/// A node whose variable differs natively on some input is never marked same, and every witness is real.
#[test]
fn marks_of_the_brake_controller_agree_with_native_runs() {
    let folder = Folder::with(&[]);
    let given = Given { entry: "update", inputs: &GRID, globals: 11 };
    let mut all = 0;
    for (old, new, version) in versions(&folder) {
        let native = native_oracle(folder.root(), &old, &new, &given);
        let marks = nodes_of(&folder, &old, &new, "update");
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

/// Where all inputs are run, a node differs if and only if its variable does on one of them.
#[test]
fn marks_of_the_brake_controller_with_finitely_many_inputs_are_those_of_all_inputs() {
    let folder = Folder::with(&[]);
    let given = Given { entry: "finite", inputs: &FINITE_INPUTS, globals: 0 };
    let (mut differ, mut same) = (0, 0);
    for (old, new, version) in versions(&folder) {
        let (old, new) = (old + FINITE, new + FINITE);
        let native = native_oracle(folder.root(), &old, &new, &given);
        let marks = nodes_of(&folder, &old, &new, "finite");
        for (variable, node) in &marks {
            let expected = if native.contains(variable) { "differs" } else { "same" };
            assert_eq!(node["mark"], expected, "{version}: {variable}: {node}");
            differ += usize::from(expected == "differs");
            same += usize::from(expected == "same");
        }
        let unseen: Vec<&String> = native.iter().filter(|name| !marks.contains_key(*name)).collect();
        assert_eq!(unseen, Vec::<&String>::new(), "{version}");
    }
    assert!(differ >= 4 && same >= 60, "{differ} differ, {same} are the same");
}

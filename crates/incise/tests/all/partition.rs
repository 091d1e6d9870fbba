//! Random small functions, with all their inputs enumerated natively: every input takes exactly one of the reported
//! paths, no path is empty, and the input that is shown for a path gives the result that was predicted. The reported
//! conditions are compiled as C.
//!
//! Seeds are fixed; `INCISE_PARTITION=500` runs more programs than 30, or than 100 with `INCISE_LONG=1`.

use incise_testing::{Native, function_of_two_bytes, shorter};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Programs with more paths than this would make the native check slow.
const MOST_PATHS: usize = 300;

/// The paths, if there are all of them and not too many.
fn explore(folder: &Path) -> Option<Vec<Value>> {
    let output = Command::new(env!("CARGO_BIN_EXE_incise"))
        .current_dir(folder)
        .args(["run", "p.c", "--entry", "f", "--format", "json", "--cflags=-w -fwrapv"])
        .args(["--max-time", "20s", "--max-paths", "400"])
        .output()
        .expect("incise runs");
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)));
    let paths = document["paths"].as_array().expect("paths").clone();
    let cut = paths.iter().any(|path| path["condition"].as_str().is_some_and(|text| text.contains("...")));
    let usable = document["summary"]["complete"] == true && !cut && paths.len() <= MOST_PATHS;
    usable.then_some(paths)
}

/// A program that checks the paths with every input; what it prints is wrong.
fn checker(source: &str, paths: &[Value]) -> String {
    let mut text = format!("#include <stdio.h>\n{source}");
    let _ = write!(text, "static int seen[{}];\nint main(void) {{\n  int bad = 0;\n", paths.len().max(1));
    text.push_str("  for (int i = 0; i < 65536; i++) {\n    unsigned char a = i & 255; signed char b = i >> 8; int hits = 0;\n");
    for (number, path) in paths.iter().enumerate() {
        let condition = path["condition"].as_str().filter(|text| !text.is_empty()).unwrap_or("1");
        let _ = writeln!(text, "    if ({condition}) {{ hits++; seen[{number}] = 1; }}");
    }
    text.push_str(
        "    if (hits != 1 && bad++ < 3) printf(\"%d paths for a = %d, b = %d\\n\", hits, a, b);\n  }\n",
    );
    for (number, path) in paths.iter().enumerate() {
        let (inputs, result) = (&path["inputs"], &path["result"]);
        let _ = writeln!(
            text,
            "  if (!seen[{number}]) bad++, printf(\"path {number} is empty\\n\");\n  if (f({}, {}) != {result}) bad++, printf(\"path {number} has another result\\n\");",
            inputs["a"],
            inputs["b"].as_str().map_or_else(|| inputs["b"].to_string(), str::to_owned)
        );
    }
    text.push_str("  return bad != 0;\n}\n");
    text
}

#[test]
fn every_input_takes_exactly_one_path() {
    let programs: u64 =
        std::env::var("INCISE_PARTITION").ok().and_then(|text| text.parse().ok()).unwrap_or(shorter(30, 100));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut checked, mut paths_checked) = (0, 0);
    for seed in 0..programs {
        let source = function_of_two_bytes(seed);
        std::fs::write(folder.path().join("p.c"), &source).expect("a file can be written");
        let Some(paths) = explore(folder.path()) else { continue };
        let text = checker(&source, &paths);
        let native = Native::build(folder.path(), "check", &["-fwrapv", "-O1"], &text);
        let run = native.and_then(|native| native.run(&[], &[]));
        let run = run.unwrap_or_else(|why| panic!("seed {seed}\n{source}\n{why}"));
        assert!(run.status.success(), "seed {seed}\n{source}\n{}", String::from_utf8_lossy(&run.stdout));
        checked += 1;
        paths_checked += paths.len();
    }
    eprintln!("{checked} programs with {paths_checked} paths checked");
    assert!(checked * 2 > programs, "too few programs could be checked: {checked}");
}

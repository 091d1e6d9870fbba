//! SARIF is valid against the official schema.

use super::{Changed, all_files, top, usual};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is said if something is missing.
const INSTALL: &str = "scripts/setup.sh installs what this test needs (`make setup`)";

/// The official schema, where cargo unpacked the crate that carries it.
fn schema() -> PathBuf {
    let manifest = top().join("tests/schemas/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--manifest-path"])
        .arg(manifest);
    let output = command.output().expect("cargo runs");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the schema of SARIF is missing: {INSTALL}\n{words}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = found["packages"].as_array().expect("a list");
    let carrier = packages.iter().find(|each| each["name"] == "serde-sarif").expect("the carrier");
    Path::new(carrier["manifest_path"].as_str().expect("a path")).with_file_name("src").join("schema.json")
}

const VALIDATE: &str = "
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
assert schema['$id'].endswith('sarif-schema-2.1.0.json'), schema['$id']
validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
for name in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(name))):
        sys.exit(f'{name}: {error.json_path}: {error.message}')
";

/// Debian's Python, whose packages are Debian's, too.
fn validated(files: &[PathBuf]) -> Result<(), String> {
    let mut command = Command::new("/usr/bin/python3");
    let output = command.args(["-c", VALIDATE]).arg(schema()).args(files).output();
    let output = output.unwrap_or_else(|error| panic!("Python does not run ({error}): {INSTALL}"));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!words.contains("ModuleNotFoundError"), "{words}\n{INSTALL}");
    if output.status.success() { Ok(()) } else { Err(words) }
}

#[test]
fn sarif_is_valid() {
    let changed = usual();
    let files = all_files();
    let words: Vec<&str> = files.iter().map(String::as_str).collect();
    changed.diff(&words);
    let hostile = hostile();
    hostile.diff(&words);
    let paths = [changed.root().join("r.sarif"), hostile.root().join("r.sarif")];
    validated(&paths).unwrap_or_else(|error| panic!("{error}"));
    // The validator is not one that takes everything.
    let wrong = changed.read("r.sarif").replace("\"startLine\"", "\"firstLine\"");
    std::fs::write(&paths[0], wrong).expect("a file is written");
    assert!(validated(&paths[..1]).is_err());
}

/// Names, strings and bytes that mean something to formats.
pub(super) fn hostile() -> Changed {
    let text = |result: &str| {
        let mut text = (
            "const char *word = \"</script><script>alert(1)</script><img src=x onerror=alert(2)>\"; /* ]]> --> ``` | */\n\
             int f(int x) {\n    if (word[0] == '<' && x > 3) /* "
        )
        .as_bytes()
        .to_vec();
        // No UTF-8, a mark of direction, and a control character.
        text.extend(b"\xff\xfe \xe2\x80\xae \x1b[31m */\n");
        text.extend(format!("        return {result};\n    return 1;\n}}\n").as_bytes());
        text
    };
    let name = "a b'</script><b>&\"|`%,\u{e9}.c";
    Changed::new(&[(name, &text("x / 2"))], &[(name, &text("8 / (x - 4)"))])
}

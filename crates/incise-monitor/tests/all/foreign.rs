//! Networks that nobody here wrote: those in the wheel of pgmpy, judged by pyAgrum, and what pyAgrum makes of them in
//! the other formats. Both come from the registry of Python once, into `target`; without it the test is skipped.

use incise_monitor::{Format, Network, read};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is installed. Without their own dependencies: one is a folder of files here, the other needs no other.
const PACKAGES: [&str; 3] = ["pgmpy", "pyagrum", "numpy"];

fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: networks of pgmpy: {why}");
}

/// The Python that has the packages, or why there is none.
fn python() -> Result<PathBuf, String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().ok_or("no target folder")?;
    let folder = target.join("networks-venv");
    let python = folder.join("bin/python");
    let has_packages = |python: &Path| {
        let found = Command::new(python).args(["-c", "import pyagrum"]).output();
        found.is_ok_and(|output| output.status.success())
    };
    if has_packages(&python) {
        return Ok(python);
    }
    let run = |command: &mut Command| match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            Err(String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("failed").to_owned())
        }
        Err(error) => Err(error.to_string()),
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    run(Command::new(&python).args(["-m", "pip", "install", "-q", "--no-deps"]).args(PACKAGES))?;
    Ok(python)
}

/// The states, the parents and the numbers of nodes, by name.
type Canonical = BTreeMap<String, (Vec<String>, Vec<String>, Vec<f64>)>;

/// A network with its nodes in the order of their names: formats keep no order.
fn canonical(network: &Network) -> Canonical {
    let node = |node: &incise_monitor::Node| {
        let parents: Vec<String> =
            node.parents.iter().map(|&each| network.nodes[each].name.clone()).collect();
        let rows: u64 = node.parents.iter().map(|&each| network.nodes[each].states.len() as u64).product();
        let table = node.table.as_ref();
        let numbers = (0..rows).filter_map(|row| table?.row(row)).flatten().copied().collect();
        (node.name.clone(), (node.states.clone(), parents, numbers))
    };
    network.nodes.iter().map(node).collect()
}

#[test]
fn networks_of_pgmpy_are_read_as_pyagrum_reads_them() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => return skipped(&why),
    };
    let long = std::env::var_os("INCISE_LONG").is_some();
    let folder = tempfile::tempdir().expect("a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/networks.py");
    let most = if long { "100000000" } else { "200000" };
    let said = Command::new(python).arg(script).arg(folder.path()).arg(most).output().expect("Python runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let mut networks = 0;
    let mut converted = 0;
    for line in said.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, nodes, edges) = (words[0], words[1], words[2]);
        let renamed = words.len() > 3;
        let file = |ending: &str| folder.path().join(format!("{name}.{ending}"));
        let parse = |path: &Path| {
            let bytes = std::fs::read(path).expect("a file");
            read(&path.to_string_lossy(), &bytes).unwrap_or_else(|error| panic!("{error}"))
        };
        let own = parse(&file("bif"));
        assert_eq!(
            (own.nodes.len().to_string(), own.edge_count().to_string()),
            (nodes.to_owned(), edges.to_owned()),
            "{name}"
        );
        networks += 1;
        let own = canonical(&own);
        for ending in ["bifxml", "xdsl", "net"] {
            let path = file(ending);
            if path.exists() {
                compare(&format!("{name}.{ending}"), renamed, &own, &parse(&path));
                converted += 1;
            }
        }
    }
    assert_eq!(networks, 24);
    assert!(converted >= 30, "{converted} converted\n{said}");
}

/// Names of states are not what they were in formats with rules for them: numbers and structure are.
fn compare(name: &str, renamed: bool, own: &Canonical, other: &Network) {
    let theirs = canonical(other);
    assert_eq!(own.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>(), "{name}");
    for (node, (states, parents, numbers)) in own {
        let (their_states, their_parents, their_numbers) = &theirs[node];
        assert_eq!(states.len(), their_states.len(), "{name}: {node}");
        let as_it_was = !renamed && other.format != Format::Xdsl;
        assert!(!as_it_was || states == their_states, "{name}: {node}: {states:?} {their_states:?}");
        let sorted = |names: &Vec<String>| {
            let mut names = names.clone();
            names.sort();
            names
        };
        assert_eq!(sorted(parents), sorted(their_parents), "{name}: {node}");
        if parents == their_parents {
            let (ours, theirs) = (numbers, their_numbers);
            let far = ours.iter().zip(theirs).find(|(one, other)| (*one - *other).abs() > 1e-3);
            assert_eq!((ours.len(), far), (theirs.len(), None), "{name}: {node}");
        }
    }
}

//! Who may use whom. A crate uses what stands in its line, and nothing else of ours.

use crate::lexer::{crate_names, crates};

/// What each crate uses of ours. A star stands for the crates at the top, which may use all.
const LAYERS: &[(&str, &[&str])] = &[
    ("incise-bitwuzla", &[]),
    ("incise-children", &[]),
    ("incise-ir", &[]),
    ("incise-libc", &[]),
    ("incise-libm", &[]),
    ("incise-store", &[]),
    ("incise-markup", &[]),
    ("incise-vocabulary", &[]),
    ("incise-report", &["incise-markup", "incise-vocabulary"]),
    ("incise-repository", &["incise-children"]),
    ("incise-monitor", &["incise-markup", "incise-vocabulary"]),
    ("incise-reading", &["incise-ir"]),
    ("incise-llvm", &["incise-children", "incise-ir"]),
    ("incise-solver", &["incise-bitwuzla", "incise-children", "incise-libm"]),
    ("incise-exec", &["incise-ir", "incise-reading", "incise-solver", "incise-vocabulary"]),
    ("incise-change", &["incise-children", "incise-ir"]),
    ("incise-relate", &["incise-exec", "incise-ir", "incise-solver"]),
    ("incise-seeds", &["incise-exec", "incise-ir", "incise-solver"]),
    (
        "incise-incremental",
        &[
            "incise-change",
            "incise-exec",
            "incise-ir",
            "incise-relate",
            "incise-seeds",
            "incise-reading",
            "incise-vocabulary",
        ],
    ),
    ("incise-testing", &["incise-exec", "incise-ir", "incise-libc", "incise-llvm"]),
    ("incise-frontend", &["incise-children", "incise-ir", "incise-llvm", "incise-libc", "incise-change"]),
    ("incise-replay", &["incise-children", "incise-ir", "incise-frontend", "incise-report"]),
    ("incise-findings", &["incise-ir", "incise-reading", "incise-exec", "incise-report", "incise-replay"]),
    ("incise-suite", &["*"]),
    ("incise", &["*"]),
];

/// The crates that a manifest names in a section.
fn dependencies(name: &str, section: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
    let lines = text.lines().skip_while(|line| *line != section).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
    lines.map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn a_crate_uses_only_what_is_below_it() {
    for name in crate_names() {
        let layer = LAYERS.iter().find(|(each, _)| *each == name);
        let (_, allowed) = layer.unwrap_or_else(|| panic!("{name} is new: say in layers.rs what it may use"));
        for used in dependencies(&name, "[dependencies]") {
            let is_ours = used.starts_with("incise");
            assert!(!is_ours || allowed.contains(&"*") || allowed.contains(&&*used), "{name} uses {used}");
        }
    }
}

#[test]
fn nothing_that_is_shipped_uses_what_tests_share() {
    for name in crate_names() {
        for section in ["[dependencies]", "[build-dependencies]"] {
            assert!(!dependencies(&name, section).contains(&"incise-testing".to_owned()), "{name}");
        }
    }
}

#[test]
fn arguments_are_read_by_the_binary_alone() {
    for name in crate_names().into_iter().filter(|name| name != "incise") {
        let used = dependencies(&name, "[dependencies]");
        let found = ["clap", "clap_complete", "anyhow", "ctrlc"]
            .into_iter()
            .find(|each| used.contains(&(*each).to_owned()));
        assert_eq!(found, None, "{name} is below the binary");
    }
}

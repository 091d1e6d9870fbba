//! Every technique that leaves paths out has a random test that compares it with full exploration.

use crate::lexer::{crates, sources};

/// The strategies of explorations, and the tests that compare what they find with what full exploration finds.
const TECHNIQUES: [(&str, &str); 10] = [
    ("Arriving", "arriving.rs"),
    ("Exact", "theorem.rs"),
    ("Figure6", "theorem.rs"),
    ("Follower", "differ_slice.rs"),
    ("Fragments", "cover_data_flow.rs"),
    ("Goals", "cover.rs"),
    ("LeadingPaths", "differ_pairs.rs"),
    ("Meeting", "thread_pairs.rs"),
    ("Record", "theorem.rs"),
    ("Update", "update.rs"),
];

/// Strategies that only look on, and leave nothing out.
const ONLOOKERS: [&str; 1] = ["Coverage"];

#[test]
fn a_technique_has_a_test_against_full_exploration() {
    let mut found = Vec::new();
    for source in sources("incise-incremental") {
        let names = source.code.iter().filter_map(|line| line.trim().strip_prefix("impl Strategy for "));
        found.extend(names.map(|rest| rest.split(['<', ' ']).next().unwrap_or_default().to_owned()));
    }
    found.retain(|name| !ONLOOKERS.contains(&name.as_str()));
    found.sort();
    let known: Vec<&str> = TECHNIQUES.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, known, "say in techniques.rs which test compares a new one with full exploration");
    for (name, test) in TECHNIQUES {
        let text = std::fs::read_to_string(crates().join("incise-incremental/tests/all").join(test));
        assert!(text.is_ok_and(|text| text.contains("#[test]")), "{name} has no test {test}");
    }
}

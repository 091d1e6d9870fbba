//! Functions without a body, as long as the engine's own interface shows what they cost.

use incise_exec::{Config, Externals, LimitKind, Outcome, explore};
use incise_testing::{hooks, program};

/// Each call may write to all nodes that were returned before, each of which has pointers to others: 1,024 calls, the
/// limit on calls, would be half a million objects to look at.
#[test]
fn calls_that_see_more_and_more_nodes_end_after_a_while() {
    let text = "struct node { struct node *next, *before, *up; int value; };\n\
        struct node *turned(struct node *);\n\
        int f(struct node *list) {\n    int turns = 0;\n    while (turns < 100000) {\n        \
        list = turned(list);\n        turns++;\n    }\n    return turns;\n}\n";
    let mut config = Config::new("f");
    config.externals = Externals::Recorded;
    let found = explore(&program(text), &config, &hooks()).expect("it starts");
    assert!(!found.paths.is_empty());
    for path in &found.paths {
        assert_eq!(path.outcome, Outcome::Limit(LimitKind::Loop));
        assert!(path.instructions < 4_000, "{} instructions", path.instructions);
    }
}

//! Maps, and matching by name.

use incise_monitor::{Map, Matched, Named, NamedKind, Network, Role, Step, Target, matched, read, state_of};

fn network(names: &[&str]) -> Network {
    let text: String = names
        .iter()
        .map(|name| format!("variable {name} {{ type discrete [ 2 ] {{ low, high }}; }}\n"))
        .collect();
    read("t.bif", text.as_bytes()).expect("a network")
}

fn named(kind: NamedKind, path: &str, function: Option<&str>, of_entry: bool) -> Named {
    Named {
        kind,
        path: path.to_owned(),
        function: function.map(str::to_owned),
        file: Some("wbs.c".to_owned()),
        of_entry,
    }
}

fn names() -> Vec<Named> {
    vec![
        named(NamedKind::Global, "AltPress", None, false),
        named(NamedKind::Parameter, "PedalPos", Some("update"), true),
        named(NamedKind::Parameter, "PedalPos", Some("other"), false),
        named(NamedKind::Field, "brake.pressure", None, false),
        named(NamedKind::Result, "update", Some("update"), true),
        named(NamedKind::Local, "twice", Some("one"), false),
        named(NamedKind::Local, "twice", Some("two"), false),
    ]
}

fn matching(nodes: &[&str], map: &str) -> Result<Matched, String> {
    let network = network(nodes);
    let map = Map::parse(map).map_err(|error| error.to_string())?;
    map.check(&network).map_err(|error| error.to_string())?;
    matched(&network, &map, &names()).map_err(|error| error.to_string())
}

#[test]
fn names_match_without_case_underscores_and_prefixes() {
    let found =
        matching(&["alt_press", "H_alt_press", "U_PedalPos", "Pressure", "brake_pressure", "update"], "")
            .expect("matched");
    let targets: Vec<&Target> = found.iter().map(|each| &each.target).collect();
    let variable = Target::Variable;
    assert_eq!(
        targets,
        [&variable(0), &Target::Node(0), &variable(1), &variable(3), &variable(3), &variable(4)]
    );
    assert_eq!((found[1].role, found[2].role), (Role::Health, Role::Command));
}

#[test]
fn what_is_not_there_once_is_unmapped_and_says_why() {
    let found = matching(&["twice", "Rudder", "H_Rudder"], "").expect("matched");
    let why = |at: usize| match &found[at].target {
        Target::Unmapped(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(why(0), "it may be one:twice (local variable) or two:twice (local variable)");
    assert_eq!(why(1), "no variable, parameter, field or function is called Rudder");
    assert_eq!(found[2].target, Target::Node(1));
}

#[test]
fn prefixes_and_nodes_can_be_said() {
    let map = "health_prefixes = [\"Health\"]\ncommand_prefixes = []\n[nodes.X]\nfunction = \"two\"\nvariable = \"twice\"\n\
               [nodes.Y]\nkind = \"behaviour\"\n[nodes.Z]\nfunction = \"update\"\nkind = \"sensor\"\n";
    let found = matching(&["X", "HealthX", "Y", "Z"], map).expect("matched");
    assert_eq!(
        (&found[0].target, &found[1].target, &found[3].target),
        (&Target::Variable(6), &Target::Node(0), &Target::Variable(4))
    );
    assert_eq!(found[2].role, Role::Behaviour);
}

#[test]
fn wrong_entries_are_errors_with_a_suggestion() {
    let cases = [
        (
            "[nodes.AltPres]\nvariable = \"AltPress\"",
            "line 1: `AltPres` is no node of the monitor; did you mean `AltPress`?",
        ),
        (
            "[nodes.AltPress]\nvariable = \"AltPres\"",
            "line 1: `AltPress` is mapped to `AltPres`, which is not there; did you mean `AltPress`?",
        ),
        (
            "[nodes.AltPress]\nvariabel = \"x\"",
            "line 2: `variabel` is no key of a node; did you mean `variable`? Known are file, function, variable, kind, watches, thresholds.",
        ),
        (
            "[nodes.AltPress]\nkind = \"helth\"",
            "line 2: `helth` is no kind of node; did you mean `health`? Known are command, sensor, health, status, behaviour.",
        ),
        (
            "[nodes.AltPress]\nthresholds = [{ below = 1, state = \"lo\" }]",
            "line 1: `lo` is no state of `AltPress`; did you mean `low`? Its states are low, high.",
        ),
        (
            "[nodes.AltPress]\nthresholds = [{ state = \"low\" }, { state = \"high\" }]",
            "line 2: a step without a number applies always: nothing may follow it",
        ),
        (
            "[nodes.AltPress]\nwatches = \"X\"",
            "line 1: `AltPress` watches `X`, which is no node of the monitor",
        ),
        ("x = ", "line 1: expected TOML: string values must be quoted, expected literal string"),
    ];
    for (map, expected) in cases {
        assert_eq!(matching(&["AltPress"], map).expect_err(map), expected);
    }
}

#[test]
fn numbers_become_states_by_the_first_step_that_applies() {
    let map = Map::parse("[nodes.A]\nthresholds = [{ below = 0, state = \"low\" }, { equals = 3, state = \"three\" }, { at_most = 5.5, state = \"mid\" }, { state = \"high\" }]").expect("a map");
    let thresholds = &map.nodes["A"].thresholds;
    assert_eq!(thresholds[2].0, Step::AtMost(5.5));
    let states: Vec<&str> =
        [-1.0, 0.0, 3.0, 5.5, 6.0].into_iter().filter_map(|value| state_of(thresholds, value)).collect();
    assert_eq!(states, ["low", "mid", "three", "mid", "high"]);
}

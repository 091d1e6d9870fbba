//! What is odd about files in the wild, one trap a test.

use incise_monitor::{Format, Network, NodeClass, read, read_as, read_with};

fn bif(text: &str) -> Network {
    read("t.bif", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn error(name: &str, text: &str) -> String {
    match read(name, text.as_bytes()) {
        Ok(network) => panic!("read: {network:?}"),
        Err(error) => error.to_string(),
    }
}

const TWO: &str = "variable A { type discrete [ 2 ] { yes, no }; }\nvariable B { type discrete [ 3 ] { <5, 5-12, 12+ }; }\n";

#[test]
fn commas_and_bars_between_tokens_mean_nothing() {
    let with = bif(&format!("{TWO}probability ( A | B ) {{ (<5) 0.1, 0.9; (5-12) 0.2, 0.8; (12+) 1, 0; }}"));
    let without = bif(&format!("{TWO}probability(A B){{(<5)0.1 0.9;(5-12),|0.2|0.8;(12+)1 0;}}"));
    assert_eq!(with.nodes[0].table, without.nodes[0].table);
    assert_eq!(with.nodes[0].parents, [1]);
    assert_eq!(with.nodes[1].states, ["<5", "5-12", "12+"]);
}

#[test]
fn comments_are_those_of_c_and_properties_hold_anything() {
    let text = "// a network {\nnetwork \"my net\" { property author is \"A; B\" ; /* } */ }\n\
                variable A { property position = (3, 4) ; type discrete[2] { a, b }; }";
    let network = bif(text);
    assert_eq!((network.name.as_str(), network.nodes.len()), ("my net", 1));
}

#[test]
fn rows_come_in_any_order() {
    let network =
        bif(&format!("{TWO}probability ( A | B ) {{ (12+) 1, 0; (<5) 0.1, 0.9; (5-12) 0.2, 0.8; }}"));
    let table = network.nodes[0].table.as_ref().expect("a table");
    let rows: Vec<&[f64]> = (0..3).filter_map(|row| table.row(row)).collect();
    assert_eq!(rows, [&[0.1, 0.9][..], &[0.2, 0.8], &[1.0, 0.0]]);
}

#[test]
fn a_table_with_parents_has_the_own_state_slowest() {
    let network = bif(&format!("{TWO}probability ( A | B ) {{ table 0.1, 0.2, 1, 0.9, 0.8, 0; }}"));
    let table = network.nodes[0].table.as_ref().expect("a table");
    assert_eq!(table.row(1), Some(&[0.2, 0.8][..]));
    assert_eq!(network.warnings.iter().filter(|(_, what)| what.contains("row")).count(), 0);
}

#[test]
fn rows_that_are_not_there_have_the_default() {
    let network = bif(&format!("{TWO}probability ( A | B ) {{ default 0.5, 0.5; (5-12) 0.2, 0.8; }}"));
    let table = network.nodes[0].table.as_ref().expect("a table");
    assert_eq!((table.row(0), table.row(1)), (Some(&[0.5, 0.5][..]), Some(&[0.2, 0.8][..])));
}

#[test]
fn states_may_have_commas_quoted_or_not() {
    let bare = bif(
        "variable A { type discrete [ 2 ] { [0,5[, [5, 9] }; }\nvariable B { type discrete [ 2 ] { y, n }; }\n\
                    probability ( B | A ) { ([5, 9]) 1, 0; ([0,5[) 0, 1; }",
    );
    assert_eq!(bare.nodes[0].states, ["[0,5[", "[5, 9]"]);
    assert_eq!(bare.nodes[1].table.as_ref().and_then(|table| table.row(0)), Some(&[0.0, 1.0][..]));
    let quoted = bif(
        "variable A { type discrete [ 2 ] { \"a, b\", \"c d\" }; }\nvariable B { type discrete [ 2 ] { y, n }; }\n\
                      probability ( B | A ) { (\"c d\") 1, 0; (\"a, b\") 0, 1; }",
    );
    assert_eq!(quoted.nodes[0].states, ["a, b", "c d"]);
}

#[test]
fn files_that_are_not_utf_8_are_latin_1() {
    let network = read("t.bif", b"variable Gr\xf6\xdfe { type discrete [ 2 ] { gro\xdf, klein }; }")
        .expect("a network");
    assert_eq!(network.nodes[0].name, "Größe");
    let wide: Vec<u8> = "\u{feff}variable A { type discrete [ 1 ] { a }; }"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(read("t.bif", &wide).expect("a network").nodes.len(), 1);
}

#[test]
fn probabilities_may_come_before_variables() {
    let network = bif(&format!("probability ( A | B ) {{ default 0.5, 0.5; }}\n{TWO}"));
    assert_eq!(network.nodes[0].parents, [1]);
}

#[test]
fn rows_that_do_not_add_up_are_a_warning() {
    let network = bif("variable A { type discrete [ 2 ] { a, b }; }\nprobability ( A ) { table 0.5, 0.6; }");
    assert_eq!(network.warnings, [(1, "row 1 of the table of `A` adds up to 1.1, not to one".to_owned())]);
}

#[test]
fn errors_name_file_and_line_and_what_was_expected() {
    let cases = [
        (
            "t.bif",
            "network x\nvariable",
            "t.bif:2: expected `{` behind the name of the network, found `variable`",
        ),
        (
            "t.bif",
            "variable A {\n type discrete [ 3 ] { a, b };\n}",
            "t.bif:2: expected 3 states of `A`, found 2: a b",
        ),
        (
            "t.bif",
            &format!("{TWO}probability ( A | C ) {{ }}"),
            "t.bif:3: `A` hangs on `C`, which is no variable",
        ),
        (
            "t.bif",
            &format!("{TWO}probability ( A ) {{\n table 0.1; }}"),
            "t.bif:4: expected 2 numbers in the table of `A`, found 1",
        ),
        (
            "t.bif",
            &format!("{TWO}probability ( A | B ) {{\n(6) 1, 0; }}"),
            "t.bif:4: expected a state of `B` (<5, 5-12, 12+) in a row of `A`, found `6) 1, 0; }`",
        ),
        (
            "t.bif",
            &format!("{TWO}probability ( A ) {{\n table 0.1, x; }}"),
            "t.bif:4: expected a number, or `;` at the end of the row, found `x; }`",
        ),
        ("t.bif", "", "t.bif: expected at least one node, found none"),
        (
            "t.xdsl",
            "<smile>\n<nodes><cpt/></nodes></smile>",
            "t.xdsl:2: expected the attribute `id` of <cpt>",
        ),
        ("t.net", "net {}\nnode A { }", "t.net:2: expected `states = ( ... );` in the node `A`"),
        ("t.c2po", "INPUT\n a bool;", "t.c2po:2: expected `names: type;` in INPUT, found `a bool`"),
        ("t.a2l", "/begin MEASUREMENT a b", "t.a2l:1: expected what `a` is, in quotes, behind its name"),
    ];
    for (name, text, expected) in cases {
        assert_eq!(error(name, text), expected);
    }
    assert!(error("t.txt", "x").contains("a file that ends in .bif"));
    assert!(error("t.xmlbif", "<BIF>\n<x></BIF>").starts_with("t.xmlbif:2: expected well-formed XML"));
}

#[test]
fn nodes_in_a_circle_are_named() {
    let text = format!(
        "{TWO}probability ( A | B ) {{ default 1, 0; }}\nprobability ( B | A ) {{ default 1, 0, 0; }}"
    );
    assert_eq!(error("t.bif", &text), "t.bif:2: nodes hang on each other in a circle: B -> A -> B");
}

#[test]
fn a_name_that_is_there_twice_is_an_error() {
    assert_eq!(
        error("t.bif", &format!("{TWO}{TWO}")),
        "t.bif:3: `A` is declared twice, here and on line 1; expected one declaration"
    );
}

#[test]
fn xdsl_has_many_kinds_of_nodes() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?><smile version="1.0" id="Net1"><nodes>
      <cpt id="A"><state id="y"/><state id="n"/><probabilities>0.2 0.8</probabilities></cpt>
      <deterministic id="B"><state id="y"/><state id="n"/><parents>A</parents><resultingstates>n y</resultingstates></deterministic>
      <noisymax id="C"><state id="a"/><state id="b"/><parents>A B</parents><strengths>0 1 0 1</strengths>
        <parameters>0.1 0.9 0 1 0.2 0.8 0 1 0 1</parameters></noisymax>
      <decision id="D"><state id="go"/><state id="stay"/></decision>
      <utility id="U"><parents>C D</parents><utilities>1 2 3 4</utilities></utility>
      <equation id="E"><parents>A</parents><definition>E=A*2</definition></equation>
    </nodes><extensions><genie><node id="A"><name>The first</name></node></genie></extensions></smile>"#;
    let network = read("n.xml", text.as_bytes()).expect("a network");
    assert_eq!(network.format, Format::Xdsl);
    let classes: Vec<NodeClass> = network.nodes.iter().map(|node| node.class).collect();
    let chance = NodeClass::Chance;
    assert_eq!(
        classes,
        [
            chance,
            NodeClass::Deterministic,
            chance,
            NodeClass::Decision,
            NodeClass::Utility,
            NodeClass::Function
        ]
    );
    assert_eq!((network.edge_count(), network.warnings.len()), (6, 0));
    assert_eq!(network.nodes[0].label.as_deref(), Some("The first"));
    assert_eq!(network.nodes[1].table.as_ref().and_then(|table| table.row(0)), Some(&[0.0, 1.0][..]));
}

#[test]
fn hugin_has_functions_densities_and_comments() {
    let text = "% made by hand\nnet { node_size = (80 40); name = \"N\"; }\n\
        node A { label = \"a %; \\\"q\\\"\"; position = (1 2); states = (\"yes\" \"no\"); }\n\
        continuous node X { label = \"\"; }\nfunction F { }\nutility U { }\ndecision D { states = (\"1\" \"2\"); }\n\
        potential (A) { data = (0.1 0.9); }\npotential (X | A) { data = ( normal ( 0, 1 ) normal ( 1, 2 ) ); }\n\
        potential (F | A) { model_nodes = (A); model_data = ( if ( A == 0, 1, 2 ) ); }\n\
        potential (U | D A) { data = ((1 2)(3 4)); }\n";
    let network = read("n.net", text.as_bytes()).expect("a network");
    assert_eq!((network.nodes.len(), network.edge_count()), (5, 4));
    assert_eq!(network.nodes[0].label.as_deref(), Some("a %; \"q\""));
    assert_eq!(network.warnings, []);
}

#[test]
fn xmlbif_has_a_dtd_comments_in_tables_and_any_case() {
    let text = "<?xml version=\"1.0\"?><!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]><BIF VERSION=\"0.3\"><NETWORK><NAME>n</NAME>\
        <VARIABLE TYPE=\"nature\"><NAME>A</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>\
        <VARIABLE TYPE=\"nature\"><NAME>B</NAME><OUTCOME>y</OUTCOME><OUTCOME>n</OUTCOME></VARIABLE>\
        <DEFINITION><FOR>A</FOR><TABLE>0.5 <!-- half --> 0.5</TABLE></DEFINITION>\
        <DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN><TABLE>0.1 0.9\n0.2 0.8</TABLE></DEFINITION></NETWORK></BIF>";
    let network = read("n.xml", text.as_bytes()).expect("a network");
    assert_eq!(network.nodes[1].table.as_ref().and_then(|table| table.row(1)), Some(&[0.2, 0.8][..]));
    assert_eq!(network.warnings, []);
}

#[test]
fn a_specification_is_signals_and_formulas() {
    let text = "-- R2U2\nINPUT\n  request, grant: bool;\n  speed: float;\nDEFINE\n  fast := speed > 10.0;\nFTSPEC\n\
        answered: G[0,10] (request -> F[0,5] grant);\n  fast || grant;\n";
    let network = read("s.c2po", text.as_bytes()).expect("a specification");
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["request", "grant", "speed", "fast", "answered", "formula 2"]);
    assert_eq!((&network.nodes[4].parents[..], &network.nodes[5].parents[..]), (&[0, 1][..], &[3, 1][..]));
}

#[test]
fn measurements_have_limits_and_symbols() {
    let text = "ASAP2_VERSION 1 60\n/begin PROJECT p \"\" /begin MODULE m \"\"\n/* a comment */\n\
        /begin MEASUREMENT N_eng \"speed \"\"x\"\"\" UWORD NO_COMPU_METHOD 0 0 0 8000\n ECU_ADDRESS 0x1234\n\
        /begin IF_DATA V 1 2 /end IF_DATA SYMBOL_LINK \"eng.speed\" 0 /end MEASUREMENT\n\
        /begin MEASUREMENT T \"t\" SWORD CM_T 1 100 -40 215 /end MEASUREMENT\n/end MODULE /end PROJECT\n";
    let network = read("m.a2l", text.as_bytes()).expect("measurements");
    assert_eq!(network.nodes[0].label.as_deref(), Some("eng.speed"));
    assert_eq!((network.nodes[0].limits, network.nodes[1].limits), (Some((0.0, 8000.0)), None));
    let why = "the limits of `T` are not used: values are converted, and not in a line";
    assert_eq!(network.warnings, [(7, why.to_owned())]);
}

#[test]
fn limits_are_turned_back_by_linear_conversions() {
    let text = "/begin PROJECT p \"\" /begin MODULE m \"\"\n\
        /begin A2ML block \"IF_DATA\" taggedunion if_data { }; /end A2ML\n\
        /begin IF_DATA XCP /begin MEASUREMENT none of ours /end MEASUREMENT /end IF_DATA\n\
        /begin MEASUREMENT A \"degrees \\\"C\\\"\" UBYTE CM_LINEAR 1 100 -40 215 ECU_ADDRESS 0x4711 /end MEASUREMENT\n\
        /begin MEASUREMENT B \"\" UWORD CM_RAT 1 100 0 100 /end MEASUREMENT\n\
        /begin MEASUREMENT C \"\" UBYTE CM_SAME 1 100 2 3 BIT_MASK 0xF0 /end MEASUREMENT\n\
        /begin MEASUREMENT D \"\" UBYTE CM_SAME 1 100 2 3 MATRIX_DIM 4 1 1 /end MEASUREMENT\n\
        /begin MEASUREMENT E \"\" UBYTE CM_TAB 1 100 0 1 MATRIX_DIM 1 1 1\n\
          /begin IF_DATA CANAPE_EXT 100 LINK_MAP \"unit.state\" 0x5000 0x0 /end IF_DATA /end MEASUREMENT\n\
        /begin MEASUREMENT F \"\" SWORD CM_DOWN 1 100 0 10 /end MEASUREMENT\n\
        /begin CHARACTERISTIC K \"\" VALUE 0x1 R 0 CM_SAME 0 1 /end CHARACTERISTIC\n\
        /begin COMPU_METHOD CM_LINEAR \"\" LINEAR \"%3.0\" \"C\" COEFFS_LINEAR 1 -40 /end COMPU_METHOD\n\
        /begin COMPU_METHOD CM_RAT \"\" RAT_FUNC \"%3.0\" \"%\" COEFFS 0 10 5 0 0 2 /end COMPU_METHOD\n\
        /begin COMPU_METHOD CM_DOWN \"\" LINEAR \"%3.0\" \"\" COEFFS_LINEAR -2 0 /end COMPU_METHOD\n\
        /begin COMPU_METHOD CM_SAME \"\" IDENTICAL \"%3.0\" \"\" /end COMPU_METHOD\n\
        /begin COMPU_METHOD CM_TAB \"\" TAB_VERB \"%3.0\" \"\" COMPU_TAB_REF T /end COMPU_METHOD\n\
        /end MODULE /end PROJECT\n";
    let network = read("m.a2l", text.as_bytes()).expect("measurements");
    let limits: Vec<Option<(f64, f64)>> = network.nodes.iter().map(|node| node.limits).collect();
    // The value is (10 x + 5) / 2 for a physical x.
    let expected = [Some((0.0, 255.0)), Some((2.5, 502.5)), None, None, None, Some((-5.0, 0.0))];
    assert_eq!(limits, expected);
    assert_eq!(network.nodes[4].label.as_deref(), Some("unit.state"));
    let why: Vec<&str> = network.warnings.iter().filter_map(|(_, what)| what.split(": ").nth(1)).collect();
    let expected =
        ["it is some bits of its variable", "it is an array", "values are converted, and not in a line"];
    assert_eq!(why, expected);
}

#[test]
fn files_that_are_included_are_read() {
    let part = "/begin MEASUREMENT V \"v\" SWORD NO_COMPU_METHOD 0 0 0 7 /end MEASUREMENT";
    let files = |name: &str| match name {
        "part.a2l" => Ok(part.as_bytes().to_vec()),
        "bad.a2l" => Ok(b"\n/begin MEASUREMENT V oops".to_vec()),
        "circle.a2l" => Ok(b"/include circle.a2l".to_vec()),
        _ => Err("it is not there".to_owned()),
    };
    let network =
        read_with("m.a2l", b"/include \"part.a2l\"\n/include none.a2l", &files).expect("measurements");
    assert_eq!((network.nodes.len(), network.nodes[0].name.as_str()), (1, "V"));
    let why = "`none.a2l` is included, and not looked at: it is not there";
    assert_eq!(network.warnings, [(2, why.to_owned())]);
    let said = |text: &str| {
        read_with("m.a2l", text.as_bytes(), &files).map_or_else(|error| error.to_string(), |_| String::new())
    };
    assert_eq!(
        said("\n/include \"bad.a2l\""),
        "m.a2l:2: in the included `bad.a2l`:2: expected what `V` is, in quotes, behind its name"
    );
    assert!(said("/include circle.a2l").ends_with("expected an end"));
}

#[test]
fn rows_of_xdsl_have_the_first_parent_slowest_unless_agrum_wrote_them() {
    let file = |app: &str| {
        format!(
            "<smile id=\"n\"><nodes><cpt id=\"A\"><state id=\"a\"/><state id=\"b\"/><probabilities>1 0</probabilities></cpt>\
             <cpt id=\"B\"><state id=\"a\"/><state id=\"b\"/><state id=\"c\"/><probabilities>1 0 0</probabilities></cpt>\
             <cpt id=\"C\"><state id=\"a\"/><state id=\"b\"/><parents>A B</parents><probabilities>\
             0.01 0.99 0.11 0.89 0.03 0.97 0.13 0.87 0.05 0.95 0.15 0.85</probabilities></cpt></nodes>\
             <extensions><genie app=\"{app}\"/></extensions></smile>"
        )
    };
    let first = |app: &str| -> Vec<f64> {
        let network = read("n.xdsl", file(app).as_bytes()).expect("a network");
        let table = network.nodes[2].table.as_ref().expect("a table");
        (0..6).filter_map(|row| table.row(row).map(|numbers| numbers[0])).collect()
    };
    assert_eq!(first("GeNIe 4.0"), [0.01, 0.11, 0.03, 0.13, 0.05, 0.15]);
    assert_eq!(first("aGrUM 3.3.1"), [0.01, 0.03, 0.05, 0.11, 0.13, 0.15]);
}

#[test]
fn members_of_structs_are_no_signals() {
    let text = "STRUCT\n  Request: { state: int; time: float; };\nINPUT\n  state: int; st0: int;\nDEFINE\n\
        r := Request(st0, 1.0);\nFTSPEC\n  ok: r.state == 1;\n";
    let network = read("s.c2po", text.as_bytes()).expect("a specification");
    let parents = |name: &str| {
        let node = network.nodes.iter().find(|node| node.name == name).expect("a node");
        node.parents.iter().map(|&at| network.nodes[at].name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!((parents("r"), parents("ok")), (vec!["st0"], vec!["r"]));
}

#[test]
fn many_parents_take_no_room() {
    let variables: String = (0..60)
        .map(|at| format!("variable V{at} {{ type discrete [ 9 ] {{ a,b,c,d,e,f,g,h,i }}; }}\n"))
        .collect();
    let parents: Vec<String> = (0..60).map(|at| format!("V{at}")).collect();
    let text = format!(
        "{variables}variable X {{ type discrete [ 1 ] {{ a }}; }}\nprobability ( X | {} ) {{ default 1; }}",
        parents.join(", ")
    );
    let network = read_as("t", text.as_bytes(), Format::Bif).expect("a network");
    assert!(network.warnings.iter().any(|(_, what)| what.contains("more rows than can be counted")));
}

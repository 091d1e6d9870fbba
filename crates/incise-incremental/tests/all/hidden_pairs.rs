//! Random pairs of versions of which the change may only be met by inputs on which the old version goes wrong in memory
//! before, or would be: then nothing says that the versions do the same. Native runs on all inputs are the judge; there
//! an access that is out of bounds is noted, and gives zero.

use crate::whole_verdict::verdict;
use incise_change::Versions;
use incise_exec::Config;
use incise_incremental::differ::Sameness;
use incise_testing::{Native, Random, program, shorter};

/// Functions in one file.
const BATCH: usize = 40;

const NATIVE: &str = "#include <stdio.h>
static int bad, met;
#define AT(a, i) ((unsigned)(i) < 4 ? a[(unsigned)(i)] : (bad = 1, 0))
#define MET met = 1;
";

const EXPLORED: &str = "#define AT(a, i) a[i]
#define MET
";

/// Statements that add to the result, some of them by a table of four, and one of them marked as that which changes.
fn statements(random: &mut Random, depth: u32, changed: &mut bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        let (small, large) = (random.below(5), random.below(12));
        text += &match random.below(if depth == 0 { 6 } else { 10 }) {
            0 => format!("r += x + {small};\n"),
            1 => "r += AT(t, n);\n".to_owned(),
            2 => format!("r += AT(t, n - {small});\n"),
            3 => format!("r += AT(t, n & {large});\n"),
            4 | 5 if !*changed => {
                *changed = true;
                format!("MET r += CHANGED(n + {small});\n")
            }
            4 | 5 => "r++;\n".to_owned(),
            _ => {
                let condition = match random.below(5) {
                    0 => format!("n > {large}"),
                    1 => format!("n < {small}"),
                    2 => format!("n == {large}"),
                    3 => format!("x > {}", small as i64 - 2),
                    _ => "n & 1".to_owned(),
                };
                format!("if ({condition}) {{\n{}}}\n", statements(random, depth - 1, changed))
            }
        };
    }
    text
}

fn function(name: &str, body: &str) -> String {
    format!("int {name}(unsigned char n, int x) {{\nint t[4] = {{3, 1, 4, 1}}, r = 0;\n{body}return r;\n}}\n")
}

/// For each pair: whether an input differs on which the old version does nothing wrong, whether such an input meets the
/// change, and whether any does.
fn judged(bodies: &[String]) -> Vec<[bool; 3]> {
    let mut text = NATIVE.to_owned();
    let mut main = "int main(void) {\n".to_owned();
    for (version, changed) in [("old", "(e)"), ("new", "-(e)")] {
        text += &format!("#undef CHANGED\n#define CHANGED(e) {changed}\n");
        for (number, body) in bodies.iter().enumerate() {
            text += &function(&format!("{version}{number}"), body);
        }
    }
    for number in 0..bodies.len() {
        main += &format!(
            "{{ int differs = 0, valid = 0, any = 0;
            for (int n = 0; n < 256; n++) for (int x = -4; x < 5; x++) {{
                met = bad = 0;
                int one = old{number}(n, x), old_bad = bad;
                bad = 0;
                int two = new{number}(n, x);
                any |= met; valid |= met && !old_bad; differs |= !old_bad && (bad || one != two);
            }}
            printf(\"%d%d%d\\n\", differs, valid, any); }}\n"
        );
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let native = Native::build(folder.path(), "judge", &["-O0"], &format!("{text}{main}}}\n"));
    let output = native.and_then(|native| native.output(&[], &[])).expect("the judge runs");
    let lines = String::from_utf8(output).expect("numbers");
    lines.lines().map(|line| [0, 1, 2].map(|at| line.as_bytes()[at] == b'1')).collect()
}

#[test]
fn a_change_that_only_inputs_meet_that_go_wrong_before_is_never_the_same() {
    let batches = shorter(3, 25);
    let (mut hidden, mut different, mut same) = (0, 0, 0);
    for batch in 0..batches {
        let mut random = Random::new(9_100, batch as u64);
        let mut bodies = Vec::new();
        while bodies.len() < BATCH {
            let mut changed = false;
            let body = statements(&mut random, 2, &mut changed);
            if changed {
                bodies.push(body);
            }
        }
        let file = |changed: &str| {
            let functions = bodies.iter().enumerate();
            let functions: String =
                functions.map(|(number, body)| function(&format!("f{number}"), body)).collect();
            program(&format!("{EXPLORED}#define CHANGED(e) {changed}\n{functions}"))
        };
        let (old, new) = (file("(e)"), file("-(e)"));
        let versions = Versions::compare(&old, &new);
        for (number, [differs, valid, any]) in judged(&bodies).into_iter().enumerate() {
            let found = verdict((&old, &new), &versions, &Config::new(format!("f{number}")), true);
            let comforts = matches!(found, Sameness::Same | Sameness::WithinBounds);
            let why = || format!("batch {batch}, {found:?}\n{}", function("f", &bodies[number]));
            assert!(!(comforts && differs), "an input differs: {}", why());
            assert!(!(comforts && any && !valid), "only invalid inputs meet it: {}", why());
            assert!(found != Sameness::Differs || differs, "no input differs: {}", why());
            hidden += usize::from(any && !valid);
            different += usize::from(differs);
            same += usize::from(comforts);
        }
    }
    println!("{hidden} met by invalid inputs alone, {different} differ, {same} the same");
    assert!(hidden >= 3 * batches && different >= 5 * batches, "{hidden}, {different}, {same}");
}

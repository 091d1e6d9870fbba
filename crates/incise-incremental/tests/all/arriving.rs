//! Which functions are called, on random programs in which most things have nothing to do with each other: leaving out
//! what has no say in it finds those that full exploration finds. And inputs that are drawn show nothing else, on the
//! programs as they are and with their branches joined.

use incise_exec::{Config, Externals, Outcome, explore};
use incise_incremental::{CountedVariable, drawn_numbers, explore_arriving};
use incise_ir::{Program, join_branches};
use incise_testing::kinds::independent::batch;
use incise_testing::{Random, hooks, program, shorter};
use std::collections::BTreeSet;
use std::fmt::Write;

const PROGRAMS: usize = 40;
const CLASSES: usize = 4;

/// Functions that end by telling in what class a result or a variable is.
fn telling(text: &str) -> String {
    let mut text = text.to_owned();
    for class in 0..2 * CLASSES {
        let _ = writeln!(text, "void __incise_class_{}_{}(void);", class / CLASSES, class % CLASSES);
    }
    let _ = writeln!(text, "int class_0, class_1;");
    for number in 0..PROGRAMS {
        let tell = |at: usize, value: &str| {
            format!(
                "if ({value} < 0) __incise_class_{at}_0();\n    else if ({value} == 1) __incise_class_{at}_1();\n    \
                 else if ({value} > 3) __incise_class_{at}_2();\n    else __incise_class_{at}_3();"
            )
        };
        let class = |value: &str| format!("{value} < 0 ? 0 : {value} == 1 ? 1 : {value} > 3 ? 2 : 3");
        let _ = writeln!(
            text,
            "unsigned __VERIFIER_nondet_uint(void);\nvoid t{number}(int p0, int p1, int p2, int p3) {{\n    \
             int r = e{number}(p0, p1, p2, p3);\n    class_0 = {};\n    class_1 = {};\n    \
             unsigned choice = __VERIFIER_nondet_uint();\n    if (choice == 1) {{\n    {}\n    }} else if (choice == 2) {{\n    \
             {}\n    }}\n}}",
            class("r"),
            class("g2"),
            tell(0, "r"),
            tell(1, "g2")
        );
    }
    text
}

/// The classes that drawn inputs show, by the functions that tell them.
fn drawn(program: &Program, config: &Config) -> Vec<String> {
    let variables = [0, 1].map(|at| CountedVariable { name: format!("class_{at}"), count: CLASSES as u32 });
    let seen = drawn_numbers(program, config, &hooks(), &variables).expect("it runs");
    let names = |(at, seen): (usize, BTreeSet<u32>)| {
        seen.into_iter().map(move |class| format!("__incise_class_{at}_{class}"))
    };
    seen.into_iter().enumerate().flat_map(names).collect()
}

#[test]
fn what_has_no_say_in_what_is_called_is_left_out() {
    let (mut states, mut all_states, mut calls, mut shown) = (0, 0, 0, 0);
    for seed in shorter(0..2, 0..12) {
        let batch = batch(Random::new(seed, 815), PROGRAMS);
        let program = program(&telling(&batch.new));
        let joined = join_branches(&program);
        for (number, text) in batch.texts.iter().enumerate() {
            let name = format!("t{number}");
            let entry = program.function_named(&name).expect("the entry");
            let config = Config { externals: Externals::Error, ..Config::new(name) };
            let all = explore(&program, &config, &hooks()).expect("it is explored");
            let expected: BTreeSet<String> = all
                .paths
                .iter()
                .filter_map(|path| match &path.outcome {
                    Outcome::External { function } => Some(function.clone()),
                    _ => None,
                })
                .collect();
            let wanted = |name: &str| name.starts_with("__incise_class_");
            let found = explore_arriving(&program, entry, &config, &hooks(), wanted).expect("it is explored");
            assert_eq!(found.called, expected, "seed {seed}\n{text}");
            assert!(!found.cut && found.exploration.diverged == 0, "seed {seed}\n{text}");
            let reached: BTreeSet<String> =
                [&program, &joined].into_iter().flat_map(|program| drawn(program, &config)).collect();
            assert!(reached.is_subset(&expected), "seed {seed}: {reached:?} of {expected:?}\n{text}");
            shown += reached.len();
            states += found.exploration.counters.states;
            all_states += all.counters.states;
            calls += expected.len();
        }
    }
    println!("{calls} functions called, {shown} seen on drawn inputs; states {states} of {all_states}");
    assert!(shown * 2 > calls, "drawn inputs show most: {shown} of {calls}");
    assert!(states * 4 < all_states * 3, "branches without a say are not explored: {states} of {all_states}");
}

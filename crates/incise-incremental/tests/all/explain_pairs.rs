//! Explanations of random pairs of versions, with native runs as the judge: whether an input behaves the same is what
//! they say, for the input in question and for every nearby one.

use incise_exec::{Given, GivenValue, InputValue, Trace};
use incise_incremental::{Explanation, Question, explain};
use incise_ir::Program;
use incise_testing::judge::{End, Run, Trace as Judge};
use incise_testing::{Batch, Features, Input, Pair, batch, hooks, program_in, shorter};

/// Functions in one file.
const BATCH: usize = 30;
/// Inputs that are tried natively for each function, to find one that differs.
const INPUTS: usize = 100;
/// The names of the parameters.
const PARAMETERS: [&str; 3] = ["a", "b", "c"];

/// An input by the names of the source.
fn given(pair: &Pair, input: &Input) -> Given {
    let names = PARAMETERS[..input.parameters.len()].iter().map(|name| (*name).to_owned());
    let all = names.chain(pair.global_numbers()).zip(input.parameters.iter().chain(&input.globals));
    let elements = all.map(|(name, &value)| (name, GivenValue::Integer(value.into()))).collect();
    Given { elements, ..Given::default() }
}

/// The input that a trace took.
fn taken(trace: &Trace, pair: &Pair) -> Input {
    let inputs = trace.path.as_ref().and_then(|path| path.inputs.as_ref()).expect("inputs");
    let value = |name: &str| &inputs.iter().find(|input| input.name == name).expect(name).value;
    let number = |value: &InputValue| match value {
        InputValue::Signed(number) => *number as i32,
        InputValue::Unsigned(number) => *number as i32,
        InputValue::Character(byte) => i32::from(*byte as i8),
        other => panic!("{other:?}"),
    };
    let parameters = PARAMETERS[..pair.parameters().len()].iter().map(|name| number(value(name))).collect();
    let mut globals = Vec::new();
    for name in pair.globals() {
        match value(&name) {
            InputValue::Array(elements) => globals.extend(elements.iter().map(number)),
            other => globals.push(number(other)),
        }
    }
    Input { parameters, globals }
}

/// Whether native runs are the same to whoever called; `None` if both fail, of which the judge does not say how.
fn same(old: &Run, new: &Run) -> Option<bool> {
    match (old.end, new.end) {
        (End::Failed(_), End::Failed(_)) => None,
        (End::Returned(_), End::Returned(_)) => Some(old.same_behaviour(new)),
        (End::Aborted(_), End::Aborted(_)) => Some(true),
        (End::Exited(_, old), End::Exited(_, new)) => Some(old == new),
        _ => Some(false),
    }
}

#[derive(Default)]
struct Tally {
    same: usize,
    differ: usize,
    with_cause: usize,
    with_agreeing_cause: usize,
    nearby: usize,
    all_constraints: usize,
    asked: usize,
    undecided: usize,
}

struct Versions {
    old: Program,
    new: Program,
    old_judge: Judge,
    new_judge: Judge,
}

impl Versions {
    fn judged(&self, calls: &[(usize, Input)]) -> Vec<Option<bool>> {
        let run = |judge: &Judge| judge.run(calls).unwrap_or_else(|why| panic!("{why}"));
        run(&self.old_judge).iter().zip(&run(&self.new_judge)).map(|(old, new)| same(old, new)).collect()
    }

    fn explained(&self, pair: &Pair, input: &Input) -> Explanation {
        let config = pair.config();
        let given = given(pair, input);
        let question = Question { old: &self.old, new: &self.new, config: &config, given, all: false };
        let hooks = hooks();
        explain(&question, &hooks).expect("it is explained")
    }

    fn check(&self, batch: &Batch, number: usize, input: &Input, expected: bool, tally: &mut Tally) {
        let pair = &batch.pairs[number];
        let found = self.explained(pair, input);
        let shown = || format!("{input:?}, {}", pair.texts());
        assert!(found.test.is_conclusive(), "{}", shown());
        assert_eq!(taken(&found.test.old, pair), *input, "{}", shown());
        assert_eq!(found.test.is_same(), expected, "{}", shown());
        if expected {
            tally.same += 1;
            return;
        }
        tally.differ += 1;
        // Versions that differ part at a condition, or compute something else in a statement that changed.
        let statements = found.changed_old.len() + found.changed_new.len();
        assert!(found.causes.len() + statements > 0, "nothing to show for {}", shown());
        tally.with_cause += usize::from(!found.causes.is_empty());
        let agrees = found.causes.iter().any(|cause| cause.nearby.is_same());
        tally.with_agreeing_cause += usize::from(agrees);
        tally.undecided += found.undecided.len();
        for looked in [found.looked_old, found.looked_new] {
            tally.all_constraints += looked.all;
            tally.asked += looked.asked;
        }
        let nearby = found.causes.iter().map(|cause| (&cause.nearby, &cause.changed));
        for (both, changed) in nearby.chain(found.agreeing.iter().map(|(both, changed)| (both, changed))) {
            let (old, new) = (taken(&both.old, pair), taken(&both.new, pair));
            assert_eq!(old, new, "{}", shown());
            assert!(!changed.is_empty() && old != *input, "{}", shown());
            if let Some(same) = self.judged(&[(number, old.clone())])[0] {
                assert_eq!(both.is_same(), same, "nearby {old:?} of {}", shown());
                tally.nearby += 1;
            }
        }
    }
}

#[test]
fn native_runs_say_the_same_of_tests_and_nearby_inputs() {
    let mut tally = Tally::default();
    let seeds = shorter(11..13, 11..15);
    let batches = seeds.clone().count();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::functions(), seed, BATCH);
        let build = |name, text| {
            Judge::build(folder.path(), name, &batch, text).unwrap_or_else(|why| panic!("{why}"))
        };
        let versions = Versions {
            old_judge: build("old", &batch.old),
            new_judge: build("new", &batch.new),
            old: program_in(folder.path(), "old", &batch.old),
            new: program_in(folder.path(), "new", &batch.new),
        };
        for (number, pair) in batch.pairs.iter().enumerate() {
            let calls: Vec<_> = pair.inputs(INPUTS).into_iter().map(|input| (number, input)).collect();
            let judged = versions.judged(&calls);
            for wanted in [true, false] {
                if let Some(at) = judged.iter().position(|&same| same == Some(wanted)) {
                    versions.check(&batch, number, &calls[at].1, wanted, &mut tally);
                }
            }
        }
    }
    let Tally { same, differ, with_cause, with_agreeing_cause, nearby, all_constraints, asked, undecided } =
        tally;
    println!(
        "{same} same, {differ} differ: {with_cause} with a cause, {with_agreeing_cause} with one on whose nearby input both agree; \
         {nearby} nearby inputs; {asked} of {all_constraints} constraints asked about; {undecided} undecided"
    );
    assert!(same > 12 * batches && differ > 7 * batches, "{same} same, {differ} differ");
    assert!(with_cause * 2 > differ, "{with_cause} of {differ} have a cause");
    assert!(asked < all_constraints && undecided == 0, "{asked} of {all_constraints}, {undecided} undecided");
}

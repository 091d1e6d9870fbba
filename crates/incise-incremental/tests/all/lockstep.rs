//! Two programs in lockstep, their states merged at the heads of loops, do what they do on every path by itself: each
//! pair of paths of a full exploration is checked against what its inputs lead to in lockstep, on random functions over
//! buffers, strings and structures, on random functions over numbers, and on functions of ours.

use incise_exec::inside::{Byte, Ended, State, Value};
use incise_exec::{Config, FullExploration, Outcome, Session, Strategy, Work};
use incise_ir::Program;
use incise_relate::{Effort, LoopHeads, Pair, Party, Relation};
use incise_testing::kinds::natural;
use incise_testing::{Features, batch, hooks, program, program_of, shorter};
use std::path::Path;

/// More pairs of paths are not looked at.
const MOST_PAIRS: usize = 600;
/// So many elements pointers lead to, where fewer do not suffice.
const MOST_ELEMENTS: u64 = 5;

/// The pairs of paths of two programs, and what they took if that is all of them.
fn pairs(
    session: &mut Session,
    (old, new): (&Program, &Program),
    config: &Config,
    in_lockstep: bool,
) -> (Vec<Pair>, Option<Effort>) {
    let hooks = hooks();
    let [mut leading, mut following] = [new, old].map(|program| -> Box<dyn Strategy> {
        if in_lockstep { Box::new(LoopHeads::new(program)) } else { Box::new(FullExploration) }
    });
    let leading = Party { program: new, config, strategy: &mut *leading };
    let following = Party { program: old, config, strategy: &mut *following };
    let mut relation = Relation::new(session, leading, following, &hooks).expect("it can be explored");
    if in_lockstep {
        relation.go_in_lockstep();
    }
    let mut found = Vec::new();
    while let Some(pair) = relation.next(session) {
        found.push(pair);
        if found.len() > MOST_PAIRS {
            return (found, None);
        }
    }
    let effort = relation.effort();
    (found, Some(effort).filter(|effort| effort.abandoned == 0))
}

/// What a path leaves behind for the inputs of a pair, as far as others can see: its result and its memory.
fn left(session: &mut Session, ended: &Ended, of: &Pair) -> (Option<u128>, Vec<(u64, Vec<Option<u128>>)>) {
    let model = &of.assignment.0.model;
    let result = match &ended.state.returned {
        Some(Value::Symbolic(expr)) => Some(session.solver.evaluate(&session.exprs, *expr, model)),
        Some(value) => value.as_concrete(),
        None => None,
    };
    let state: &State = &ended.state;
    let mut objects = Vec::new();
    for (slot, object) in state.memory.live() {
        let bytes = (0..object.size)
            .map(|offset| match object.read_byte(&mut session.exprs, offset) {
                Byte::Concrete(byte) => Some(u128::from(byte)),
                Byte::Uninitialised => None,
                Byte::Part { expr, byte } => {
                    let byte = session.exprs.extract(expr, u32::from(byte) * 8, 8);
                    Some(session.solver.evaluate(&session.exprs, byte, model))
                }
            })
            .collect();
        objects.push((slot, bytes));
    }
    (result, objects)
}

/// Whether the inputs of one pair are among those of another.
fn holds(session: &mut Session, of: &Pair, inputs: &Pair) -> bool {
    let model = &inputs.assignment.0.model;
    let conditions = of.conditions.0.iter_in_order();
    conditions.into_iter().all(|condition| session.solver.evaluate(&session.exprs, condition, model) == 1)
}

/// What is counted.
#[derive(Default, Debug)]
struct Counts {
    /// Functions that were explored whole both ways.
    whole: u32,
    all: u32,
    /// Pairs of paths by themselves, and in lockstep.
    plain: usize,
    merged: usize,
    /// Those that were cut in lockstep and not by themselves.
    cut: usize,
}

impl Counts {
    /// Looks at two versions of a function; tells what is wrong.
    fn check(&mut self, programs: (&Program, &Program), mut config: Config) -> Result<(), String> {
        config.limits.loop_iterations = 6;
        config.limits.work = Some(Work::about_milliseconds(1_500));
        let hooks = hooks();
        let mut session = Session::new(&config, &hooks.interrupt);
        self.all += 1;
        if let (_, Some(effort)) = pairs(&mut session, programs, &config, false) {
            config.inputs.sizes.grow(&effort.needs, MOST_ELEMENTS);
        }
        let (plain, Some(_)) = pairs(&mut session, programs, &config, false) else { return Ok(()) };
        let (merged, Some(_)) = pairs(&mut session, programs, &config, true) else { return Ok(()) };
        self.whole += 1;
        self.plain += plain.len();
        self.merged += merged.len();
        for pair in &plain {
            let mut matching = merged.iter().filter(|other| holds(&mut session, other, pair));
            let Some(other) = matching.next() else {
                return Err(format!("an input was lost that ends in {:?}", pair.leading.outcome));
            };
            if matching.next().is_some() {
                return Err("an input is on two paths".into());
            }
            let ends = [(&pair.leading, &other.leading), (&pair.following, &other.following)];
            // A loop that was merged counts the turns of the way that had the most.
            if ends.iter().any(|(_, end)| matches!(end.outcome, Outcome::Limit(_))) {
                self.cut +=
                    usize::from(!ends.iter().any(|(end, _)| matches!(end.outcome, Outcome::Limit(_))));
                continue;
            }
            for (one, other) in ends {
                if !one.outcome.ends_like(&other.outcome) {
                    return Err(format!("{:?} became {:?}", one.outcome, other.outcome));
                }
                if one.outcome == Outcome::Returned
                    && left(&mut session, one, pair) != left(&mut session, other, pair)
                {
                    return Err("something else is left behind".into());
                }
            }
        }
        Ok(())
    }
}

#[test]
fn random_functions_over_buffers_do_the_same_in_lockstep() {
    let mut counts = Counts::default();
    for seed in 0..shorter(2, 20) {
        let batch = natural::batch(seed, 60);
        let (old, new) = (program(&batch.old), program(&batch.new));
        for number in 0..batch.pairs.len() {
            let name = format!("e{number}");
            let checked = counts.check((&old, &new), Config::new(&name));
            checked.unwrap_or_else(|why| panic!("seed {seed}, {name}: {why}"));
        }
    }
    println!("{counts:?}");
    assert!(counts.whole * 2 > counts.all, "few were explored whole: {counts:?}");
    assert!(counts.merged < counts.plain, "nothing was merged: {counts:?}");
    assert!(counts.cut * 20 < counts.plain, "much was cut: {counts:?}");
}

#[test]
fn random_functions_over_numbers_do_the_same_in_lockstep() {
    let mut counts = Counts::default();
    for seed in 0..shorter(1, 10) {
        let batch = batch(&Features::functions(), seed, 60);
        let (old, new) = (program(&batch.old), program(&batch.new));
        for pair in &batch.pairs {
            let checked = counts.check((&old, &new), pair.config());
            checked.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}", pair.texts()));
        }
    }
    println!("{counts:?}");
    assert!(counts.whole * 2 > counts.all, "few were explored whole: {counts:?}");
}

#[test]
fn functions_do_the_same_in_lockstep() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/functions");
    let names = [
        "squeeze-blanks",
        "line-endings",
        "path-depth",
        "string-trim",
        "find-last",
        "lexer-next",
        "tlv-find",
    ];
    let mut counts = Counts::default();
    for name in names {
        let label = std::fs::read_to_string(folder.join(name).join("inputs.c")).expect("its label");
        let entry = label.lines().find_map(|line| line.strip_prefix("// entry: ")).expect("its entry");
        let versions =
            ["base.c", "harmless.c", "harmful.c"].map(|file| program_of(&folder.join(name).join(file)));
        for version in &versions[1..] {
            let checked = counts.check((&versions[0], version), Config::new(entry));
            checked.unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
    println!("{counts:?}");
    assert!(counts.merged < counts.plain, "nothing was merged: {counts:?}");
}

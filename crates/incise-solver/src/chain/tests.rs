//! The chain as a whole: against all models of small symbols, against Bitwuzla and Z3, and against itself.

use super::bitwuzla::Bitwuzla;
use super::gates::{GateLimits, Gates};
use super::query::{Decide, Query, Unknown, Verdict};
use super::second::{Opinion, SecondOpinion, Z3Process};
use super::testing::{Generator, Profile, Random};
use super::{Answer, Solver, SolverConfig, Stage, Validate};
use crate::constraints::Constraints;
use crate::evaluate::Evaluator;
use crate::expr::{
    BinaryOp, CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, SymbolId, SymbolKind,
};
use crate::model::Model;
use crate::work::{Deadline, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A path with a model of it, as an executor keeps one.
#[derive(Clone)]
struct Path {
    constraints: Constraints,
    model: Model,
}

impl Path {
    fn new() -> Self {
        Path { constraints: Constraints::new(), model: Model::new() }
    }
}

/// Takes random steps along a tree of paths and hands each question to `check`, which returns the model if
/// there is one.
fn walk(
    generator: &mut Generator,
    steps: usize,
    mut check: impl FnMut(&mut Exprs, &Path, ExprId) -> Option<Model>,
) {
    let mut paths = vec![Path::new()];
    for _ in 0..steps {
        if generator.random.below(3) == 0 {
            generator.grow();
        }
        let number = generator.random.below(paths.len());
        let path = paths[number].clone();
        let condition = generator.condition();
        let negation = generator.exprs.not(condition);
        for side in [condition, negation] {
            if let Some(model) = check(&mut generator.exprs, &path, side) {
                let mut next = Path { constraints: path.constraints.clone(), model };
                next.constraints.push(&generator.exprs, side);
                if next.constraints.len() < 12 {
                    paths.push(next);
                }
            }
        }
        if paths.len() > 20 {
            paths.drain(1..10);
        }
    }
}

fn model_of(answer: Answer) -> Option<Model> {
    match answer {
        Answer::Sat(model) => Some(model),
        Answer::Unsat => None,
        Answer::Unknown(why) => panic!("undecided: {why}"),
    }
}

/// Whether any values of two small symbols satisfy everything.
fn by_enumeration(exprs: &Exprs, conditions: &[ExprId], symbols: &[SymbolId]) -> bool {
    let mut evaluator = Evaluator::new();
    (0..128u128).any(|values| {
        let model = Model::new().with([(symbols[0], values & 7), (symbols[1], values >> 3)]);
        conditions.iter().all(|condition| evaluator.holds(exprs, *condition, &model))
    })
}

#[test]
fn answers_agree_with_all_models_of_small_symbols() {
    let mut answers = [0, 0];
    for seed in 0..60 {
        let profile = Profile { floats: false, arrays: true, widest_product: 32 };
        let exprs = if seed % 3 == 0 { Exprs::without_rewriting() } else { Exprs::new() };
        let mut generator = Generator::new(seed, exprs, profile, &[3, 4]);
        let symbols = generator.symbols.clone();
        let mut solver = Solver::new(SolverConfig::default(), Arc::default());
        walk(&mut generator, 60, |exprs, path, condition| {
            let answer = model_of(solver.check(exprs, &path.constraints, condition, &path.model));
            let mut conditions = path.constraints.iter_in_order();
            conditions.push(condition);
            let expected = by_enumeration(exprs, &conditions, &symbols);
            assert_eq!(answer.is_some(), expected, "seed {seed}: {}", exprs.display_c(condition));
            if let Some(model) = &answer {
                let mut evaluator = Evaluator::new();
                assert!(
                    conditions.iter().all(|c| evaluator.holds(exprs, *c, model)),
                    "seed {seed}: no model"
                );
            }
            answers[usize::from(answer.is_some())] += 1;
            answer
        });
    }
    assert!(answers[0] > 1000 && answers[1] > 1000, "{answers:?}");
}

#[test]
fn answers_pass_validation_also_with_floats() {
    for seed in 0..24 {
        let profile = Profile { floats: seed % 3 == 0, arrays: true, widest_product: 12 };
        let mut generator = Generator::new(seed, Exprs::new(), profile, &[8, 16, 32, 8, 16, 32]);
        let config = SolverConfig { validate: Validate::BitwuzlaAndZ3Sample, ..SolverConfig::default() };
        let mut solver = Solver::new(config, Arc::default());
        solver.set_second_opinion(Box::new(Z3Process::new("z3", Arc::default())));
        walk(&mut generator, 25, |exprs, path, condition| {
            let answer = solver.check(exprs, &path.constraints, condition, &path.model);
            // Some float conditions are beyond any solver's patience; a fault is what must not be.
            match answer {
                Answer::Sat(model) => Some(model),
                Answer::Unknown(Unknown::Fault(problem)) => panic!("seed {seed}: {problem}"),
                _ => None,
            }
        });
        let stats = solver.stats();
        assert_eq!(stats.faults, 0);
        assert!(stats.validated > 0);
    }
}

#[test]
fn gates_and_incremental_bitwuzla_agree_with_a_fresh_bitwuzla() {
    let limits = GateLimits { conflicts: 100_000, hard_conflicts: 100_000, cone: 100_000, circuit: 20_000 };
    let mut decided = [0, 0];
    for seed in 100..130 {
        let profile = Profile { floats: false, arrays: true, widest_product: 8 };
        let mut generator = Generator::new(seed, Exprs::new(), profile, &[8, 8, 16, 32]);
        let mut gates = Gates::new(limits, Arc::default());
        let mut incremental = Bitwuzla::new(Arc::default());
        walk(&mut generator, 25, |exprs, path, condition| {
            let mut conditions = path.constraints.iter_in_order();
            conditions.push(condition);
            let query = Query::new(exprs, conditions, Deadline::after(Duration::from_secs(60), None));
            let expected = Bitwuzla::decide_afresh(&Arc::default(), exprs, &query);
            for verdict in [gates.decide(exprs, &query), incremental.decide(exprs, &query)] {
                match (&verdict, &expected) {
                    (Verdict::Sat(values), Verdict::Sat(_)) => {
                        let model = Model::new().with(values.iter().copied());
                        let mut evaluator = Evaluator::new();
                        assert!(
                            query.conditions.iter().all(|c| evaluator.holds(exprs, *c, &model)),
                            "seed {seed}"
                        );
                    }
                    _ => assert_eq!(verdict, expected, "seed {seed}"),
                }
            }
            match expected {
                Verdict::Sat(values) => {
                    decided[1] += 1;
                    Some(Model::new().with(values))
                }
                _ => {
                    decided[0] += 1;
                    None
                }
            }
        });
    }
    assert!(decided[0] > 100 && decided[1] > 100, "{decided:?}");
}

/// The same path in two arenas, in the second after other expressions and questions: reported inputs must be
/// equal by name.
#[test]
fn canonical_models_depend_on_the_constraints_alone() {
    for seed in 0..40 {
        let profile = Profile { floats: false, arrays: true, widest_product: 8 };
        let run = |before: u64| {
            let mut exprs = Exprs::new();
            let mut solver = Solver::new(SolverConfig::default(), Arc::default());
            if before > 0 {
                // Symbols in another order, expressions with other ids, a solver with a past.
                for name in ["s3", "s1", "other"] {
                    exprs.symbol(name, 32, SymbolKind::Unsigned);
                }
                let mut generator = Generator::new(before, exprs, profile, &[32, 8, 16, 32]);
                walk(&mut generator, 20, |exprs, path, condition| {
                    model_of(solver.check(exprs, &path.constraints, condition, &path.model))
                });
                exprs = generator.exprs;
            }
            let mut generator = Generator::new(seed, exprs, profile, &[8, 16, 8, 32]);
            let target = generator.model();
            let mut constraints = Constraints::new();
            for _ in 0..8 {
                generator.grow();
                let condition = generator.condition();
                let holds = solver.evaluate(&generator.exprs, condition, &target) == 1;
                let side = if holds { condition } else { generator.exprs.not(condition) };
                constraints.push(&generator.exprs, side);
            }
            let model = solver.canonical_model(&mut generator.exprs, &constraints).expect("satisfiable");
            let mut evaluator = Evaluator::new();
            for condition in constraints.iter_in_order() {
                assert!(evaluator.holds(&generator.exprs, condition, &model), "seed {seed}");
            }
            let named =
                |symbol: &SymbolId| (generator.exprs.symbol_info(*symbol).name.clone(), model.value(*symbol));
            let mut values: Vec<_> = generator.symbols.iter().map(named).collect();
            values.sort();
            values
        };
        assert_eq!(run(0), run(seed + 1), "seed {seed}");
    }
}

#[test]
fn stages_answer_what_they_are_for() {
    let mut exprs = Exprs::new();
    let mut solver = Solver::new(SolverConfig::default(), Arc::default());
    let (x, y) = (exprs.symbol("x", 32, SymbolKind::Signed), exprs.symbol("y", 32, SymbolKind::Signed));
    let mut constraints = Constraints::new();
    let model = Model::new();
    let ask = |solver: &mut Solver, exprs: &mut Exprs, constraints: &Constraints, query, stage: Stage| {
        let before = *solver.stats().stage(stage);
        let answer = solver.check(exprs, constraints, query, &model);
        let after = *solver.stats().stage(stage);
        assert_eq!(after.sat + after.unsat, before.sat + before.unsat + 1, "{stage:?} should have answered");
        answer
    };
    assert!(matches!(
        ask(&mut solver, &mut exprs, &constraints, Exprs::TRUE, Stage::Constant),
        Answer::Sat(_)
    ));
    let equal = exprs.eq(x, y);
    assert!(matches!(ask(&mut solver, &mut exprs, &constraints, equal, Stage::Model), Answer::Sat(_)));
    constraints.push(&exprs, equal);
    let unequal = exprs.not(equal);
    assert!(matches!(
        ask(&mut solver, &mut exprs, &constraints, unequal, Stage::Contradiction),
        Answer::Unsat
    ));
    let thousand = exprs.constant(1000, 32);
    let large = exprs.compare(CompareOp::Sgt, x, thousand);
    assert!(matches!(ask(&mut solver, &mut exprs, &constraints, large, Stage::Repair), Answer::Sat(_)));
    assert!(matches!(ask(&mut solver, &mut exprs, &constraints, large, Stage::Cache), Answer::Sat(_)));
    let sum = exprs.add(x, y);
    let one = exprs.constant(1, 32);
    let low = exprs.and(sum, one);
    let odd = exprs.eq(low, one);
    let by_gates = ask(&mut solver, &mut exprs, &constraints, odd, Stage::Gates);
    assert!(matches!(by_gates, Answer::Unsat), "a sum of equal numbers is even");
    let wide = [exprs.sext(x, 128), exprs.sext(y, 128)];
    let product = exprs.binary(BinaryOp::Mul, wide[0], wide[1]);
    let zero = exprs.constant(0, 128);
    let negative = exprs.compare(CompareOp::Slt, product, zero);
    let by_bitwuzla = ask(&mut solver, &mut exprs, &constraints, negative, Stage::Bitwuzla);
    assert!(matches!(by_bitwuzla, Answer::Unsat), "a square is not negative");
}

#[test]
fn a_query_that_takes_too_long_times_out_and_the_next_one_works() {
    let (mut exprs, factors) = factoring();
    let config = SolverConfig { timeout: Duration::from_millis(200), ..SolverConfig::default() };
    let mut solver = Solver::new(config, Arc::default());
    let answer = solver.check(&mut exprs, &Constraints::new(), factors, &Model::new());
    assert!(matches!(answer, Answer::Unknown(Unknown::Timeout)), "{answer:?}");
    let asked = solver.stats().stage(Stage::Bitwuzla).asked;
    let again = solver.check(&mut exprs, &Constraints::new(), factors, &Model::new());
    assert!(matches!(again, Answer::Unknown(Unknown::Timeout)));
    assert_eq!(solver.stats().stage(Stage::Bitwuzla).asked, asked, "nobody waits twice");
    let x = exprs.symbol("x", 64, SymbolKind::Unsigned);
    let seven = exprs.constant(7, 64);
    let easy = exprs.eq(x, seven);
    assert!(matches!(solver.check(&mut exprs, &Constraints::new(), easy, &Model::new()), Answer::Sat(_)));
}

/// Whoever asks has a model of what holds so far. Where that is not so, the answer would be worth nothing.
#[test]
fn a_model_that_breaks_its_constraints_is_a_fault() {
    let mut exprs = Exprs::new();
    let x = exprs.symbol("x", 8, SymbolKind::Unsigned);
    let (three, four) = (exprs.constant(3, 8), exprs.constant(4, 8));
    let (is_three, is_four) = (exprs.compare(CompareOp::Eq, x, three), exprs.compare(CompareOp::Eq, x, four));
    let mut constraints = Constraints::new();
    constraints.push(&exprs, is_three);
    let config = SolverConfig { validate: Validate::Bitwuzla, ..SolverConfig::default() };
    let mut solver = Solver::new(config, Arc::default());
    let answer = solver.check(&mut exprs, &constraints, is_four, &Model::new());
    let Answer::Unknown(Unknown::Fault(why)) = &answer else { panic!("{answer:?}") };
    assert!(why.contains("does not satisfy x == 3"), "{why}");
    assert_eq!(solver.stats().faults, 1);
}

#[test]
fn an_interrupt_ends_a_running_query_at_once() {
    let (mut exprs, factors) = factoring();
    let flag = Arc::new(AtomicBool::new(false));
    let mut solver =
        Solver::new(SolverConfig { timeout: Duration::from_secs(60), ..Default::default() }, flag.clone());
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let answer = solver.check(&mut exprs, &Constraints::new(), factors, &Model::new());
    assert!(matches!(answer, Answer::Unknown(Unknown::Interrupted)), "{answer:?}");
    setter.join().expect("the thread only sleeps");
}

/// A condition that no solver decides quickly: a product of two primes of 32 bits has such factors.
fn factoring() -> (Exprs, ExprId) {
    let mut exprs = Exprs::new();
    let (x, y) = (exprs.symbol("x", 64, SymbolKind::Unsigned), exprs.symbol("y", 64, SymbolKind::Unsigned));
    let product = exprs.binary(BinaryOp::Mul, x, y);
    let value = exprs.constant(2_860_486_313 * 3_367_900_313, 64);
    let mut all = exprs.eq(product, value);
    for factor in [x, y] {
        let (one, bound) = (exprs.constant(1, 64), exprs.constant(u32::MAX.into(), 64));
        let above = exprs.compare(CompareOp::Ugt, factor, one);
        let below = exprs.compare(CompareOp::Ule, factor, bound);
        all = exprs.and(all, above);
        all = exprs.and(all, below);
    }
    (exprs, all)
}

/// A solver that always says the same.
struct Stubborn(Opinion);

impl SecondOpinion for Stubborn {
    fn ask(&mut self, script: &str, _timeout: Duration, _work: Option<Work>) -> Opinion {
        assert!(script.contains("(assert") && script.contains("(check-sat)"), "{script}");
        self.0
    }
}

#[test]
fn a_second_opinion_is_heard_when_time_is_over() {
    let (mut exprs, factors) = factoring();
    let config = SolverConfig { timeout: Duration::from_millis(100), ..SolverConfig::default() };
    let mut solver = Solver::new(config, Arc::default());
    solver.set_second_opinion(Box::new(Stubborn(Opinion::Unsat)));
    let answer = solver.check(&mut exprs, &Constraints::new(), factors, &Model::new());
    assert!(matches!(answer, Answer::Unsat));
    assert_eq!(solver.stats().stage(Stage::SecondOpinion).unsat, 1);
}

#[test]
fn validation_turns_a_disagreement_into_a_counted_fault() {
    let config = SolverConfig { validate: Validate::BitwuzlaAndZ3Sample, ..SolverConfig::default() };
    let mut solver = Solver::new(config, Arc::default());
    solver.set_second_opinion(Box::new(Stubborn(Opinion::Sat)));
    let mut exprs = Exprs::new();
    let mut random = Random::new(1);
    // Contradictions about different bytes: the sample, which goes by structure, meets some of them.
    for number in 0..40 {
        let byte = exprs.symbol(&format!("s[{number}]"), 8, SymbolKind::Char);
        let value = exprs.constant(random.value(8) | 1, 8);
        let mut constraints = Constraints::new();
        let given = exprs.eq(byte, value);
        constraints.push(&exprs, given);
        let zero = exprs.constant(0, 8);
        let other = exprs.eq(byte, zero);
        let symbol = exprs.as_symbol(byte).expect("a symbol");
        let hint = Model::new().with([(symbol, exprs.as_constant(value).expect("a constant"))]);
        let answer = solver.check(&mut exprs, &constraints, other, &hint);
        assert!(!matches!(answer, Answer::Sat(_)));
    }
    assert!(solver.stats().faults > 0);
}

#[test]
fn z3_has_an_opinion_and_a_missing_program_has_none() {
    let sat = "(declare-const x (_ BitVec 8))\n(assert (= x #x07))\n(check-sat)\n";
    let unsat = "(assert false)\n(check-sat)\n";
    let timeout = Duration::from_secs(10);
    let mut z3 = Z3Process::new("z3", Arc::default());
    if z3.ask(sat, timeout, None) != Opinion::None {
        assert_eq!(
            (z3.ask(sat, timeout, None), z3.ask(unsat, timeout, None)),
            (Opinion::Sat, Opinion::Unsat)
        );
    }
    let mut missing = Z3Process::new("no-such-solver-anywhere", Arc::default());
    assert_eq!(missing.ask(unsat, timeout, None), Opinion::None);
}

#[test]
fn a_script_that_another_solver_does_not_understand_is_no_opinion() {
    let mut z3 = Z3Process::new("z3", Arc::default());
    let unknown_sort = "(declare-const x (_ BitVec 8))\n(assert (of-no-theory x))\n(check-sat)\n";
    assert_eq!(z3.ask(unknown_sort, Duration::from_secs(10), None), Opinion::None);
}

/// Conditions of 100,000 expressions, one on top of the other, go through all stages without recursion.
#[test]
fn a_deep_condition_needs_no_stack_in_any_stage() {
    for op in [BinaryOp::Xor, BinaryOp::Add] {
        let mut exprs = Exprs::without_rewriting();
        let (x, y) = (exprs.symbol("x", 8, SymbolKind::Unsigned), exprs.symbol("y", 8, SymbolKind::Unsigned));
        let mut value = x;
        for step in 0..100_000 {
            value = exprs.binary(op, value, if step % 2 == 0 { y } else { x });
        }
        let seven = exprs.constant(7, 8);
        let condition = exprs.eq(value, seven);
        let query = Query::new(&exprs, vec![condition], Deadline::after(Duration::from_secs(2), None));
        let fresh = Bitwuzla::decide_afresh(&Arc::default(), &exprs, &query);
        assert!(!matches!(fresh, Verdict::Unknown(Unknown::Fault(_))), "{fresh:?}");
        let config = SolverConfig { timeout: Duration::from_millis(500), ..SolverConfig::default() };
        let mut solver = Solver::new(config, Arc::default());
        let constraints = Constraints::new();
        let answer = solver.check(&mut exprs, &constraints, condition, &Model::new());
        assert!(!matches!(answer, Answer::Unknown(Unknown::Fault(_))), "{answer:?}");
        let mut constraints = Constraints::new();
        constraints.push(&exprs, condition);
        if let Err(why) = solver.canonical_model(&mut exprs, &constraints) {
            assert!(!matches!(why, Unknown::Fault(_)), "{why}");
        }
    }
}

#[test]
fn a_question_in_a_hurry_is_answered_when_there_is_time() {
    let format = FloatFormat::Half;
    let mut exprs = Exprs::new();
    let x = exprs.symbol("x", 16, SymbolKind::Float(format));
    let square = exprs.float_binary(FloatBinary::Mul, format, x, x);
    let zero = exprs.constant(0, 16);
    let negative = exprs.float_compare(FloatCompare::Lt, format, square, zero);
    let mut solver = Solver::new(SolverConfig::default(), Arc::default());
    let (none, model) = (Constraints::new(), Model::new());
    let hurried = solver.check_within(Work::default(), &mut exprs, &none, negative, &model);
    assert!(matches!(hurried, Answer::Unknown(Unknown::Work)), "{hurried:?}");
    let answer = solver.check(&mut exprs, &none, negative, &model);
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
}

#[test]
fn only_easy_questions_are_answered_easily() {
    let mut exprs = Exprs::new();
    let [x, y] = ["x", "y"].map(|name| exprs.symbol(name, 32, SymbolKind::Unsigned));
    let product = exprs.binary(BinaryOp::Mul, x, y);
    // A prime number beyond 16 bits, so that there is much to try.
    let prime = exprs.constant(2_147_483_647, 32);
    let one = exprs.constant(1, 32);
    let limit = exprs.constant(1 << 16, 32);
    let small = [x, y].map(|side| exprs.compare(CompareOp::Ult, side, limit));
    let mut constraints = Constraints::new();
    small.into_iter().for_each(|each| constraints.push(&exprs, each));
    let factored = exprs.compare(CompareOp::Eq, product, prime);
    let is_one = exprs.compare(CompareOp::Eq, x, one);
    let mut solver = Solver::new(SolverConfig::default(), Arc::default());
    let model = Model::new();
    assert!(solver.check_easily(&mut exprs, &constraints, factored, &model).is_none());
    assert_eq!(
        solver.stats().stage(Stage::Contradiction).asked,
        0,
        "it is not counted before it is answered"
    );
    assert_eq!(solver.stats().queries(), 0);
    let easy = solver.check_easily(&mut exprs, &constraints, is_one, &model);
    assert!(matches!(easy, Some(Answer::Sat(_))), "{easy:?}");
    assert_eq!(solver.stats().queries(), 1);
    // That it was hard is not remembered.
    let answer = solver.check(&mut exprs, &constraints, factored, &model);
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
    assert_eq!(solver.stats().queries(), 2);
}

#[test]
fn a_question_ends_with_the_time_of_who_asks_and_is_open_to_others() {
    let (mut exprs, factors) = factoring();
    let mut solver = Solver::new(SolverConfig::default(), Arc::default());
    solver.end_at(Deadline::at(Some(std::time::Instant::now()), None));
    let answer = solver.check(&mut exprs, &Constraints::new(), factors, &Model::new());
    assert!(matches!(answer, Answer::Unknown(Unknown::Timeout)), "{answer:?}");
    assert_eq!(solver.stats().stage(Stage::Bitwuzla).asked, 0, "there was no time for that");
    let x = exprs.symbol("x", 64, SymbolKind::Unsigned);
    let seven = exprs.constant(7, 64);
    let easy = exprs.eq(x, seven);
    assert!(matches!(
        solver.check(&mut exprs, &Constraints::new(), easy, &Model::new()),
        Answer::Unknown(Unknown::Timeout)
    ));
    solver.end_at(Deadline::default());
    assert!(matches!(solver.check(&mut exprs, &Constraints::new(), easy, &Model::new()), Answer::Sat(_)));
}

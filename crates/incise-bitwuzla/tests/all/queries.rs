//! Levels, assumptions, models, misuse, and queries that must be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use incise_bitwuzla::{
    Answer, Error, Kind, RoundingMode, Solver, SolverOptions, Sort, Stop, Term, TermManager,
};

fn byte_is(terms: &TermManager, term: Term, value: u128) -> Term {
    terms.mk_term(Kind::Equal, &[term, terms.bit_vector(value, 8).unwrap()], &[]).unwrap()
}

/// A product of two 64-bit numbers that is a product of two primes: no solver finds the factors in the time of a test.
fn hard(terms: &TermManager) -> Term {
    let word = |name| terms.constant(Sort::BitVector(64), name).unwrap();
    let (a, b) = (word("a"), word("b"));
    let wide = |term| terms.mk_term(Kind::BvZeroExtend, &[term], &[64]).unwrap();
    let product = terms.mk_term(Kind::BvMul, &[wide(a), wide(b)], &[]).unwrap();
    let target = 0xb5ad_4ece_da1c_e2bf_u128 * 0x9e37_79b9_7f4a_7c55;
    let equal = terms.mk_term(Kind::Equal, &[product, terms.bit_vector(target, 128).unwrap()], &[]).unwrap();
    let ordered = terms.mk_term(Kind::BvUlt, &[a, b], &[]).unwrap();
    terms.mk_term(Kind::And, &[equal, ordered], &[]).unwrap()
}

#[test]
fn levels_forget_their_assertions() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    solver.assert(terms.mk_term(Kind::Not, &[byte_is(&terms, x, 3)], &[]).unwrap()).unwrap();
    solver.push().unwrap();
    solver.assert(byte_is(&terms, x, 3)).unwrap();
    assert_eq!(solver.level(), 1);
    assert_eq!(solver.check().unwrap(), Answer::Unsat);
    solver.pop().unwrap();
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_ne!(solver.value(x).unwrap(), 3);
    assert_eq!(solver.pop(), Err(Error::NoLevel));
}

#[test]
fn assumptions_hold_for_one_query() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    for value in [3, 200, 0, 255] {
        assert_eq!(solver.check_assuming(&[byte_is(&terms, x, value)]).unwrap(), Answer::Sat);
        assert_eq!(solver.value(x).unwrap(), value);
    }
    let both = [byte_is(&terms, x, 3), byte_is(&terms, x, 4)];
    assert_eq!(solver.check_assuming(&both).unwrap(), Answer::Unsat);
    assert_eq!(solver.check().unwrap(), Answer::Sat);
}

#[test]
fn values_need_a_model() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    assert_eq!(solver.value(x), Err(Error::NoModel));
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert!(solver.value(x).is_ok());
    solver.push().unwrap();
    assert_eq!(solver.value(x), Err(Error::NoModel));
    let mut without =
        Solver::new(&terms, SolverOptions { produce_models: false, ..Default::default() }).unwrap();
    assert_eq!(without.check().unwrap(), Answer::Sat);
    assert_eq!(without.value(x), Err(Error::NoModel));
}

#[test]
fn misuse_is_an_error_and_leaves_everything_usable() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    let wide = terms.constant(Sort::BitVector(16), "wide").unwrap();
    let zero = Sort::BitVector(0);
    assert_eq!(terms.constant(zero, "none"), Err(Error::Sort(zero)));
    assert_eq!(terms.constant(Sort::BitVector(8), "a\0b"), Err(Error::Name(String::from("a\0b"))));
    assert_eq!(terms.bit_vector(256, 8), Err(Error::ValueTooWide { value: 256, width: 8 }));
    for (kind, arguments, indices) in [
        (Kind::BvAdd, &[x, wide][..], &[][..]),
        (Kind::BvAdd, &[x], &[]),
        (Kind::BvNot, &[], &[]),
        (Kind::Not, &[x], &[]),
        (Kind::BvExtract, &[x], &[8, 0]),
        (Kind::BvExtract, &[x], &[0, 1]),
        (Kind::BvExtract, &[x], &[]),
        (Kind::BvNot, &[x], &[1]),
        (Kind::FpIsNan, &[x], &[]),
        (Kind::ArraySelect, &[x, x], &[]),
        (Kind::FpToFpFromBv, &[x], &[4, 5]),
        (Kind::FpToFpFromBv, &[x], &[1, 7]),
    ] {
        let result = terms.mk_term(kind, arguments, indices);
        assert!(matches!(result, Err(Error::Solver(ref text)) if !text.is_empty()), "{kind:?}: {result:?}");
    }
    assert_eq!(terms.mk_term(Kind::BvZeroExtend, &[x], &[1 << 40]), Err(Error::Index(1 << 40)));
    assert_eq!(solver.assert(x), Err(Error::NotBoolean(Sort::BitVector(8))));
    assert_eq!(solver.check_assuming(&[x]), Err(Error::NotBoolean(Sort::BitVector(8))));
    solver.assert(byte_is(&terms, x, 9)).unwrap();
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_eq!(solver.value(x).unwrap(), 9);
}

#[test]
fn terms_of_another_manager_are_refused_even_after_it_is_gone() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let foreign = {
        let other = TermManager::new().unwrap();
        other.boolean(true).unwrap()
    };
    assert_eq!(solver.assert(foreign), Err(Error::ForeignTerm));
    assert_eq!(solver.check_assuming(&[foreign]), Err(Error::ForeignTerm));
    assert_eq!(terms.mk_term(Kind::Not, &[foreign], &[]), Err(Error::ForeignTerm));
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_eq!(solver.value(foreign), Err(Error::ForeignTerm));
}

#[test]
fn equal_terms_have_equal_handles() {
    let terms = TermManager::new().unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    assert_eq!(byte_is(&terms, x, 5), byte_is(&terms, x, 5));
    assert_ne!(byte_is(&terms, x, 5), byte_is(&terms, x, 6));
    assert_ne!(x, terms.constant(Sort::BitVector(8), "x").unwrap());
}

#[test]
fn a_solver_keeps_its_manager_alive() {
    let (mut solver, x) = {
        let terms = TermManager::new().unwrap();
        let x = terms.constant(Sort::BitVector(8), "x").unwrap();
        (Solver::new(&terms, SolverOptions::default()).unwrap(), x)
    };
    let goal = byte_is(&solver.manager().clone(), x, 77);
    solver.assert(goal).unwrap();
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_eq!(solver.value(x).unwrap(), 77);
}

#[test]
fn a_deep_term_does_not_exhaust_the_stack() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(32), "x").unwrap();
    let y = terms.constant(Sort::BitVector(32), "y").unwrap();
    let mut sum = x;
    for round in 0..100_000 {
        let kind = if round % 2 == 0 { Kind::BvXor } else { Kind::BvAdd };
        sum = terms.mk_term(kind, &[sum, y], &[]).unwrap();
    }
    solver.set_time_limit(Some(Duration::from_millis(500)));
    solver.assert(terms.mk_term(Kind::Equal, &[sum, x], &[]).unwrap()).unwrap();
    // Turning it into gates takes many seconds: the limit must be heard there, too.
    assert_eq!(solver.check().unwrap(), Answer::Unknown(Stop::TimeLimit));
}

#[test]
fn an_interrupt_stops_a_hard_query_and_the_solver_goes_on() {
    let terms = TermManager::new().unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let options = SolverOptions { interrupt: Some(Arc::clone(&flag)), ..Default::default() };
    let mut solver = Solver::new(&terms, options).unwrap();
    let query = hard(&terms);
    let setter = thread::spawn({
        let flag = Arc::clone(&flag);
        move || {
            thread::sleep(Duration::from_millis(300));
            flag.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(solver.check_assuming(&[query]).unwrap(), Answer::Unknown(Stop::Interrupted));
    setter.join().unwrap();

    assert_eq!(solver.check().unwrap(), Answer::Unknown(Stop::Interrupted));
    flag.store(false, Ordering::Relaxed);
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    assert_eq!(solver.check_assuming(&[byte_is(&terms, x, 42)]).unwrap(), Answer::Sat);
    assert_eq!(solver.value(x).unwrap(), 42);
}

#[test]
fn a_time_limit_stops_a_hard_query_each_time() {
    let terms = TermManager::new().unwrap();
    let options = SolverOptions { time_limit: Some(Duration::from_millis(100)), ..Default::default() };
    let mut solver = Solver::new(&terms, options).unwrap();
    let query = hard(&terms);
    for _ in 0..3 {
        assert_eq!(solver.check_assuming(&[query]).unwrap(), Answer::Unknown(Stop::TimeLimit));
    }
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    assert_eq!(solver.check_assuming(&[byte_is(&terms, x, 1)]).unwrap(), Answer::Sat);
}

#[test]
fn levels_and_assertions_survive_a_query_that_was_stopped() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let byte = |name| terms.constant(Sort::BitVector(8), name).unwrap();
    let (x, y) = (byte("x"), byte("y"));
    solver.assert(byte_is(&terms, x, 3)).unwrap();
    solver.push().unwrap();
    solver.push().unwrap();
    solver.assert(byte_is(&terms, y, 4)).unwrap();
    let stop = |solver: &mut Solver| {
        solver.set_time_limit(Some(Duration::from_millis(50)));
        assert_eq!(solver.check_assuming(&[hard(&terms)]).unwrap(), Answer::Unknown(Stop::TimeLimit));
        solver.set_time_limit(None);
    };
    stop(&mut solver);
    assert_eq!(solver.value(x), Err(Error::NoModel));
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_eq!((solver.value(x).unwrap(), solver.value(y).unwrap()), (3, 4));
    assert_eq!(solver.check_assuming(&[byte_is(&terms, y, 5)]).unwrap(), Answer::Unsat);

    // A level that is closed between the stop and the next query is not in the new solver.
    stop(&mut solver);
    solver.pop().unwrap();
    assert_eq!(solver.check_assuming(&[byte_is(&terms, y, 5)]).unwrap(), Answer::Sat);
    assert_eq!(solver.check_assuming(&[byte_is(&terms, x, 5)]).unwrap(), Answer::Unsat);
    assert_eq!(solver.level(), 1);

    stop(&mut solver);
    solver.push().unwrap();
    solver.assert(byte_is(&terms, y, 6)).unwrap();
    assert!(solver.smt2().unwrap().contains("(assert (= x #b00000011))"));
    solver.pop().unwrap();
    solver.pop().unwrap();
    assert_eq!(solver.pop(), Err(Error::NoLevel));
    assert_eq!(solver.check_assuming(&[byte_is(&terms, y, 4)]).unwrap(), Answer::Sat);
}

#[test]
fn a_query_can_be_stopped_in_any_phase() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let nearest = terms.rounding_mode(RoundingMode::NearestEven).unwrap();
    let double = Sort::Float { exponent: 11, significand: 53 };
    let constants = ["a", "b", "c"].map(|name| terms.constant(double, name).unwrap());
    let [a, b, c] = constants;
    let product = terms.mk_term(Kind::FpFma, &[nearest, a, b, c], &[]).unwrap();
    let root = terms.mk_term(Kind::FpSqrt, &[nearest, product], &[]).unwrap();
    let goal = terms.mk_term(Kind::FpLt, &[root, c], &[]).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    solver.assert(byte_is(&terms, x, 9)).unwrap();
    // Rewriting, floats to bit-vectors, gates, clauses, search: the limits fall into all of them, on a fast machine or
    // a slow one.
    let mut limit = Duration::from_micros(200);
    while limit < Duration::from_millis(200) {
        solver.set_time_limit(Some(limit));
        assert_ne!(solver.check_assuming(&[goal]).unwrap(), Answer::Unsat);
        solver.set_time_limit(None);
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        assert_eq!(solver.value(x).unwrap(), 9);
        limit = limit * 5 / 4;
    }
    assert_eq!(solver.check_assuming(&[goal]).unwrap(), Answer::Sat);
}

/// A key schedule: a table that is read and written where what was read before says.
fn scrambled(terms: &TermManager, rounds: u32) -> Term {
    let byte = |value: u128| terms.bit_vector(value, 8).unwrap();
    let make = |kind, operands: &[Term]| terms.mk_term(kind, operands, &[]).unwrap();
    let mut table = terms.constant(Sort::Array { index: 8, element: 8 }, "table").unwrap();
    let mut place = byte(0);
    for round in 0..rounds {
        let here = byte(u128::from(round % 256));
        let key = terms.constant(Sort::BitVector(8), &format!("key{}", round % 32)).unwrap();
        let read = make(Kind::ArraySelect, &[table, here]);
        place = make(Kind::BvAdd, &[place, make(Kind::BvAdd, &[read, key])]);
        let other = make(Kind::ArraySelect, &[table, place]);
        table = make(Kind::ArrayStore, &[make(Kind::ArrayStore, &[table, here, other]), place, read]);
    }
    let last = make(Kind::ArraySelect, &[table, place]);
    make(Kind::Equal, &[last, make(Kind::BvAdd, &[place, byte(77)])])
}

#[test]
fn limits_are_heard_while_arrays_are_reasoned_about() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    solver.assert(byte_is(&terms, x, 9)).unwrap();
    let goal = scrambled(&terms, 300);
    let mut limit = Duration::from_micros(500);
    while limit < Duration::from_millis(500) {
        solver.set_time_limit(Some(limit));
        // Wherever it was stopped, what comes next is answered as if nothing had been.
        assert_ne!(solver.check_assuming(&[goal]).unwrap(), Answer::Unsat, "{limit:?}");
        solver.set_time_limit(None);
        assert_eq!(solver.check().unwrap(), Answer::Sat);
        assert_eq!(solver.value(x).unwrap(), 9);
        limit = limit * 3 / 2;
    }
}

#[test]
fn each_thread_has_its_own_manager_and_its_own_complaints() {
    let threads: Vec<_> = (0..4u128)
        .map(|number| {
            thread::spawn(move || {
                let terms = TermManager::new().unwrap();
                let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
                let x = terms.constant(Sort::BitVector(8), "x").unwrap();
                for round in 0..50 {
                    assert!(matches!(terms.mk_term(Kind::Not, &[x], &[]), Err(Error::Solver(_))));
                    let value = (number * 50 + round) % 256;
                    assert_eq!(solver.check_assuming(&[byte_is(&terms, x, value)]).unwrap(), Answer::Sat);
                    assert_eq!(solver.value(x).unwrap(), value);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn assertions_print_as_a_script() {
    let terms = TermManager::new().unwrap();
    let mut solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    let x = terms.constant(Sort::BitVector(8), "x").unwrap();
    solver.assert(byte_is(&terms, x, 9)).unwrap();
    let script = solver.smt2().unwrap();
    assert!(script.contains("(declare-const x (_ BitVec 8))"), "{script}");
    assert!(script.contains("(assert (= x #b00001001))"), "{script}");
    assert!(script.trim_end().ends_with("(exit)"), "{script}");
}

#[test]
fn the_version_is_the_one_that_was_built() {
    assert_eq!(incise_bitwuzla::version(), "0.8.0");
}

//! The solver against exhaustive evaluation, on random circuits that grow while sequences of queries run over
//! them.

use super::{Limits, Sat, SatOutcome};
use crate::blast::gates::{Bit, Gate, GateNode, Gates};
use crate::work::{Deadline, Passed};
use std::sync::atomic::AtomicBool;

/// A small generator of random numbers (xorshift), so that a failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}

/// A random circuit of few inputs, with the truth table of each node as a bit set over all assignments.
struct Circuit {
    gates: Gates,
    inputs: usize,
    tables: Vec<u64>,
    bits: Vec<Bit>,
}

impl Circuit {
    fn new(inputs: usize) -> Self {
        let mut circuit = Circuit { gates: Gates::new(), inputs, tables: Vec::new(), bits: Vec::new() };
        for _ in 0..inputs {
            let bit = circuit.gates.input();
            circuit.bits.push(bit);
        }
        circuit.update_tables();
        circuit
    }

    fn table(&self, bit: Bit) -> u64 {
        let all = if self.inputs == 6 { u64::MAX } else { (1 << (1 << self.inputs)) - 1 };
        let table = self.tables[bit.node().index()];
        if bit.is_positive() { table } else { !table & all }
    }

    fn update_tables(&mut self) {
        while self.tables.len() < self.gates.len() {
            let index = self.tables.len();
            let table = match self.gates.gate(GateNode::from_index(index)) {
                Gate::Constant => 0,
                Gate::Input => (0..1u64 << self.inputs)
                    .filter(|assignment| assignment >> (index - 1) & 1 == 1)
                    .fold(0, |table, assignment| table | 1 << assignment),
                Gate::And(a, b) => self.table(a) & self.table(b),
                Gate::Xor(a, b) => self.table(a) ^ self.table(b),
                Gate::Mux(c, t, e) => self.table(c) & self.table(t) | self.table(!c) & self.table(e),
                Gate::Majority(a, b, c) => {
                    let (a, b, c) = (self.table(a), self.table(b), self.table(c));
                    a & b | a & c | b & c
                }
            };
            self.tables.push(table);
        }
    }

    fn pick(&self, random: &mut Random) -> Bit {
        // Younger gates are deeper, and more interesting.
        let from = if random.below(2) == 0 { self.bits.len() / 2 } else { 0 };
        self.bits[from + random.below(self.bits.len() - from)].negated_if(random.below(2) == 0)
    }

    fn add_gate(&mut self, random: &mut Random) {
        let (a, b, c) = (self.pick(random), self.pick(random), self.pick(random));
        let bit = match random.below(4) {
            0 => self.gates.and(a, b),
            1 => self.gates.xor(a, b),
            2 => self.gates.mux(a, b, c),
            _ => self.gates.majority(a, b, c),
        };
        if bit.as_constant().is_none() {
            self.bits.push(bit);
        }
        self.update_tables();
    }

    /// Asks the solver and compares with the truth tables.
    fn check(&self, sat: &mut Sat, assumptions: &[Bit], conflicts: u64) -> SatOutcome {
        sat.assume(&self.gates, assumptions, usize::MAX).expect("no limit");
        let outcome =
            sat.solve(&self.gates, &Limits { conflicts, deadline: Deadline::default(), interrupt: None });
        let models = assumptions.iter().fold(u64::MAX, |models, bit| models & self.table(*bit));
        match outcome {
            SatOutcome::Satisfiable => {
                let assignment = (1..=self.inputs)
                    .filter(|index| sat.value(GateNode::from_index(*index)) == Some(true))
                    .fold(0, |assignment, index| assignment | 1 << (index - 1));
                let holds = assumptions.iter().all(|bit| self.table(*bit) >> assignment & 1 == 1);
                assert!(holds, "not a model of {assumptions:?}: {assignment:b}");
            }
            SatOutcome::Unsatisfiable => assert_eq!(models, 0, "{assumptions:?} is satisfiable"),
            SatOutcome::TooHard => assert_ne!(conflicts, u64::MAX),
            other => panic!("{other:?} without a deadline"),
        }
        outcome
    }
}

/// One growing circuit, and queries whose assumptions change at the end, as along a depth-first search.
fn run_sequence(seed: u64, queries: usize) -> [usize; 3] {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let inputs = 3 + random.below(4);
    let mut circuit = Circuit::new(inputs);
    let mut sat = Sat::new();
    // A tiny limit makes reductions and compactions frequent.
    sat.maximum_learnt = 1 + random.below(8);
    let mut assumptions: Vec<Bit> = Vec::new();
    let mut answers = [0; 3];
    for _ in 0..queries {
        for _ in 0..random.below(4) {
            circuit.add_gate(&mut random);
        }
        assumptions.truncate(random.below(assumptions.len() + 1));
        for _ in 0..1 + random.below(4) {
            assumptions.push(circuit.pick(&mut random));
        }
        let conflicts = if random.below(4) == 0 { random.below(3) as u64 } else { u64::MAX };
        match circuit.check(&mut sat, &assumptions, conflicts) {
            SatOutcome::Satisfiable => answers[0] += 1,
            SatOutcome::Unsatisfiable => answers[1] += 1,
            _ => answers[2] += 1,
        }
    }
    answers
}

#[test]
fn agrees_with_truth_tables_on_random_sequences() {
    let mut total = [0; 3];
    for seed in 1..=1500 {
        let answers = run_sequence(seed, 120);
        for (sum, count) in total.iter_mut().zip(answers) {
            *sum += count;
        }
    }
    // The sequences must exercise all three answers, or they show nothing.
    assert!(total[0] > 30_000 && total[1] > 30_000 && total[2] > 100, "{total:?}");
}

#[test]
fn learnt_clauses_are_deleted_and_compacted_without_harm() {
    let mut random = Random(77);
    let mut circuit = Circuit::new(6);
    for _ in 0..400 {
        circuit.add_gate(&mut random);
    }
    let mut sat = Sat::new();
    sat.maximum_learnt = 10;
    for _ in 0..20_000 {
        let assumptions: Vec<Bit> = (0..6).map(|_| circuit.pick(&mut random)).collect();
        circuit.check(&mut sat, &assumptions, u64::MAX);
        sat.maximum_learnt = 10;
    }
    let counters = sat.counters();
    assert!(counters.reductions > 100 && counters.compactions > 10, "{counters:?}");
}

/// A circuit that says that `left` differs from `right`, both exclusive-ors of the same inputs in another
/// order: hard by design.
fn parity_miter(inputs: usize) -> (Gates, Bit) {
    let mut gates = Gates::new();
    let bits: Vec<Bit> = (0..inputs).map(|_| gates.input()).collect();
    // Exclusive-or out of and-gates, so that structural hashing does not see through it.
    let slow_xor = |gates: &mut Gates, a: Bit, b: Bit| {
        let (both, neither) = (gates.and(a, b), gates.and(!a, !b));
        gates.and(!both, !neither)
    };
    let left = bits.iter().copied().reduce(|a, b| slow_xor(&mut gates, a, b)).expect("inputs");
    let right = bits.iter().rev().copied().reduce(|a, b| slow_xor(&mut gates, a, b)).expect("inputs");
    let differ = gates.xor(left, right);
    (gates, differ)
}

#[test]
fn a_conflict_limit_stops_a_hard_query_and_leaves_the_solver_usable() {
    let (gates, differ) = parity_miter(24);
    let mut sat = Sat::new();
    sat.assume(&gates, &[differ], usize::MAX).expect("no limit");
    let limits = Limits { conflicts: 50, deadline: Deadline::default(), interrupt: None };
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::TooHard);
    sat.assume(&gates, &[!differ], usize::MAX).expect("no limit");
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::Satisfiable);
}

#[test]
fn a_set_interrupt_flag_or_a_past_deadline_stops_a_hard_query() {
    let (gates, differ) = parity_miter(40);
    let flag = AtomicBool::new(true);
    let mut sat = Sat::new();
    sat.assume(&gates, &[differ], usize::MAX).expect("no limit");
    let limits = Limits { conflicts: u64::MAX, deadline: Deadline::default(), interrupt: Some(&flag) };
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::Interrupted);
    let past = Limits {
        conflicts: u64::MAX,
        deadline: Deadline::at(Some(std::time::Instant::now()), None),
        interrupt: None,
    };
    assert_eq!(sat.solve(&gates, &past), SatOutcome::DeadlinePassed(Passed::Time));
}

#[test]
fn a_cone_beyond_the_limit_is_refused_and_leaves_no_trace() {
    let (gates, differ) = parity_miter(16);
    let mut sat = Sat::new();
    let input = GateNode::from_index(1).bit(true);
    assert_eq!(sat.assume(&gates, &[input, differ], 10), Err(super::ConeTooLarge));
    assert_eq!(sat.cone, [input.node()]);
    sat.assume(&gates, &[input, !GateNode::from_index(2).bit(true)], 10).expect("two inputs fit");
    let limits = Limits { conflicts: 10, deadline: Deadline::default(), interrupt: None };
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::Satisfiable);
    assert_eq!(sat.value(GateNode::from_index(2)), Some(false));
}

#[test]
fn nodes_outside_the_cone_stay_unassigned() {
    let mut gates = Gates::new();
    let (a, b, c) = (gates.input(), gates.input(), gates.input());
    let inside = gates.and(a, b);
    let outside = gates.and(a, c);
    let mut sat = Sat::new();
    let limits = Limits { conflicts: 10, deadline: Deadline::default(), interrupt: None };
    sat.assume(&gates, &[outside], usize::MAX).expect("no limit");
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::Satisfiable);
    sat.assume(&gates, &[inside], usize::MAX).expect("no limit");
    assert_eq!(sat.solve(&gates, &limits), SatOutcome::Satisfiable);
    assert_eq!((sat.value(a.node()), sat.value(b.node())), (Some(true), Some(true)));
    assert_eq!((sat.value(c.node()), sat.value(outside.node())), (None, None));
}

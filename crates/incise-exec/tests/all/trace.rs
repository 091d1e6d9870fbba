//! Traces: the path of one input, in a session that several programs share.

use incise_exec::{
    Assignment, Condition, Config, FullExploration, Given, GivenValue, InputValue, Observed, Outcome, Path,
    Satisfiable, Session, Trace, Work,
};
use incise_ir::Program;
use incise_solver::Validate;
use incise_testing::hooks;
use incise_testing::program_with_models;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

struct Tracer {
    session: Session,
    config: Config,
}

impl Tracer {
    fn new(entry: &str) -> Self {
        let mut config = Config::new(entry);
        config.solver.validate = Validate::Bitwuzla;
        Self { session: Session::new(&config, &Arc::new(AtomicBool::new(false))), config }
    }

    fn trace(&mut self, program: &Program, inputs: &Assignment) -> Trace {
        let hooks = hooks();
        let strategy = &mut FullExploration;
        self.session.trace(program, &self.config, &hooks, strategy, inputs).expect("it is traced")
    }

    fn ask(&mut self, conditions: &[Condition], last: Condition, hint: &Assignment) -> Satisfiable {
        let others = self.session.conjunction(conditions.iter().copied());
        self.session.satisfiable(&others, last, hint)
    }
}

fn elements(values: &[(&str, i128)]) -> Assignment {
    let elements =
        values.iter().map(|(name, value)| ((*name).to_owned(), GivenValue::Integer(*value))).collect();
    Assignment::given(Given { elements, ..Given::default() })
}

fn path(trace: &Trace) -> &Path {
    trace.path.as_ref().expect("no assumption ends it")
}

fn texts(trace: &Trace) -> Vec<&str> {
    path(trace).condition.iter().map(|each| each.text.as_str()).collect()
}

fn input(trace: &Trace, name: &str) -> InputValue {
    let inputs = path(trace).inputs.as_ref().expect("inputs");
    inputs.iter().find(|input| input.name == name).expect("an input of that name").value.clone()
}

const CLAMP: &str = "int calls; int clamp(int x, int low, int high) {
    calls++;
    if (x < low) return low;
    if (x > high) return high;
    return x;
}";

#[test]
fn a_trace_goes_the_way_of_its_input() {
    let clamp = program_with_models(CLAMP);
    let mut tracer = Tracer::new("clamp");
    let trace = tracer.trace(&clamp, &elements(&[("x", 50), ("high", 10), ("calls", 6)]));
    assert_eq!(path(&trace).outcome, Outcome::Returned);
    assert_eq!(path(&trace).returned, Some(InputValue::Signed(10)));
    assert_eq!(texts(&trace), ["x >= low", "high < x"]);
    assert_eq!(trace.conditions.len(), 2);
    assert_eq!(input(&trace, "x"), InputValue::Signed(50));
    assert_eq!(input(&trace, "low"), InputValue::Signed(0));
    assert_eq!(path(&trace).finals[0].value, InputValue::Signed(7));
    assert!(trace.unused.is_empty() && trace.missing == ["low"], "{:?} {:?}", trace.unused, trace.missing);
    let unknown = tracer.trace(&clamp, &elements(&[("y", 1)]));
    assert_eq!(unknown.unused, ["y"]);
}

#[test]
fn two_programs_share_their_inputs() {
    let old = program_with_models(CLAMP);
    let new = program_with_models(
        &CLAMP.replace("x > high", "x >= high").replace("return high", "return high - 1"),
    );
    let mut tracer = Tracer::new("clamp");
    let test = elements(&[("x", 10), ("high", 10)]);
    let before = tracer.trace(&old, &test);
    let after = tracer.trace(&new, &before.assignment);
    assert_eq!((texts(&before)[1], texts(&after)[1]), ("high >= x", "x >= high"));
    // Both paths hold for x == high only.
    let both: Vec<Condition> = before.conditions.iter().chain(&after.conditions).copied().collect();
    let differ = tracer.session.differ(&before.observations[0], &after.observations[0]);
    assert!(tracer.session.holds(differ, &after.assignment));
    let same = tracer.session.negation(differ);
    assert!(matches!(tracer.ask(&both, same, &after.assignment), Satisfiable::No));
    // Another way in the new version, the same in the old one.
    let other = tracer.session.negation(after.conditions[1]);
    let Satisfiable::Yes(found) = tracer.ask(&before.conditions, other, &after.assignment) else {
        panic!("x < high is possible")
    };
    let all = tracer.session.conjunction(before.conditions.iter().copied().chain([other]));
    let until = Instant::now() + Duration::from_secs(60);
    let near =
        tracer.session.nearest(&all, &after.assignment, &found, incise_exec::Deadline::at(Some(until), None));
    assert_eq!(tracer.session.changed(&after.assignment, &near).len(), 1);
    let before = tracer.trace(&old, &near);
    let after = tracer.trace(&new, &near);
    assert_eq!(path(&before).returned, path(&after).returned);
    let distance = |name, from: i128| match input(&before, name) {
        InputValue::Signed(value) => (value - from).abs(),
        other => panic!("{other:?}"),
    };
    assert_eq!(distance("x", 10) + distance("high", 10), 1);
}

#[test]
fn observations_that_are_the_same_expressions_never_differ() {
    let source =
        "struct pair { short a; int b; } g; int f(int x, int y) { g.a = x; g.b = x * y; return x * y + 1; }";
    let (old, new) =
        (program_with_models(source), program_with_models(&source.replace("x * y + 1", "1 + y * x")));
    let other = program_with_models(&source.replace("g.a = x", "g.a = y"));
    let mut tracer = Tracer::new("f");
    let test = elements(&[("x", 3), ("y", 4)]);
    let first = tracer.trace(&old, &test);
    let kinds: Vec<Observed> = first.observations.iter().map(|each| each.what).collect();
    assert_eq!(kinds, [Observed::Result, Observed::Global]);
    for (program, expected) in [(&new, [false, false]), (&other, [false, true])] {
        let second = tracer.trace(program, &first.assignment);
        for ((left, right), differs) in first.observations.iter().zip(&second.observations).zip(expected) {
            let differ = tracer.session.differ(left, right);
            let answer = tracer.ask(&[], differ, &second.assignment);
            assert_eq!(matches!(answer, Satisfiable::Yes(_)), differs, "{left:?} {right:?}");
        }
    }
}

#[test]
fn bytes_and_elements_reach_through_pointers() {
    let source = "struct node { int key; struct node *next; };
        int sum(struct node *list, const char *text) {
            int total = 0;
            for (struct node *at = list; at; at = at->next) total += at->key;
            if (text) for (; *text; text++) total += *text;
            return total;
        }";
    let sum = program_with_models(source);
    let mut tracer = Tracer::new("sum");
    let given = elements(&[("list->key", 5), ("text[0]", 1), ("text[1]", 2), ("text[2]", 0)]);
    let trace = tracer.trace(&sum, &given);
    assert_eq!(path(&trace).returned, Some(InputValue::Signed(8)));
    // The same again, by the bytes that were reported.
    let inputs = path(&trace).inputs.clone().expect("inputs");
    let bytes = inputs.into_iter().map(|input| (input.name, input.bytes)).collect();
    let mut other = Tracer::new("sum");
    let again = other.trace(&sum, &Assignment::given(Given { bytes, ..Given::default() }));
    assert_eq!(path(&again).returned, Some(InputValue::Signed(8)));
    assert_eq!((texts(&again), &again.missing), (texts(&trace), &Vec::new()));
    // An element counts more than the bytes of the input that it is in.
    let inputs = path(&trace).inputs.clone().expect("inputs");
    let bytes = inputs.into_iter().map(|input| (input.name, input.bytes)).collect();
    let elements = [("list->key".to_owned(), GivenValue::Integer(100))].into();
    let replaced = other.trace(&sum, &Assignment::given(Given { bytes, elements }));
    assert_eq!(path(&replaced).returned, Some(InputValue::Signed(103)));
}

#[test]
fn inputs_that_the_program_asks_for_are_given_when_it_does() {
    let source = "#include <klee/klee.h>
        int main(void) {
            int x; klee_make_symbolic(&x, sizeof x, \"x\");
            int y = klee_range(0, 10, \"y\");
            klee_assume(x > 3);
            return x > 7 ? y : klee_get_value_i32(x + y);
        }";
    let asks = program_with_models(source);
    let mut tracer = Tracer::new("main");
    let exit = |trace: &Trace| match path(trace).outcome {
        Outcome::Exited { status } => status,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(exit(&tracer.trace(&asks, &elements(&[("x", 9), ("y", 4)]))), 4);
    let concretised = tracer.trace(&asks, &elements(&[("x", 5), ("y", 4)]));
    assert_eq!((exit(&concretised), concretised.concretised.len()), (9, 1));
    assert!(tracer.trace(&asks, &elements(&[("x", 1)])).path.is_none(), "an assumption ends it");
    assert!(tracer.trace(&asks, &elements(&[("x", 9), ("y", 10)])).path.is_none(), "a range ends it");
}

#[test]
fn errors_and_limits_end_a_trace_as_they_end_a_path() {
    let source = "int f(int x) { int table[4] = {1, 2, 3, 4}; return table[x]; }
        int g(int x) { while (x) x += 2; return x; }";
    let both = program_with_models(source);
    let mut tracer = Tracer::new("f");
    assert!(matches!(path(&tracer.trace(&both, &elements(&[("x", 4)]))).outcome, Outcome::Error(_)));
    let inside = tracer.trace(&both, &elements(&[("x", 3)]));
    assert_eq!(path(&inside).returned, Some(InputValue::Signed(4)));
    let mut tracer = Tracer::new("g");
    tracer.config.limits.instructions = 100_000;
    assert!(matches!(path(&tracer.trace(&both, &elements(&[("x", 1)]))).outcome, Outcome::Limit(_)));
    assert_eq!(path(&tracer.trace(&both, &elements(&[("x", -4)]))).outcome, Outcome::Returned);
}

/// A condition over all of many inputs that leaves none of them another value.
#[test]
fn inputs_are_made_to_read_better_for_a_while_only() {
    let program = program_with_models(
        "#include \"klee/klee.h\"\nint main(void) { char b[1500]; klee_make_symbolic(b, sizeof b, \"b\"); int sum = 0;\n\
         for (int i = 0; i < 1500; i++) sum += b[i] * (i + 7); if (sum == -63546000) return 1; return 2; }\n",
    );
    let mut tracer = Tracer::new("main");
    let names: Vec<String> = (0..1500).map(|index| format!("b[{index}]")).collect();
    let values: Vec<(&str, i128)> = names.iter().map(|name| (&**name, -56)).collect();
    let trace = tracer.trace(&program, &elements(&values));
    assert!(!trace.conditions.is_empty());
    let conditions = tracer.session.conjunction(trace.conditions.iter().copied());
    let start = Work::done();
    tracer.session.simplified(&conditions, &trace.assignment);
    let took = Work::since(start);
    assert!(took < Work::about_milliseconds(1_000), "{took:?}");
}

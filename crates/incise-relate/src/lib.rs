//! Two programs on the same inputs: every way that both can go together.
//!
//! The *leading* program is explored. Wherever one of its paths ends, the *following* program is explored under that
//! path's condition, with the same symbols for the same inputs and in the same arena; where it ends, the two ends are a
//! [`Pair`] that can be compared as expressions. What the two have in common costs nothing: a decision of the follower
//! that the leader's condition settles does not fork, and what both compute in the same way is the same expression.
//!
//! Inputs are the same if they have the same name. An input whose type changed is one symbol if [`crate::CommonTypes`]
//! are given, else two, of which only values that both can hold are looked at.
//!
//! Strategies may follow branches (see [`incise_exec::Watches::follow`]). What a path did at such a branch is no part
//! of the question: only the conditions that were explored are.

mod common;
mod executions;
mod induction;
mod leaves;
mod lockstep;
mod oddities;
mod ring;

pub use common::CommonTypes;
pub use executions::{Execution, OutcomeGroup, Outcomes, SameWhen};
pub use incise_exec::inside::Ended;
use incise_exec::inside::{
    AddressTarget, Machine, Sink, Slot, State, Stop, Tracing, Value, Values, check_names, find_entry,
    order_forks, stop_signal,
};
use incise_exec::{
    Assignment, Condition, Config, Conjunction, Detail, ExploreError, FAILING_MALLOC, Hooks, InputOrigin,
    LimitKind, Outcome, Path, Progress, Session, StackFrame, Strategy,
};
pub use induction::{Comparing, Induction, LONGEST_ARRAY, induct, induct_rearranged};
pub use leaves::{Compared, Concerned, Leaf, Seen, Visible};
pub use lockstep::LoopHeads;
pub use oddities::Oddities;

use incise_ir::{FunctionId, Program, SourcePosition};
use incise_solver::{CompareOp, ExprId, Exprs, Solver, SymbolId, SymbolKind};
use lockstep::Lockstep;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// One of two programs.
pub struct Party<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its entry, the inputs and the limits.
    pub config: &'a Config,
    /// What of it is explored.
    pub strategy: &'a mut dyn Strategy,
}

/// A path of each program, which the same inputs take.
pub struct Pair {
    /// The leading program's.
    pub leading: Ended,
    /// The following program's.
    pub following: Ended,
    /// The conditions of both paths that were explored.
    pub conditions: Conjunction,
    /// Inputs that take both paths.
    pub assignment: Assignment,
    /// Whether a decision or a result of one of them may depend on what was never initialised.
    pub indeterminate: bool,
}

impl Pair {
    /// Whether one of the paths reads or writes a device.
    pub fn accesses_devices(&self) -> bool {
        let accesses =
            |ended: &Ended| ended.state.calls.iter_newest_first().any(|call| call.device.is_some());
        accesses(&self.leading) || accesses(&self.following)
    }

    /// Which share of all inputs takes both paths, if each decision parts them in halves.
    pub fn share(&self) -> f64 {
        share(&self.leading.state) * share(&self.following.state)
    }

    /// Whether an allocation fails on one of the paths only: the other program makes no such allocation.
    pub fn fails_apart(&self, session: &mut Session) -> bool {
        let failing = |ended: &Ended| {
            let is_failing = |origin: &InputOrigin| matches!(origin, InputOrigin::Nondet { function } if function == FAILING_MALLOC);
            let mut inputs = ended.state.inputs.iter_newest_first();
            inputs.find(|input| is_failing(&input.origin)).and_then(|input| Some(input.leaves.first()?.expr))
        };
        let Some(number) = failing(&self.leading).or_else(|| failing(&self.following)) else { return false };
        let number = session.solver.evaluate(&session.exprs, number, &self.assignment.0.model);
        let fails = |ended: &Ended| (1..=u128::from(ended.state.allocations)).contains(&number);
        fails(&self.leading) != fails(&self.following)
    }
}

/// The share of inputs that comes to a state.
fn share(state: &State) -> f64 {
    let decisions = i32::try_from(state.depth).unwrap_or(i32::MAX);
    0.5_f64.powi(decisions)
}

/// The effort and what was left out.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Paths of the leading program that ended.
    pub leading: u64,
    /// Pairs of paths.
    pub pairs: u64,
    /// States made.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// The limits that stopped it.
    pub limits: BTreeSet<LimitKind>,
    /// States that were given up then.
    pub abandoned: u64,
    /// Values that were made concrete although others were possible.
    pub concretised: BTreeSet<String>,
    /// Functions with neither body nor model that were called: equal calls are taken to give equal results.
    pub externals: BTreeSet<String>,
    /// States that could not be brought to a decision again: a followed branch had an influence after all.
    pub diverged: u64,
    /// The inputs that were too small or not deep enough for some path.
    pub needs: incise_exec::Needs,
}

struct Side<'a> {
    machine: Machine<'a>,
    entry: FunctionId,
    /// The object that a struct is returned in.
    result_slot: Option<Slot>,
    /// What is left to run, the newest last.
    waiting: VecDeque<Box<State>>,
    ended: VecDeque<Ended>,
}

/// Two programs that are explored together.
pub struct Relation<'a> {
    leading: Side<'a>,
    following: Side<'a>,
    /// Where the following program starts.
    start: Box<State>,
    /// The leading path that is being followed.
    current: Option<Ended>,
    hooks: &'a Hooks<'a>,
    leading_ends: u64,
    pairs: u64,
    path_limit: u64,
    /// Inputs of one name that cannot be compared, because their types have nothing to do with each other.
    unlike: Vec<String>,
    /// That all objects of inputs are as large as they are said to be, and not only as far as they were made.
    whole: ExprId,
    /// The numbers of elements of input objects that inputs tell.
    counts: Vec<ExprId>,
    limits: BTreeSet<LimitKind>,
    abandoned: u64,
    /// Whether every second path is one that was left waiting long ago.
    wide: bool,
    /// Whether the next path is.
    oldest_next: bool,
    /// Whether leading paths that were cut are left alone.
    leaves_cut: bool,
    /// The states of both programs that go together, if they do.
    lockstep: Option<Lockstep>,
    /// How those ended that were, and how many they are.
    left_alone: (Vec<Outcome>, u64),
    /// What holds of all inputs, where executions are compared.
    base: ExprId,
}

impl<'a> Relation<'a> {
    /// Begins: both at their entries.
    pub fn new(
        session: &mut Session,
        leading: Party<'a>,
        following: Party<'a>,
        hooks: &'a Hooks<'a>,
    ) -> Result<Self, ExploreError> {
        Self::begin(session, leading, following, hooks, None)
    }

    fn begin(
        session: &mut Session,
        leading: Party<'a>,
        following: Party<'a>,
        hooks: &'a Hooks<'a>,
        inputs: Option<&Assignment>,
    ) -> Result<Self, ExploreError> {
        let path_limit = leading.config.limits.paths;
        let (mut leading, mut first) = Side::start(session, leading, hooks, inputs)?;
        let (mut following, start) = Side::start(session, following, hooks, inputs)?;
        // What one version uses is there in the other one as well, and whoever is called may write it.
        let named = [&mut leading, &mut following].map(|side| side.machine.named_outside());
        leading.machine.add_named_outside(&named[1]);
        following.machine.add_named_outside(&named[0]);
        let mut unlike = Vec::new();
        if inputs.is_none() {
            for link in links(&mut session.exprs, &first, &start, &mut unlike) {
                first.constraints.push(&session.exprs, link);
            }
        }
        let whole = whole(&mut session.exprs, [&first, &start]);
        let inputs = first.inputs.to_vec();
        let counts = inputs.iter().filter_map(|input| Some(input.count?.count));
        let counts = counts.filter(|&count| session.exprs.as_constant(count).is_none()).collect();
        leading.lend(session, |machine| machine.decider.keep_start(&first));
        leading.waiting.push_back(first);
        following.machine.decider.ends = Some(Vec::new());
        leading.machine.decider.ends = Some(Vec::new());
        Ok(Self {
            leading,
            following,
            start,
            current: None,
            hooks,
            leading_ends: 0,
            pairs: 0,
            path_limit,
            unlike,
            whole,
            counts,
            limits: BTreeSet::new(),
            abandoned: 0,
            wide: false,
            oldest_next: false,
            leaves_cut: false,
            lockstep: None,
            left_alone: (Vec::new(), 0),
            base: session.exprs.boolean(true),
        })
    }

    /// The paths that both programs take for one input. Nothing on them is symbolic, so that they may be long.
    pub fn trace(
        session: &mut Session,
        leading: Party<'a>,
        following: Party<'a>,
        hooks: &'a Hooks<'a>,
        inputs: &Assignment,
    ) -> Result<(Self, Option<Pair>), ExploreError> {
        let mut relation = Self::begin(session, leading, following, hooks, Some(inputs))?;
        // Inputs that are not what they are taken to be, or too large to be shown, are of no interest.
        let whole = session.exprs.as_constant(relation.whole) != Some(0);
        if relation.leading.machine.decider.made.unnatural
            || relation.following.machine.decider.made.unnatural
            || !whole
        {
            return Ok((relation, None));
        }
        let pair = relation.next(session);
        Ok((relation, pair))
    }

    /// The inputs of one name whose types have nothing to do with each other: they are taken to be independent.
    pub fn unlike(&self) -> &[String] {
        &self.unlike
    }

    /// That all objects of inputs are as large as they are said to be: of others not everything can be shown.
    pub fn whole(&self) -> Condition {
        Condition(self.whole)
    }

    /// That no object of an input has more than so many elements of which there may be any number.
    pub fn short(&self, session: &mut Session, most: u64) -> Condition {
        let exprs = &mut session.exprs;
        let most = exprs.constant(u128::from(most), 64);
        let mut short = exprs.boolean(true);
        for &count in &self.counts {
            let here = exprs.compare(CompareOp::Ule, count, most);
            short = exprs.and(short, here);
        }
        Condition(short)
    }

    /// Which share of all inputs what is left to explore stands for, if each decision parts them in halves.
    pub fn left_share(&self) -> f64 {
        let of = |side: &Side<'_>| side.waiting.iter().map(|state| share(state)).sum::<f64>();
        let current = self.current.as_ref().map_or(0.0, |current| share(&current.state));
        of(&self.leading) + current * of(&self.following)
    }

    /// The next pair of paths; `None` when all were seen, or it is time to stop.
    pub fn next(&mut self, session: &mut Session) -> Option<Pair> {
        if self.lockstep.is_some() {
            return self.next_in_lockstep(session);
        }
        loop {
            if let Some(following) = self.following.ended.pop_front() {
                self.pairs += 1;
                self.progress();
                let leading = self.current.as_ref()?.copy();
                return Some(pair(session, leading, following));
            }
            if let Some(state) = self.following.waiting.pop_back() {
                self.following.run(session, state);
                if self.following.machine.decider.stop.check_clock() {
                    self.give_up();
                }
                continue;
            }
            if let Some(ended) = self.leading.ended.pop_front() {
                // Inputs that are given are of no interest if they are assumed away.
                if ended.outcome == Outcome::Discarded && self.leading.machine.decider.tracing.is_some() {
                    continue;
                }
                self.leading_ends += 1;
                if self.leaves_cut && matches!(ended.outcome, Outcome::Limit(_)) {
                    self.leave_alone(ended.outcome);
                    continue;
                }
                self.oldest_next = self.wide && self.leading_ends.is_multiple_of(2);
                self.follow(session, &ended);
                self.current = Some(ended);
                continue;
            }
            if self.leading_ends >= self.path_limit && !self.leading.waiting.is_empty() {
                self.limits.insert(LimitKind::Paths);
                self.give_up();
                return None;
            }
            let state = self.next_leading()?;
            self.leading.run(session, state);
            if self.leading.machine.decider.stop.check_clock() {
                self.give_up();
            }
        }
    }

    /// The leading state to go on with.
    fn next_leading(&mut self) -> Option<Box<State>> {
        match std::mem::take(&mut self.oldest_next) {
            true => self.leading.waiting.pop_front(),
            false => self.leading.waiting.pop_back(),
        }
    }

    /// Whether every second path of the leading program is to go another way at the earliest decision that is still
    /// open. The others take the latest one, and so differ from the path before in their last steps only; what decides
    /// early would be tried after all that can follow it.
    pub fn search_widely(&mut self, wide: bool) {
        self.wide = wide;
    }

    /// Whether leading paths that were cut are not followed any more: there is nothing to compare at their ends.
    pub fn leave_cut(&mut self, leaves: bool) {
        self.leaves_cut = leaves;
    }

    /// How leading paths ended that were not followed, each way once, and how many they are.
    pub fn left_alone(&self) -> (&[Outcome], u64) {
        (&self.left_alone.0, self.left_alone.1)
    }

    fn leave_alone(&mut self, outcome: Outcome) {
        self.left_alone.1 += 1;
        // What is next to a path that was cut is cut, too, more often than not.
        self.oldest_next = self.leading_ends.is_multiple_of(2);
        if !self.left_alone.0.contains(&outcome) {
            self.left_alone.0.push(outcome);
        }
    }

    /// Leaves the rest; says how many states are given up.
    pub fn stop(&mut self) -> u64 {
        let before = self.abandoned;
        self.give_up();
        self.abandoned - before
    }

    /// The current leading path needs no more looking at.
    pub fn skip(&mut self) {
        self.following.waiting.clear();
        self.following.ended.clear();
    }

    /// Puts the following program to its start, under the condition of a path of the leading one.
    fn follow(&mut self, session: &mut Session, ended: &Ended) {
        let mut state = Box::new(self.start.fork());
        state.outside.constant = ended.state.outside.constant.clone();
        let own = state.constraints.iter_in_order();
        state.constraints = ended.state.deciding().clone();
        if self.following.machine.decider.tracing.is_none() {
            state.model = ended.state.model.clone();
        }
        for constraint in own {
            state.constraints.push(&session.exprs, constraint);
        }
        self.following.lend(session, |machine| machine.decider.keep_start(&state));
        self.following.waiting.push_back(state);
    }

    /// It is time to stop: what is left is counted.
    fn give_up(&mut self) {
        self.limits.extend(self.leading.machine.decider.stop.reason);
        self.limits.extend(self.following.machine.decider.stop.reason);
        let sides = [&mut self.leading, &mut self.following];
        for side in sides {
            self.abandoned += side.waiting.len() as u64 + side.ended.len() as u64;
            side.waiting.clear();
            side.ended.clear();
        }
        self.abandoned += self.lockstep.as_mut().map_or(0, Lockstep::leave);
    }

    fn progress(&self) {
        let Some(progress) = self.hooks.progress.filter(|_| self.pairs % 64 == 1) else { return };
        progress(&Progress {
            paths: self.pairs,
            errors: 0,
            expected: 0,
            states_waiting: (self.leading.waiting.len() + self.following.waiting.len()) as u64,
            instructions: self.leading.machine.decider.sink.counters.instructions
                + self.following.machine.decider.sink.counters.instructions,
        });
    }

    /// What it took so far, and what was left out.
    pub fn effort(&self) -> Effort {
        let (one, other) = (&self.leading.machine.decider.sink, &self.following.machine.decider.sink);
        let mut limits = self.limits.clone();
        limits.extend(one.limits.iter().chain(&other.limits));
        Effort {
            leading: self.leading_ends,
            pairs: self.pairs,
            states: one.counters.states + other.counters.states,
            instructions: one.counters.instructions + other.counters.instructions,
            limits,
            abandoned: self.abandoned + one.abandoned + other.abandoned,
            concretised: one.concretised.union(&other.concretised).cloned().collect(),
            externals: one.recorded.union(&other.recorded).cloned().collect(),
            diverged: one.diverged + other.diverged,
            needs: {
                let mut needs = one.needs.clone();
                needs.extend(&other.needs);
                needs
            },
        }
    }

    /// Where the leading path of a pair ended, and the active functions there.
    pub fn leading_end(&self, pair: &Pair) -> (Option<SourcePosition>, Vec<StackFrame>) {
        self.leading.place(&pair.leading)
    }

    /// Where the following path of a pair ended, and the active functions there.
    pub fn following_end(&self, pair: &Pair) -> (Option<SourcePosition>, Vec<StackFrame>) {
        self.following.place(&pair.following)
    }

    /// The paths of a pair for its inputs, as plain data: of the leading and of the following program.
    pub fn describe(&mut self, session: &mut Session, pair: &mut Pair) -> (Path, Path) {
        let model = pair.assignment.0.model.clone();
        let leading =
            self.leading.lend(session, |machine| machine.decider.described(&mut pair.leading, &model));
        let following =
            self.following.lend(session, |machine| machine.decider.described(&mut pair.following, &model));
        (leading, following)
    }
}

impl<'a> Side<'a> {
    /// A program at its entry.
    fn start(
        session: &mut Session,
        party: Party<'a>,
        hooks: &Hooks<'_>,
        inputs: Option<&Assignment>,
    ) -> Result<(Self, Box<State>), ExploreError> {
        let Party { program, config, strategy } = party;
        let entry = find_entry(program, config)?;
        let stop = stop_signal(config, hooks, Instant::now());
        // What stands in for the session's parts is never used.
        let parts = (Exprs::new(), Solver::new(config.solver.clone(), Arc::clone(&hooks.interrupt)));
        // Of data races the inputs are told.
        let detail = if config.threads.is_some() { Detail::All } else { Detail::First(0) };
        let machine = Machine::with(program, config, strategy, stop, Sink::new(detail), parts);
        let mut side =
            Self { machine, entry, result_slot: None, waiting: VecDeque::new(), ended: VecDeque::new() };
        if let Some(inputs) = inputs {
            let mut tracing = Tracing::new(inputs.0.clone());
            tracing.concrete = true;
            side.machine.decider.tracing = Some(Box::new(tracing));
        }
        let state = side.lend(session, |machine| machine.start(entry))?;
        side.result_slot = result_slot(program, entry, &state);
        if inputs.is_none() {
            check_names(&side.machine, &state)?;
        }
        Ok((side, state))
    }

    /// Works with the session's expressions and solver.
    fn lend<T>(&mut self, session: &mut Session, work: impl FnOnce(&mut Machine<'a>) -> T) -> T {
        std::mem::swap(&mut session.exprs, &mut self.machine.decider.exprs);
        std::mem::swap(&mut session.solver, &mut self.machine.decider.solver);
        std::mem::swap(&mut session.constant_calls, &mut self.machine.constant_calls);
        let result = work(&mut self.machine);
        std::mem::swap(&mut session.exprs, &mut self.machine.decider.exprs);
        std::mem::swap(&mut session.solver, &mut self.machine.decider.solver);
        std::mem::swap(&mut session.constant_calls, &mut self.machine.constant_calls);
        result
    }

    /// Runs a state to its end.
    fn run(&mut self, session: &mut Session, mut state: Box<State>) {
        let stop = self.lend(session, |machine| machine.run(&mut state, false));
        if let Stop::Stopped | Stop::Forked = stop {
            self.waiting.push_back(state);
        }
        self.waiting.extend(order_forks(std::mem::take(&mut self.machine.decider.forked)));
        if let Some(ends) = &mut self.machine.decider.ends {
            self.ended.extend(ends.drain(..));
        }
    }

    fn place(&self, ended: &Ended) -> (Option<SourcePosition>, Vec<StackFrame>) {
        let location = self.machine.decider.location(&ended.state);
        let position = location.map(|location| self.machine.program.position(location));
        (position, incise_exec::inside::stack(self.machine.program, &ended.state))
    }
}

/// The object that the entry returns a struct in, if its caller gives one.
fn result_slot(program: &Program, entry: FunctionId, state: &State) -> Option<Slot> {
    let parameters = &program.functions[entry].parameters;
    let index = parameters.iter().position(|parameter| parameter.struct_return)?;
    match state.thread.frame.registers.get(index)? {
        Value::Word(address) => match state.memory.target(*address) {
            AddressTarget::Live(slot, ..) => Some(slot),
            _ => None,
        },
        _ => None,
    }
}

/// That the numbers of elements that inputs tell are no more than there were made.
fn whole(exprs: &mut Exprs, states: [&State; 2]) -> ExprId {
    let mut whole = exprs.boolean(true);
    for input in states.into_iter().flat_map(|state| state.inputs.to_vec()) {
        if let Some(counted) = input.count {
            let most = exprs.constant(u128::from(counted.elements_in(input.size as usize)), 64);
            let fits = exprs.compare(CompareOp::Ule, counted.count, most);
            whole = exprs.and(whole, fits);
        }
    }
    whole
}

fn pair(session: &Session, leading: Ended, following: Ended) -> Pair {
    let conditions = Conjunction(following.state.deciding().clone());
    let values = Values {
        model: following.state.model.clone(),
        known: session.exprs.symbol_count(),
        given: Default::default(),
    };
    let indeterminate =
        [&leading, &following].iter().any(|ended| ended.state.is_indeterminate(&session.exprs));
    Pair { leading, following, conditions, assignment: Assignment(values), indeterminate }
}

/// That inputs of one name whose types differ have the same number in both programs.
fn links(exprs: &mut Exprs, first: &State, second: &State, unlike: &mut Vec<String>) -> Vec<ExprId> {
    let symbols = |exprs: &Exprs, state: &State| -> BTreeMap<String, SymbolId> {
        let inputs = state.inputs.to_vec();
        let leaves = inputs.iter().flat_map(|input| input.leaves.iter());
        let symbols = leaves.flat_map(|leaf| exprs.symbols_of(leaf.expr).collect::<Vec<_>>());
        symbols.map(|symbol| (exprs.symbol_info(symbol).name.clone(), symbol)).collect()
    };
    let (ones, others) = (symbols(exprs, first), symbols(exprs, second));
    let mut links = Vec::new();
    for (name, one) in ones {
        let Some(&other) = others.get(&name).filter(|&&other| other != one) else { continue };
        let width = |symbol| exprs.symbol_info(symbol).width;
        let (narrow, wide) = if width(one) < width(other) { (one, other) } else { (other, one) };
        let (kind, wide_kind) = (exprs.symbol_info(narrow).kind, exprs.symbol_info(wide).kind);
        let width = width(wide);
        let number = |kind| !matches!(kind, SymbolKind::Pointer | SymbolKind::Float(_));
        if !number(kind) || !number(wide_kind) {
            unlike.push(name);
            continue;
        }
        let (narrow, wide) = (exprs.symbol_expr(narrow), exprs.symbol_expr(wide));
        let extended = match kind {
            SymbolKind::Signed | SymbolKind::Char => exprs.sext(narrow, width),
            _ => exprs.zext(narrow, width),
        };
        links.push(exprs.eq(extended, wide));
    }
    links
}

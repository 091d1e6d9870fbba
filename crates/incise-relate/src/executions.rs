//! All executions of two programs with threads on the same symbols, by what they leave behind.
//!
//! With threads a program has a set of outcomes for each input. Each program is explored by itself, one execution for
//! each order of events that matters. Executions that leave the same expressions behind are one [`OutcomeGroup`], and
//! those among them with one path condition are one [`Execution`]: of thousands few are left. That two groups leave
//! the same behind is a condition over the inputs ([`Relation::same_when`]), made by the comparison of paths.
//!
//! Output, inputs that come up on the way and calls of unknown code have an order that counts
//! ([`incise_exec::ThreadConfig::world`]); whoever explores for this has to say so.

mod fingerprint;

use super::leaves::{Concerned, Visible};
use super::{Ended, Pair, Party, Relation, Side};
use fingerprint::Fingerprint;
use incise_exec::inside::{
    Executions, Machine, Slot, State, Stop, Values, explore_executions, gave_some_up, order_forks,
    take_races, went_to_sleep,
};
use incise_exec::{
    Assignment, Condition, Conjunction, ExploreError, Hooks, LimitKind, Note, Outcome, Path, Race, Scheduled,
    Session, StackFrame,
};
use incise_ir::{FunctionId, SourcePosition};
use incise_solver::{Constraints, ExprId, Exprs};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// One of the executions that end alike under one path condition.
pub struct Execution {
    ended: Ended,
    /// What its threads did.
    pub schedule: Scheduled,
    /// When inputs lead to it, if threads go on in that order.
    pub condition: Condition,
}

impl Execution {
    /// How it ended.
    pub fn outcome(&self) -> &Outcome {
        &self.ended.outcome
    }

    /// Inputs that lead to it.
    pub fn inputs(&self, session: &Session) -> Assignment {
        let known = session.exprs.symbol_count();
        Assignment(Values { model: self.ended.state.model.clone(), known, given: Default::default() })
    }

    /// Whether what was never initialised has an influence.
    pub fn is_indeterminate(&self, session: &Session) -> bool {
        self.ended.state.is_indeterminate(&session.exprs)
    }
}

/// Executions that leave the same expressions behind.
pub struct OutcomeGroup {
    /// One for each path condition.
    pub executions: Vec<Execution>,
    /// When one of them is possible.
    pub condition: Condition,
    /// What they leave behind, if that can be told; groups of both programs that leave the same have the same.
    fingerprint: Option<Fingerprint>,
}

impl OutcomeGroup {
    /// One that stands for all.
    pub fn first(&self) -> &Execution {
        &self.executions[0]
    }

    /// Whether groups of two programs leave the same expressions behind, as far as that is seen at a glance.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.fingerprint.is_some() && self.fingerprint == other.fingerprint
    }
}

/// All that one of the programs can do.
#[derive(Default)]
pub struct Outcomes {
    /// What executions leave behind that came to their ends.
    pub groups: Vec<OutcomeGroup>,
    /// Executions that something cut, each way and condition once.
    pub cut: Vec<(Outcome, Condition)>,
    /// How many executions there were.
    pub executions: u64,
    /// Whether an assumption of the program took some inputs or orders away.
    pub assumes: bool,
    /// Whether a limit stopped the exploration, so that nobody knows what else there is.
    pub stopped: bool,
    /// The data races.
    pub races: Vec<Race>,
    /// Whether a thread went to sleep at a condition variable: that it may wake by itself is not looked at.
    pub sleeps: bool,
    /// What strategies noted on executions that came to their ends.
    pub notes: BTreeSet<Note>,
}

/// When two executions leave the same behind.
pub struct SameWhen {
    /// The condition; it says no where that is not known.
    pub condition: Condition,
    /// What could not be compared.
    pub unsure: BTreeSet<String>,
    /// What only one of the programs has.
    pub unmatched: BTreeSet<String>,
    /// What of that the program writes that has it.
    pub one_sided: BTreeSet<String>,
    /// What differs for the inputs that were given.
    pub differing: Vec<super::Leaf>,
}

/// What all executions have in common with a side while it is explored.
struct Collector<'v> {
    entry: FunctionId,
    result: Option<Slot>,
    visible: &'v Visible,
    found: Outcomes,
    /// The numbers of the groups, by what they leave behind.
    numbers: FxHashMap<Fingerprint, usize>,
    /// The executions that are known: their group and their condition.
    known: FxHashMap<(usize, Vec<ExprId>), ()>,
    cut: FxHashMap<(String, Vec<ExprId>), ()>,
    /// The one that is about to be kept.
    next: Option<(Option<Fingerprint>, Vec<ExprId>)>,
    /// The condition of the one that is about to be kept.
    condition: ExprId,
}

impl Executions for Collector<'_> {
    fn wants(&mut self, machine: &mut Machine<'_>, ended: &mut Ended) -> bool {
        if ended.outcome == Outcome::Discarded {
            self.found.assumes = true;
            return false;
        }
        self.found.executions += 1;
        let conjuncts = conjuncts(&ended.state);
        if ended.outcome.is_cut() {
            if self.cut.insert((format!("{:?}", ended.outcome), conjuncts.clone()), ()).is_none() {
                let condition = Condition(conjunction(&mut machine.decider.exprs, &conjuncts));
                self.found.cut.push((ended.outcome.clone(), condition));
            }
            return false;
        }
        self.found.notes.insert(ended.note);
        let fingerprint = Fingerprint::of(machine, ended, (self.entry, self.result), self.visible);
        let number = fingerprint.as_ref().and_then(|fingerprint| self.numbers.get(fingerprint));
        if let Some(&number) = number
            && self.known.contains_key(&(number, conjuncts.clone()))
        {
            return false;
        }
        self.condition = conjunction(&mut machine.decider.exprs, &conjuncts);
        if let Some(&number) = number {
            let group = &mut self.found.groups[number];
            group.condition = Condition(machine.decider.exprs.or(group.condition.0, self.condition));
        }
        self.next = Some((fingerprint, conjuncts));
        true
    }

    fn keep(&mut self, ended: Ended, schedule: Scheduled) {
        let Some((fingerprint, conjuncts)) = self.next.take() else { return };
        let condition = Condition(self.condition);
        let number = fingerprint.as_ref().and_then(|fingerprint| self.numbers.get(fingerprint)).copied();
        let number = number.unwrap_or_else(|| {
            let number = self.found.groups.len();
            if let Some(fingerprint) = &fingerprint {
                self.numbers.insert(fingerprint.clone(), number);
            }
            self.found.groups.push(OutcomeGroup { executions: Vec::new(), condition, fingerprint });
            number
        });
        self.known.insert((number, conjuncts), ());
        self.found.groups[number].executions.push(Execution { ended, schedule, condition });
    }

    fn count(&self) -> u64 {
        self.found.executions
    }
}

/// The conditions of a path, each once, in an order that does not depend on that of the threads.
fn conjuncts(state: &State) -> Vec<ExprId> {
    let mut conjuncts = state.deciding().iter_in_order();
    conjuncts.sort_unstable();
    conjuncts.dedup();
    conjuncts
}

fn conjunction(exprs: &mut Exprs, conjuncts: &[ExprId]) -> ExprId {
    let all = exprs.boolean(true);
    conjuncts.iter().fold(all, |all, &each| exprs.and(all, each))
}

impl Side<'_> {
    /// Explores everything from a state on.
    fn executions(
        &mut self,
        session: &mut Session,
        start: Box<State>,
        (visible, most): (&Visible, u64),
    ) -> Outcomes {
        let mut collector = Collector {
            entry: self.entry,
            result: self.result_slot,
            visible,
            found: Outcomes::default(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            cut: FxHashMap::default(),
            next: None,
            condition: session.exprs.boolean(true),
        };
        self.waiting.push_back(start);
        while let Some(mut state) = self.waiting.pop_back() {
            let went_on = self.lend(session, |machine| {
                let stop = match state.has_threads() {
                    true => Stop::Paused,
                    false => machine.run(&mut state, false),
                };
                let went_on = match stop {
                    Stop::Paused => explore_executions(machine, &state, &mut collector),
                    _ => true,
                };
                for mut ended in std::mem::take(machine.decider.ends.get_or_insert_default()) {
                    if collector.wants(machine, &mut ended) {
                        collector.keep(ended, Scheduled::default());
                    }
                }
                (went_on, stop)
            });
            if let Stop::Stopped | Stop::Forked | Stop::SetBack = went_on.1 {
                self.waiting.push_back(state);
            }
            self.waiting.extend(order_forks(std::mem::take(&mut self.machine.decider.forked)));
            let full = collector.found.executions >= most && !self.waiting.is_empty();
            if full {
                self.machine.decider.sink.limits.insert(LimitKind::Paths);
            }
            if !went_on.0 || full || self.machine.decider.stop.check_clock() {
                collector.found.stopped = !went_on.0 || !self.waiting.is_empty();
                break;
            }
        }
        collector.found.races = self.lend(session, |machine| take_races(machine));
        collector.found.assumes |= gave_some_up(&self.machine);
        collector.found.sleeps = went_to_sleep(&self.machine);
        collector.found
    }
}

impl<'a> Relation<'a> {
    /// All that the leading and the following program can do, each by itself. Nothing else is explored after that.
    pub fn outcomes(&mut self, session: &mut Session, visible: &Visible) -> (Outcomes, Outcomes) {
        let first = self.leading.waiting.pop_back().unwrap_or_else(|| Box::new(self.start.fork()));
        let start = Box::new(self.start.fork());
        self.following.lend(session, |machine| machine.decider.keep_start(&start));
        let base: Vec<ExprId> = [&first, &start].iter().flat_map(|state| conjuncts(state)).collect();
        self.base = conjunction(&mut session.exprs, &base);
        let leading = self.leading.executions(session, first, (visible, self.path_limit));
        self.leading_ends = leading.executions;
        self.give_up();
        let following = self.following.executions(session, start, (visible, self.path_limit));
        self.give_up();
        (leading, following)
    }

    /// The same for one input. Nothing is symbolic then, so that all conditions are settled; `None` if the input is
    /// not what inputs are taken to be.
    pub fn outcomes_for(
        session: &mut Session,
        leading: Party<'a>,
        following: Party<'a>,
        hooks: &'a Hooks<'a>,
        inputs: &Assignment,
        visible: &Visible,
    ) -> Result<(Self, Option<(Outcomes, Outcomes)>), ExploreError> {
        let mut relation = Self::begin(session, leading, following, hooks, Some(inputs))?;
        let unnatural =
            [&relation.leading, &relation.following].iter().any(|side| side.machine.decider.made.unnatural);
        if unnatural || session.exprs.as_constant(relation.whole) == Some(0) {
            return Ok((relation, None));
        }
        let outcomes = relation.outcomes(session, visible);
        Ok((relation, Some(outcomes)))
    }

    /// What holds of all inputs of both programs.
    pub fn base(&self) -> Condition {
        Condition(self.base)
    }

    /// When an execution of the leading program and one of the following program leave the same behind. They must end
    /// in the same way. What differs is told for some inputs.
    pub fn same_when(
        &mut self,
        session: &mut Session,
        (one, other): (&Execution, &Execution),
        visible: Visible,
        inputs: &Assignment,
    ) -> SameWhen {
        let conditions = {
            let both = session.exprs.and(one.condition.0, other.condition.0);
            let mut conditions = Constraints::new();
            conditions.push(&session.exprs, both);
            conditions
        };
        let mut pair = Pair {
            leading: one.ended.copy(),
            following: other.ended.copy(),
            conditions: Conjunction(conditions),
            assignment: inputs.clone(),
            indeterminate: one.is_indeterminate(session) || other.is_indeterminate(session),
        };
        let compared = self.compare(session, &mut pair, visible, &Concerned::everything());
        let mut same = session.exprs.boolean(compared.unsure.is_empty());
        for leaf in &compared.leaves {
            let here = session.exprs.not(leaf.differs.0);
            same = session.exprs.and(same, here);
        }
        let differing = compared.leaves.into_iter();
        let differing = differing.filter(|leaf| session.holds(leaf.differs, inputs)).collect();
        let (unsure, unmatched, one_sided) = (compared.unsure, compared.unmatched, compared.one_sided);
        SameWhen { condition: Condition(same), unsure, unmatched, one_sided, differing }
    }

    /// An execution of the leading program for some inputs, as plain data.
    pub fn describe_leading(&mut self, session: &mut Session, one: &Execution, inputs: &Assignment) -> Path {
        describe(&mut self.leading, session, one, inputs)
    }

    /// An execution of the following program for some inputs, as plain data.
    pub fn describe_following(
        &mut self,
        session: &mut Session,
        one: &Execution,
        inputs: &Assignment,
    ) -> Path {
        describe(&mut self.following, session, one, inputs)
    }

    /// Where an execution of the leading program ended, and the active functions there.
    pub fn end_of_leading(&self, one: &Execution) -> (Option<SourcePosition>, Vec<StackFrame>) {
        self.leading.place(&one.ended)
    }

    /// Where an execution of the following program ended, and the active functions there.
    pub fn end_of_following(&self, one: &Execution) -> (Option<SourcePosition>, Vec<StackFrame>) {
        self.following.place(&one.ended)
    }

    /// How many pairs of executions were compared.
    pub fn count_pairs(&mut self, pairs: u64) {
        self.pairs = pairs;
    }
}

fn describe(side: &mut Side<'_>, session: &mut Session, one: &Execution, inputs: &Assignment) -> Path {
    let mut ended = one.ended.copy();
    let mut path = side.lend(session, |machine| machine.decider.described(&mut ended, &inputs.0.model));
    path.schedule.clone_from(&one.schedule.steps);
    path.first_threads.clone_from(&one.schedule.first);
    path.left_threads.clone_from(&one.schedule.left);
    path
}

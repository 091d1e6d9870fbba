//! Exploration with seeds: inputs that are known beforehand, such as the tests of an earlier version.
//!
//! All of them go down the tree of paths together. Every state carries the seeds that satisfy its constraints. A
//! decision splits them by evaluating its conditions, and a side with a seed is possible without asking the solver.
//! Decisions, their order, limits and outcomes are those of an exploration without seeds.
//!
//! A side without a seed is asked for. If it is possible, seeds for it are derived from those at hand (`derived.rs`),
//! so that the solver is asked once where a boundary moved, and not once for each path beyond. What it told is
//! remembered for other states that come to the condition (`remembered.rs`). But two rules tell that a side is
//! impossible if the seeds are *exhaustive*, that is, if they hold one input for each path of another program:
//! - *A*: that program does the same until the strategy says that a state departed from it, and the state has not
//!   departed. An input that goes there would take a path of that program, whose seed would go there too.
//! - *B*: every path of that program decides something that is at odds with going there (`ruled_out.rs`).
//!
//! With or without these rules, a side is impossible if another run found that already (`Solver::is_noted`).
//!
//! Rule A does not hold for a state that read what was never initialised, because such values are not part of a seed.
//!
//! A path that no given seed takes is reported with inputs near those of the seed that comes nearest to it
//! (`nearest.rs`).
//!
//! Sets of seeds are numbered and their subsets remembered.

mod decided;
mod derived;
mod expected;
mod nearest;
mod remembered;
mod ruled_out;
mod sets;
mod values;
mod ways;

use decided::Deciding;
use derived::Derived;
pub use expected::{EndJudge, Finding, LeftBehind};
use incise_exec::inside::{
    Byte, Decider, InputObject, Leaf, Memory, Object, Oracle, OracleAnswer, State, Ticket, bits_at,
    decided_by,
};
use incise_exec::{
    Config, Exploration, ExploreError, Hooks, InputOrigin, LimitKind, Note, Outcome, Path, Strategy,
    explore_with_oracle,
};
use incise_ir::{GlobalId, Program};
use incise_solver::{Evaluator, ExprId, ExprKind, Exprs, Model, Solver};
use nearest::Nearest;
use remembered::Remembered;
use ruled_out::RuledOut;
use rustc_hash::FxHashMap;
use sets::{ALL, NONE, SetId, Sets};
use std::collections::BTreeMap;
use values::SeedReader;
use ways::Addresses;

/// How the path of a seed ended when the seed was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SeedEnd {
    /// The entry returned, there was an error, or the program left.
    Ended,
    /// It was cut: by a limit, or where something is not supported.
    Cut,
}

/// An input that is known beforehand.
#[derive(Clone, Debug)]
pub struct Seed<'a> {
    /// The bytes of all inputs, by name. Of a pointer, zeros are null and anything else is the input object it can
    /// point to.
    pub inputs: Vec<(&'a str, &'a [u8])>,
    /// Where the pointers in these lead: the input that holds one, how far into it, the name of the input or the
    /// function that it leads to, and how far into that. Needed only of those that may lead to more than one object.
    pub pointers: Vec<(&'a str, u64, &'a str, u64)>,
    /// How its path ended.
    pub end: SeedEnd,
    /// Whether the numbers of alternatives on its path may stand for others now: it is never left alone.
    pub renumbered: bool,
}

impl Seed<'_> {
    /// The bytes of an input. `near` is where it is if all seeds have the same inputs.
    fn bytes(&self, name: &str, near: usize) -> Option<&[u8]> {
        match self.inputs.get(near) {
            Some((known, bytes)) if *known == name => Some(bytes),
            _ => self.inputs.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes),
        }
    }
}

impl Seed<'_> {
    /// Where the pointer at an offset of an input leads, and how far into that.
    fn pointer(&self, input: &str, offset: u64) -> Option<(&str, u64)> {
        let at = self.pointers.iter().find(|(holder, at, ..)| *holder == input && *at == offset);
        at.map(|(_, _, target, addend)| (*target, *addend))
    }
}

/// The seeds of an exploration.
#[derive(Copy, Clone)]
pub struct Seeds<'a> {
    /// Themselves.
    pub all: &'a [Seed<'a>],
    /// The program for each path of which there is one, explored with the same configuration, if there is such a
    /// program. It may cut no path by an assumption: such paths leave no seed.
    pub paths_of: Option<&'a Program>,
    /// Who knows what is expected for a seed. Of a path that leaves behind what is expected, only the decisions are
    /// told.
    pub judge: Option<&'a EndJudge<'a>>,
}

/// The seeds that take a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Takers {
    /// All of them, in order.
    pub seeds: Vec<u32>,
    /// The first with which everything is known to be as expected.
    pub as_expected: Option<u32>,
    /// Whether something is known to be different with the first.
    pub different: bool,
}

/// What an exploration with seeds found. Seeds are known by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Seeded {
    /// The paths, but for those in subtrees that were left alone. A path with seeds is described for the first of them,
    /// if it has to be.
    pub exploration: Exploration,
    /// The seeds that take each of these paths, in the same order.
    pub takers: Vec<Takers>,
    /// For further seeds of a path, the path as that seed takes it: for those of which it is not plain to see whether
    /// everything is as expected.
    pub also: Vec<(u32, Path)>,
    /// The seeds in subtrees that were left alone, in order: there is one for each path.
    pub untouched: Vec<u32>,
    /// The seeds that do not fit the inputs of the program, and why.
    pub unusable: BTreeMap<u32, String>,
    /// The seeds that came to no end: an assumption does not hold for them, or the exploration was cut.
    pub lost: Vec<u32>,
}

impl Seeded {
    /// The paths, each with the seeds that take it.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, &Takers)> {
        self.exploration.paths.iter().zip(&self.takers)
    }
}

/// Says whether a state with this note of the strategy may do something else than the program that the seeds were made
/// for.
pub type Departed = fn(Note) -> bool;

/// Explores the paths that a strategy wants. Every worker has a copy of the strategy. The result does not depend on the
/// number of workers, but for the counters.
pub fn explore_seeded<S: Strategy + Clone + Sync>(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &S,
    departed: Departed,
    seeds: &Seeds<'_>,
) -> Result<Seeded, ExploreError> {
    let several = config.workers.max(1);
    let found = explore_in(several, program, config, hooks, strategy, departed, seeds)?;
    // Which paths are the first is known from the start of the tree on, and so is which seeds one does not come to.
    match several > 1 && found.exploration.limits.contains(&LimitKind::Paths) {
        true => explore_in(1, program, config, hooks, strategy, departed, seeds),
        false => Ok(found),
    }
}

fn explore_in<S: Strategy + Clone + Sync>(
    workers: usize,
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &S,
    departed: Departed,
    seeds: &Seeds<'_>,
) -> Result<Seeded, ExploreError> {
    let config = Config { workers, ..config.clone() };
    let make = |worker: usize| (strategy.clone(), Seeding::new(seeds, departed, worker));
    let (exploration, found) =
        explore_with_oracle(program, &config, hooks, &make, &|seeding: Seeding<'_>| {
            (seeding.worker, seeding.found)
        })?;
    let mut whole = Seeded { exploration, ..Seeded::default() };
    let mut takers: BTreeMap<u64, Vec<Takers>> = BTreeMap::new();
    for (worker, FoundModel { takers: of_worker, also, untouched, unusable }) in found {
        takers.insert(worker, of_worker);
        whole.also.extend(also);
        whole.untouched.extend(untouched);
        whole.unusable.extend(unusable);
    }
    whole.untouched.sort_unstable();
    whole.also.sort_by_key(|(seed, _)| *seed);
    let mut known = vec![false; seeds.all.len()];
    for path in &whole.exploration.paths {
        let (worker, number) = (path.label >> WORKER_SHIFT, path.label & ((1 << WORKER_SHIFT) - 1));
        let of_path = takers.get_mut(&worker).and_then(|takers| takers.get_mut(number as usize));
        whole.takers.push(of_path.map(std::mem::take).unwrap_or_default());
    }
    let taken = whole.takers.iter().flat_map(|takers| takers.seeds.iter());
    for &seed in taken.chain(&whole.untouched).chain(whole.unusable.keys()) {
        known[seed as usize] = true;
    }
    let unknown = known.iter().enumerate().filter(|&(_, known)| !known);
    whole.lost = unknown.map(|(seed, _)| seed as u32).collect();
    Ok(whole)
}

/// A path is labelled by the number of its worker, and below these bits by its own number there.
const WORKER_SHIFT: u32 = 40;

/// The seeds of a set for which a condition holds, and the others.
#[derive(Copy, Clone)]
struct Split {
    holds: SetId,
    fails: SetId,
}

/// The seeds of a state.
#[derive(Copy, Clone, Debug)]
struct Followers {
    seeds: SetId,
    /// Whether it may do something else than the program that the seeds were made for.
    departed: bool,
    /// Those among which are the paths of that program that the path condition of the state does not rule out, as a
    /// node of `decided.rs`.
    left: SetId,
    /// The nearest seed, once no given one is left.
    nearest: Option<Nearest>,
}

/// As words that lie in a state.
impl From<Followers> for Ticket {
    fn from(followers: Followers) -> Self {
        let Followers { seeds, departed, left, nearest } = followers;
        let Nearest { seed, conjuncts, inputs } = nearest.unwrap_or_default();
        let flags = u32::from(departed) | u32::from(nearest.is_some()) << 1;
        Self([seeds.index() as u32, left.index() as u32, seed, conjuncts, inputs, flags])
    }
}

impl From<Ticket> for Followers {
    fn from(Ticket([seeds, left, seed, conjuncts, inputs, flags]): Ticket) -> Self {
        Self {
            seeds: SetId::new(seeds as usize),
            departed: flags & 1 != 0,
            left: SetId::new(left as usize),
            nearest: (flags & 2 != 0).then_some(Nearest { seed, conjuncts, inputs }),
        }
    }
}

/// The seeds of a state.
fn followers(state: &State) -> Followers {
    state.ticket.into()
}

/// What is found out about seeds.
#[derive(Default)]
struct FoundModel {
    /// The takers of each path that ended, by the number in its label.
    takers: Vec<Takers>,
    also: Vec<(u32, Path)>,
    untouched: Vec<u32>,
    unusable: BTreeMap<u32, String>,
}

/// What a machine knows of its seeds.
struct Seeding<'a> {
    /// The number of the worker, as in labels.
    worker: u64,
    departed: Departed,
    given: &'a [Seed<'a>],
    /// The program for each path of which there is one.
    paths_of: Option<&'a Program>,
    judge: Option<&'a EndJudge<'a>>,
    /// The global variables that were asked for last, one after the other.
    globals: Vec<(Box<str>, Option<GlobalId>)>,
    /// The given seeds, and then the derived ones.
    seeds: Vec<KnownSeed>,
    /// Where the inputs and functions are that pointers of seeds may lead to.
    addresses: Addresses,
    sets: Sets,
    /// Of the last split, for which seeds the condition holds, and both sides.
    holds: Vec<bool>,
    sides: [Vec<u32>; 2],
    /// For a set of several and a condition that is no negation, both sides.
    splits: FxHashMap<(SetId, ExprId), Split>,
    /// The inputs of a first state with what they hold if nobody sets them, while it is being made.
    at_start: Option<Vec<(InputObject, Option<Vec<u8>>)>>,
    started: bool,
    derived: Derived,
    /// Under the values of nearest seeds, which many paths have in common.
    near: Evaluator,
    ruled_out: RuledOut,
    /// What the solver told of conditions.
    remembered: Remembered,
    /// What is found out about the program of the seeds, if that is what is executed.
    learning: Option<Deciding>,
    found: FoundModel,
}

struct KnownSeed {
    /// The given seed that it is, or that it was derived from.
    origin: u32,
    /// The values of the inputs that were made so far.
    model: Model,
}

impl<'a> Seeding<'a> {
    fn new(seeds: &Seeds<'a>, departed: Departed, worker: usize) -> Self {
        let count = seeds.all.len() as u32;
        // All have it in common until their values are known.
        let nothing = Model::new();
        Self {
            worker: worker as u64,
            departed,
            given: seeds.all,
            paths_of: seeds.paths_of,
            judge: seeds.judge,
            globals: Vec::new(),
            seeds: (0..count).map(|origin| KnownSeed { origin, model: nothing.clone() }).collect(),
            addresses: Addresses::default(),
            sets: Sets::new(count),
            holds: Vec::new(),
            sides: Default::default(),
            splits: FxHashMap::default(),
            at_start: None,
            started: false,
            derived: Derived::for_seeds(seeds.all.len()),
            near: Evaluator::new(),
            ruled_out: RuledOut::default(),
            remembered: Remembered::default(),
            learning: None,
            found: FoundModel::default(),
        }
    }

    fn is_exhaustive(&self) -> bool {
        self.paths_of.is_some()
    }

    fn set(&self, id: SetId) -> &[u32] {
        self.sets.get(id)
    }

    fn model(&self, seed: u32) -> &Model {
        &self.seeds[seed as usize].model
    }

    fn seed(&self, seed: u32) -> &'a Seed<'a> {
        &self.given[self.seeds[seed as usize].origin as usize]
    }

    /// Whether a seed was given, and not derived from one.
    fn is_given(&self, seed: u32) -> bool {
        (seed as usize) < self.given.len()
    }

    /// The seeds of a set for which a condition holds.
    fn subset(&mut self, exprs: &Exprs, solver: &mut Solver, set: SetId, condition: ExprId) -> SetId {
        // Whatever a seed has no value for is zero in a condition and in its negation, so that exactly one of them
        // holds.
        let (condition, holds) = match *exprs.kind(condition) {
            ExprKind::Not(negated) => (negated, false),
            _ => (condition, true),
        };
        let split = match self.set(set) {
            [] => return NONE,
            // There is nothing to split, and mostly it is the seed whose values were used last.
            [only] => match solver.evaluate(exprs, condition, self.model(*only)) != 0 {
                true => Split { holds: set, fails: NONE },
                false => Split { holds: NONE, fails: set },
            },
            _ => match self.splits.get(&(set, condition)) {
                Some(&known) => known,
                None => self.split(exprs, solver, set, condition),
            },
        };
        if holds { split.holds } else { split.fails }
    }

    /// Splits a set of several seeds by a condition.
    fn split(&mut self, exprs: &Exprs, solver: &mut Solver, set: SetId, condition: ExprId) -> Split {
        let seeds = self.sets.get(set);
        let mut holds = std::mem::take(&mut self.holds);
        holds.clear();
        solver.evaluate_all(exprs, condition, seeds.len(), |number| self.model(seeds[number]), &mut holds);
        self.sides.iter_mut().for_each(Vec::clear);
        for (&seed, &holds) in seeds.iter().zip(&holds) {
            self.sides[usize::from(holds)].push(seed);
        }
        self.holds = holds;
        let [fails, holds] = &self.sides;
        let split = Split { holds: self.sets.number(holds, set), fails: self.sets.number(fails, set) };
        self.splits.insert((set, condition), split);
        split
    }

    /// An input was made: its values, for the seeds of a state.
    fn give(
        &mut self,
        (exprs, solver): (&mut Exprs, &mut Solver),
        set: SetId,
        input: &InputObject,
        initial: Option<&[u8]>,
    ) {
        let reader = SeedReader::new(exprs, solver, input, initial, 0);
        let mut values = Vec::new();
        for &seed in self.set(set).to_vec().iter() {
            values.clear();
            let fault = reader.read(exprs, self.seed(seed), &self.addresses, &mut values);
            let known = &mut self.seeds[seed as usize];
            known.model = known.model.with(values.iter().copied());
            if let Some(fault) = fault {
                self.found_unusable(seed, fault);
            }
        }
    }

    /// The inputs of the start are made, and these conditions hold of them. Seeds that do not fit are left out, and the
    /// others are not all there are.
    fn start(&mut self, exprs: &mut Exprs, solver: &mut Solver, program: &Program, conditions: &[ExprId]) {
        let inputs = self.at_start.take().unwrap_or_default();
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let functions = program.functions.iter();
        let functions = functions.map(|(id, function)| (function.name.clone(), Memory::function_address(id)));
        self.addresses = functions.collect();
        let objects =
            inputs.iter().filter_map(|(input, _)| Some((input.name.clone(), Memory::address(input.slot?))));
        self.addresses.extend(objects);
        let inputs = inputs.iter().enumerate();
        let readers: Vec<SeedReader<'_>> = inputs
            .map(|(number, (input, initial))| {
                SeedReader::new(exprs, solver, input, initial.as_deref(), number)
            })
            .collect();
        let mut values = Vec::new();
        for (number, seed) in self.given.iter().enumerate() {
            values.clear();
            for reader in &readers {
                if let Some(fault) = reader.read(exprs, seed, &self.addresses, &mut values) {
                    self.found_unusable(number as u32, fault);
                }
            }
            let model = Model::of(&values);
            // A seed that is not what inputs are taken to be has no path.
            if conditions.iter().any(|&condition| solver.evaluate(exprs, condition, &model) == 0) {
                self.found_unusable(number as u32, "it is not what inputs are taken to be".to_owned());
            }
            self.seeds[number].model = model;
        }
        if !self.found.unusable.is_empty() {
            self.paths_of = None;
            self.sets.retain(|seed| !self.found.unusable.contains_key(&seed));
        }
    }

    fn found_unusable(&mut self, seed: u32, why: String) {
        if self.is_given(seed) {
            self.found.unusable.entry(seed).or_insert(why);
        }
    }
}

impl Oracle for Seeding<'_> {
    fn begin(&mut self) -> Ticket {
        self.at_start = Some(Vec::new());
        Followers { seeds: ALL, departed: false, left: ALL, nearest: None }.into()
    }

    fn input(
        &mut self,
        parts: (&mut Exprs, &mut Solver),
        state: &mut State,
        input: &InputObject,
        initial: Option<&Object>,
    ) {
        self.depart(state);
        let initial = initial.and_then(|object| initial_bytes(parts.0, input, object));
        if let Some(inputs) = &mut self.at_start {
            inputs.push((input.clone(), initial));
            return;
        }
        self.give(parts, followers(state).seeds, input, initial.as_deref());
        self.follow_first(state);
    }

    fn started(&mut self, decider: &mut Decider<'_>, state: &mut State) {
        let conditions = state.constraints.iter_in_order();
        self.start(&mut decider.exprs, &mut decider.solver, decider.program, &conditions);
        self.follow_first(state);
    }

    fn tell(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId) -> OracleAnswer {
        self.depart(state);
        let Followers { seeds, departed, .. } = followers(state);
        let there = self.subset(&decider.exprs, &mut decider.solver, seeds, condition);
        if let Some(&first) = self.set(there).first() {
            return OracleAnswer::Possible(self.model(first).clone());
        }
        let exhaustive = self.is_exhaustive();
        if exhaustive && !departed && !state.indeterminate && state.made_up == 0 {
            match self.set(seeds) {
                [] => {}
                // The path may have been cut right here, and then nobody asked.
                [only] if self.seed(*only).end == SeedEnd::Cut => {}
                _ => return OracleAnswer::Impossible,
            }
        }
        let impossible = decider.solver.is_noted(&decider.exprs, &state.constraints, condition)
            || exhaustive && self.is_ruled_out(decider, state, condition);
        if impossible { OracleAnswer::Impossible } else { self.recalled(decider, state, condition) }
    }

    fn is_possible(&mut self, decider: &mut Decider<'_>, state: &State, condition: ExprId) -> bool {
        self.subset(&decider.exprs, &mut decider.solver, followers(state).seeds, condition) != NONE
    }

    fn may_rule_out(&self) -> bool {
        self.can_learn()
    }

    fn rules_out(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId) -> bool {
        self.is_hard_and_ruled_out(decider, state, condition)
    }

    fn forbids_solver(&self) -> bool {
        self.learning.is_some()
    }

    fn answered(
        &mut self,
        decider: &mut Decider<'_>,
        state: &State,
        condition: ExprId,
        answer: Option<&Model>,
    ) {
        match answer {
            Some(model) => {
                self.remember_possible(condition, model);
                self.derive_seeds(decider, state, condition, model);
            }
            None => {
                self.remember_impossible(decider, state, condition);
                self.found_impossible();
            }
        }
    }

    /// The seeds that do not satisfy the constraint are no longer with the state.
    fn constrained(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId) {
        self.depart(state);
        let before = followers(state).seeds;
        let mut seeds = self.subset(&decider.exprs, &mut decider.solver, before, condition);
        self.leave_nearest(state, before, seeds);
        let mut there = followers(state);
        if seeds == NONE
            && let Some(derived) = self.derived.take((before, state.path.len() as u32, condition))
        {
            seeds = derived;
            // What these do in the other program is not known.
            there.departed = true;
        }
        there.seeds = seeds;
        state.ticket = there.into();
        self.learn_part(before, seeds);
        self.learn_condition(state, condition);
    }

    fn forced(&mut self, state: &State, condition: ExprId) {
        self.learn_condition(state, condition);
    }

    fn chose(&mut self, decider: &mut Decider<'_>, state: &State, conditions: &[ExprId], taken: usize) {
        self.learn_alternative(&mut decider.exprs, state, conditions, taken);
    }

    /// Whether the paths of a state are not just those of its seeds.
    fn explores(&mut self, _decider: &mut Decider<'_>, state: &mut State) -> bool {
        self.depart(state);
        let Followers { seeds, departed, .. } = followers(state);
        if departed || !self.is_exhaustive() || state.indeterminate || state.made_up > 0 || seeds == NONE {
            return true;
        }
        let seeds = self.sets.get(seeds);
        if seeds.iter().any(|&seed| self.seed(seed).renumbered) {
            return true;
        }
        self.found.untouched.extend(seeds);
        false
    }

    fn ended(&mut self, decider: &mut Decider<'_>, state: &mut State, path: &mut Path, detailed: bool) {
        let mut takers = Takers { seeds: self.takers(state), ..Takers::default() };
        if detailed {
            self.describe(decider, state, path, &mut takers);
        }
        path.label = self.worker << WORKER_SHIFT | self.found.takers.len() as u64;
        self.found.takers.push(takers);
    }
}

impl Seeding<'_> {
    /// A state with seeds has the model of the first, unless it is on its way to a place where another model is known.
    fn follow_first(&self, state: &mut State) {
        if state.replay.is_none()
            && let Some(&first) = self.set(followers(state).seeds).first()
        {
            state.model = self.model(first).clone();
        }
    }

    /// What was learned from the solver before tells of a condition.
    fn recalled(&mut self, decider: &mut Decider<'_>, state: &State, condition: ExprId) -> OracleAnswer {
        let told = self.recall(decider, state, condition);
        if let OracleAnswer::Possible(model) = &told {
            self.derive_seeds(decider, state, condition, model);
        }
        told
    }

    /// Notes that a state has departed since its last decision.
    fn depart(&self, state: &mut State) {
        let there = followers(state);
        if !there.departed && (self.departed)(state.note) {
            state.ticket = Followers { departed: true, ..there }.into();
        }
    }

    /// The given seeds of a path that ended.
    fn takers(&self, state: &State) -> Vec<u32> {
        let all_fit = self.found.unusable.is_empty();
        let fits = |seed: &u32| all_fit || !self.found.unusable.contains_key(seed);
        let seeds = self.set(followers(state).seeds).iter().copied();
        seeds.filter(|seed| self.is_given(*seed) && fits(seed)).collect()
    }

    /// Describes a path for the seeds that take it, or near one. Where it is plain to see whether a seed leads to what
    /// is expected, there is no need for that.
    fn describe(
        &mut self,
        decider: &mut Decider<'_>,
        state: &mut State,
        path: &mut Path,
        takers: &mut Takers,
    ) {
        let Some(&first) = takers.seeds.first() else {
            let undecided = matches!(path.outcome, Outcome::Undecided(_));
            let near = if undecided { None } else { self.nearest_model(decider, state) };
            return decider.describer().describe_path(state, path, near);
        };
        let bare = (takers.seeds.len() > 1).then(|| path.clone());
        for (number, &seed) in takers.seeds.iter().enumerate() {
            let model = self.model(seed).clone();
            match self.is_as_expected(decider, seed, state, &path.outcome, &model) {
                Finding::AsExpected => {
                    takers.as_expected = Some(seed);
                    break;
                }
                Finding::Different => takers.different |= number == 0,
                Finding::Unclear if number == 0 => {
                    decider.describer().describe_path(state, path, Some(model))
                }
                Finding::Unclear => {
                    if let Some(mut other) = bare.clone() {
                        decider.describer().describe_path(state, &mut other, Some(model));
                        self.found.also.push((seed, other));
                    }
                }
            }
        }
        // If none will do, it is the first whose new outcome is told.
        if takers.as_expected.is_none() && !path.described {
            decider.describer().describe_path(state, path, Some(self.model(first).clone()));
        }
        if path.decided.is_empty() {
            path.decided = decided_by(state);
        }
    }
}

/// The bytes of a global variable that nobody sets, if they can be said without an address.
fn initial_bytes(exprs: &mut Exprs, input: &InputObject, object: &Object) -> Option<Vec<u8>> {
    if !matches!(input.origin, InputOrigin::Global { .. }) || object.size < input.size {
        return None;
    }
    let mut bytes = Vec::with_capacity(input.size as usize);
    for offset in 0..input.size {
        match object.read_byte(exprs, offset) {
            Byte::Concrete(byte) => bytes.push(byte),
            Byte::Part { .. } | Byte::Uninitialised => return None,
        }
    }
    // What a pointer of an input points to is an object of its own, and not what the initial value says.
    let has_pointer = |leaf: &Leaf| {
        matches!(exprs.kind(leaf.expr), ExprKind::Ite(..))
            && bits_at(&bytes, leaf.offset, leaf.bytes, false) != 0
    };
    let unclear = input.leaves.iter().any(has_pointer);
    (!unclear).then_some(bytes)
}

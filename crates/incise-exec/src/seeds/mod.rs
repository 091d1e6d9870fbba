//! Exploration with seeds: inputs that are known beforehand, such as the tests of an earlier version.
//!
//! All of them go down the tree of paths together. Every state carries the seeds that satisfy its
//! constraints. A decision splits them by evaluating its conditions, and a side with a seed is possible without asking the solver. Decisions, their order, limits and outcomes are
//! those of an exploration without seeds.
//!
//! A side without a seed is asked for. If it is possible, seeds for it are derived from those at hand (`derived.rs`), so that the solver is asked once where a boundary moved, and not once for each path beyond. What it told is remembered for other states that come to the condition (`remembered.rs`). But two rules tell that a
//! side is impossible if the seeds are *exhaustive*, that is, if they hold one input for each path of another program:
//! - *A*: that program does the same until the strategy says that a state departed from it, and the state has not departed. An input that goes there would take a path of that program, whose seed would go there too.
//! - *B*: every path of that program decides something that is at odds with going there (`ruled_out.rs`).
//!
//! With or without these rules, a side is impossible if another run found that already (`Solver::is_noted`).
//!
//! Rule A does not hold for a state that read what was never initialised, because such values are not part of a seed.
//!
//! A path that no given seed takes is reported with inputs near those of the seed that comes nearest to it (`nearest.rs`).
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

use crate::config::Config;
use crate::decisions::strategy::Strategy;
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::exploration::explore::{
    ExploreError, Finished, Hooks, Shared, find_entry, in_workers, merge, run_jobs, stop_signal,
};
use crate::exploration::finish::Sink;
use crate::inputs::given::bits_at;
use crate::inputs::input::InputObject;
use crate::memory::{Byte, Memory, Object};
use crate::outcome::LimitKind;
use crate::result::{Exploration, InputOrigin, Path};
use decided::Deciding;
use derived::Derived;
pub use expected::{Finding, Judge, LeftBehind};
use incise_ir::{FunctionId, GlobalId, Program};
use incise_solver::{Evaluator, ExprId, ExprKind, Exprs, Model, Solver};
use nearest::Nearest;
use remembered::Remembered;
use ruled_out::RuledOut;
use rustc_hash::FxHashMap;
use sets::{ALL, NONE, SetId, Sets};
use std::collections::BTreeMap;
use std::time::Instant;
use values::Reader;
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
    /// The bytes of all inputs, by name. Of a pointer, zeros are null and anything else is the input object it can point to.
    pub inputs: Vec<(&'a str, &'a [u8])>,
    /// Where the pointers in these lead: the input that holds one, how far into it, the name of the input or the function that it leads to, and how far into that. Needed only of those that may lead to more than one object.
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
    /// The program for each path of which there is one, explored with the same configuration, if there is such a program. It may cut no path by an assumption: such paths leave no seed.
    pub paths_of: Option<&'a Program>,
    /// Who knows what is expected for a seed. Of a path that leaves behind what is expected, only the decisions are told.
    pub judge: Option<&'a Judge<'a>>,
}

/// What an exploration with seeds found. Seeds are known by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Seeded {
    /// The paths, but for those in subtrees that were left alone. A path with seeds is described for the first of them, if it has to be.
    pub exploration: Exploration,
    /// For further seeds of a path, the path as that seed takes it: for those of which it is not plain to see whether everything is as expected.
    pub also: Vec<(u32, Path)>,
    /// The seeds in subtrees that were left alone, in order: there is one for each path.
    pub untouched: Vec<u32>,
    /// The seeds that do not fit the inputs of the program, and why.
    pub unusable: BTreeMap<u32, String>,
    /// The seeds that came to no end: an assumption does not hold for them, or the exploration was cut.
    pub lost: Vec<u32>,
}

/// Explores the paths that a strategy wants. Every worker has a copy of the strategy. The result does not depend on the number of workers, but for the counters.
pub fn explore_seeded<S: Strategy + Clone + Sync>(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &S,
    seeds: &Seeds<'_>,
) -> Result<Seeded, ExploreError> {
    let several = config.workers.max(1);
    let found = explore_in(several, program, config, hooks, strategy, seeds)?;
    // Which paths are the first is known from the start of the tree on, and so is which seeds one does not come to.
    match several > 1 && found.exploration.limits.contains(&LimitKind::Paths) {
        true => explore_in(1, program, config, hooks, strategy, seeds),
        false => Ok(found),
    }
}

fn explore_in<S: Strategy + Clone + Sync>(
    workers: usize,
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &S,
    seeds: &Seeds<'_>,
) -> Result<Seeded, ExploreError> {
    let entry = find_entry(program, config)?;
    let started = Instant::now();
    let config = Config { workers, ..config.clone() };
    let shared = Shared::new(&config);
    let work = || -> Result<(Finished, Told), ExploreError> {
        let mut strategy = strategy.clone();
        let stop = stop_signal(&config, hooks, started);
        let mut machine = Machine::new(program, &config, &mut strategy, stop, Sink::new(hooks.detail));
        machine.seeding = Some(Box::new(Seeding::new(seeds)));
        run_jobs(&mut machine, entry, &shared, hooks, workers == 1)?;
        let told = machine.seeding.take().map_or_else(Told::default, |seeding| seeding.told);
        Ok((Finished::from(machine), told))
    };
    let (finished, told): (Vec<Finished>, Vec<Told>) = in_workers(workers, &work)?.into_iter().unzip();
    let exploration = merge(&config, finished, started);
    let mut found = Seeded { exploration, ..Seeded::default() };
    for Told { also, untouched, unusable } in told {
        found.also.extend(also);
        found.untouched.extend(untouched);
        found.unusable.extend(unusable);
    }
    found.untouched.sort_unstable();
    found.also.sort_by_key(|(seed, _)| *seed);
    let mut known = vec![false; seeds.all.len()];
    let taken = found.exploration.paths.iter().flat_map(|path| path.seeds.iter());
    for &seed in taken.chain(&found.untouched).chain(found.unusable.keys()) {
        known[seed as usize] = true;
    }
    let unknown = known.iter().enumerate().filter(|&(_, known)| !known);
    found.lost = unknown.map(|(seed, _)| seed as u32).collect();
    Ok(found)
}

/// The seeds of a set for which a condition holds, and the others.
#[derive(Copy, Clone)]
struct Split {
    holds: SetId,
    fails: SetId,
}

/// The seeds of a state.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Followers {
    seeds: SetId,
    /// Whether it may do something else than the program that the seeds were made for.
    departed: bool,
    /// Those among which are the paths of that program that the path condition of the state does not rule out, as a node of `decided.rs`.
    left: SetId,
    /// The nearest seed, once no given one is left.
    nearest: Option<Nearest>,
}

impl Followers {
    /// No seed.
    pub(crate) const NOBODY: Self = Self { seeds: NONE, departed: true, left: ALL, nearest: None };
}

/// What seeds tell of a condition.
pub(crate) enum Answer {
    /// It can hold.
    Possible(Model),
    Impossible,
    Nothing,
}

/// What is told of seeds in the end.
#[derive(Default)]
struct Told {
    also: Vec<(u32, Path)>,
    untouched: Vec<u32>,
    unusable: BTreeMap<u32, String>,
}

/// What a machine knows of its seeds.
pub(crate) struct Seeding<'a> {
    given: &'a [Seed<'a>],
    /// The program for each path of which there is one.
    paths_of: Option<&'a Program>,
    judge: Option<&'a Judge<'a>>,
    /// The global variables that were asked for last, one after the other.
    globals: Vec<(Box<str>, Option<GlobalId>)>,
    /// The given seeds, and then the derived ones.
    seeds: Vec<Known>,
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
    told: Told,
}

struct Known {
    /// The given seed that it is, or that it was derived from.
    origin: u32,
    /// The values of the inputs that were made so far.
    model: Model,
}

impl<'a> Seeding<'a> {
    fn new(seeds: &Seeds<'a>) -> Self {
        let count = seeds.all.len() as u32;
        // All have it in common until their values are known.
        let nothing = Model::new();
        Self {
            given: seeds.all,
            paths_of: seeds.paths_of,
            judge: seeds.judge,
            globals: Vec::new(),
            seeds: (0..count).map(|origin| Known { origin, model: nothing.clone() }).collect(),
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
            told: Told::default(),
        }
    }

    /// A first state is about to be made: its seeds.
    pub(crate) fn begin(&mut self) -> Followers {
        self.at_start = Some(Vec::new());
        Followers { seeds: ALL, departed: false, left: ALL, nearest: None }
    }

    fn judge(&self) -> Option<&'a Judge<'a>> {
        self.judge
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
        // Whatever a seed has no value for is zero in a condition and in its negation, so that exactly one of them holds.
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
        let reader = Reader::new(exprs, solver, input, initial, 0);
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

    /// The inputs of the start are made, and these conditions hold of them. Seeds that do not fit are left out, and the others are not all there are.
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
        let readers: Vec<Reader<'_>> = inputs
            .map(|(number, (input, initial))| Reader::new(exprs, solver, input, initial.as_deref(), number))
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
        if !self.told.unusable.is_empty() {
            self.paths_of = None;
            self.sets.retain(|seed| !self.told.unusable.contains_key(&seed));
        }
    }

    fn found_unusable(&mut self, seed: u32, why: String) {
        if self.is_given(seed) {
            self.told.unusable.entry(seed).or_insert(why);
        }
    }
}

impl<'a> Machine<'a> {
    /// Tells the seeds of a state that an input is about to be recorded; `initial` is what it holds if nobody sets it.
    pub(crate) fn give_seeds(&mut self, state: &mut State, input: &InputObject, initial: Option<&Object>) {
        if self.seeding.is_none() {
            return;
        }
        self.depart(state);
        let initial = initial.and_then(|object| initial_bytes(&mut self.exprs, input, object));
        let Some(seeding) = &mut self.seeding else { return };
        if let Some(inputs) = &mut seeding.at_start {
            inputs.push((input.clone(), initial));
            return;
        }
        let parts = (&mut self.exprs, &mut self.solver);
        seeding.give(parts, state.followers.seeds, input, initial.as_deref());
        self.follow_first(state);
    }

    /// A first state is ready: seeds get the values of its inputs.
    pub(crate) fn seeds_started(&mut self, state: &mut State) {
        if let Some(seeding) = &mut self.seeding {
            let conditions = state.constraints.iter_in_order();
            seeding.start(&mut self.exprs, &mut self.solver, self.program, &conditions);
            self.follow_first(state);
        }
    }

    /// A state with seeds has the model of the first, unless it is on its way to a place where another model is known.
    fn follow_first(&self, state: &mut State) {
        if let Some(seeding) = &self.seeding
            && state.replay.is_none()
            && let Some(&first) = seeding.set(state.followers.seeds).first()
        {
            state.model = seeding.model(first).clone();
        }
    }

    /// What the seeds tell of a condition that the state's model does not satisfy.
    pub(crate) fn seeds_tell(&mut self, state: &mut State, condition: ExprId) -> Answer {
        self.depart(state);
        let Some(seeding) = &mut self.seeding else { return Answer::Nothing };
        let Followers { seeds, departed, .. } = state.followers;
        let there = seeding.subset(&self.exprs, &mut self.solver, seeds, condition);
        if let Some(&first) = seeding.set(there).first() {
            return Answer::Possible(seeding.model(first).clone());
        }
        let exhaustive = seeding.is_exhaustive();
        if exhaustive && !departed && !state.indeterminate && state.made_up == 0 {
            match seeding.set(seeds) {
                [] => {}
                // The path may have been cut right here, and then nobody asked.
                [only] if seeding.seed(*only).end == SeedEnd::Cut => {}
                _ => return Answer::Impossible,
            }
        }
        let impossible = self.solver.is_noted(&self.exprs, &state.constraints, condition)
            || exhaustive && self.is_ruled_out(state, condition);
        if impossible { Answer::Impossible } else { self.recalled(state, condition) }
    }

    /// What was learned from the solver before tells of a condition.
    fn recalled(&mut self, state: &State, condition: ExprId) -> Answer {
        let answer = self.recall(state, condition);
        if let Answer::Possible(model) = &answer {
            self.derive_seeds(state, condition, model);
        }
        answer
    }

    /// The solver told of a condition that the seeds of a state tell nothing of: what shows that it can hold, if it can.
    pub(crate) fn tell_seeds(&mut self, state: &State, condition: ExprId, told: Option<&Model>) {
        match told {
            Some(model) => {
                self.remember_possible(condition, model);
                self.derive_seeds(state, condition, model);
            }
            None => {
                self.remember_impossible(state, condition);
                self.found_impossible();
            }
        }
    }

    /// Whether a seed of a state satisfies a condition.
    pub(crate) fn seeds_satisfy(&mut self, state: &State, condition: ExprId) -> bool {
        match &mut self.seeding {
            Some(seeding) => {
                seeding.subset(&self.exprs, &mut self.solver, state.followers.seeds, condition) != NONE
            }
            None => false,
        }
    }

    /// A state got a constraint, the last of its path condition: the seeds that do not satisfy it are no longer with it.
    pub(crate) fn split_seeds(&mut self, state: &mut State, condition: ExprId) {
        if self.seeding.is_none() {
            return;
        }
        self.depart(state);
        let Some(seeding) = &mut self.seeding else { return };
        let before = state.followers.seeds;
        let mut seeds = seeding.subset(&self.exprs, &mut self.solver, before, condition);
        self.leave_nearest(state, before, seeds);
        let Some(seeding) = &mut self.seeding else { return };
        if seeds == NONE
            && let Some(derived) = seeding.derived.take((before, state.path.len() as u32, condition))
        {
            seeds = derived;
            // What these do in the other program is not known.
            state.followers.departed = true;
        }
        state.followers.seeds = seeds;
        self.learn_part(before, seeds);
        self.learn_condition(state, condition);
    }

    /// Notes that a state has departed since its last decision.
    fn depart(&mut self, state: &mut State) {
        if !state.followers.departed && self.strategy.departed(state.note) {
            state.followers.departed = true;
        }
    }

    /// Whether the paths of a state are those of its seeds and need not be explored.
    pub(crate) fn leave_alone(&mut self, state: &mut State) -> bool {
        self.depart(state);
        let Some(seeding) = &mut self.seeding else { return false };
        let Followers { seeds, departed, .. } = state.followers;
        if departed || !seeding.is_exhaustive() || state.indeterminate || state.made_up > 0 || seeds == NONE {
            return false;
        }
        let seeds = seeding.sets.get(seeds);
        if seeds.iter().any(|&seed| seeding.seed(seed).renumbered) {
            return false;
        }
        seeding.told.untouched.extend(seeds);
        true
    }

    /// The given seeds of a path that ended.
    pub(crate) fn takers(&self, state: &State) -> Vec<u32> {
        let Some(seeding) = &self.seeding else { return Vec::new() };
        let all_fit = seeding.told.unusable.is_empty();
        let fits = |seed: &u32| all_fit || !seeding.told.unusable.contains_key(seed);
        let seeds = seeding.set(state.followers.seeds).iter().copied();
        seeds.filter(|seed| seeding.is_given(*seed) && fits(seed)).collect()
    }

    /// The values of a seed.
    pub(crate) fn seed_model(&self, seed: u32) -> Model {
        self.seeding.as_ref().map_or_else(Model::new, |seeding| seeding.model(seed).clone())
    }

    /// Keeps a path as a seed beside the first takes it.
    pub(crate) fn also_taken(&mut self, seed: u32, path: Path) {
        if let Some(seeding) = &mut self.seeding {
            seeding.told.also.push((seed, path));
        }
    }

    /// The function of another program where its exploration would start.
    fn entry_of(&self, program: &Program) -> Option<FunctionId> {
        find_entry(program, self.config).ok()
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
    let has_pointer = |leaf: &crate::inputs::input::Leaf| {
        matches!(exprs.kind(leaf.expr), ExprKind::Ite(..))
            && bits_at(&bytes, leaf.offset, leaf.bytes, false) != 0
    };
    let unclear = input.leaves.iter().any(has_pointer);
    (!unclear).then_some(bytes)
}

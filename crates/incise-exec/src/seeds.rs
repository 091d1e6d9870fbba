//! Exploration with seeds: inputs that are known beforehand, such as the tests of an earlier version.
//!
//! All of them go down the tree of paths together. Every state carries the seeds that satisfy its
//! constraints. A decision splits them by evaluating its conditions, and a side with a seed is possible without asking the solver. Decisions, their order, limits and outcomes are
//! those of an exploration without seeds.
//!
//! A side without a seed is asked for, unless the seeds are *exhaustive*: they hold one input for each path of a program that does the same until the strategy says that a state
//! departed from it. Then two rules tell that a side is impossible:
//! - *A*: the state has not departed. An input that goes there would take a path of that program, whose seed would go there too.
//! - *B*: the decision is not one that the strategy marks: it is the same function of the inputs as in that program, as far as the unmarked decisions before it are the same.
//!   The *kin* of a state are the seeds that were with it when it departed and satisfy its unmarked decisions since. If none of them goes to a side, no input that comes here does. This needs
//!   that all seeds that were there returned: a path that ended early never came to decide.
//!
//! Neither holds for a state that read what was never initialised, because such values are not part of a seed; and rule B not for one that made inputs after it departed, because those are told
//! apart by the order in which they are made.
//!
//! Sets of seeds are numbered and their subsets remembered: states that differ in marked decisions alone share their kin.

use crate::config::Config;
use crate::explore::{ExploreError, Finished, Hooks, Shared, find_entry, merge, run_jobs, stop_signal};
use crate::finish::Sink;
use crate::given::{bits_at, invert};
use crate::input::InputObject;
use crate::machine::Machine;
use crate::memory::{Byte, Object};
use crate::result::{Exploration, InputOrigin, Path};
use crate::state::State;
use crate::strategy::{Stack, Strategy};
use incise_ir::Program;
use incise_solver::{ExprId, Exprs, Model, Solver, SymbolId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

/// How the path of a seed ended when the seed was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SeedEnd {
    /// The entry returned.
    Returned,
    /// An error, or the program left.
    Stopped,
    /// It was cut: by a limit, or where something is not supported.
    Cut,
}

/// An input that is known beforehand.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The bytes of all inputs, by name. Of a pointer, zeros are null and anything else is the input object it can point to.
    pub bytes: BTreeMap<String, Vec<u8>>,
    /// How its path ended.
    pub end: SeedEnd,
    /// Whether the numbers of alternatives on its path may stand for others now: it is never left alone.
    pub renumbered: bool,
}

/// What an exploration with seeds found. Seeds are known by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Seeded {
    /// The paths, but for those in subtrees that were left alone. A path with seeds is described for the first of them.
    pub exploration: Exploration,
    /// For each further seed of a path, the path as that seed takes it.
    pub also: Vec<(u32, Path)>,
    /// The seeds in subtrees that were left alone, in order: there is one for each path.
    pub untouched: Vec<u32>,
    /// The seeds that do not fit the inputs of the program, and why.
    pub unusable: BTreeMap<u32, String>,
    /// The seeds that came to no end: an assumption does not hold for them, or the exploration was cut.
    pub lost: Vec<u32>,
}

/// Explores the paths that a strategy wants, with one worker. `exhaustive` tells whether the seeds hold one input for each path of the program that they were made for, explored
/// with the same configuration.
pub fn explore_seeded(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &mut dyn Strategy,
    seeds: &[Seed],
    exhaustive: bool,
) -> Result<Seeded, ExploreError> {
    let entry = find_entry(program, config)?;
    let started = Instant::now();
    let alone = Config { workers: 1, ..config.clone() };
    let shared = Shared::new(&alone);
    let stop = stop_signal(config, hooks, started);
    let mut machine = Machine::new(program, &alone, strategy, stop, Sink::new(hooks.detail));
    machine.seeding = Some(Box::new(Seeding::new(seeds, exhaustive)));
    run_jobs(&mut machine, entry, &shared, hooks, true)?;
    let seeding = machine.seeding.take();
    let exploration = merge(&alone, vec![Finished::from(machine)], started);
    let mut found = Seeded { exploration, ..Seeded::default() };
    if let Some(seeding) = seeding {
        let Seeding { also, mut untouched, unusable, .. } = *seeding;
        untouched.sort_unstable();
        let paths = found.exploration.paths.iter().flat_map(|path| path.seeds.iter());
        let known: BTreeSet<u32> = paths.chain(&untouched).chain(unusable.keys()).copied().collect();
        found.lost = (0..seeds.len() as u32).filter(|seed| !known.contains(seed)).collect();
        (found.also, found.untouched, found.unusable) = (also, untouched, unusable);
    }
    Ok(found)
}

/// A set of seeds, by its number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SetId(u32);

const NONE: SetId = SetId(0);
const ALL: SetId = SetId(1);

/// The seeds of a state.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Followers {
    seeds: SetId,
    kin: Kin,
}

#[derive(Copy, Clone, Debug)]
enum Kin {
    /// The state has not departed: its kin are its seeds.
    Seeds,
    Set(SetId),
    /// Nothing can be concluded from them.
    Unknown,
}

impl Followers {
    /// No seed.
    pub(crate) const NOBODY: Self = Self { seeds: NONE, kin: Kin::Unknown };
}

/// What seeds tell of a condition.
pub(crate) enum Told {
    /// It can hold.
    Possible(Model),
    Impossible,
    Nothing,
}

/// What a machine knows of its seeds.
pub(crate) struct Seeding {
    seeds: Vec<Known>,
    exhaustive: bool,
    sets: Vec<Rc<[u32]>>,
    /// For a set and a condition, those for which it holds.
    subsets: FxHashMap<(SetId, ExprId), SetId>,
    also: Vec<(u32, Path)>,
    untouched: Vec<u32>,
    unusable: BTreeMap<u32, String>,
}

struct Known {
    bytes: BTreeMap<String, Vec<u8>>,
    end: SeedEnd,
    renumbered: bool,
    /// The values of the inputs that were made so far.
    model: Model,
}

impl Seeding {
    fn new(seeds: &[Seed], exhaustive: bool) -> Self {
        let known = |seed: &Seed| Known {
            bytes: seed.bytes.clone(),
            end: seed.end,
            renumbered: seed.renumbered,
            model: Model::new(),
        };
        Self {
            seeds: seeds.iter().map(known).collect(),
            exhaustive,
            sets: vec![Rc::from([]), (0..seeds.len() as u32).collect()],
            subsets: FxHashMap::default(),
            also: Vec::new(),
            untouched: Vec::new(),
            unusable: BTreeMap::new(),
        }
    }

    /// The seeds of the first state.
    pub(crate) fn followers(&self) -> Followers {
        Followers { seeds: ALL, kin: Kin::Seeds }
    }

    fn set(&self, id: SetId) -> &Rc<[u32]> {
        &self.sets[id.0 as usize]
    }

    fn model(&self, seed: u32) -> &Model {
        &self.seeds[seed as usize].model
    }

    /// The seeds of a set for which a condition holds.
    fn subset(&mut self, exprs: &Exprs, solver: &mut Solver, set: SetId, condition: ExprId) -> SetId {
        if set == NONE {
            return NONE;
        }
        if let Some(&known) = self.subsets.get(&(set, condition)) {
            return known;
        }
        let all = self.set(set).clone();
        let holds = |seed: &&u32| solver.evaluate(exprs, condition, self.model(**seed)) != 0;
        let some: Rc<[u32]> = all.iter().filter(holds).copied().collect();
        let subset = match some.len() {
            0 => NONE,
            count if count == all.len() => set,
            _ => {
                self.sets.push(some);
                SetId(self.sets.len() as u32 - 1)
            }
        };
        self.subsets.insert((set, condition), subset);
        subset
    }

    /// An input was made: its values, for the seeds of a state.
    fn give(&mut self, exprs: &Exprs, set: SetId, input: &InputObject, initial: Option<&[u8]>) {
        for &seed in self.set(set).clone().iter() {
            let known = &mut self.seeds[seed as usize];
            let (bytes, fault) = match known.bytes.get(&input.name) {
                Some(bytes) if bytes.len() as u64 == input.size => (bytes.as_slice(), None),
                Some(bytes) => {
                    let (now, before) = (input.size, bytes.len());
                    let fault = format!("{} has {now} bytes, and {before} in the test", input.name);
                    (bytes.as_slice(), Some(fault))
                }
                None => match initial {
                    Some(initial) => (initial, None),
                    None => (&[][..], Some(format!("it has no value for {}", input.name))),
                },
            };
            let mut values: Vec<(SymbolId, u128)> = Vec::new();
            for leaf in &input.leaves {
                invert(exprs, leaf.expr, bits_at(bytes, leaf.offset, leaf.bytes, false), &mut values);
            }
            known.model = known.model.with(values);
            if let Some(fault) = fault {
                self.unusable.entry(seed).or_insert(fault);
            }
        }
    }

    /// The inputs of the start are made: seeds that do not fit are left out, and the others are not all there are.
    fn started(&mut self) {
        if !self.unusable.is_empty() {
            self.exhaustive = false;
            let fits = |seed: &&u32| !self.unusable.contains_key(seed);
            self.sets[ALL.0 as usize] = self.set(ALL).iter().filter(fits).copied().collect();
        }
    }
}

impl Machine<'_> {
    /// Tells the seeds of a state that an input is about to be recorded; `initial` is what it holds if nobody sets it.
    pub(crate) fn give_seeds(&mut self, state: &mut State, input: &InputObject, initial: Option<&Object>) {
        if self.seeding.is_none() {
            return;
        }
        self.depart(state);
        let initial = initial.and_then(|object| initial_bytes(&mut self.exprs, input, object));
        let Some(seeding) = &mut self.seeding else { return };
        seeding.give(&self.exprs, state.followers.seeds, input, initial.as_deref());
        if !matches!(state.followers.kin, Kin::Seeds) {
            state.followers.kin = Kin::Unknown;
        }
        self.follow_first(state);
    }

    /// The first state is ready.
    pub(crate) fn seeds_started(&mut self, state: &mut State) {
        if let Some(seeding) = &mut self.seeding {
            seeding.started();
            self.follow_first(state);
        }
    }

    /// A state with seeds has the model of the first.
    fn follow_first(&self, state: &mut State) {
        if let Some(seeding) = &self.seeding
            && let Some(&first) = seeding.set(state.followers.seeds).first()
        {
            state.model = seeding.model(first).clone();
        }
    }

    /// What the seeds tell of a condition that the state's model does not satisfy.
    pub(crate) fn seeds_tell(&mut self, state: &mut State, condition: ExprId) -> Told {
        self.depart(state);
        let Some(seeding) = &mut self.seeding else { return Told::Nothing };
        let Followers { seeds, kin } = state.followers;
        let there = seeding.subset(&self.exprs, &mut self.solver, seeds, condition);
        if let Some(&first) = seeding.set(there).first() {
            return Told::Possible(seeding.model(first).clone());
        }
        if !seeding.exhaustive || state.indeterminate {
            return Told::Nothing;
        }
        match kin {
            Kin::Seeds => match seeding.set(seeds).as_ref() {
                [] => Told::Nothing,
                // The path may have been cut right here, and then nobody asked.
                [only] if seeding.seeds[*only as usize].end == SeedEnd::Cut => Told::Nothing,
                _ => Told::Impossible,
            },
            Kin::Set(kin) => {
                let there = seeding.subset(&self.exprs, &mut self.solver, kin, condition);
                match there == NONE && !self.strategy.marks(&Stack::new(state, &self.watches)) {
                    true => Told::Impossible,
                    false => Told::Nothing,
                }
            }
            Kin::Unknown => Told::Nothing,
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

    /// A state got a constraint: the seeds that do not satisfy it are no longer with it.
    pub(crate) fn split_seeds(&mut self, state: &mut State, condition: ExprId, marked: bool) {
        if self.seeding.is_none() {
            return;
        }
        self.depart(state);
        if !marked {
            self.split_kin(state, condition);
        }
        let Some(seeding) = &mut self.seeding else { return };
        let seeds = state.followers.seeds;
        state.followers.seeds = seeding.subset(&self.exprs, &mut self.solver, seeds, condition);
    }

    /// A decision had one way only, by the constraints so far.
    pub(crate) fn split_forced(&mut self, state: &mut State, condition: ExprId) {
        if matches!(state.followers.kin, Kin::Set(_))
            && !self.strategy.marks(&Stack::new(state, &self.watches))
        {
            self.split_kin(state, condition);
        }
    }

    fn split_kin(&mut self, state: &mut State, condition: ExprId) {
        if let (Kin::Set(kin), Some(seeding)) = (state.followers.kin, &mut self.seeding) {
            let kin = seeding.subset(&self.exprs, &mut self.solver, kin, condition);
            state.followers.kin = Kin::Set(kin);
        }
    }

    /// Notes the kin of a state that has departed since its last decision.
    fn depart(&mut self, state: &mut State) {
        if let (Some(seeding), Kin::Seeds) = (&self.seeding, state.followers.kin)
            && self.strategy.departed(state.note)
        {
            let seeds = state.followers.seeds;
            let returned = |&seed: &u32| seeding.seeds[seed as usize].end == SeedEnd::Returned;
            let useful = seeding.exhaustive && seeds != NONE && seeding.set(seeds).iter().all(returned);
            state.followers.kin = if useful { Kin::Set(seeds) } else { Kin::Unknown };
        }
    }

    /// Whether the paths of a state are those of its seeds and need not be explored.
    pub(crate) fn leave_alone(&mut self, state: &mut State) -> bool {
        self.depart(state);
        let Some(seeding) = &mut self.seeding else { return false };
        let Followers { seeds, kin } = state.followers;
        let same = matches!(kin, Kin::Seeds) && seeding.exhaustive && !state.indeterminate;
        if !same || seeds == NONE {
            return false;
        }
        let seeds = seeding.set(seeds).clone();
        if seeds.iter().any(|&seed| seeding.seeds[seed as usize].renumbered) {
            return false;
        }
        seeding.untouched.extend(seeds.iter());
        true
    }

    /// The seeds of a path that ended, with their values.
    pub(crate) fn takers(&self, state: &State) -> Vec<(u32, Model)> {
        let Some(seeding) = &self.seeding else { return Vec::new() };
        let fits = |seed: &&u32| !seeding.unusable.contains_key(seed);
        let seeds = seeding.set(state.followers.seeds).iter().filter(fits);
        seeds.map(|&seed| (seed, seeding.model(seed).clone())).collect()
    }

    /// Keeps a path as a seed beside the first takes it.
    pub(crate) fn also_taken(&mut self, seed: u32, path: Path) {
        if let Some(seeding) = &mut self.seeding {
            seeding.also.push((seed, path));
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
    let has_pointer = |leaf: &crate::input::Leaf| {
        matches!(exprs.kind(leaf.expr), incise_solver::ExprKind::Ite(..))
            && bits_at(&bytes, leaf.offset, leaf.bytes, false) != 0
    };
    let unclear = input.leaves.iter().any(has_pointer);
    (!unclear).then_some(bytes)
}

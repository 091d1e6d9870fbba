//! What the paths of the program that the seeds were made for rule out.
//!
//! Every input takes one path of that program, and everything that is decided on this path holds for it, be it by choice or because there was no other way. So if each of these paths decides the contrary of a condition, or
//! the contrary of a constraint of the state, no input of the state satisfies the condition. This is a matter of logic: it does not depend on what changed between the programs, only on their having decisions in common. Expressions are
//! shared, so that a decision that both have is one expression.
//!
//! What is decided is found out by executing that program with the seeds once more, which needs no solver: a side that no seed goes to is impossible. A path that read what was never initialised, and one that would need the solver otherwise,
//! is left there; what was decided until then counts. As this takes about the time of a question for each seed, it is done when the solver found as many conditions to be impossible as there are seeds.

use super::{NONE, Seeding, Seeds, SetId, Sets};
use crate::config::Config;
use crate::explore::{Hooks, Shared, run_jobs};
use crate::finish::{Detail, Sink};
use crate::machine::Machine;
use crate::state::State;
use crate::strategy::{End, Note, Stack, Strategy, Visit, Watches};
use incise_solver::{ExprId, Exprs};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is known of the paths of the other program, each told by its seed.
#[derive(Default)]
pub(super) struct RuledOut {
    /// How many conditions turned out to be impossible, by the solver or by what it told before.
    asked: usize,
    /// `None` until it is known.
    learned: Option<Learned>,
    /// For a set of paths and a condition, those that do not decide the contrary of the condition.
    left: FxHashMap<(SetId, ExprId), SetId>,
}

struct Learned {
    decided: FxHashMap<ExprId, Vec<SetId>>,
    sets: Sets,
    /// For a condition that was looked for, the paths on which it is decided.
    paths: FxHashMap<ExprId, Rc<[bool]>>,
    count: usize,
}

impl Learned {
    /// The paths on which a condition is decided.
    fn paths_with(&mut self, condition: ExprId) -> Option<Rc<[bool]>> {
        let sets = self.decided.get(&condition)?;
        let paths = self.paths.entry(condition).or_insert_with(|| {
            let mut paths = vec![false; self.count];
            for set in sets {
                self.sets.get(*set).iter().for_each(|&seed| paths[seed as usize] = true);
            }
            paths.into()
        });
        Some(paths.clone())
    }
}

/// What is found out while the other program is executed: for each condition, the seeds of states that decided it.
#[derive(Default)]
pub(super) struct Learning {
    decided: FxHashMap<ExprId, Vec<SetId>>,
}

impl Seeding<'_> {
    /// The paths of a set that do not decide the contrary of a condition.
    fn left(&mut self, set: SetId, contrary: ExprId) -> SetId {
        if let Some(&known) = self.ruled_out.left.get(&(set, contrary)) {
            return known;
        }
        let Some(learned) = &mut self.ruled_out.learned else { return set };
        let left = match learned.paths_with(contrary) {
            None => set,
            Some(paths) => {
                let left = self.set(set).iter().copied().filter(|&seed| !paths[seed as usize]);
                self.sets.number(&left.collect::<Vec<u32>>(), set)
            }
        };
        self.ruled_out.left.insert((set, contrary), left);
        left
    }
}

impl<'a> Machine<'a> {
    /// Whether no input of a state satisfies a condition, because of what the paths of the other program decide.
    pub(super) fn is_ruled_out(&mut self, state: &mut State, condition: ExprId) -> bool {
        self.learn_in_time();
        let Some(seeding) = &mut self.seeding else { return false };
        if seeding.ruled_out.learned.is_none() {
            return false;
        }
        let (mut left, seen) = state.followers.left;
        let count = state.path.len() as u32;
        let mut latest: Vec<ExprId> =
            state.path.iter_newest_first().take((count - seen) as usize).map(|each| each.condition).collect();
        latest.reverse();
        for constraint in latest {
            let contrary = self.exprs.not(constraint);
            left = seeding.left(left, contrary);
        }
        state.followers.left = (left, count);
        let contrary = self.exprs.not(condition);
        left == NONE || seeding.left(left, contrary) == NONE
    }

    /// The solver found a condition to be impossible, now or before for the same reasons.
    pub(super) fn found_impossible(&mut self) {
        if let Some(seeding) = &mut self.seeding {
            seeding.ruled_out.asked += 1;
        }
    }

    /// Finds out what the other program decides, if that is worthwhile by now.
    fn learn_in_time(&mut self) {
        if let Some(seeding) = &self.seeding
            && seeding.ruled_out.learned.is_none()
            && seeding.learning.is_none()
            && seeding.ruled_out.asked >= seeding.given.len()
        {
            let learned = self.learn();
            if let Some(seeding) = &mut self.seeding {
                seeding.ruled_out.learned = Some(learned);
            }
        }
    }

    /// Executes the program of the seeds with the seeds.
    fn learn(&mut self) -> Learned {
        let nothing = Learned {
            decided: FxHashMap::default(),
            sets: Sets::default(),
            paths: FxHashMap::default(),
            count: 0,
        };
        let Some(seeding) = &self.seeding else { return nothing };
        let seeds = Seeds { all: seeding.given, paths_of: seeding.paths_of, judge: None };
        let Some(program) = seeds.paths_of else { return nothing };
        let Some(entry) = self.entry_of(program) else { return nothing };
        let exprs = std::mem::replace(&mut self.exprs, Exprs::new());
        let fresh = crate::machine::solver(self.config, &self.stop.interrupt);
        let solver = std::mem::replace(&mut self.solver, fresh);
        let config = Config { workers: 1, ..self.config.clone() };
        let hooks = Hooks {
            interrupt: Arc::clone(&self.stop.interrupt),
            progress: None,
            memory_used: None,
            detail: Detail::First(0),
        };
        let mut strategy = Retrace;
        let (stop, sink) = (self.stop.clone(), Sink::new(hooks.detail));
        let mut machine = Machine::with(program, &config, &mut strategy, stop, sink, (exprs, solver));
        let mut seeding = Seeding::new(&seeds);
        seeding.learning = Some(Learning::default());
        machine.seeding = Some(Box::new(seeding));
        // That it was cut does no harm, and nothing else can go wrong that did not when the seeds were made.
        let _ = run_jobs(&mut machine, entry, &Shared::new(&config), &hooks, true);
        let Machine { exprs, solver, seeding, .. } = machine;
        (self.exprs, self.solver) = (exprs, solver);
        let Some(seeding) = seeding else { return nothing };
        let Seeding { learning, sets, .. } = *seeding;
        Learned {
            decided: learning.unwrap_or_default().decided,
            sets,
            paths: FxHashMap::default(),
            count: seeds.all.len(),
        }
    }

    /// Whether the program of the seeds is executed, to see what it decides.
    pub(crate) fn is_learning(&self) -> bool {
        self.seeding.as_ref().is_some_and(|seeding| seeding.learning.is_some())
    }

    /// A condition was decided on the path of a state, by choice or because there was no other way.
    pub(crate) fn learn_condition(&mut self, state: &State, condition: ExprId) {
        if let Some(seeding) = &mut self.seeding
            && let Some(learning) = &mut seeding.learning
        {
            let sets = learning.decided.entry(condition).or_default();
            if sets.last() != Some(&state.followers.seeds) {
                sets.push(state.followers.seeds);
            }
        }
    }

    /// Of several alternatives one was decided for, so that the others do not hold.
    pub(crate) fn learn_alternative(&mut self, state: &State, conditions: &[ExprId], taken: usize) {
        if !self.is_learning() {
            return;
        }
        for (index, &condition) in conditions.iter().enumerate() {
            let holds = if index == taken { condition } else { self.exprs.not(condition) };
            self.learn_condition(state, holds);
        }
    }
}

/// Goes down the tree of paths and reports nothing.
struct Retrace;

impl Strategy for Retrace {
    fn watches(&self) -> Watches {
        Watches::new()
    }

    fn reached(&mut self, _note: &mut Note, _point: u32, _stack: &Stack<'_>) -> Visit {
        Visit::Continue
    }

    fn departed(&self, _note: Note) -> bool {
        false
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        false
    }
}

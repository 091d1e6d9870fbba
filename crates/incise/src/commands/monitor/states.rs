//! Which states nodes can come to in each version: thresholds against the values that their variables can have.
//!
//! Each version is taken in a form that tells the states of nodes at its end (`classified.rs` in
//! `incise-frontend`). First inputs are drawn: that shows most states. For those that are left each version is
//! explored, where there are too many paths with its branches joined. What is reached is reachable; what is not is
//! unreachable only if nothing was cut.

use super::names::{Lies, Observable};
use crate::inputs;
use crate::session::Session;
use anyhow::Result;
use incise_exec::{Config, Detail, Externals, Work};
use incise_frontend::{CLASS_PREFIX, CLASS_VARIABLE, Class, ClassifiedNumber, find_function};
use incise_incremental::{Arrived, CountedVariable, drawn_numbers, explore_arriving};
use incise_ir::{DebugType, Encoding, Program, join_branches};
use incise_monitor::{Step, Thresholds};
use incise_reading::InputReading;
use incise_report::monitor::NodeStates;
use std::collections::BTreeSet;

/// So much work the paths of a program as it is are worth before its branches are joined.
const FIRST: Work = Work::about_milliseconds(300);
/// The states of all nodes in one version are worth so much work, and so much more for each of them.
const EXPLORING: Work = Work::about_milliseconds(1_000);
const MORE_FOR_EACH: u64 = 100;
/// No more nodes than this make it worth more.
const MOST_NODES: u64 = 40;

/// A program, and the LLVM IR of its modules.
type SourcedVersion<'v> = (&'v Program, &'v [(String, String)]);

/// Both versions, and how they are explored.
pub(super) struct Versions<'v> {
    pub(super) old: SourcedVersion<'v>,
    pub(super) new: SourcedVersion<'v>,
    pub(super) entry: &'v str,
    pub(super) config: &'v Config,
    pub(super) reading: &'v InputReading,
    pub(super) session: &'v Session,
}

/// A node whose states are asked for.
pub(super) struct Asked<'a> {
    pub(super) observable: &'a Observable,
    /// Where it lies in OLD and in NEW.
    pub(super) lies: Option<(&'a Lies, &'a Lies)>,
    pub(super) thresholds: &'a Thresholds,
}

impl Asked<'_> {
    /// The number that it is in a version; the words say why there is none.
    fn number(&self, program: &Program, old: bool) -> Result<ClassifiedNumber, &'static str> {
        let symbol = self.observable.symbol().ok_or("it is behind a pointer")?;
        let whole = match self.observable {
            Observable::Global { path, .. } => !path.contains(['.', '[']),
            Observable::Inside(_) | Observable::Memory { .. } => true,
        };
        let lies = self.lies.map(|(before, after)| if old { before } else { after });
        let (part, signed) = match whole {
            true => (None, is_signed(program, &symbol)),
            false => {
                let known = lies.and_then(|lies| lies.bytes.zip(lies.number.clone()));
                let ((start, _), (ty, signed)) = known.ok_or("it is no number of whole bytes")?;
                (Some((start, ty)), signed)
            }
        };
        let class = |(step, _): &(Step, String)| match *step {
            Step::Below(limit) => Class::Below(limit),
            Step::AtMost(limit) => Class::AtMost(limit),
            Step::Equals(number) => Class::Equals(number),
            Step::Otherwise => Class::Otherwise,
        };
        let classes = self.thresholds.iter().map(class).collect();
        Ok(ClassifiedNumber { symbol, part, signed, classes })
    }

    /// What became of the states.
    fn compared(&self, old: &Reached, new: &Reached) -> NodeStates {
        let thresholds = self.thresholds;
        let names = |of: &dyn Fn(usize) -> bool| -> Vec<String> {
            let numbers = (0..thresholds.len()).filter(|&number| of(number));
            let mut names: Vec<String> = numbers.map(|number| thresholds[number].1.clone()).collect();
            names.dedup();
            names
        };
        // Two steps may lead to one state.
        let holds = |reached: &Reached, number: usize| {
            let state = &thresholds[number].1;
            (0..thresholds.len())
                .any(|other| thresholds[other].1 == *state && reached.states.contains(&other))
        };
        let only = |one: &Reached, other: &Reached, number: usize| {
            one.states.contains(&number) && !holds(other, number)
        };
        NodeStates {
            gained: names(&|number| !old.open && only(new, old, number)),
            lost: names(&|number| !new.open && only(old, new, number)),
            open: names(&|number| old.open && only(new, old, number) || new.open && only(old, new, number)),
            reason: (old.open || new.open).then(|| CUT.to_owned()),
        }
    }
}

/// Why states are open.
const CUT: &str = "not all paths of a version could be explored to their ends";

/// The states that a version can come to.
#[derive(Default)]
struct Reached {
    states: BTreeSet<usize>,
    /// Whether others may be reachable, too.
    open: bool,
}

impl Versions<'_> {
    /// What became of the states of nodes, each version explored once for all of them.
    pub(super) fn compare(&self, asked: &[Asked<'_>]) -> Result<Vec<NodeStates>> {
        let mut found: Vec<Option<NodeStates>> = Vec::new();
        let (mut old_numbers, mut new_numbers, mut numbered) = (Vec::new(), Vec::new(), Vec::new());
        for (at, each) in asked.iter().enumerate() {
            match (each.number(self.old.0, true), each.number(self.new.0, false)) {
                (Ok(old), Ok(new)) => {
                    old_numbers.push(old);
                    new_numbers.push(new);
                    numbered.push(at);
                    found.push(None);
                }
                (Err(why), _) | (_, Err(why)) => found.push(Some(unknown(each.thresholds, why))),
            }
        }
        let old = self.reached(self.old, &old_numbers)?;
        let new = self.reached(self.new, &new_numbers)?;
        for (at, (old, new)) in numbered.into_iter().zip(old.into_iter().zip(new)) {
            found[at] = Some(match (old, new) {
                (Some(old), Some(new)) => asked[at].compared(&old, &new),
                _ => unknown(asked[at].thresholds, "it is no number"),
            });
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The states that each number comes to in a version; `None` for what is no number.
    fn reached(
        &self,
        (_, texts): SourcedVersion<'_>,
        numbers: &[ClassifiedNumber],
    ) -> Result<Vec<Option<Reached>>> {
        let nothing = || numbers.iter().map(|_| None).collect();
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let Some(classified) = self.session.classify(texts, self.entry, numbers)? else {
            return Ok(nothing());
        };
        let mut config = self.config.clone();
        self.entry.clone_into(&mut config.entry);
        config.externals = Externals::Error;
        let entry = find_function(&classified.program, self.entry)?;
        inputs::apply(self.reading, &mut config, &classified.program, entry);
        // Where overflow is an error, what is done in vain on one side of a branch might be one.
        let joined = (!config.checks.overflow).then(|| join_branches(&classified.program));
        let mut states = self.drawn(joined.as_ref().unwrap_or(&classified.program), &config, numbers)?;
        let wanted: BTreeSet<usize> = (0..numbers.len())
            .filter(|&at| classified.told[at] && states[at].len() < numbers[at].classes.len())
            .collect();
        tracing::debug!(numbers = numbers.len(), left = wanted.len(), "drew inputs for states");
        let mut open = !wanted.is_empty();
        let each = u64::try_from(wanted.len()).unwrap_or(MOST_NODES).min(MOST_NODES);
        let most = EXPLORING.plus(Work::about_milliseconds(MORE_FOR_EACH * each));
        let ways = [
            (Some(&classified.program), if joined.is_some() { FIRST } else { most }),
            (joined.as_ref(), most),
        ];
        for (program, worth) in ways.into_iter().filter_map(|(program, worth)| Some((program?, worth))) {
            if open && !self.session.is_interrupted() {
                open = self.explored(program, (&config, worth), &wanted, &mut states)?;
            }
        }
        let reached = |(at, states)| Reached { states, open: open && wanted.contains(&at) };
        let reached = states.into_iter().enumerate().map(reached);
        Ok(reached.zip(classified.told).map(|(each, told)| told.then_some(each)).collect())
    }

    /// The classes of each number that inputs show which are drawn.
    fn drawn(
        &self,
        program: &Program,
        config: &Config,
        numbers: &[ClassifiedNumber],
    ) -> Result<Vec<BTreeSet<usize>>> {
        let mut config = config.clone();
        config.limits.give_up_after(EXPLORING);
        let variable = |(at, number): (usize, &ClassifiedNumber)| CountedVariable {
            name: format!("{CLASS_VARIABLE}{at}"),
            count: number.classes.len() as u32,
        };
        let variables: Vec<CountedVariable> = numbers.iter().enumerate().map(variable).collect();
        let seen = drawn_numbers(program, &config, &self.session.hooks(Detail::First(0)), &variables)?;
        let usual = |seen: BTreeSet<u32>| seen.into_iter().map(|class| class as usize).collect();
        Ok(seen.into_iter().map(usual).collect())
    }

    /// Adds the classes of the wanted numbers that an exploration comes to. Whether others may be reachable, too.
    fn explored(
        &self,
        program: &Program,
        (config, worth): (&Config, Work),
        wanted: &BTreeSet<usize>,
        states: &mut [BTreeSet<usize>],
    ) -> Result<bool> {
        let entry = find_function(program, self.entry)?;
        let mut config = config.clone();
        config.limits.give_up_after(worth);
        let hooks = self.session.hooks(Detail::First(0));
        let is_wanted = |name: &str| class_of(name).is_some_and(|(number, _)| wanted.contains(&number));
        let Arrived { called, cut, exploration } =
            explore_arriving(program, entry, &config, &hooks, is_wanted)?;
        let mut cut = cut
            || !exploration.limits.is_empty()
            || !exploration.concretised.is_empty()
            || exploration.abandoned_states > 0
            || exploration.diverged > 0
            || !exploration.needs.is_empty();
        for function in &called {
            match class_of(function) {
                Some((number, class)) if number < states.len() => {
                    states[number].insert(class);
                }
                _ => cut = true,
            }
        }
        Ok(cut)
    }
}

/// The number and the class that the name of a function tells.
fn class_of(function: &str) -> Option<(usize, usize)> {
    let (number, class) = function.strip_prefix(CLASS_PREFIX)?.split_once('_')?;
    Some((number.parse().ok()?, class.parse().ok()?))
}

fn unknown(thresholds: &Thresholds, why: &str) -> NodeStates {
    let open = thresholds.iter().map(|(_, state)| state.clone()).collect();
    NodeStates { open, reason: Some(why.to_owned()), ..NodeStates::default() }
}

/// Whether a variable is a signed number.
fn is_signed(program: &Program, symbol: &str) -> bool {
    let global = program.global_named(symbol).map(|id| &program.globals[id]);
    let resolved = global.and_then(|global| program.resolve_debug_type(global.debug_type?));
    match resolved.map(|ty| &program.debug_types[ty]) {
        Some(DebugType::Basic { encoding, .. }) => {
            !matches!(encoding, Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean)
        }
        Some(DebugType::Enumeration { signed, .. }) => *signed,
        _ => true,
    }
}

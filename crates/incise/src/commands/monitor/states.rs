//! Which states nodes can come to in each version: thresholds against the values that their variables can have.
//!
//! Each version is explored once, in a form that ends with the state of one of the nodes (`classified.rs` in
//! `incise-frontend`). What is reached is reachable; what is not is unreachable only if nothing was cut.

use super::names::{Lies, Observable};
use crate::inputs;
use crate::session::Session;
use anyhow::Result;
use incise_exec::{Config, Detail, Externals, Work};
use incise_frontend::{CLASS_PREFIX, Class, ClassifiedNumber, find_function};
use incise_incremental::{Arrived, explore_arriving};
use incise_ir::{DebugType, Encoding, Program};
use incise_monitor::{Step, Thresholds};
use incise_reading::InputReading;
use incise_report::monitor::NodeStates;
use std::collections::BTreeSet;

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
        let program = &classified.program;
        let mut config = self.config.clone();
        self.entry.clone_into(&mut config.entry);
        config.externals = Externals::Error;
        let count = u64::try_from(numbers.len()).unwrap_or(MOST_NODES).min(MOST_NODES);
        config.limits.give_up_after(EXPLORING.plus(Work::about_milliseconds(MORE_FOR_EACH * count)));
        let entry = find_function(program, self.entry)?;
        inputs::apply(self.reading, &mut config, program, entry);
        let hooks = self.session.hooks(Detail::First(0));
        let is_class = |name: &str| name.starts_with(CLASS_PREFIX);
        let Arrived { called, cut, exploration } =
            explore_arriving(program, entry, &config, &hooks, is_class)?;
        let mut reached: Vec<Reached> = numbers.iter().map(|_| Reached::default()).collect();
        let mut cut = cut
            || !exploration.limits.is_empty()
            || !exploration.concretised.is_empty()
            || exploration.abandoned_states > 0
            || exploration.diverged > 0
            || !exploration.needs.is_empty();
        for function in &called {
            match class_of(function) {
                Some((number, class)) if number < reached.len() => {
                    reached[number].states.insert(class);
                }
                _ => cut = true,
            }
        }
        reached.iter_mut().for_each(|each| each.open = cut);
        Ok(reached.into_iter().zip(classified.told).map(|(each, told)| told.then_some(each)).collect())
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

//! Which states a node can come to in each version: thresholds against the values that its variable can have.
//!
//! Each version is explored by itself, in a form that ends with the state (`classified.rs` in `incise-frontend`). What
//! is reached is reachable; what is not is unreachable only if nothing was cut.

use super::names::Observable;
use crate::inputs;
use crate::session::Session;
use anyhow::Result;
use incise_exec::{Config, Detail, Externals, Outcome, Work, explore};
use incise_frontend::{CLASS_PREFIX, Class, Classified, find_function};
use incise_ir::{DebugType, Encoding, Program};
use incise_monitor::{Step, Thresholds};
use incise_reading::InputReading;
use incise_report::monitor::NodeStates;
use std::collections::BTreeSet;

/// The states of one node in one version are worth so much work.
const EXPLORING: Work = Work::about_milliseconds(4_000);

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

/// The states that a version can come to.
struct Reached {
    states: BTreeSet<usize>,
    /// Why others may be reachable, too.
    open: Option<String>,
}

impl Versions<'_> {
    /// What became of the states of a node.
    pub(super) fn compare(&self, observable: &Observable, thresholds: &Thresholds) -> Result<NodeStates> {
        let whole = match observable {
            Observable::Global { path, .. } => !path.contains(['.', '[']),
            Observable::Inside(_) => true,
            Observable::Memory { .. } => false,
        };
        let Some(symbol) = observable.symbol().filter(|_| whole) else {
            return Ok(unknown(thresholds, "it is a part of something larger"));
        };
        let (old, new) =
            (self.reached(self.old, &symbol, thresholds)?, self.reached(self.new, &symbol, thresholds)?);
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(unknown(thresholds, "it is no number"));
        };
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
        Ok(NodeStates {
            gained: names(&|number| old.open.is_none() && only(&new, &old, number)),
            lost: names(&|number| new.open.is_none() && only(&old, &new, number)),
            open: names(&|number| {
                old.open.is_some() && only(&new, &old, number)
                    || new.open.is_some() && only(&old, &new, number)
            }),
            reason: old.open.or(new.open),
        })
    }

    /// The states that a version comes to; `None` if the variable is no number.
    fn reached(
        &self,
        (program, texts): SourcedVersion<'_>,
        symbol: &str,
        thresholds: &Thresholds,
    ) -> Result<Option<Reached>> {
        let classes: Vec<Class> = thresholds
            .iter()
            .map(|(step, _)| match *step {
                Step::Below(limit) => Class::Below(limit),
                Step::AtMost(limit) => Class::AtMost(limit),
                Step::Equals(number) => Class::Equals(number),
                Step::Otherwise => Class::Otherwise,
            })
            .collect();
        let signed = is_signed(program, symbol);
        let what = Classified { function: self.entry, symbol, signed, classes: &classes };
        let Some(program) = self.session.classify(texts, &what)? else { return Ok(None) };
        let mut config = self.config.clone();
        self.entry.clone_into(&mut config.entry);
        config.externals = Externals::Error;
        config.limits.give_up_after(EXPLORING);
        let entry = find_function(&program, self.entry)?;
        inputs::apply(self.reading, &mut config, &program, entry);
        let found = explore(&program, &config, &self.session.hooks(Detail::First(0)))?;
        let mut states = BTreeSet::new();
        let mut strangers = false;
        for path in &found.paths {
            match &path.outcome {
                Outcome::External { function } => match function.strip_prefix(CLASS_PREFIX) {
                    Some(number) => states.extend(number.parse::<usize>()),
                    None => strangers = true,
                },
                Outcome::Exited { .. } | Outcome::Error(_) | Outcome::Discarded => {}
                _ => strangers = true,
            }
        }
        let cut = strangers
            || !found.limits.is_empty()
            || !found.concretised.is_empty()
            || found.abandoned_states > 0
            || found.diverged > 0
            || !found.needs.is_empty();
        let open = cut.then(|| "not all paths of a version could be explored to their ends".to_owned());
        Ok(Some(Reached { states, open }))
    }
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

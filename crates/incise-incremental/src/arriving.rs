//! Which of some functions a program comes to call: branches that have no say in that are not explored. And which
//! numbers some of its variables come to hold, as far as inputs that are drawn show that.

use crate::slice::Slice;
use crate::subject::Subject;
use incise_change::{Effects, FunctionImpact, Rules};
use incise_exec::{
    Config, End, Exploration, ExploreError, Hooks, Note, Outcome, Stack, Strategy, Visit, Watches,
    explore_with,
};
use incise_ir::{FunctionId, Program};
use std::collections::BTreeSet;

/// Which functions without a body were called.
pub struct Arrived {
    /// Their names.
    pub called: BTreeSet<String>,
    /// Whether a path ended otherwise than by such a call, an error of the program, its return, or its exit.
    pub cut: bool,
    /// Effort and limits; no paths.
    pub exploration: Exploration,
}

/// Explores one version from its entry, where a call of a function without a body ends a path: if nothing was cut,
/// what is not called is called by no path. Those that differ only in what has no influence on which functions of a
/// wanted name are called are one.
pub fn explore_arriving(
    program: &Program,
    entry: FunctionId,
    config: &Config,
    hooks: &Hooks<'_>,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Arrived, ExploreError> {
    let effects = Effects::with_overflow_checks(program, config.checks.overflow);
    let mut scope = FunctionImpact::below(&[], program, &[entry], &effects, Rules::default());
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    let mut calls = Vec::new();
    for (&function, facts) in &scope.functions {
        calls.extend(facts.graph.ids().map(|node| (function, node)).filter(|&(function, node)| {
            let callees = &subject.facts(function).dependence.footprint(node).calls;
            callees.iter().any(|&callee| is_wanted(&program.functions[callee].name))
        }));
    }
    let slice = Slice::towards(&subject, calls, true);
    tracing::debug!(slice = ?slice.size(), "what has a say in what is called");
    let mut arriving = Arriving { slice: Some((&subject, slice)), called: BTreeSet::new(), cut: false };
    let mut exploration = explore_with(program, config, hooks, &mut arriving)?;
    if exploration.diverged > 0 {
        // A branch that was left out had an influence after all: nothing is left out then.
        arriving.slice = None;
        exploration = explore_with(program, config, hooks, &mut arriving)?;
    }
    Ok(Arrived { called: arriving.called, cut: arriving.cut, exploration })
}

struct Arriving<'a> {
    /// What has a say; everything without it.
    slice: Option<(&'a Subject<'a>, Slice)>,
    called: BTreeSet<String>,
    cut: bool,
}

impl Strategy for Arriving<'_> {
    fn watches(&self) -> Watches {
        let mut watches = Watches::new();
        if let Some((subject, slice)) = &self.slice {
            slice.follow(&mut watches, subject);
        }
        watches
    }

    fn reached(&mut self, _note: &mut Note, _point: u32, _stack: &Stack<'_>) -> Visit {
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, end: &End<'_>) -> bool {
        match end.outcome {
            Outcome::External { function } => {
                self.called.insert(function.clone());
            }
            Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_) | Outcome::Discarded => {}
            _ => self.cut = true,
        }
        false
    }
}

//! Larger inputs for what smaller ones do not cover, and other inputs for what those that were taken do not cover.
//!
//! A search begins with small objects behind pointers. What is not reached only because an input was too small is
//! looked for again with more of that input, and of no other. What was covered stays covered. If inputs are left out
//! because of what they are taken to be, it is not said of anything that no input covers it before the others were
//! looked at, too.

use super::{Covered, Criterion, ObligationStatus, Plan, explore_cover};
use incise_exec::{Config, Exploration, ExploreError, Hooks};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// No more elements than this.
const MOST_ELEMENTS: u64 = 16;
/// After a search with more states than this there is no point in larger inputs. So much is the same on every machine.
const MOST_STATES: u64 = 2000;

/// As [`explore_cover`], on inputs that grow where they were too small.
pub fn explore_cover_grown(
    config: &Config,
    hooks: &Hooks<'_>,
    plan: &Plan<'_>,
    known: &BTreeSet<usize>,
) -> Result<Covered, ExploreError> {
    let start = Instant::now();
    let mut config = config.clone();
    let time = config.limits.time;
    let mut found = explore_cover(&config, hooks, plan, known)?;
    loop {
        let Exploration { needs, counters, abandoned_states, .. } = &found.directed.exploration;
        let stopped = hooks.interrupt.load(Ordering::Relaxed);
        let many = counters.states > MOST_STATES || *abandoned_states > 0;
        if found.is_settled() || needs.is_empty() || stopped || many {
            return Ok(found);
        }
        if !config.inputs.sizes.grow(needs, MOST_ELEMENTS) {
            return Ok(found);
        }
        config.limits.time = time.saturating_sub(start.elapsed());
        let mut known = known.clone();
        known.extend(found.indices(|status| matches!(status, ObligationStatus::Covered(_))));
        let larger = explore_cover(&config, hooks, plan, &known)?;
        found = found.with(larger);
    }
}

/// Looks for other inputs that cover what those as taken do not. `all` tells whether the configuration leaves no input
/// out at all.
pub fn explore_other_inputs(
    mut covered: Covered,
    config: &Config,
    all: bool,
    hooks: &Hooks<'_>,
    plan: &Plan<'_>,
) -> Result<Covered, ExploreError> {
    let open: BTreeSet<usize> = covered.indices(|status| *status == ObligationStatus::Infeasible).collect();
    if open.is_empty() {
        return Ok(covered);
    }
    let known = (0..covered.obligations.len()).filter(|index| !open.contains(index)).collect();
    let mut found = explore_cover_grown(config, hooks, plan, &known)?;
    for index in open {
        let status = &mut covered.obligations[index].1;
        *status = match found.obligations[index].1 {
            ObligationStatus::Covered(path) => ObligationStatus::NotAsTaken(path),
            ObligationStatus::Infeasible if all => ObligationStatus::Infeasible,
            _ => ObligationStatus::NotAsTaken(None),
        };
    }
    covered.others = std::mem::take(&mut found.directed.paths);
    Ok(covered)
}

impl Covered {
    /// Whether it is known of everything whether it can be covered.
    fn is_settled(&self) -> bool {
        self.open.is_empty()
            && self.indices(|status| matches!(status, ObligationStatus::NotReached(_))).next().is_none()
    }

    /// The numbers of the obligations of which something became.
    fn indices(&self, became: impl Fn(&ObligationStatus) -> bool) -> impl Iterator<Item = usize> {
        let each = self.obligations.iter().enumerate();
        each.filter(move |(_, (_, status))| became(status)).map(|(index, _)| index)
    }

    /// With what a search on larger inputs found beside it.
    fn with(mut self, mut larger: Self) -> Self {
        let (before, after) =
            (&self.directed.exploration.counters, &mut larger.directed.exploration.counters);
        after.states += before.states;
        after.queries += before.queries;
        after.instructions += before.instructions;
        after.time += before.time;
        let mut paths = std::mem::take(&mut larger.directed.paths).into_iter().map(Some).collect::<Vec<_>>();
        let mut moved = vec![None; paths.len()];
        // What was known before keeps its path; a path that is needed comes behind those.
        let mut kept = std::mem::take(&mut self.directed.paths);
        let mut needed = |path: Option<usize>| {
            let path = path?;
            if moved[path].is_none() {
                kept.push(paths[path].take()?);
                moved[path] = Some(kept.len() - 1);
            }
            moved[path]
        };
        let fragments = self.criterion == Criterion::PathFragment;
        for (index, (obligation, status)) in larger.obligations.into_iter().enumerate() {
            let known = match fragments {
                true => self.obligations.iter().position(|(known, _)| *known == obligation),
                false => Some(index),
            };
            if known.is_some_and(|at| matches!(self.obligations[at].1, ObligationStatus::Covered(_))) {
                continue;
            }
            let status = match status {
                ObligationStatus::Covered(path) => ObligationStatus::Covered(needed(path)),
                other => other,
            };
            match known {
                Some(at) => self.obligations[at].1 = status,
                None => self.obligations.push((obligation, status)),
            }
        }
        self.directed.paths = kept;
        self.open = larger.open;
        self.directed.complete = larger.directed.complete;
        self.directed.exploration = larger.directed.exploration;
        self
    }
}

//! The tree of paths of a program as far as it is known by its decisions.
//!
//! A node stands for the seeds of a state, and holds what the program decided from where these were the state's seeds
//! until they parted. So every decision is kept once, however many paths have it in common, and a node that is at odds
//! with the constraints of a state rules out everything below.

use super::{NONE, SetId, Sets};
use incise_solver::ExprId;
use rustc_hash::FxHashSet;

/// So many conditions are looked up for one answer at most; the solver is not slower then.
const EFFORT: usize = 1 << 14;

/// What is found out while a program is executed.
#[derive(Default)]
pub(super) struct Deciding {
    decided: Vec<(SetId, ExprId)>,
    parts: Vec<(SetId, SetId)>,
}

impl Deciding {
    /// A state with these seeds decided that a condition holds.
    pub(super) fn condition(&mut self, seeds: SetId, condition: ExprId) {
        if seeds != NONE && self.decided.last() != Some(&(seeds, condition)) {
            self.decided.push((seeds, condition));
        }
    }

    /// A state with some of the seeds of another goes on from there.
    pub(super) fn part(&mut self, of: SetId, seeds: SetId) {
        if seeds != NONE && seeds != of {
            self.parts.push((of, seeds));
        }
    }

    /// All that was found out.
    pub(super) fn finish(self, sets: &Sets) -> Decided {
        let parts = Grouped::new(sets.count(), &self.parts);
        let ends = (0..sets.count()).map(|index| {
            let set = SetId::new(index);
            let going_on: usize = parts.get(set).iter().map(|&part| sets.get(part).len()).sum();
            going_on < sets.get(set).len()
        });
        let mut parents = vec![NONE; sets.count()];
        for (parent, part) in &self.parts {
            parents[part.index()] = *parent;
        }
        Decided { ends: ends.collect(), decided: Grouped::new(sets.count(), &self.decided), parts, parents }
    }
}

/// What the paths of a program decide.
pub(super) struct Decided {
    decided: Grouped<ExprId>,
    parts: Grouped<SetId>,
    /// For each node the one above it, which the first does not have.
    parents: Vec<SetId>,
    /// For each node, whether paths end there, or are not known any further.
    ends: Vec<bool>,
}

impl Decided {
    /// A program of which nothing is known.
    pub(super) fn nothing() -> Self {
        Deciding::default().finish(&Sets::new(1))
    }

    /// Given that the paths outside of a node are ruled out: a node below it that is the only one left, as far as that
    /// is seen at once. `NONE` if all paths are ruled out.
    pub(super) fn narrow(&self, node: SetId, contraries: &FxHashSet<ExprId>) -> SetId {
        let mut node = node;
        while node != NONE && !self.ends[node.index()] {
            let mut left = self.parts.get(node).iter().filter(|&&part| !self.is_at_odds(part, contraries));
            node = match (left.next(), left.next()) {
                (None, _) => NONE,
                (Some(&only), None) => only,
                _ => break,
            };
        }
        node
    }

    /// Whether every path below a node decides something of which the contrary is wanted. No if that cannot be seen in
    /// time.
    pub(super) fn rules_out(&self, node: SetId, contraries: &FxHashSet<ExprId>) -> bool {
        // What was decided above may be at odds with what was added since the node was the only one left.
        let mut above = std::iter::successors(Some(node), |node| Some(self.parents[node.index()]));
        if above.by_ref().take_while(|node| *node != NONE).any(|node| self.is_at_odds(node, contraries)) {
            return true;
        }
        let mut open = vec![node];
        let mut effort = 0;
        while let Some(node) = open.pop() {
            effort += 1 + self.decided.get(node).len();
            if effort > EFFORT {
                return false;
            }
            if node == NONE || self.is_at_odds(node, contraries) {
                continue;
            }
            if self.ends[node.index()] {
                return false;
            }
            open.extend(self.parts.get(node));
        }
        true
    }

    fn is_at_odds(&self, node: SetId, contraries: &FxHashSet<ExprId>) -> bool {
        self.decided.get(node).iter().any(|decided| contraries.contains(decided))
    }
}

/// Lists of small things for sets of seeds, one list after the other.
struct Grouped<T> {
    all: Vec<T>,
    /// Where the list of each set ends.
    ends: Vec<usize>,
}

impl<T: Copy> Grouped<T> {
    /// The order within each list is kept.
    fn new(sets: usize, given: &[(SetId, T)]) -> Self {
        let mut order: Vec<&(SetId, T)> = given.iter().collect();
        order.sort_by_key(|(set, _)| set.index());
        let mut ends = vec![0; sets];
        for (set, _) in given {
            ends[set.index()] += 1;
        }
        let mut end = 0;
        for each in &mut ends {
            end += *each;
            *each = end;
        }
        Self { all: order.into_iter().map(|&(_, content)| content).collect(), ends }
    }

    fn get(&self, set: SetId) -> &[T] {
        let index = set.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.all[start..self.ends[index]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;
    use incise_exec::inside::Random;
    use incise_solver::{Exprs, SymbolKind};

    fn some(random: &mut Random, of: &[ExprId], count: usize) -> Vec<ExprId> {
        (0..count).map(|_| of[random.below(of.len())]).collect()
    }

    /// A tree at random: what each path decides.
    fn grow(random: &mut Random, conditions: &[ExprId], paths: u32) -> (Decided, Vec<Vec<ExprId>>) {
        let mut sets = Sets::new(paths);
        let mut deciding = Deciding::default();
        let mut known = vec![Vec::new(); paths as usize];
        let mut open = vec![ALL];
        while let Some(node) = open.pop() {
            let count = random.below(3);
            for condition in some(random, conditions, count) {
                deciding.condition(node, condition);
                sets.get(node).iter().for_each(|&seed| known[seed as usize].push(condition));
            }
            let seeds = sets.get(node).to_vec();
            // Some paths end where others go on.
            let going_on = if random.below(8) == 0 { &seeds[1..] } else { &seeds[..] };
            if going_on.len() < 2 {
                continue;
            }
            let (first, second) = going_on.split_at(1 + random.below(going_on.len() - 1));
            for part in [first, second] {
                let part = sets.number(part, node);
                deciding.part(node, part);
                open.push(part);
            }
        }
        (deciding.finish(&sets), known)
    }

    #[test]
    fn what_all_paths_are_at_odds_with_is_ruled_out() {
        let mut exprs = Exprs::new();
        let name = |number: usize| format!("c{number}");
        let conditions: Vec<ExprId> =
            (0..6).map(|number| exprs.symbol(&name(number), 1, SymbolKind::Bool)).collect();
        let mut random = Random(1);
        let mut ruled_out = 0;
        for _ in 0..4000 {
            let paths = 1 + random.below(12) as u32;
            let (decided, known) = grow(&mut random, &conditions, paths);
            let (first, later) = (random.below(3), random.below(3));
            let mut contraries: FxHashSet<ExprId> =
                some(&mut random, &conditions, first).into_iter().collect();
            let narrowed = decided.narrow(ALL, &contraries);
            contraries.extend(some(&mut random, &conditions, later));
            let expected = known.iter().all(|path| path.iter().any(|each| contraries.contains(each)));
            assert_eq!(decided.rules_out(ALL, &contraries), expected);
            // What was found with some of the constraints holds with more of them.
            assert_eq!(narrowed == NONE || decided.rules_out(narrowed, &contraries), expected);
            ruled_out += usize::from(expected);
        }
        assert!((500..3500).contains(&ruled_out), "{ruled_out} of 4000 are ruled out");
    }

    #[test]
    fn what_takes_too_long_is_not_ruled_out() {
        let mut exprs = Exprs::new();
        let wanted = exprs.symbol("wanted", 1, SymbolKind::Bool);
        let other = exprs.symbol("other", 1, SymbolKind::Bool);
        let contraries: FxHashSet<ExprId> = [wanted].into_iter().collect();
        for (count, expected) in [(EFFORT / 4, true), (EFFORT, false)] {
            let mut sets = Sets::new(count as u32);
            let mut deciding = Deciding::default();
            for seed in 0..count as u32 {
                let part = sets.add([seed]);
                deciding.part(ALL, part);
                deciding.condition(part, other);
                deciding.condition(part, wanted);
            }
            assert_eq!(deciding.finish(&sets).rules_out(ALL, &contraries), expected);
        }
    }
}

//! Which roots of two versions of a function belong together: equal ones by a sequence alignment, and what is left
//! between them by what it writes.

use crate::content::Contents;
use crate::fingerprint::for_each_operand;
use crate::graph::{NodeKind, StatementGraph};
use crate::hash::{Fingerprint, Mixer};
use crate::locals::{Locals, Matching, ToldApartBy, contents, count_votes, operands};
use crate::roots::{Next, Roots};
use crate::sequence::align;
use incise_ir::{InstructionId, Op, Operand, PostDominators, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The largest gap, in pairs, where the best partners are looked for.
const MAXIMUM_SEARCH: usize = 10_000;

/// The roots that belong together.
pub(crate) struct Pairs {
    /// For each root of the old version, that of the new one.
    pub(crate) to_new: Vec<Option<usize>>,
    /// For each root of the new version, that of the old one.
    pub(crate) to_old: Vec<Option<usize>>,
    /// For each root of the new version, whether its partner does the same.
    pub(crate) equal: Vec<bool>,
    /// What the roots do, with the variables matched.
    pub(crate) contents: (Contents, Contents),
}

impl Pairs {
    /// The pairs of two versions with the same fingerprint: one after the other.
    pub(crate) fn by_position(old: &Roots<'_>, new: &Roots<'_>) -> Self {
        let locals = Locals::new(old, new);
        let variables = locals.guessed(ToldApartBy::Type);
        let all: Vec<Option<usize>> = (0..old.len()).map(Some).collect();
        let equal = vec![true; new.len()];
        Self { to_new: all.clone(), to_old: all, equal, contents: contents(old, new, &variables) }
    }

    /// The pairs of two versions that differ.
    pub(crate) fn find(old: &Roots<'_>, new: &Roots<'_>) -> Self {
        let locals = Locals::new(old, new);
        let by_name = Candidate::new(old, new, &locals, ToldApartBy::Name);
        // Names are right unless some were exchanged; then uses say more.
        let complete = by_name.found.len() == old.len().min(new.len());
        let candidate =
            if complete { by_name } else { by_name.or(Candidate::new(old, new, &locals, ToldApartBy::Type)) };
        let Candidate { matching, found } = candidate;
        let mut pairs = Self {
            to_new: vec![None; old.len()],
            to_old: vec![None; new.len()],
            equal: vec![false; new.len()],
            contents: contents(old, new, &locals.matched(&matching)),
        };
        for &(at, to) in &found {
            pairs.join(at, to);
            pairs.equal[to] = true;
        }
        pairs.join_changed(old, new, &found);
        pairs
    }

    fn join(&mut self, old: usize, new: usize) {
        self.to_new[old] = Some(new);
        self.to_old[new] = Some(old);
    }

    /// Takes a pair apart.
    pub(crate) fn part(&mut self, new: usize) {
        if let Some(old) = self.to_old[new].take() {
            self.to_new[old] = None;
        }
        self.equal[new] = false;
    }

    /// Pairs what is left between neighbours that belong together, if it is of the same kind and has the same target.
    fn join_changed(&mut self, old: &Roots<'_>, new: &Roots<'_>, found: &[(usize, usize)]) {
        let (mut old_start, mut new_start) = (0, 0);
        let end = (old.len(), new.len());
        for &(at, to) in found.iter().chain([&end]) {
            if at > old_start && to > new_start {
                for (at, to) in self.changed_between(old, old_start..at, new, new_start..to) {
                    self.join(at, to);
                }
            }
            (old_start, new_start) = (at + 1, to + 1);
        }
    }

    fn changed_between(
        &self,
        old: &Roots<'_>,
        old_gap: std::ops::Range<usize>,
        new: &Roots<'_>,
        new_gap: std::ops::Range<usize>,
    ) -> Vec<(usize, usize)> {
        let (left, right) =
            (&self.contents.0.targets[old_gap.clone()], &self.contents.1.targets[new_gap.clone()]);
        let pairs = if left.len() * right.len() > MAXIMUM_SEARCH {
            align(left, right)
        } else {
            let parts = |roots: &Roots<'_>, contents: &Contents, gap: std::ops::Range<usize>| {
                gap.map(|root| parts_of(roots, contents, root)).collect::<Vec<_>>()
            };
            let old_parts = parts(old, &self.contents.0, old_gap.clone());
            let new_parts = parts(new, &self.contents.1, new_gap.clone());
            heaviest(left.len(), right.len(), |at, to| {
                let roots = (old_gap.start + at, new_gap.start + to);
                let likeness =
                    || similarity(&old_parts[at], &new_parts[to]) + 40 * self.same_ways(old, new, roots);
                (left[at] == right[to]).then(|| 100 + likeness())
            })
        };
        pairs.into_iter().map(|(at, to)| (old_gap.start + at, new_gap.start + to)).collect()
    }

    /// On how many sides two roots lead to roots that belong together.
    fn same_ways(&self, old: &Roots<'_>, new: &Roots<'_>, roots: (usize, usize)) -> usize {
        let blocks = (old.block(old.list[roots.0]), new.block(new.list[roots.1]));
        let sides = old.graph.cfg.successors(blocks.0).len().min(new.graph.cfg.successors(blocks.1).len());
        (0..sides)
            .filter(|&side| {
                let next = self.contents.0.edge(old, Some(roots.0), side).0;
                self.corresponds(next, self.contents.1.edge(new, Some(roots.1), side).0)
            })
            .count()
    }

    /// Whether two roots that look equal use corresponding values at corresponding times: the results of roots that
    /// belong together, and what was read before roots that belong together.
    pub(crate) fn verify(
        &self,
        old: &Roots<'_>,
        new: &Roots<'_>,
        verified: &mut Verified,
        root: usize,
    ) -> bool {
        let Some(partner) = self.to_old[root] else { return false };
        let mut walk = PairingWalk { pairs: self, old, new, verified, work: Vec::new(), met: Vec::new() };
        let (left, right) = (old.list[partner], new.list[root]);
        let holds = match (old.returned(partner), new.returned(root), old.op(partner), new.op(root)) {
            (Some(from), Some(to), ..) => walk.use_pair((from, left), (to, right)),
            (_, _, Op::Phi(_), Op::Phi(_)) => walk.phi(partner, root),
            _ => walk.operands(left, right),
        } && walk.finish();
        if holds {
            let met = walk.met;
            verified.extend(met);
        }
        holds
    }

    fn corresponds(&self, old: Next, new: Next) -> bool {
        match (old, new) {
            (Next::Root(old), Next::Root(new)) => self.to_new[old] == Some(new),
            (old, new) => old == new,
        }
    }
}

/// A way to match the variables, and the equal roots that it gives.
struct Candidate {
    matching: Matching,
    found: Vec<(usize, usize)>,
}

impl Candidate {
    fn new(old: &Roots<'_>, new: &Roots<'_>, locals: &Locals, known: ToldApartBy) -> Self {
        let variables = locals.guessed(known);
        let guess = equal_roots(old, new, &contents(old, new, &variables));
        let votes = count_votes((old, &variables.0), (new, &variables.1), &guess);
        let matching = locals.match_by_votes(&votes);
        let found = equal_roots(old, new, &contents(old, new, &locals.matched(&matching)));
        Self { matching, found }
    }

    /// The one with more equal roots, then with more names kept; this one if there is no difference.
    fn or(self, other: Self) -> Self {
        let weight = |each: &Self| (each.found.len(), each.matching.same_names);
        if weight(&other) > weight(&self) { other } else { self }
    }
}

/// Pairs of values that are known to correspond.
pub(crate) type Verified = FxHashSet<(ValueId, ValueId)>;

/// A walk through the expressions of two roots at once. A stack of its own, because expressions may be deep.
struct PairingWalk<'a> {
    pairs: &'a Pairs,
    old: &'a Roots<'a>,
    new: &'a Roots<'a>,
    verified: &'a Verified,
    work: Vec<(ValueId, ValueId)>,
    met: Vec<(ValueId, ValueId)>,
}

impl PairingWalk<'_> {
    fn finish(&mut self) -> bool {
        let mut seen = FxHashSet::default();
        while let Some((left, right)) = self.work.pop() {
            if self.verified.contains(&(left, right)) || !seen.insert((left, right)) {
                continue;
            }
            self.met.push((left, right));
            let holds = match (self.old.root_of_value(left), self.new.root_of_value(right)) {
                (Some(left), Some(right)) => self.pairs.to_new[left] == Some(right),
                (None, None) => match (self.old.definition(left), self.new.definition(right)) {
                    (Some(left), Some(right)) => self.operands(left, right),
                    (left, right) => left == right,
                },
                _ => false,
            };
            if !holds {
                return false;
            }
        }
        true
    }

    fn operands(&mut self, left: InstructionId, right: InstructionId) -> bool {
        let (from, to) = (operands(self.old, left), operands(self.new, right));
        from.len() == to.len()
            && from.into_iter().zip(to).all(|(from, to)| self.use_pair((from, left), (to, right)))
    }

    fn use_pair(
        &mut self,
        (from, left): (Operand, InstructionId),
        (to, right): (Operand, InstructionId),
    ) -> bool {
        let old = self.pairs.contents.0.displacement(self.old, from, left);
        let new = self.pairs.contents.1.displacement(self.new, to, right);
        let in_time = match (old, new) {
            (None, None) => true,
            (Some((left, _)), Some((right, _))) => {
                self.pairs.corresponds(self.old.next_after(left), self.new.next_after(right))
            }
            _ => false,
        };
        match (from, to) {
            (Operand::Value(from), Operand::Value(to)) => self.work.push((from, to)),
            (Operand::Constant(_), Operand::Constant(_)) => {}
            _ => return false,
        }
        in_time
    }

    /// Phis correspond if the same values come along the same edges.
    fn phi(&mut self, old_root: usize, new_root: usize) -> bool {
        let old = incoming(self.old, old_root);
        let new = incoming(self.new, new_root);
        if old.len() != new.len() {
            return false;
        }
        let new: FxHashMap<Option<(usize, usize)>, Operand> = new.into_iter().collect();
        for (edge, from) in old {
            let edge = match edge {
                None => None,
                Some((root, side)) => match self.pairs.to_new[root] {
                    Some(root) => Some((root, side)),
                    None => return false,
                },
            };
            let Some(&to) = new.get(&edge) else { return false };
            let (old_op, new_op) = (self.old.op(old_root), self.new.op(new_root));
            let same = self.pairs.contents.0.operand(self.old, old_op, 0, from)
                == self.pairs.contents.1.operand(self.new, new_op, 0, to);
            let (left, right) = (self.old.list[old_root], self.new.list[new_root]);
            if !same || !self.use_pair((from, left), (to, right)) {
                return false;
            }
        }
        true
    }
}

/// The edges that lead to a phi, each with the value that it brings.
fn incoming(roots: &Roots<'_>, root: usize) -> Vec<(Option<(usize, usize)>, Operand)> {
    let Op::Phi(incoming) = roots.op(root) else { return Vec::new() };
    let block = roots.block(roots.list[root]);
    let mut found = Vec::new();
    for &(from, value) in incoming.iter().filter(|(from, _)| roots.graph.cfg.is_reachable(*from)) {
        found.extend(roots.edges_through(from, block).into_iter().map(|edge| (edge, value)));
    }
    found
}

/// Pairs roots with equal contents: those with the same neighbours and under the same conditions first, unless that
/// costs pairs.
fn equal_roots(old: &Roots<'_>, new: &Roots<'_>, contents: &(Contents, Contents)) -> Vec<(usize, usize)> {
    let (left, right) = (Surroundings::new(old, &contents.0), Surroundings::new(new, &contents.1));
    let structured =
        equal_in_rounds(&left, &right, &[(true, true), (true, false), (false, true), (false, false)]);
    if structured.len() == left.contents.len().min(right.contents.len()) {
        return structured;
    }
    let plain = equal_in_rounds(&left, &right, &[(false, false)]);
    if plain.len() > structured.len() { plain } else { structured }
}

/// Aligns in rounds, each between the pairs of the round before. A round says whether neighbours, and whether
/// conditions around, must agree.
fn equal_in_rounds(
    left: &Surroundings<'_>,
    right: &Surroundings<'_>,
    rounds: &[(bool, bool)],
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for &(neighbours, conditions) in rounds {
        let keys = |side: &Surroundings<'_>| -> Vec<_> {
            (0..side.contents.len()).map(|root| side.key(root, neighbours, conditions)).collect()
        };
        let (left, right) = (keys(left), keys(right));
        let (mut old_start, mut new_start) = (0, 0);
        for (at, to) in std::mem::take(&mut found).into_iter().chain([(left.len(), right.len())]) {
            let between = align(&left[old_start..at], &right[new_start..to]);
            found.extend(between.into_iter().map(|(left, right)| (old_start + left, new_start + right)));
            if at < left.len() {
                found.push((at, to));
            }
            (old_start, new_start) = (at + 1, to + 1);
        }
    }
    found
}

/// What a root is told by: what it does, what is before and after it, and the conditions around it.
struct Surroundings<'a> {
    contents: &'a [Fingerprint],
    contexts: Vec<Fingerprint>,
}

impl<'a> Surroundings<'a> {
    fn new(roots: &Roots<'_>, contents: &'a Contents) -> Self {
        let contexts = contexts(roots, contents);
        let contexts = roots.nodes.iter().map(|node| contexts[node.index()]).collect();
        Self { contents: &contents.roots, contexts }
    }

    fn key(&self, root: usize, neighbours: bool, conditions: bool) -> Fingerprint {
        let mut mixer = Mixer::new("key");
        mixer.fingerprint(self.contents[root]);
        if neighbours {
            let before = root.checked_sub(1).map(|before| self.contents[before]);
            mixer.fingerprint(before.unwrap_or_default());
            mixer.fingerprint(self.contents.get(root + 1).copied().unwrap_or_default());
        }
        if conditions {
            mixer.fingerprint(self.contexts[root]);
        }
        mixer.done()
    }
}

/// For each statement, the conditions around it with the sides that lead to it, outermost included.
fn contexts(roots: &Roots<'_>, contents: &Contents) -> Vec<Fingerprint> {
    let graph = roots.graph;
    let dominators = PostDominators::new(&graph.cfg);
    let mut found = vec![Fingerprint::default(); graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        let mut sum = Fingerprint::default();
        // A condition that comes later is that of a loop around the statement.
        for &condition in graph.controlled_by[index].iter().filter(|condition| condition.index() < index) {
            let mut mixer = Mixer::new("context");
            mixer.fingerprint(found[condition.index()]);
            mixer.fingerprint(condition_content(graph, roots, contents, condition));
            for (side, &block) in graph.side_blocks(condition).iter().enumerate() {
                if block == node.block || dominators.post_dominates(node.block, block) {
                    mixer.word(side as u64);
                }
            }
            sum = sum.plus(mixer.done());
        }
        found[index] = sum;
    }
    found
}

fn condition_content(
    graph: &StatementGraph,
    roots: &Roots<'_>,
    contents: &Contents,
    condition: crate::NodeId,
) -> Fingerprint {
    debug_assert_eq!(graph.node(condition).kind, NodeKind::Condition);
    let last = graph.node(condition).roots.last().and_then(|&root| roots.number(root));
    last.map(|root| contents.roots[root]).unwrap_or_default()
}

/// What a root is made of, up to a number of parts.
fn parts_of(roots: &Roots<'_>, contents: &Contents, root: usize) -> Vec<Fingerprint> {
    const MAXIMUM_PARTS: usize = 64;
    let mut parts = Vec::new();
    let mut work = vec![roots.list[root]];
    while let Some(id) = work.pop() {
        let op = &roots.function.instructions[id].op;
        parts.push(roots.shape(id));
        for_each_operand(roots.program, op, |position, operand| {
            parts.push(contents.operand(roots, op, position, operand));
            if let Operand::Value(value) = operand
                && let Some(definition) = roots.definition(value).filter(|&id| roots.number(id).is_none())
            {
                work.push(definition);
            }
        });
        if parts.len() > MAXIMUM_PARTS {
            break;
        }
    }
    parts.sort_unstable();
    parts
}

/// How much of two sorted lists is the same, from 0 to 100.
fn similarity(left: &[Fingerprint], right: &[Fingerprint]) -> usize {
    let (mut at, mut to, mut same) = (0, 0, 0);
    while at < left.len() && to < right.len() {
        match left[at].cmp(&right[to]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
            std::cmp::Ordering::Equal => {
                same += 1;
                at += 1;
                to += 1;
            }
        }
    }
    if left.is_empty() && right.is_empty() { 100 } else { 200 * same / (left.len() + right.len()) }
}

/// The increasing pairs with the largest sum of weights; a pair without a weight must not be.
fn heaviest(
    rows: usize,
    columns: usize,
    weight: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let mut table = vec![vec![0usize; columns + 1]; rows + 1];
    let mut weights = vec![vec![None; columns]; rows];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let pair = weight(row, column);
            weights[row][column] = pair;
            let joined = pair.map_or(0, |pair| pair + table[row + 1][column + 1]);
            table[row][column] = joined.max(table[row + 1][column]).max(table[row][column + 1]);
        }
    }
    let (mut row, mut column, mut found) = (0, 0, Vec::new());
    while row < rows && column < columns {
        match weights[row][column] {
            Some(pair) if table[row][column] == pair + table[row + 1][column + 1] => {
                found.push((row, column));
                row += 1;
                column += 1;
            }
            _ if table[row][column] == table[row + 1][column] => row += 1,
            _ => column += 1,
        }
    }
    found
}

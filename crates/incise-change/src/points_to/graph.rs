//! The constraints between sets of locations, and a solution: the smallest, but where sets grow too large to be
//! followed.
//!
//! Inclusion-based points-to analysis (Andersen, 1994), solved by waves (Pereira and Berlin, "Wave propagation and deep
//! propagation for pointer analysis", 2009): cycles of inclusions become one node, sets travel along inclusions in
//! topological order, only what is new; then loads, stores, shifts, copies and calls make new inclusions for what is
//! new. What code outside of the program knows and does is one more node and one more location (Krogstie, Bahmann,
//! Själander and Reissmann, "PIP: Making Andersen's points-to analysis sound and practical for incomplete C programs",
//! 2025).

use super::objects::{LocationNumber, Merge, OUTSIDE, ObjectId, ObjectKind, Objects, Shift, UNKNOWN};
use super::set::SparseSet;
use super::sets::View;
use crate::components::Components;
use incise_ir::GlobalId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a node: something that holds addresses.
pub(crate) type PointerNode = u32;

/// The node of all addresses that code outside of the program may know.
pub(crate) const KNOWN_OUTSIDE: PointerNode = 0;

/// What is done with the addresses of a node.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    /// Another node holds them with something added.
    Shift(Shift, PointerNode),
    /// Another node holds what this many bytes there hold.
    Load(PointerNode, u32),
    /// This many bytes there hold what another node holds.
    Store(PointerNode, u32),
    /// Memory is copied from there.
    CopyFrom(u32),
    /// Memory is copied to there.
    CopyTo(u32),
    /// The function there is called, by the call site of that number.
    Call(u32),
}

/// A copy of memory on its way: what each word of it may hold.
#[derive(Debug)]
struct Copy {
    /// How many words are copied, if that is known.
    words: Option<u64>,
    /// The first of the nodes for the first words.
    first: PointerNode,
    /// How many words have a node of their own.
    count: u32,
    /// What may be in any word, or in one without a node of its own.
    scattered: PointerNode,
    /// What is in any word.
    gathered: PointerNode,
}

/// What may point to more locations is not followed any further.
const LOCATIONS: usize = 512;

/// So many words of a copy are told apart.
const COPIED_WORDS: u64 = 129;

/// What happens outside of the graph when an address gets somewhere.
pub(crate) trait Hooks {
    /// A function may be called by a call site.
    fn call(&mut self, graph: &mut Graph, site: u32, target: LocationNumber);
    /// Code outside of the program may know an object for the first time.
    fn expose(&mut self, graph: &mut Graph, object: ObjectId);
}

/// The nodes and the constraints between them.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) objects: Objects,
    /// For each object, its first cell.
    first_cells: Vec<PointerNode>,
    /// For each object, whether code outside may know it.
    pub(crate) exposed: Vec<bool>,
    parents: Vec<PointerNode>,
    points: Vec<SparseSet>,
    /// What of it the successors have.
    sent: Vec<SparseSet>,
    /// What of it the uses have.
    used: Vec<SparseSet>,
    successors: Vec<Vec<PointerNode>>,
    uses: Vec<Vec<Use>>,
    edges: FxHashSet<(PointerNode, PointerNode)>,
    copies: Vec<Copy>,
    /// For objects of several cells, the nodes of what a read anywhere finds and of what a write anywhere leaves.
    anywhere: FxHashMap<ObjectId, [Option<PointerNode>; 2]>,
    /// The locations in objects that code outside may know: who holds [`OUTSIDE`] need not hold them as well.
    implied: SparseSet,
    /// How many locations were looked at for that.
    implied_until: LocationNumber,
    /// Nodes whose sets have grown.
    grown: Vec<PointerNode>,
    is_grown: Vec<bool>,
}

impl Graph {
    pub(crate) fn new() -> Self {
        let mut graph = Self::default();
        graph.add_node();
        graph
    }

    pub(crate) fn add_node(&mut self) -> PointerNode {
        self.add_nodes(1)
    }

    /// Adds nodes, and tells the first.
    pub(crate) fn add_nodes(&mut self, count: usize) -> PointerNode {
        let first = self.parents.len();
        let end = first + count;
        self.parents.extend(first as PointerNode..end as PointerNode);
        self.points.resize_with(end, SparseSet::default);
        self.sent.resize_with(end, SparseSet::default);
        self.used.resize_with(end, SparseSet::default);
        self.successors.resize_with(end, Vec::new);
        self.uses.resize_with(end, Vec::new);
        self.is_grown.resize(end, false);
        first as PointerNode
    }

    /// Gives cells to an object that was just added.
    pub(crate) fn add_cells(&mut self, object: ObjectId) {
        debug_assert_eq!(object.index(), self.first_cells.len());
        let first = self.add_nodes(self.objects.get(object).count as usize);
        self.first_cells.push(first);
        self.exposed.push(false);
    }

    /// The node that a node is part of.
    pub(crate) fn find(&self, node: PointerNode) -> PointerNode {
        let mut at = node;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }

    fn find_shortening(&mut self, node: PointerNode) -> PointerNode {
        let root = self.find(node);
        let mut at = node;
        while at != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        root
    }

    /// What a node may hold.
    pub(crate) fn points(&self, node: PointerNode) -> &SparseSet {
        &self.points[self.find(node) as usize]
    }

    /// The node of a word of an object.
    pub(crate) fn cell(&mut self, object: ObjectId, word: u64) -> PointerNode {
        self.first_cells[object.index()] + self.objects.cell(object, word)
    }

    /// The nodes of all words of an object.
    pub(crate) fn cells(&self, object: ObjectId) -> std::ops::Range<PointerNode> {
        let first = self.first_cells[object.index()];
        first..first + self.objects.get(object).count
    }

    /// A node holds a location.
    pub(crate) fn insert(&mut self, node: PointerNode, location: LocationNumber) {
        let node = self.find_shortening(node);
        let at = node as usize;
        if self.points[at].contains(OUTSIDE) && self.is_implied(location) {
            return;
        }
        if self.points[at].insert(location) {
            if location == OUTSIDE {
                self.drop_implied(at);
            }
            self.note(node);
        }
    }

    /// Whether a location is in an object that code outside may know.
    fn is_implied(&self, location: LocationNumber) -> bool {
        self.objects.location(location).is_some_and(|location| self.exposed[location.object.index()])
    }

    fn drop_implied(&mut self, at: usize) {
        self.points[at] = self.points[at].without(&self.implied);
    }

    /// Adds locations to a set; tells whether one was not there.
    fn extend(&mut self, at: usize, more: &SparseSet) -> bool {
        let had = self.points[at].contains(OUTSIDE);
        if !had && !more.contains(OUTSIDE) {
            return self.points[at].extend(more);
        }
        let mut grown = self.points[at].extend(&more.without(&self.implied));
        if !had {
            grown |= self.points[at].insert(OUTSIDE);
            self.drop_implied(at);
        }
        grown
    }

    /// A node holds what another one holds.
    pub(crate) fn include(&mut self, from: PointerNode, to: PointerNode) {
        let (from, to) = (self.find_shortening(from), self.find_shortening(to));
        if from != to && self.edges.insert((from, to)) {
            self.successors[from as usize].push(to);
            let sent = std::mem::take(&mut self.sent[from as usize]);
            if self.extend(to as usize, &sent) {
                self.note(to);
            }
            self.sent[from as usize] = sent;
        }
    }

    /// Uses the addresses of a node.
    pub(crate) fn add_use(&mut self, node: PointerNode, what: Use) {
        let node = self.find_shortening(node);
        self.uses[node as usize].push(what);
        // What the node holds already is used again from the start.
        if !self.points[node as usize].is_empty() {
            self.used[node as usize] = SparseSet::default();
            self.note(node);
        }
    }

    /// Copies memory, from where one node points to where another does.
    pub(crate) fn copy(&mut self, from: PointerNode, to: PointerNode, bytes: Option<u64>) {
        let words = bytes.map(|bytes| bytes.div_ceil(8));
        let count = words.unwrap_or(COPIED_WORDS).min(COPIED_WORDS);
        let first = self.add_nodes(count as usize + 2);
        let (scattered, gathered) = (first + count as PointerNode, first + count as PointerNode + 1);
        for node in first..=scattered {
            self.include(node, gathered);
        }
        let number = self.copies.len() as u32;
        self.copies.push(Copy { words, first, count: count as u32, scattered, gathered });
        self.add_use(from, Use::CopyFrom(number));
        self.add_use(to, Use::CopyTo(number));
    }

    /// Two nodes hold the same.
    pub(crate) fn unify(&mut self, left: PointerNode, right: PointerNode) {
        let (left, right) = (self.find_shortening(left), self.find_shortening(right));
        if left == right {
            return;
        }
        let (kept, lost) = (left.min(right), left.max(right));
        self.parents[lost as usize] = kept;
        let (at, from) = (kept as usize, lost as usize);
        let points = std::mem::take(&mut self.points[from]);
        let mut grown = self.extend(at, &points);
        grown |= self.points[at] != points;
        let (sent, used) = (std::mem::take(&mut self.sent[from]), std::mem::take(&mut self.used[from]));
        self.sent[at].retain(&sent);
        self.used[at].retain(&used);
        let successors = std::mem::take(&mut self.successors[from]);
        self.successors[at].extend(successors);
        let uses = std::mem::take(&mut self.uses[from]);
        self.uses[at].extend(uses);
        if grown || self.is_grown[from] {
            self.note(kept);
        }
    }

    fn note(&mut self, node: PointerNode) {
        if !std::mem::replace(&mut self.is_grown[node as usize], true) {
            self.grown.push(node);
        }
    }

    /// Makes additions that come back to where they began additions of any multiple, so that a pointer that walks along
    /// an array has one location.
    pub(crate) fn widen_cycles(&mut self) {
        let count = self.parents.len();
        let next: Vec<Vec<PointerNode>> = (0..count as PointerNode)
            .map(|node| {
                let shifted = self.uses[node as usize].iter().filter_map(|each| match each {
                    Use::Shift(_, to) => Some(self.find(*to)),
                    _ => None,
                });
                shifted.chain(self.successors[node as usize].iter().map(|&to| self.find(to))).collect()
            })
            .collect();
        let components = Components::new(count, |node| &next[node as usize]);
        for node in 0..count {
            let mut uses = std::mem::take(&mut self.uses[node]);
            for each in &mut uses {
                if let Use::Shift(shift @ Shift::By(_), to) = each
                    && let Shift::By(by) = *shift
                    && by != 0
                    && components.of[node] == components.of[self.find(*to) as usize]
                {
                    *shift = Shift::Stride(0, by.unsigned_abs());
                }
            }
            self.uses[node] = uses;
        }
    }

    /// Solves the constraints.
    pub(crate) fn solve(&mut self, hooks: &mut impl Hooks) {
        let mut waiting: Vec<PointerNode> = Vec::new();
        loop {
            // What comes from outside makes much else needless, so it goes first.
            while !self.grown.is_empty() {
                let order = self.wave();
                for &node in &order {
                    self.send(node);
                }
                for &node in &order {
                    self.apply_uses(node, true, hooks);
                }
                waiting.extend(order.into_iter().filter(|&node| !self.uses[node as usize].is_empty()));
                self.expose(hooks);
            }
            waiting.sort_unstable();
            waiting.dedup();
            for node in std::mem::take(&mut waiting) {
                self.apply_uses(node, false, hooks);
            }
            if self.grown.is_empty() {
                return;
            }
        }
    }

    /// Whether what comes from outside may be an address that was made from a number.
    pub(crate) fn is_anything_outside(&self) -> bool {
        self.points[self.find(KNOWN_OUTSIDE) as usize].contains(UNKNOWN)
    }

    /// What pointers in a global variable lead to, directly or over others.
    pub(crate) fn reached_from(&self, global: GlobalId) -> Option<View> {
        let mut view = View { harmless: true, ..View::default() };
        let mut seen: FxHashSet<PointerNode> = FxHashSet::default();
        let mut work = vec![self.objects.find(ObjectKind::Global(global))?];
        while let Some(object) = work.pop() {
            for root in self.cells(object).map(|cell| self.find(cell)) {
                if !seen.insert(root) {
                    continue;
                }
                for number in self.points[root as usize].iter() {
                    match self.objects.location(number) {
                        Some(location) if self.objects.is_harmless(location.object) => {}
                        Some(location) => {
                            if view.objects.insert(location.object.index() as u32) {
                                work.push(location.object);
                            }
                        }
                        None if number == OUTSIDE => view.outside = true,
                        None => view.unknown = true,
                    }
                }
            }
        }
        view.unknown |= view.outside && self.is_anything_outside();
        Some(view)
    }

    /// The objects, whether they are known outside, and the set of each of the first `count` nodes.
    pub(crate) fn into_solution(mut self, count: usize) -> (Objects, Vec<bool>, Vec<u32>, Vec<SparseSet>) {
        let mut positions: FxHashMap<PointerNode, u32> = FxHashMap::default();
        let mut points = vec![SparseSet::default()];
        let mut roots = Vec::with_capacity(count);
        for node in 0..count as PointerNode {
            let root = self.find_shortening(node);
            if !positions.contains_key(&root) && self.points[root as usize].is_empty() {
                roots.push(0);
                continue;
            }
            let position = *positions.entry(root).or_insert_with(|| {
                points.push(std::mem::take(&mut self.points[root as usize]));
                points.len() as u32 - 1
            });
            roots.push(position);
        }
        (self.objects, self.exposed, roots, points)
    }

    /// Makes one node of each cycle that can be reached from what has grown, and orders the nodes so that each comes
    /// before those that hold what it holds.
    fn wave(&mut self) -> Vec<PointerNode> {
        let mut numbers: FxHashMap<PointerNode, u32> = FxHashMap::default();
        let mut reached: Vec<PointerNode> = Vec::new();
        for node in std::mem::take(&mut self.grown) {
            self.is_grown[node as usize] = false;
            let node = self.find_shortening(node);
            numbers.entry(node).or_insert_with(|| {
                reached.push(node);
                reached.len() as u32 - 1
            });
        }
        let mut next: Vec<Vec<u32>> = Vec::new();
        while next.len() < reached.len() {
            let node = reached[next.len()];
            self.tidy_successors(node);
            let mut targets = Vec::with_capacity(self.successors[node as usize].len());
            for &to in &self.successors[node as usize] {
                let number = *numbers.entry(to).or_insert_with(|| {
                    reached.push(to);
                    reached.len() as u32 - 1
                });
                targets.push(number);
            }
            next.push(targets);
        }
        let components = Components::new(reached.len(), |node| &next[node as usize]);
        let mut order = Vec::with_capacity(components.members.len());
        for members in components.members.iter().rev() {
            let first = reached[members[0] as usize];
            for &member in &members[1..] {
                self.unify(first, reached[member as usize]);
            }
            order.push(self.find_shortening(first));
        }
        for &node in &order {
            self.is_grown[node as usize] = false;
        }
        self.grown.clear();
        order
    }

    /// Names the successors of a node by what they are part of now, each once.
    fn tidy_successors(&mut self, node: PointerNode) {
        let mut successors = std::mem::take(&mut self.successors[node as usize]);
        for to in &mut successors {
            *to = self.find_shortening(*to);
        }
        successors.sort_unstable();
        successors.dedup();
        successors.retain(|&to| to != node);
        for &to in &successors {
            self.edges.insert((node, to));
        }
        self.successors[node as usize] = successors;
    }

    /// Gives what is new in a node to its successors.
    fn send(&mut self, node: PointerNode) {
        let at = node as usize;
        if self.points[at].contains(OUTSIDE) {
            self.drop_implied(at);
        }
        let new = self.points[at].without(&self.sent[at]);
        if new.is_empty() {
            return;
        }
        if self.points[at].len() > LOCATIONS {
            return self.give_up(node);
        }
        for index in 0..self.successors[at].len() {
            let to = self.find(self.successors[at][index]);
            if to != node {
                self.extend(to as usize, &new);
            }
        }
        self.sent[at].extend(&new);
    }

    /// Tells outside code of everything that a node holds: from so many objects nobody learns more than that.
    fn give_up(&mut self, node: PointerNode) {
        let points = std::mem::take(&mut self.points[node as usize]);
        self.insert(node, OUTSIDE);
        for location in points.iter() {
            self.insert(KNOWN_OUTSIDE, location);
        }
    }

    /// Makes the constraints that follow from what is new in a node; with `outside`, only from what comes from there.
    fn apply_uses(&mut self, node: PointerNode, outside: bool, hooks: &mut impl Hooks) {
        let node = self.find_shortening(node);
        let at = node as usize;
        if self.uses[at].is_empty() {
            return;
        }
        let mut new = self.points[at].without(&self.used[at]);
        if outside {
            new = [OUTSIDE, UNKNOWN].into_iter().filter(|&each| new.contains(each)).collect();
        }
        if new.is_empty() {
            return;
        }
        self.used[at].extend(&new);
        let uses = std::mem::take(&mut self.uses[at]);
        for &each in &uses {
            for location in new.iter() {
                self.apply(each, location, hooks);
            }
        }
        // The node may be part of another one by now.
        let node = self.find_shortening(node);
        self.uses[node as usize].extend(uses);
    }

    fn apply(&mut self, what: Use, location: LocationNumber, hooks: &mut impl Hooks) {
        match what {
            Use::Shift(shift, to) => {
                let mut merges = Vec::new();
                let shifted = self.objects.shift(location, shift, &mut merges);
                self.insert(to, shifted);
                self.merge_cells(location, &merges);
            }
            Use::Load(to, size) => self.load(location, to, size),
            Use::Store(from, size) => self.store(location, from, size),
            Use::CopyFrom(copy) => self.copy_from(location, copy as usize),
            Use::CopyTo(copy) => self.copy_to(location, copy as usize),
            Use::Call(site) => hooks.call(self, site, location),
        }
    }

    fn merge_cells(&mut self, location: LocationNumber, merges: &[Merge]) {
        let Some(location) = self.objects.location(location) else { return };
        let first = self.first_cells[location.object.index()];
        for &(lost, kept) in merges {
            self.unify(first + lost, first + kept);
        }
    }

    fn touched(&mut self, number: LocationNumber, size: u32) -> Vec<PointerNode> {
        let Some(location) = self.objects.location(number) else { return Vec::new() };
        let mut cells = Vec::new();
        self.objects.touched(location, size.into(), &mut cells);
        let first = self.first_cells[location.object.index()];
        cells.into_iter().map(|cell| first + cell).collect()
    }

    /// The node that stands for all cells of an object, for reading or for writing, if that is worth it.
    fn anywhere(&mut self, number: LocationNumber, writes: bool) -> Option<PointerNode> {
        let location = self.objects.location(number).filter(|location| location.modulus == 1)?;
        if self.objects.get(location.object).count <= 2 {
            return None;
        }
        let known = self.anywhere.entry(location.object).or_default()[usize::from(writes)];
        if known.is_some() {
            return known;
        }
        let node = self.add_node();
        for cell in self.touched(number, 1) {
            match writes {
                true => self.include(node, cell),
                false => self.include(cell, node),
            }
        }
        self.anywhere.entry(location.object).or_default()[usize::from(writes)] = Some(node);
        Some(node)
    }

    fn load(&mut self, location: LocationNumber, to: PointerNode, size: u32) {
        if location == OUTSIDE || location == UNKNOWN {
            self.insert(to, OUTSIDE);
            self.insert(to, location);
        } else if let Some(all) = self.anywhere(location, false) {
            self.include(all, to);
        } else {
            for cell in self.touched(location, size) {
                self.include(cell, to);
            }
        }
    }

    fn store(&mut self, location: LocationNumber, from: PointerNode, size: u32) {
        if location == OUTSIDE || location == UNKNOWN {
            self.include(from, KNOWN_OUTSIDE);
        } else if self.objects.location(location).is_some_and(|at| self.objects.get(at.object).constant) {
            // Writing what is constant fails.
        } else if let Some(all) = self.anywhere(location, true) {
            self.include(from, all);
        } else {
            for cell in self.touched(location, size) {
                self.include(from, cell);
            }
        }
    }

    /// The words of an aligned copy at a location with a known distance.
    fn copied_words(&self, number: LocationNumber, copy: usize) -> Option<(ObjectId, u64, u64)> {
        let location = self.objects.location(number).filter(|location| location.modulus == 0)?;
        let start = u64::try_from(location.offset).ok().filter(|start| start % 8 == 0)? / 8;
        let rest = self.objects.get(location.object).words().saturating_sub(start);
        Some((location.object, start, self.copies[copy].words.unwrap_or(u64::MAX).min(rest)))
    }

    fn copy_from(&mut self, location: LocationNumber, copy: usize) {
        let Copy { first, count, scattered, .. } = self.copies[copy];
        if location == OUTSIDE || location == UNKNOWN {
            self.insert(scattered, OUTSIDE);
            self.insert(scattered, location);
        } else if let Some((object, start, words)) = self.copied_words(location, copy) {
            for word in 0..words {
                let cell = self.cell(object, start + word);
                match u32::try_from(word) {
                    Ok(word) if word < count => self.include(cell, first + word),
                    _ => {
                        self.load(location, scattered, u32::MAX);
                        break;
                    }
                }
            }
        } else {
            self.load_whole(location, scattered);
        }
    }

    fn copy_to(&mut self, location: LocationNumber, copy: usize) {
        let Copy { first, count, scattered, gathered, .. } = self.copies[copy];
        if location == OUTSIDE || location == UNKNOWN {
            self.include(gathered, KNOWN_OUTSIDE);
        } else if let Some((object, start, words)) = self.copied_words(location, copy) {
            if self.objects.get(object).constant {
                return;
            }
            for word in 0..words {
                let cell = self.cell(object, start + word);
                self.include(scattered, cell);
                match u32::try_from(word) {
                    Ok(word) if word < count => self.include(first + word, cell),
                    _ => {
                        self.store(location, scattered, u32::MAX);
                        break;
                    }
                }
            }
        } else {
            let whole = self.whole(location);
            self.store(whole, gathered, 8);
        }
    }

    fn whole(&mut self, location: LocationNumber) -> LocationNumber {
        match self.objects.location(location) {
            Some(at) => self.objects.anywhere(at.object),
            None => location,
        }
    }

    fn load_whole(&mut self, location: LocationNumber, to: PointerNode) {
        let whole = self.whole(location);
        self.load(whole, to, 8);
    }

    /// Lets outside code use what it newly knows.
    fn expose(&mut self, hooks: &mut impl Hooks) {
        let at = self.find_shortening(KNOWN_OUTSIDE) as usize;
        self.insert(KNOWN_OUTSIDE, OUTSIDE);
        let new = self.points[at].without(&self.used[at]);
        self.used[at].extend(&new);
        for number in new.iter() {
            let Some(location) = self.objects.location(number) else { continue };
            if std::mem::replace(&mut self.exposed[location.object.index()], true) {
                continue;
            }
            for cell in self.cells(location.object) {
                self.include(cell, KNOWN_OUTSIDE);
                if !self.objects.get(location.object).constant {
                    self.insert(cell, OUTSIDE);
                }
            }
            self.implied_until = 0;
            hooks.expose(self, location.object);
        }
        // New locations of objects that were known before are implied too.
        let end = self.objects.location_end();
        for number in self.implied_until..end {
            if self.is_implied(number) {
                self.implied.insert(number);
            }
        }
        self.implied_until = end;
    }
}

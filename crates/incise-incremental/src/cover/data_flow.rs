//! Definitions and uses: which belong together, and which definitions are alive on a path.
//!
//! A definition reaches a use if there is a way from one to the other on which nothing may overwrite it, into calls and back to callers. Ways are followed by calling convention: a call returns to where it was
//! made, and only what was entered before the definition returns to any caller.

use super::accesses::{Accesses, Item};
use super::ahead::Kinds;
use crate::subject::{Statement, Subject};
use incise_change::NodeKind;
use incise_ir::{BlockId, Id, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A definition and a use: two accesses, and whether both happen in the same call of a function.
pub(crate) type Link = (u32, u32, bool);

/// Finds the uses that each definition at an affected statement reaches, in order.
pub(crate) fn links(subject: &Subject<'_>, kinds: &Kinds, accesses: &Accesses<'_>) -> BTreeSet<Link> {
    let mut found = BTreeSet::new();
    for (kind, &(function, activation)) in kinds.all.iter().enumerate() {
        let Some(activation) = activation else { continue };
        let affected = &subject.scope.activation(activation).affected;
        for (block, items) in accesses.items[&function].iter().enumerate() {
            for (index, item) in items.iter().enumerate() {
                let Item::Access(write) = *item else { continue };
                let access = &accesses.all[write as usize];
                if access.writes.is_empty() || !affected.contains(access.statement.1) {
                    continue;
                }
                let mut walk = Walk::new(subject, kinds, accesses, write);
                walk.go(Level::Same, kind, BlockId::from_index(block), index + 1);
                walk.run();
                found.extend(walk.found);
            }
        }
    }
    found
}

/// Where a way is, seen from the definition.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Level {
    /// In the call that made it.
    Same,
    /// In a call that began before.
    Above,
    /// In a call that began after.
    Below,
}

/// A position on a way: before an item of a block.
type Position = (Level, usize, BlockId, usize);

struct Walk<'w, 'a> {
    subject: &'w Subject<'a>,
    kinds: &'w Kinds,
    accesses: &'w Accesses<'a>,
    write: u32,
    private: bool,
    seen: FxHashSet<Position>,
    work: Vec<Position>,
    /// For each kind that was entered, where its calls go on.
    waiting: FxHashMap<usize, Vec<Position>>,
    /// The kinds that the definition outlives, on some way through.
    passed: FxHashSet<usize>,
    found: BTreeSet<Link>,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(subject: &'w Subject<'a>, kinds: &'w Kinds, accesses: &'w Accesses<'a>, write: u32) -> Self {
        Self {
            private: accesses.ends_with_call(subject, write),
            subject,
            kinds,
            accesses,
            write,
            seen: FxHashSet::default(),
            work: Vec::new(),
            waiting: FxHashMap::default(),
            passed: FxHashSet::default(),
            found: BTreeSet::new(),
        }
    }

    fn go(&mut self, level: Level, kind: usize, block: BlockId, index: usize) {
        if self.seen.insert((level, kind, block, index)) {
            self.work.push((level, kind, block, index));
        }
    }

    fn run(&mut self) {
        while let Some((level, kind, block, index)) = self.work.pop() {
            let function = self.kinds.all[kind].0;
            let items = &self.accesses.items[&function][block.index()];
            match items.get(index) {
                Some(&Item::Access(access)) => {
                    if self.passes(level, access) {
                        self.go(level, kind, block, index + 1);
                    }
                }
                Some(&Item::Call(_)) if self.private => self.go(level, kind, block, index + 1),
                Some(&Item::Call(node)) => {
                    let facts = self.subject.facts(function);
                    // A function that is called through others is perhaps not called at all.
                    let direct = &facts.dependence.footprint(node).calls;
                    if !facts.callees[node.index()].iter().all(|callee| direct.contains(callee)) {
                        self.go(level, kind, block, index + 1);
                    }
                    for called in self.kinds.calls(self.subject, kind, node) {
                        self.enter(called, (level, kind, block, index + 1));
                    }
                }
                None => self.leave(level, kind, block),
            }
        }
    }

    /// An access on the way; says whether the definition outlives it.
    fn passes(&mut self, level: Level, access: u32) -> bool {
        let same = level == Level::Same;
        if self.accesses.may_read(self.subject, self.write, access, same) {
            self.found.insert((self.write, access, same));
        }
        !self.accesses.may_kill(self.subject, self.write, access, same)
    }

    fn enter(&mut self, called: usize, back: Position) {
        let waiting = self.waiting.entry(called).or_default();
        if !waiting.contains(&back) {
            waiting.push(back);
        }
        if self.passed.contains(&called) {
            self.go(back.0, back.1, back.2, back.3);
        }
        self.go(Level::Below, called, BlockId::from_index(0), 0);
    }

    /// From the end of a block.
    fn leave(&mut self, level: Level, kind: usize, block: BlockId) {
        let function = self.kinds.all[kind].0;
        let next = self.subject.graph(function).cfg.successors(block);
        for &target in next {
            self.go(level, kind, target, 0);
        }
        let code = self.subject.function(function);
        let returns = matches!(code.instructions[code.terminator(block)].op, Op::Return(_));
        if !returns || self.private {
            return;
        }
        if level == Level::Below {
            if self.passed.insert(kind) {
                for (level, kind, block, index) in self.waiting.get(&kind).cloned().unwrap_or_default() {
                    self.go(level, kind, block, index);
                }
            }
            return;
        }
        for (caller, node) in self.kinds.callers[kind].clone() {
            let function = self.kinds.all[caller].0;
            for (block, items) in self.accesses.items[&function].iter().enumerate() {
                for (index, item) in items.iter().enumerate() {
                    if *item == Item::Call(node) {
                        self.go(Level::Above, caller, BlockId::from_index(block), index + 1);
                    }
                }
            }
        }
    }
}

/// A definition that nothing overwrote yet, and how deep in the stack the call is that made it; [`RETURNED`] if it is over.
pub(crate) type Live = (u32, u32);

/// The call that made a definition has returned.
pub(crate) const RETURNED: u32 = u32::MAX;

/// The definitions that are alive, and the uses in a condition that wait for the side it takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) live: Vec<Live>,
    /// Links, and how deep the condition is executed.
    pub(crate) waiting: Vec<(Link, u32)>,
}

impl Flow {
    /// A function is entered: whatever happened so deep, or deeper, has returned.
    pub(crate) fn enter(&mut self, subject: &Subject<'_>, accesses: &Accesses<'_>, depth: u32) {
        if self.live.iter().all(|&(_, at)| at < depth || at == RETURNED) {
            return;
        }
        self.live.retain(|&(write, at)| at < depth || !accesses.ends_with_call(subject, write));
        for (_, at) in self.live.iter_mut().filter(|(_, at)| *at >= depth) {
            *at = RETURNED;
        }
        self.live.sort_unstable();
        self.live.dedup();
        self.waiting.retain(|&(_, at)| at < depth);
    }

    /// The links that a use completes.
    pub(crate) fn used(&self, read: u32, depth: u32) -> impl Iterator<Item = Link> + '_ {
        self.live.iter().map(move |&(write, at)| (write, read, at == depth))
    }

    /// Something is written; `kills` tells which definitions it may overwrite, `defines` whether it is a definition of interest itself.
    pub(crate) fn write(
        &mut self,
        write: u32,
        depth: u32,
        mut kills: impl FnMut(u32, bool) -> bool,
        defines: bool,
    ) {
        self.live.retain(|&(known, at)| !kills(known, at == depth));
        if defines && let Err(position) = self.live.binary_search(&(write, depth)) {
            self.live.insert(position, (write, depth));
        }
    }
}

/// Whether a use is complete only when its statement takes a side.
pub(crate) fn decides(subject: &Subject<'_>, (function, node): Statement) -> bool {
    subject.graph(function).node(node).kind == NodeKind::Condition
}

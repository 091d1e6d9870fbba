//! Definitions and uses: which belong together, and which definitions are alive on a path.
//!
//! A definition reaches a use if there is a way from one to the other on which nothing overwrites it, into calls and
//! back to callers. Ways are followed by calling convention: a call returns to where it was made, and only what was
//! entered before the definition returns to any caller. Where something on every way *may* overwrite it, the use is
//! blurred: no path shows whether it reads the definition.

use super::accesses::{Accesses, Item};
use super::ahead::Kinds;
use crate::subject::{Statement, Subject};
use incise_change::NodeKind;
use incise_ir::{BlockId, Id, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A definition and a use: two accesses, and whether both happen in the same call of a function.
pub(crate) type Link = (u32, u32, bool);

/// Finds the uses that each definition at an affected statement reaches, in order, and whether they are blurred.
pub(crate) fn links(subject: &Subject<'_>, kinds: &Kinds, accesses: &Accesses<'_>) -> BTreeMap<Link, bool> {
    let mut found: BTreeMap<Link, bool> = BTreeMap::new();
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
                let mut walk = DefinitionWalk::new(subject, kinds, accesses, write);
                walk.go((Level::Same, kind, BlockId::from_index(block), index + 1, false));
                walk.run();
                for (link, blurred) in walk.found {
                    found.entry(link).and_modify(|known| *known &= blurred).or_insert(blurred);
                }
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

/// A position on a way: before an item of a block, and whether the definition may be overwritten by then.
type Position = (Level, usize, BlockId, usize, bool);

struct DefinitionWalk<'w, 'a> {
    subject: &'w Subject<'a>,
    kinds: &'w Kinds,
    accesses: &'w Accesses<'a>,
    write: u32,
    private: bool,
    seen: FxHashSet<Position>,
    work: Vec<Position>,
    /// For each kind that was entered, where its calls go on.
    waiting: FxHashMap<usize, Vec<Position>>,
    /// The kinds that the definition outlives on some way through, and whether it may be overwritten on it.
    passed: FxHashSet<(usize, bool)>,
    found: BTreeMap<Link, bool>,
}

impl<'w, 'a> DefinitionWalk<'w, 'a> {
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
            found: BTreeMap::new(),
        }
    }

    fn go(&mut self, position: Position) {
        if self.seen.insert(position) {
            self.work.push(position);
        }
    }

    fn run(&mut self) {
        while let Some((level, kind, block, index, blurred)) = self.work.pop() {
            let function = self.kinds.all[kind].0;
            let items = &self.accesses.items[&function][block.index()];
            let next = (level, kind, block, index + 1, blurred);
            match items.get(index) {
                Some(&Item::Access(access)) => self.pass(next, access),
                Some(&Item::Call(_)) if self.private => self.go(next),
                Some(&Item::Call(node)) => {
                    let facts = self.subject.facts(function);
                    // A function that is called through others is perhaps not called at all.
                    let direct = &facts.dependence.footprint(node).calls;
                    if !facts.callees[node.index()].iter().all(|callee| direct.contains(callee)) {
                        self.go(next);
                    }
                    for called in self.kinds.calls(self.subject, kind, node) {
                        self.enter(called, next);
                    }
                }
                None => self.leave(level, kind, block, blurred),
            }
        }
    }

    /// An access on the way, and on from it unless it overwrites the definition.
    fn pass(&mut self, (level, kind, block, next, blurred): Position, access: u32) {
        let same = level == Level::Same;
        if self.accesses.may_read(self.subject, self.write, access, same) {
            let link = (self.write, access, same);
            self.found.entry(link).and_modify(|known| *known &= blurred).or_insert(blurred);
        }
        if !self.accesses.must_kill(self.write, access, same) {
            let may = self.accesses.may_kill(self.subject, self.write, access, same);
            self.go((level, kind, block, next, blurred || may));
        }
    }

    fn enter(&mut self, called: usize, back: Position) {
        let waiting = self.waiting.entry(called).or_default();
        if !waiting.contains(&back) {
            waiting.push(back);
        }
        for blurred in [false, true] {
            if self.passed.contains(&(called, blurred)) {
                self.go((back.0, back.1, back.2, back.3, back.4 || blurred));
            }
        }
        self.go((Level::Below, called, BlockId::from_index(0), 0, back.4));
    }

    /// From the end of a block.
    fn leave(&mut self, level: Level, kind: usize, block: BlockId, blurred: bool) {
        let function = self.kinds.all[kind].0;
        let next = self.subject.graph(function).cfg.successors(block);
        for &target in next {
            self.go((level, kind, target, 0, blurred));
        }
        let code = self.subject.function(function);
        let returns = matches!(code.instructions[code.terminator(block)].op, Op::Return(_));
        if !returns || self.private {
            return;
        }
        if level == Level::Below {
            if self.passed.insert((kind, blurred)) {
                for (level, kind, block, index, before) in
                    self.waiting.get(&kind).cloned().unwrap_or_default()
                {
                    self.go((level, kind, block, index, before || blurred));
                }
            }
            return;
        }
        for (caller, node) in self.kinds.callers[kind].clone() {
            let function = self.kinds.all[caller].0;
            for (block, items) in self.accesses.items[&function].iter().enumerate() {
                for (index, item) in items.iter().enumerate() {
                    if *item == Item::Call(node) {
                        self.go((Level::Above, caller, BlockId::from_index(block), index + 1, blurred));
                    }
                }
            }
        }
    }
}

/// A definition that nothing overwrote yet, and how deep in the stack the call is that made it; [`RETURNED`] if it is
/// over.
pub(crate) type Live = (u32, u32);

/// The call that made a definition has returned.
pub(crate) const RETURNED: u32 = u32::MAX;

/// What a path remembers of definitions and uses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Flow {
    /// The definitions that are alive and that other calls may see, in order.
    pub(crate) live: Vec<Live>,
    /// What only the calls themselves see, as a stack of [`Frames`].
    pub(crate) frames: FrameId,
}

/// A stack of calls.
pub(crate) type FrameId = u32;

/// No call.
const NOBODY: FrameId = 0;

/// A call and those below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Frame {
    below: FrameId,
    depth: u32,
    /// The definitions that are alive and that only this call can see, in order.
    live: Vec<u32>,
    /// Uses in a condition that wait for the side it takes, in order.
    waiting: Vec<Link>,
}

/// The stacks of all paths. They share what they have in common: a deep recursion does not make a long list for each
/// path.
pub(crate) struct Frames {
    all: Vec<Frame>,
    index: FxHashMap<Frame, FrameId>,
    /// For each stack, the definitions that are alive in one of its calls, in order.
    alive: Vec<Rc<[u32]>>,
}

impl Frames {
    pub(crate) fn new() -> Self {
        let index = FxHashMap::from_iter([(Frame::default(), NOBODY)]);
        Self { all: vec![Frame::default()], index, alive: vec![Rc::from([])] }
    }

    /// The stack with what a call knows changed; calls that are deeper have returned.
    fn change(&mut self, frames: FrameId, depth: u32, change: impl FnOnce(&mut Frame)) -> FrameId {
        let frames = self.returned(frames, depth + 1);
        let top = &self.all[frames as usize];
        let mut frame = match top.depth == depth && frames != NOBODY {
            true => top.clone(),
            false => Frame { below: frames, depth, ..Frame::default() },
        };
        change(&mut frame);
        if let Some(&known) = self.index.get(&frame) {
            return known;
        }
        let id = self.all.len() as FrameId;
        let below = &self.alive[frame.below as usize];
        let mut alive: Vec<u32> = below.iter().chain(&frame.live).copied().collect();
        alive.sort_unstable();
        alive.dedup();
        let alive = if alive[..] == below[..] { Rc::clone(below) } else { alive.into() };
        self.alive.push(alive);
        self.all.push(frame.clone());
        self.index.insert(frame, id);
        id
    }

    /// The stack without the calls that are so deep, or deeper.
    fn returned(&self, mut frames: FrameId, depth: u32) -> FrameId {
        while frames != NOBODY && self.all[frames as usize].depth >= depth {
            frames = self.all[frames as usize].below;
        }
        frames
    }

    /// The innermost call, if it is so deep.
    fn top(&self, frames: FrameId, depth: u32) -> Option<&Frame> {
        let frames = self.returned(frames, depth + 1);
        Some(&self.all[frames as usize]).filter(|frame| frames != NOBODY && frame.depth == depth)
    }
}

impl Flow {
    /// A function is entered: whatever happened so deep, or deeper, has returned.
    pub(crate) fn enter(&mut self, frames: &Frames, depth: u32) {
        self.frames = frames.returned(self.frames, depth);
        if self.live.iter().all(|&(_, at)| at < depth || at == RETURNED) {
            return;
        }
        self.live.iter_mut().filter(|(_, at)| *at >= depth).for_each(|(_, at)| *at = RETURNED);
        self.live.sort_unstable();
        self.live.dedup();
    }

    /// The links that a use completes.
    pub(crate) fn used(&self, frames: &Frames, read: u32, depth: u32) -> Vec<Link> {
        let own = frames.top(self.frames, depth).map_or(&[][..], |frame| &frame.live);
        let own = own.iter().map(|&write| (write, read, true));
        own.chain(self.live.iter().map(|&(write, at)| (write, read, at == depth))).collect()
    }

    /// Something is written; `kills` tells which definitions it may overwrite, `defines` whether it is a definition of
    /// interest itself, and then whether only its own call can see it.
    pub(crate) fn write(
        &mut self,
        frames: &mut Frames,
        (write, depth): (u32, u32),
        mut kills: impl FnMut(u32, bool) -> bool,
        defines: Option<bool>,
    ) {
        self.live.retain(|&(known, at)| !kills(known, at == depth));
        if defines == Some(false) {
            insert(&mut self.live, (write, depth));
        }
        let own = frames.top(self.frames, depth).is_some_and(|frame| !frame.live.is_empty());
        if own || defines == Some(true) {
            self.frames = frames.change(self.frames, depth, |frame| {
                frame.live.retain(|&known| !kills(known, true));
                if defines == Some(true) {
                    insert(&mut frame.live, write);
                }
            });
        }
    }

    /// A use in a condition waits for the side that is taken.
    pub(crate) fn wait(&mut self, frames: &mut Frames, depth: u32, link: Link) {
        self.frames = frames.change(self.frames, depth, |frame| insert(&mut frame.waiting, link));
    }

    /// The uses that wait.
    pub(crate) fn waiting<'f>(&self, frames: &'f Frames, depth: u32) -> &'f [Link] {
        frames.top(self.frames, depth).map_or(&[], |frame| &frame.waiting)
    }

    /// Those uses no longer wait.
    pub(crate) fn decided(&mut self, frames: &mut Frames, depth: u32, done: impl Fn(&Link) -> bool) {
        if self.waiting(frames, depth).iter().any(&done) {
            self.frames = frames.change(self.frames, depth, |frame| frame.waiting.retain(|link| !done(link)));
        }
    }

    /// Whether one of some definitions is alive.
    pub(crate) fn is_alive(&self, frames: &Frames, definitions: &BTreeSet<u32>) -> bool {
        let own = &frames.alive[self.frames as usize];
        self.live.iter().map(|(write, _)| write).chain(own.iter()).any(|write| definitions.contains(write))
    }
}

/// Puts something where it belongs in a list without duplicates.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(position) = list.binary_search(&item) {
        list.insert(position, item);
    }
}

/// Whether a use is complete only when its statement takes a side.
pub(crate) fn decides(subject: &Subject<'_>, (function, node): Statement) -> bool {
    subject.graph(function).node(node).kind == NodeKind::Condition
}

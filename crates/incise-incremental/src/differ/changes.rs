//! Where the change of one version is, and which paths come by there.
//!
//! A verdict within bounds says little of a changed statement that no path comes by within these bounds. Such a part of
//! the change is told apart here: it is *open* if a path that was cut could still have come to it. Where all paths that
//! could come to it were followed to their ends, and none did, nothing leads there, whatever the bounds are.

use crate::dise::MET;
use crate::subject::{Event, Events, Statement, Subject};
use incise_change::allocates;
use incise_exec::{End, Note, Outcome};
use incise_ir::{
    BlockId, Callee, Cfg, ConstantKind, Dominators, Function, FunctionId, InstructionId, IntegerPredicate,
    Op, Operand, SourcePosition, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where the number of the first change that was met begins in a note. Below is the set of all that were.
pub(super) const NUMBER: u32 = 40;

/// Where the numbers begin of what changed statements do in blocks.
const DONE: u32 = 1 << 24;

/// The set of changes that a path came by, by its note.
pub(super) fn set_of(note: Note) -> u32 {
    note as u32
}

/// The parts of the change that are open, of both versions, with their places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unmet {
    /// Those of the old version, by their numbers.
    pub old: BTreeMap<u32, Option<SourcePosition>>,
    /// Those of the new version.
    pub new: BTreeMap<u32, Option<SourcePosition>>,
    /// Whether there are any that nothing came by, be it that nothing can.
    pub missed: bool,
}

impl Unmet {
    /// Whether everything was met.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    /// Leaves what another comparison did not meet either.
    pub(super) fn keep_common(&mut self, other: &Self) {
        self.old.retain(|number, _| other.old.contains_key(number));
        self.new.retain(|number, _| other.new.contains_key(number));
        self.missed &= other.missed;
    }

    /// The lines that nobody came by: those of the new version, or else of the old one.
    pub(super) fn lines(&self) -> Vec<String> {
        let lines = |places: &BTreeMap<u32, Option<SourcePosition>>| -> BTreeSet<(String, u32)> {
            let known = places.values().flatten();
            known.map(|position| (position.file.to_string(), position.line)).collect()
        };
        let (new, old) = (lines(&self.new), lines(&self.old));
        let said = |(file, line): &(String, u32)| format!("{file}:{line}");
        match new.is_empty() {
            false => new.iter().map(said).collect(),
            true => old.iter().map(|place| format!("{} of the old version", said(place))).collect(),
        }
    }
}

/// Which pairs of paths came by which changes: sets of one version.
#[derive(Clone, Debug, Default)]
pub(super) struct CameBy {
    /// By paths that were compared.
    pub(super) compared: BTreeSet<u32>,
    /// By paths of which the other one was cut.
    pub(super) open: BTreeSet<u32>,
    /// By paths on inputs that were left out, because the old version goes wrong in memory on them.
    pub(super) invalid: BTreeSet<u32>,
}

/// A place where the change is met.
#[derive(Clone, Debug)]
struct ChangePlace {
    statement: Option<Statement>,
    position: Option<SourcePosition>,
}

/// The change of a version.
pub(super) struct Changes<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) events: Events,
    /// Where the change is, by its number less one.
    places: Vec<ChangePlace>,
    /// For each point, the number of the change that is met there.
    numbers: Vec<Option<u32>>,
    /// For each point, the numbers of what was done when control is there.
    behind: Vec<Vec<u32>>,
    /// For each changed statement, its number.
    changed: BTreeMap<Statement, u32>,
    /// The sets of changes that paths came by; the first one is empty.
    sets: Vec<BTreeSet<u32>>,
    /// The set that a set and one more change are.
    larger: BTreeMap<(u32, u32), u32>,
    /// The active statements where paths were cut.
    cuts: BTreeSet<Statement>,
    /// The active statements where paths went wrong in memory, with the blocks that control was in.
    failures: BTreeSet<(Statement, BlockId)>,
    /// For each changed statement and block, the number of having done what it does there.
    done: BTreeMap<(Statement, BlockId), u32>,
    /// The numbers of sides that are taken only if an allocation fails.
    failing: BTreeSet<u32>,
}

impl<'a> Changes<'a> {
    /// Of a version. `others` are told of as well.
    pub(super) fn new(subject: &'a Subject<'a>, others: impl FnOnce(&mut Events)) -> Self {
        let mut events = Events::default();
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids().filter(|&node| subject.is_change((function, node))) {
                events.at(&facts.graph, node, Event::Node(node));
                for (block, behind) in ends_in_blocks(subject, (function, node)) {
                    events.before(function, behind, Event::Behind(node, block));
                }
                // Who compares only what one side of a changed condition leads to has not seen what changed.
                for side in own_sides(subject, (function, node)) {
                    events.side((function, node), side);
                }
            }
            for gap in &facts.gaps {
                match gap.from {
                    None => {
                        if let Some((first, _)) = subject.function(function).instructions.iter().next() {
                            events.before(function, first, Event::Entered);
                        }
                    }
                    Some(node) if subject.is_condition((function, node)) => {
                        events.side((function, node), gap.side);
                    }
                    Some(node) => events.at(&facts.graph, node, Event::Side(node, gap.side)),
                }
            }
        }
        others(&mut events);
        let (sets, larger, cuts) = (vec![BTreeSet::new()], BTreeMap::new(), BTreeSet::new());
        let (places, numbers, behind, changed) = (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
        let (failing, failures, done) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let mut changes = Self {
            subject,
            events,
            places,
            numbers,
            behind,
            changed,
            sets,
            larger,
            cuts,
            failures,
            done,
            failing,
        };
        changes.number();
        changes
    }

    /// Gives the changes their numbers.
    fn number(&mut self) {
        for point in 0..self.events.count() {
            let (function, events) = self.events.of(point);
            let place = events.iter().find_map(|event| match *event {
                Event::Node(node) => Some(self.place((function, node))),
                Event::Side(node, side)
                    if self.subject.is_gap((function, node), side)
                        || self.subject.is_change((function, node)) =>
                {
                    Some(self.place((function, node)))
                }
                Event::Entered => {
                    let first = self.subject.graph(function).ids().next();
                    let nowhere = ChangePlace { statement: None, position: None };
                    Some(first.map_or(nowhere, |node| self.place((function, node))))
                }
                _ => None,
            });
            let changed = events.iter().find_map(|event| match *event {
                Event::Node(node) => Some((function, node)),
                _ => None,
            });
            let number = place.map(|place| {
                self.places.push(place);
                self.places.len() as u32
            });
            let fails = events.iter().any(|event| match *event {
                Event::Side(node, side) => failed_allocation(self.subject, (function, node)) == Some(side),
                _ => false,
            });
            self.failing.extend(number.filter(|_| fails));
            let mut behind = Vec::new();
            for event in events {
                if let Event::Behind(node, block) = *event {
                    let next = DONE + self.done.len() as u32;
                    behind.push(*self.done.entry(((function, node), block)).or_insert(next));
                }
            }
            self.changed.extend(changed.zip(number));
            self.numbers.push(number);
            self.behind.push(behind);
        }
    }

    fn place(&self, (function, node): Statement) -> ChangePlace {
        let location = self.subject.graph(function).node(node).location;
        let position = location.map(|location| self.subject.program.position(location));
        ChangePlace { statement: Some((function, node)), position }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Where a change is.
    pub(super) fn position(&self, number: u32) -> Option<SourcePosition> {
        let place = number.checked_sub(1).and_then(|index| self.places.get(index as usize));
        place.and_then(|place| place.position.clone())
    }

    /// Notes that a path is at a point.
    pub(super) fn reached(&mut self, note: &mut Note, point: u32) {
        for at in 0..self.behind[point as usize].len() {
            self.add(note, self.behind[point as usize][at]);
        }
        if let Some(number) = self.numbers[point as usize] {
            self.came_by(note, number);
        }
    }

    fn came_by(&mut self, note: &mut Note, number: u32) {
        if *note & MET == 0 {
            *note |= MET | Note::from(number) << NUMBER;
        }
        self.add(note, number);
    }

    /// Adds to the set of what a path came by.
    fn add(&mut self, note: &mut Note, number: u32) {
        let set = set_of(*note);
        if self.sets[set as usize].contains(&number) {
            return;
        }
        let larger = match self.larger.get(&(set, number)) {
            Some(&known) => known,
            None => {
                let mut numbers = self.sets[set as usize].clone();
                numbers.insert(number);
                let made = self.sets.len() as u32;
                self.sets.push(numbers);
                self.larger.insert((set, number), made);
                made
            }
        };
        *note = *note >> 32 << 32 | Note::from(larger);
    }

    /// Notes how a path ended. A value that is computed ahead of its statement, as in `x = c ? a / b : 0`, fails before
    /// control comes to the statement.
    pub(super) fn finished(&mut self, note: &mut Note, end: &End<'_>) {
        if *note & MET == 0 {
            let number = end.stack.frames().find_map(|frame| {
                let node = self.subject.owner(frame.function, frame.instruction)?;
                self.changed.get(&(frame.function, node)).copied()
            });
            if let Some(number) = number {
                self.came_by(note, number);
            }
        }
        let cut = end.outcome.is_cut() && !matches!(end.outcome, Outcome::Discarded | Outcome::Pruned);
        if !cut && !end.outcome.is_memory_error() {
            return;
        }
        let subject = self.subject;
        let owned = |frame: incise_exec::Origin| {
            let statement = (frame.function, subject.owner(frame.function, frame.instruction)?);
            Some((statement, block_of(subject.function(frame.function), frame.instruction)?))
        };
        let active = end.stack.frames().filter_map(owned);
        if cut {
            self.cuts.extend(active.map(|(statement, _)| statement));
        } else {
            self.failures.extend(active);
        }
    }

    /// Whether a path that came by these changes came by one of those.
    pub(super) fn has_one_of(&self, note: Note, wanted: &BTreeMap<u32, Option<SourcePosition>>) -> bool {
        self.sets[set_of(note) as usize].iter().any(|number| wanted.contains_key(number))
    }

    /// The changes that no path which was compared came by, and that one could have come by. Without `by_cuts` any path
    /// could; where allocations do not fail, what they lead to then is beyond all paths.
    pub(super) fn unmet(
        &self,
        came_by: &CameBy,
        by_cuts: bool,
        allocations_fail: bool,
    ) -> BTreeMap<u32, Option<SourcePosition>> {
        let all = |sets: &BTreeSet<u32>| -> BTreeSet<u32> {
            sets.iter().flat_map(|&set| &self.sets[set as usize]).copied().collect()
        };
        let (met, open) = (all(&came_by.compared), all(&came_by.open));
        let beyond = |number: &u32| !allocations_fail && self.failing.contains(number);
        let numbers =
            (1..=self.places.len() as u32).filter(|number| !met.contains(number) && !beyond(number));
        let unmet = numbers.filter(|number| {
            let statement = self.places[*number as usize - 1].statement;
            !by_cuts
                || open.contains(number)
                || statement.is_none_or(|statement| self.is_ahead_of_cuts(statement))
        });
        unmet.map(|number| (number, self.position(number))).collect()
    }

    fn is_ahead_of_cuts(&self, statement: Statement) -> bool {
        let ahead = Ahead::of(self.subject, &[statement]);
        self.cuts.iter().any(|&cut| ahead.from(cut))
    }

    /// The changed statements of which nothing that was compared tells, because paths went wrong in memory before: no
    /// pair came by, or none did what the statement does in a block where others failed, or only came to if they did
    /// not.
    pub(super) fn hidden(&self, came_by: &CameBy) -> BTreeMap<u32, Option<SourcePosition>> {
        let came_by_one = |sets: &BTreeSet<u32>, number: &u32| {
            sets.iter().any(|&set| self.sets[set as usize].contains(number))
        };
        let compared = |number: &u32| came_by_one(&came_by.compared, number);
        let hidden = self.changed.iter().filter(|&(&statement, number)| {
            if compared(number) {
                let mut parts =
                    self.done.iter().filter(|((of, _), done)| *of == statement && !compared(done));
                return parts.any(|((_, block), _)| self.is_behind_failure(statement.0, *block));
            }
            came_by_one(&came_by.invalid, number) || {
                let ahead = Ahead::of(self.subject, &[statement]);
                self.failures.iter().any(|&(failed, _)| failed == statement || ahead.from(failed))
            }
        });
        hidden.map(|(_, &number)| (number, self.position(number))).collect()
    }

    /// Whether control comes to the end of a block only where another path failed.
    fn is_behind_failure(&self, function: FunctionId, block: BlockId) -> bool {
        let mut failures = self.failures.iter().filter(|((failed, _), _)| *failed == function).peekable();
        if failures.peek().is_none() {
            return false;
        }
        let graph = Cfg::new(self.subject.function(function));
        let dominators = Dominators::new(&graph);
        failures.any(|&(_, failed)| failed == block || dominators.dominates(failed, block))
    }

    /// The statements of these changes.
    pub(super) fn statements(&self, numbers: &BTreeMap<u32, Option<SourcePosition>>) -> Vec<Statement> {
        numbers.keys().filter_map(|&number| self.places.get(number as usize - 1)?.statement).collect()
    }
}

/// The block of an instruction.
fn block_of(function: &Function, instruction: InstructionId) -> Option<BlockId> {
    function.blocks.ids().find(|&block| function.block_instructions(block).any(|id| id == instruction))
}

/// The blocks in which a statement does something, and the instruction there that comes when it is done.
fn ends_in_blocks(subject: &Subject<'_>, (function, node): Statement) -> Vec<(BlockId, InstructionId)> {
    if subject.stops_for_good((function, node)) {
        return Vec::new();
    }
    let body = subject.function(function);
    let owned = |id: &InstructionId| subject.owner(function, *id) == Some(node);
    let ends = body.blocks.ids().filter_map(|block| {
        let mut instructions = body.block_instructions(block).rev();
        // What comes before it is the instruction behind the last one of the statement, or that is the last of all.
        let mut behind = body.terminator(block);
        let last = instructions.find(|id| {
            let found = owned(id);
            behind = if found { behind } else { *id };
            found
        });
        last.map(|_| (block, behind))
    });
    ends.collect()
}

/// The sides of a changed condition that are told of for themselves. What the cases of a `switch` lead to has
/// statements of its own, and the way past all of them is often impossible.
fn own_sides(subject: &Subject<'_>, (function, node): Statement) -> Vec<usize> {
    let blocks = subject.graph(function).side_blocks(node);
    if !subject.is_condition((function, node)) || blocks.len() > 2 {
        return Vec::new();
    }
    let sides = 0..blocks.len();
    let is_own = |&side: &usize| {
        let gap = (0..blocks.len())
            .any(|other| blocks[other] == blocks[side] && subject.is_gap((function, node), other));
        !gap && !blocks[..side].contains(&blocks[side])
    };
    sides.filter(is_own).collect()
}

/// The side of a condition that is taken only if an allocation in the same statement fails: nobody explores that its
/// result is null, unless allocations are made to fail.
fn failed_allocation(subject: &Subject<'_>, (function, node): Statement) -> Option<usize> {
    let (program, body) = (subject.program, subject.function(function));
    let roots = &subject.graph(function).node(node).roots;
    let Op::ConditionalBranch { condition: Operand::Value(condition), .. } =
        &body.instructions[*roots.last()?].op
    else {
        return None;
    };
    let making = |value: ValueId| {
        body.instructions.iter().find(|(_, each)| each.result == Some(value)).map(|(_, each)| &each.op)
    };
    let Op::IntegerCompare { predicate, left: Operand::Value(tested), right: Operand::Constant(null) } =
        making(*condition)?
    else {
        return None;
    };
    let allocated = roots.iter().find_map(|&root| match &body.instructions[root].op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) if allocates(&program.functions[callee].name) => {
                body.instructions[root].result
            }
            _ => None,
        },
        _ => None,
    })?;
    // The result is tested itself, or the variable that it was put into.
    let is_tested = *tested == allocated
        || matches!(making(*tested), Some(Op::Load { pointer: read, .. })
            if roots.iter().any(|&root| matches!(&body.instructions[root].op,
                Op::Store { value, pointer, .. } if *value == Operand::Value(allocated) && pointer == read)));
    let is_null = program.constants[*null].kind == ConstantKind::Null;
    match predicate {
        IntegerPredicate::Equal if is_tested && is_null => Some(0),
        IntegerPredicate::NotEqual if is_tested && is_null => Some(1),
        _ => None,
    }
}

/// From where control can come to some statements, calls included.
pub(super) struct Ahead {
    leading: BTreeMap<FunctionId, Vec<bool>>,
}

impl Ahead {
    pub(super) fn of(subject: &Subject<'_>, statements: &[Statement]) -> Self {
        let functions = &subject.scope.functions;
        // The functions that come to one of them, by themselves or by what they call.
        let mut coming: BTreeSet<FunctionId> = statements.iter().map(|&(function, _)| function).collect();
        loop {
            let calls = |function: &FunctionId| {
                functions[function].callees.iter().flatten().any(|callee| coming.contains(callee))
            };
            let more: Vec<FunctionId> =
                functions.keys().copied().filter(|each| !coming.contains(each) && calls(each)).collect();
            if more.is_empty() {
                break;
            }
            coming.extend(more);
        }
        let leading = functions.iter().map(|(&function, facts)| {
            let own = statements.iter().filter(|&&(other, _)| other == function).map(|&(_, node)| node);
            let calls = facts
                .graph
                .ids()
                .filter(|node| facts.callees[node.index()].iter().any(|callee| coming.contains(callee)));
            (function, subject.backwards(function, own.chain(calls)))
        });
        Self { leading: leading.collect() }
    }

    /// Whether control can come to one of the statements from a statement, or is there.
    pub(super) fn from(&self, (function, node): Statement) -> bool {
        self.leading.get(&function).is_none_or(|leading| leading[node.index()])
    }
}

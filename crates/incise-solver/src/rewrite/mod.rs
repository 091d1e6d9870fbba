//! Rewriting at construction.
//!
//! Every rule is an entry of a table: a name, what it matches and what it makes, and a small function that tries it on
//! a node about to be made. The first rule that fires gives the node's place to its result, which is built by the
//! public constructors and so is in normal form itself. Every firing is counted. The tests prove each rule by
//! evaluating both sides for all values at small widths, and the whole at large widths on random expressions.
//!
//! What a rule may do: look a few operands deep, and build a few nodes. Building nodes inside a rule nests; at
//! [`DEPTH_LIMIT`] nodes are kept as they are. So construction takes bounded time, and its result depends on the
//! structure of the operands alone, never on what else is in the arena: two arenas build the same expression for the
//! same program.
//!
//! The normal forms, in short:
//! - constants are on the right of commutative operations, a base to the right of everything; other operands are in the
//!   order of their structural hashes; `x - c` is `x + (-c)`, constants are pulled out of sums;
//! - right shifts and masks of one run of bits are extractions under extensions; so are shifts of what can be cut;
//! - concatenations nest to the right, and neighbouring parts of one expression are joined, so that a value stored and
//!   loaded byte by byte is itself again;
//! - comparisons are `==`, unsigned and signed `<`, with a constant on the right, at the narrowest width; those of a
//!   constant table are comparisons of its index, if they are few.

mod address;
mod arithmetic;
mod array;
mod bitwise;
mod choice;
mod concat;
mod division;
mod equality;
mod extract;
mod float;
mod order;
mod resize;
mod shape;
mod shift;
mod table;
#[cfg(test)]
pub(crate) mod tests;

use crate::evaluate::compute;
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs, Relation};

/// How deep rules nest before nodes are kept as they are.
const DEPTH_LIMIT: u32 = 24;

/// A rewriting rule.
pub struct Rule {
    /// A unique name, such as `add-zero`.
    pub name: &'static str,
    /// What it matches and what it makes, such as `x + 0 => x`.
    pub rewrites: &'static str,
    apply: fn(&mut Exprs, &Term) -> Option<ExprId>,
}

const fn rule(
    name: &'static str,
    rewrites: &'static str,
    apply: fn(&mut Exprs, &Term) -> Option<ExprId>,
) -> Rule {
    Rule { name, rewrites, apply }
}

/// A node about to be made, with its operands at hand. Operands that the kind does not have repeat the first.
struct Term {
    kind: ExprKind,
    width: u32,
    a: ExprId,
    b: ExprId,
    c: ExprId,
}

/// All tables; [`table_of`] gives the place of a node's. The first holds what is tried for every node.
const TABLES: [&[Rule]; 28] = [
    GENERAL,
    arithmetic::ADD,
    arithmetic::SUB,
    arithmetic::MUL,
    division::UDIV,
    division::SDIV,
    division::UREM,
    division::SREM,
    shift::SHL,
    shift::LSHR,
    shift::ASHR,
    bitwise::AND,
    bitwise::OR,
    bitwise::XOR,
    equality::EQ,
    order::ULT,
    order::SLT,
    bitwise::NOT,
    resize::ZEXT,
    resize::SEXT,
    extract::EXTRACT,
    concat::CONCAT,
    choice::ITE,
    array::SELECT,
    float::COMPARE,
    float::TO_INT,
    float::BINARY,
    &[],
];

fn table_of(kind: &ExprKind) -> usize {
    match *kind {
        ExprKind::Binary(op, ..) => 1 + op as usize,
        ExprKind::Compare(relation, ..) => 14 + relation as usize,
        ExprKind::Not(_) => 17,
        ExprKind::ZeroExtend(_) => 18,
        ExprKind::SignExtend(_) => 19,
        ExprKind::Extract { .. } => 20,
        ExprKind::Concat(..) => 21,
        ExprKind::Ite(..) => 22,
        ExprKind::Select(..) => 23,
        ExprKind::FloatCompare(..) => 24,
        ExprKind::FloatToInt { .. } => 25,
        ExprKind::FloatBinary(..) => 26,
        _ => TABLES.len() - 1,
    }
}

/// What is tried for every node.
const GENERAL: &[Rule] = &[
    rule("fold", "an operation on constants => its value", fold),
    rule("known-bits", "an operation whose bits are all known => its value", known),
];

fn fold(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    if matches!(t.kind, ExprKind::Select(..)) {
        return None;
    }
    for &operand in t.kind.operands().iter() {
        e.as_constant(operand)?;
    }
    let value = compute(e, &t.kind, t.width, |operand| e.as_constant(operand).unwrap_or(0));
    Some(e.constant(value, t.width))
}

/// Sums and moves of bits are left alone, as they may carry a base on; of the others, known bits say all.
fn known(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    match t.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => return None,
        ExprKind::Binary(..) => {}
        ExprKind::Extract { of, .. } if e.based(of).is_none() => {}
        _ => return None,
    }
    let value = e.known_bits_of_kind(&t.kind, t.width).value(t.width)?;
    Some(e.constant(value, t.width))
}

/// The state of rewriting: whether it is on, how deep it is nested, and what fired how often.
pub(crate) struct Rewriter {
    enabled: bool,
    depth: u32,
    /// The deepest nesting since the node being built was begun.
    reached: u32,
    counts: Vec<u64>,
    /// How often nesting reached the limit.
    cut: u64,
    /// What became of nodes that were rewritten lately, by hash; empty until the first.
    memory: Vec<Option<Rewritten>>,
    #[cfg(test)]
    log: Option<Vec<tests::Firing>>,
}

/// How deep rules are nested.
pub(crate) struct Nesting {
    depth: u32,
    reached: u32,
}

/// A node that was rewritten, its result, and the nesting that it took.
struct Rewritten {
    kind: ExprKind,
    width: u8,
    height: u8,
    result: ExprId,
}

const MEMORY: usize = 1 << 13;

impl Rewriter {
    pub(crate) fn new() -> Self {
        Rewriter {
            enabled: true,
            depth: 0,
            reached: 0,
            counts: vec![0; rules().count()],
            cut: 0,
            memory: Vec::new(),
            #[cfg(test)]
            log: None,
        }
    }

    pub(crate) fn disabled() -> Self {
        Rewriter { enabled: false, ..Self::new() }
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Whether so much more nesting would have stayed within the limit. If so it counts as if it had taken place.
    #[inline]
    pub(crate) fn admits(&mut self, height: u8) -> bool {
        let reached = self.depth + height as u32;
        let admitted = reached <= DEPTH_LIMIT;
        if admitted {
            self.reached = self.reached.max(reached);
        }
        admitted
    }

    /// Forgets about nesting until [`Rewriter::back_to`], for what must come out the same wherever it is asked for.
    pub(crate) fn at_the_top(&mut self) -> Nesting {
        let nesting = Nesting { depth: self.depth, reached: self.reached };
        (self.depth, self.reached) = (0, 0);
        nesting
    }

    pub(crate) fn back_to(&mut self, nesting: Nesting) {
        (self.depth, self.reached) = (nesting.depth, nesting.reached);
    }

    /// The result for a node that was rewritten lately.
    #[inline]
    pub(crate) fn remembered(&mut self, hash: u64, kind: &ExprKind, width: u32) -> Option<ExprId> {
        let entry = self.memory.get(hash as usize % MEMORY)?.as_ref()?;
        if entry.kind != *kind || entry.width as u32 != width {
            return None;
        }
        let (result, height) = (entry.result, entry.height);
        self.admits(height).then_some(result)
    }

    pub(crate) fn remember(&mut self, hash: u64, kind: ExprKind, width: u32, result: ExprId, height: u8) {
        if self.memory.is_empty() {
            self.memory.resize_with(MEMORY, || None);
        }
        self.memory[hash as usize % MEMORY] = Some(Rewritten { kind, width: width as u8, height, result });
    }
}

/// The number of a table's first rule.
const fn first_rule(table: usize) -> usize {
    let mut first = 0;
    let mut at = 0;
    while at < table {
        first += TABLES[at].len();
        at += 1;
    }
    first
}

const FIRST_RULES: [usize; TABLES.len()] = {
    let mut all = [0; TABLES.len()];
    let mut at = 0;
    while at < TABLES.len() {
        all[at] = first_rule(at);
        at += 1;
    }
    all
};

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    TABLES.into_iter().flatten()
}

impl Exprs {
    /// How often each rule fired in this arena, in the order of [`rules`].
    pub fn rule_counts(&self) -> impl Iterator<Item = (&'static Rule, u64)> + '_ {
        rules().zip(self.rewriter.counts.iter().copied())
    }

    /// How often nesting of rules reached its limit, so that a node was kept as it was.
    pub fn rewrites_cut(&self) -> u64 {
        self.rewriter.cut
    }
}

/// Tries the rules on a node that is about to be made. Also tells how deep they nested, unless nesting was cut.
pub(crate) fn apply(exprs: &mut Exprs, kind: &ExprKind, width: u32) -> (Option<ExprId>, Option<u8>) {
    let (depth, cuts) = (exprs.rewriter.depth, exprs.rewriter.cut);
    if depth >= DEPTH_LIMIT {
        exprs.rewriter.cut += 1;
        return (None, None);
    }
    let operands = kind.operands();
    let Some(&first) = operands.first() else { return (None, Some(0)) };
    let at = |i: usize| operands.get(i).copied().unwrap_or(first);
    let term = Term { kind: *kind, width, a: at(0), b: at(1), c: at(2) };
    exprs.rewriter.depth = depth + 1;
    let before = std::mem::replace(&mut exprs.rewriter.reached, depth + 1);
    let result = try_table(exprs, &term, 0).or_else(|| try_table(exprs, &term, table_of(kind)));
    let reached = exprs.rewriter.reached;
    exprs.rewriter.depth = depth;
    exprs.rewriter.reached = before.max(reached);
    let complete = exprs.rewriter.cut == cuts;
    (result, complete.then_some((reached - depth) as u8))
}

fn try_table(exprs: &mut Exprs, term: &Term, table: usize) -> Option<ExprId> {
    for (place, rule) in TABLES[table].iter().enumerate() {
        if let Some(result) = (rule.apply)(exprs, term) {
            let number = FIRST_RULES[table] + place;
            exprs.rewriter.counts[number] += 1;
            #[cfg(test)]
            if let Some(log) = &mut exprs.rewriter.log {
                log.push(tests::Firing { rule: number, kind: term.kind, width: term.width, result });
            }
            return Some(result);
        }
    }
    None
}

/// The place of each operator in the tables is by its number.
const _: () =
    assert!(BinaryOp::Add as usize == 0 && BinaryOp::Xor as usize == 12 && Relation::Slt as usize == 2);

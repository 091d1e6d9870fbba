//! What holds of the values that move in a loop, beside that some move together: limits, steps, and numbers of another
//! width that move as far.
//!
//! Facts are guessed from the first turn and from the constants of the programs, and those that a turn refutes are
//! dropped, as in Houdini (Flanagan, Leino, FME 2001). What is left when no turn refutes anything any more holds for
//! any number of turns.

use super::places::{Location, value_at};
use super::template::Guessing;
use super::values::{Ask, has_base};
use incise_exec::Session;
use incise_exec::inside::{State, mask};
use incise_ir::{ConstantKind, FunctionId, Operand, Program, Type};
use incise_solver::{Answer, CompareOp, Constraints, ExprId, Exprs, Model};
use std::collections::{BTreeMap, BTreeSet};

/// So many constants are tried as limits.
const MOST_CONSTANTS: usize = 32;
/// So many facts are guessed at once.
const MOST_FACTS: usize = 400;
/// The largest number of elements that a loop may look ahead.
const LARGEST_MARGIN: u128 = 64;
/// The steps that are looked for are powers of two up to this one.
const LARGEST_STEP: u32 = 5;

/// A number or an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// One that does not change in the loop.
    Fixed(ExprId),
    /// What is at a place, with so many bits.
    At(Location, u32),
}

/// Something that may hold whenever two programs come to their loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// The first is not larger than the second.
    AtMost { low: Term, high: Term, signed: bool },
    /// The first is smaller than the second, by more than so much.
    Less { low: Term, by: u32, high: Term, signed: bool },
    /// It moved by a multiple of a power of two.
    Steps { moving: Term, origin: ExprId, power: u32 },
    /// The wide one moved as far as the narrow one.
    AsFar { wide: (Term, ExprId), narrow: (Term, ExprId), signed: bool },
    /// The narrow one moved no farther than the wide one.
    NoFarther { wide: (Term, ExprId), narrow: (Term, ExprId), signed: bool },
}

/// A value that moves: where it is, what it was at first, and by how much it moved the first time, if that is a
/// constant.
#[derive(Copy, Clone, Debug)]
pub(super) struct Moving {
    pub(super) location: Location,
    pub(super) width: u32,
    pub(super) origin: ExprId,
    pub(super) distance: Option<i128>,
}

impl Moving {
    fn term(&self) -> Term {
        Term::At(self.location, self.width)
    }
}

impl Fact {
    /// The condition that it is for two states; `None` if it makes no sense there.
    fn condition(&self, exprs: &mut Exprs, states: [&State; 2]) -> Option<ExprId> {
        match *self {
            Self::AtMost { low, high, signed } => {
                let (low, high) = comparable(exprs, states, low, high)?;
                let op = if signed { CompareOp::Sle } else { CompareOp::Ule };
                Some(exprs.compare(op, low, high))
            }
            Self::Less { low, by, high, signed } => {
                let (low, high) = comparable(exprs, states, low, high)?;
                let (less, at_most) = match signed {
                    true => (CompareOp::Slt, CompareOp::Sle),
                    false => (CompareOp::Ult, CompareOp::Ule),
                };
                let width = exprs.width(low);
                let by = exprs.constant(u128::from(by) & mask(width), width);
                let sum = exprs.add(low, by);
                let fits = exprs.compare(at_most, low, sum);
                let less = exprs.compare(less, sum, high);
                Some(exprs.and(fits, less))
            }
            Self::Steps { moving, origin, power } => {
                let moved = moved(exprs, states, moving, origin)?;
                let width = exprs.width(moved);
                let rest = exprs.constant((1 << power) - 1, width);
                let rest = exprs.binary(incise_solver::BinaryOp::And, moved, rest);
                let zero = exprs.constant(0, width);
                Some(exprs.compare(CompareOp::Eq, rest, zero))
            }
            Self::AsFar { wide, narrow, signed } | Self::NoFarther { wide, narrow, signed } => {
                let wide = moved(exprs, states, wide.0, wide.1)?;
                let narrow = moved(exprs, states, narrow.0, narrow.1)?;
                let width = exprs.width(wide);
                let widened = match signed {
                    true => exprs.sext(narrow, width),
                    false => exprs.zext(narrow, width),
                };
                let op = match (self, signed) {
                    (Self::AsFar { .. }, _) => CompareOp::Eq,
                    (_, true) => CompareOp::Sge,
                    (_, false) => CompareOp::Uge,
                };
                Some(exprs.compare(op, wide, widened))
            }
        }
    }
}

/// A number without an object, or an offset within one.
fn resolve(exprs: &mut Exprs, states: [&State; 2], term: Term) -> Option<(Option<u64>, ExprId)> {
    let expr = match term {
        Term::Fixed(expr) => expr,
        Term::At((who, place), width) => value_at(exprs, states[who], place, width).ok()??,
    };
    if let Some((base, offset)) = exprs.split_base(expr) {
        return (!has_base(exprs, offset)).then_some((Some(base), offset));
    }
    (!has_base(exprs, expr)).then_some((None, expr))
}

/// Two numbers of one width, or two offsets within one object.
fn comparable(exprs: &mut Exprs, states: [&State; 2], low: Term, high: Term) -> Option<(ExprId, ExprId)> {
    let (low, high) = (resolve(exprs, states, low)?, resolve(exprs, states, high)?);
    let alike = low.0 == high.0 && exprs.width(low.1) == exprs.width(high.1);
    alike.then_some((low.1, high.1))
}

/// How far a value is from what it was at first.
fn moved(exprs: &mut Exprs, states: [&State; 2], term: Term, origin: ExprId) -> Option<ExprId> {
    let now = resolve(exprs, states, term)?;
    let before = resolve(exprs, states, Term::Fixed(origin))?;
    (now.0 == before.0).then(|| exprs.sub(now.1, before.1))
}

/// Adds what holds to what is known of two states.
pub(super) fn assume(session: &mut Session, states: &mut [Box<State>; 2], facts: &[Fact]) {
    for fact in telling(&session.exprs, facts) {
        let condition = fact.condition(&mut session.exprs, [&*states[0], &*states[1]]);
        let Some(condition) = condition.filter(|&each| session.exprs.as_constant(each).is_none()) else {
            continue;
        };
        for state in states.iter_mut() {
            state.constraints.push(&session.exprs, condition);
        }
    }
}

/// Drops the facts that do not hold, as far as can be told, wherever two states can be. True if all hold.
pub(super) fn keep_holding(ask: &mut Ask<'_>, states: [&State; 2], facts: &mut Vec<Fact>) -> bool {
    let (constraints, model) = (ask.constraints.clone(), ask.model.clone());
    let known = (&constraints, &model);
    let mut telling = telling(&ask.session.exprs, facts);
    let count = telling.len();
    retain(ask.session, states, known, &mut telling);
    if telling.len() == count {
        return true;
    }
    retain(ask.session, states, known, facts);
    false
}

fn retain(
    session: &mut Session,
    states: [&State; 2],
    (constraints, model): (&Constraints, &Model),
    facts: &mut Vec<Fact>,
) {
    let mut conditions: BTreeMap<usize, ExprId> = BTreeMap::new();
    for (index, fact) in facts.iter().enumerate() {
        let condition = fact.condition(&mut session.exprs, states);
        conditions.extend(condition.map(|condition| (index, condition)));
    }
    conditions.retain(|_, condition| session.solver.evaluate(&session.exprs, *condition, model) != 0);
    // All at once: a model in which one does not hold refutes others, too.
    loop {
        let mut all = session.exprs.boolean(true);
        for &condition in conditions.values() {
            all = session.exprs.and(all, condition);
        }
        let wrong = session.exprs.not(all);
        match session.exprs.as_constant(wrong) {
            Some(0) => break,
            Some(_) => conditions.clear(),
            None => {}
        }
        match session.solver.check(&mut session.exprs, constraints, wrong, model) {
            Answer::Unsat => break,
            Answer::Sat(refuting) => {
                let before = conditions.len();
                conditions.retain(|_, condition| {
                    session.solver.evaluate(&session.exprs, *condition, &refuting) != 0
                });
                if conditions.len() == before {
                    conditions.clear();
                }
            }
            // Some are easier than all.
            Answer::Unknown(_) => {
                conditions.retain(|_, condition| {
                    let wrong = session.exprs.not(*condition);
                    let answer = session.solver.check(&mut session.exprs, constraints, wrong, model);
                    matches!(answer, Answer::Unsat)
                });
                break;
            }
        }
    }
    let mut index = 0;
    facts.retain(|_| {
        let holds = conditions.contains_key(&index);
        index += 1;
        holds
    });
}

/// What may hold of values that move: it held at first, and holds after a turn.
pub(super) fn guessed(
    ask: &mut Ask<'_>,
    programs: [&Program; 2],
    [first, now]: [[&State; 2]; 2],
    moving: &[Moving],
    fixed: &[ExprId],
    guessing: Guessing,
) -> Vec<Fact> {
    let strict = guessing != Guessing::Orders;
    let mut facts = Vec::new();
    let mut constants: BTreeSet<u128> = BTreeSet::new();
    for who in [0, 1] {
        for function in functions(now[who]) {
            constants_of(programs[who], function, &mut constants);
        }
    }
    if guessing == Guessing::Margins {
        facts.extend(with_margins(&mut ask.session.exprs, moving, fixed, &constants));
    }
    for (index, each) in moving.iter().enumerate() {
        let exprs = &mut ask.session.exprs;
        let pointer = has_base(exprs, each.origin);
        facts.push(at_most(Term::Fixed(each.origin), each.term(), false));
        facts.push(at_most(each.term(), Term::Fixed(each.origin), false));
        if let Some(distance) = each.distance.filter(|&distance| distance != 0) {
            let power = distance.trailing_zeros().min(LARGEST_STEP);
            if power > 0 {
                facts.push(Fact::Steps { moving: each.term(), origin: each.origin, power });
            }
        }
        for &limit in fixed.iter().filter(|&&limit| exprs.width(limit) == each.width) {
            facts.push(at_most(each.term(), Term::Fixed(limit), false));
            facts.extend(strict.then(|| less(each.term(), Term::Fixed(limit), false)));
            if !pointer {
                facts.push(at_most(each.term(), Term::Fixed(limit), true));
                facts.extend(strict.then(|| less(each.term(), Term::Fixed(limit), true)));
            }
        }
        if !pointer {
            let zero = exprs.constant(0, each.width);
            facts.push(at_most(Term::Fixed(zero), each.term(), true));
            // A counter passes all numbers.
            let counts = each.distance.is_some_and(|distance| distance != 0);
            for &limit in constants.iter().filter(|&&limit| !counts && limit <= mask(each.width)) {
                let limit = Term::Fixed(exprs.constant(limit, each.width));
                facts.push(at_most(each.term(), limit, false));
            }
        }
        for other in &moving[index + 1..] {
            if other.width == each.width {
                for (one, other) in [(each, other), (other, each)] {
                    facts.push(at_most(one.term(), other.term(), false));
                    facts.extend(strict.then(|| less(one.term(), other.term(), false)));
                }
            } else {
                let (wide, narrow) = if each.width > other.width { (each, other) } else { (other, each) };
                for signed in [false, true] {
                    let (wide, narrow) = ((wide.term(), wide.origin), (narrow.term(), narrow.origin));
                    facts.push(Fact::AsFar { wide, narrow, signed });
                    facts.push(Fact::NoFarther { wide, narrow, signed });
                }
            }
        }
    }
    facts.dedup();
    let at_first = (&first[1].constraints, &first[1].model);
    // What a single input refutes costs no question.
    facts.retain(|fact| {
        let Session { exprs, solver, .. } = &mut *ask.session;
        [(first, at_first.1), (now, ask.model)].into_iter().all(|(states, model)| {
            let condition = fact.condition(exprs, states);
            condition.is_some_and(|condition| solver.evaluate(exprs, condition, model) != 0)
        })
    });
    facts.truncate(MOST_FACTS);
    retain(ask.session, first, at_first, &mut facts);
    keep_holding(ask, now, &mut facts);
    facts
}

/// How far values that move may be from those that do not, where more than one turn is done at a time.
fn with_margins(
    exprs: &mut Exprs,
    moving: &[Moving],
    fixed: &[ExprId],
    constants: &BTreeSet<u128>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    let by: Vec<u32> =
        constants.iter().filter(|&&by| (1..=LARGEST_MARGIN).contains(&by)).map(|&by| by as u32).collect();
    for each in moving {
        let pointer = has_base(exprs, each.origin);
        for &by in &by {
            for &limit in fixed.iter().filter(|&&limit| exprs.width(limit) == each.width) {
                let (low, high) = (each.term(), Term::Fixed(limit));
                facts.push(Fact::Less { low, by, high, signed: false });
                if !pointer {
                    facts.push(Fact::Less { low, by, high, signed: true });
                }
            }
            if !pointer {
                let least = Term::Fixed(exprs.constant(u128::from(by), each.width));
                facts.push(at_most(least, each.term(), false));
                facts.push(at_most(least, each.term(), true));
            }
        }
    }
    facts
}

fn at_most(low: Term, high: Term, signed: bool) -> Fact {
    Fact::AtMost { low, high, signed }
}

fn less(low: Term, high: Term, signed: bool) -> Fact {
    Fact::Less { low, by: 0, high, signed }
}

/// The facts that the others follow from.
fn telling(exprs: &Exprs, facts: &[Fact]) -> Vec<Fact> {
    let limit = |fact: &Fact| match *fact {
        Fact::AtMost { low: Term::At(location, _), high: Term::Fixed(high), signed: false } => {
            exprs.as_constant(high).map(|high| (location, high))
        }
        _ => None,
    };
    let mut closest: BTreeMap<Location, u128> = BTreeMap::new();
    for (location, high) in facts.iter().filter_map(limit) {
        let known = closest.entry(location).or_insert(high);
        *known = high.min(*known);
    }
    let telling = facts.iter().filter(|fact| limit(fact).is_none_or(|(at, high)| closest[&at] == high));
    let strict = |fact: &&Fact| match **fact {
        Fact::AtMost { low, high, signed } => !facts.contains(&less(low, high, signed)),
        _ => true,
    };
    without_implied(telling.filter(strict).cloned().collect())
}

/// Without orders that follow from two others.
fn without_implied(mut facts: Vec<Fact>) -> Vec<Fact> {
    let order = |fact: &Fact| match *fact {
        Fact::AtMost { low, high, signed } => Some((low, high, signed)),
        _ => None,
    };
    let mut index = 0;
    while index < facts.len() {
        let implied = order(&facts[index]).is_some_and(|(low, high, signed)| {
            let others = || facts.iter().enumerate().filter(|&(other, _)| other != index);
            others().filter_map(|(_, fact)| order(fact)).any(|(from, middle, sign)| {
                from == low
                    && sign == signed
                    && middle != low
                    && middle != high
                    && others().filter_map(|(_, fact)| order(fact)).any(|last| last == (middle, high, signed))
            })
        });
        if implied {
            facts.remove(index);
        } else {
            index += 1;
        }
    }
    facts
}

/// The active functions of a state.
fn functions(state: &State) -> BTreeSet<FunctionId> {
    let below = state.thread.below.iter_newest_first().map(|frame| frame.code.function);
    below.chain([state.thread.frame.code.function]).collect()
}

/// The constants of a function, and the numbers before them.
fn constants_of(program: &Program, id: FunctionId, found: &mut BTreeSet<u128>) {
    for (_, instruction) in program.functions[id].instructions.iter() {
        instruction.op.for_each_operand(|operand| {
            let Operand::Constant(constant) = operand else { return };
            let constant = &program.constants[constant];
            let Type::Integer(width) = *program.types.get(constant.ty) else { return };
            let ConstantKind::Integer(value) = constant.kind else { return };
            if found.len() < MOST_CONSTANTS && value > 0 && width <= 64 {
                found.extend([value - 1, value]);
            }
        });
    }
}

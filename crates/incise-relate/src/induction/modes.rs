//! The modes that two loops are in: flags, states of a state machine, and which object a pointer leads to.
//!
//! A variable that only ever holds a few values steers a loop more than it takes part in it. Where loops meet with
//! other values of such variables, that is another place: what holds in one mode need not hold in another, and how the
//! flags of two programs belong together is told by the modes that are reached.

use super::places::{TemplatePlace, put};
use super::values::{has_base, register_type, scalar};
use incise_exec::Session;
use incise_exec::inside::{Frame, State, Value};
use incise_ir::promotable;
use incise_ir::{BinaryOp, ConstantKind, Function, FunctionId, Id, Op, Operand, Program, Type};
use incise_solver::{Answer, CompareOp, ExprId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A flag with more values at one meeting is a number.
const MOST_VALUES: usize = 4;
/// Two states are taken apart into so many cases.
const MOST_CASES: usize = 8;

/// What a flag holds, or where a pointer leads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Held {
    Number(u128),
    /// Into the object that begins there.
    Object(u64),
    Null,
    /// It was never set.
    Nothing,
}

/// What the flags and pointers of two programs hold: whose, in which active function, and which register.
pub(super) type Mode = Vec<(usize, usize, usize, Held)>;

/// What a register is to the mode.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Role {
    Flag,
    Pointer,
    None,
}

/// The roles of registers, by function.
#[derive(Default)]
pub(super) struct Roles {
    known: [FxHashMap<FunctionId, Rc<[Role]>>; 2],
}

impl Roles {
    fn of(&mut self, who: usize, program: &Program, id: FunctionId) -> Rc<[Role]> {
        Rc::clone(self.known[who].entry(id).or_insert_with(|| roles(program, &program.functions[id])))
    }

    /// The mode of two states.
    pub(super) fn mode(
        &mut self,
        session: &mut Session,
        programs: [&Program; 2],
        states: [&State; 2],
        live: &[Vec<bool>; 2],
    ) -> Mode {
        let mut mode = Mode::new();
        for who in [0, 1] {
            let memory = &states[who].memory;
            for (index, frame) in frames(states[who]).enumerate() {
                let roles = self.of(who, programs[who], frame.code.function);
                for (register, value) in frame.registers.iter().enumerate() {
                    let dead = index == 0 && !live[who].get(register).copied().unwrap_or(true);
                    let held = match roles.get(register) {
                        _ if dead => None,
                        Some(Role::Flag) => value.as_concrete().map(Held::Number),
                        Some(Role::Pointer) => match scalar(&mut session.exprs, memory, value, 64) {
                            Ok(None) => Some(Held::Nothing),
                            Ok(Some(expr)) => match session.exprs.split_base(expr) {
                                Some((base, _)) => Some(Held::Object(base)),
                                None => (session.exprs.as_constant(expr) == Some(0)).then_some(Held::Null),
                            },
                            Err(_) => None,
                        },
                        _ => None,
                    };
                    mode.extend(held.map(|held| (who, index, register, held)));
                }
            }
        }
        mode
    }

    /// Takes two states apart where a flag can hold several values, or a pointer lead to several objects. They have the
    /// same constraints.
    pub(super) fn apart(
        &mut self,
        session: &mut Session,
        programs: [&Program; 2],
        states: [Box<State>; 2],
    ) -> Vec<[Box<State>; 2]> {
        let mut waiting = vec![states];
        let mut done = Vec::new();
        while let Some(states) = waiting.pop() {
            let room = MOST_CASES.saturating_sub(waiting.len() + done.len());
            match self.cases(session, programs, &states).filter(|cases| cases.len() <= room) {
                Some(cases) => waiting.extend(cases),
                None => done.push(states),
            }
        }
        done
    }

    /// The cases of the first register that has some.
    fn cases(
        &mut self,
        session: &mut Session,
        programs: [&Program; 2],
        states: &[Box<State>; 2],
    ) -> Option<Vec<[Box<State>; 2]>> {
        for who in [0, 1] {
            for (index, frame) in frames(&states[who]).enumerate() {
                let roles = self.of(who, programs[who], frame.code.function);
                for (register, value) in frame.registers.iter().enumerate() {
                    let Value::Symbolic(expr) = *value else { continue };
                    let found = match roles.get(register) {
                        Some(Role::Pointer) if has_base(&session.exprs, expr) => {
                            let Some((condition, ..)) = session.exprs.split_ite(expr) else { continue };
                            by_condition(session, states, condition)
                        }
                        Some(Role::Flag) => {
                            let place = TemplatePlace::Register { frame: index, register };
                            let Some((width, _)) =
                                register_type(programs[who], frame.code.function, register)
                            else {
                                continue;
                            };
                            by_value(session, states, (who, place), expr, width)
                        }
                        _ => None,
                    };
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        None
    }
}

fn frames(state: &State) -> impl Iterator<Item = &Frame> {
    std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first())
}

/// Two states where a condition holds, and where it does not; values that are chosen by it are chosen.
fn by_condition(
    session: &mut Session,
    states: &[Box<State>; 2],
    condition: ExprId,
) -> Option<Vec<[Box<State>; 2]>> {
    let mut cases = Vec::new();
    for holds in [true, false] {
        let wanted = if holds { condition } else { session.exprs.not(condition) };
        let Some(mut case) = constrained(session, states, wanted)? else { continue };
        for state in &mut case {
            let mut frames: Vec<(usize, usize, ExprId)> = Vec::new();
            for (index, frame) in self::frames(state).enumerate() {
                for (register, value) in frame.registers.iter().enumerate() {
                    if let Value::Symbolic(expr) = *value
                        && let Some((chosen_by, then, otherwise)) = session.exprs.split_ite(expr)
                        && chosen_by == condition
                    {
                        frames.push((index, register, if holds { then } else { otherwise }));
                    }
                }
            }
            for (frame, register, expr) in frames {
                let value = Value::from_expr(&session.exprs, expr);
                let width = session.exprs.width(expr);
                put(session, state, TemplatePlace::Register { frame, register }, width, &value);
            }
        }
        cases.push(case);
    }
    Some(cases)
}

/// Two states for each value of a flag; `None` if there are many.
fn by_value(
    session: &mut Session,
    states: &[Box<State>; 2],
    (who, place): (usize, TemplatePlace),
    expr: ExprId,
    width: u32,
) -> Option<Vec<[Box<State>; 2]>> {
    let mut cases = Vec::new();
    let mut others = session.exprs.boolean(true);
    let mut model = states[1].model.clone();
    loop {
        let bits = session.solver.evaluate(&session.exprs, expr, &model);
        let constant = session.exprs.constant(bits, width);
        let equal = session.exprs.compare(CompareOp::Eq, expr, constant);
        let mut case = [Box::new(states[0].fork()), Box::new(states[1].fork())];
        for state in &mut case {
            state.constraints.push(&session.exprs, equal);
            state.model = model.clone();
        }
        let value = Value::from_expr(&session.exprs, constant);
        put(session, &mut case[who], place, width, &value);
        cases.push(case);
        if cases.len() > MOST_VALUES {
            return None;
        }
        let unlike = session.exprs.not(equal);
        others = session.exprs.and(others, unlike);
        let Session { exprs, solver, .. } = &mut *session;
        match solver.check(exprs, &states[1].constraints, others, &states[1].model) {
            Answer::Sat(next) => model = next,
            Answer::Unsat => return Some(cases),
            Answer::Unknown(_) => return None,
        }
    }
}

/// Two states with one more constraint; nothing if it cannot hold, `None` if that is not known.
#[expect(clippy::option_option, reason = "whether it is known, and whether there is one")]
fn constrained(
    session: &mut Session,
    states: &[Box<State>; 2],
    condition: ExprId,
) -> Option<Option<[Box<State>; 2]>> {
    let Session { exprs, solver, .. } = session;
    let model = match solver.check(exprs, &states[1].constraints, condition, &states[1].model) {
        Answer::Sat(model) => model,
        Answer::Unsat => return Some(None),
        Answer::Unknown(_) => return None,
    };
    Some(Some([0, 1].map(|who| {
        let mut state = Box::new(states[who].fork());
        state.constraints.push(exprs, condition);
        state.model = model.clone();
        state
    })))
}

/// What the registers of a function are to the mode.
fn roles(program: &Program, function: &Function) -> Rc<[Role]> {
    let slots = promotable(program, function);
    let few = few_valued(program, function, &slots);
    let role = |index: usize| match () {
        () if few[index] && slots[index] => Role::Flag,
        () => match register_type_of(program, function, index, slots[index]) {
            Some(Type::Pointer) => Role::Pointer,
            _ => Role::None,
        },
    };
    (0..function.values.len()).map(role).collect()
}

/// The type that a register holds.
fn register_type_of<'p>(
    program: &'p Program,
    function: &Function,
    index: usize,
    slot: bool,
) -> Option<&'p Type> {
    let value = incise_ir::ValueId::from_index(index);
    if !slot {
        return Some(program.types.get(function.values[value].ty));
    }
    function.instructions.iter().find_map(|(_, instruction)| match &instruction.op {
        Op::Alloca { ty, .. } if instruction.result == Some(value) => Some(program.types.get(*ty)),
        _ => None,
    })
}

/// For each value, and each variable in a register, whether it can only hold a few numbers: constants, results of
/// comparisons, and what logic makes of these.
fn few_valued(program: &Program, function: &Function, slots: &[bool]) -> Vec<bool> {
    let mut few: Vec<bool> = vec![true; function.values.len()];
    // Parameters are the first values.
    few[..function.parameters.len()].fill(false);
    loop {
        let is_few = |few: &[bool], operand: &Operand| match operand {
            Operand::Value(value) => few[value.index()],
            Operand::Constant(constant) => {
                matches!(program.constants[*constant].kind, ConstantKind::Integer(_) | ConstantKind::Zero)
            }
        };
        let mut next = few.clone();
        let mut stored = vec![false; few.len()];
        for (_, instruction) in function.instructions.iter() {
            if let Op::Store { value, pointer: Operand::Value(pointer), .. } = &instruction.op {
                stored[pointer.index()] = true;
                next[pointer.index()] &= is_few(&few, value);
            }
            let Some(result) = instruction.result else { continue };
            next[result.index()] &= match &instruction.op {
                Op::IntegerCompare { .. } | Op::FloatCompare { .. } => true,
                Op::Cast { value, op } => {
                    use incise_ir::CastOp as C;
                    matches!(op, C::ZeroExtend | C::SignExtend | C::Truncate) && is_few(&few, value)
                }
                Op::Select { then, otherwise, .. } => is_few(&few, then) && is_few(&few, otherwise),
                Op::Phi(incoming) => incoming.iter().all(|(_, operand)| is_few(&few, operand)),
                Op::Freeze(value) => is_few(&few, value),
                Op::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, left, right, .. } => {
                    is_few(&few, left) && is_few(&few, right)
                }
                Op::Load { pointer: Operand::Value(pointer), .. } => {
                    slots[pointer.index()] && few[pointer.index()]
                }
                Op::Alloca { .. } => slots[result.index()],
                _ => false,
            };
        }
        if next == few {
            return few
                .iter()
                .zip(&stored)
                .enumerate()
                .map(|(index, (&few, &stored))| few && (stored || !slots[index]))
                .collect();
        }
        few = next;
    }
}

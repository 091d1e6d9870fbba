//! The step loop: runs one state until it forks, ends, or time is up.
//!
//! The arms handle concrete words themselves and hand everything else to the slow functions of the neighbouring
//! modules.

use crate::decisions::decide::Ways;
use crate::decisions::decider::Decider;
use crate::decisions::strategy::{Stack, Visit};
use crate::engine::arithmetic::Resize;
use crate::engine::code::{Code, EdgeId, Inst, Source};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::Turn;
use crate::engine::value::{Value, mask64, sign_extend64};
use crate::memory::Memory;
use crate::outcome::{LimitKind, Outcome};
use incise_ir::{Id, ValueId};
use incise_solver::work::{self, Effort};
use incise_solver::{BinaryOp, CompareOp};

/// After so many blocks the clock is looked at.
const QUANTUM: u32 = 1 << 14;

/// Why a run of a state came to a stop.
pub enum Stop {
    /// The path ended and is recorded.
    Ended,
    /// The state forked: the others are in `Machine::forked`.
    Forked,
    /// The exploration stops.
    Stopped,
    /// The state is at a place at which it was asked for.
    Paused,
    /// The state has run for as long as it was to, and can go on.
    SetBack,
}

impl Decider<'_> {
    /// Counts the instructions of a block that was executed to its end.
    #[inline]
    pub(crate) fn count(&mut self, state: &mut State, instructions: u64) {
        state.instructions += instructions;
        self.sink.counters.instructions += instructions;
    }

    /// Goes along an edge: copies for phi nodes, then the target block.
    #[inline]
    pub(crate) fn take(&mut self, code: &Code, state: &mut State, id: EdgeId) {
        let edge = &code.edges[id as usize];
        edge.taken.set(true);
        self.count(state, u64::from(edge.length));
        let moves = &code.moves[edge.moves.start as usize..edge.moves.end as usize];
        match moves {
            [] => {}
            [(to, source)] => {
                let value = state.get(*source).clone();
                state.set(*to, value);
            }
            moves => {
                // All phi nodes of a block are read before any is written.
                let values: Vec<Value> = moves.iter().map(|(_, source)| state.get(*source).clone()).collect();
                for ((to, _), value) in moves.iter().zip(values) {
                    state.set(*to, value);
                }
            }
        }
        state.thread.frame.pc = edge.target;
    }
}

/// Counts a decision at the current branch of this activation; says how many there were.
fn count_branch(state: &mut State) -> u32 {
    let frame = &mut state.thread.frame;
    let pc = frame.pc;
    match frame.branch_counts.iter_mut().find(|(at, _)| *at == pc) {
        Some((_, count)) => {
            *count += 1;
            *count
        }
        None => {
            frame.branch_counts.push((pc, 1));
            1
        }
    }
}

impl Machine<'_> {
    /// Runs a state. With `return_on_fork` it comes back after each fork, else it goes on with the first side.
    pub fn run(&mut self, state: &mut State, return_on_fork: bool) -> Stop {
        self.run_at_most(state, return_on_fork, u64::MAX)
    }

    /// The same, for about so many instructions.
    pub(crate) fn run_at_most(&mut self, state: &mut State, return_on_fork: bool, most: u64) -> Stop {
        let stop = self.run_frames(state, return_on_fork, state.instructions.saturating_add(most));
        self.count_work();
        stop
    }

    fn run_frames(&mut self, state: &mut State, return_on_fork: bool, until: u64) -> Stop {
        loop {
            let code = state.thread.frame.code.clone();
            let before = self.decider.forked.len();
            match self.run_frame(&code, state, return_on_fork, before) {
                None => return Stop::Forked,
                Some(Exit::Switch) => {
                    if return_on_fork && self.decider.forked.len() > before {
                        return Stop::Forked;
                    }
                    if state.instructions > self.config.limits.instructions {
                        return self.end_at_limit(state, LimitKind::Instructions);
                    }
                    if state.thread.below.len() as u64 >= self.config.limits.stack {
                        return self.end_at_limit(state, LimitKind::Stack);
                    }
                    if state.instructions > until {
                        return Stop::SetBack;
                    }
                }
                Some(Exit::End(outcome)) => {
                    let Some(outcome) = self.decider.defer_end(state, outcome) else { return Stop::Paused };
                    self.decider.finish_in_place(state, outcome);
                    return Stop::Ended;
                }
                Some(Exit::Stop) => return Stop::Stopped,
                Some(Exit::Pause) => return Stop::Paused,
            }
        }
    }

    fn end_at_limit(&mut self, state: &mut State, limit: LimitKind) -> Stop {
        match self.decider.defer_end(state, Outcome::Limit(limit)) {
            Some(outcome) => {
                self.decider.finish_in_place(state, outcome);
                Stop::Ended
            }
            None => Stop::Paused,
        }
    }

    /// Counts as work what was done since this was called last.
    fn count_work(&mut self) {
        let instructions = self.decider.sink.counters.instructions;
        work::count(Effort::Instruction, instructions.saturating_sub(self.counted));
        self.counted = instructions;
        self.decider.exprs.count_work();
    }

    /// Whether to stop, with the work counted that was done.
    fn must_stop(&mut self) -> bool {
        self.count_work();
        self.decider.stop.check()
    }

    /// Runs the top frame. `None` after a fork, if asked to stop there.
    fn run_frame(
        &mut self,
        code: &Code,
        state: &mut State,
        return_on_fork: bool,
        forked_before: usize,
    ) -> Option<Exit> {
        // The blocks that are left until the clock is looked at.
        let mut fuel = QUANTUM;
        loop {
            let frame = &mut state.thread.frame;
            let pc = frame.pc as usize;
            frame.pc += 1;
            let registers = &mut frame.registers;
            match &code.instructions[pc] {
                Inst::LoadSlot { to, slot, width } => {
                    let value = registers[*slot as usize].clone();
                    if let Value::Undefined = value {
                        self.load_undefined_slot(state, *to, *slot, u32::from(*width));
                    } else {
                        registers[*to as usize] = value;
                    }
                    continue;
                }
                Inst::StoreSlot { slot, value } => {
                    registers[*slot as usize] = code.get(registers, *value).clone();
                    continue;
                }
                Inst::Move { to, value } => {
                    registers[*to as usize] = code.get(registers, *value).clone();
                    continue;
                }
                Inst::ClearSlot { slot } => {
                    registers[*slot as usize] = Value::Undefined;
                    continue;
                }
                Inst::Binary { op, width, signed_overflow, to, left, right } => {
                    if let (&Value::Word(left), &Value::Word(right)) =
                        (code.get(registers, *left), code.get(registers, *right))
                        && (!signed_overflow || fits_signed64(*op, left, right, u32::from(*width)))
                        && !(*op == BinaryOp::Sub && *width == 64 && Memory::are_apart(left, right))
                        && let Some(word) = binary64(*op, left, right, u32::from(*width))
                    {
                        registers[*to as usize] = Value::Word(word);
                        continue;
                    }
                }
                Inst::Compare { op, width, pointers, to, left, right } => {
                    if let (&Value::Word(left), &Value::Word(right)) =
                        (code.get(registers, *left), code.get(registers, *right))
                        && !(*pointers && Memory::are_apart(left, right))
                    {
                        let holds = compare64(*op, left, right, u32::from(*width));
                        registers[*to as usize] = Value::Word(u64::from(holds));
                        continue;
                    }
                    if *pointers {
                        self.decider.inputs().note_compared(state, *op, *left, *right);
                    }
                    self.calculator().compare(state, *op, u32::from(*width), *to, *left, *right);
                    continue;
                }
                Inst::ZeroExtend { from, width, to, value } => {
                    match code.get(registers, *value) {
                        Value::Word(word) if *width <= 64 => registers[*to as usize] = Value::Word(*word),
                        _ => {
                            self.calculator().resize(state, Resize::Zero, widths(*from, *width), *to, *value)
                        }
                    }
                    continue;
                }
                Inst::SignExtend { from, width, to, value } => {
                    match code.get(registers, *value) {
                        Value::Word(word) if *width <= 64 => {
                            let extended = sign_extend64(*word, u32::from(*from)) as u64;
                            registers[*to as usize] = Value::Word(extended & mask64(u32::from(*width)));
                        }
                        _ => {
                            self.calculator().resize(state, Resize::Sign, widths(*from, *width), *to, *value)
                        }
                    }
                    continue;
                }
                Inst::Truncate { from, width, to, value } => {
                    match code.get(registers, *value) {
                        Value::Word(word) => {
                            registers[*to as usize] = Value::Word(word & mask64(u32::from(*width)));
                        }
                        _ => self.calculator().resize(
                            state,
                            Resize::Truncate,
                            widths(*from, *width),
                            *to,
                            *value,
                        ),
                    }
                    continue;
                }
                Inst::Offset { to, base, offset } => {
                    match code.get(registers, *base) {
                        Value::Word(word) => {
                            registers[*to as usize] = Value::Word(word.wrapping_add_signed(*offset));
                        }
                        _ => self.memory().offset(state, *to, *base, *offset),
                    }
                    continue;
                }
                Inst::Element { to, width, stride, base, index, offset } => {
                    if let (&Value::Word(base), &Value::Word(index)) =
                        (code.get(registers, *base), code.get(registers, *index))
                    {
                        let index = sign_extend64(index, u32::from(*width));
                        let bytes = index.wrapping_mul(i64::from(*stride)).wrapping_add(i64::from(*offset));
                        registers[*to as usize] = Value::Word(base.wrapping_add_signed(bytes));
                    } else {
                        let (width, stride) = (u32::from(*width), i64::from(*stride));
                        let terms = [(*index, width, stride)];
                        if self.config.checks.note_overflow {
                            let index = state.get(*index).clone();
                            let to = ValueId::from_index(*to as usize);
                            self.note_index(code, state, to, (&index, width), stride);
                        }
                        self.memory().element(state, *to, *base, i64::from(*offset), &terms);
                    }
                    continue;
                }
                Inst::Load { to, width, pointer } => {
                    if let &Value::Word(address) = code.get(registers, *pointer)
                        && let Some(word) = self.memory().load_word(&state.memory, address, u32::from(*width))
                    {
                        registers[*to as usize] = Value::Word(word);
                        continue;
                    }
                }
                Inst::Store { value, width, pointer } => {
                    if let (&Value::Word(address), &Value::Word(word)) =
                        (code.get(registers, *pointer), code.get(registers, *value))
                        && self.memory().store_word(&mut state.memory, address, u32::from(*width), word)
                    {
                        continue;
                    }
                }
                Inst::Select { to, width, condition, then, otherwise } => {
                    if let &Value::Word(condition) = code.get(registers, *condition) {
                        let chosen = if condition != 0 { *then } else { *otherwise };
                        registers[*to as usize] = code.get(registers, chosen).clone();
                    } else {
                        self.calculator().select(
                            state,
                            u32::from(*width),
                            *to,
                            *condition,
                            *then,
                            *otherwise,
                        );
                    }
                    continue;
                }
                Inst::FloatBinary { op, format, to, left, right } => {
                    self.calculator().float_binary(state, *op, *format, *to, *left, *right);
                    continue;
                }
                Inst::FloatCompare { predicate, format, to, left, right } => {
                    self.calculator().float_compare(state, *predicate, *format, *to, *left, *right);
                    continue;
                }
                Inst::Jump { edge } => {
                    self.decider.take(code, state, *edge);
                    fuel -= 1;
                    if fuel == 0 {
                        return Some(if self.must_stop() { Exit::Stop } else { Exit::Switch });
                    }
                    continue;
                }
                Inst::Branch { condition, then, otherwise } => {
                    if let &Value::Word(condition) = code.get(registers, *condition) {
                        self.decider.take(code, state, if condition != 0 { *then } else { *otherwise });
                        fuel -= 1;
                        if fuel == 0 {
                            return Some(if self.must_stop() { Exit::Stop } else { Exit::Switch });
                        }
                        continue;
                    }
                }
                Inst::Switch(switch) => {
                    if let Some(value) = code.get(registers, switch.value).as_concrete() {
                        let target = match switch.sorted.binary_search_by_key(&value, |&(case, _)| case) {
                            Ok(index) => switch.sorted[index].1,
                            Err(_) => switch.default,
                        };
                        self.decider.take(code, state, switch.targets[target as usize].1);
                        continue;
                    }
                }
                _ => {}
            }
            let done = self.step(code, state, pc);
            clear_choices(state);
            if let Err(exit) = done {
                return Some(exit);
            }
            if self.decider.stop.check_copied() {
                return Some(Exit::Stop);
            }
            if return_on_fork && self.decider.forked.len() > forked_before {
                return None;
            }
        }
    }

    /// Executes an instruction that may fork, end the path, or change the frame.
    fn step(&mut self, code: &Code, state: &mut State, pc: usize) -> Result<(), Exit> {
        match &code.instructions[pc] {
            Inst::Binary { op, width, signed_overflow, to, left, right } => {
                let width = u32::from(*width);
                let value = self.calculator().binary(state, *op, width, *signed_overflow, *left, *right)?;
                state.set(*to, value);
                Ok(())
            }
            Inst::Load { to, width, pointer } => {
                self.memory().load(state, u32::from(*width), *pointer).map(|value| state.set(*to, value))
            }
            Inst::Store { value, width, pointer } => {
                self.memory().store(state, u32::from(*width), *pointer, *value)
            }
            Inst::Branch { condition, then, otherwise } => {
                self.symbolic_branch(code, state, *condition, *then, *otherwise)
            }
            Inst::Switch(switch) => self.symbolic_switch(code, state, switch),
            Inst::Call(call) => self.call(code, state, call),
            Inst::Return { value } => self.return_from(code, state, *value),
            Inst::Alloca(alloca) => self.memory().alloca(state, alloca),
            Inst::Pause => Err(Exit::Pause),
            Inst::Watch { point } => match self.told(state, *point) {
                Visit::Continue => Ok(()),
                Visit::Follow => {
                    state.following = true;
                    Ok(())
                }
                Visit::Prune => Err(Exit::End(Outcome::Pruned)),
                Visit::Consult if !self.decider.oracle_explores(state) => Err(Exit::End(Outcome::Pruned)),
                Visit::Consult => Ok(()),
            },
            _ => self.slow(code, state, code.origins[pc]),
        }
    }

    fn symbolic_branch(
        &mut self,
        code: &Code,
        state: &mut State,
        condition: Source,
        then: EdgeId,
        otherwise: EdgeId,
    ) -> Result<(), Exit> {
        let value = state.get(condition).clone();
        let condition = self.decider.expr(state, &value, 1);
        if let Some(bits) = self.decider.exprs.as_constant(condition) {
            self.decider.take(code, state, if bits != 0 { then } else { otherwise });
            return Ok(());
        }
        let ways = self.ways(code, state, then, otherwise);
        let depth = state.depth;
        let side = self.decider.branch(state, condition, ways, |decider, forked| {
            count_branch(forked);
            decider.take(code, forked, otherwise);
        })?;
        if state.depth > depth {
            self.check_loop(state)?;
        }
        self.decider.take(code, state, if side { then } else { otherwise });
        Ok(())
    }

    /// Tells the strategy that a state is at a place it watches.
    fn told(&mut self, state: &mut State, point: u32) -> Visit {
        let mut note = state.note;
        let visit =
            self.decider.strategy.reached(&mut note, point, &Stack::new(state, &self.decider.watches));
        state.note = note;
        visit
    }

    /// Which sides of the current branch the strategy wants.
    fn ways(&mut self, code: &Code, state: &State, then: EdgeId, otherwise: EdgeId) -> Ways {
        if !code.followed.is_empty() && code.followed.contains(&(state.thread.frame.pc - 1)) {
            return Ways::Follow;
        }
        let mut wanted = |edge: EdgeId| match code.edges[edge as usize].watch {
            Some(point) => {
                self.decider.strategy.wants(state.note, point, &Stack::new(state, &self.decider.watches))
            }
            None => true,
        };
        match (wanted(then), wanted(otherwise)) {
            (true, true) => Ways::Both,
            (true, false) => Ways::Only(true),
            (false, true) => Ways::Only(false),
            (false, false) => Ways::None,
        }
    }

    fn symbolic_switch(
        &mut self,
        code: &Code,
        state: &mut State,
        switch: &crate::engine::code::SwitchCode,
    ) -> Result<(), Exit> {
        let value = state.get(switch.value).clone();
        let value = self.decider.expr(state, &value, switch.width);
        let mut conditions = Vec::with_capacity(switch.targets.len());
        let mut any = self.decider.exprs.constant(0, 1);
        for (cases, _) in &switch.targets {
            let mut condition = self.decider.exprs.constant(0, 1);
            for &case in cases {
                let case = self.decider.exprs.constant(case, switch.width);
                let equal = self.decider.exprs.compare(CompareOp::Eq, value, case);
                condition = self.decider.exprs.or(condition, equal);
            }
            any = self.decider.exprs.or(any, condition);
            conditions.push(condition);
        }
        conditions[switch.default as usize] = self.decider.exprs.not(any);
        let depth = state.depth;
        let followed = code.followed.contains(&(state.thread.frame.pc - 1));
        let choice =
            if followed && !conditions.iter().any(|&each| self.decider.exprs.as_constant(each) == Some(1)) {
                self.decider.follow_choice(state, &conditions)?
            } else {
                self.decider.choose(state, &conditions)?
            };
        if state.depth > depth {
            self.check_loop(state)?;
        }
        self.decider.take(code, state, switch.targets[choice].1);
        Ok(())
    }

    fn check_loop(&mut self, state: &mut State) -> Result<(), Exit> {
        if u64::from(count_branch(state)) > self.config.limits.loop_iterations {
            return Err(Exit::End(Outcome::Limit(LimitKind::Loop)));
        }
        Ok(())
    }

    fn load_undefined_slot(&mut self, state: &mut State, to: u32, slot: u32, width: u32) {
        let value = Value::Symbolic(self.decider.arbitrary(state, width));
        state.set(slot, value.clone());
        state.set(to, value);
    }

    /// The number of functions, to tell function addresses.
    pub fn function_count(&self) -> usize {
        self.program.functions.len()
    }
}

fn widths(from: u8, to: u8) -> (u32, u32) {
    (u32::from(from), u32::from(to))
}

#[inline]
fn clear_choices(state: &mut State) {
    if !state.choices.is_empty() {
        state.choices.clear();
        state.next_choice = 0;
    }
    if let Turn::Used = state.turn {
        state.turn = Turn::Open;
    }
}

/// Whether the result of signed arithmetic fits.
#[inline]
fn fits_signed64(op: BinaryOp, left: u64, right: u64, width: u32) -> bool {
    let (left, right) = (i128::from(sign_extend64(left, width)), i128::from(sign_extend64(right, width)));
    let exact = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        _ => return false,
    };
    let limit = 1i128 << (width - 1);
    (-limit..limit).contains(&exact)
}

/// Integer arithmetic on words that cannot fail; `None` where it might.
#[inline(always)]
pub(crate) fn binary64(op: BinaryOp, left: u64, right: u64, width: u32) -> Option<u64> {
    let mask = mask64(width);
    Some(match op {
        BinaryOp::Add => left.wrapping_add(right) & mask,
        BinaryOp::Sub => left.wrapping_sub(right) & mask,
        BinaryOp::Mul => left.wrapping_mul(right) & mask,
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Shl if right < u64::from(width) => (left << right) & mask,
        BinaryOp::LShr if right < u64::from(width) => left >> right,
        BinaryOp::AShr if right < u64::from(width) => (sign_extend64(left, width) >> right) as u64 & mask,
        BinaryOp::UDiv if right != 0 => left / right,
        BinaryOp::URem if right != 0 => left % right,
        BinaryOp::SDiv | BinaryOp::SRem if right != 0 => {
            let (left, right) = (sign_extend64(left, width), sign_extend64(right, width));
            // The smallest number divided by -1 does not fit.
            if right == -1 {
                return None;
            }
            (if op == BinaryOp::SDiv { left / right } else { left % right }) as u64 & mask
        }
        _ => return None,
    })
}

#[inline(always)]
pub(crate) fn compare64(op: CompareOp, left: u64, right: u64, width: u32) -> bool {
    let signed = |bits| sign_extend64(bits, width);
    match op {
        CompareOp::Eq => left == right,
        CompareOp::Ne => left != right,
        CompareOp::Ult => left < right,
        CompareOp::Ule => left <= right,
        CompareOp::Ugt => left > right,
        CompareOp::Uge => left >= right,
        CompareOp::Slt => signed(left) < signed(right),
        CompareOp::Sle => signed(left) <= signed(right),
        CompareOp::Sgt => signed(left) > signed(right),
        CompareOp::Sge => signed(left) >= signed(right),
    }
}

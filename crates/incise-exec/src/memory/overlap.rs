//! Copies between places that must not overlap.

use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::{Value, mask64};
use crate::externals::bases;
use crate::memory::Memory;
use crate::memory::access::MemoryAccess;
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_solver::CompareOp;

fn error() -> ProgramError {
    ProgramError { kind: ErrorKind::Overlap, message: "copy between places that overlap".into() }
}

impl MemoryAccess<'_, '_> {
    /// Goes on where so many bytes at two places do not overlap. The very same place is no error: an assignment of a
    /// struct to itself is compiled to such a copy.
    pub(crate) fn require_apart(
        &mut self,
        state: &mut State,
        (target, source): (&Value, &Value),
        size: &Value,
        width: u32,
    ) -> Result<(), Exit> {
        if let (Value::Word(target), Value::Word(source), Value::Word(size)) = (target, source, size) {
            let distance = target.abs_diff(*source);
            return match distance != 0 && distance < size & mask64(width) {
                true => Err(Exit::End(Outcome::Error(error()))),
                false => Ok(()),
            };
        }
        let decider = &mut *self.decider;
        let (target, source) = (decider.expr(state, target, 64), decider.expr(state, source, 64));
        let size = decider.expr(state, size, width);
        let size = decider.exprs.zext(size, 64);
        let (ones, others) = (bases(&decider.exprs, target), bases(&decider.exprs, source));
        // Different objects have addresses of their own.
        let meet = |&one: &u64| others.iter().any(|&other| Memory::are_together(one, other));
        if !ones.iter().any(meet) {
            return Ok(());
        }
        let exprs = &mut decider.exprs;
        let (forth, back) = (exprs.sub(target, source), exprs.sub(source, target));
        let within = exprs.compare(CompareOp::Ult, forth, size);
        let behind = exprs.compare(CompareOp::Ult, back, size);
        let near = exprs.or(within, behind);
        let apart = exprs.not(near);
        let same = exprs.eq(target, source);
        let valid = exprs.or(apart, same);
        decider.require(state, valid, |_, _| error())
    }

    /// Goes on where two ranges, each with its bytes, have none in common.
    pub(crate) fn require_disjoint(
        &mut self,
        state: &mut State,
        (target, target_size): (&Value, &Value),
        (source, source_size): (&Value, &Value),
    ) -> Result<(), Exit> {
        if let (Value::Word(target), Value::Word(source)) = (target, source)
            && let (Value::Word(target_size), Value::Word(source_size)) = (target_size, source_size)
        {
            let near =
                target.wrapping_sub(*source) < *source_size || source.wrapping_sub(*target) < *target_size;
            return if near { Err(Exit::End(Outcome::Error(error()))) } else { Ok(()) };
        }
        let decider = &mut *self.decider;
        let mut expr = |value: &Value| decider.expr(state, value, 64);
        let (target, target_size) = (expr(target), expr(target_size));
        let (source, source_size) = (expr(source), expr(source_size));
        let (ones, others) = (bases(&decider.exprs, target), bases(&decider.exprs, source));
        let meet = |&one: &u64| others.iter().any(|&other| Memory::are_together(one, other));
        if !ones.iter().any(meet) {
            return Ok(());
        }
        let exprs = &mut decider.exprs;
        let (forth, back) = (exprs.sub(target, source), exprs.sub(source, target));
        let within = exprs.compare(CompareOp::Ult, forth, source_size);
        let behind = exprs.compare(CompareOp::Ult, back, target_size);
        let near = exprs.or(within, behind);
        let apart = exprs.not(near);
        decider.require(state, apart, |_, _| error())
    }
}

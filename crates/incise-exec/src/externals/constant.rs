//! Functions that are declared to depend on their arguments alone (`const`): calls of them are no events, and equal
//! arguments give equal results.
//!
//! A result is a symbol that is named after the call, so that the same expressions as arguments give the same symbol in
//! both programs, whenever they are passed. Where arguments may be equal and are not the same expression, that the
//! results are equal then is a condition of its own. A path that is followed for given inputs has numbers for
//! arguments: the result is that of the call whose arguments have these values.

use super::Outsider;
use crate::engine::code::{ArgumentKind, CallCode};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{InputObject, Leaf, symbol_kind};
use crate::inputs::shape::Shape;
use crate::outcome::Outcome;
use incise_solver::{ExprId, SymbolKind};
use std::rc::Rc;

/// An argument that is longer as text is named by its hash.
const LONGEST: usize = 40;

/// A call of such a function.
#[derive(Clone)]
pub struct ConstantCall {
    function: String,
    arguments: Rc<[ExprId]>,
    result: ExprId,
}

/// All calls that two programs made so far, on any path.
#[derive(Default)]
pub struct ConstantCalls(Vec<ConstantCall>);

impl Machine<'_> {
    pub(super) fn constant_call(
        &mut self,
        state: &mut State,
        who: &Outsider,
        call: &CallCode,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Exit> {
        let mut exprs = Vec::with_capacity(arguments.len());
        for (argument, value) in call.arguments.iter().zip(&arguments) {
            let width = match argument.kind {
                ArgumentKind::Float(kind) => kind.bits(),
                ArgumentKind::Integer(width) => width,
                ArgumentKind::ByValue { .. } | ArgumentKind::Aggregate => 64,
            };
            let expr = self.decider.expr(state, value, width);
            // Addresses are not the same in both programs.
            if width == 64 && self.is_address(state, expr) {
                let what = format!("{}, which is a function of numbers, of an address", who.name);
                return Err(Exit::End(Outcome::Unsupported(what)));
            }
            exprs.push(expr);
        }
        let result = self.constant_result(state, who, call, exprs)?;
        Ok(call.to.map(|_| Value::from_expr(&self.decider.exprs, result)))
    }

    /// Whether an expression holds the address of an object that there is.
    fn is_address(&self, state: &State, expr: ExprId) -> bool {
        let live =
            |address: u64| matches!(state.memory.target(address), crate::memory::AddressTarget::Live(..));
        super::bases(&self.decider.exprs, expr).into_iter().any(live)
    }

    fn constant_result(
        &mut self,
        state: &mut State,
        who: &Outsider,
        call: &CallCode,
        arguments: Vec<ExprId>,
    ) -> Result<ExprId, Exit> {
        let mut texts = Vec::new();
        for &argument in &arguments {
            let text = self.decider.exprs.display_c(argument);
            let long = || format!("#{:016x}", self.decider.exprs.structural_hash(argument));
            texts.push(if text.len() > LONGEST { long() } else { text });
        }
        let path = format!("{}({})", who.name, texts.join(", "));
        let width = call.result_width;
        let shape = Shape::of_type(self.program, call.result_type);
        let kind = match &shape {
            Shape::Scalar { kind, .. } => symbol_kind(kind),
            _ => SymbolKind::Signed,
        };
        let result = match self.constant_value(who, &arguments) {
            Some(value) => self.decider.exprs.constant(value, width),
            None => self.decider.inputs().leaf_symbol(&path, width, kind),
        };
        let made = ConstantCall { function: who.name.clone(), arguments: arguments.into(), result };
        if self.decider.exprs.as_constant(result).is_none() {
            self.agree(state, &made)?;
            state.outside.constant.push(made.clone());
            self.constant_calls.0.push(made);
        }
        let bytes = width.div_ceil(8);
        let whole = self.decider.exprs.zext(result, bytes * 8);
        let name = crate::inputs::input::unique_name(state, &path);
        let leaves = vec![Leaf { offset: 0, bytes, expr: whole }];
        let size = shape.size().max(u64::from(bytes));
        let input = InputObject::plain(name, who.origin.clone(), shape, size, leaves, None);
        state.inputs.push(Rc::new(input));
        Ok(result)
    }

    /// On a path for given inputs: the value that the function has for these arguments.
    fn constant_value(&mut self, who: &Outsider, arguments: &[ExprId]) -> Option<u128> {
        let model = &self.decider.tracing.as_ref().filter(|tracing| tracing.concrete)?.values.model;
        let wanted: Option<Vec<u128>> =
            arguments.iter().map(|&each| self.decider.exprs.as_constant(each)).collect();
        let wanted = wanted?;
        for known in &self.constant_calls.0 {
            if known.function != who.name || known.arguments.len() != wanted.len() {
                continue;
            }
            let mut each = known.arguments.iter().zip(&wanted);
            if each.all(|(&known, &wanted)| {
                self.decider.solver.evaluate(&self.decider.exprs, known, model) == wanted
            }) {
                return Some(self.decider.solver.evaluate(&self.decider.exprs, known.result, model));
            }
        }
        None
    }

    /// That equal arguments give equal results.
    fn agree(&mut self, state: &mut State, made: &ConstantCall) -> Result<(), Exit> {
        let known: Vec<ConstantCall> = state.outside.constant.to_vec().into_iter().cloned().collect();
        for other in known {
            let width = |exprs: &incise_solver::Exprs, id: ExprId| exprs.width(id);
            let exprs = &mut self.decider.exprs;
            let alike = other.function == made.function
                && other.result != made.result
                && other.arguments.len() == made.arguments.len()
                && width(exprs, other.result) == width(exprs, made.result)
                && other
                    .arguments
                    .iter()
                    .zip(made.arguments.iter())
                    .all(|(&one, &two)| width(exprs, one) == width(exprs, two));
            if !alike {
                continue;
            }
            let mut condition = exprs.eq(other.result, made.result);
            for (&one, &two) in other.arguments.iter().zip(made.arguments.iter()) {
                let equal = exprs.eq(one, two);
                let differs = exprs.not(equal);
                condition = exprs.or(condition, differs);
            }
            self.decider.grant(state, condition)?;
        }
        Ok(())
    }
}

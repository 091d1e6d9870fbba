//! The oracle: somebody who knows something of the paths of a program beforehand, and is asked before the solver is.
//!
//! An oracle never changes which paths there are. It spares questions: that a side is possible, with inputs that show
//! it, or that it is not. It sees every constraint that a state gets, keeps a few words with each state, and is asked
//! how a path is to be described at its end.

use crate::decisions::decider::Decider;
use crate::engine::state::State;
use crate::inputs::input::InputObject;
use crate::memory::Object;
use crate::result::Path;
use incise_solver::{ExprId, Exprs, Model, Solver};

/// What an oracle keeps with a state: a fork copies it, and nobody else reads it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ticket(pub [u32; 6]);

/// What an oracle tells of a condition.
#[derive(Clone, Debug)]
pub enum OracleAnswer {
    /// It can hold: these inputs show it.
    Possible(Model),
    /// It cannot.
    Impossible,
    /// Somebody else has to be asked.
    Nothing,
}

/// Knows something of paths beforehand.
///
/// While one of its methods runs, the machine that is handed to it has no oracle.
pub trait Oracle {
    /// A first state is about to be made: what is kept with it.
    fn begin(&mut self) -> Ticket;

    /// An input of a state is about to be recorded; `initial` is what it holds if nobody sets it.
    fn input(
        &mut self,
        parts: (&mut Exprs, &mut Solver),
        state: &mut State,
        input: &InputObject,
        initial: Option<&Object>,
    );

    /// A first state is ready, with all its inputs.
    fn started(&mut self, decider: &mut Decider<'_>, state: &mut State);

    /// What is known of a condition that the state's model does not satisfy.
    fn tell(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId) -> OracleAnswer;

    /// Whether it is known that a condition can hold in a state.
    fn is_possible(&mut self, decider: &mut Decider<'_>, state: &State, condition: ExprId) -> bool;

    /// Whether the solver should first say whether a question is easy, because [`Self::rules_out`] might do for one
    /// that is not.
    fn may_rule_out(&self) -> bool;

    /// Whether a condition that the solver found hard cannot hold.
    fn rules_out(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId) -> bool;

    /// Whether a path is to end where the solver would be needed.
    fn forbids_solver(&self) -> bool;

    /// The solver told of a condition of which [`Self::tell`] told nothing: what shows that it can hold, if it can.
    fn answered(
        &mut self,
        decider: &mut Decider<'_>,
        state: &State,
        condition: ExprId,
        answer: Option<&Model>,
    );

    /// A state got a constraint, the last of its path condition.
    fn constrained(&mut self, decider: &mut Decider<'_>, state: &mut State, condition: ExprId);

    /// A condition holds on the path of a state because there is no other way.
    fn forced(&mut self, state: &State, condition: ExprId);

    /// Of several alternatives, of which exactly one holds, one was decided for.
    fn chose(&mut self, decider: &mut Decider<'_>, state: &State, conditions: &[ExprId], taken: usize);

    /// Whether a state that the strategy asks about ([`super::strategy::Visit::Consult`]) is to be explored.
    fn explores(&mut self, decider: &mut Decider<'_>, state: &mut State) -> bool;

    /// A path ended. If it is to be told in detail, it is the oracle that has it described
    /// ([`Decider::describe_path`]), or sees that there is no need.
    fn ended(&mut self, decider: &mut Decider<'_>, state: &mut State, path: &mut Path, detailed: bool);
}

impl<'a> Decider<'a> {
    /// Lets the oracle do something with the machine, if there is one.
    #[inline]
    fn consult<T>(&mut self, ask: impl FnOnce(&mut dyn Oracle, &mut Self) -> T) -> Option<T> {
        let oracle = self.oracle.take()?;
        let told = ask(oracle, self);
        self.oracle = Some(oracle);
        Some(told)
    }

    pub(crate) fn oracle_sees_start(&mut self, state: &mut State) {
        self.consult(|oracle, decider| oracle.started(decider, state));
    }

    pub(crate) fn oracle_tells(&mut self, state: &mut State, condition: ExprId) -> OracleAnswer {
        self.consult(|oracle, decider| oracle.tell(decider, state, condition))
            .unwrap_or(OracleAnswer::Nothing)
    }

    pub(crate) fn oracle_says_possible(&mut self, state: &State, condition: ExprId) -> bool {
        self.consult(|oracle, decider| oracle.is_possible(decider, state, condition)).unwrap_or(false)
    }

    pub(crate) fn oracle_rules_out(&mut self, state: &mut State, condition: ExprId) -> bool {
        self.consult(|oracle, decider| oracle.rules_out(decider, state, condition)).unwrap_or(false)
    }

    pub(crate) fn oracle_sees_answer(&mut self, state: &State, condition: ExprId, answer: Option<&Model>) {
        self.consult(|oracle, decider| oracle.answered(decider, state, condition, answer));
    }

    #[inline]
    pub(crate) fn oracle_sees_constraint(&mut self, state: &mut State, condition: ExprId) {
        self.consult(|oracle, decider| oracle.constrained(decider, state, condition));
    }

    pub(crate) fn oracle_sees_forced(&mut self, state: &State, condition: ExprId) {
        if let Some(oracle) = &mut self.oracle {
            oracle.forced(state, condition);
        }
    }

    pub(crate) fn oracle_sees_choice(&mut self, state: &State, conditions: &[ExprId], taken: usize) {
        self.consult(|oracle, decider| oracle.chose(decider, state, conditions, taken));
    }

    pub(crate) fn oracle_explores(&mut self, state: &mut State) -> bool {
        self.consult(|oracle, decider| oracle.explores(decider, state)).unwrap_or(true)
    }

    /// Whether the oracle saw to the description of a path: there is one.
    pub(crate) fn oracle_sees_end(&mut self, state: &mut State, path: &mut Path, detailed: bool) -> bool {
        self.consult(|oracle, decider| oracle.ended(decider, state, path, detailed)).is_some()
    }
}

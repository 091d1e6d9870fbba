//! A tiny symbolic executor: runs a Rust closure once for each path, and asks the solver at each branch.

use incise_solver::{Answer, CompareOp, Constraints, ExprId, Exprs, Model, Solver};

/// A state that waits for its turn: the decisions that lead to it, its constraints, and a model of them.
pub(crate) struct Pending {
    decisions: Vec<bool>,
    pub(crate) constraints: Constraints,
    pub(crate) model: Model,
}

/// Runs a program once for each path, with the decisions of the way repeated and the rest asked for.
pub(crate) struct Explorer {
    pub(crate) exprs: Exprs,
    pub(crate) solver: Solver,
    pending: Vec<Pending>,
    decisions: Vec<bool>,
    position: usize,
    pub(crate) constraints: Constraints,
    pub(crate) model: Model,
    pub(crate) undecided: usize,
}

impl Explorer {
    pub(crate) fn new(exprs: Exprs, solver: Solver) -> Self {
        Explorer {
            exprs,
            solver,
            pending: Vec::new(),
            decisions: Vec::new(),
            position: 0,
            constraints: Constraints::new(),
            model: Model::new(),
            undecided: 0,
        }
    }

    /// Which way the path goes; the other way is kept for later if it is possible.
    pub(crate) fn branch(&mut self, condition: ExprId) -> bool {
        if let Some(value) = self.exprs.as_constant(condition) {
            return value == 1;
        }
        if let Some(&decision) = self.decisions.get(self.position) {
            self.position += 1;
            return decision;
        }
        let negation = self.exprs.not(condition);
        let yes = self.check(condition);
        let no = self.check(negation);
        let direction = yes.is_some();
        if let (Some(_), Some(model)) = (&yes, &no) {
            let mut constraints = self.constraints.clone();
            constraints.push(&self.exprs, negation);
            let mut decisions = self.decisions.clone();
            decisions.push(false);
            self.pending.push(Pending { decisions, constraints, model: model.clone() });
        }
        if let Some(model) = yes.or(no) {
            self.model = model;
        }
        self.constraints.push(&self.exprs, if direction { condition } else { negation });
        self.decisions.push(direction);
        self.position += 1;
        direction
    }

    pub(crate) fn check(&mut self, condition: ExprId) -> Option<Model> {
        match self.solver.check(&mut self.exprs, &self.constraints, condition, &self.model) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => None,
            Answer::Unknown(_) => {
                self.undecided += 1;
                None
            }
        }
    }

    pub(crate) fn assume(&mut self, condition: ExprId) {
        if self.position == 0 && self.decisions.is_empty() {
            if let Some(model) = self.check(condition) {
                self.model = model;
            }
            self.constraints.push(&self.exprs, condition);
        }
    }

    /// All paths of a program. Returns how many there are.
    pub(crate) fn explore(&mut self, program: impl Fn(&mut Explorer)) -> usize {
        let mut paths = 0;
        loop {
            self.position = 0;
            program(self);
            paths += 1;
            let canonical = self.solver.canonical_model(&mut self.exprs, &self.constraints);
            if canonical.is_err() {
                self.undecided += 1;
            }
            let Some(next) = self.pending.pop() else { return paths };
            self.decisions = next.decisions;
            self.constraints = next.constraints;
            self.model = next.model;
        }
    }

    pub(crate) fn number(&mut self, value: i64, width: u32) -> ExprId {
        self.exprs.constant(value as i128 as u128, width)
    }

    pub(crate) fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        self.exprs.compare(op, a, b)
    }

    pub(crate) fn is(&mut self, byte: ExprId, value: u8) -> bool {
        let constant = self.exprs.constant(value.into(), 8);
        let condition = self.exprs.eq(byte, constant);
        self.branch(condition)
    }
}

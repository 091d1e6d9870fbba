//! Places of both versions: the same statement has another line in each. Statements are matched as everywhere, by
//! content and order.

use incise_change::{Alignment, FunctionChange, NodeId, StatementGraph, Versions};
use incise_exec::{ErrorKind, Outcome, Race, RaceAccess, Site};
use incise_ir::{Callee, FunctionId, Id, InstructionId, Op, Program, SourcePosition};
use incise_relate::Execution;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A statement of the old version, by the name of its function.
type OldStatement = (String, NodeId);

/// The data race that a change is looked for of: the statements of both accesses, in order, and what they access.
pub(super) type RaceKey = (Vec<OldStatement>, String);

/// Statements that belong together.
pub(super) struct Places<'q> {
    pub(super) old: &'q Program,
    pub(super) new: &'q Program,
    versions: OnceCell<Versions>,
    aligned: RefCell<BTreeMap<String, Option<Rc<Alignment>>>>,
}

impl<'q> Places<'q> {
    pub(super) fn new(old: &'q Program, new: &'q Program) -> Self {
        Self { old, new, versions: OnceCell::new(), aligned: RefCell::default() }
    }

    /// Whether an execution of the new and one of the old version end in the same way. Threads that wait for ever do so
    /// at the same statements; that the first one waits for their ends says nothing.
    pub(super) fn end_alike(&self, (new, old): (&Execution, &Execution)) -> bool {
        let stuck = |one: &Execution| {
            matches!(one.outcome(), Outcome::Error(error)
                if matches!(error.kind, ErrorKind::Deadlock | ErrorKind::EndlessWait))
        };
        if !new.outcome().ends_like(old.outcome()) {
            return false;
        }
        if !stuck(new) {
            return true;
        }
        let sites = |one: &Execution, program: &Program| -> Vec<Site> {
            let left = one.schedule.left.iter().map(|(_, site)| site);
            left.filter(|site| !joins(program, site)).cloned().collect()
        };
        let mut ones: Vec<Option<OldStatement>> = sites(new, self.new)
            .iter()
            .map(|site| self.old_statement(&site.function, site.instruction as usize))
            .collect();
        let mut others: Vec<Option<OldStatement>> =
            sites(old, self.old).iter().map(|site| self.own_statement(site)).collect();
        ones.sort();
        others.sort();
        ones == others && !ones.contains(&None)
    }

    /// What tells a data race of the new version from others; `None` if the old one has no such place.
    pub(super) fn new_race(&self, race: &Race) -> Option<RaceKey> {
        self.race(race, self.new, |function, instruction| self.old_statement(function, instruction))
    }

    /// What tells a data race of the old version from others.
    pub(super) fn old_race(&self, race: &Race) -> Option<RaceKey> {
        self.race(race, self.old, |function, instruction| {
            let alignment = self.alignment(function)?;
            let owners = &alignment.old_graph.as_ref()?.owners;
            Some((function.to_owned(), owners.get(instruction).copied().flatten()?))
        })
    }

    fn race(
        &self,
        race: &Race,
        program: &Program,
        statement: impl Fn(&str, usize) -> Option<OldStatement>,
    ) -> Option<RaceKey> {
        let place = |access: &RaceAccess| {
            let (function, instruction) = instruction_of(program, access)?;
            statement(&function, instruction)
        };
        let mut both: Vec<OldStatement> = race.accesses.iter().map(place).collect::<Option<_>>()?;
        both.sort();
        // Where in an object is no part of its name: members move.
        let object = race.object.object.clone();
        Some((both, object))
    }

    /// The statement of the old version that one of the new version was.
    fn old_statement(&self, function: &str, instruction: usize) -> Option<OldStatement> {
        let alignment = self.alignment(function)?;
        let node = alignment.new_graph.owners.get(instruction).copied().flatten()?;
        Some((function.to_owned(), alignment.to_old.get(node.index()).copied().flatten()?))
    }

    fn own_statement(&self, site: &Site) -> Option<OldStatement> {
        let alignment = self.alignment(&site.function)?;
        let owners = &alignment.old_graph.as_ref()?.owners;
        Some((site.function.clone(), owners.get(site.instruction as usize).copied().flatten()?))
    }

    /// The functions of both versions whose code changed, statement by statement.
    pub(super) fn changed_functions(&self) -> Vec<Rc<Alignment>> {
        let versions = self.versions.get_or_init(|| Versions::compare(self.old, self.new));
        let changed = versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed);
        changed.filter_map(|pair| self.alignment(&pair.name)).collect()
    }

    fn alignment(&self, function: &str) -> Option<Rc<Alignment>> {
        let mut known = self.aligned.borrow_mut();
        let made = || {
            let versions = self.versions.get_or_init(|| Versions::compare(self.old, self.new));
            let pair = versions.named(function)?;
            let body = |program: &Program, id: FunctionId| program.functions[id].is_definition();
            let old = pair.old.filter(|&id| body(self.old, id))?;
            let new = pair.new.filter(|&id| body(self.new, id))?;
            let graphs = (StatementGraph::new(self.old, old), StatementGraph::new(self.new, new));
            Some(Rc::new(versions.align(self.old, graphs.0, self.new, graphs.1)))
        };
        known.entry(function.to_owned()).or_insert_with(made).clone()
    }
}

/// The function and the number of an instruction that is where an access is.
fn instruction_of(program: &Program, access: &RaceAccess) -> Option<(String, usize)> {
    let position: &SourcePosition = access.position.as_ref()?;
    let here = |frame: &&incise_exec::StackFrame| frame.position.as_ref() == Some(position);
    let frame = access.stack.iter().find(here).or(access.stack.first())?;
    let function = &program.functions[program.function_named(&frame.function)?];
    let at = |(id, _): &(InstructionId, _)| {
        function.instructions[*id].location.is_some_and(|location| program.position(location) == *position)
    };
    let accesses = |id: &InstructionId| {
        matches!(function.instructions[*id].op, Op::Load { .. } | Op::Store { .. } | Op::Call(_))
    };
    let all: Vec<InstructionId> = function.instructions.iter().filter(at).map(|(id, _)| id).collect();
    let found = all.iter().copied().find(accesses).or(all.first().copied())?;
    Some((frame.function.clone(), found.index()))
}

/// Whether a thread waits there for the end of another.
fn joins(program: &Program, site: &Site) -> bool {
    let Some(function) = program.function_named(&site.function) else { return false };
    let mut all = program.functions[function].instructions.iter();
    let instruction = all.nth(site.instruction as usize).map(|(_, instruction)| &instruction.op);
    match instruction {
        Some(Op::Call(call)) => match call.callee {
            Callee::Direct(callee) => {
                matches!(program.functions[callee].name.as_str(), "pthread_join" | "thrd_join")
            }
            _ => false,
        },
        _ => false,
    }
}

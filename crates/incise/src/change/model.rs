//! From the analyses of a change to the finding model of the reports.

use anyhow::{Context, Result};
use incise_change::{
    Affected, FunctionChange, FunctionImpact, Input, NewStatus, NodeId, NodeKind, OldStatus, Rule, Scope,
    Site, StatementGraph, Versions, Ways, WholeFunction,
};
use incise_frontend::Sources;
use incise_ir::{Callee, FileId, Function, FunctionId, Id, Op, Program};
use incise_report::{
    CallSite, Carrier, CarrierKind, ImpactStep, Passing, Reason, Spot, Statement, StatementKind,
    StatementStatus, Version,
};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A version as reports name it.
pub(crate) fn version(sources: &Sources) -> Result<Version> {
    Ok(Version {
        files: sources.file_texts(),
        flags: sources.flag_texts(),
        hash: sources.hash().context("the source files cannot be read again")?,
    })
}

/// The names of the functions that only one version has: added, and removed.
pub(crate) fn lone_functions(versions: &Versions) -> (Vec<String>, Vec<String>) {
    let named = |change: FunctionChange| {
        let pairs = versions.functions.iter().filter(move |pair| pair.change == change);
        pairs.map(|pair| pair.name.clone()).collect()
    };
    (named(FunctionChange::Added), named(FunctionChange::Removed))
}

/// Where a statement is.
pub(crate) fn spot(program: &Program, graph: &StatementGraph, node: NodeId) -> Spot {
    let node = graph.node(node);
    let line = node.location.map_or(0, |location| program.locations[location].line);
    if line != 0 {
        return Spot::Line(line);
    }
    let start = program.functions[graph.function].blocks[node.block].first;
    Spot::Code { block: node.block.index() as u32, index: (node.first.index() - start.index()) as u32 }
}

/// Shows the functions of two versions, or of one.
pub(crate) struct Describer<'a> {
    old: Option<SourceTexts<'a>>,
    new: SourceTexts<'a>,
    /// The functions of the new version where something changed, themselves or through what they call.
    dirty: BTreeSet<FunctionId>,
}

impl<'a> Describer<'a> {
    /// For the functions of these programs; `dirty` are those of the new version where something changed.
    pub(crate) fn new(old: Option<&'a Program>, new: &'a Program, dirty: BTreeSet<FunctionId>) -> Self {
        Self { old: old.map(SourceTexts::new), new: SourceTexts::new(new), dirty }
    }

    /// What a change means for a function by itself.
    pub(crate) fn function(
        &self,
        impact: &FunctionImpact,
        old: Option<FunctionId>,
    ) -> incise_report::FunctionImpact {
        self.described(impact, old, None)
    }

    /// What a change means for a function as a part of the program. The scope is that of the new version.
    pub(crate) fn whole(
        &self,
        function: &WholeFunction,
        scope: &Scope<'_>,
        old: Option<FunctionId>,
    ) -> incise_report::FunctionImpact {
        let described = self.described(&function.impact, old, Some((&function.ways, scope)));
        incise_report::FunctionImpact {
            added: function.change == FunctionChange::Added,
            distance: function.distance,
            ..described
        }
    }

    fn described(
        &self,
        impact: &FunctionImpact,
        old: Option<FunctionId>,
        ways: Option<(&Ways, &Scope<'_>)>,
    ) -> incise_report::FunctionImpact {
        let program = self.new.program;
        let function = &program.functions[impact.function];
        let signature = match (impact.signature_changed, &self.old, old) {
            (true, Some(texts), Some(id)) => {
                let before = &texts.program.functions[id];
                Some((signature(texts.program, before), signature(program, function)))
            }
            _ => None,
        };
        incise_report::FunctionImpact {
            name: impact.name.clone(),
            file: function.file.map(|file| program.files[file].name.to_string()),
            changed: impact.changed,
            added: false,
            signature,
            statements: impact.alignment.new_graph.nodes.len(),
            distance: None,
            new: self.new_statements(impact),
            old: self.old_statements(impact),
            derivation: self.derivation(impact, ways),
        }
    }

    fn new_statements(&self, impact: &FunctionImpact) -> Vec<Statement> {
        let graph = &impact.alignment.new_graph;
        let status = |node: NodeId| match impact.alignment.new_status[node.index()] {
            NewStatus::Unchanged => StatementStatus::Unchanged,
            NewStatus::Changed => StatementStatus::Changed,
            NewStatus::Added => StatementStatus::Added,
        };
        let partner = |node: NodeId| {
            let old = self.old.as_ref()?;
            let there = impact.alignment.to_old.get(node.index()).copied().flatten()?;
            Some(spot(old.program, impact.alignment.old_graph.as_ref()?, there))
        };
        self.new.statements(graph, &impact.affected, status, partner)
    }

    fn old_statements(&self, impact: &FunctionImpact) -> Vec<Statement> {
        let (Some(texts), Some(graph)) = (&self.old, &impact.alignment.old_graph) else { return Vec::new() };
        let status = |node: NodeId| match impact.alignment.old_status[node.index()] {
            OldStatus::Unchanged => StatementStatus::Unchanged,
            OldStatus::Changed => StatementStatus::Changed,
            OldStatus::Removed => StatementStatus::Removed,
        };
        let partner = |node: NodeId| {
            let there = impact.alignment.to_new.get(node.index()).copied().flatten()?;
            Some(spot(self.new.program, &impact.alignment.new_graph, there))
        };
        texts.statements(graph, &impact.affected_old, status, partner)
    }

    fn derivation(&self, impact: &FunctionImpact, ways: Option<(&Ways, &Scope<'_>)>) -> Vec<ImpactStep> {
        let graph = &impact.alignment.new_graph;
        let place = |node: NodeId| spot(self.new.program, graph, node);
        let old_place = |node: NodeId| {
            let old = self.old.as_ref()?;
            Some(spot(old.program, impact.alignment.old_graph.as_ref()?, node))
        };
        let step = |step: &incise_change::Step| {
            let reason = match step.rule {
                Rule::Changed | Rule::Removed => Reason::Changed,
                Rule::Added => Reason::Added,
                Rule::Calls => Reason::Calls(match ways {
                    Some((ways, _)) => self.names(ways.calls.get(&step.node).map_or(&[], Vec::as_slice)),
                    None => self.callees(graph, step.node),
                }),
                Rule::Input => Reason::Input(match ways {
                    Some((ways, scope)) => self.carriers(impact.function, ways, scope, step.node),
                    None => Vec::new(),
                }),
                Rule::ThroughOld => Reason::ThroughOld,
                Rule::ControlledCondition => Reason::ControlledCondition,
                Rule::ControlledWrite => Reason::ControlledWrite,
                Rule::ConditionReads => Reason::ConditionReads,
                Rule::ReadByAffected => Reason::ReadByAffected,
                Rule::WriteReads => Reason::WriteReads,
                Rule::DecidesAboutAffected => Reason::DecidesAboutAffected,
                rule => self.passed_on(ways, step.node, rule),
            };
            let cause = match step.rule {
                Rule::ThroughOld => step.cause.and_then(old_place),
                _ => step.cause.map(place),
            };
            ImpactStep { spot: place(step.node), kind: kind(graph.node(step.node).kind), reason, cause }
        };
        impact.affected.steps.iter().map(step).collect()
    }

    /// Who made a statement affected in another thread, or by synchronisation.
    fn passed_on(&self, ways: Option<(&Ways, &Scope<'_>)>, node: NodeId, rule: Rule) -> Reason {
        let known = ways.and_then(|(ways, scope)| Some((ways.threads.get(&(node, rule))?, scope)));
        let Some((cause, scope)) = known else { return Reason::OtherVersion };
        let thread = cause.thread.map(|id| self.new.program.functions[id].name.clone());
        let passing = Passing { thread, site: call_site(scope, cause.site) };
        match rule {
            Rule::OtherThread => Reason::OtherThread(passing),
            Rule::Competes => Reason::Competes(passing),
            _ => Reason::Ordered(passing),
        }
    }

    /// The names of functions, each once.
    fn names(&self, functions: &[FunctionId]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for &function in functions {
            let name = &self.new.program.functions[function].name;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// The inputs with impact that a statement reads, and where they come from.
    fn carriers(&self, function: FunctionId, ways: &Ways, scope: &Scope<'_>, node: NodeId) -> Vec<Carrier> {
        let program = self.new.program;
        let carrier = |input: &Input| {
            let (kind, name) = input_name(program, function, *input);
            let calls = ways.inputs.get(input).into_iter().flatten();
            Carrier { kind, name, calls: calls.map(|&site| call_site(scope, site)).collect() }
        };
        ways.readers.get(&node).into_iter().flatten().map(carrier).collect()
    }

    /// The functions where something changed that a statement calls by name, in the order of the calls.
    fn callees(&self, graph: &StatementGraph, node: NodeId) -> Vec<String> {
        let program = self.new.program;
        let mut names = Vec::new();
        for &root in &graph.node(node).roots {
            let (Op::Call(call) | Op::Invoke { call, .. }) =
                &program.functions[graph.function].instructions[root].op
            else {
                continue;
            };
            if let Callee::Direct(callee) = call.callee
                && self.dirty.contains(&callee)
                && !names.contains(&program.functions[callee].name)
            {
                names.push(program.functions[callee].name.clone());
            }
        }
        names
    }
}

/// The name of an input of a function.
pub(crate) fn input_name(program: &Program, function: FunctionId, input: Input) -> (CarrierKind, String) {
    match input {
        Input::Parameter(number) => {
            (CarrierKind::Parameter, parameter_name(&program.functions[function], number))
        }
        Input::Global(global) => (CarrierKind::Global, program.globals[global].name.clone()),
        Input::Memory => (CarrierKind::Memory, String::new()),
    }
}

/// The name of a parameter as the source has it. A small struct travels in several parameters of the IR, whose names
/// begin with its own.
pub(crate) fn parameter_name(function: &Function, number: u32) -> String {
    let Some(parameter) = function.parameters.get(number as usize) else { return "...".to_owned() };
    let name = parameter.name.split(".coerce").next().unwrap_or_default();
    if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("parameter {}", number + 1);
    }
    name.to_owned()
}

/// A statement that calls, as reports name it.
pub(crate) fn call_site(scope: &Scope<'_>, (function, node): Site) -> CallSite {
    let program = scope.program;
    let caller = &program.functions[function];
    CallSite {
        function: caller.name.clone(),
        file: caller.file.map(|file| program.files[file].name.to_string()),
        spot: spot(program, &scope.facts(function).graph, node),
    }
}

fn kind(kind: NodeKind) -> StatementKind {
    match kind {
        NodeKind::Condition => StatementKind::Condition,
        NodeKind::Write => StatementKind::Write,
        NodeKind::Return => StatementKind::Return,
    }
}

/// The text of statements: the line in the source, if that is at hand.
struct SourceTexts<'a> {
    program: &'a Program,
    /// The lines of each file that was looked at; none if it cannot be read.
    files: RefCell<BTreeMap<FileId, Rc<[String]>>>,
}

impl<'a> SourceTexts<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, files: RefCell::default() }
    }

    /// The statements of a function that are not as they were, or affected.
    fn statements(
        &self,
        graph: &StatementGraph,
        affected: &Affected,
        status: impl Fn(NodeId) -> StatementStatus,
        partner: impl Fn(NodeId) -> Option<Spot>,
    ) -> Vec<Statement> {
        let describer = OnceCell::new();
        let described = |node| {
            describer.get_or_init(|| incise_change::Describer::new(self.program, graph)).describe(node)
        };
        let concerned =
            graph.ids().filter(|&node| status(node) != StatementStatus::Unchanged || affected.contains(node));
        let statement = |node: NodeId| Statement {
            spot: spot(self.program, graph, node),
            partner: partner(node),
            kind: kind(graph.node(node).kind),
            status: status(node),
            affected: affected.contains(node),
            text: self.source_line(graph, node).unwrap_or_else(|| described(node)),
        };
        concerned.map(statement).collect()
    }

    /// The line of the source that a statement begins on, if the source is at hand.
    fn source_line(&self, graph: &StatementGraph, node: NodeId) -> Option<String> {
        let location = self.program.locations[graph.node(node).location?];
        let index = (location.line as usize).checked_sub(1)?;
        Some(self.lines(location.file).get(index)?.trim().to_owned())
    }

    fn lines(&self, file: FileId) -> Rc<[String]> {
        let read = || {
            let text = std::fs::read(self.program.files[file].path()).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
        };
        self.files.borrow_mut().entry(file).or_insert_with(read).clone()
    }
}

/// The signature of a function as text: its types in the source, or in the IR.
fn signature(program: &Program, function: &Function) -> String {
    let source = |index: usize| function.debug_signature.get(index).copied();
    let result = match source(0) {
        Some(Some(ty)) => incise_ir::c_types::type_name(program, ty),
        Some(None) => "void".to_owned(),
        None => program.type_text(function.result).to_string(),
    };
    let parameters = function.parameters.iter().filter(|parameter| !parameter.struct_return);
    let mut texts: Vec<String> = match function.debug_signature.get(1..) {
        // A struct may travel in several parameters of the IR: the source counts.
        Some(types) => {
            let names: Vec<&str> = function
                .variables
                .iter()
                .filter(|variable| variable.parameter.is_some())
                .map(|variable| variable.name.as_str())
                .collect();
            let text = |(index, ty): (usize, &Option<_>)| {
                let ty = ty.map_or_else(|| "...".to_owned(), |ty| incise_ir::c_types::type_name(program, ty));
                let name = names.get(index).copied().unwrap_or("");
                let space = if ty.ends_with('*') || name.is_empty() { "" } else { " " };
                format!("{ty}{space}{name}")
            };
            types.iter().enumerate().map(text).collect()
        }
        None => parameters
            .map(|parameter| {
                format!("{} {}", program.type_text(parameter.ty), parameter.name).trim_end().to_owned()
            })
            .collect(),
    };
    if function.variadic && texts.last().is_none_or(|last| last != "...") {
        texts.push("...".to_owned());
    }
    let space = if result.ends_with('*') { "" } else { " " };
    format!(
        "{result}{space}{}({})",
        function.name,
        if texts.is_empty() { "void".to_owned() } else { texts.join(", ") }
    )
}

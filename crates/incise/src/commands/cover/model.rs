//! From obligations of impacted coverage to the finding model of the reports.

use crate::change::model::spot;
use incise_change::{Describer, Scope};
use incise_findings as findings;
use incise_incremental::{Covered, Criterion, Obligation, ObligationStatus, Statement};
use incise_ir::{BlockId, FunctionId, Op};
use incise_reading::Reading;
use incise_report::Spot;
use incise_report::cover::{self, Cover, CoverStatus, CoverTarget, SourceSpot, Use};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Shows the obligations of a scope.
pub(crate) struct Obligations<'a> {
    scope: &'a Scope<'a>,
    describers: RefCell<BTreeMap<FunctionId, Describer<'a>>>,
}

impl<'a> Obligations<'a> {
    pub(crate) fn new(scope: &'a Scope<'a>) -> Self {
        Self { scope, describers: RefCell::default() }
    }

    /// What an exploration covered, and what not; paths are known by their positions, from 1.
    pub(crate) fn covered(&self, entry: &str, covered: &Covered) -> Cover {
        let status = |status: &ObligationStatus| match status {
            ObligationStatus::Covered(path) => {
                CoverStatus::Covered { path: path.map(|path| path as u64 + 1), test: None }
            }
            ObligationStatus::Unreachable => CoverStatus::Unreachable,
            ObligationStatus::Infeasible => CoverStatus::Infeasible,
            // Those of other inputs come behind the others.
            ObligationStatus::NotAsTaken(path) => CoverStatus::NotAsTaken {
                example: path.map(|path| (covered.directed.paths.len() + path) as u64 + 1),
            },
            ObligationStatus::NotReached(reasons) => {
                CoverStatus::NotReached(reasons.iter().cloned().collect())
            }
        };
        let obligations = covered.obligations.iter().map(|(obligation, became)| cover::Obligation {
            what: self.target(obligation),
            status: status(became),
        });
        let counters = &covered.directed.exploration.counters;
        Cover {
            entry: entry.to_owned(),
            criterion: covered.criterion,
            obligations: obligations.collect(),
            open: covered.open.iter().cloned().collect(),
            as_taken: false,
            examples: Vec::new(),
            states: counters.states,
            time_ms: counters.time.as_secs_f64() * 1e3,
        }
    }

    /// An obligation in terms of the source.
    pub(crate) fn target(&self, obligation: &Obligation) -> CoverTarget {
        match obligation {
            Obligation::Statement(statement) => CoverTarget::Statement(self.spot(*statement)),
            Obligation::Block(function, _, node) => CoverTarget::Block(self.spot((*function, *node))),
            Obligation::Entry(function) => CoverTarget::Entry(self.start(*function)),
            Obligation::Side(statement, side) => {
                CoverTarget::Side(self.spot(*statement), self.side(*statement, *side))
            }
            Obligation::Exit(function, Some(node)) => CoverTarget::Exit(self.spot((*function, *node))),
            Obligation::Exit(function, None) => CoverTarget::Exit(self.end(*function)),
            Obligation::Fragments(taken) => {
                let side = |&(statement, side)| (self.spot(statement), self.side(statement, side));
                CoverTarget::Combination(taken.iter().map(side).collect())
            }
            Obligation::DataFlow(flow) => CoverTarget::Use(Box::new(Use {
                definition: self.spot(flow.definition),
                usage: self.spot(flow.usage),
                side: flow.side.map(|side| self.side(flow.usage, side)),
                variable: flow.variable.clone(),
                certain: flow.certain,
            })),
        }
    }

    fn spot(&self, (function, node): Statement) -> SourceSpot {
        let program = self.scope.program;
        let graph = &self.scope.facts(function).graph;
        let location = graph.node(node).location.filter(|&at| program.locations[at].line != 0);
        SourceSpot {
            function: program.functions[function].name.clone(),
            file: location.map(|location| program.position(location).file.to_string()),
            spot: spot(program, graph, node),
            text: Some(self.text((function, node))),
        }
    }

    fn text(&self, (function, node): Statement) -> String {
        let mut describers = self.describers.borrow_mut();
        let describer = describers
            .entry(function)
            .or_insert_with(|| Describer::new(self.scope.program, &self.scope.facts(function).graph));
        describer.describe(node)
    }

    /// Where a function starts.
    fn start(&self, function: FunctionId) -> SourceSpot {
        let program = self.scope.program;
        let code = &program.functions[function];
        let spot = match code.line {
            0 => Spot::Code { block: 0, index: 0 },
            line => Spot::Line(line),
        };
        let file = code.file.filter(|_| code.line != 0).map(|file| program.files[file].name.to_string());
        SourceSpot { function: code.name.clone(), file, spot, text: None }
    }

    /// Where a function without a result ends.
    fn end(&self, function: FunctionId) -> SourceSpot {
        let program = self.scope.program;
        let code = &program.functions[function];
        let ends = code
            .blocks
            .ids()
            .filter(|&block| matches!(code.instructions[code.terminator(block)].op, Op::Return(None)));
        let locations = ends.filter_map(|block| code.instructions[code.terminator(block)].location);
        let known = locations.map(|location| program.position(location)).find(|at| at.line != 0);
        match known {
            Some(at) => SourceSpot {
                file: Some(at.file.to_string()),
                spot: Spot::Line(at.line),
                ..self.start(function)
            },
            None => self.start(function),
        }
    }

    /// The name of a side: `true` or `false`, or the cases of a switch.
    fn side(&self, (function, node): Statement, side: usize) -> String {
        let graph = &self.scope.facts(function).graph;
        let code = &self.scope.program.functions[function];
        let target = graph.side_blocks(node).get(side).copied();
        match &code.instructions[code.terminator(graph.node(node).block)].op {
            Op::Switch { value, default, cases } => {
                let ty = self.scope.program.operand_type(code, *value);
                let bits = self.scope.program.types.scalar_bits(ty).unwrap_or(128);
                switch_side(*default, cases, target, bits)
            }
            Op::ConditionalBranch { .. } => if side == 0 { "true" } else { "false" }.to_owned(),
            _ => format!("way {}", side + 1),
        }
    }
}

/// The cases of a switch that go to a block.
fn switch_side(default: BlockId, cases: &[(u128, BlockId)], target: Option<BlockId>, bits: u32) -> String {
    let signed = |number: u128| {
        let unused = 128 - bits.clamp(1, 128);
        ((number << unused) as i128) >> unused
    };
    let mut names: Vec<String> = Vec::new();
    let own: Vec<String> = cases
        .iter()
        .filter(|(_, block)| Some(*block) == target)
        .map(|(number, _)| signed(*number).to_string())
        .collect();
    if !own.is_empty() {
        names.push(format!("case {}", own.join(", ")));
    }
    if Some(default) == target {
        names.push("default".to_owned());
    }
    names.join(", ")
}

/// Says of each obligation that a path covers which test was written for the path.
pub(crate) fn name_tests(cover: &mut Cover, tests: &BTreeMap<u64, String>) {
    for obligation in &mut cover.obligations {
        if let CoverStatus::Covered { path: Some(path), test } = &mut obligation.status {
            *test = tests.get(path).cloned();
        }
    }
}

/// Tells that inputs were left out because of what they were taken to be, if that matters: of combinations of sides it
/// is not known which others there are.
pub(crate) fn note_taken(cover: &mut Cover, covered: &Covered, reading: &Reading) {
    let open = covered.criterion == Criterion::PathFragment && !cover.obligations.is_empty();
    cover.as_taken = reading.restricts() && (open || cover.counts().not_as_taken > 0);
}

/// The paths of an exploration, as examples of what is missing.
pub(crate) fn examples(covered: &Covered) -> Vec<incise_report::FoundPath> {
    let paths = covered.directed.paths.iter().chain(&covered.others).map(|changed| changed.path.clone());
    paths.zip(1..).map(|(path, id)| findings::path(path, id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_ir::Id;

    #[test]
    fn sides_of_a_switch_are_named_after_their_cases() {
        let block = BlockId::from_index;
        let cases = [(1, block(2)), (0xffff_ffff, block(2)), (7, block(3))];
        let side = |target| switch_side(block(3), &cases, Some(block(target)), 32);
        assert_eq!(side(2), "case 1, -1");
        assert_eq!(side(3), "case 7, default");
    }
}

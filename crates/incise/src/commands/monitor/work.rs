//! Compares both versions once for all nodes, and makes of what is found what is reported.

use super::arguments::MonitorRules;
use super::chains::{Chains, Writers};
use super::computed::Computed;
use super::edges::Structure;
use super::evidence::Held;
use super::marks::{ConcernedParts, Found, Looked, Marked, following, is_cut};
use super::names::Observable;
use super::paper::PaperWay;
use super::plan::Plan;
use super::settings::MonitorSettings;
use super::{evidence, later, loops, states, suite};
use crate::change::analysis::{Analysis, Question};
use crate::change::rules::RuleSet;
use crate::commands::diff::so_far::SoFar;
use crate::commands::diff::verdict::VersionJudge;
use crate::session::Session;
use anyhow::Result;
use incise_change::{Impact, Scope};
use incise_frontend::versions::OldVersion;
use incise_frontend::{Loaded, NativeSource, Watch, find_function};
use incise_incremental::Subject;
use incise_incremental::differ::{concerned, concerned_bytes};
use incise_ir::FunctionId;
use incise_monitor::Target;
use incise_report::monitor::{EdgeFinding, Evidence, MonitorEdge, MonitorNode, MonitorReport};
use incise_report::verdict::Verdicts;
use incise_report::{FunctionImpact, Origin, Value};
use incise_vocabulary::Mark;
use std::collections::BTreeSet;
use std::time::Instant;

/// What the same rests on where not all was explored.
const WHERE_BOTH_RETURN: &str =
    "what is the same is so wherever both versions return; not all paths were followed to see that they do";

/// Both versions, and what is asked.
pub(super) struct Work<'w> {
    pub(super) settings: &'w MonitorSettings,
    pub(super) plan: &'w Plan<'w>,
    pub(super) old: &'w OldVersion,
    /// What clang made of OLD, with copies of what is watched.
    pub(super) old_texts: &'w [(String, String)],
    pub(super) new: &'w Loaded,
    pub(super) session: &'w Session,
}

/// What one version tells.
pub(super) struct ScopeWriters<'s> {
    pub(super) scope: Scope<'s>,
    pub(super) writers: Writers,
}

impl<'w> Work<'w> {
    /// Compares, and fills in all that is found.
    pub(super) fn fill(&self, entry_name: &str, report: &mut MonitorReport) -> Result<()> {
        let question = Question {
            entry: Some(entry_name),
            rules: RuleSet::Complete,
            across: true,
            overflow: self.settings.config.checks.overflow,
        };
        let found = Analysis::of_versions(self.old, self.new, &question)?;
        let entry = find_function(&self.new.program, entry_name)?;
        let described = found.described();
        let sides = self.sides(&found, entry);
        report.notes = found.notes();
        let mut left = None;
        let (marks, verdicts) = match self.settings.rules {
            MonitorRules::Paper => (self.paper_marks(&found, &described, entry, sides.as_ref())?, None),
            MonitorRules::Compare => {
                let verdicts = self.verdicts(&found)?;
                let concerned = sides
                    .as_ref()
                    .zip(found.impact())
                    .and_then(|(_, impact)| self.concerned(&found, impact, entry));
                let marks = self.marks(&verdicts, concerned.as_ref());
                left = concerned.and_then(|concerned| concerned.whole.globals);
                (marks, Some(verdicts))
            }
        };
        self.nodes(marks, &described, sides.as_ref(), report);
        if let Some(left) = left
            && let Some(later) = self.later_calls(&found, entry, &left, report)
        {
            later.mark(&mut report.nodes);
            report.notes.push(later.note);
        }
        if let Some(verdicts) = verdicts {
            self.witnesses(verdicts, report);
        }
        self.edges(sides.as_ref(), report);
        if self.settings.rules == MonitorRules::Compare {
            self.states(entry_name, report)?;
            self.suite(entry_name, report)?;
        }
        Ok(())
    }

    /// What later calls can do to what one call leaves the same.
    fn later_calls(
        &self,
        found: &Analysis<'w>,
        entry: FunctionId,
        left: &BTreeSet<String>,
        report: &MonitorReport,
    ) -> Option<later::LaterCalls> {
        let (old_entry, old, _) = found.old_scope(entry)?;
        let (new, _) = found.new_scope(entry)?;
        later::later_calls(self.plan, &report.nodes, left, &report.entry, [(old, old_entry), (new, entry)])
    }

    /// Which states marked nodes can come to, before and after.
    fn states(&self, entry: &str, report: &mut MonitorReport) -> Result<()> {
        let versions = states::Versions {
            old: (&self.old.program, self.old_texts),
            new: (&self.new.program, self.new.texts()),
            entry,
            config: &self.settings.config,
            reading: &self.settings.verdict.reading,
            session: self.session,
        };
        let mut asked = Vec::new();
        for (at, node) in report.nodes.iter().enumerate() {
            let marked = matches!(node.mark, Mark::Differs | Mark::MayDiffer);
            let (Some(observable), true) = (self.plan.observable(at), marked) else { continue };
            let thresholds = &self.plan.thresholds[at];
            if !thresholds.is_empty() && !self.plan.obstacles.contains_key(&at) {
                asked.push((at, states::Asked { observable, lies: self.plan.lies(at), thresholds }));
            }
        }
        let (nodes, asked): (Vec<usize>, Vec<states::Asked<'_>>) = asked.into_iter().unzip();
        for (at, states) in nodes.into_iter().zip(versions.compare(&asked)?) {
            report.nodes[at].states = Some(states);
        }
        Ok(())
    }

    /// The tests of a suite on which marked nodes differ.
    fn suite(&self, entry: &str, report: &mut MonitorReport) -> Result<()> {
        let Some(directory) = &self.settings.suite else { return Ok(()) };
        let nodes = report.nodes.iter().enumerate();
        let marked = nodes.filter(|(_, node)| matches!(node.mark, Mark::Differs | Mark::MayDiffer));
        let marked: Vec<String> = marked
            .flat_map(|(at, _)| self.plan.operands(at))
            .map(|&number| self.plan.named(number).part())
            .collect();
        let tests = suite::Tests {
            old: self.old,
            new: self.new,
            verdict: &self.settings.verdict,
            session: self.session,
        };
        report.suite = Some(tests.concerning(directory, entry, &marked)?);
        Ok(())
    }

    fn sides(&self, found: &Analysis<'w>, entry: FunctionId) -> Option<(ScopeWriters<'w>, ScopeWriters<'w>)> {
        if !found.entries.contains(&entry) {
            return None;
        }
        let (_, old, _) = found.old_scope(entry)?;
        let (new, _) = found.new_scope(entry)?;
        let side = |scope: Scope<'w>| ScopeWriters { writers: Writers::of(&scope), scope };
        Some((side(old), side(new)))
    }

    fn verdicts(&self, found: &Analysis<'w>) -> Result<Verdicts> {
        let so_far = SoFar::silent(&self.settings.output);
        let judge = VersionJudge {
            old: self.old.native(self.new),
            new: NativeSource::of(self.new),
            settings: &self.settings.verdict,
            session: self.session,
            so_far: &so_far,
            start: Instant::now(),
            stored: Default::default(),
            begin_otherwise: Default::default(),
        };
        judge.versions(found, false)
    }

    /// What the change can concern of what the entry leaves behind.
    fn concerned(
        &self,
        found: &Analysis<'w>,
        impact: &Impact<'_>,
        entry: FunctionId,
    ) -> Option<ConcernedParts> {
        let (old_entry, mut old_scope, _) = found.old_scope(entry)?;
        let (mut new_scope, _) = found.new_scope(entry)?;
        let (old_root, new_root) = (old_scope.root(old_entry), new_scope.root(entry));
        let (old, new) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
        let (whole, bytes) = (concerned(&old, &new, impact), concerned_bytes(&old, &new, impact));
        let turning =
            loops::reached(&mut new_scope, entry).or_else(|| loops::reached(&mut old_scope, old_entry));
        Some(ConcernedParts { whole, bytes, turning })
    }

    /// The marks of nodes with a variable, by comparing.
    fn marks(&self, verdicts: &Verdicts, concerned: Option<&ConcernedParts>) -> Vec<Option<Marked>> {
        let found =
            Found { comparison: verdicts.entries.first(), concerned, not_compared: &verdicts.reasons };
        let held: Vec<[Held<'_>; 2]> =
            found.comparison.iter().flat_map(|found| &found.differences).map(Held::of).collect();
        let mark = |node: usize| {
            let operands = self.plan.operands(node);
            if operands.is_empty() {
                return None;
            }
            if let Some(why) = self.plan.obstacles.get(&node) {
                return Some(Marked { mark: Mark::MayDiffer, reasons: vec![why.clone()], witness: None });
            }
            let (its, thresholds) = (&self.plan.network.nodes[node], &self.plan.thresholds[node]);
            let one = |number: usize, state: &dyn Fn(&Value) -> Option<String>| {
                let (observable, lies) = (self.plan.named(number), self.plan.lies_of(number));
                let (union, bytes_of) = (self.plan.union_of(number), &|part: &str| self.plan.bytes_of(part));
                found.mark(&Looked { observable, lies, union, bytes_of }, state)
            };
            let Target::Computed(expression, _) = &self.plan.matched[node].target else {
                return Some(one(operands[0], &|value: &Value| evidence::state(its, thresholds, value)));
            };
            let computed = Computed { expression, plan: self.plan, node };
            let marks = operands.iter().map(|&number| one(number, &|_| None)).collect();
            Some(computed.mark(marks, found.comparison, &held))
        };
        (0..self.plan.matched.len()).map(mark).collect()
    }

    /// The marks of nodes with a variable, as the paper makes them.
    fn paper_marks(
        &self,
        found: &Analysis<'w>,
        described: &[FunctionImpact],
        entry: FunctionId,
        sides: Option<&(ScopeWriters<'w>, ScopeWriters<'w>)>,
    ) -> Result<Vec<Option<Marked>>> {
        let settings = (&self.settings.config, &self.settings.verdict.reading);
        let way = PaperWay::new(found, described, (self.new, entry), settings, self.session)?;
        let mark = |node: usize| {
            let operands = self.plan.operands(node);
            let observables = || operands.iter().map(|&number| self.plan.named(number));
            let reason = |new: &ScopeWriters<'w>| {
                observables().find_map(|observable| way.reason(observable, &new.scope, &new.writers))
            };
            let reason = sides.filter(|_| !operands.is_empty()).and_then(|(_, new)| reason(new));
            if operands.is_empty() {
                return None;
            }
            Some(match reason {
                Some(reason) => Marked { mark: Mark::Differs, reasons: vec![reason], witness: None },
                None => Marked { mark: Mark::Same, reasons: Vec::new(), witness: None },
            })
        };
        Ok((0..self.plan.matched.len()).map(mark).collect())
    }

    /// The nodes: those with a variable first, then those that follow others, parents before children.
    fn nodes(
        &self,
        marks: Vec<Option<Marked>>,
        described: &[FunctionImpact],
        sides: Option<&(ScopeWriters<'w>, ScopeWriters<'w>)>,
        report: &mut MonitorReport,
    ) {
        let chains = Chains::new(described, &self.old.program, sides.map(|(_, new)| new));
        let network = self.plan.network;
        let mut nodes: Vec<Option<MonitorNode>> = marks
            .into_iter()
            .enumerate()
            .map(|(at, marked)| {
                let marked = marked?;
                let chain = match (marked.mark, sides) {
                    (Mark::Same | Mark::Unmapped, _) | (_, None) => Vec::new(),
                    (_, Some((old, new))) => {
                        let before = Some((&old.scope, &old.writers));
                        let all = self.plan.operands(at).iter().map(|&number| {
                            let (observable, lies) = (self.plan.named(number), self.plan.lies_of(number));
                            chains.chain(observable, lies, (&new.scope, &new.writers), before)
                        });
                        let all = all.filter(|chain: &Vec<_>| !chain.is_empty());
                        all.min_by_key(Vec::len).unwrap_or_default()
                    }
                };
                let node = self.node(at, marked);
                let maps_to = match &self.plan.matched[at].target {
                    Target::Computed(expression, _) => Some(expression.text.clone()),
                    _ => self.plan.observable(at).map(Observable::part),
                };
                Some(MonitorNode { maps_to, chain, ..node })
            })
            .collect();
        let order = network.order().unwrap_or_default();
        // A health node may watch one that comes later, and that one may follow others: marks settle round by round.
        for _ in 0..=network.nodes.len() {
            let mut changed = false;
            for &at in &order {
                if nodes[at].is_some() {
                    continue;
                }
                if let Some(node) = self.follower(at, &nodes) {
                    nodes[at] = Some(node);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let unknown = |at: usize| {
            let marked = Marked {
                mark: Mark::Unmapped,
                reasons: vec!["nodes watch each other in a circle".to_owned()],
                witness: None,
            };
            self.node(at, marked)
        };
        report.nodes =
            nodes.into_iter().enumerate().map(|(at, node)| node.unwrap_or_else(|| unknown(at))).collect();
    }

    fn node(&self, at: usize, marked: Marked) -> MonitorNode {
        MonitorNode {
            name: self.plan.network.nodes[at].name.clone(),
            kind: self.plan.matched[at].role.name(),
            mark: marked.mark,
            later: false,
            maps_to: None,
            follows: Vec::new(),
            reasons: marked.reasons,
            chain: Vec::new(),
            witness: marked.witness,
            states: None,
        }
    }

    /// A node without a variable, if what it follows is known.
    fn follower(&self, at: usize, nodes: &[Option<MonitorNode>]) -> Option<MonitorNode> {
        let (followed, what) = match &self.plan.matched[at].target {
            Target::Unmapped(why) => {
                let (mark, why) = match self.plan.obstacles.get(&at) {
                    Some(gone) => (Mark::MayDiffer, gone),
                    None => (Mark::Unmapped, why),
                };
                return Some(self.node(at, Marked { mark, reasons: vec![why.clone()], witness: None }));
            }
            // The paper marks what stands for variables.
            _ if self.settings.rules == MonitorRules::Paper => {
                let marked = Marked { mark: Mark::Same, reasons: Vec::new(), witness: None };
                return Some(self.node(at, marked));
            }
            Target::Node(watched) => (vec![*watched], "it watches"),
            Target::Parents => (self.plan.network.nodes[at].parents.clone(), "it follows its parents:"),
            Target::Variable(_) | Target::Computed(..) => return None,
        };
        let known: Vec<&MonitorNode> =
            followed.iter().map(|&each| nodes[each].as_ref()).collect::<Option<_>>()?;
        let node = self.node(at, following(&known, what));
        let names = known.iter().map(|node| node.name.clone()).collect();
        Some(MonitorNode { follows: names, ..node })
    }

    /// Witnesses, and what all nodes are on their inputs.
    fn witnesses(&self, verdicts: Verdicts, report: &mut MonitorReport) {
        report.sameness = verdicts.sameness();
        let Some(comparison) = verdicts.entries.into_iter().next() else { return };
        let cut = is_cut(&comparison);
        report.taken = comparison.taken.into_iter().filter(|taken| taken.restricts).collect();
        report.notes.extend(comparison.notes);
        if cut && report.nodes.iter().any(|node| node.mark == Mark::Same) {
            report.notes.push(WHERE_BOTH_RETURN.to_owned());
        }
        report.effort = (comparison.pairs.all(), comparison.effort.queries);
        report.witnesses = comparison.differences;
        let used: BTreeSet<usize> = report
            .nodes
            .iter()
            .filter_map(|node| node.witness.as_ref())
            .map(|witness| witness.number)
            .collect();
        for number in used {
            let held = Held::of(&report.witnesses[number]);
            let cell = |at: usize| {
                if let Target::Computed(expression, _) = &self.plan.matched[at].target {
                    return Computed { expression, plan: self.plan, node: at }.cells(&held);
                }
                let Some(observable) = self.plan.observable(at) else { return (None, None) };
                let (node, thresholds) = (&self.plan.network.nodes[at], &self.plan.thresholds[at]);
                let value =
                    |held: &Held<'_>| Some(evidence::cell(node, thresholds, &held.value(observable)?));
                (value(&held[0]), value(&held[1]))
            };
            let nodes = (0..self.plan.matched.len()).map(cell).collect();
            report.evidence.push(Evidence { witness: number, nodes });
        }
        // What was copied to be seen is no input that anybody gives.
        for witness in &mut report.witnesses {
            for path in [&mut witness.old, &mut witness.new] {
                if let Some(inputs) = &mut path.inputs {
                    inputs.retain(|input| !is_copy(&input.origin));
                }
            }
        }
    }

    /// The edges of the network, and what the code says of them.
    fn edges(&self, sides: Option<&(ScopeWriters<'w>, ScopeWriters<'w>)>, report: &mut MonitorReport) {
        let network = self.plan.network;
        let structure = sides.map(|(old, new)| Structure::new(self.plan, old, new));
        let mut edges = Vec::new();
        for (to, node) in network.nodes.iter().enumerate() {
            for &from in &node.parents {
                let finding = structure.as_ref().and_then(|structure| structure.lost(from, to));
                edges.push(MonitorEdge {
                    from: network.nodes[from].name.clone(),
                    to: node.name.clone(),
                    finding: finding.as_ref().map(|_| EdgeFinding::WithoutDependence),
                    by_change: finding.is_some(),
                    places: finding.unwrap_or_default(),
                });
            }
        }
        edges.extend(structure.iter().flat_map(|structure| structure.without_way(network)));
        report.edges = edges;
    }
}

/// Whether an input is a variable that was made to see what a function keeps to itself.
fn is_copy(origin: &Origin) -> bool {
    matches!(origin, Origin::Global(symbol) if Watch::is_symbol(symbol))
}
